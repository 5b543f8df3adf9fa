"""For a game master who plays too: what his answers, mails and logs say without showing him a role or an order.

Whoever asks with `--reveal` is shown all.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

from mailgm.engine import GM, Input, Verdict, apply
from mailgm.service import caps, post
from mailgm.service.context import LIVE, Context, Live
from mailgm.service.settings import GameSettings
from mailgm.store import Tx, games, outbox

HIDDEN = "(hidden)"


def hides(live: Live, reveal: bool = False) -> bool:
    """Whether roles and orders are to be hidden from the game master."""
    return live.settings.blind and not reveal


def reason(live: Live, error: str) -> str:
    """What a fault of the program may say ("KeyError: …"): its kind only, where its words could be an order's."""
    return error.partition(":")[0] if hides(live) else error


def stages(live: Live) -> dict[str, str]:
    """Key of each phase of the game's history → key of the latest that was announced to everybody, "" before it."""
    found: dict[str, str] = {}
    last = ""
    for snapshot in live.game.history if live.game else ():
        if live.running.variant.phase(snapshot.state, snapshot.phase).announced:
            last = snapshot.key
        found[snapshot.key] = last
    return found


def phase_key(live: Live, key: str, reveal: bool = False) -> str:
    """A phase's key as it may be shown: that of the latest that was announced, HIDDEN for one that is no more known."""
    return stages(live).get(key, HIDDEN if key else "") if hides(live, reveal) else key


def letter_hidden(ctx: Context, tx: Tx, game_id: int | None) -> bool:
    """Whether a letter is to be hidden: it belongs to a game whose master plays, or may belong to one."""
    if game_id is not None:
        return hides(ctx.load_id(tx, game_id, for_update=False))
    return any(GameSettings.of(record).blind for record in games.every(tx, *LIVE))


def counts_owing(live: Live) -> bool:
    """Whether it may be said how many still owe an answer: in a phase that is not announced it tells who lives."""
    return live.game is None or live.game.over or live.game.rules.announced


def shown(live: Live, verdict: Verdict) -> Verdict:
    """A verdict on the game master's own line without what it tells of secret phases. live: the game before it."""
    if verdict.code == "unknown-phase":
        known = set(stages(live).values())
        return dataclasses.replace(verdict, accepted=tuple(key for key in verdict.accepted if key in known))
    if verdict.status == "done" and verdict.command == "close":
        phase = live.running.phase if live.running.rules.announced else ""
        return dataclasses.replace(verdict, details={**verdict.details, "phase": phase})
    return verdict


def order_for(verdict: Verdict) -> str:
    """The player whose order the game master has given, if the verdict would show what became of it; else ""."""
    if verdict.command != "order" or not (verdict.status == "done" or "order" in verdict.details):
        return ""
    return str(verdict.details["player"])


def given(line: str, player: str) -> Verdict:
    """All that the game master hears of an order that he has given for a player."""
    return Verdict(GM, "asked", line, command="order-given", details={"player": player})


def verdicts_of(live: Live, player: str, text: str, *, taken: bool) -> list[Verdict]:
    """What a player is told of an order that the game master has given for him: it is taken whole or not at all."""
    outcome = apply(live.running, Input("message", player=player, text=text, channel="any"))
    found = [verdict for verdict in outcome.verdicts if verdict.player == player]
    return found if taken else [verdict for verdict in found if verdict.status == "refused"]


def tell_player(ctx: Context, tx: Tx, live: Live, player: str, verdicts: Sequence[Verdict]) -> None:
    """Tell a player, and nobody else, what became of the order that the game master has given for him."""
    seat = live.seat(player)
    if seat is None or not seat.active or not seat.email:
        return
    who = post.of_seat(seat)
    rendered = ctx.renderer.reply(
        post.view(ctx, live, who),
        who.reader,
        verdicts,
        live.running.owed(player) if not live.running.over else [],
        live.running.open_to(player),
        live.record.deadline if live.record.status == "running" else None,
        notes=["by-gm"],
    )
    told = post.mail(ctx, live, who, rendered, f"{live.record.id}/{live.record.inputs}/given/{seat.place}")
    outbox.queue(tx, caps.warnings(ctx, tx, [told]), ctx.now())
