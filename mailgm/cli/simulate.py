"""`mailgm simulate VARIANT -n N`: whole games with random players on all cores, and who wins how often."""

from __future__ import annotations

import argparse
import gc
import multiprocessing
import os
import time
import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn
from rich.table import Table

from mailgm.cli.common import fail, put
from mailgm.cli.help import phrase
from mailgm.engine import SetupError, split_phase, start
from mailgm.engine.bot import play
from mailgm.engine.game import Game
from mailgm.engine.said import say
from mailgm.loader import Library, Preset, UnknownVariant
from mailgm.phrases import locale_language

NAMES = (
    "Ana", "Bob", "Chloé", "Denis", "Élise", "Farid", "Gaëlle", "Hugo", "Inès", "Jérôme", "Karim", "Léa", "Maël",
    "Noémie", "Oscar", "Paola", "Quentin", "Ravi", "Sacha", "Théo", "Ursule", "Victor", "Wanda", "Xavier", "Yaëlle",
    "Zoé",
)  # fmt: skip


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("variant", metavar="VARIANT", help="the id of a game or of a preset")
    parser.add_argument("-n", type=_count, default=100, metavar="N", dest="games", help="how many games (default: 100)")
    parser.add_argument(
        "--players", type=_count, metavar="P", help="how many players (default: what the game recommends)"
    )
    parser.add_argument("--seed", default="1", metavar="S", help="the same seed plays the same games (default: 1)")
    parser.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the game")
    parser.add_argument("--jobs", type=_count, default=os.cpu_count() or 1, metavar="J", help="how many processes")
    parser.add_argument(
        "--variants", type=Path, action="append", default=[], help="a folder of variants, searched first"
    )


def run(args: argparse.Namespace) -> int:
    """Play the games and print what came of them. 0: all were played to the end; 1: the game cannot start."""
    try:
        chosen = _library(tuple(args.variants)).preset(args.variant)
        options = {**chosen.options, **dict(option(text) for text in args.option)}
        count = args.players or chosen.variant.spec.recommended
        plan = Plan(tuple(args.variants), args.variant, names(count), options, str(args.seed))
        _begin(plan, chosen, 0)
    except (UnknownVariant, SetupError, ValueError) as error:
        return fail(say("mailgm simulate: {error}", error=error))
    simulate(plan, chosen, args.games, args.jobs)
    return 0


def simulate(plan: Plan, chosen: Preset, games: int, jobs: int) -> None:
    """Play the games of a plan and print who won how often. Raises SetupError, UnknownVariant."""
    began = time.perf_counter()
    found = Summary()
    for result in _shown(_results(plan, games, jobs), games):
        found.add(result)
    _report(found, chosen, plan, time.perf_counter() - began)


@dataclass(frozen=True, slots=True)
class Plan:
    """The games to play: plain values, so that every process can make them for itself."""

    variants: tuple[Path, ...]
    name: str
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: str


@dataclass(frozen=True, slots=True)
class Result:
    """One game: how it ended and how long it was."""

    camp: str
    scores: Mapping[str, int]
    roles: tuple[tuple[str, bool], ...]
    phases: int
    days: int


@dataclass
class Summary:
    """All games so far."""

    games: int = 0
    camps: Counter[str] = field(default_factory=Counter)
    dealt: Counter[str] = field(default_factory=Counter)
    won: Counter[str] = field(default_factory=Counter)
    scores: list[int] = field(default_factory=list)
    phases: list[int] = field(default_factory=list)
    days: list[int] = field(default_factory=list)

    def add(self, result: Result) -> None:
        """Count one more game."""
        self.games += 1
        self.camps[result.camp] += 1
        for role, won in result.roles:
            self.dealt[role] += 1
            self.won[role] += won
        self.scores += result.scores.values()
        self.phases.append(result.phases)
        self.days.append(result.days)


def option(text: str) -> tuple[str, Any]:
    """Read "key=value" as TOML would; a bare word is a text. Raises ValueError."""
    key, equals, value = text.partition("=")
    if not equals or not key.strip():
        raise ValueError(say("--option {text!r}: write KEY=VALUE", text=text))
    try:
        return key.strip(), tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key.strip(), value


def _count(text: str) -> int:
    number = int(text)
    if number < 1:
        raise argparse.ArgumentTypeError(phrase("at least 1"))
    return number


def names(count: int) -> tuple[str, ...]:
    """So many names of players."""
    places = (divmod(place, len(NAMES)) for place in range(count))
    return tuple(NAMES[letter] + (f" {again + 1}" if again else "") for again, letter in places)


# Each process -----------------------------------------------------------------------------------------------------


@cache
def _library(variants: tuple[Path, ...]) -> Library:
    return Library(list(variants))


def _begin(plan: Plan, chosen: Preset, place: int) -> Game:
    return start(chosen.variant, plan.players, plan.options, f"{plan.seed}/{place}").game


def _one(job: tuple[Plan, int]) -> Result:
    """Play one game; a function of the module, so that a fresh process finds it."""
    plan, place = job
    game = _begin(plan, _library(plan.variants).preset(plan.name), place)
    dealt = _roles(game)
    for _, outcome in play(game, f"{plan.seed}/{place}/players"):
        game = outcome.game
    end = game.end
    assert end is not None
    camp = end.winner_camp or ("" if end.winners else "nobody")
    roles = tuple((role, player in end.winners) for player, role in dealt.items())
    return Result(camp, end.scores or {}, roles, len(game.history), _days(game))


def _roles(game: Game) -> dict[str, str]:
    facts = game.variant.facts(game.state)
    return {player: str(facts[f"{player}.role"]) for player in game.players if f"{player}.role" in facts}


def _days(game: Game) -> int:
    """The highest number of a day or night, added up over the rounds."""
    numbers: dict[str, int] = {}
    for snapshot in game.history:
        round_ = snapshot.key.partition(".")[0] if snapshot.key.startswith("round-") else ""
        numbers[round_] = max(numbers.get(round_, 0), split_phase(snapshot.phase)[1] or 0)
    return sum(numbers.values())


def _results(plan: Plan, games: int, jobs: int) -> Iterator[Result]:
    work = ((plan, place) for place in range(games))
    if min(jobs, games) == 1:
        yield from map(_one, work)
        return
    # What is imported stays: the collector need not look through it again and again.
    with multiprocessing.get_context("spawn").Pool(min(jobs, games), initializer=gc.freeze) as pool:
        yield from pool.imap_unordered(_one, work, chunksize=max(1, min(20, games // (jobs * 4))))


# What is printed --------------------------------------------------------------------------------------------------


def _shown(results: Iterator[Result], games: int) -> Iterator[Result]:
    """The results, with a progress bar on a terminal."""
    console = Console(stderr=True)
    if not console.is_terminal:
        yield from results
        return
    with Progress(
        BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as progress:
        task = progress.add_task("", total=games)
        for result in results:
            yield result
            progress.advance(task)


def _report(found: Summary, chosen: Preset, plan: Plan, seconds: float) -> None:
    console, lang = Console(), locale_language()
    spec = chosen.variant.spec
    played = "games: {games} of {name}; players: {players}; seed: {seed}"
    put(played, games=found.games, name=chosen.id, players=len(plan.players), seed=plan.seed)
    if camps := [(camp, count) for camp, count in found.camps.most_common() if camp]:
        rows = [(spec.label(camp, lang), count, found.games) for camp, count in camps]
        console.print(_table(phrase("winner"), phrase("games won"), rows))
    if found.won:
        rows = [(spec.label(role, lang), found.won[role], dealt) for role, dealt in sorted(found.dealt.items())]
        console.print(_table(phrase("role"), phrase("won"), rows))
    if any(found.scores):
        put("points a player: {spread}", spread=_spread(found.scores))
    put("phases a game: {spread}", spread=_spread(found.phases))
    put("days a game: {spread}", spread=_spread(found.days))
    put("{rate:.1f} games a second ({seconds:.1f} s)", rate=found.games / seconds, seconds=seconds)


def _table(what: str, count: str, rows: list[tuple[str, int, int]]) -> Table:
    table = Table(what, count, phrase("of"), "%")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, number, total in rows:
        table.add_row(name, str(number), str(total), f"{100 * number / total:.1f}")
    return table


def _spread(values: list[int]) -> str:
    ordered = sorted(values)
    middle = ordered[len(ordered) // 2]
    mean = sum(ordered) / len(ordered)
    spread = "{least} to {most}, median {middle}, mean {mean:.1f}"
    return say(spread, least=ordered[0], most=ordered[-1], middle=middle, mean=mean)
