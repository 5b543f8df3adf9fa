"""Only its owner: from where a player may write, and his words about his own addresses."""

from __future__ import annotations

import dataclasses
import re

from mailgm.engine import Verdict
from mailgm.mail.reader import Letter
from mailgm.mail.tokens import new_token
from mailgm.service import caps, post
from mailgm.service.context import Context, Live, changed
from mailgm.service.post import Addressee
from mailgm.store import Tx, games, outbox, seats
from mailgm.store.letters import Letter as StoredLetter
from mailgm.store.seats import Seat

MOST_KNOWN = 20
"""Other addresses of a player that are remembered; the oldest goes first."""

# A player's words about his addresses; answered by `commands/renew.md` and `commands/accept.md`.
_RENEW = re.compile(r"^\W*(?:nouvelle adresse|new address)\W*$", re.IGNORECASE)
_ACCEPT = re.compile(r"^\W*(?:accepter|accept)\s*:?\s*<?([^\s<>@]+@[^\s<>]+?)>?\s*[.!]?$", re.IGNORECASE)


def is_known(seat: Seat, sender: str) -> bool:
    """Whether the seat's player has written from there before, or is registered with it."""
    return sender.lower() in {seat.email.lower(), *seat.known}


def newcomer(ctx: Context, tx: Tx, live: Live, seat: Seat, letter: Letter, stored: StoredLetter) -> tuple[Live, bool]:
    """A token came from an address that was never seen: the registered address is told at once (within the cap).

    Gives the game after it, and whether the message is played (`unknown_sender`).
    """
    accepted = ctx.config.mailbox.unknown_sender == "accept"
    who = post.of_seat(seat)
    data = {"sender": letter.sender, "at": stored.arrived_at, "accepted": accepted}
    rendered = ctx.renderer.letter(post.view(ctx, live, who), who.reader, "new-sender", data)
    told = [post.mail(ctx, live, who, rendered, f"letter/{stored.id}/sender")]
    outbox.queue(tx, caps.warnings(ctx, tx, told), ctx.now())
    return (_learn(ctx, tx, live, seat, letter.sender), True) if accepted else (live, False)


def own_words(ctx: Context, tx: Tx, live: Live, who: Addressee, text: str) -> tuple[Live, str, list[Verdict]]:
    """Carry out what a player says about his addresses; gives the game, the other lines, and the verdicts."""
    rest, verdicts = [], []
    for line in text.splitlines():
        seat = live.seat(who.name)
        assert seat is not None
        if _RENEW.match(line):
            live = _change(ctx, tx, live, dataclasses.replace(seat, token=new_token(), known=[]))
            verdicts.append(Verdict(who.name, "asked", line, command="renew"))
        elif match := _ACCEPT.match(line):
            live = _learn(ctx, tx, live, seat, match[1])
            verdicts.append(Verdict(who.name, "asked", line, command="accept", details={"address": match[1].lower()}))
        else:
            rest.append(line)
    return live, "\n".join(rest), verdicts


def renew(ctx: Context, tx: Tx, live: Live, name: str) -> Live:
    """Give a player another secret address at the game master's word, and write to him from it."""
    seat = live.seat(name)
    assert seat is not None
    live = _change(ctx, tx, live, dataclasses.replace(seat, token=new_token(), known=[]))
    who = post.of_seat(next(seat for seat in live.seats if seat.name == name))
    if not who.address:
        return live
    rendered = ctx.renderer.letter(post.view(ctx, live, who), who.reader, "renewed")
    key = f"{live.record.id}/{live.record.inputs}/renewed/{name}"
    outbox.queue(tx, [post.mail(ctx, live, who, rendered, key)], ctx.now())
    return live


def renew_master(ctx: Context, tx: Tx, live: Live, via: str) -> Live:
    """Give the game master another secret address; via: the shell's answer has no address, so a letter brings it."""
    live = changed(live, gm_token=new_token())
    live = dataclasses.replace(live, record=games.save(tx, live.record, ctx.now()))
    if via == "shell":
        key = f"{live.record.id}/{live.record.inputs}/renewed/gm"
        outbox.queue(tx, post.to_master(ctx, live, "renewed", {}, key), ctx.now())
    return live


def _learn(ctx: Context, tx: Tx, live: Live, seat: Seat, address: str) -> Live:
    if is_known(seat, address):
        return live
    return _change(ctx, tx, live, dataclasses.replace(seat, known=[*seat.known, address.lower()][-MOST_KNOWN:]))


def _change(ctx: Context, tx: Tx, live: Live, seat: Seat) -> Live:
    """Write a seat; the game's version moves, so that no other process keeps the old one."""
    seats.save(tx, seat)
    record = games.save(tx, live.record, ctx.now())
    return dataclasses.replace(live, record=record, seats=tuple(seats.of_game(tx, record.id)))
