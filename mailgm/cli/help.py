"""The help of the commands in the reader's language."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from typing import Any

from mailgm.phrases import locale_language, phrases


def phrase(text: str) -> str:
    """A phrase that never changes (a line of help, a status) in the language of whoever reads the screen."""
    return phrases(locale_language()).get(text, text)


class Parser(argparse.ArgumentParser):
    """An ArgumentParser whose help, and that of its subcommands, speaks the reader's language."""

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **{"formatter_class": _Formatter, **settings})


class _Formatter(argparse.HelpFormatter):
    def _get_help_string(self, action: argparse.Action) -> str | None:
        return phrase(action.help) if action.help else action.help

    def start_section(self, heading: str | None) -> None:
        super().start_section(phrase(heading) if heading else heading)

    def add_text(self, text: str | None) -> None:
        super().add_text(phrase(text) if text and text is not argparse.SUPPRESS else text)

    def add_usage(
        self,
        usage: str | None,
        actions: Iterable[argparse.Action],
        groups: Iterable[Any],
        prefix: str | None = None,
    ) -> None:
        super().add_usage(usage, actions, groups, phrase("usage: ") if prefix is None else prefix)
