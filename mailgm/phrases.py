"""The sentences of the commands in each language: `templates/<lang>/common/shell/`."""

from __future__ import annotations

import os
from functools import cache

from mailgm.shipped import folder, shipped

TYPE_CHECKING = False  # as in mailgm.shipped
if TYPE_CHECKING:
    from collections.abc import Mapping


def locale_language() -> str:
    """French where the locale is, else English."""
    locale = next((value for key in ("LC_ALL", "LC_MESSAGES", "LANG") if (value := os.environ.get(key))), "")
    return "fr" if locale.lower().startswith("fr") else "en"


def overview() -> str:
    """What `mailgm --help` says in the reader's language."""
    file = os.path.join(folder("templates"), locale_language(), "common", "shell", "overview.txt")
    with open(file, encoding="utf-8") as opened:
        return opened.read().rstrip("\n")


@cache
def phrases(lang: str) -> Mapping[str, str]:
    """Template in the code → template of the language."""
    import tomllib

    files = sorted((shipped("templates") / lang / "common" / "shell").glob("*.toml"))
    return {
        str(english): str(words) for file in files for english, words in tomllib.loads(file.read_text("utf-8")).items()
    }
