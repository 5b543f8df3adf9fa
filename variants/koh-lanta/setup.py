"""The numbers of a game and its deal (rulebook 2, 3, R1-R6, R114). Raises SetupError throughout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mailgm.engine import Dice, SetupError
from mailgm.engine.said import say


def sizes(options: Mapping[str, Any], players: int) -> tuple[int, int]:
    """How many stratèges there are, and at how many players the tribes merge (section 2)."""
    strateges = options["stratege_count"] or players // 3
    if players - strateges < 3:
        raise SetupError(
            "stratege_count",
            say("{strateges} of {players}: at least 3 bisounours must remain", strateges=strateges, players=players),
        )
    final, merge = options["final_at"], options["merge_at"]
    if not merge:
        merge = players * 3 // 4
        merge -= merge % 2 == 0
        if merge <= final:
            raise SetupError(
                "final_at", say("{final} is not below the merge, which comes at {merge}", final=final, merge=merge)
            )
    if not final < merge < players:
        raise SetupError(
            "merge_at", say("{merge} is not from {least} to {most}", merge=merge, least=final + 1, most=players - 1)
        )
    return strateges, merge


def dealt(
    players: tuple[str, ...], strateges: int, balanced: bool, deal: Mapping[str, Any], dice: Dice
) -> tuple[tuple[str, ...], tuple[str, ...], tuple[str, ...], int]:
    """The reds, the stratèges, the athletes and the necklace number, in this order."""
    for key in deal:
        if key not in ("rouges", "strateges", "sportifs", "nombre_collier"):
            raise SetupError(key, say("the deal has rouges, strateges, sportifs and nombre_collier"))
    reds = _names(players, deal, "rouges", len(players) // 2) or dice.sample("rouges", players, len(players) // 2)
    tribes = [tuple(p for p in players if p in reds), tuple(p for p in players if p not in reds)]
    camp = _names(players, deal, "strateges", strateges) or _strateges(players, tribes, strateges, balanced, dice)
    half = len(tribes[0]) // 2
    athletes = _names(players, deal, "sportifs", 2 * half)
    if athletes and any(len(set(tribe) & set(athletes)) != half for tribe in tribes):
        raise SetupError("sportifs", say("each tribe has {half} athletes", half=half))
    if not athletes:
        athletes = tuple(name for tribe in tribes for name in dice.sample("sportifs", tribe, half))
    number = deal.get("nombre_collier")
    if number is None:
        number = dice.pick("nombre_collier", range(1, 7))
    if number not in range(1, 7) or isinstance(number, bool):
        raise SetupError("nombre_collier", say("{number!r} is not a number from 1 to 6", number=number))
    return tribes[0], _seated(players, camp), _seated(players, athletes), number


def _strateges(
    players: tuple[str, ...], tribes: Sequence[tuple[str, ...]], count: int, balanced: bool, dice: Dice
) -> tuple[str, ...]:
    """Drawn among all, or as evenly as possible in each tribe (`balanced_camps`)."""
    if not balanced:
        return dice.sample("strateges", players, count)
    more = dice.pick("strateges.more", (0, 1))  # which tribe has the odd one
    counts = [count // 2 + (count % 2 if place == more else 0) for place in (0, 1)]
    return tuple(
        name for tribe, few in zip(tribes, counts, strict=True) for name in dice.sample("strateges", tribe, few)
    )


def _names(players: tuple[str, ...], deal: Mapping[str, Any], key: str, count: int) -> tuple[str, ...]:
    """A forced list of `count` different players, or () if it is not forced."""
    if key not in deal:
        return ()
    names = tuple(deal[key])
    if len(names) != count or len(set(names)) != count or not set(names) <= set(players):
        raise SetupError(key, say("{count} different players are needed", count=count))
    return names


def _seated(players: tuple[str, ...], names: Sequence[str]) -> tuple[str, ...]:
    return tuple(player for player in players if player in names)
