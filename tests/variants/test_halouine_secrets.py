"""Two villages that differ only in a secret look the same to whoever may not know it (architecture §4.2)."""

from __future__ import annotations

from typing import Any

from mailgm.engine import start
from mailgm.loader import Library
from tests.variants.table import Act, Play, alike

NAMES = ("Aline", "Basile", "Clémence", "Dorian", "Estelle", "Félix", "Gisèle", "Hervé", "Irène", "Jeanne")
ROLES = ("halouine", "sorciere", "berger", "pretre", "epouvantail", "marchand-de-sable", "devin", "alchimiste")
ELECTION: list[Act] = [("post", "Jeanne", "voter Jeanne"), ("close",)]


def village(library: Library, names: tuple[str, ...] = NAMES, **forced: Any) -> Play:
    """The roles of ROLES for `names` in this order; everybody sits in the order of NAMES."""
    deal = {"roles": dict(zip(names, (*ROLES, "paysan", "paysan"), strict=True))}
    return Play(start(library.variant("halouine"), NAMES, {}, "1", deal=deal, forced=forced, decoys=True))


def test_who_halouine_is(library: Library) -> None:
    """halouine R3, R6, R8: Aline and Basile trade their roles, and do what the other would."""
    swapped = ("Basile", "Aline", *NAMES[2:])
    one, other = village(library), village(library, swapped)

    def acts(halouine: str, witch: str) -> list[Act]:
        return [
            *ELECTION, ("say", halouine, "infecter Irène"), ("say", witch, "marquer Gisèle"), ("close",),
            ("post", "Jeanne", "voter Dorian"), ("close",), ("say", halouine, "infecter Hervé"), ("close",), ("close",),
        ]  # fmt: skip

    alike(one, other, NAMES[2:], acts("Aline", "Basile"), acts("Basile", "Aline"))


def test_whom_the_night_has_changed(library: Library) -> None:
    """halouine R5, R6, R17, R18, R21: infected, blessed, guarded or replaced, the others cannot tell."""
    others = ("Basile", "Félix", "Jeanne")
    nights: tuple[list[Act], ...] = (
        [("say", "Aline", "infecter Irène"), ("say", "Clémence", "rien"), ("say", "Estelle", "rien")],
        [("say", "Aline", "infecter Irène"), ("say", "Clémence", "garder Irène"), ("say", "Estelle", "rien")],
        [("say", "Aline", "infecter Irène"), ("say", "Clémence", "rien"), ("say", "Estelle", "remplacer")],
        [("say", "Aline", "infecter Dorian"), ("say", "Clémence", "rien"), ("say", "Estelle", "rien")],
    )
    day: list[Act] = [("close",), ("post", "Jeanne", "voter Félix"), ("close",)]
    for night in nights[1:]:
        alike(village(library), village(library), others, [*ELECTION, *nights[0], *day], [*ELECTION, *night, *day])


def test_who_received_the_dose(library: Library) -> None:
    """halouine R24, R40: Basile elected, cured himself or replaced by Estelle, looks the same to the table."""
    night: list[Act] = [*ELECTION, ("say", "Aline", "infecter Estelle"), ("close",)]
    day: list[Act] = [("post", "Jeanne", "voter Basile"), ("close",)]
    alike(
        village(library),
        village(library),
        ("Clémence", "Félix", "Gisèle", "Jeanne"),
        [*night, ("say", "Estelle", "rien"), *day],
        [*night, ("say", "Estelle", "remplacer"), *day],
    )
