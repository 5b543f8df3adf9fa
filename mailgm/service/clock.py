"""A game's clock: deadlines, reminders, pauses. Changes rows in memory only; the caller saves them."""

from __future__ import annotations

from datetime import datetime, timedelta

from mailgm.engine import Outcome
from mailgm.service.context import Live, changed

ON_TIME = timedelta(hours=1)
"""A phase closed later than this after its deadline gives the next one its full time from now on."""


def advance(
    live: Live, outcome: Outcome, at: datetime, now: datetime, *, review: bool, gathers: bool, by_clock: bool
) -> Live:
    """Set the clock after an outcome: the next deadline, the end, or the wait for the game master.

    at:      when the input counts. by_clock: a deadline passed. review: the report waits for the game master's "ok".
    gathers: a post waits to be passed on with others.
    """
    if review:
        until = live.settings.review_until(now)
        return changed(
            live, status="held", phase_opened_at=None, deadline=until, remaining=None, reminders=[], wake_at=until
        )
    if outcome.game.over:
        stopped = any(notice.kind == "game.stopped" for notice in outcome.notices)
        status = "stopped" if stopped else "over"
        return changed(live, status=status, deadline=None, remaining=None, reminders=[], wake_at=None)
    if outcome.opened:
        on_time = by_clock and now - at <= ON_TIME
        return open_phase(live, at if on_time else now)
    # An hour that was set before still holds, or posts that wait would be forgotten; one look too many is harmless.
    moments = [live.record.wake_at] if live.record.wake_at and live.record.wake_at > now else []
    live = with_wake(live, now)
    moments += [live.record.wake_at] if live.record.wake_at else []
    if gathers:
        moments.append(now + timedelta(minutes=live.settings.table_digest_minutes))
    return changed(live, wake_at=min(moments, default=None))


def open_phase(live: Live, opened_at: datetime) -> Live:
    """Start the running phase's clock. A game that is paused keeps its whole time for later."""
    deadline = live.settings.calendar.deadline(opened_at, live.running.rules.clock)
    if live.record.status == "paused":
        left = (deadline - opened_at).total_seconds()
        return changed(live, phase_opened_at=opened_at, deadline=None, remaining=left, reminders=[], wake_at=None)
    return set_deadline(changed(live, status="running", phase_opened_at=opened_at), deadline, opened_at)


def set_deadline(live: Live, deadline: datetime, now: datetime) -> Live:
    """Set the running phase's deadline; the reminders that are still to come are reckoned anew."""
    hours = live.settings.calendar.reminders(now, deadline)
    live = changed(live, deadline=deadline, remaining=None, reminders=[hour.isoformat() for hour in hours])
    return with_wake(live, now)


def stop(live: Live, status: str, now: datetime) -> Live:
    """Stop the clock ("paused" or "held"); the time that is left is kept, in seconds."""
    left = max(0.0, (live.record.deadline - now).total_seconds()) if live.record.deadline else live.record.remaining
    return changed(live, status=status, deadline=None, remaining=left, reminders=[], wake_at=None)


def resume(live: Live, now: datetime) -> Live:
    """Start the clock again with the time that was left."""
    deadline = live.settings.calendar.resume(now, live.record.remaining or 0.0)
    return set_deadline(changed(live, status="running"), deadline, now)


def with_wake(live: Live, now: datetime) -> Live:
    """When the sweep must look at the game next: a reminder, the deadline, or the hour of an early close."""
    record = live.record
    moments = [datetime.fromisoformat(hour) for hour in record.reminders]
    if record.deadline:
        moments.append(record.deadline)
    if record.status == "running" and live.game is not None and live.game.closes_early():
        moments.append(early_close(live, now))
    return changed(live, wake_at=min(moments, default=None))


def early_close(live: Live, now: datetime) -> datetime:
    """When the running phase, in which nothing is owed any more, closes before its deadline."""
    record = live.record
    if record.phase_opened_at is None or record.deadline is None:
        return now
    return live.settings.calendar.early_close(record.phase_opened_at, now, record.deadline)
