"""`mailgm doctor`: tests the installation, one line a part; what is wrong comes with what to do."""

from __future__ import annotations

import argparse
import logging

from mailgm.cli.common import config_argument, configuration
from mailgm.phrases import locale_language


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    config_argument(parser)
    parser.add_argument("--lang", choices=("fr", "en"), help="language of the report (that of the locale)")
    parser.add_argument(
        "--wait", type=float, default=90.0, metavar="SECONDS", help="how long its mail to itself may take (90)"
    )


def run(args: argparse.Namespace) -> int:
    """Test everything and print it; 0 only if all is well."""
    from rich.console import Console

    from mailgm.service.doctor import examine
    from mailgm.service.said import told, word

    # What the mail code has to say is in the findings.
    logging.basicConfig(level=logging.CRITICAL)
    console = Console(soft_wrap=True, highlight=False)
    colours = {"ok": "green", "wrong": "red", "untested": "yellow", "note": "blue"}
    well = True
    lang = args.lang or locale_language()
    for finding in examine(configuration(args), args.config, wait=args.wait, lang=lang):
        console.print(f"[{colours[finding.status]}]{word(finding.status, lang):9}[/]", end=" ")
        advice = f". {told(finding.advice, lang)}" if finding.advice else ""
        colon = " : " if lang == "fr" else ": "
        text = told(finding.text, lang).rstrip(".")
        console.print(f"{word(finding.check, lang)}{colon}{text}{advice}", markup=False)
        well = well and finding.status in ("ok", "note")
    return 0 if well else 1
