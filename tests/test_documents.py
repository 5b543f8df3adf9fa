"""What the documents tell people to type can be typed, and what they point to is there."""

from __future__ import annotations

import importlib
import re
import shlex
from pathlib import Path

import pytest

from mailgm.cli import COMMANDS, main

ROOT = Path(__file__).parents[1]
PAGES = [ROOT / "README.md", ROOT / "README.fr.md", *sorted((ROOT / "docs").glob("*.md"))]


def lines_to_type(tool: str) -> list[tuple[str, str]]:
    """(page, line) of every `$ tool …` in the documents."""
    found = []
    for page in PAGES:
        for line in re.findall(rf"^ *\$ ({tool} [^\n]*)", page.read_text(encoding="utf-8"), flags=re.M):
            found.append((page.name, line.partition("  #")[0]))
    return found


@pytest.mark.parametrize(("page", "line"), lines_to_type("mailgm"))
def test_every_command_of_the_documents_is_one(page: str, line: str, monkeypatch: pytest.MonkeyPatch) -> None:
    words = [word for word in shlex.split(line)[1:] if word != "…"]
    module = importlib.import_module(COMMANDS[words[0]][0])
    monkeypatch.setattr(module, "run", lambda args: 0)
    assert main(words) == 0


@pytest.mark.parametrize(("page", "line"), lines_to_type("make"))
def test_every_make_target_of_the_documents_is_one(page: str, line: str) -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    assert f"\n{line.split()[1]}:" in makefile


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_link_leads_somewhere(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
        assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_no_document_holds_a_path_of_somebody_s_machine() -> None:
    for page in PAGES:
        assert not re.search(r"/(root|work|tmp|home)/", page.read_text(encoding="utf-8")), page.name
