"""The glutton: alone in the end, he wins alone (R56)."""

from __future__ import annotations

from ..role import Role


class Glutton(Role):
    """Nothing at night; a camp of his own."""

    id = "glutton"
    camp = "glutton"
    names = {"fr": ["le Vorace"], "en": ["the Glutton"]}
    most = 1
