"""The challenge's four lines and the comforts: what there is of them (rulebook 1, R40, R42, R67-R76)."""

from __future__ import annotations

import hashlib
import itertools
from collections.abc import Mapping
from typing import Any

LINES: Mapping[str, tuple[str, ...]] = {
    "mode": ("groupe", "relais"),
    "weather": ("soleil", "pluie"),
    "place": ("terrestre", "aquatique", "plage"),
    "kind": ("physique", "puzzle", "equilibre", "hybride"),
}
COMBINATIONS = tuple(itertools.product(*LINES.values()))
COMFORTS = ("feu", "kit", "repas", "indice")


def four(args: Mapping[str, Any]) -> tuple[str, ...]:
    """The four ids of an order, in line order."""
    return tuple(args[line] for line in LINES)


def commitment(day: int, challenge: tuple[str, ...], salt: str) -> str:
    """The SHA-256 by which anybody can check a challenge afterwards (R42)."""
    return hashlib.sha256("|".join(("koh-lanta", str(day), *challenge, salt)).encode()).hexdigest()
