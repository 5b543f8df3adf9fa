"""What the words that are answered at any time need: status, rules, players, and the game master's status."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mailgm.engine import Verdict
from mailgm.service import blind
from mailgm.service.context import Context, Live
from mailgm.service.post import as_notice
from mailgm.store import Tx, letters, log, outbox


def materials(
    ctx: Context, tx: Tx, live: Live, player: str, verdicts: Sequence[Verdict]
) -> dict[str, Mapping[str, Any]]:
    """Word of a verdict → what its template needs; only what this player has been told."""
    words = {verdict.command for verdict in verdicts if verdict.status == "asked"}
    found: dict[str, Mapping[str, Any]] = {word: {} for word in words}
    if "status" in words:
        found["status"] = {"told": told_to(tx, live, player)}
    return found


def told_to(tx: Tx, live: Live, player: str) -> list[Any]:
    """Everything the game has told a seat so far, in order, as its present holder reads it."""
    seat = live.seat(player)
    names = {player, *(former["name"] for former in seat.former)} if seat else {player}
    return [as_notice(one) for one in log.told_to(tx, live.record.id, names)]


def gm_status(tx: Tx, live: Live, *, hide: bool) -> dict[str, Any]:
    """Who owes what, and how much waits to be handled or sent.

    hide: of those who owe, their number only ("hidden"), and not even that (None) in a phase of which not all know.
    """
    owing = live.running.owing() if live.game is not None and not live.running.over else {}
    waiting = letters.waiting(tx) + outbox.unsent(tx, live.record.id)
    if not hide:
        return {"owing": owing, "hidden": 0, "waiting": waiting}
    return {"owing": {}, "hidden": len(owing) if blind.counts_owing(live) else None, "waiting": waiting}


def gm_players(live: Live) -> dict[str, Any]:
    """Name → address, with a mark for those whose mail comes back."""
    marks = {"ok": "", "bouncing": " (!)"}
    return {"addresses": {seat.name: seat.email + marks[seat.address_state] for seat in live.seats}}
