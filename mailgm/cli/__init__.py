"""The command line: each command's module is imported only when it is called, so that start-up stays light."""

from __future__ import annotations

import importlib
import os
import sys

from mailgm import __version__

TYPE_CHECKING = False  # type checkers take it for true; the module `typing` would double the time of `--help`
if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Sequence

# command → (module, one line of help). The module offers `arguments(parser)` and `run(args) -> int`.
COMMANDS = {
    "init": ("mailgm.cli.init", "write a configuration by asking"),
    "doctor": ("mailgm.cli.doctor", "test the configuration, the mailbox and everything around it"),
    "login": ("mailgm.cli.login", "let mailgm use a mailbox at Google or Microsoft, without a password"),
    "demo": ("mailgm.cli.demo", "play a whole game by real mail on this machine"),
    "run": ("mailgm.cli.run", "run the service: read the mailbox, play the games, send the mails"),
    "game": ("mailgm.cli.game", "make, start and look at games"),
    "gm": ("mailgm.cli.gm", "give a game master's orders"),
    "letters": ("mailgm.cli.letters", "look at what came in; take up again what was set aside"),
    "read": ("mailgm.cli.read", "show how a raw message is understood"),
    "verify": ("mailgm.cli.verify", "replay a game's log and compare every notice"),
    "scenario": ("mailgm.cli.scenario", "run scenario files: the rules, as examples"),
    "variant": ("mailgm.cli.variant", "list the games, describe one, check one that you composed"),
    "simulate": ("mailgm.cli.simulate", "play whole games with random players, and count who wins"),
}


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command and return its exit status: 0 all well, 1 it says what is not, 2 wrong usage."""
    given = list(sys.argv[1:] if argv is None else argv)
    name = next((word for word in given if not word.startswith("-")), "")
    if not name and {"-h", "--help"} & set(given):
        # Without argparse, whose import alone takes as long as Python's start.
        from mailgm.phrases import overview

        print(overview())
        return 0
    args = _arguments(given, name)
    try:
        result: int = importlib.import_module(COMMANDS[args.command][0]).run(args)
    except KeyboardInterrupt:
        return 130
    except BrokenPipeError:
        # The reader of a pipe has seen enough; nothing is left to be flushed at the end either.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except Exception as error:  # noqa: BLE001 - the last resort of a command, which tells it to its reader
        from mailgm.cli.errors import report

        return report(error, args.command, debug=args.debug)
    return result


def _arguments(given: Sequence[str], name: str) -> Namespace:
    """The command line taken apart; only the module of the command `name` is asked for its arguments."""
    from mailgm.cli.help import Parser

    parser = Parser(prog="mailgm", usage="mailgm [--debug] COMMAND …", add_help=False)
    parser.add_argument("--debug", action="store_true")
    parser.add_argument("--version", action="version", version=f"mailgm {__version__}")
    commands = parser.add_subparsers(dest="command", metavar="COMMAND", required=True, prog="mailgm")
    for command, (module, about) in COMMANDS.items():
        sub = commands.add_parser(command, help=about, description=about)
        if command == name:
            importlib.import_module(module).arguments(sub)
    return parser.parse_args(given)
