"""What the commands say: written in English where it is found, told in the language of whoever reads it."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import cache
from typing import Any

from mailgm.loader import shipped


class Said(str):
    """A sentence that knows how it was made, so that it can be told in another language."""

    template: str
    values: Mapping[str, Any]


def say(template: str, /, **values: Any) -> Said:
    """The sentence of a template in English, for `told`. values: what stands in its braces; a Said is told too."""
    said = Said(template.format(**values))
    said.template, said.values = template, values
    return said


def told(text: str, lang: str) -> str:
    """A text in a language, "fr" or "en". What `say` has not made (a server's own words) stays as it is."""
    if not isinstance(text, Said):
        return text
    words = phrases(lang).get(text.template, text.template)
    return words.format(
        **{name: told(value, lang) if isinstance(value, str) else value for name, value in text.values.items()}
    )


def word(name: str, lang: str) -> str:
    """The name of a check or of a status, in a language."""
    return phrases(lang).get(name, name)


@cache
def phrases(lang: str) -> Mapping[str, str]:
    """Template in the code → template of the language: `templates/<lang>/common/shell.toml`."""
    file = shipped("templates") / lang / "common" / "shell.toml"
    return {str(english): str(words) for english, words in tomllib.loads(file.read_text("utf-8")).items()}
