"""What falls due: deadlines, early closes, reminders, gathered posts, held reports; and the brake after an outage."""

from __future__ import annotations

import dataclasses
import logging
from datetime import datetime, timedelta

from mailgm.engine import PUBLIC, Input, Notice
from mailgm.service import clock, post, review
from mailgm.service.context import Context, Live, changed
from mailgm.service.turn import Cause, settle, tell, turn
from mailgm.store import Tx, games, log, mailboxes, outbox

logger = logging.getLogger(__name__)

CLOCK = "clock"


def close_due(ctx: Context, tx: Tx, live: Live, moment: datetime) -> Live:
    """Close every phase whose deadline is at or before `moment` (aware): what arrives then is for the next one."""
    while live.record.status == "running" and live.record.deadline and live.record.deadline <= moment:
        live, _ = turn(ctx, tx, live, Input("deadline"), Cause(CLOCK, live.record.deadline))
    return live


def act(ctx: Context, moment: datetime, *, mail_complete: bool) -> int:
    """Do all that is due at `moment`; give the number of games that had something due.

    mail_complete: every mailbox was read to its end after `moment`; if not, deadlines wait up to the set limit.
    """
    with ctx.db.read() as tx:
        names = games.due(tx, moment)
    for name in names:
        with ctx.db.write() as tx:
            live = _act(ctx, tx, ctx.load(tx, name), moment, mail_complete)
        ctx.keep(live)
    return len(names)


def _act(ctx: Context, tx: Tx, live: Live, moment: datetime, mail_complete: bool) -> Live:
    if review.pending(live):
        if live.record.deadline and live.record.deadline <= moment:
            return review.release(ctx, tx, live, Cause(CLOCK, moment, "no answer"))
        return live
    if live.record.status == "running" and live.record.deadline and live.record.deadline <= moment:
        if not mail_complete and not _waited_enough(ctx, live, moment):
            return _wait_for_mail(ctx, tx, live, moment)
        live = close_due(ctx, tx, live, moment)
    live = settle(ctx, tx, live, Cause(CLOCK, moment))
    live = _flush(ctx, tx, live, moment)
    live = _remind(ctx, tx, live, moment)
    return save(ctx, tx, _next_wake(tx, live, moment))


def save(ctx: Context, tx: Tx, live: Live) -> Live:
    """Write a game whose row was changed in memory."""
    known = ctx.load_id(tx, live.record.id).record
    if known.version != live.record.version:
        known = None  # type: ignore[assignment]
    return dataclasses.replace(live, record=games.save(tx, live.record, ctx.now(), known=known))


def _next_wake(tx: Tx, live: Live, moment: datetime) -> Live:
    live = clock.with_wake(live, moment)
    waiting = log.notices_of(tx, live.record.id, states=("waiting",)) if live.settings.table == "digest" else []
    if waiting:
        digest = waiting[0].at + timedelta(minutes=live.settings.table_digest_minutes)
        live = changed(live, wake_at=min(live.record.wake_at or digest, digest))
    return live


# Posts that wait, reminders -------------------------------------------------------------------------------------------


def _flush(ctx: Context, tx: Tx, live: Live, moment: datetime) -> Live:
    """Pass the gathered posts on, once the first of them has waited long enough."""
    if live.settings.table != "digest":
        return live
    notices, ids = post.gathered(tx, live)
    if not notices:
        return live
    first = log.notices_of(tx, live.record.id, states=("waiting",))[0]
    if first.at + timedelta(minutes=live.settings.table_digest_minutes) > moment:
        return live
    log.told(tx, ids)
    outbox.queue(tx, post.moment(ctx, live, notices, f"{live.record.id}/{first.n}/digest", opened=False), ctx.now())
    return live


def _remind(ctx: Context, tx: Tx, live: Live, moment: datetime) -> Live:
    """Remind those, and only those, who still owe an answer; several reminders that were missed count as one."""
    hours = [datetime.fromisoformat(hour) for hour in live.record.reminders]
    past = [hour for hour in hours if hour <= moment]
    if not past or live.record.status != "running" or live.game is None:
        return live
    live = changed(live, reminders=[hour.isoformat() for hour in hours if hour > moment])
    owing = live.running.owing()
    key = f"{live.record.id}/{live.record.phase_key}/{live.record.inputs}/reminder/{past[-1].isoformat()}"
    mails = [post.reminder(ctx, live, who, f"{key}/{who.name}") for who in post.addressees(live) if who.name in owing]
    outbox.queue(tx, mails, ctx.now())
    return live


# Mailboxes that cannot be read, and outages ---------------------------------------------------------------------------


def _waited_enough(ctx: Context, live: Live, moment: datetime) -> bool:
    assert live.record.deadline is not None
    return moment - live.record.deadline >= timedelta(minutes=ctx.config.limits.mailbox_wait_minutes)


def _wait_for_mail(ctx: Context, tx: Tx, live: Live, moment: datetime) -> Live:
    """A deadline is past but mail may be missing: wait, and say so to the game master once."""
    assert live.record.deadline is not None
    mark = f"mailbox-late/{live.record.id}"
    hour = live.record.deadline.isoformat()
    if mailboxes.mark(tx, mark) != hour:
        mailboxes.set_mark(tx, mark, hour)
        data = {"since": live.record.deadline, "reason": mailboxes.latest_error(tx)}
        told = post.to_master(ctx, live, "mailbox-late", data, f"{live.record.id}/{hour}/mailbox")
        outbox.queue(tx, told, ctx.now())
    return save(ctx, tx, changed(live, wake_at=moment + timedelta(seconds=ctx.config.imap.poll_seconds)))


def check_outage(ctx: Context, moment: datetime, alive_mark: str) -> None:
    """After a stop longer than the set limit, hold every game whose deadline passed meanwhile, and ask its master.

    Deadlines must not fire one after the other without anybody having seen the phases in between (architecture §4.5).
    """
    with ctx.db.read() as tx:
        last = mailboxes.mark(tx, alive_mark)
        if last is None:
            return
        alive = datetime.fromisoformat(last)
        if moment - alive < timedelta(hours=ctx.config.limits.outage_hours):
            return
        names = [record.name for record in games.every(tx, "running") if record.deadline and record.deadline <= moment]
    logger.warning("the service was away since %s; %d games are held", alive.isoformat(), len(names))
    for name in names:
        with ctx.db.write() as tx:
            live = _hold(ctx, tx, ctx.load(tx, name), alive, moment)
        ctx.keep(live)
    with ctx.db.write() as tx:
        mailboxes.set_mark(tx, alive_mark, moment.isoformat())


def _hold(ctx: Context, tx: Tx, live: Live, alive: datetime, moment: datetime) -> Live:
    """Hold one game; what was left of its time when the service stopped is kept."""
    due = live.record.deadline
    assert due is not None
    left = max(0.0, (due - alive).total_seconds())
    live = changed(live, status="held", deadline=None, remaining=left, reminders=[], wake_at=None)
    live = tell(ctx, tx, live, Notice("clock.held", PUBLIC), Cause(CLOCK, moment, "outage"), "hold")
    data = {"since": alive, "back": moment, "due": due}
    outbox.queue(
        tx, post.to_master(ctx, live, "outage", data, f"{live.record.id}/{live.record.inputs}/outage"), ctx.now()
    )
    return live
