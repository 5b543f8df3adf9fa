"""The fifteen powers and the source's tables (rulebook 1, R4, R6, R14): data, no rules."""

from __future__ import annotations

from dataclasses import dataclass

ELEMENTS = ("terre", "eau", "air", "feu", "vie")
PAIRS = tuple(f"{one}-{two}" for place, one in enumerate(ELEMENTS) for two in ELEMENTS[place + 1 :])
VILLAGER, UNIVERSAL, WOLF = "villageois", "universel", "loup"  # the categories


@dataclass(frozen=True, slots=True)
class Power:
    """id: as data and facts name it; command: as the orders do."""

    id: str
    command: str
    category: str
    element: str


POWERS = {
    power.id: power
    for power in (
        Power("observation", "observation", VILLAGER, "terre"),
        Power("immunite-diplomatique", "immunity", VILLAGER, "eau"),
        Power("oeil-de-lynx", "lynx-eye", VILLAGER, "air"),
        Power("justice", "justice", VILLAGER, "feu"),
        Power("regeneration", "regeneration", VILLAGER, "vie"),
        Power("ascension", "ascension", UNIVERSAL, "terre"),
        Power("ignifuge", "fireproof", UNIVERSAL, "eau"),
        Power("truffe-de-lynx", "lynx-nose", UNIVERSAL, "air"),
        Power("autopsie", "autopsy", UNIVERSAL, "feu"),
        Power("impitoyable", "merciless", UNIVERSAL, "vie"),
        Power("tracage", "tracking", WOLF, "terre"),
        Power("elementaliste", "elementalist", WOLF, "eau"),
        Power("oreilles-de-lynx", "lynx-ears", WOLF, "air"),
        Power("chaude-haleine", "hot-breath", WOLF, "feu"),
        Power("soin", "healing", WOLF, "vie"),
    )
}
BY_COMMAND = {power.command: power for power in POWERS.values()}

WOLVES = {10: 2, **dict.fromkeys(range(11, 16), 3), **dict.fromkeys(range(16, 21), 4)}  # R4
# R6: how many get each vulnerability, in the order of ELEMENTS.
VULNERABILITIES = {
    10: (2, 2, 2, 2, 2),
    11: (2, 2, 2, 3, 2),
    12: (2, 2, 2, 3, 3),
    13: (3, 3, 3, 3, 1),
    14: (3, 3, 3, 3, 2),
    15: (3, 3, 3, 3, 3),
    16: (3, 3, 3, 4, 3),
    17: (3, 3, 3, 4, 4),
    18: (4, 4, 4, 3, 3),
    19: (4, 4, 4, 4, 3),
    20: (4, 4, 4, 4, 4),
}


def of(category: str, elements: tuple[str, ...] = ELEMENTS) -> tuple[str, ...]:
    """The powers of a category, of some elements only."""
    return tuple(power.id for power in POWERS.values() if power.category == category and power.element in elements)
