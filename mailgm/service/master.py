"""The game master in command, by mail and by shell, with the same words: each line is an input of the log."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from typing import Any

from mailgm.engine import GM, Input, Verdict, apply
from mailgm.engine.master import read_word, split_reason
from mailgm.mail.compose import address as written
from mailgm.mail.reader import Letter
from mailgm.mail.tokens import new_token
from mailgm.service import answers, blind, caps, due, forum, identity, post, strangers
from mailgm.service.clockwords import DOES, Done, NotNow
from mailgm.service.context import Context, Live
from mailgm.service.passing import announceable
from mailgm.service.players import name_fault
from mailgm.service.turn import Cause, commit, note, payload, settle
from mailgm.service.when import WhenError
from mailgm.store import Tx, games, outbox, seats
from mailgm.store.letters import Letter as StoredLetter

# At the end of a line: what is hidden from a game master who plays is shown all the same.
REVEAL = re.compile(r"\s*(?:--reveal|--révéler|--reveler)\s*$", re.IGNORECASE)
_RENEW = re.compile(r"^(?:nouvelle adresse|new address)\s*(?:[:\s]\s*(?P<name>\w.*))?[.! ]*$", re.IGNORECASE)


def by_mail(
    ctx: Context, tx: Tx, live: Live, stored: StoredLetter, letter: Letter, text: str
) -> tuple[Live, dict[str, Any]]:
    """Carry out a letter to the game's command address and answer it; also gives what the letter's row keeps."""
    if _foreign(ctx, live, letter):
        return strangers.quarantine_master(ctx, tx, live, letter, stored, "address"), {"code": "held"}
    done, detail = _carry_out(ctx, tx, live, stored, letter, text)
    master = post.master(done.live)
    if master and letter.answerable:
        notes = [] if done.verdicts or done.answers else ["empty"]
        if letter.sender.lower() != live.record.gm_address.lower():
            notes.append("other-address")
        made = post.reply(
            ctx, done.live, master[0], letter, stored.id, done.verdicts, answers=done.answers, notes=notes
        )
        if caps.answers(ctx, tx, [made]):
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
        if asked := forum.asked_back(tx, live, letter):
            named = live.running.parser.player(text.strip().partition("\n")[0])
            if named.values and not named.code:
                return _for_player(ctx, tx, live, asked[0], asked[1], str(named.values[0])), {}
        if passed := forum.passed_on(letter, text):
            name, candidates = forum.player_of(live, passed)
            if name:
                return _for_player(ctx, tx, live, stored, passed, name), {}
            told = {"name": passed.name, "candidates": list(candidates), "text": passed.text}
            question = Verdict(GM, "asked", passed.name, command="whose", details=told)
            return Done(live, verdicts=[question], answers={"whose": {}}), {"whose": True}
    live = due.close_due(ctx, tx, live, stored.arrived_at)
    lines = text.splitlines()[: ctx.config.limits.lines_per_message]
    return command(ctx, tx, live, "\n".join(lines), Cause(GM, stored.arrived_at, letter_id=stored.id)), {}


def _for_player(ctx: Context, tx: Tx, live: Live, stored: StoredLetter, passed: forum.Passed, name: str) -> Done:
    """A passed-on message played for its author; the game master's reply shows what was understood."""
    live, verdicts = forum.play_for(ctx, tx, live, stored, passed, name)
    seat = live.seat(name)
    if blind.hides(live) and seat is not None and not seat.forum:
        blind.tell_player(ctx, tx, live, name, verdicts)
        return Done(live, verdicts=[blind.given(name, name)], answers={"order-given": {}})
    heading = Verdict(GM, "asked", name, command="played-for", details={"player": name})
    return Done(live, verdicts=[heading, *verdicts], answers={"played-for": {}})


def command(ctx: Context, tx: Tx, live: Live, text: str, cause: Cause) -> Done:
    """Carry out the game master's lines, one after the other; the caller commits."""
    done = Done(live)
    players = [seat.email for seat in live.seats]
    for line in text.splitlines():
        done.reveal = REVEAL.search(line) is not None
        if line := REVEAL.sub("", line).strip():
            _line(ctx, tx, done, _fit(line, players), cause)
    return done


def _fit(line: str, players: Sequence[str]) -> str:
    """A line whose words go to others, without what must not be passed on."""
    word = read_word(line)
    return announceable(line, players) if word is not None and word.word in ("say", "order") else line


def _line(ctx: Context, tx: Tx, done: Done, line: str, cause: Cause) -> None:
    if done.live.game is None:
        done.verdicts.append(Verdict(GM, "refused", line, code="not-started"))
        return
    plain, why = split_reason(line)
    cause = dataclasses.replace(cause, why=why, at=ctx.now())
    if match := _RENEW.match(plain):
        _renew(ctx, tx, done, line, match["name"] or "", cause)
        return
    given = Input("gm", player=GM, text=line)
    before = done.live
    outcome = apply(before.running, given)
    if fault := _not_replaceable(outcome.verdicts):
        done.verdicts.append(fault)
        return
    if not outcome.clock:
        done.live = settle(ctx, tx, commit(ctx, tx, before, outcome, payload(given, cause), cause), cause)
    for verdict in outcome.verdicts:
        done.verdicts.append(_told(ctx, tx, done, before, verdict, plain))
        if verdict.status == "done" and verdict.command == "replace":
            done.live = _seat_replaced(ctx, tx, done.live, verdict)
    for word, rest in outcome.clock:
        _shell_word(ctx, tx, done, word, rest, line, cause)


def _not_replaceable(verdicts: Sequence[Verdict]) -> Verdict | None:
    """The refusal of a new player whom no mail could reach, or whose name no player may bear."""
    for verdict in verdicts:
        if verdict.status != "done" or verdict.command != "replace":
            continue
        old, new, typed = (str(verdict.details[key]) for key in ("player", "by", "address"))
        if new != old and name_fault(new):
            return Verdict(GM, "refused", verdict.line, "replace", code="bad-name", details={"typed": new})
        try:
            if typed:
                written(typed)
        except ValueError:
            return Verdict(GM, "refused", verdict.line, "replace", code="bad-address", details={"typed": typed})
    return None


def _told(ctx: Context, tx: Tx, done: Done, before: Live, verdict: Verdict, line: str) -> Verdict:
    """What the game master hears of his line: all, or only what tells no role and no order if he plays too."""
    if not blind.hides(before, done.reveal):
        return verdict
    name = blind.order_for(verdict)
    seat = before.seat(name)
    if seat is None or seat.forum:
        return blind.shown(before, verdict)
    text = line.partition(":")[2].strip()
    verdicts = blind.verdicts_of(before, name, text, taken=verdict.status == "done")
    blind.tell_player(ctx, tx, done.live, name, verdicts)
    return blind.given(verdict.line, name)


def _renew(ctx: Context, tx: Tx, done: Done, line: str, typed: str, cause: Cause) -> None:
    """Give a player, or the game master himself, another secret address: the old one may be in wrong hands."""
    if not typed:
        done.live = identity.renew_master(ctx, tx, note(tx, done.live, "renew", {"player": GM}, cause), cause.via)
        done.verdicts.append(
            Verdict(GM, "asked", line, command="renewed", details={"via": cause.via, "why": cause.why})
        )
        return
    named = done.live.running.parser.player(typed)
    if not named.values or named.code:
        names = tuple(named.candidates) or done.live.running.players
        code = named.code or "unknown-player"
        done.verdicts.append(Verdict(GM, "refused", line, "renew", code=code, accepted=names, details={"typed": typed}))
        return
    name = str(named.values[0])
    done.live = identity.renew(ctx, tx, note(tx, done.live, "renew", {"player": name}, cause), name)
    done.verdicts.append(Verdict(GM, "asked", line, command="renewed", details={"player": name, "why": cause.why}))


def _shell_word(ctx: Context, tx: Tx, done: Done, word: str, rest: str, line: str, cause: Cause) -> None:
    try:
        done.answers[word] = DOES[word](ctx, tx, done, rest, cause)
    except WhenError as error:
        _refuse(done, Verdict(GM, "refused", line, word, code=f"when-{error.code}", details={"typed": error.typed}))
    except NotNow as error:
        _refuse(done, Verdict(GM, "refused", line, word, code=error.code))


def _refuse(done: Done, verdict: Verdict) -> None:
    """The kernel read the word and called it done; the shell knows better."""
    done.verdicts[-1] = verdict


# Seats ---------------------------------------------------------------------------------------------------------------


def _seat_replaced(ctx: Context, tx: Tx, live: Live, verdict: Verdict) -> Live:
    """Another person on a seat: new name, address and secret; everything the seat knows is mailed to him."""
    details = verdict.details
    old, new, address = str(details["player"]), str(details["by"]), str(details["address"])
    seat = next(seat for seat in live.seats if seat.name == old)
    if address:
        seats.hand_over(tx, seat, name=new, email=address, token=new_token(), now=ctx.now(), forum=False)
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
            asks=live.running.open_to(new),
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
