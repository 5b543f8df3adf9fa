"""The game master in command, by mail and by shell, with the same words: each line is an input of the log."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

from mailgm.engine import GM, PUBLIC, Input, Notice, Verdict, apply
from mailgm.engine.master import split_reason
from mailgm.mail.reader import Letter
from mailgm.mail.tokens import new_token
from mailgm.service import answers, clock, due, forum, post, review
from mailgm.service.context import LIVE, Context, Live, changed
from mailgm.service.turn import Cause, commit, note, payload, settle, tell
from mailgm.service.when import WhenError
from mailgm.store import Tx, games, limits, outbox, seats
from mailgm.store.letters import Letter as StoredLetter


@dataclass
class Done:
    """What came of the game master's lines: one verdict a line, and what their templates need."""

    live: Live
    verdicts: list[Verdict] = field(default_factory=list)
    answers: dict[str, Mapping[str, Any]] = field(default_factory=dict)


def by_mail(
    ctx: Context, tx: Tx, live: Live, stored: StoredLetter, letter: Letter, text: str
) -> tuple[Live, dict[str, Any]]:
    """Carry out a letter to the game's command address and answer it; also gives what the letter's row keeps."""
    if _foreign(ctx, live, letter):
        data = {"at": stored.arrived_at, "player": "MJ", "sender": letter.sender, "reason": "address"}
        outbox.queue(tx, post.to_master(ctx, live, "quarantine", data, f"letter/{stored.id}"), ctx.now())
        return live, {"code": "held"}
    done, detail = _carry_out(ctx, tx, live, stored, letter, text)
    master = post.master(done.live)
    if master and letter.answerable:
        notes = [] if done.verdicts or done.answers else ["empty"]
        made = post.reply(
            ctx, done.live, master[0], letter, stored.id, done.verdicts, answers=done.answers, notes=notes
        )
        most, window = ctx.config.limits.answers_per_hour, timedelta(hours=1)
        if limits.allow(tx, made.recipient, "reply", ctx.now(), most=most, window=window):
            outbox.queue(tx, [made], ctx.now())
    return done.live, detail


def _foreign(ctx: Context, live: Live, letter: Letter) -> bool:
    """Whether a command came from another address than the game master's, where that is held back."""
    known = letter.sender.lower() == live.record.gm_address.lower()
    return not known and ctx.config.mailbox.unknown_sender == "hold"


def _carry_out(
    ctx: Context, tx: Tx, live: Live, stored: StoredLetter, letter: Letter, text: str
) -> tuple[Done, dict[str, Any]]:
    """The letter's own commands, or the player's message that it passes on."""
    if live.game is not None and not live.running.over:
        if asked := forum.asked_back(tx, letter):
            named = live.running.parser.player(text.strip().partition("\n")[0])
            if named.values and not named.code:
                return _for_player(ctx, tx, live, asked[0], asked[1], str(named.values[0])), {}
        if passed := forum.passed_on(letter, text):
            name, candidates = forum.player_of(live, passed)
            if name:
                return _for_player(ctx, tx, live, stored, passed, name), {}
            told = {"name": passed.name, "candidates": list(candidates), "text": passed.text}
            question = Verdict(GM, "asked", passed.name, command="whose", details=told)
            return Done(live, [question], {"whose": {}}), {"whose": True}
    live = due.close_due(ctx, tx, live, stored.arrived_at)
    lines = text.splitlines()[: ctx.config.limits.lines_per_message]
    return command(ctx, tx, live, "\n".join(lines), Cause(GM, stored.arrived_at, letter_id=stored.id)), {}


def _for_player(ctx: Context, tx: Tx, live: Live, stored: StoredLetter, passed: forum.Passed, name: str) -> Done:
    """A passed-on message played for its author; the game master's reply shows what was understood."""
    live, verdicts = forum.play_for(ctx, tx, live, stored, passed, name)
    heading = Verdict(GM, "asked", name, command="played-for", details={"player": name})
    return Done(live, [heading, *verdicts], {"played-for": {}})


def command(ctx: Context, tx: Tx, live: Live, text: str, cause: Cause) -> Done:
    """Carry out the game master's lines, one after the other; the caller commits."""
    done = Done(live)
    for line in text.splitlines():
        if line.strip():
            _line(ctx, tx, done, line.strip(), cause)
    return done


def _line(ctx: Context, tx: Tx, done: Done, line: str, cause: Cause) -> None:
    if done.live.game is None:
        done.verdicts.append(Verdict(GM, "refused", line, code="not-started"))
        return
    why = split_reason(line)[1]
    cause = dataclasses.replace(cause, why=why, at=ctx.now())
    given = Input("gm", player=GM, text=line)
    outcome = apply(done.live.running, given)
    if not outcome.clock:
        done.live = settle(ctx, tx, commit(ctx, tx, done.live, outcome, payload(given, cause), cause), cause)
    for verdict in outcome.verdicts:
        done.verdicts.append(verdict)
        if verdict.status == "done" and verdict.command == "replace":
            done.live = _seat_replaced(ctx, tx, done.live, verdict)
    for word, rest in outcome.clock:
        _shell_word(ctx, tx, done, word, rest, line, cause)


def _shell_word(ctx: Context, tx: Tx, done: Done, word: str, rest: str, line: str, cause: Cause) -> None:
    try:
        done.answers[word] = _DOES[word](ctx, tx, done, rest, cause)
    except WhenError as error:
        _refuse(done, Verdict(GM, "refused", line, word, code=f"when-{error.code}", details={"typed": error.typed}))
    except NotNow as error:
        _refuse(done, Verdict(GM, "refused", line, word, code=error.code))


def _refuse(done: Done, verdict: Verdict) -> None:
    """The kernel read the word and called it done; the shell knows better."""
    done.verdicts[-1] = verdict


class NotNow(Exception):
    """A word of the clock that does not fit the game's state; `code` is its refusal."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


# The words of the clock ----------------------------------------------------------------------------------------------


def _status(ctx: Context, tx: Tx, done: Done, rest: str, cause: Cause) -> dict[str, Any]:
    _log(ctx, tx, done, "status", cause)
    return answers.gm_status(tx, done.live)


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
    return {"released": True, "phase": done.live.running.phase}


_DOES: dict[str, Callable[[Context, Tx, Done, str, Cause], dict[str, Any]]] = {
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


# Seats ---------------------------------------------------------------------------------------------------------------


def _seat_replaced(ctx: Context, tx: Tx, live: Live, verdict: Verdict) -> Live:
    """Another person on a seat: new name, address and secret; everything the seat knows is mailed to him."""
    details = verdict.details
    old, new, address = str(details["player"]), str(details["by"]), str(details["address"])
    seat = next(seat for seat in live.seats if seat.name == old)
    if address:
        seats.hand_over(tx, seat, name=new, email=address, token=new_token(), now=ctx.now(), lang=seat.lang)
    else:
        seats.save(tx, dataclasses.replace(seat, name=new))
    live = _reread(ctx, tx, live)
    if address:
        who = post.of_seat(next(seat for seat in live.seats if seat.name == new))
        rendered = ctx.renderer.letter(
            post.view(ctx, live, who),
            who.reader,
            "recap",
            notices=answers.told_to(tx, live, new),
            asks=live.running.asks(new),
            deadline=live.record.deadline,
        )
        key = f"{live.record.id}/{live.record.inputs}/recap/{who.name}"
        outbox.queue(tx, [post.mail(ctx, live, who, rendered, key)], ctx.now())
    return live


def _reread(ctx: Context, tx: Tx, live: Live) -> Live:
    record = games.save(tx, live.record, ctx.now())
    return dataclasses.replace(live, record=record, seats=tuple(seats.of_game(tx, record.id)))


def shell(ctx: Context, name: str, text: str) -> Done:
    """Carry out the game master's words from the command line, in one transaction. Raises NotFound."""
    with ctx.db.write() as tx:
        done = command(ctx, tx, ctx.load(tx, name), text, Cause(GM, ctx.now(), via="shell"))
    ctx.keep(done.live)
    return done
