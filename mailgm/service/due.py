"""What falls due: deadlines, early closes, reminders, gathered posts, held reports; and the brake after an outage."""

from __future__ import annotations

import dataclasses
import logging
from datetime import datetime, timedelta

from mailgm.engine import PUBLIC, Input, Notice
from mailgm.faults import log_fault
from mailgm.service import blind, clock, post, review
from mailgm.service.context import LIVE, Context, Live, changed
from mailgm.service.said import told
from mailgm.service.turn import Cause, settle, tell, turn
from mailgm.store import StoreError, Tx, games, log, mailboxes, outbox

logger = logging.getLogger(__name__)

CLOCK = "clock"

STUCK_AGAIN = timedelta(minutes=10)
"""How long a game waits whose deadline could not be carried out for a fault of the program."""


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
        try:
            with ctx.db.write() as tx:
                live = _act(ctx, tx, ctx.load(tx, name), moment, mail_complete)
        except StoreError:
            raise
        except Exception as error:  # noqa: BLE001 (logged by log_fault)
            # One game that breaks the code must not stop the clocks of the others.
            log_fault(logger, error, "what is due in %s cannot be done; next try in %s", name, STUCK_AGAIN)
            ctx.forget()
            live = _stuck(ctx, name, moment, f"{type(error).__name__}: {error}")
        ctx.keep(live)
    return len(names)


def _stuck(ctx: Context, name: str, moment: datetime, reason: str) -> Live:
    """Put a game off whose deadline breaks the code, and tell its master, once a phase."""
    with ctx.db.write() as tx:
        live = ctx.load(tx, name)
        record = live.record
        data = {"due": record.deadline, "reason": blind.reason(live, reason)}
        told = post.to_master(ctx, live, "stuck", data, f"{record.id}/{record.phase_key}/{record.inputs}/stuck")
        outbox.queue(tx, told, ctx.now())
        return _save(ctx, tx, live, changed(live, wake_at=moment + STUCK_AGAIN))


def _act(ctx: Context, tx: Tx, live: Live, moment: datetime, mail_complete: bool) -> Live:
    if review.pending(live):
        if live.record.deadline and live.record.deadline <= moment:
            return review.release(ctx, tx, live, Cause(CLOCK, moment, "no answer"))
        return live
    if live.record.status == "running" and live.record.deadline and live.record.deadline <= moment:
        if not mail_complete and not _waited_enough(ctx, live.record.deadline, moment):
            return _wait_for_mail(ctx, tx, live, moment)
        live = close_due(ctx, tx, live, moment)
    live = settle(ctx, tx, live, Cause(CLOCK, moment))
    _flush(ctx, tx, live, moment)
    return _save(ctx, tx, live, _next_wake(tx, _remind(ctx, tx, live, moment), moment))


def _save(ctx: Context, tx: Tx, known: Live, live: Live) -> Live:
    """Write a game whose row was changed in memory since `known` was written."""
    if live.record == known.record:
        return known
    return dataclasses.replace(live, record=games.save(tx, live.record, ctx.now(), known=known.record))


def _next_wake(tx: Tx, live: Live, moment: datetime) -> Live:
    live = clock.with_wake(live, moment)
    waiting = log.notices_of(tx, live.record.id, states=("waiting",)) if live.settings.table == "digest" else []
    if waiting:
        digest = waiting[0].at + timedelta(minutes=live.settings.table_digest_minutes)
        live = changed(live, wake_at=min(live.record.wake_at or digest, digest))
    return live


# Posts that wait, reminders -------------------------------------------------------------------------------------------


def _flush(ctx: Context, tx: Tx, live: Live, moment: datetime) -> None:
    """Pass the gathered posts on, once the first of them has waited long enough."""
    if live.settings.table != "digest":
        return
    notices, ids = post.gathered(tx, live)
    if not notices:
        return
    first = log.notices_of(tx, live.record.id, states=("waiting",))[0]
    if first.at + timedelta(minutes=live.settings.table_digest_minutes) > moment:
        return
    log.told(tx, ids)
    outbox.queue(tx, post.moment(ctx, live, notices, f"{live.record.id}/{first.n}/digest", opened=False), ctx.now())


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


def _waited_enough(ctx: Context, deadline: datetime, moment: datetime) -> bool:
    return moment - deadline >= timedelta(minutes=ctx.config.limits.mailbox_wait_minutes)


def first_waiting(ctx: Context, moment: datetime) -> datetime | None:
    """The first deadline that is not past for long enough at `moment` to be carried out without a mailbox, or None.

    What arrived after it must not be handled yet: it would close the phase before an order in time was read.
    """
    with ctx.db.read() as tx:
        deadlines = [record.deadline for record in games.every(tx, "running") if record.deadline]
    return min((hour for hour in deadlines if not _waited_enough(ctx, hour, moment)), default=None)


def tell_of_mailbox(ctx: Context) -> int:
    """Tell the masters of all games under way of a mailbox that somebody has to put right, once until it works again.

    Gives the number of mails.
    """
    with ctx.db.write() as tx:
        lives = [ctx.load_id(tx, record.id) for record in games.every(tx, *LIVE)] if mailboxes.failing(tx) else []
        return sum(len(_say_mailbox(ctx, tx, live)) for live in lives)


def _say_mailbox(ctx: Context, tx: Tx, live: Live) -> list[int]:
    """Tell one game's master of the mailbox; the ids of the mails, none if he knows."""
    broken = mailboxes.failing(tx)
    since = (broken.failed_at if broken else None) or live.record.deadline
    assert since is not None
    reason = ctx.faults.get(broken.error, broken.error) if broken else ""
    data = {"since": since, "reason": told(reason, live.record.gm_lang)}
    key = f"{live.record.id}/{since.isoformat()}/mailbox"
    return outbox.queue(tx, post.to_master(ctx, live, "mailbox-late", data, key), ctx.now())


def _wait_for_mail(ctx: Context, tx: Tx, live: Live, moment: datetime) -> Live:
    """A deadline is past but mail may be missing: wait, and say so to the game master once."""
    _say_mailbox(ctx, tx, live)
    return _save(ctx, tx, live, changed(live, wake_at=moment + timedelta(seconds=ctx.config.imap.poll_seconds)))


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
    if live.record.status != "running" or due is None:
        return live  # another service was quicker
    left = max(0.0, (due - alive).total_seconds())
    live = changed(live, status="held", deadline=None, remaining=left, reminders=[], wake_at=None)
    live = tell(ctx, tx, live, Notice("clock.held", PUBLIC), Cause(CLOCK, moment, "outage"), "hold")
    data = {"since": alive, "back": moment, "due": due}
    outbox.queue(
        tx, post.to_master(ctx, live, "outage", data, f"{live.record.id}/{live.record.inputs}/outage"), ctx.now()
    )
    return live
