"""Sentences for whoever runs a game: written in English where they are found, told in the reader's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any


class Said(str):
    """A sentence that knows how it was made, so that it can be told in another language.

    template: "" where `values` are the sentence in each language.
    """

    template: str
    values: Mapping[str, Any]


def say(template: str, /, **values: Any) -> Said:
    """The sentence of a template in English.

    values: what stands in its braces; a Said among them is told too, and so is what an error of ours says.
    """
    plain = {name: sentence(value) if isinstance(value, BaseException) else value for name, value in values.items()}
    said = Said(template.format(**plain))
    said.template, said.values = template, plain
    return said


def named(names: Mapping[str, str]) -> Said:
    """What has a name of its own in each language, as in a variant's labels: language → name, English among them."""
    said = Said(names["en"])
    said.template, said.values = "", names
    return said


def sentence(error: BaseException) -> str:
    """What an error says, still to be told: `str` would forget how it was made."""
    return error.args[0] if error.args and isinstance(error.args[0], Said) else str(error)


def joined(parts: Iterable[str], between: str = "\n") -> Said:
    """Sentences one after the other, each to be told on its own."""
    values = {f"part{place}": part for place, part in enumerate(parts)}
    return say(between.replace("{", "{{").replace("}", "}}").join(f"{{{name}}}" for name in values), **values)
