"""`mailgm run`: the service, until it is told to stop."""

from __future__ import annotations

import argparse
import logging

from mailgm.cli.common import config_argument, configuration


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    config_argument(parser)
    parser.add_argument("--verbose", action="store_true", help="log every letter")


def run(args: argparse.Namespace) -> int:
    """Run until SIGINT or SIGTERM."""
    from mailgm.service.ready import require
    from mailgm.service.run import run_until_signal

    logging.basicConfig(
        level=logging.INFO if args.verbose else logging.WARNING,
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    config = configuration(args)
    require(config)
    run_until_signal(config)
    return 0
