"""`mailgm letters list|show|retry`: what came in, above all what was set aside."""

from __future__ import annotations

import argparse
import sys

from mailgm.cli.common import config_argument, context, fail, put, reveal_argument
from mailgm.cli.help import phrase
from mailgm.engine.said import say


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    listed = actions.add_parser("list", help="the latest letters, newest last")
    listed.add_argument("--state", choices=("stored", "handled", "aside"), help="only those")
    listed.add_argument("--last", type=int, default=50, metavar="N", help="only the last N (50)")
    show = actions.add_parser("show", help="one letter, raw")
    show.add_argument("id", type=int)
    for action in (listed, show):
        reveal_argument(action)
    retry = actions.add_parser("retry", help="take letters up again that were set aside")
    retry.add_argument("id", type=int, nargs="*", help="which (all of them)")
    for action in (listed, show, retry):
        config_argument(action)


def run(args: argparse.Namespace) -> int:
    """Carry out the action."""
    from mailgm.service import blind
    from mailgm.store import letters

    ctx = context(args)
    if args.action == "retry":
        with ctx.db.write() as tx:
            found = letters.retry(tx, args.id or None)
        which = ", ".join(map(str, found)) or say("none")
        put("{count} letters will be handled again by the running service: {which}", count=len(found), which=which)
        missing = sorted(set(args.id) - set(found))
        return fail(say("not set aside: {which}", which=", ".join(map(str, missing)))) if missing else 0
    with ctx.db.read() as tx:
        if args.action == "show":
            letter = letters.get(tx, args.id)
            if not args.reveal and blind.letter_hidden(ctx, tx, letter.game_id):
                hidden = "letter {id} belongs to a game whose game master plays too; --reveal shows it"
                return fail(say(hidden, id=args.id))
            sys.stdout.buffer.write(_fit_for_screen(letter.raw) if sys.stdout.isatty() else letter.raw)
            return 0
        for letter in reversed(letters.find(tx, state=args.state, limit=args.last)):
            sender, said = letter.sender, letter.error or letter.code
            if not args.reveal and letter.code != "gm" and blind.letter_hidden(ctx, tx, letter.game_id):
                sender, said = blind.HIDDEN, letter.error.partition(":")[0] or letter.code
            print(f"{letter.id:6} {letter.arrived_at:%Y-%m-%d %H:%M:%S} {phrase(letter.state):10} {sender:30} {said}")
    return 0


def _fit_for_screen(raw: bytes) -> bytes:
    """A raw message without the control bytes that a terminal would obey."""
    return raw.translate(None, bytes({*range(32), 127} - {9, 10, 13}))
