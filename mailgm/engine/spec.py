"""What `variant.toml` says of a game: identity, players, options, vocabulary.

Everything in it is data; the rules beside it are Python. Source: architecture §2, §3.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from mailgm.engine.habits import SMALL_WORDS
from mailgm.engine.model import Channel, SetupError
from mailgm.engine.said import say
from mailgm.engine.words import Lexicon, fold_tokens

LANGUAGES = ("fr", "en")
_KINDS = ("player", "choice", "text", "number")


@dataclass(frozen=True, slots=True)
class Argument:
    """The shape of a command's argument, the same in every phase.

    kind:   "player", "choice" (of the word table `words`), "text" (to the end of the line) or "number".
    least, most: how many values; an argument with most > 1, or `many`, is a tuple, else a single value. least 0: it
            may be left out.
    unknown, ambiguous, missing, too_many: the refusal codes.
    twice:  the code for a value given twice; "" drops the repetition, "ok" keeps it.
    """

    name: str
    kind: str
    words: str = ""
    least: int = 1
    most: int = 1
    many: bool = False
    unknown: str = ""
    ambiguous: str = ""
    missing: str = "missing-argument"
    too_many: str = "too-many"
    twice: str = ""

    @property
    def listed(self) -> bool:
        """Whether its value is a tuple."""
        return self.many or self.most > 1


class Command(NamedTuple):
    """One command of a game: its words in each language, canonical first, and the shape of its arguments.

    any_order: its choice arguments may come in any order (each has a word table of its own).
    actor:     "player", or "gm" for a command of the game master.
    bare:      its arguments alone name it, also to somebody who is not asked it and hears why.
    secret:    the text that it takes may tell who its author is. A line at the table that begins with its word is never
               passed on, whoever writes it, nor what follows that line: what is passed on must not depend on a secret.
    """

    id: str
    words: Mapping[str, tuple[str, ...]]
    args: tuple[Argument, ...] = ()
    channel: Channel = "private"
    actor: str = "player"
    any_order: bool = False
    bare: bool = False
    secret: bool = False

    def canonical(self, lang: str) -> str:
        """The word by which mails name the command."""
        words = self.words.get(lang) or next(iter(self.words.values()))
        return words[0]

    def argument(self, name: str) -> Argument:
        """The argument of that name. Raises KeyError."""
        for argument in self.args:
            if argument.name == name:
                return argument
        raise KeyError(name)


class Option(NamedTuple):
    """One option of a game: its type (integer, boolean, string, choice, list, table or any), bounds and default."""

    key: str
    type: str
    default: Any
    values: tuple[Any, ...] = ()
    least: int | None = None
    most: int | None = None

    def check(self, value: Any) -> Any:
        """Return the value if it fits. Raises SetupError naming the key and what would be right."""
        if value in self.values:
            return value
        right = _TYPES.get(self.type)
        fits = right is None or (isinstance(value, right) and not (self.type == "integer" and isinstance(value, bool)))
        if fits and self.least is not None and value < self.least:
            fits = False
        if fits and self.most is not None and value > self.most:
            fits = False
        if not fits or (self.type == "choice"):
            raise SetupError(self.key, say("{value!r} is not {expected}", value=value, expected=self.expected()))
        return value

    def expected(self) -> str:
        """In words, what the option takes."""
        words = [repr(value) for value in self.values]
        if self.type == "choice":
            return say("one of {names}", names=", ".join(words))
        kind = _KIND_NAMES.get(self.type, self.type)
        if self.least is not None and self.most is not None:
            kind = say("{kind} from {least} to {most}", kind=kind, least=self.least, most=self.most)
        elif self.least is not None:
            kind = say("{kind} of at least {least}", kind=kind, least=self.least)
        return say("{names} or {kind}", names=", ".join(words), kind=kind) if words else kind


_KIND_NAMES = {
    "integer": say("a whole number"),
    "boolean": say("true or false"),
    "string": say("a text"),
    "list": say("a list"),
    "table": say("a table"),
    "any": say("anything"),
}
_TYPES: dict[str, type | tuple[type, ...]] = {
    "integer": int,
    "boolean": bool,
    "string": str,
    "list": (list, tuple),
    "table": Mapping,
}

# The kernel's own option of every game: which phases may close before their deadline (architecture §2).
EARLY_CLOSE = Option("early_close", "choice", "off", values=("off", "night", "all"))


class Spec:
    """What `variant.toml` says: identity, players, options, vocabulary.

    data: the parsed TOML. Raises SetupError for a table that is not as `docs/add-a-game.md` says.
    """

    def __init__(self, data: Mapping[str, Any], presets: Mapping[str, Mapping[str, Any]] | None = None) -> None:
        """presets: id → the options that a preset of this variant sets."""
        # As read: rules whose words stand in several files make a fuller Spec of it.
        self.data = data
        self.presets = presets or {}
        self.id: str = _needed(data, "id", "variant.toml")
        self.version: int = data.get("version", 1)
        self.title: Mapping[str, str] = _needed(data, "title", self.id)
        players = _needed(data, "players", self.id)
        self.least: int = _needed(players, "min", f"{self.id}, [players]")
        self.most: int = _needed(players, "max", f"{self.id}, [players]")
        self.step: int = players.get("step", 1)
        self.recommended: int = players.get("recommended", self.least)
        self.options = {key: _option(key, entry) for key, entry in data.get("options", {}).items()}
        self.options.setdefault("early_close", EARLY_CLOSE)
        # Lists of notices whose order matters to a scenario: "kind.key" (the others compare as sets).
        self.ordered = frozenset(data.get("ordered", ()))
        self.refusals: tuple[str, ...] = tuple(data.get("refusals", ()))
        small = data.get("small_words", SMALL_WORDS)
        self.small_words = frozenset(token for word in small for token in fold_tokens(word))
        # Word table → value → language → phrases, the canonical one first.
        self.choices: dict[str, dict[str, Mapping[str, tuple[str, ...]]]] = {
            name: {key: _by_language(words) for key, words in table.items()}
            for name, table in data.get("words", {}).items()
        }
        self.tables: dict[str, dict[str, tuple[str, ...]]] = {
            name: {key: tuple(dict.fromkeys(w for ws in words.values() for w in ws)) for key, words in table.items()}
            for name, table in self.choices.items()
        }
        self.commands = {key: _command(key, entry) for key, entry in data.get("commands", {}).items()}
        for command in self.commands.values():
            _check_command(self.id, command, self.tables)
        self.labels: Mapping[str, Mapping[str, str]] = data.get("labels", {})
        # Every id of the game: no player's name may be one, for a name in the state is found by its whole string.
        self.ids = frozenset(
            [*self.commands, *(label for words in self.labels.values() for label in words)]
            + [key for table in self.tables.values() for key in table]
        )
        self.lexicon = Lexicon(
            {command.id: dict(command.words) for command in self.commands.values()}, self.tables, self.small_words
        )

    def label(self, value: str, lang: str) -> str:
        """The words that a language has for an id (a room, a role, an object); the id itself where there are none."""
        return self.labels.get(lang, {}).get(value, value)

    def resolve_options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options of a game, defaults filled in. Raises SetupError for an unknown key or a value not fitting."""
        for key in given:
            if key not in self.options:
                raise SetupError(key, say("no such option; there are {names}", names=", ".join(sorted(self.options))))
        return {
            key: option.check(given[key]) if key in given else option.default for key, option in self.options.items()
        }


def _option(key: str, entry: Mapping[str, Any]) -> Option:
    return Option(
        key,
        _needed(entry, "type", f"[options.{key}]"),
        _needed(entry, "default", f"[options.{key}]"),
        tuple(entry.get("values", ())),
        entry.get("min"),
        entry.get("max"),
    )


def _needed(table: Mapping[str, Any], key: str, where: str) -> Any:
    if key not in table:
        raise SetupError(key, say("{where}: the key {key!r} is missing", where=where, key=key))
    return table[key]


def _by_language(words: Sequence[str] | Mapping[str, Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """Phrases by language; a bare list serves all of them."""
    if isinstance(words, Mapping):
        return {language: tuple(phrases) for language, phrases in words.items()}
    return dict.fromkeys(LANGUAGES, tuple(words))


def _check_command(game: str, command: Command, tables: Mapping[str, Any]) -> None:
    """Raise SetupError for a command without words, or an argument of no known kind or word table."""
    where = f"{game}, [commands.{command.id}]"
    if not any(command.words.values()):
        raise SetupError(
            command.id, say("{where}: no words in any of {names}", where=where, names=", ".join(LANGUAGES))
        )
    for argument in command.args:
        if argument.kind not in _KINDS:
            raise SetupError(
                command.id,
                say("{where}: {kind!r} is none of {names}", where=where, kind=argument.kind, names=", ".join(_KINDS)),
            )
        if argument.kind == "choice" and argument.words not in tables:
            raise SetupError(
                command.id, say("{where}: there is no table [words.{words}]", where=where, words=argument.words)
            )


def _command(key: str, entry: Mapping[str, Any]) -> Command:
    args = []
    for shape in entry.get("args", ()):
        kind = _needed(shape, "kind", f"[commands.{key}]")
        noun = shape.get("noun", "player" if kind == "player" else shape.get("words", "argument"))
        args.append(
            Argument(
                name=_needed(shape, "name", f"[commands.{key}]"),
                kind=kind,
                words=shape.get("words", ""),
                least=shape.get("min", 1),
                most=shape.get("max", 1),
                many=shape.get("many", False),
                unknown=shape.get("unknown", f"unknown-{noun}"),
                ambiguous=shape.get("ambiguous", f"ambiguous-{noun}"),
                missing=shape.get("missing", "missing-argument"),
                too_many=shape.get("too_many", "too-many"),
                twice=shape.get("twice", ""),
            )
        )
    return Command(
        id=key,
        words={lang: tuple(entry[lang]) for lang in LANGUAGES if lang in entry},
        args=tuple(args),
        channel=entry.get("channel", "private"),
        actor=entry.get("actor", "player"),
        any_order=entry.get("any_order", False),
        bare=entry.get("bare", False),
        secret=entry.get("secret", False),
    )
