"""Two islands that differ only in a secret look the same to whoever may not know it (architecture §4.2)."""

from __future__ import annotations

from typing import Any

from mailgm.engine import start
from mailgm.loader import Library
from tests.variants.table import Act, Play, alike

NAMES = ("Ana", "Bob", "Chloé", "Dédé", "Élise", "Farid", "Gaël", "Hélène", "Inès", "Joël", "Karim", "Léa")
ELECTION: list[Act] = [("post", "Ana", "vote Ana"), ("post", "Gaël", "vote Gaël"), ("close",)]
DAY: list[Act] = [("close",), ("close",), ("post", "Karim", "vote Inès"), ("post", "Joël", "vote Inès"), ("close",)]


def island(library: Library, **deal: Any) -> Play:
    """Six reds, six yellows; the reds win the first challenge."""
    given = {
        "rouges": NAMES[:6],
        "strateges": ["Bob", "Farid", "Gaël", "Léa"],
        "sportifs": ["Ana", "Bob", "Chloé", "Gaël", "Hélène", "Inès"],
        "nombre_collier": 4,
        **deal,
    }
    forced = {"day-1.challenge-winner": "rouges"}
    return Play(start(library.variant("koh-lanta"), NAMES, {}, "1", deal=given, forced=forced, decoys=True))


def test_who_the_strateges_are(library: Library) -> None:
    """koh-lanta R7, R10, R28: Léa or Karim is a stratège; a bisounours cannot tell."""
    one, other = island(library), island(library, strateges=["Bob", "Farid", "Gaël", "Karim"])
    alike(one, other, ("Ana", "Chloé", "Dédé", "Hélène", "Inès", "Joël"), [*ELECTION, *DAY, ("close",)])


def test_who_cast_the_secret_votes(library: Library) -> None:
    """koh-lanta R18: the tally counts them; it names no author, nor that one was turned (R26)."""
    night = [*ELECTION, ("say", "Karim", "allier Léa")]
    first = [*night, ("say", "Léa", "secret Inès"), ("say", "Gaël", "rien"), *DAY]
    second = [*night, ("say", "Léa", "rien"), ("say", "Gaël", "secret Inès"), *DAY]
    alike(island(library), island(library), ("Ana", "Bob", "Hélène", "Joël", "Karim"), first, second)


def test_who_is_allied_and_who_has_a_necklace(library: Library) -> None:
    """koh-lanta R24, R27, R31, R34: hands held out, found necklaces and played ones are told to nobody else."""
    first = [*ELECTION, ("say", "Joël", "allier Karim"), ("say", "Karim", "allier Joël"), ("say", "Léa", "4"), *DAY]
    second = [*ELECTION, ("say", "Joël", "allier Karim"), ("say", "Karim", "rien"), ("say", "Léa", "5"), *DAY]
    alike(island(library), island(library), ("Ana", "Bob", "Dédé", "Gaël", "Hélène", "Inès"), first, second)


def test_the_challenge_and_the_number(library: Library) -> None:
    """koh-lanta R5, R43: before the result nobody learns anything of either; a wrong guess sounds the same."""
    acts: list[Act] = [*ELECTION, ("say", "Dédé", "2"), ("close",)]
    one, other = island(library), island(library, nombre_collier=5)
    alike(one, other, NAMES, acts)
