"""Whoever the game master takes out, in whatever phase, a game comes to its end."""

from __future__ import annotations

import pytest

from mailgm.engine import GM, Game, Input, apply
from mailgm.engine.bot import choose
from tests.fuzz.harness import begin, games

LAST_DEADLINES = 60


@pytest.mark.parametrize("name", games())
def test_a_game_that_everybody_leaves_ends(name: str) -> None:
    for seed in range(1, 19):
        outcome, dice = begin(name, seed)
        game = outcome.game
        for _ in range(seed % 9):
            game = _phase(game, dice)
        for player in dice.shuffle("leave", game.players):
            if not game.over:
                game = apply(game, Input("gm", GM, f"retirer {player}")).game
            if not game.over and dice.chance("the deadline passes", 20):
                game = apply(game, Input("deadline")).game
        for _ in range(LAST_DEADLINES):
            if not game.over:
                game = apply(game, Input("deadline")).game
        assert game.over, f"{name}, seed {seed}: stands in {game.key}"


def _phase(game: Game, dice) -> Game:  # type: ignore[no-untyped-def]
    """One phase with a few orders."""
    for player in dice.shuffle("order", tuple(game.askable)):
        given = None if game.over else choose(game, player, dice)
        if given is not None:
            game = apply(game, given).game
    return game if game.over else apply(game, Input("deadline")).game
