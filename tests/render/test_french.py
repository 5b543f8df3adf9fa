"""French as it is written: accents, spaces, vous; a list of slips that slip in."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from mailgm.shipped import shipped

FRENCH = sorted(file for file in (shipped("templates") / "fr").rglob("*.md"))
ENGLISH = sorted(file for file in (shipped("templates") / "en").rglob("*.md"))

SLIPS = {
    r"\b(ete|deja|tres|apres|meme|etes|etre|role|regles?|terminee?|equipe|derniere|premiere|piece|geoles|cle)\b": "é è",
    r"\b(tu|toi|ton|tes|te)\b": "on vouvoie",
    r"\boeuvre|\bcoeur|\bsoeur|\boeil\b": "œ",
    r"[^\s«(>]{1}[;!?](?<!\w[;!?]\w)(?<=[a-zà-ÿ][;!?])": "une espace avant ; ! ?",
    r"«\S|\S»": "une espace dans les guillemets",
    r"\s,": "pas d'espace avant une virgule",
    r"[a-zà-ÿ]:(?=\s)": "une espace avant les deux-points",
    r"\bmalgré que\b|\bau niveau de\b|\bafin de pouvoir\b": "une tournure plus simple",
    r"[“”]": "des guillemets français",
    r"\b(prêt|sûr|averti|prévenu|mort|mordu|invité)\(e\)": "pas de (e)",
}


def words(file: Path) -> str:
    """The words of a template: no Jinja, no code, no comment."""
    text = re.sub(r"\{#.*?#\}", "", file.read_text("utf-8"), flags=re.DOTALL)
    text = re.sub(r"\{\{.*?\}\}", "X", re.sub(r"\{%.*?%\}", "", text))
    return re.sub(r"`[^`]*`", "x", text)


@pytest.mark.parametrize("pattern", SLIPS)
def test_no_slip(pattern: str) -> None:
    found = [f"{file.name}: {m.group()!r}" for file in FRENCH for m in re.finditer(pattern, words(file), re.IGNORECASE)]
    assert not found, (SLIPS[pattern], found)


def test_the_lint_finds_what_it_looks_for() -> None:
    """Each slip, once, so that a pattern that matches nothing is noticed."""
    bad = ["il a ete vu", "deja", "tu joues", "le coeur", "vraiment!", "«non»", "Ana , Bob", "Bob: oui", "malgré que",
           "“oui”", "prêt(e)"]  # fmt: skip
    for text in bad:
        assert any(re.search(pattern, text, re.IGNORECASE) for pattern in SLIPS), text


@pytest.mark.parametrize("file", ENGLISH, ids=lambda file: file.name)
def test_english_has_no_french_in_it(file: Path) -> None:
    text = words(file)
    assert not re.search(r"[«»]|\b(vous|joueur|partie|échéance)\b| [:;!?](?=\s)", text), file
