"""From a line as people type it to drafts of orders.

The parser knows words, not rules: it says which command and which values a line names, or why it cannot tell. Which
reading of an ambiguous word is meant is decided by the asks of the phase. Source: architecture §3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from mailgm.engine.drafts import Draft, OneOrder
from mailgm.engine.habits import ANYTIME, GREETINGS, JOINTS, PLEASE, addresses, only_courtesy
from mailgm.engine.model import Ask
from mailgm.engine.values import Named, Values
from mailgm.engine.variant import Argument, Spec
from mailgm.engine.words import Phrases, Token, clean, tokens

__all__ = ["Draft", "Named", "Parser", "Reading", "parser_for"]

# Orders stand at the beginning of a line; of a longer one the rest is explanation, or the text of a text argument.
_READ_CHARS = 600
_MOST_CUTS = 10
_BREAKS = frozenset(";+/.,!&|")
_COLON = re.compile(r"[^:]{1,40}:(?!//)")


class Reading(NamedTuple):
    """How a line is read: drafts of orders, or one of the words of ANYTIME, or neither (not understood, or talk).

    courtesy: nothing but greetings and thanks, or a line quoted from somebody else.
    several:  the commands among which a bare argument could not be told.
    name:     the player whose name the line is, where no command takes it.
    """

    drafts: tuple[Draft, ...] = ()
    anytime: str = ""
    courtesy: bool = False
    several: tuple[str, ...] = ()
    name: str = ""


class Parser:
    """Reads the lines of one game: its vocabulary and the names of its players."""

    def __init__(self, spec: Spec, players: Sequence[str], aliases: Mapping[str, str] | None = None) -> None:
        """aliases: a former name → the seat's present name."""
        self._spec = spec
        self._values = Values(spec.lexicon, [(name, name) for name in players] + list((aliases or {}).items()))

    def read(self, line: str, asks: Sequence[Ask], *, public: bool = False, actor: str = "player") -> Reading:
        """Read one line typed by somebody who is asked `asks`.

        public: said at the table, where a bare name counts only exactly and alone, and most lines are talk.
        actor:  "player" or "gm": whose commands are looked up.
        """
        quoted = line.lstrip().startswith(">")
        line = clean(line)
        words = tokens(line[:_READ_CHARS])
        if quoted and words:
            return Reading(courtesy=True)
        if not words:
            helped = not public and actor == "player" and line.strip() in ("?", "??", "???")
            return Reading(anytime="help") if helped else Reading()
        reader = _Line(self._spec, self._values, line, words, asks, public, actor)
        if not public and actor == "player" and (word := reader.anytime()):
            return Reading(anytime=word)
        drafts = reader.drafts()
        if drafts:
            return Reading(drafts)
        if only_courtesy(words) or addresses(words, line):
            return Reading(courtesy=True)
        return Reading(several=reader.several, name=reader.name())

    def player(self, text: str) -> Named:
        """The player whom a text names, exactly, abbreviated or mistyped."""
        argument = Argument("player", "player", unknown="unknown-player", ambiguous="ambiguous-player")
        named, rest = self._values.one(argument, tokens(clean(text)))
        return Named(code="unknown-player", typed=text) if rest and not named.code else named


class _Line:
    """The reading of one whole line: one order, several, or none."""

    def __init__(
        self,
        spec: Spec,
        values: Values,
        line: str,
        words: Sequence[Token],
        asks: Sequence[Ask],
        public: bool,
        actor: str,
    ) -> None:
        self._spec, self._values, self._line, self._words = spec, values, line, words
        self._asked = {ask.command: ask for ask in asks}
        self._public = public
        self._small = spec.lexicon.small
        self._one = OneOrder(spec, values, line, words, asks, public, actor)
        self._ends: dict[int, tuple[Draft, ...]] = {}

    @property
    def several(self) -> tuple[str, ...]:
        """The commands among which a bare argument could not be told."""
        return self._one.several

    def anytime(self) -> str:
        """The word of ANYTIME that the line is, unless it is a name or a command asked now."""
        words = PLEASE.off_tail(GREETINGS.off_head(self._words))
        match = _ANYTIME.exact([token.word for token in words])
        if match is None or match.length != len(words) or self._one.alone(self._words, listed=False):
            return ""
        command = self._spec.lexicon.commands.exact([token.word for token in words])
        return "" if command and any(key in self._asked for key in command.keys) else match.keys[0]

    def name(self) -> str:
        """The player whose exact name the line is, or ""."""
        match = self._values.names.exact([token.word for token in self._words])
        return match.keys[0] if match and match.length == len(self._words) else ""

    def drafts(self) -> tuple[Draft, ...]:
        """The orders of the line: one, or several that are each complete, or the best reading that is not."""
        whole = self._one.read(0, len(self._words))
        if whole and whole.sound and not whole.aside:
            return (whole,) if not self._public or self._meant(whole) else ()
        # A line with more joints and marks is prose, and trying them all would take long.
        several = self._split(0) if len(self._cuts(0)) <= _MOST_CUTS else ()
        if len(several) > 1 and (not self._public or all(d.explicit and d.command in self._asked for d in several)):
            return several
        if whole is None or (self._public and not self._meant(whole)):
            return ()
        return (whole,)

    def _split(self, start: int) -> tuple[Draft, ...]:
        """The line from token `start` on as sound orders one after the other, or ()."""
        if start in self._ends:
            return self._ends[start]
        self._ends[start] = ()
        whole = self._one.read(start, len(self._words)) if start else None
        if whole and whole.sound and not whole.aside:
            self._ends[start] = (whole,)
            return self._ends[start]
        for cut in self._cuts(start):
            end = cut
            while end > start + 1 and self._words[end - 1].word in JOINTS:
                end -= 1
            first = self._one.read(start, end)
            if first is None or not first.sound or first.aside or self._takes_text(first):
                continue
            rest = self._split(cut)
            # "boudoir et bal" names two rooms for one order: which is meant is not ours to guess.
            if rest and not any(first.command == d.command and not (first.explicit and d.explicit) for d in rest):
                self._ends[start] = (first, *rest)
                return self._ends[start]
        if whole and whole.sound:
            self._ends[start] = (whole,)
        return self._ends[start]

    def _cuts(self, start: int) -> list[int]:
        """Where another order may begin: after a joint ("et") or a mark between two words."""
        found = []
        for place in range(start + 1, len(self._words)):
            before = self._words[place - 1]
            marks = set(self._line[before.end : self._words[place].start])
            if (before.word in JOINTS and place - 1 > start) or marks & _BREAKS:
                found.append(place)
        return found

    def _takes_text(self, draft: Draft) -> bool:
        command = self._spec.commands.get(draft.command)
        return command is not None and any(argument.kind == "text" for argument in command.args)

    def _meant(self, draft: Draft) -> bool:
        """Whether a line at the table that begins with a command word is an order and not talk.

        A command with a text ("dire que …") begins many a sentence: it counts where it is asked, or with a colon; a
        secret one with its word alone. One that names nothing the command could take is an order only while it is too
        short to be a sentence.
        """
        if draft.slip:
            return True
        if self._takes_text(draft) and not _COLON.match(self._line):
            if self._spec.commands[draft.command].secret:
                return self._begins(draft)
            if draft.command not in self._asked:
                return False
        ask = self._asked.get(draft.command)
        if draft.aside and not draft.named and (ask is None or ask.channel == "private"):
            return False
        if draft.sound or not draft.explicit:
            return True
        if any(named.candidates for named in draft.named.values()) and draft.clean:
            return True
        # Whether this very player is asked a private command must not show.
        asked = draft.command in self._asked or self._spec.commands[draft.command].channel == "private"
        if asked and draft.clean and not any(named.typed for named in draft.named.values()):
            return True  # nothing but the command's words: its author believes that he has given it
        match = self._spec.lexicon.commands.exact([token.word for token in self._words])
        typed = match.length if match and asked else 1  # "je vote", "je suis maudit"
        words = [token for token in self._words[typed:] if token.word not in self._small]
        names = [token for token in words if self._line[token.start].isupper()]
        return len(words) <= 1 or (len(words) <= 3 and len(names) == len(words))

    def _begins(self, draft: Draft) -> bool:
        """Whether the line begins with the very word of a secret command, and names what else it takes."""
        match = self._spec.lexicon.commands.exact([token.word for token in GREETINGS.off_head(self._words)])
        command = self._spec.commands[draft.command]
        others = [argument.name for argument in command.args if argument.kind != "text"]
        named = all(name in draft.named and not draft.named[name].code for name in others)
        return named and match is not None and draft.command in match.keys


_ANYTIME = Phrases((word, key) for key, words in ANYTIME.items() for word in words)


@lru_cache(maxsize=256)
def parser_for(spec: Spec, players: tuple[str, ...], aliases: tuple[tuple[str, str], ...]) -> Parser:
    """The parser of a game, kept: building it costs more than reading a line."""
    return Parser(spec, players, dict(aliases))
