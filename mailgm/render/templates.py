"""Finds templates and fills them in: language/preset, language/variant, language/common, the user's folders first."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from jinja2 import BaseLoader, Environment, StrictUndefined, TemplateNotFound, TemplateSyntaxError, meta, nodes
from markupsafe import Markup

from mailgm.engine.said import say
from mailgm.render.values import protect
from mailgm.render.words import capitalised

# They make Markup of a value, which would then reach Markdown as syntax.
_UNSAFE_FILTERS = ("e", "escape", "forceescape", "safe", "tojson", "urlize", "xmlattr")


_END = "\n"
_INCLUDE = re.compile(r'\{% include "([^"]+)" %\}')

PERSONAL = frozenset({"reader", "mine"})
"""Words of a template's context that differ from reader to reader; `when` differs by time zone only."""

SHARED = frozenset({"name", "players", "preset", "title", "options", "phase", "paused", "over"})
"""What the word `game` has that is the same for every reader."""

MOST_KEPT = 512


class MissingTemplate(LookupError):
    """There is no template of that name; the message says where it was looked for."""


@dataclass(frozen=True, slots=True)
class Needs:
    """What a template reads: words of its context, and of the word `game` its fields."""

    words: tuple[str, ...]
    game: tuple[str, ...]


class Shelf(BaseLoader):
    """The templates of one language for one game; a name is a path without `.md`, the nearest folder wins."""

    def __init__(self, roots: Sequence[Path], lang: str, folders: Sequence[str]) -> None:
        """roots: template folders, the user's first. folders: preset, variant, "common", those that there are."""
        self.lang = lang
        self.places = [root / lang / folder for folder in dict.fromkeys(folders) for root in roots if folder]
        self._environment = Environment(
            loader=self,
            undefined=StrictUndefined,
            autoescape=True,
            finalize=protect,
            trim_blocks=True,
            lstrip_blocks=True,
            auto_reload=False,
        )
        self._needs: dict[str, Needs | None] = {}
        self.kept: dict[tuple[Any, ...], Markup] = {}
        self._environment.filters["capitalised"] = capitalised
        for name in _UNSAFE_FILTERS:
            del self._environment.filters[name]

    def get_source(self, environment: Environment, template: str) -> tuple[str, str, Callable[[], bool]]:
        """For Jinja: a template with those that it includes by name put in their places. Raises TemplateNotFound."""
        file = self.find(template)
        if file is None:
            raise TemplateNotFound(template)
        return self._whole(file, ()), str(file), lambda: True

    def _whole(self, file: Path, within: tuple[Path, ...]) -> str:
        """Its source; an included template costs Jinja a context of its own each time, and a frame includes seven."""

        def put_in(match: re.Match[str]) -> str:
            included = self.find(match[1])
            if included is None or included in within or included == file:
                return match[0]
            # What it sets stays within it, as it does for an include. The line feed after a tag is not printed.
            source = self._whole(included, (*within, file))
            return f"{{% with %}}\n{source.removesuffix(_END)}{{% endwith %}}"

        return _INCLUDE.sub(put_in, file.read_text("utf-8"))

    def find(self, name: str) -> Path | None:
        """The file of a template, or None."""
        name = name if Path(name).suffix in (".md", ".txt") else f"{name}.md"
        return next((place / name for place in self.places if (place / name).is_file()), None)

    def fill(self, name: str, context: Mapping[str, Any]) -> Markup:
        """The Markdown that a template makes, values protected. Raises MissingTemplate, and Jinja's errors."""
        try:
            template = self._environment.get_template(name)
        except TemplateNotFound as error:
            looked = ", ".join(str(place) for place in self.places)
            raise MissingTemplate(say("no template {name}.md in {looked}", name=error.name, looked=looked)) from error
        return Markup(template.render(context).strip("\n"))

    def needs(self, name: str) -> Needs | None:
        """What a template reads, if it reads the same for everybody: names neither its reader nor his addresses."""
        if name not in self._needs:
            file = self.find(name)
            self._needs[name] = _needs(self._environment.parse(file.read_text("utf-8"))) if file else None
        return self._needs[name]

    def keep(self, key: tuple[Any, ...], made: Markup) -> Markup:
        """Remember what an impersonal template made; the public report is the same for every player."""
        if len(self.kept) >= MOST_KEPT:
            self.kept.clear()
        self.kept[key] = made
        return made

    def fault(self, file: Path) -> str:
        """What is wrong with a template as it is written: syntax, a filter or an included file that there is not."""
        try:
            tree = self._environment.parse(file.read_text("utf-8"))
            self._environment.compile(tree)
        except TemplateSyntaxError as error:
            return f"{file}:{error.lineno}: {error.message}"
        except UnicodeDecodeError as error:
            return f"{file}: is not UTF-8 ({error.reason} at byte {error.start})"
        if joined := tree.find(nodes.Concat):
            return f"{file}:{joined.lineno}: write words one after the other instead of joining them with ~"
        for name in meta.find_referenced_templates(tree):
            if name and not self.find(name):
                return f"{file}: includes {name!r}, which is not there"
        return ""

    def words(self) -> dict[str, Any]:
        """The tables of `words.toml`, those of the nearer folders over those of `common`."""
        merged: dict[str, Any] = {}
        for place in reversed(self.places):
            if (place / "words.toml").is_file():
                _merge(merged, tomllib.loads((place / "words.toml").read_text("utf-8")))
        return merged


def _needs(tree: nodes.Template) -> Needs | None:
    words = meta.find_undeclared_variables(tree)
    fields = [
        node.attr
        for node in tree.find_all(nodes.Getattr)
        if isinstance(node.node, nodes.Name) and node.node.name == "game"
    ]
    whole = sum(node.name == "game" for node in tree.find_all(nodes.Name)) > len(fields)
    if words & PERSONAL or whole or not SHARED.issuperset(fields) or list(meta.find_referenced_templates(tree)):
        return None
    return Needs(tuple(sorted(words - {"game"})), tuple(sorted(set(fields))))


def _merge(into: dict[str, Any], table: Mapping[str, Any]) -> None:
    for key, value in table.items():
        if isinstance(value, Mapping) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value
