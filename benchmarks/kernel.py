"""Whole 13-player games a second a core, asks, validation and notices included."""

from __future__ import annotations

import gc
import time

from benchmarks.measure import report, seconds
from mailgm.engine import start
from mailgm.engine.bot import play
from mailgm.loader import Library

NAMES = tuple(f"Joueur{n}" for n in range(1, 14))
BASIC = {"wolf": 3, "seer": 1, "guardian": 1, "witch": 1, "hunter": 1}
ALL_ROLES = {
    "pack-chief": 1, "wolf": 2, "seer": 1, "witch": 1, "exorcist": 1, "little-girl": 1, "hunter": 1, "cupid": 1,
    "shaman": 1, "lapinou": 1, "diviner": 1, "flutist": 1,
}  # fmt: skip
# name, game, options, (least, wanted) games a second
GAMES = (
    ("Dracula, one round", "dracula", {"rounds": 1}, (60, 100)),
    ("werewolves, basic set", "thiercelieux", {"roles": BASIC}, (400, 1000)),
    ("werewolves, tire-toi with all its roles", "tire-toi", {"roles": ALL_ROLES}, (100, 300)),
)


def main() -> None:
    """Print games a second for each game."""
    library = Library()
    for title, game, options, (least, wanted) in GAMES:
        try:
            preset = library.preset(game)
        except LookupError:
            continue

        def games(number: int, preset=preset, options=options) -> None:  # type: ignore[no-untyped-def]
            for seed in range(number):
                outcome = start(preset.variant, NAMES, {**preset.options, **options}, str(seed))
                for _ in play(outcome.game, str(seed)):
                    pass

        gc.freeze()  # as in the processes of `mailgm simulate`
        began = time.perf_counter()
        games(3)
        number = max(5, int(6 / (time.perf_counter() - began)))
        rate = number / seconds(lambda number=number: games(number))  # type: ignore[misc]
        report(f"{title}: games/s a core", f"{rate:.0f}", f"at least {least}, wanted {wanted}", rate >= least)
