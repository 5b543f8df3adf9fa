"""From a line as people type it to a draft of an order.

The parser knows words, not rules: it says which command and which values a line names, or why it cannot tell. Which
reading of an ambiguous word is meant is decided by the asks of the phase. Source: architecture §3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from mailgm.engine.model import PASS, Ask
from mailgm.engine.variant import Argument, Command, Spec
from mailgm.engine.words import Lexicon, Match, Phrases, Token, fold_tokens, tokens

# Words that every game has (architecture §2, scenarios "Players have, at any time").
ANYTIME = {
    "help": ("aide", "help", "à l'aide", "?"),
    "status": ("état", "status", "statut", "mon état"),
    "rules": ("règles", "rules", "règle"),
    "players": ("joueurs", "players", "liste des joueurs"),
    "resign": ("abandon", "abandonner", "j'abandonne", "resign", "i resign"),
}
PASS_WORDS = {"fr": ("rien", "passer", "passe", "je passe"), "en": ("pass", "nothing", "i pass")}

_SEPARATORS = frozenset({"et", "and", "puis", "then", "plus", "aussi", "also"})
_EITHER = frozenset({"ou", "or"})
_REASONS = frozenset(
    {"car", "parce", "because", "puisque", "since", "comme", "pour", "qui", "il", "elle", "he", "she", "who"}
)
_COURTESY = tuple(
    sorted(
        map(
            fold_tokens,
            (
                "svp", "stp", "s'il te plaît", "s'il vous plaît", "merci", "merci beaucoup", "please", "thanks",
                "thank you",
                "ce soir", "cette nuit", "tonight", "aujourd'hui", "today", "maintenant", "now", "d'accord", "ok",
                "bonne nuit",
                "bonjour", "bonsoir", "salut", "hello", "hi",
            ),
        ),
        key=len,
        reverse=True,
    )
)  # fmt: skip
_LEADS = tuple(
    sorted(
        map(
            fold_tokens,
            (
                "je veux", "je voudrais", "j'aimerais", "je souhaite", "je désire", "je compte", "je vais", "merci de",
                "alors",
                "donc", "finalement", "i want to", "i would like to", "i'd like to", "i will", "i'll", "let me",
                "please",
            ),
        ),
        key=len,
        reverse=True,
    )
)  # fmt: skip
_NUMBERED = re.compile(r"^\s*\d{1,2}[.)]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Named:
    """What was found for one argument: its values, or the refusal code and the candidates of what cannot be told."""

    values: tuple[Any, ...] = ()
    code: str = ""
    typed: str = ""
    candidates: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Draft:
    """A line read as one command. `clean` is false when words are left over that nobody can place."""

    command: str
    named: Mapping[str, Named] = field(default_factory=dict)
    clean: bool = True
    explicit: bool = True

    @property
    def sound(self) -> bool:
        """Whether every argument named something and no word is left over."""
        return self.clean and not any(named.code for named in self.named.values())


@dataclass(frozen=True, slots=True)
class Reading:
    """How a line is read: drafts of orders, or one of the words of ANYTIME, or neither (not understood, or talk)."""

    drafts: tuple[Draft, ...] = ()
    anytime: str = ""


class Parser:
    """Reads the lines of one game: its vocabulary and the names of its players."""

    def __init__(self, spec: Spec, players: Sequence[str], aliases: Mapping[str, str] | None = None) -> None:
        """aliases: a former name → the seat's present name."""
        self._spec = spec
        names = [(name, name) for name in players] + list((aliases or {}).items())
        self._names = Phrases(names)
        self._name_words = frozenset(word for name, _ in names for word in fold_tokens(name))
        self._lexicon: Lexicon = spec.lexicon
        self._small = spec.small_words

    def read(self, line: str, asks: Sequence[Ask], *, public: bool = False, actor: str = "player") -> Reading:
        """Read one line typed by somebody who is asked `asks`.

        public: said at the table, where a bare name counts only exactly and alone, and most lines are talk.
        actor:  "player" or "gm": whose commands are looked up.
        """
        line = _NUMBERED.sub("", line)
        words = _shed(tokens(line), _COURTESY, tail=True)
        if not words:
            return Reading()
        asked = {ask.command: ask for ask in asks}
        if not public and actor == "player" and (word := _anytime(words)) and not self._is_command(words, asked):
            return Reading(anytime=word)
        drafts = (
            self._bare(line, words, asks, exact=True)
            or self._commands(line, words, asked, actor, public)
            or (() if public else self._bare(line, words, asks, exact=False))
            or (() if public else self._mistyped(line, words, asked, actor))
        )
        if public and drafts and not _meant(drafts[0], words):
            return Reading()
        return Reading(drafts)

    def player(self, text: str) -> Named:
        """The player whom a text names, exactly, abbreviated or mistyped."""
        named, rest = self._one(
            Argument("player", "player", unknown="unknown-player", ambiguous="ambiguous-player"), tokens(text)
        )
        return Named(code="unknown-player", typed=text) if rest and not named.code else named

    # Commands ------------------------------------------------------------------------------------------------------

    def _is_command(self, words: Sequence[Token], asked: Mapping[str, Ask]) -> bool:
        match = self._lexicon.commands.exact([token.word for token in words])
        return match is not None and any(key in asked for key in match.keys)

    def _commands(
        self, line: str, words: Sequence[Token], asked: Mapping[str, Ask], actor: str, public: bool
    ) -> tuple[Draft, ...]:
        """The best explicit reading, and the further orders that follow it in the same line."""
        best: tuple[tuple[bool, bool, int], Draft, list[Token]] | None = None
        for match, consumed in self._heads(words):
            for key in match.keys:
                command = self._spec.commands.get(key) or _PASS_COMMAND
                if key != PASS and command.actor != actor:
                    continue
                draft, rest = self._arguments(line, command, consumed, asked.get(key))
                rank = (key in asked and draft.sound, key in asked or draft.sound, len(consumed))
                if best is None or rank > best[0]:
                    best = (rank, draft, rest)
        if best is None:
            return ()
        _, draft, rest = best
        if rest and not public and draft.clean is False and not any(named.code for named in draft.named.values()):
            following = self._commands(line, _drop(rest, _SEPARATORS), asked, actor, public)
            if following and all(further.clean for further in following):
                return (Draft(draft.command, draft.named), *following)
        return (draft,)

    def _heads(self, words: Sequence[Token]) -> list[tuple[Match, list[Token]]]:
        """Every command phrase at the head of the line, with its tokens: as typed, then without small words."""
        found = []
        plain = [token for token in words if token.word not in self._small]
        led = _shed(list(words), _LEADS, tail=False)
        for reading in (list(words), plain, led, [token for token in led if token.word not in self._small]):
            for match in self._all_commands(reading):
                found.append((match, reading[: match.length]))
        return found

    def _all_commands(self, reading: Sequence[Token]) -> list[Match]:
        typed = [token.word for token in reading]
        found = self._lexicon.commands.exacts(typed)
        if PASS not in self._spec.commands:
            found += _PASS_PHRASES.exacts(typed)
        return found

    def _mistyped(self, line: str, words: Sequence[Token], asked: Mapping[str, Ask], actor: str) -> tuple[Draft, ...]:
        """A command word with a slip or two; never a player's name, and only if all the rest is sound."""
        led = _shed(list(words), _LEADS, tail=False) or list(words)
        for reading in (list(words), led):
            if reading[0].word in self._name_words:
                continue
            match = self._lexicon.commands.typo([token.word for token in reading])
            if match is None:
                continue
            keys = [key for key in match.keys if self._spec.commands[key].actor == actor]
            keys = [key for key in keys if key in asked] or keys
            if len(keys) == 1:
                draft, _ = self._arguments(
                    line, self._spec.commands[keys[0]], reading[: match.length], asked.get(keys[0])
                )
                if draft.sound:
                    return (draft,)
        return ()

    def _bare(self, line: str, words: Sequence[Token], asks: Sequence[Ask], *, exact: bool) -> tuple[Draft, ...]:
        """An argument alone, for the asks that take it without their command word; exact: an exact player's name."""
        found: list[Draft] = []
        for ask in asks:
            if not ask.bare:
                continue
            command = self._spec.commands[ask.command]
            if not command.args:
                continue
            if exact:
                match = self._names.exact([token.word for token in words])
                if command.args[0].kind == "player" and match and match.length == len(words):
                    found.append(Draft(command.id, {command.args[0].name: Named(match.keys)}, explicit=False))
                continue
            draft, _ = self._arguments(line, command, [], ask, words)
            shown = [named for named in draft.named.values() if named.values or named.candidates]
            if draft.clean and shown and not any(named.code and not named.candidates for named in draft.named.values()):
                found.append(Draft(draft.command, draft.named, explicit=False))
        sound = [draft for draft in found if draft.sound]
        if len(sound) == 1 or len(found) == 1:
            return tuple(sound[:1] or found)
        return ()

    # Arguments -----------------------------------------------------------------------------------------------------

    def _arguments(
        self,
        line: str,
        command: Command,
        consumed: Sequence[Token],
        ask: Ask | None,
        rest: Sequence[Token] | None = None,
    ) -> tuple[Draft, list[Token]]:
        """Read a command's arguments from what follows its words; also returns the tokens left over."""
        end = consumed[-1].end if consumed else 0
        left = [token for token in (tokens(line) if rest is None else rest) if token.start >= end]
        left = _shed(left, _COURTESY, tail=True)
        if command.any_order:
            placed, left = self._any_order(command, left)
            return Draft(command.id, placed, clean=not left), left
        found: dict[str, Named] = {}
        for argument in command.args:
            if argument.kind == "text":
                text = line[end:].lstrip(" \t:\u00a0")
                found[argument.name] = Named((text.rstrip(),)) if text.strip() else Named(code=argument.missing)
                return Draft(command.id, found), []
            counts = ask.counts.get(argument.name) if ask else None
            named, after = self._values(argument, left, counts)
            if named.code == argument.missing and argument.least == 0:
                continue
            if named.code and argument.least == 0 and not named.candidates and argument is not command.args[-1]:
                continue
            if len(after) < len(left):
                end = left[len(left) - len(after) - 1].end
            found[argument.name], left = named, after
        left = self._excess(line, command, found, end, left)
        return Draft(command.id, found, clean=not left), left

    def _excess(self, line: str, command: Command, found: dict[str, Named], end: int, left: list[Token]) -> list[Token]:
        """Judge the words after the last argument: another value is too many, a reason is let pass."""
        if not left or not found:
            return left
        last = next(argument for argument in reversed(command.args) if argument.name in found)
        if found[last.name].code:
            return []
        head = _drop(left, _SEPARATORS | _EITHER | self._small)
        either = bool(left) and left[0].word in _EITHER
        if head and last.kind in ("player", "choice"):
            match = self._table(last).exact([token.word for token in head])
            if match and not (set(match.keys) <= set(found[last.name].values)):
                values = (*found[last.name].values, *match.keys)
                code = last.ambiguous if either or last.kind == "choice" else last.too_many
                found[last.name] = Named(values, code=code, candidates=tuple(map(str, values)))
                return []
        between = line[end : left[0].start]
        explains = left[0].word in _REASONS or bool(set(between) & set(",(;—–.!:"))
        if explains and not self._all_commands(left) and not self._all_commands(_drop(left, self._small | _SEPARATORS)):
            return []
        return left

    def _values(
        self, argument: Argument, left: Sequence[Token], counts: tuple[int, int] | None
    ) -> tuple[Named, list[Token]]:
        """As many values as the argument may take, from the head of the tokens."""
        if not argument.listed:
            return self._one(argument, left)
        values: list[Any] = []
        rest = list(left)
        while rest:
            head = rest if not values else _drop(rest, _SEPARATORS)
            named, after = self._one(argument, head)
            if named.code:
                if values and named.code != argument.ambiguous and head and head[0].word in _REASONS:
                    break
                return named, after
            value = named.values[0]
            if value in values and argument.twice not in ("", "ok"):
                return Named((*values, value), code=argument.twice), after
            if value not in values or argument.twice == "ok":
                values.append(value)
            rest = after
        if not values:
            return Named(code=argument.missing), rest
        return Named(tuple(values)), rest

    def _one(self, argument: Argument, left: Sequence[Token]) -> tuple[Named, list[Token]]:
        """One value from the head of the tokens; small words before it are skipped, unless they are the value."""
        if argument.kind == "number":
            rest = _drop(left, self._small)
            if not rest:
                return Named(code=argument.missing), []
            if rest[0].word.isdecimal():
                return Named((int(rest[0].word),)), rest[1:]
            return Named(code=argument.unknown, typed=rest[0].word), rest[1:]
        table = self._table(argument)
        for rest in (list(left), _drop(left, self._small | _SEPARATORS)):
            match = table.exact([token.word for token in rest])
            if match:
                return self._found(argument, match, rest)
        if not rest:
            return Named(code=argument.missing), []
        match = table.find([token.word for token in rest])
        if match is None:
            return Named(code=argument.unknown, typed=rest[0].word), rest[1:]
        return self._found(argument, match, rest)

    def _found(self, argument: Argument, match: Match, rest: Sequence[Token]) -> tuple[Named, list[Token]]:
        after = list(rest[match.length :])
        if len(match.keys) > 1:
            return Named(match.keys, code=argument.ambiguous, candidates=match.keys), after
        return Named(match.keys), after

    def _any_order(self, command: Command, left: Sequence[Token]) -> tuple[dict[str, Named], list[Token]]:
        """One value for each argument, in whatever order they come; a second one for an argument is too many."""
        found: dict[str, Named] = {}
        rest = _drop(left, self._small | _SEPARATORS)
        while rest:
            words = [token.word for token in rest]
            reads = [(argument, self._table(argument).exact(words)) for argument in command.args]
            hit = next(((argument, match) for argument, match in reads if match), None)
            if hit is None:
                typos = [(argument, self._table(argument).find(words)) for argument in command.args]
                near = [(argument, match) for argument, match in typos if match and len(match.keys) == 1]
                if len(near) != 1:
                    break
                hit = near[0]
            argument, match = hit
            code = argument.too_many if argument.name in found else ""
            found[argument.name] = Named(match.keys, code=code)
            rest = _drop(rest[match.length :], self._small | _SEPARATORS)
        for argument in command.args:
            found.setdefault(argument.name, Named(code=argument.missing))
        return found, rest

    def _table(self, argument: Argument) -> Phrases:
        return self._names if argument.kind == "player" else self._lexicon.tables[argument.words]


_PASS_COMMAND = Command(PASS, PASS_WORDS)
_PASS_PHRASES = Phrases((word, PASS) for words in PASS_WORDS.values() for word in words)
_ANYTIME = Phrases((word, key) for key, words in ANYTIME.items() for word in words)


def _anytime(words: Sequence[Token]) -> str:
    match = _ANYTIME.exact([token.word for token in words])
    return match.keys[0] if match and match.length == len(words) else ""


def _meant(draft: Draft, words: Sequence[Token]) -> bool:
    """Whether a line at the table that begins with a command word is an order and not talk.

    A line that names nothing the command could take is an order only while it is too short to be a sentence.
    """
    return draft.sound or len(words) <= 4 or any(named.values and not named.code for named in draft.named.values())


def _drop(words: Sequence[Token], small: frozenset[str]) -> list[Token]:
    """The tokens without those at the head that are small words."""
    for place, token in enumerate(words):
        if token.word not in small:
            return list(words[place:])
    return []


def _shed(words: list[Token], phrases: Sequence[tuple[str, ...]], *, tail: bool) -> list[Token]:
    """Take polite phrases off the head, and off the end with `tail`; never the whole line."""
    changed = True
    while changed:
        changed = False
        for phrase in phrases:
            size = len(phrase)
            if size >= len(words):
                continue
            if tail and tuple(token.word for token in words[-size:]) == phrase:
                words, changed = words[:-size], True
            elif tuple(token.word for token in words[:size]) == phrase:
                words, changed = words[size:], True
    return words


@lru_cache(maxsize=256)
def parser_for(spec: Spec, players: tuple[str, ...], aliases: tuple[tuple[str, str], ...]) -> Parser:
    """The parser of a game, kept: building it costs more than reading a line."""
    return Parser(spec, players, dict(aliases))
