"""`mailgm variant list|show|check`: the games there are, one in words, and the check of a composed one."""

from __future__ import annotations

import argparse
import os
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from mailgm.cli.common import fail, put, tell
from mailgm.cli.help import phrase
from mailgm.cli.simulate import Plan, names, simulate
from mailgm.engine import SetupError, start
from mailgm.engine.said import say, sentence
from mailgm.loader import Library, Preset, UnknownVariant
from mailgm.phrases import locale_language

# For which numbers of players the cards are shown.
COUNTS = range(8, 21)


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    shared = argparse.ArgumentParser(add_help=False)
    shared.add_argument(
        "--variants", type=Path, action="append", default=[], help="a folder of variants, searched first"
    )
    words = parser.add_subparsers(dest="word", metavar="list|show|check", required=True)
    words.add_parser("list", parents=[shared], help="all games and presets")
    show = words.add_parser("show", parents=[shared], help="one game: players, options, course, cards")
    show.add_argument("game", metavar="GAME", help="the id of a game or of a preset")
    check = words.add_parser("check", parents=[shared], help="check a composed game, and play it with random players")
    check.add_argument("file", type=Path, metavar="FILE", help="a TOML file of the form of a preset")
    check.add_argument("--variant", default="", metavar="ID", help="whose preset it is, where that is not clear")
    check.add_argument("--players", type=int, metavar="P", help="how many play the random games")
    check.add_argument("-n", type=int, default=1000, metavar="N", dest="games", help="how many games (default: 1000)")
    check.add_argument("--seed", default="1", metavar="S", help="the same seed plays the same games (default: 1)")
    check.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="how many processes")


def run(args: argparse.Namespace) -> int:
    """Carry the word out. 0: all well; 1: it says what is wrong and where."""
    library = Library(args.variants)
    try:
        if args.word == "list":
            return _list(library)
        if args.word == "show":
            return _show(library.preset(args.game))
        return _check(library, args)
    except UnknownVariant as error:
        return fail(say("mailgm variant: {error}", error=error))
    except OSError as error:
        return fail(say("{path} cannot be read: {error}", path=args.file, error=error.strerror))
    except SetupError as error:
        if args.word == "check" and str(args.file) != error.key:
            return fail(say("{name}, {fault}", name=str(args.file), fault=sentence(error)))
        return fail(sentence(error))


def _list(library: Library) -> int:
    table = Table(*map(phrase, ("id", "French", "English", "players")))
    for name in library.ids():
        spec = library.variant(name).spec
        table.add_row(name, *_titles(spec.title), f"{spec.least}–{spec.most}")
        for preset in sorted(spec.presets):
            table.add_row(f"  {preset}", *_titles(library.preset(preset).title), "")
    Console().print(table)
    return 0


def _titles(title: Mapping[str, str]) -> tuple[str, str]:
    return title.get("fr", ""), title.get("en", "")


def _show(chosen: Preset) -> int:
    console = Console()
    spec = chosen.variant.spec
    put("{name}: {title}", name=chosen.id, title=" / ".join(_titles(chosen.title)))
    size = {"least": spec.least, "most": spec.most, "best": spec.recommended}
    if spec.step > 1:
        put("{least} to {most} players by {step}, best {best}", **size, step=spec.step)
    else:
        put("{least} to {most} players, best {best}", **size)
    if spec.presets and not chosen.options:
        put("presets: {names}", names=", ".join(sorted(spec.presets)))
    options = chosen.variant.options(chosen.options) if chosen.options or not spec.presets else {}
    table = Table(phrase("option"), phrase("value" if options else "default"), phrase("takes"))
    for key, option in sorted(spec.options.items()):
        value = options.get(key, option.default)
        if not isinstance(value, (Mapping, list, tuple)) or not value:
            table.add_row(key, _plain(value), tell(option.expected()))
    console.print(table)
    if options:
        _tell(console, chosen, options)
    return 0


def _plain(value: Any) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value or "")


def _check(library: Library, args: argparse.Namespace) -> int:
    chosen = library.composed(args.file, args.variant)
    options = chosen.variant.options(chosen.options)
    players = args.players or _fitting(chosen, options)
    # Whatever else is wrong with this number of players is said before a word is printed.
    start(chosen.variant, names(players), chosen.options, str(args.seed))
    _tell(Console(), chosen, options)
    plan = Plan(tuple(args.variants), chosen.id, names(players), chosen.options, str(args.seed))
    simulate(plan, chosen, args.games, args.jobs)
    return 0


def _fitting(chosen: Preset, options: Mapping[str, Any]) -> int:
    """The number of players for the random games: the recommended one, else the nearest that the cards fit."""
    spec = chosen.variant.spec
    counts = sorted(range(spec.least, spec.most + 1, spec.step), key=lambda count: abs(count - spec.recommended))
    for count in counts:
        try:
            chosen.variant.cards(options, count)
        except SetupError:
            continue
        return count
    return spec.recommended


def _tell(console: Console, chosen: Preset, options: Mapping[str, Any]) -> None:
    """The course of the game, and its cards by number of players."""
    for line in chosen.variant.outline(options, _fitting(chosen, options)):
        console.print(tell(line), highlight=False)
    rows = list(_cards(chosen, options))
    if any(cards for _, cards in rows):
        table = Table(phrase("players"), phrase("cards"))
        for count, cards in rows:
            table.add_row(str(count), cards)
        console.print(table)


def _cards(chosen: Preset, options: Mapping[str, Any]) -> Iterator[tuple[int, str]]:
    spec, lang = chosen.variant.spec, locale_language()
    for count in COUNTS:
        if not spec.least <= count <= spec.most or (count - spec.least) % spec.step:
            continue
        try:
            cards = chosen.variant.cards(options, count)
        except SetupError as error:
            yield count, tell(say("not possible: {error}", error=error))
            continue
        yield count, ", ".join(_counted(_bare(spec.label(card, lang)), number) for card, number in cards.items())


def _counted(card: str, number: int) -> str:
    return card if number == 1 else f"{card} ×{number}"


def _bare(label: str) -> str:
    """The name of a card without its article."""
    return re.sub(r"^(?:the |le |la |l')", "", label, flags=re.IGNORECASE)
