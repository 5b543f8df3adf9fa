"""`mailgm simulate`: whole games with random players, and what is counted."""

from __future__ import annotations

import re

import pytest
from toys import TOY

from mailgm.cli import main


def simulate(capsys, *args: str) -> str:
    assert main(["simulate", "--variants", str(TOY), "--jobs", "1", *args]) == 0
    return capsys.readouterr().out


def numbers(text: str, name: str) -> list[str]:
    (line,) = [line for line in text.splitlines() if f" {name} " in line]
    return re.findall(r"[\d.]+", line)


def test_it_says_who_wins_how_often_and_how_long_games_last(capsys):
    said = simulate(capsys, "phare", "-n", "12", "--players", "5")
    assert "games: 12 of phare; players: 5; seed: 1" in said
    wreckers, keepers, islanders = (numbers(said, role) for role in ("wrecker", "keeper", "islander"))
    assert (wreckers[1], keepers[1], islanders[1]) == ("12", "12", "36")
    camps = [int(line.split()[3]) for line in said.splitlines() if re.match(r"│ (wreckers|island|nobody) ", line)]
    assert sum(camps) == 12
    assert re.search(r"points a player: 0 to \d", said)
    assert re.search(r"phases a game: +\d+ to \d+, median \d+, mean [\d.]+", said)
    assert re.search(r"days a game: +1 to \d+", said)
    assert re.search(r"[\d.]+ games a second", said)


def test_the_same_seed_plays_the_same_games(capsys):
    once, again, other = (simulate(capsys, "phare", "-n", "8", "--players", "6", "--seed", s) for s in ("7", "7", "8"))

    def body(said: str) -> list[str]:
        return said.splitlines()[1:-1]

    assert body(once) == body(again)
    assert body(once) != body(other)


def test_options_and_presets_are_those_of_the_game(capsys):
    assert "games: 3 of phare-long" in simulate(capsys, "phare-long", "-n", "3")
    said = simulate(capsys, "phare", "-n", "3", "--players", "7", "--option", "wreckers=2", "--option", "quiet=true")
    assert numbers(said, "wrecker")[1] == "6"


def test_several_processes_play_the_same_games(capsys):
    alone = simulate(capsys, "phare", "-n", "6")
    assert main(["simulate", "phare", "-n", "6", "--variants", str(TOY), "--jobs", "2"]) == 0
    assert sorted(capsys.readouterr().out.splitlines()[1:-1]) == sorted(alone.splitlines()[1:-1])


@pytest.mark.parametrize(
    ("args", "reason"),
    [
        (["nope"], "there is no game 'nope'"),
        (["phare", "--players", "40"], "players: 40 players; the game takes 3 to 12"),
        (["phare", "--option", "rounds=9"], "rounds: 9 is not a whole number from 1 to 3"),
        (["phare", "--option", "rounds"], "write KEY=VALUE"),
    ],
)
def test_what_cannot_be_played_is_said(capsys, args, reason):
    assert main(["simulate", "--variants", str(TOY), *args]) == 1
    assert reason in capsys.readouterr().err
