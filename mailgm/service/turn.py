"""One input of a game, carried out: the kernel's outcome, the log, the clock and the mails in one transaction."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from mailgm.engine import Game, Input, Notice, Outcome, apply
from mailgm.engine.plain import dump
from mailgm.engine.saved import dump_game
from mailgm.service import clock, post
from mailgm.service.context import Context, Live, changed
from mailgm.store import Tx, games, log, outbox
from mailgm.store.log import LoggedInput, NewNotice

KERNEL = ("message", "order", "deadline", "gm")
"""Kinds of the log that are inputs of the kernel; the others are the shell's."""


@dataclass(frozen=True, slots=True)
class Cause:
    """Who made an input happen, and when it counts.

    who: a player's name, "gm", or "clock". why: the reason that was given. at: aware. via: "mail" or "shell".
    """

    who: str
    at: datetime
    why: str = ""
    letter_id: int | None = None
    via: str = "mail"


def turn(ctx: Context, tx: Tx, live: Live, given: Input, cause: Cause) -> tuple[Live, Outcome]:
    """Apply an input, log it, and put the mails that it makes into the outbox; give the game after it.

    The caller commits, and only then tells the context to keep the game.
    """
    before = live.running
    outcome = apply(before, given)
    live = commit(ctx, tx, live, outcome, payload(given, cause), cause)
    return settle(ctx, tx, live, cause), outcome


def settle(ctx: Context, tx: Tx, live: Live, cause: Cause) -> Live:
    """Close the phase at once where it may close early and nobody owes anything any more."""
    now = ctx.now()
    while live.record.status == "running" and live.running.closes_early() and clock.early_close(live, now) <= now:
        at = dataclasses.replace(cause, who="clock", why="early", at=now)
        outcome = apply(live.running, Input("deadline"))
        live = commit(ctx, tx, live, outcome, {"kind": "deadline"}, at)
    return live


def payload(given: Input, cause: Cause) -> dict[str, Any]:
    """An input as it stands in the log: what `replay` needs, and by which way it came."""
    values = {field.name: dump(getattr(given, field.name)) for field in dataclasses.fields(given)}
    return {"via": cause.via, **{name: value for name, value in values.items() if value not in ("", {}, [])}}


def commit(
    ctx: Context, tx: Tx, live: Live, outcome: Outcome, logged: Mapping[str, Any], cause: Cause, n: int | None = None
) -> Live:
    """Write an outcome: the input, its notices, the new state, the snapshots, the clock, and the mails."""
    known, before, after = live.record, live.game, outcome.game
    n = known.inputs + 1 if n is None else n
    review = live.settings.reviews(before, after)
    waiting = [review or _gathered(live, notice.kind) for notice in outcome.notices]
    if any(verdict.command == "back" and verdict.status == "done" for verdict in outcome.verdicts):
        log.withdraw(tx, known.id, log.opened_by(tx, known.id, after.key))
    log.add(tx, _input(live, n, outcome, logged, cause))
    log.tell(
        tx,
        known.id,
        n,
        [
            NewNotice(notice.kind, notice.audience, dump(notice.data), waiting=later)
            for notice, later in zip(outcome.notices, waiting, strict=True)
        ],
        phase_key=after.key,
        at=cause.at,
    )
    log.save_history(tx, known.id, before.history if before else (), after.history, n=n)
    record = dataclasses.replace(
        known,
        state=dump_game(after, before, known.state),
        phase_key=after.key,
        inputs=n,
        rules_version=str(after.variant.version),
    )
    live = dataclasses.replace(live, record=record, game=after)
    live = clock.advance(
        live,
        outcome,
        cause.at,
        ctx.now(),
        review=review,
        gathers=any(waiting) and not review,
        by_clock=logged["kind"] == "deadline",
    )
    live = dataclasses.replace(live, record=games.save(tx, live.record, ctx.now(), known=known))
    if review:
        outbox.queue(tx, post.held(ctx, live, outcome.notices, n), ctx.now())
        return live
    # That the table is closed is said in the reply.
    told = [
        notice
        for notice, later in zip(outcome.notices, waiting, strict=True)
        if not later and notice.kind != "table.closed"
    ]
    gathered: list[Notice] = []
    if outcome.opened or after.over:
        gathered, ids = post.gathered(tx, live)
        log.told(tx, ids)
    outbox.queue(
        tx, post.moment(ctx, live, [*gathered, *told], f"{known.id}/{n}", opened=bool(outcome.opened)), ctx.now()
    )
    return live


def _gathered(live: Live, kind: str) -> bool:
    return kind == "table.post" and live.settings.table == "digest"


def _input(live: Live, n: int, outcome: Outcome, logged: Mapping[str, Any], cause: Cause) -> LoggedInput:
    return LoggedInput(
        game_id=live.record.id,
        n=n,
        kind=str(logged["kind"]),
        payload=logged,
        who=cause.who,
        why=cause.why,
        at=cause.at,
        phase_key=live.game.key if live.game else "",
        rules_version=str(outcome.game.variant.version),
        letter_id=cause.letter_id,
        verdicts=[
            {"player": v.player, "status": v.status, "line": v.line, "command": v.command, "code": v.code}
            for v in outcome.verdicts
        ],
    )


def note(tx: Tx, live: Live, kind: str, data: Mapping[str, Any], cause: Cause) -> Live:
    """Log something that the shell does to a game, as its next input; the caller saves the row."""
    n = live.record.inputs + 1
    log.add(
        tx,
        LoggedInput(
            game_id=live.record.id,
            n=n,
            kind=kind,
            payload={"kind": kind, "via": cause.via, **dump(data)},
            who=cause.who,
            why=cause.why,
            at=cause.at,
            phase_key=live.record.phase_key,
            rules_version=live.record.rules_version,
            letter_id=cause.letter_id,
        ),
    )
    return changed(live, inputs=n)


def tell(ctx: Context, tx: Tx, live: Live, notice: Notice, cause: Cause, kind: str) -> Live:
    """Log something that the shell did to a game's clock, save the game, and tell everybody."""
    live = note(tx, live, kind, {}, cause)
    record = live.record
    told = [NewNotice(notice.kind, notice.audience, _plain(notice.data))]
    log.tell(tx, record.id, record.inputs, told, phase_key=record.phase_key, at=cause.at)
    live = dataclasses.replace(live, record=games.save(tx, record, ctx.now()))
    outbox.queue(tx, post.moment(ctx, live, [notice], f"{record.id}/{record.inputs}", opened=False), ctx.now())
    return live


def _plain(data: Mapping[str, Any]) -> dict[str, Any]:
    """Notice data as JSON values: an instant as ISO 8601 (the words turn it back)."""
    return {key: value.isoformat() if isinstance(value, datetime) else value for key, value in data.items()}


def as_input(logged: Mapping[str, Any]) -> Input:
    """The kernel's input of a logged payload."""
    names = {field.name for field in dataclasses.fields(Input)}
    return Input(**{name: value for name, value in logged.items() if name in names})


def replayed(game: Game, phase_key: str, entries: Sequence[LoggedInput]) -> Game:
    """The game back at the opening of a phase, with the logged inputs of that phase applied again."""
    place = max(place for place, snapshot in enumerate(game.history) if snapshot.key == phase_key)
    snapshot = game.history[place]
    game = dataclasses.replace(
        game,
        state=snapshot.state,
        phase=snapshot.phase,
        drawn=snapshot.drawn,
        standing=(),
        end=None,
        history=game.history[: place + 1],
    )
    for entry in entries:
        if entry.kind in KERNEL:
            game = apply(game, as_input(entry.payload)).game
    return game
