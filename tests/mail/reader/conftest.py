"""The corpora are no part of this repository: tests that need them are skipped where they are not."""

from __future__ import annotations

import corpora
import pytest


@pytest.fixture
def corpus() -> None:
    """Skips when the mail corpora are absent (environment MAILGM_CORPUS)."""
    if not corpora.ROOT.exists():
        pytest.skip(f"no mail corpora at {corpora.ROOT.name}; set MAILGM_CORPUS to their folder")
