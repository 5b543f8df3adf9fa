"""A report that waits for the game master: released by "ok" or at its hour, or sent back by "refaire"."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from mailgm.engine.saved import dump_game
from mailgm.service import clock, post
from mailgm.service.context import Context, Live, changed
from mailgm.service.turn import KERNEL, Cause, note, replayed
from mailgm.store import Tx, games, log, outbox
from mailgm.store.log import LoggedInput


def pending(live: Live) -> bool:
    """Whether a report waits. A game held after an outage keeps the time that was left; one under review has none."""
    return live.record.status == "held" and live.record.remaining is None


def release(ctx: Context, tx: Tx, live: Live, cause: Cause) -> Live:
    """Let the report go: everybody gets his mail, and the next phase's clock starts now."""
    known = live.record
    notices, ids = post.gathered(tx, live)
    log.told(tx, ids)
    now = ctx.now()
    if live.running.over:
        live = changed(live, status="over", deadline=None, remaining=None, reminders=[], wake_at=None)
    else:
        live = clock.open_phase(changed(live, status="running"), now)
    live = note(tx, live, "ok", {}, cause)
    live = dataclasses.replace(live, record=games.save(tx, live.record, now, known=known))
    key = f"{known.id}/{live.record.inputs}"
    outbox.queue(tx, post.moment(ctx, live, notices, key, opened=not live.running.over), now)
    return live


def redo(ctx: Context, tx: Tx, live: Live, cause: Cause) -> Live:
    """Send the report back: nobody is told, and the phase before it is open again with the orders it had."""
    known, game = live.record, live.running
    closing, entries = last_phase(log.read(tx, known.id))
    log.withdraw(tx, known.id, closing.n - 1)
    before = game.history
    game = replayed(game, closing.phase_key, entries)
    log.save_history(tx, known.id, before, game.history, n=known.inputs + 1)
    record = dataclasses.replace(known, state=dump_game(game), phase_key=game.key)
    live = clock.open_phase(changed(dataclasses.replace(live, game=game, record=record), status="running"), ctx.now())
    live = note(tx, live, "redo", {}, cause)
    return dataclasses.replace(live, record=games.save(tx, live.record, ctx.now(), known=known))


def last_phase(entries: Sequence[LoggedInput]) -> tuple[LoggedInput, list[LoggedInput]]:
    """The latest input that closed a phase, and those that came in that phase before it, since it last opened."""
    places = [place for place, entry in enumerate(entries) if entry.kind in KERNEL]
    closing = places[-1]
    first = closing
    while (
        first > 0 and entries[first - 1].phase_key == entries[closing].phase_key and not _goes_back(entries[first - 1])
    ):
        first -= 1
    return entries[closing], list(entries[first:closing])


def _goes_back(entry: LoggedInput) -> bool:
    return entry.kind == "redo" or any(verdict["command"] == "back" for verdict in entry.verdicts)
