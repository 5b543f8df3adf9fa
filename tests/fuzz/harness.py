"""One random game: legal orders by text and by value, sabotage of every kind, and checks after each input.

What holds for every game is checked here; what holds for one game stands in `tests/invariants/<variant>.py`:

    check(before, given, outcome) -> list of the invariants that do not hold, in words
    options(dice, players) -> options of a random game    (or OPTIONS: number of players -> options)
    MOST_INPUTS = how long a random game may last, where it is not the harness's own number
"""

from __future__ import annotations

import importlib.util
import json
import traceback
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from mailgm.engine import GM, PASS, Dice, Game, Input, Outcome, SetupError, apply, start
from mailgm.engine.bot import choose
from mailgm.engine.model import Channel
from mailgm.engine.plain import dump
from mailgm.engine.saved import dump_game, load_game
from mailgm.engine.variant import Command
from mailgm.engine.wording import render_order
from mailgm.loader import Library
from tests.fuzz.wording import unworded

FOLDER = Path(__file__).resolve().parent.parent / "invariants"
NAMES = (
    "Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny", "Gaëlle", "Hugo", "Inès", "Jérôme", "Karim", "Léa", "Maël",
    "Noémie", "Oscar", "Perrine", "Quentin", "Rémi", "Sélène", "Théo", "Ulysse", "Violette", "Wassim", "Xavier",
    "Yasmina", "Zoé", "Anatole", "Bérénice", "Cyprien", "Delphine", "Edgar", "Fatou", "Gontran", "Hélène", "Ismaël",
    "Judith", "Kenza", "Lothaire", "Marguerite", "Norbert",
)  # fmt: skip
NOISE = ("bonjour à tous", "rien", "aide", "état", "1. ??", "je réfléchis", "**Ana**", "vote Personne", "abandon", "")
REWRITES = ("revenir", "remplacer", "corriger")
MOST_INPUTS = 4000


@dataclass
class Result:
    """What became of one random game."""

    seed: int
    players: int = 0
    inputs: int = 0
    rounds: int = 0
    failures: list[str] = field(default_factory=list)
    log: list[Input] = field(default_factory=list)


@dataclass
class Table:
    """Where the game of the moment lies: who makes the inputs looks at it anew before each."""

    game: Game


@cache
def library() -> Library:
    """The shipped games, loaded once."""
    return Library()


@cache
def invariants(name: str) -> ModuleType:
    """The invariants of a game. Raises FileNotFoundError where it has none."""
    for stem in (name, name.replace("-", "_")):
        path = FOLDER / f"{stem}.py"
        if path.is_file():
            spec = importlib.util.spec_from_file_location(f"invariants_{stem.replace('-', '_')}", path)
            assert spec is not None
            assert spec.loader is not None
            module = importlib.util.module_from_spec(spec)
            spec.loader.exec_module(module)
            return module
    raise FileNotFoundError(f"{FOLDER} holds no invariants of {name}")


def games() -> list[str]:
    """Every game that has invariants, and all presets that can be played as they stand."""
    names = []
    presets = [library().preset(name) for name in library().presets()]
    for name in library().ids():
        try:
            module = invariants(name)
        except FileNotFoundError:
            continue
        family = [preset.id for preset in presets if preset.variant.id == name]
        if not family or hasattr(module, "options") or hasattr(module, "OPTIONS"):
            names.append(name)
        names += [preset for preset in family if _complete(preset)]
    return names


def _complete(name: str) -> bool:
    """Whether a preset can be played as it stands; the bare one of a family has no cards."""
    preset = library().preset(name)
    try:
        preset.variant.cards(preset.variant.options(preset.options), preset.variant.spec.recommended)
    except SetupError:
        return False
    return True


def begin(name: str, seed: int) -> tuple[Outcome, Dice]:
    """Start the random game of a seed: number of players, options and decoys vary with it."""
    preset = library().preset(name)
    variant, module = preset.variant, invariants(preset.variant.id)
    dice = Dice(f"fuzz {name} {seed}")
    spec = variant.spec
    counts = range(spec.least, min(spec.most, len(NAMES)) + 1, spec.step)
    for _ in range(50):
        count = dice.pick("players", counts)
        players = dice.sample("names", NAMES, count)
        if name != variant.id:
            options = {}  # a preset is played as it stands
        elif hasattr(module, "options"):
            options = module.options(dice, count)
        else:
            options = getattr(module, "OPTIONS", {}).get(count, {})
        try:
            return start(
                variant, players, {**preset.options, **options}, f"{name}-{seed}", decoys=dice.chance("decoys", 25)
            ), dice
        except SetupError:
            continue  # not every number of players goes with every preset
    raise AssertionError(f"{name}: fifty random set-ups were refused")


def play(name: str, seed: int, *, sabotage: int = 12, thorough: bool = False) -> Result:
    """Play one random game to its end.

    sabotage: in how many cases of a hundred a player does something that he should not.
    thorough: also save and load the game after every input, and replay it at the end.
    """
    outcome, dice = begin(name, seed)
    table = Table(outcome.game)
    result = Result(seed, len(table.game.players))
    check: Callable[..., list[str]] = invariants(table.game.variant.id).check
    told = [outcome]
    result.failures += _common(table.game, outcome, True)
    for given, legal in _inputs(table, dice, sabotage):
        before = table.game
        result.inputs += 1
        result.log.append(given)
        try:
            outcome = apply(before, given)
        except Exception:  # noqa: BLE001 - a rule that breaks is a finding, told with its seed
            result.failures.append(f"{before.key} {_shown(given)}: {traceback.format_exc(limit=-4)}")
            return result
        table.game = outcome.game
        told.append(outcome)
        found = check(*_step(before, given, outcome)) + _common(
            table.game, outcome, thorough or given.kind == "deadline"
        )
        found += unworded(table.game, outcome)
        if legal and given.kind != "gm" and not _accepted(outcome, legal):
            found.append(f"a legal order is not taken: {[(v.code, v.line, v.command) for v in outcome.verdicts]}")
        if found:
            result.failures += [f"{before.key} {_shown(given)}: {failure}" for failure in found]
            return result
        if result.inputs >= getattr(invariants(table.game.variant.id), "MOST_INPUTS", MOST_INPUTS):
            result.failures.append(f"not over after {result.inputs} inputs")
            return result
    result.rounds = table.game.variant.round(table.game.state)
    if thorough:
        result.failures += _replayed(name, seed, result.log, told)
    return result


def _step(before: Game, given: Input, outcome: Outcome) -> tuple[Game, Input, Outcome]:
    """What `check` looks at. Where the game master rewrites the game there is no change to judge, only its result."""
    if given.kind == "gm" and given.text.startswith(REWRITES):
        return outcome.game, given, Outcome(outcome.game)
    return before, given, outcome


def _inputs(table: Table, dice: Dice, sabotage: int) -> Iterator[tuple[Input, Input | None]]:
    """Inputs of a random game, each with the order that must be accepted, if it is a legal one."""
    words_of_gm = 0
    # Now and then a game master who takes out one player after the other, in whatever phase is running.
    most, often = (30, 50) if dice.chance("a heavy hand", 15) else (5, 6)
    while not table.game.over:
        key = table.game.key
        for player in dice.shuffle("order", (*table.game.players, GM)):
            for _ in range(3):
                if table.game.over or table.game.key != key or player not in (*table.game.players, GM):
                    break
                if dice.chance("sabotage", sabotage):
                    yield _nonsense(table.game, player, dice), None
                    continue
                given = choose(table.game, player, dice)
                if given is None:
                    break
                yield _as_typed(table.game, given, dice), given
        if not table.game.over and words_of_gm < most and dice.chance("gm", often):
            words_of_gm += 1
            yield Input("gm", GM, _gm_line(table.game, dice)), None
        if not table.game.over and table.game.key == key:
            yield Input("deadline"), None


def _as_typed(game: Game, given: Input, dice: Dice) -> Input:
    """The same order by value or, as often, in the game's own words in one of the languages."""
    spec = game.variant.spec
    if given.player == GM or given.command not in spec.commands or dice.chance("by value", 50):
        return given
    text = render_order(spec, given.command, given.args, dice.pick("language", ("fr", "en")))
    return Input("message", given.player, text, given.channel)


def _accepted(outcome: Outcome, wanted: Input) -> bool:
    orders = [verdict.order for verdict in outcome.verdicts if verdict.status == "accepted" and verdict.order]
    return len(orders) == 1 and orders[0].command == wanted.command and dump(orders[0].args) == dump(_full(wanted))


def _full(wanted: Input) -> Mapping[str, Any]:
    return {name: value for name, value in wanted.args.items() if value not in ((), [])}


def _nonsense(game: Game, player: str, dice: Dice) -> Input:
    """An order that is most likely illegal: any command, any values, any channel; or chatter."""
    channels: tuple[Channel, ...] = ("private", "public")
    channel = dice.pick("channel", channels)
    if player == GM or dice.chance("chatter", 20):
        return Input("message", dice.pick("who", game.players), dice.pick("noise", NOISE), channel)
    spec = game.variant.spec
    command = spec.commands[dice.pick("command", sorted(spec.commands))]
    args: dict[str, Any] = {}
    for argument in command.args:
        pool = game.players if argument.kind == "player" else sorted(spec.tables.get(argument.words, ("x",)))
        if argument.kind == "text":
            pool = ("coucou",)
        if argument.kind == "number":
            args[argument.name] = dice.pick("number", range(-1, 12))
        else:
            count = dice.pick("values", (0, 1, 1, 1, 2, 3)) if argument.listed else dice.pick("value", (0, 1, 1, 1))
            values = tuple(dice.pick("argument", pool) for _ in range(count))
            if values:
                args[argument.name] = values if argument.listed else values[0]
    if command.actor == "player" and command.id != PASS and dice.chance("typed", 50):
        text = render_order(spec, command.id, args, dice.pick("language", ("fr", "en")))
        return Input("message", player, text, channel)
    return Input("order", player, command=command.id, args=args, channel=channel)


def _gm_line(game: Game, dice: Dice) -> str:
    """A word of the game master that changes the course of the game."""
    player = dice.pick("gm.player", game.players)
    lines = [
        f"retirer {player} parce qu'il ne répond plus",
        f"remplacer {player} par Nestor{game.count} nestor@example.org",
        f"revenir {dice.pick('gm.back', [snapshot.key for snapshot in game.history[-4:]])}",
        "clore",
        f"ordre {player}: rien",
        f"dire à {player}: courage",
        f"corriger {player}.score = 3",
        *(f"{command.canonical('fr')} {player}" for command in _strokes(game)),
    ]
    return dice.pick("gm.line", lines)


def _strokes(game: Game) -> list[Command]:
    """The commands on one player that the game gives its game master."""
    commands = game.variant.spec.commands.values()
    return [command for command in commands if command.actor == "gm" and [a.kind for a in command.args] == ["player"]]


def _common(game: Game, outcome: Outcome, thorough: bool) -> list[str]:
    """What holds for every game: plain data, asks that change nothing and may be printed, saving and loading."""
    found = []
    state = dump(game.state)
    for notice in outcome.notices:
        dump(notice.data)
        if not notice.audience:
            found.append(f"{notice.kind} is told to nobody")
    for player in (*game.players, GM) if thorough else ():
        if game.asks(player) and player not in game.askable:
            found.append(f"{player} is asked, but not among {', '.join(game.askable)}")
        for ask in game.asks(player):
            dump(ask.legal)
            arguments = game.variant.spec.commands[ask.command].args if ask.command != PASS else ()
            for argument in arguments:
                least, most = ask.counts.get(argument.name, (argument.least, argument.most))
                legal = ask.legal.get(argument.name)
                if ask.need == "required" and least and legal == () and argument.kind != "text":
                    found.append(f"{player} owes {ask.command}, but there is nothing to choose from")
                if most and not argument.many and least > most:
                    found.append(f"{ask.command}: {least} to {most} values")
    if thorough and dump(game.state) != state:
        found.append("asking changed the state")
    if thorough:
        saved = json.loads(json.dumps(dump_game(game)))
        loaded = load_game(game.variant, saved)
        if (loaded.state, loaded.standing, loaded.end) != (game.state, game.standing, game.end):
            found.append("saved and loaded, the game is another one")
    return found


def _replayed(name: str, seed: int, log: list[Input], told: list[Outcome]) -> list[str]:
    """The same seed and inputs give the same notices, byte for byte."""
    again, _ = begin(name, seed)
    outcomes = [again]
    for given in log:
        outcomes.append(apply(outcomes[-1].game, given))
    first, second = (json.dumps([dump(notice) for o in run for notice in o.notices]) for run in (told, outcomes))
    return [] if first == second else ["replayed, the notices are others"]


def _shown(given: Input) -> str:
    what = given.text or f"{given.command} {dict(given.args)}"
    return f"[{given.kind} {given.player} {given.channel}: {what!r}]"
