"""`mailgm demo`: a whole game by real mail on this machine, with players who are programs."""

from __future__ import annotations

import argparse
import logging
from pathlib import Path

from mailgm.cli.common import fail
from mailgm.engine.said import say, sentence


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("--game", default="dracula", metavar="ID", help="what is played (dracula)")
    parser.add_argument("--players", type=int, metavar="N", help="how many play (as many as suit the game best)")
    parser.add_argument("--rounds", type=int, default=1, metavar="N", help="rounds, in games that have them (1)")
    parser.add_argument(
        "--out", type=Path, default=Path("demo-out"), metavar="DIR", help="where the pages go (demo-out)"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of what the players do (1)")
    parser.add_argument("--lang", default="fr", choices=("fr", "en"), help="language (fr)")


def run(args: argparse.Namespace) -> int:
    """Play and show; 0 only if the game ended, every message got its reply and no mail is left."""
    from mailgm.demo.play import NAMES, Plan, demonstrate
    from mailgm.demo.show import Show
    from mailgm.loader import Library, UnknownVariant
    from mailgm.service.create import NewGameError

    logging.basicConfig(level=logging.ERROR)
    try:
        chosen = Library().preset(args.game)
        players = chosen.variant.spec.recommended if args.players is None else args.players
        if not 1 <= players <= len(NAMES):
            return fail(say("--players takes 1 to {most}", most=len(NAMES)))
        plan = Plan(args.game, players, args.rounds, args.out, args.seed, args.lang)
        with Show(chosen.title[args.lang]) as show:
            account = demonstrate(plan, show)
    except (NewGameError, UnknownVariant) as error:
        return fail(sentence(error))
    show.close(account, str((args.out / "index.html").resolve()))
    return 1 if account.faults else 0
