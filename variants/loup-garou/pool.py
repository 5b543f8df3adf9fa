"""The pool of roles: every file of roles/ that defines a Role. A new role needs no other registration."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Mapping
from typing import Any

from . import roles
from .role import POOL, Role

for _file in sorted(info.name for info in pkgutil.iter_modules(roles.__path__)):
    importlib.import_module(f"{roles.__name__}.{_file}")

# act → its roles; the roles that have something to tell at dawn.
ACTS: Mapping[str, tuple[Role, ...]] = {
    act: tuple(role for role in POOL.values() if role.act == act)
    for act in sorted({role.act for role in POOL.values() if role.act})
}
DAWNING = tuple(role for role in POOL.values() if type(role).dawns is not Role.dawns)


def vocabulary(data: Mapping[str, Any]) -> dict[str, Any]:
    """The data of variant.toml with the words that the roles bring: commands, names on cards, labels."""
    commands = {**data.get("commands", {})}
    labels = {language: dict(table) for language, table in data.get("labels", {}).items()}
    cards: dict[str, Any] = {
        "1": ["1", "première", "premier", "première carte", "one", "first", "first card", "first one"],
        "2": [
            "2",
            "deuxième",
            "deux",
            "second",
            "seconde",
            "deuxième carte",
            "seconde carte",
            "two",
            "second card",
            "second one",
        ],
    }
    given: dict[str, Role] = {}
    for role in POOL.values():
        for command, words in role.commands.items():
            if given.setdefault(command, role).commands[command] != words:
                raise TypeError(f"the roles {given[command].id} and {role.id} both define the command {command!r}")
            commands[command] = words
        cards[role.id] = {language: tuple(names) for language, names in role.names.items()}
        for language, names in role.names.items():
            labels.setdefault(language, {})[role.id] = names[0]
    words = {**data.get("words", {}), "cards": cards}
    return {**data, "commands": commands, "labels": labels, "words": words}
