"""`mailgm scenario FILE_OR_FOLDER...`: exit status 0 if every scenario holds."""

from __future__ import annotations

import argparse
import json
import tomllib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mailgm.cli.common import put
from mailgm.engine import scenario as engine
from mailgm.engine.model import SetupError
from mailgm.engine.scenario import Report
from mailgm.loader import Library, UnknownVariant


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="a scenario file, or a folder of them")
    parser.add_argument("--json", action="store_true", help="print the reports as JSON")
    parser.add_argument(
        "--variants", type=Path, action="append", default=[], help="a folder of variants, searched first"
    )


def run(args: argparse.Namespace) -> int:
    """Run the scenarios and print what fails."""
    library = Library(args.variants)
    reports = [(path, _report(path, library)) for path in files(args.paths)]
    failed = [path for path, report in reports if not report.holds]
    if args.json:
        print(json.dumps([_plain(path, report) for path, report in reports], ensure_ascii=False, indent=2))
    else:
        for path, report in reports:
            for failure in report.failures:
                print(f"{path}: {failure}")
            for warning in report.warnings:
                put("{path}: warning: {warning}", path=path, warning=warning)
        put("{held} of {count} scenarios hold", held=len(reports) - len(failed), count=len(reports))
    return 1 if failed or not reports else 0


def files(paths: list[Path]) -> Iterator[Path]:
    """The scenario files named, folders searched all the way down, in a fixed order."""
    for path in paths:
        if path.is_dir():
            yield from sorted(path.rglob("*.toml"))
        else:
            yield path


def _report(path: Path, library: Library) -> Report:
    try:
        with path.open("rb") as file:
            scenario = tomllib.load(file)
        chosen = library.preset(scenario["variant"])
    except KeyError as error:
        return Report(path.stem, [f"cannot be read: the key {error} is missing"])
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError, UnknownVariant, SetupError) as error:
        return Report(path.stem, [f"cannot be read: {error}"])
    return engine.run(scenario, chosen.variant, chosen.options)


def _plain(path: Path, report: Report) -> dict[str, Any]:
    return {
        "file": str(path),
        "id": report.id,
        "holds": report.holds,
        "failures": report.failures,
        "warnings": report.warnings,
    }
