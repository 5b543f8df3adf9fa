"""All scenarios of the repository hold, one test each."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import pytest

from mailgm.engine.scenario import run
from mailgm.loader import Library

FOLDER = Path(__file__).resolve().parent.parent / "scenarios"
FILES = sorted(FOLDER.rglob("*.toml"))


@cache
def _library() -> Library:
    return Library()


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_scenario_holds(path: Path) -> None:
    scenario = tomllib.loads(path.read_text(encoding="utf-8"))
    chosen = _library().preset(scenario["variant"])
    report = run(scenario, chosen.variant, chosen.options)
    assert not report.failures, "\n".join(report.failures)
    assert not report.warnings, "\n".join(report.warnings)
