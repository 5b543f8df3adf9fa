"""Orders in the game's own words: the canonical text of an order, which the parser reads back as the same order.

Used in mails ("you can write…"), in hints and by players that are programs.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine.habits import PASS_WORDS
from mailgm.engine.model import PASS
from mailgm.engine.spec import Argument, Spec


def render_order(spec: Spec, command: str, args: Mapping[str, Any], lang: str) -> str:
    """The canonical text of an order: "valser Chloé : méfiez-vous", "go ballroom", "pieu Ana, Bob".

    args: argument name → value as in `Order.args`; arguments left out are not written. lang: "fr" or "en"; a language
    that the vocabulary does not have falls back on the one it has. Raises KeyError for a command that does not exist.
    """
    if command == PASS and PASS not in spec.commands:
        return PASS_WORDS.get(lang, PASS_WORDS["fr"])[0]
    shape = spec.commands[command]
    text = shape.canonical(lang)
    for argument in shape.args:
        if argument.name not in args:
            continue
        value = args[argument.name]
        if argument.kind == "text":
            return f"{text}{' :' if lang == 'fr' else ':'} {' '.join(str(value).split())}"
        values = value if isinstance(value, (list, tuple)) else (value,)
        if values:
            text += " " + ", ".join(render_value(spec, argument, one, lang) for one in values)
    return text


def render_value(spec: Spec, argument: Argument, value: Any, lang: str) -> str:
    """One value as people type it: a name as it is, a choice by its canonical phrase."""
    if argument.kind != "choice":
        return str(value)
    phrases = spec.choices[argument.words][str(value)]
    words = phrases.get(lang) or next(iter(phrases.values()))
    return words[0]
