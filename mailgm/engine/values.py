"""The arguments of an order: players, choices and numbers read from the words that follow a command.

Source: architecture §3; the rulebooks' chapters on commands.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mailgm.engine.habits import JOINTS, NUMBERS, drop
from mailgm.engine.variant import Argument, Command
from mailgm.engine.words import Lexicon, Match, Phrases, Token, fold_tokens

_LONGEST_NUMBER = 9


class Named(NamedTuple):
    """What was found for one argument: its values, or the refusal code and the candidates of what cannot be told."""

    values: tuple[Any, ...] = ()
    code: str = ""
    typed: str = ""
    candidates: tuple[str, ...] = ()


class Values:
    """Reads values with the names of the players and the word tables of one game."""

    def __init__(self, lexicon: Lexicon, names: Sequence[tuple[str, str]]) -> None:
        """names: (name as written, the seat's present name)."""
        self._lexicon = lexicon
        self._skipped = lexicon.small | JOINTS
        self.names = Phrases(names, glued=True)
        self._short_names = Phrases(
            (" ".join(word for word in fold_tokens(name) if word not in self._skipped), seat) for name, seat in names
        )
        self.name_words = frozenset(word for name, _ in names for word in fold_tokens(name))

    def table(self, argument: Argument) -> Phrases:
        """The phrases that an argument of kind player or choice may be."""
        return self.names if argument.kind == "player" else self._lexicon.tables[argument.words]

    def many(self, argument: Argument, left: Sequence[Token], *, exact: bool = False) -> tuple[Named, list[Token]]:
        """As many values as the argument may take, from the head of the tokens; also what is left of them.

        After a first value, what cannot be read is left for the caller to judge.
        """
        if not argument.listed:
            return self.one(argument, left, exact=exact)
        values: list[Any] = []
        rest = list(left)
        while rest:
            named, after = self.one(argument, rest, exact=exact)
            if named.code:
                if values and named.code != argument.ambiguous:
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

    def one(self, argument: Argument, left: Sequence[Token], *, exact: bool = False) -> tuple[Named, list[Token]]:
        """One value from the head of the tokens; small words before it are skipped, unless they are the value."""
        if argument.kind == "number":
            return self._number(argument, left)
        table = self.table(argument)
        if hit := self.exactly(table, left):
            return self._found(argument, *hit)
        rest = drop(left, self._skipped)
        if not rest:
            # "an" for "Ana": a small word too, but nothing else is there.
            cut = None if exact or not left or len(left[-1].word) < 2 else table.prefix([left[-1].word])
            return self._found(argument, cut, left[-1:]) if cut else (Named(code=argument.missing), [])
        match = None if exact else self._nearly(argument, table, rest)
        if match is None:
            return Named(code=argument.unknown, typed=rest[0].word), rest[1:]
        return self._found(argument, match, rest)

    def exactly(self, table: Phrases, left: Sequence[Token]) -> tuple[Match, list[Token]] | None:
        """A phrase letter for letter, small words before it and inside it apart, and the tokens from its head on."""
        for place in range(len(left)):
            rest = list(left[place:])
            if match := table.exact([token.word for token in rest]):
                return match, rest
            if left[place].word not in self._skipped:
                return self._spread(table, rest)
        return None

    def _spread(self, table: Phrases, rest: list[Token]) -> tuple[Match, list[Token]] | None:
        """A phrase with small words between its words: "clef de le sanctuaire" for "clef sanctuaire"."""
        places = [place for place, token in enumerate(rest) if token.word not in self._lexicon.small]
        match = table.exact([rest[place].word for place in places])
        if match is None:
            return None
        return Match(match.keys, places[match.length - 1] + 1, match.rank), rest

    def _nearly(self, argument: Argument, table: Phrases, rest: Sequence[Token]) -> Match | None:
        """An abbreviation or a slip; a word of the game is never taken for a mistyped name, nor a name for a choice."""
        words = [token.word for token in rest]
        if argument.kind == "player":
            known = self._lexicon.commands.exact(words) or any(t.exact(words) for t in self._lexicon.tables.values())
            return self._short_names.exact(words) or (table.prefix(words) if known else table.find(words))
        return None if self.names.exact(words) else table.find(words)

    def _number(self, argument: Argument, left: Sequence[Token]) -> tuple[Named, list[Token]]:
        rest = drop(left, self._lexicon.small)
        if not rest:
            return Named(code=argument.missing), []
        word = rest[0].word
        if word.isdecimal() and len(word) <= _LONGEST_NUMBER:
            return Named((int(word),)), rest[1:]
        if word in NUMBERS:
            return Named((NUMBERS[word],)), rest[1:]
        return Named(code=argument.unknown, typed=word), rest[1:]

    def _found(self, argument: Argument, match: Match, rest: Sequence[Token]) -> tuple[Named, list[Token]]:
        after = list(rest[match.length :])
        if len(match.keys) > 1:
            return Named(match.keys, code=argument.ambiguous, candidates=match.keys), after
        return Named(match.keys), after

    def any_order(self, command: Command, left: Sequence[Token]) -> tuple[Mapping[str, Named], list[Token]]:
        """One value for each argument, in whatever order they come; a second one for an argument is too many."""
        found: dict[str, Named] = {}
        rest = drop(left, self._skipped)
        while rest:
            hits = [
                (argument, hit[0]) for argument in command.args if (hit := self.exactly(self.table(argument), rest))
            ]
            if not hits:
                words = [token.word for token in rest]
                near = [(argument, self._nearly(argument, self.table(argument), rest)) for argument in command.args]
                hits = [(argument, match) for argument, match in near if match and len(match.keys) == 1 and words]
                if len(hits) != 1:
                    break
            argument, match = hits[0]
            found[argument.name] = Named(match.keys, code=argument.too_many if argument.name in found else "")
            rest = drop(rest[match.length :], self._skipped)
        for argument in command.args:
            found.setdefault(argument.name, Named(code=argument.missing))
        return found, rest
