"""What the commands say, told in the language of whoever reads it."""

from __future__ import annotations

from mailgm.engine.said import Said
from mailgm.phrases import phrases


def told(text: str, lang: str) -> str:
    """A text in a language, "fr" or "en". What `say` has not made (a server's own words) stays as it is."""
    if not isinstance(text, Said):
        return text
    if not text.template:
        return str(text.values.get(lang, text))
    words = phrases(lang).get(text.template, text.template)
    return words.format(
        **{name: told(value, lang) if isinstance(value, str) else value for name, value in text.values.items()}
    )


def word(name: str, lang: str) -> str:
    """The name of a check or of a status, in a language."""
    return phrases(lang).get(name, name)
