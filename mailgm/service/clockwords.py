"""The game master's words that concern the clock and the mailbox, which the kernel reads and the shell carries out."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine import PUBLIC, Notice, Verdict
from mailgm.service import answers, clock, post, review
from mailgm.service.context import LIVE, Context, Live, changed
from mailgm.service.turn import Cause, note, tell
from mailgm.service.when import WhenError
from mailgm.store import Tx, games


@dataclass
class Done:
    """What came of the game master's lines: one verdict a line, and what their templates need.

    reveal: he asked to see what is hidden from one who plays too.
    """

    live: Live
    reveal: bool = False
    verdicts: list[Verdict] = field(default_factory=list)
    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict)


class NotNow(Exception):
    """A word of the clock that does not fit the game's state; `code` is its refusal."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


# The words of the clock ----------------------------------------------------------------------------------------------


def _status(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    _log(ctx, tx, done, "status", cause)
    return answers.gm_status(tx, done.live, hide=done.live.settings.blind and not done.reveal)


def _players(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    _log(ctx, tx, done, "players", cause)
    return answers.gm_players(done.live)


def _help(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    _log(ctx, tx, done, "help", cause)
    return {}


def _rules(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    _log(ctx, tx, done, "rules", cause)
    return {}


def _log(ctx: Context, tx: Tx, done: Done, word: str, cause: Cause) -> None:
    """A question changes nothing, but the log says that it was put."""
    known = done.live.record
    live = note(tx, done.live, word, {}, cause)
    done.live = dataclasses.replace(live, record=games.save(tx, live.record, ctx.now(), known=known))


def _extend(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    live, now = done.live, ctx.now()
    if live.record.status not in LIVE or review.pending(live):
        raise NotNow("clock-stopped")
    if not rest:
        raise WhenError("unreadable", rest, "nothing follows")
    base = live.record.deadline or live.settings.calendar.resume(now, live.record.remaining or 0.0)
    deadline = live.settings.calendar.extend(base, rest, now)
    known = live.record.deadline
    by = (deadline - known).total_seconds() if known else 0.0
    live = clock.set_deadline(changed(live, status="running", remaining=None), deadline, now)
    done.live = tell(ctx, tx, live, Notice("clock.extended", PUBLIC, {"by": by, "deadline": deadline}), cause, "extend")
    return {"deadline": deadline}


def _pause(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    if done.live.record.status != "running":
        raise NotNow("clock-stopped")
    live = clock.stop(done.live, "paused", ctx.now())
    done.live = tell(ctx, tx, live, Notice("clock.paused", PUBLIC), cause, "pause")
    return {}


def _resume(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    live = done.live
    if live.record.status not in ("paused", "held") or review.pending(live):
        raise NotNow("clock-running")
    live = clock.resume(live, ctx.now())
    done.live = tell(
        ctx, tx, live, Notice("clock.resumed", PUBLIC, {"deadline": live.record.deadline}), cause, "resume"
    )
    return {"deadline": done.live.record.deadline}


def _ok(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    if not review.pending(done.live):
        return {"released": False}
    done.live = review.release(ctx, tx, done.live, cause)
    return {"released": True}


def _redo(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    if not review.pending(done.live):
        return {"released": False, "phase": ""}
    done.live = review.redo(ctx, tx, done.live, cause)
    return {"released": True, "phase": post.shown_phase(done.live)}


DOES: dict[str, Callable[[Context, Tx, Done, str, Cause], dict[str, Any]]] = {
    "status": _status,
    "players": _players,
    "help": _help,
    "rules": _rules,
    "extend": _extend,
    "pause": _pause,
    "resume": _resume,
    "ok": _ok,
    "redo": _redo,
}
