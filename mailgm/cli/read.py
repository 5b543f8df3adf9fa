"""`mailgm read FILE...`: how a raw message is understood, by the same code as the service's."""

from __future__ import annotations

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from mailgm.cli.common import config_argument, context, fail, reveal_argument
from mailgm.engine.said import say


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("files", nargs="+", type=Path, metavar="FILE", help="a raw message (.eml); - is standard input")
    parser.add_argument("--json", action="store_true", help="print JSON")
    parser.add_argument(
        "--as", dest="player", metavar="NAME", help="as if this player had sent it: adds the orders found"
    )
    parser.add_argument("--game", metavar="NAME", help="the game whose orders are looked for")
    reveal_argument(parser)
    config_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Print what is understood of each file."""
    from mailgm.mail.reader import describe, read

    if bool(args.player) != bool(args.game):
        return fail(say("--as NAME and --game NAME go together"))
    if args.game and not args.reveal and _hidden(args):
        hidden = "what {player} may do is hidden, for the game master of {game} plays too; --reveal shows it"
        return fail(say(hidden, player=args.player, game=args.game))
    found = []
    for file in args.files:
        try:
            raw = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
        except OSError as error:
            return fail(f"{file}: {error.strerror}")
        letter = read(raw)
        entry: dict[str, Any] = {"file": str(file), **describe(letter)}
        if args.game:
            entry["orders"] = _orders(args, letter.new_text)
        found.append(entry)
    if args.json:
        print(json.dumps(found if len(found) > 1 else found[0], ensure_ascii=False, indent=2))
    else:
        for entry in found:
            for key, value in entry.items():
                print(f"{key}: {value}")
            print()
    return 0


def _hidden(args: argparse.Namespace) -> bool:
    """Whether the game hides its players' orders from its master: what would be taken tells a role."""
    ctx = context(args)
    with ctx.db.read() as tx:
        return ctx.load(tx, args.game, for_update=False).settings.blind


def _orders(args: argparse.Namespace, text: str) -> list[dict[str, Any]]:
    """What the running phase of a game would make of a text; nothing is written."""
    from mailgm.engine import Input, apply
    from mailgm.engine.plain import dump

    ctx = context(args)
    with ctx.db.read() as tx:
        game = ctx.load(tx, args.game, for_update=False).running
    outcome = apply(game, Input("message", player=args.player, text=text))
    return [
        {
            "line": verdict.line,
            "status": verdict.status,
            "command": verdict.command,
            "args": dump(verdict.order.args) if verdict.order else {},
            "code": verdict.code,
        }
        for verdict in outcome.verdicts
    ]
