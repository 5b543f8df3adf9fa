"""docs/security.md names a test for every threat; each of them exists."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
NAMED = sorted(set(re.findall(r"`(tests/[\w/]+\.py)::(\w+)`", (ROOT / "docs/security.md").read_text("utf-8"))))


@pytest.mark.parametrize(("file", "test"), NAMED)
def test_every_test_that_the_page_names_exists(file: str, test: str) -> None:
    assert re.search(rf"^(?:async )?def {test}\(", (ROOT / file).read_text("utf-8"), re.MULTILINE)


def test_the_page_names_tests() -> None:
    assert len(NAMED) > 25
