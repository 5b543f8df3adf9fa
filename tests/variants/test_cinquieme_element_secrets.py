"""Two tables that differ only in a secret look the same to whoever may not know it (architecture §4.2)."""

from __future__ import annotations

from mailgm.engine import start
from mailgm.loader import Library
from tests.variants.table import Act, Play, alike

NAMES = ("Ana", "Bruno", "Chloé", "Damien", "Élise", "Farid", "Gaëlle", "Hugo", "Inès", "Jules")
ELEMENTS = ("terre", "eau", "vie", "vie", "feu", "feu", "air", "air", "eau", "terre")
BEGIN: list[Act] = [("close",), ("post", "Jules", "voter Jules"), ("close",)]


def table(library: Library, second: str = "Bruno", elements: dict[str, str] | None = None, **powers: str) -> Play:
    """Ana and `second` are the wolves. powers: player → "universal special"; the others get theirs by draw."""
    vulnerability = {**dict(zip(NAMES, ELEMENTS, strict=True)), **(elements or {})}
    forced = {
        "start.universal": {name: held.split()[0] for name, held in powers.items()},
        "start.special": {name: held.split()[1] for name, held in powers.items()},
    }
    deal = {"wolves": ["Ana", second], "vulnerability": vulnerability}
    variant = library.variant("cinquieme-element")
    return Play(start(variant, NAMES, {}, "1", deal=deal, forced=forced, decoys=True))


def test_who_the_wolves_are(library: Library) -> None:
    """cinquieme-element R1, R2, R22, R27: Bruno or Chloé is the second wolf, and attacks alike."""
    elements = {"Chloé": "terre", "Jules": "vie"}
    wolf, friend = "ignifuge soin", "ignifuge regeneration"
    one = table(library, "Bruno", elements, Ana=wolf, Bruno=wolf, Chloé=friend)
    other = table(library, "Chloé", elements, Ana=wolf, Bruno=friend, Chloé=wolf)

    def acts(second: str) -> list[Act]:
        night: list[Act] = [("say", "Ana", "attaquer Inès"), ("say", second, "attaquer Inès"), ("close",), ("close",)]
        return [*BEGIN, *night, ("post", "Jules", "voter Hugo"), ("close",), ("close",)]

    alike(one, other, ("Damien", "Élise", "Farid", "Gaëlle", "Jules"), acts("Bruno"), acts("Chloé"))


def test_whether_the_wolves_talk(library: Library) -> None:
    """cinquieme-element R69, R70: a villager cannot tell a night of talk from a silent one."""
    one, other = (table(library, Ana="ignifuge oreilles-de-lynx", Bruno="ignifuge soin") for _ in range(2))
    night: list[Act] = [("say", "Ana", "attaquer Inès"), ("say", "Bruno", "attaquer Farid"), ("close",)]
    talk = [*BEGIN, ("say", "Bruno", "loups: je prends Farid"), *night]
    silent = [*BEGIN, ("say", "Bruno", "rien"), *night]
    alike(one, other, NAMES[2:], talk, silent)


def test_whose_last_word_changed_the_hearts(library: Library) -> None:
    """cinquieme-element R22, R58, R59: nobody learns whom the dead player named, but the one who gains hearts."""
    one, other = (
        table(library, Ana="ignifuge soin", Bruno="ignifuge soin", Chloé="ascension observation") for _ in range(2)
    )
    acts: list[Act] = [
        *BEGIN, ("say", "Ana", "attaquer Inès"), ("say", "Bruno", "attaquer Hugo"), ("close",), ("close",), ("close",),
        ("say", "Chloé", "ascension"), ("say", "Ana", "attaquer Chloé"), ("say", "Bruno", "attaquer Gaëlle"),
        ("close",),
    ]  # fmt: skip
    told = [*acts, ("say", "Chloé", "léguer Élise"), ("close",)]
    mirrored = [*acts, ("say", "Chloé", "léguer Farid"), ("close",)]
    alike(one, other, ("Ana", "Bruno", "Damien", "Gaëlle", "Hugo", "Inès", "Jules"), told, mirrored)
