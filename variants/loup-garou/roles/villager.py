"""The villager: no power but a vote."""

from __future__ import annotations

from ..role import Role


class Villager(Role):
    """Nothing at night; one ballot by day."""

    id = "villager"
    names = {"fr": ["le Simple villageois", "Villageois"], "en": ["the Villager"]}
