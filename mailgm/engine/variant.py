"""What a game's rules are to the kernel: a Variant with its phases, its options and its vocabulary.

A variant is a folder: `variant.toml` (everything that is data) and Python rules that subclass `Variant` and `Phase`.
Source: architecture §2.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, TypeVar

from mailgm.engine.dice import Dice
from mailgm.engine.model import Ask, Channel, Order, Orders, Refused, SetupError, Step
from mailgm.engine.words import Lexicon, fold_tokens

S = TypeVar("S")

LANGUAGES = ("fr", "en")
_FULL_ID = re.compile(r"^([a-z]+)(?:-(\d+))?(?:\.(.+))?$")


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


@dataclass(frozen=True, slots=True)
class Command:
    """One command of a game: its words in each language, canonical first, and the shape of its arguments.

    any_order: its choice arguments may come in any order (each has a word table of its own).
    actor:     "player", or "gm" for a command of the game master.
    """

    id: str
    words: Mapping[str, tuple[str, ...]]
    args: tuple[Argument, ...] = ()
    channel: Channel = "private"
    actor: str = "player"
    any_order: bool = False

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


@dataclass(frozen=True, slots=True)
class Option:
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
            raise SetupError(self.key, f"{value!r} is not {self.expected()}")
        return value

    def expected(self) -> str:
        """In words, what the option takes."""
        words = [repr(value) for value in self.values]
        if self.type == "choice":
            return "one of " + ", ".join(words)
        kind = {"integer": "a whole number", "boolean": "true or false", "string": "a text"}.get(
            self.type, f"a {self.type}"
        )
        if self.least is not None and self.most is not None:
            kind += f" from {self.least} to {self.most}"
        elif self.least is not None:
            kind += f" of at least {self.least}"
        return " or ".join([*words, kind])


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
        self.presets = presets or {}
        self.id: str = data["id"]
        self.version: int = data.get("version", 1)
        self.title: Mapping[str, str] = data["title"]
        players = data["players"]
        self.least: int = players["min"]
        self.most: int = players["max"]
        self.step: int = players.get("step", 1)
        self.recommended: int = players.get("recommended", self.least)
        self.options = {key: _option(key, entry) for key, entry in data.get("options", {}).items()}
        self.options.setdefault("early_close", EARLY_CLOSE)
        # Lists of notices whose order matters to a scenario: "kind.key" (the others compare as sets).
        self.ordered = frozenset(data.get("ordered", ()))
        self.refusals: tuple[str, ...] = tuple(data.get("refusals", ()))
        self.small_words = frozenset(token for word in data.get("small_words", ()) for token in fold_tokens(word))
        self.tables: dict[str, dict[str, tuple[str, ...]]] = {
            name: {key: _phrases(words) for key, words in table.items()}
            for name, table in data.get("words", {}).items()
        }
        self.commands = {key: _command(key, entry) for key, entry in data.get("commands", {}).items()}
        self.labels: Mapping[str, Mapping[str, str]] = data.get("labels", {})
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
                raise SetupError(key, f"no such option; there are {', '.join(sorted(self.options))}")
        return {
            key: option.check(given[key]) if key in given else option.default for key, option in self.options.items()
        }


def _option(key: str, entry: Mapping[str, Any]) -> Option:
    return Option(
        key,
        entry["type"],
        entry["default"],
        tuple(entry.get("values", ())),
        entry.get("min"),
        entry.get("max"),
    )


def _phrases(words: Sequence[str] | Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    if isinstance(words, Mapping):
        return tuple(word for language in words.values() for word in language)
    return tuple(words)


def _command(key: str, entry: Mapping[str, Any]) -> Command:
    args = []
    for shape in entry.get("args", ()):
        kind = shape["kind"]
        noun = shape.get("noun", "player" if kind == "player" else shape.get("words", "argument"))
        args.append(
            Argument(
                name=shape["name"],
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
    )


def split_phase(full: str) -> tuple[str, int | None]:
    """Take "night-2.rooms" apart: ("night.rooms", 2); a phase without a number gives None. Raises ValueError."""
    match = _FULL_ID.match(full)
    if match is None:
        raise ValueError(f"not a phase id: {full!r}")
    head, number, tail = match.groups()
    return (f"{head}.{tail}" if tail else head), (int(number) if number else None)


class Phase(Generic[S]):
    """A window in which certain players are asked for certain orders; it reads like its chapter of the rulebook.

    id:          base id, "night.rooms"; the full id of the running phase carries the number, "night-2.rooms".
    clock:       "day", "night", "short" or "instant": how long the calendar lets it last, and what early closing means.
    announced:   its opening is public (`phase.opened`).
    keeps_hours: it lasts its hours though nobody is asked anything.
    decoy:       with the game's decoys on, it lasts its hours even if nobody is asked, and never closes early, because
                 its timing would tell a secret.
    table:       whether the public table is open.
    """

    id: ClassVar[str] = ""
    clock: str = "day"
    announced: bool = False
    keeps_hours: bool = False
    decoy: bool = False
    table: bool = False

    def asks_of(self, state: S, player: str, standing: Orders) -> list[Ask]:
        """What `player` (or GM) is asked now, given the standing orders. Only from what that player knows."""
        return []

    def closed(self, state: S, player: str, command: str, standing: Orders) -> str:
        """The refusal code of a command that `player` is not asked now."""
        return "not-your-turn"

    def refuses(self, state: S, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        """The refusal code of a known value that is not among the ask's legal ones. Printed: only what he knows."""
        return "not-your-turn"

    def objects(self, state: S, ask: Ask, args: Mapping[str, Any], standing: Orders) -> str:
        """A refusal code for arguments that are each legal but do not go together, else ""."""
        return ""

    def remarks(self, state: S, order: Order) -> Mapping[str, Any]:
        """What the reply to an accepted order says besides: plain values for its template."""
        return {}

    def opened(self, state: S) -> Mapping[str, Any]:
        """More data for the `phase.opened` of an announced phase."""
        return {}

    def opens(self, state: S, dice: Dice) -> Step:
        """What happens, and is told, when the phase opens; carried out for a phase that is passed over too."""
        return Step(state)

    def receives(self, state: S, order: Order, standing: Orders, dice: Dice) -> Step | None:
        """The effect at once of an accepted order, or None: it waits for the close.

        standing includes `order`. Step.next leaves the phase at once. May raise Refused.
        """
        return None

    def resolves(self, state: S, orders: Orders, dice: Dice) -> Step:
        """The close: the new state, what is told, and the next phase or the end."""
        raise NotImplementedError(f"{self.id}: a phase needs resolves()")


class Variant(Generic[S]):
    """The rules of one game. `phases` maps base ids to phases; `State` is a frozen dataclass of plain data."""

    State: ClassVar[type]
    phases: Mapping[str, Phase[S]]

    def __init__(self, spec: Spec, phases: Iterable[Phase[S]] = ()) -> None:
        self.spec = spec
        self.phases = {phase.id: phase for phase in phases}

    @property
    def id(self) -> str:
        """The variant's id."""
        return self.spec.id

    @property
    def version(self) -> int:
        """The version of its rules, kept with every input that they handle."""
        return self.spec.version

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """All options of a game: given ones checked, the others at their default. Raises SetupError."""
        return self.spec.resolve_options(given)

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        """The first state, what is told at the start, and the first phase.

        options: as `options` returns them. deal: forced set-up draws by the rulebook's keys. Raises SetupError.
        """
        raise NotImplementedError

    def phase(self, state: S, full: str) -> Phase[S]:
        """The phase of a full id. Raises KeyError."""
        return self.phases[split_phase(full)[0]]

    def facts(self, state: S) -> dict[str, Any]:
        """The game master's view of a state, flat: `Bob.camp` → "human" (the rulebook's chapter on facts)."""
        raise NotImplementedError

    def round(self, state: S) -> int:
        """The round that is being played, from 1."""
        return 1

    def alive(self, state: S, player: str) -> bool:
        """Whether the player is still in play (may be asked, may post)."""
        raise NotImplementedError

    def may_post(self, state: S, player: str) -> bool:
        """Whether the player may post while the table is open."""
        return self.alive(state, player)

    def channel(self, state: S, command: str) -> Channel:
        """Where a command is taken, if it is not asked now; options may change it."""
        return self.spec.commands[command].channel

    def pass_withdraws(self, state: S, order: Order) -> bool:
        """Whether a player's `pass` takes back this standing order of his."""
        return False

    def removes(self, state: S, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        """The game master takes a player out of the game."""
        raise NotImplementedError

    def commands(self, state: S, full: str, order: Order, standing: Orders, dice: Dice) -> Step:
        """A command of the game master that this game defines (actor "gm") and no ask of the phase takes.

        May raise Refused.
        """
        raise Refused("not-your-turn")

    def sets(self, state: S, fact: str, value: Any) -> S:
        """The game master changes a fact. Raises Refused("no-such-fact") where the game does not allow it."""
        raise Refused("no-such-fact", fact=fact)
