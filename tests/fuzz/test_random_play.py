"""Random games of every variant that has invariants: every rule of the harness after every input."""

from __future__ import annotations

import pytest

from tests.fuzz.harness import games, play

# Seeds of each game; those that people play as they stand get most. `make fuzz` plays any number.
GAMES = {"dracula": 300, "mulou-garou": 300, "tire-toi": 300, "thiercelieux": 300, "loup-garou": 60}
GAMES |= {"halouine": 200, "cinquieme-element": 200, "koh-lanta": 200}
SOME = 40
EACH = 10


def _ids() -> list[tuple[str, int, int]]:
    return [
        (name, first, min(EACH, count - first + 1))
        for name in games()
        for count in [GAMES.get(name, SOME)]
        for first in range(1, count + 1, EACH)
    ]


@pytest.mark.parametrize(("variant", "first", "count"), _ids())
def test_random_games_keep_every_invariant(variant: str, first: int, count: int) -> None:
    """The first game of each batch is also saved and loaded after every input, and replayed."""
    for seed in range(first, first + count):
        result = play(variant, seed, thorough=seed == first)
        assert not result.failures, f"{variant}, seed {seed}:\n" + "\n".join(result.failures)
        assert result.inputs > 0
