"""`mailgm verify NAME`: replays the whole log and says whether every notice comes out identical."""

from __future__ import annotations

import argparse

from mailgm.cli.common import config_argument, context, put, reveal_argument
from mailgm.cli.help import phrase


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("name", help="the game")
    config_argument(parser)
    reveal_argument(parser)


def run(args: argparse.Namespace) -> int:
    """Replay and report; 0 if everything is identical."""
    from mailgm.engine import commitment
    from mailgm.service import blind
    from mailgm.service.verify import verify

    ctx = context(args)
    report = verify(ctx, args.name)
    with ctx.db.read() as tx:
        live = ctx.load(tx, args.name, for_update=False)
    hidden = blind.hides(live, args.reveal)
    shown = report.phases
    if hidden:
        # Which silent phases took place may be a secret: each counts with the announced one before it.
        shown = {}
        for phase, result in report.phases.items():
            key = blind.phase_key(live, phase)
            shown[key] = result if shown.get(key, "identical") == "identical" else shown[key]
    for phase, result in shown.items():
        print(f"{phase:28} {phrase(result)}")
    for n, then, now in report.differences:
        if hidden:
            put("input {n} differs", n=n)
        else:
            put("input {n} told\n  {then}\nand tells now\n  {now}", n=n, then=then, now=now)
    put("the seed's SHA-256 is {sha256}", sha256=commitment(live.record.seed))
    if report.identical:
        put("every notice comes out identical")
    else:
        put("inputs that differ: {count}", count=len(report.differences))
    return 0 if report.identical else 1
