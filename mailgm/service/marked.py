"""An order that bears the mark of a mailing list: never answered nor played, but its game master hears of it."""

from __future__ import annotations

from mailgm.engine import Input, apply
from mailgm.mail.reader import Letter
from mailgm.service import blind, caps, post
from mailgm.service.context import LIVE, Context, Live
from mailgm.service.directory import PRIVATE, TABLE, Door
from mailgm.service.verdict import said
from mailgm.store import Tx, outbox
from mailgm.store.letters import Letter as StoredLetter

DOUBTFUL = ("list", "precedence")
"""Marks that some mail providers and programs set on people's mail too; the other signs are a machine's for certain."""


def note_marked(ctx: Context, tx: Tx, opened: tuple[Door, Live], stored: StoredLetter, letter: Letter) -> None:
    """Tell the game master of a letter at a player's address that would be an order but for its mark.

    One who plays too is told nothing: that the player had something to do now may be a secret.
    """
    door, live = opened
    seat = live.seat_by_id(door.seat_id) if door.seat_id else None
    if seat is None or letter.robot_reason not in DOUBTFUL or blind.hides(live) or live.record.status not in LIVE:
        return
    if _would_count(live, seat.name, door.channel, said(letter)):
        data = {"at": stored.arrived_at, "player": seat.name, "sender": letter.sender}
        told = post.to_master(ctx, live, "marked", data, f"letter/{stored.id}/marked")
        outbox.queue(tx, caps.warnings(ctx, tx, told), ctx.now())


def _would_count(live: Live, player: str, channel: str, text: str) -> bool:
    if not text or live.running.over or channel not in (PRIVATE, TABLE):
        return False
    given = Input("message", player=player, text=text, channel="public" if channel == TABLE else "private")
    return any(verdict.status == "accepted" for verdict in apply(live.running, given).verdicts)
