"""What must be so after every step of Le Cinquième Élément (its rulebook, section 10)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from mailgm.engine import PUBLIC, Dice, Game, Input, Outcome

ELEMENTS = ("terre", "eau", "air", "feu", "vie")


def options(dice: Dice, players: int) -> dict[str, Any]:
    """Options of a random game; the source's tables where they serve, else tables of its own."""
    chosen: dict[str, Any] = {
        "forced_pairs": dice.chance("pairs", 30),
        "missing_attack": dice.pick("attack", ("draw", "draw", "skip")),
        "tracking_immunity": dice.pick("tracking", ("doubled-vote", "tonight")),
    }
    if players < 10 or dice.chance("tables", 20):
        wolves = dice.pick("wolves", range(1, (players + 1) // 2))
        counts = dict.fromkeys(ELEMENTS, 0)
        for _ in range(players):
            allowed = ELEMENTS if counts["vie"] < players - wolves else ELEMENTS[:-1]
            counts[dice.pick("element", allowed)] += 1
        chosen |= {"wolves": wolves, "vulnerabilities": counts}
    return chosen


def check(before: Game, given: Input, outcome: Outcome) -> list[str]:
    """The invariants that do not hold after `outcome`, in words."""
    was, now = before.state, outcome.game.state
    return [
        *_state(outcome.game, now),
        *_change(before, given, was, now),
        *_notices(before, now, outcome),
    ]


def _state(game: Game, now: Any) -> Iterator[str]:
    night = game.phase.startswith("night") and game.phase.endswith(".actions")
    for player, hearts in now.hearts.items():
        if not 0 <= hearts <= now.nc + 1:
            yield f"1: {player} has {hearts} hearts"
        if player in now.living and hearts == 0:
            yield f"2: {player} lives without a heart"
        if player in now.wolves and now.vulnerability[player] == "vie":
            yield f"5: the wolf {player} is vulnerable to vie"
    if game.phase.endswith(".vote") and now.mayor not in now.living:
        yield f"7: the mayor is {now.mayor!r}"
    for player, power in now.active.items():
        if power[0] not in now.powers(player):
            yield f"8: {player} uses {power[0]}"
        if (power[0] == "ascension" and now.night % 2) or (power[0] == "autopsie" and now.night % 2 == 0):
            yield f"11: {player} uses {power[0]} after night {now.night}"
    if night and now.active:
        yield "8: a power is in force while the night is open"


def _change(before: Game, given: Input, was: Any, now: Any) -> Iterator[str]:
    if not set(was.dead) <= set(now.dead):
        yield "3: a dead player lives"
    if (was.nc, was.wolves, was.vulnerability) != (now.nc, now.wolves, now.vulnerability):
        yield "4: camps or vulnerabilities have changed"
    for player in now.players:
        if before.phase.endswith(".actions") and now.hearts[player] > was.hearts[player] + 1:
            yield f"9: {player} gained more than one heart"
    if before.phase.endswith(".legacy") and given.kind != "gm" and len(now.living) < len(was.living):
        yield "10: a bequest has killed"
    if not set(was.ears_spent) <= set(now.ears_spent):
        yield "15: ears came back"


def _notices(before: Game, now: Any, outcome: Outcome) -> Iterator[str]:
    game = outcome.game
    told: dict[str, int] = {}
    for notice in outcome.notices:
        if notice.kind == "elements.count":
            elements = ("terre", "eau", "air", "feu", "vie")
            if sum(notice.data[element] for element in elements) != 2 * len(notice.data["players"]):
                yield "6: the elements do not add up"
        if notice.kind == "relay" and (not set(notice.audience) <= set(now.pack) or not before.state.channel):
            yield f"13: the pack's words reach {notice.audience}"
        told_camp = "camp" in notice.data and notice.kind not in ("role.assigned", "observation.result")
        if told_camp and (notice.to != PUBLIC or notice.data["player"] in now.living):
            yield f"12: {notice.kind} to {notice.to} tells a camp"
        if notice.kind == "hearts" and notice.data["hearts"]:
            told[str(notice.to)] = told.get(str(notice.to), 0) + 1
        votes = notice.kind == "phase.opened" and notice.data["phase"].endswith(".vote")
        if votes and not 0 < len(now.pack) < len(now.villagers):
            yield "14: a vote opens though the game is decided"
    if any(count > 1 for count in told.values()):
        yield f"16: hearts told twice: {told}"
    if game.over and not game.end.winner_camp:
        yield "R82: nobody has won"
