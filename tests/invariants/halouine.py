"""What must be so after every step of Terreur d'Halouine (its rulebook, section 10)."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

from mailgm.engine import PUBLIC, Dice, Game, Input, Outcome

# Cures and infections may balance for many turns: the rules set no limit.
MOST_INPUTS = 40_000
ROLES = ("sorciere", "epouvantail", "marchand-de-sable", "pretre", "devin", "berger", "alchimiste")


def options(dice: Dice, players: int) -> dict[str, Any]:
    """Options of a random game: some special roles, the other options at random."""
    most = min(len(ROLES), players - 2)
    count = most if dice.chance("roles.all", 60) else dice.pick("roles.count", range(most + 1))
    return {
        "roles": ["halouine", *dice.sample("roles", ROLES, count)],
        "fallen_halouine": dice.pick("fallen", ("out", "paysan")),
        "council_pool": dice.pick("pool", ("all", "roles")),
        "announce_refusal": dice.chance("refusal", 30),
        "announce_swap": dice.chance("swap", 30),
        "brew_after_giving": dice.chance("brew", 30),
        "mark_turns": dice.pick("mark", (1, 2, 2, 3)),
        "blessing_turns": dice.pick("blessing", (1, 2, 2, 3)),
    }


def check(before: Game, given: Input, outcome: Outcome) -> list[str]:
    """The invariants that do not hold after `outcome`, in words."""
    was, now = before.state, outcome.game.state
    return [*_state(outcome.game, now), *_change(before, was, now), *_notices(was, now, outcome)]


def _state(game: Game, now: Any) -> Iterator[str]:
    facts = game.variant.facts(now)
    halouine = [player for player in now.living if now.roles[player] == "halouine"]
    if not game.over and (len(halouine) != 1 or halouine[0] not in now.infected):
        yield f"1: Halouine is {halouine}"
    for player in now.players:
        if (facts[f"{player}.camp"] == "halouine") != facts[f"{player}.infected"]:
            yield f"2: {player}'s camp does not follow the state"
    horrors = [player for player in now.players if now.roles[player] == "devhorreur"]
    if len(horrors) > 1 or not set(horrors) <= set(now.infected):
        yield f"3: the dévhorreurs are {horrors}"
    if (facts["game.mark"] == "none") != (facts["game.mark_kind"] == "none"):
        yield "4: a mark without a kind, or the other way round"
    witch = now.holder("sorciere")
    if now.mark and witch and (facts["game.mark_kind"] == "infection") != (witch in now.infected):
        yield "5: the mark does not follow the sorcière"
    if len(now.once_cancelled) != len(set(now.once_cancelled)):
        yield "9: a player was cancelled twice"
    if not game.over and game.phase != "day-0.election" and now.chief not in now.living:
        yield f"10: the chief is {now.chief!r}"
    if now.die_marks not in (0, 1):
        yield f"13: {now.die_marks} marks of the die"
    if not game.over and not now.healthy:
        yield "14: nobody is healthy"
    if now.potion not in ("none", "brewing", "ready"):
        yield f"15: the potion is {now.potion}"
    if not set(now.blessed) <= set(now.healthy):
        yield "6: a blessed player is infected"
    if now.blessed and not now.blessing_until:
        yield "4: a protection outlasts its blessing"


def _change(before: Game, was: Any, now: Any) -> Iterator[str]:
    rise = len(set(now.infected) - set(was.infected))
    if rise > (3 if before.phase.startswith("night") else 1):
        yield f"7: {rise} more are infected"
    for name in ("stood_in", "faces", "once_cancelled"):
        if not set(getattr(was, name)) <= set(getattr(now, name)):
            yield f"8: something spent came back: {name}"
    if not set(now.bouftous) <= set(was.bouftous):
        yield "8: a bouftou came back"
    if was.council_used and not now.council_used:
        yield "8: the council came back"


def _notices(was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    halouines = {was.holder("halouine"), now.holder("halouine")}
    risen: dict[str, list[bool]] = {}
    for notice in outcome.notices:
        if notice.kind == "state.changed":
            risen.setdefault(str(notice.to), []).append(notice.data["infected"])
        if notice.kind == "halouine.watch" and notice.to not in halouines:
            yield f"11: {notice.to} watches"
        if notice.kind == "state.changed" and notice.to == PUBLIC:
            yield "11: a change of state is public"
        told = {notice.data.get("role"), notice.data.get("face")}
        if (
            "halouine" in told
            and notice.to not in halouines
            and notice.data.get("cause") not in ("antidote", "removed")
        ):
            yield f"12: {notice.kind} to {notice.to} names Halouine"
    for player, states in risen.items():
        if any(one == other for one, other in itertools.pairwise(states)):
            yield f"R5: {player} is told the same state twice"
    for player in now.players:
        if (player in was.infected) != (player in now.infected) and player not in risen:
            yield f"R5: {player} is not told of a change"
