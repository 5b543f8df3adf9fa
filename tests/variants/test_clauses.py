"""Every clause of a rulebook is shown by a scenario that names it, or by a test whose docstring does."""

from __future__ import annotations

import ast
import os
import re
import tomllib
from functools import cache
from pathlib import Path

import pytest

from mailgm.loader import Library

TESTS = Path(__file__).resolve().parent.parent
LISTS = sorted((TESTS / "variants" / "clauses").glob("*.txt"))
RULES = Path(os.environ.get("MAILGM_RULES", TESTS.parent.parent / "shared" / "rules"))

# "* R12 …", "- R12. …", "* **R12** …" at the head of a line of the rulebook.
_CLAUSE = re.compile(r"^\s*[*-]\s+(?:\*\*)?(R\d+)\b", re.MULTILINE)


@cache
def _library() -> Library:
    return Library()


def _listed(path: Path) -> list[str]:
    return path.read_text(encoding="utf-8").split()


def _shown_by_scenarios(variant: str) -> set[str]:
    shown: set[str] = set()
    for file in (TESTS / "scenarios").rglob("*.toml"):
        scenario = tomllib.loads(file.read_text(encoding="utf-8"))
        if _library().preset(scenario["variant"]).variant.id == variant:
            shown.update(scenario.get("rules", ()))
    return shown


def _shown_by_tests(variant: str) -> set[str]:
    """The clauses that docstrings of test functions name: "dracula R42", or "dracula R42, R43"."""
    named = re.compile(rf"\b{re.escape(variant)} ((?:R\d+(?:, | and )?)+)")
    shown: set[str] = set()
    for file in TESTS.rglob("test_*.py"):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef) and node.name.startswith("test_"):
                for found in named.findall(ast.get_docstring(node) or ""):
                    shown.update(re.findall(r"R\d+", found))
    return shown


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_every_clause_has_a_scenario_or_a_test(path: Path) -> None:
    shown = _shown_by_scenarios(path.stem) | _shown_by_tests(path.stem)
    missing = [clause for clause in _listed(path) if clause not in shown]
    assert not missing, f"{path.stem}: no scenario and no test names {', '.join(missing)}"


@pytest.mark.parametrize("path", LISTS, ids=lambda path: path.stem)
def test_the_committed_list_is_that_of_the_rulebook(path: Path) -> None:
    rulebook = RULES / f"{path.stem}.md"
    if not rulebook.is_file():
        pytest.skip(f"{rulebook} is not there: set MAILGM_RULES to the folder of the rulebooks")
    clauses = dict.fromkeys(_CLAUSE.findall(rulebook.read_text(encoding="utf-8")))
    assert sorted(_listed(path)) == sorted(clauses)
