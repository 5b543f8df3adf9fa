"""One order read from some words of a line: which command they name, with which values.

Several readings are tried; the asks of the phase decide between them. Source: architecture §3.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from mailgm.engine.habits import (
    CAUSES,
    EITHER,
    ENDINGS,
    EVERYDAY,
    GREETINGS,
    JOINTS,
    LEADS,
    NEGATIONS,
    PASS_WORDS,
    PLEASE,
    REASONS,
    drop,
)
from mailgm.engine.model import EMPTY, PASS, Ask
from mailgm.engine.values import Named, Values
from mailgm.engine.variant import Argument, Command, Spec
from mailgm.engine.words import TAG, Match, Phrases, Token

_AFTER = 40  # a question mark stands so near to its last word, a colon to the command that it announces
# "Bob," alone on its line, or "@Bob", speaks to Bob.
_ADDRESSES = re.compile(r"^\W*@|[,:][\s*_]*$")
_EXPLAINS = frozenset(",(;—–-.!:…")
_LONG = 8  # letters of a word that no other word of a sentence is likely to be a slip of
_TO_OTHERS = "ez"  # "brûlez Ana !" is said to the others, and is no slip of "brûler Ana"


class Draft(NamedTuple):
    """A line read as one command.

    clean:    false when words are left over that nobody can place.
    explicit: its command word was typed; else it is a bare argument.
    aside:    words follow that are taken for an explanation ("vote Bob, il ment").
    slip:     its command word was mistyped at the table, where only what must not be passed on is read so.
    """

    command: str
    named: Mapping[str, Named] = EMPTY
    clean: bool = True
    explicit: bool = True
    aside: bool = False
    slip: bool = False

    @property
    def sound(self) -> bool:
        """Whether every argument named something and no word is left over."""
        return self.clean and not any(named.code for named in self.named.values())


class OneOrder:
    """Reads single orders out of one line; `line[token.start:token.end]` is a token as typed.

    several: the commands among which the last bare argument could not be told.
    """

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
        self._read = line[: words[-1].end + _AFTER]
        self._asks, self._asked = asks, {ask.command: ask for ask in asks}
        self._public, self._actor = public, actor
        self._small = spec.lexicon.small
        self.several: tuple[str, ...] = ()

    def read(self, start: int, end: int) -> Draft | None:
        """The tokens from start to end read as one order, or None."""
        words = list(self._words[start:end])
        alone = self.alone(words)
        if alone and len(next(iter(alone.named.values())).values) == 1:
            return alone
        told = self._commands(words)
        if told and told.sound and told.command in self._asked:
            return told
        if alone:
            return alone
        if not self._public and (bare := self._bare(words, exact=True)):
            return bare
        if told or self._public:
            return told or self._spilled(words)
        return self._bare(words, exact=False) or self._mistyped(words) or self._unasked(words)

    def alone(self, words: Sequence[Token], *, listed: bool = True) -> Draft | None:
        """Exact names of players and nothing else, for the one bare ask that takes them."""
        found = []
        if self._public and _ADDRESSES.search(self._line):
            return None
        shed = words if self._public else self._without_ending(words, please=True)
        for ask in self._asks:
            command = self._spec.commands[ask.command]
            if not ask.bare or not command.args or command.args[0].kind != "player" or len(command.args) > 1:
                continue
            if self._public and ask.channel == "private":
                continue
            argument = command.args[0]
            if argument.listed and not listed:
                continue
            named, rest = self._values.many(argument, shed, exact=True)
            if not rest and named.values and not self._asks_back(shed, shed[-1].end):
                found.append(Draft(command.id, {argument.name: named}, explicit=False))
        self.several = tuple(draft.command for draft in found) if len(found) > 1 else self.several
        return found[0] if len(found) == 1 else None

    def _commands(self, words: list[Token]) -> Draft | None:
        """The best reading that begins with a command word."""
        best: tuple[tuple[bool, bool, int], Draft] | None = None
        for match, place, reading in self._heads(words):
            consumed = reading[: match.length]
            for key in match.keys:
                command = self._spec.commands.get(key) or _PASS_COMMAND
                if (key != PASS or key in self._spec.commands) and command.actor != self._actor:
                    continue
                if self._public and place > 1 and not (command.secret and self._announced(consumed)):
                    continue
                draft = self._arguments(command, consumed, words, self._asked.get(key))
                if draft is None:
                    continue
                rank = (key in self._asked and draft.sound, key in self._asked or draft.sound, len(consumed) - place)
                if best is None or rank > best[0]:
                    best = (rank, draft)
        return best[1] if best else None

    def _heads(self, words: list[Token]) -> list[tuple[Match, int, list[Token]]]:
        """Every command phrase at the head of the tokens: as typed, then without leads, then without small words."""
        found = []
        led = GREETINGS.off_head(words)
        readings = [words, led, LEADS.off_head(led)] if self._public else [words, LEADS.off_head(led)]
        for place, reading in enumerate(readings):
            if place and len(reading) == len(words):
                continue
            plain = [token for token in reading if token.word not in self._small]
            for form in (reading, plain) if len(plain) < len(reading) else (reading,):
                found += [(match, place, form) for match in self._phrases(form)]
        return found

    def _phrases(self, reading: Sequence[Token]) -> list[Match]:
        typed = [token.word for token in reading]
        found = self._spec.lexicon.commands.exacts(typed)
        if PASS not in self._spec.commands and not self._public:
            found += [match for match in _PASS_PHRASES.exacts(typed) if match.length == len(typed)]
        return found

    def _mistyped(self, words: list[Token]) -> Draft | None:
        """A command word with a slip or two; never a player's name, and only if all the rest is sound."""
        for reading in (words, LEADS.off_head(GREETINGS.off_head(words))):
            if reading[0].word in self._values.name_words:
                continue
            match = self._spec.lexicon.commands.typo([token.word for token in reading])
            if match is None:
                continue
            commands = [self._spec.commands[key] for key in match.keys]
            commands = [command for command in commands if command.actor == self._actor]
            commands = [command for command in commands if command.id in self._asked] or commands
            if len(commands) == 1 and match.length <= len(reading):
                draft = self._arguments(commands[0], reading[: match.length], words, self._asked.get(commands[0].id))
                if draft and draft.sound:
                    return draft
        return None

    def _spilled(self, words: list[Token]) -> Draft | None:
        """At the table, a private command with a slip or two, which must not be passed on; never a player's name."""
        reading = GREETINGS.off_head(words)
        match = self._spec.lexicon.commands.typo([token.word for token in reading])
        if match is None or reading[0].word in self._values.name_words:
            return None
        typed = reading[: match.length]
        for command in (self._spec.commands[key] for key in match.keys):
            if command.actor != self._actor or command.channel != "private":
                continue
            draft = self._arguments(command, typed, words, self._asked.get(command.id))
            if draft is None or not draft.sound or not draft.named or draft.aside:
                continue
            if any(argument.kind == "text" for argument in command.args):
                meant = command.secret and (self._announced(typed) or len(typed[0].word) >= _LONG)
            else:
                meant = not typed[0].word.endswith(_TO_OTHERS)
            if meant:
                return draft._replace(slip=True)
        return None

    def _announced(self, consumed: Sequence[Token]) -> bool:
        """Whether a colon stands soon after the command's words, as before a text."""
        return not {":", "："}.isdisjoint(self._line[consumed[-1].end :][:_AFTER])

    def _bare(self, words: list[Token], *, exact: bool) -> Draft | None:
        """An argument alone, for the asks that take it without their command word."""
        led = LEADS.off_head(words)
        core = drop(led, self._small) or led
        if not exact and (core[0].word in EVERYDAY or len(core[0].word) < 2):
            return None
        found: list[Draft] = []
        for ask in self._asks:
            command = self._spec.commands[ask.command]
            if not ask.bare or not command.args or command.args[0].kind == "text":
                continue
            if exact and command.args[0].kind == "player":
                continue
            draft = self._arguments(command, [], led, ask, exact=exact)
            if draft is None or not draft.clean or (exact and not draft.sound):
                continue
            # "Bob, je te déteste" speaks to Bob; "Bob parce qu'il ment" explains.
            if draft.aside and not exact and not any(token.word in CAUSES for token in led):
                continue
            shown = [named for named in draft.named.values() if named.values or named.candidates]
            told = not any(named.code and not named.candidates for named in draft.named.values())
            # Several words that only this command has, if not all that it needs.
            if shown and (told or (command.any_order and len(shown) > 1)):
                found.append(draft._replace(explicit=False))
        sound = [draft for draft in found if draft.sound] or found
        self.several = tuple(draft.command for draft in sound) if len(sound) > 1 else self.several
        return sound[0] if len(sound) == 1 else None

    def _unasked(self, words: list[Token]) -> Draft | None:
        """Arguments alone of a command that takes them so, from somebody who is not asked it: he hears why."""
        for command in self._spec.commands.values():
            if command.bare and command.actor == self._actor and command.id not in self._asked:
                draft = self._arguments(command, [], words, None, exact=True)
                if draft and draft.sound and not draft.aside:
                    return draft._replace(explicit=False)
        return None

    # Its arguments --------------------------------------------------------------------------------------------------

    def _arguments(
        self, command: Command, consumed: Sequence[Token], words: Sequence[Token], ask: Ask | None, exact: bool = False
    ) -> Draft | None:
        """Read a command's arguments from what follows its words. None: the line denies or asks, it orders nothing."""
        end = consumed[-1].end if consumed else words[0].start
        last = words[-1].end == self._words[-1].end
        left = [token for token in words if token.start >= end]
        if not any(argument.kind == "text" for argument in command.args):
            left = self._without_ending(left)
        if command.any_order:
            placed, rest = self._values.any_order(command, left)
            draft = Draft(command.id, placed, clean=not rest)
            return None if self._asks_back(words, words[-1].end) else draft
        found: dict[str, Named] = {}
        for place, argument in enumerate(command.args):
            if argument.kind == "text":
                if self._denies(words, consumed, end):
                    return None
                text = self._text(words[0].start, end) if last else ""
                found[argument.name] = Named((text,)) if text else Named(code=argument.missing)
                return Draft(command.id, found)
            leaves = argument.least == 0 and place + 1 < len(command.args)
            before_text = leaves and command.args[place + 1].kind == "text"
            named, after = self._values.many(argument, left, exact=exact or before_text)
            if argument.least == 0 and (
                named.code == argument.missing or (leaves and named.code and not named.candidates)
            ):
                continue
            if len(after) < len(left) and not (named.code and not named.candidates):
                end = left[len(left) - len(after) - 1].end
            found[argument.name], left = named, after
        return self._whole(command, consumed, words, found, end, left)

    def _whole(
        self,
        command: Command,
        consumed: Sequence[Token],
        words: Sequence[Token],
        found: dict[str, Named],
        end: int,
        left: list[Token],
    ) -> Draft | None:
        """Judge what is left after the last argument: too much, an explanation, or words that nobody can place."""
        aside = False
        if left and found:
            last = next(argument for argument in reversed(command.args) if argument.name in found)
            if not found[last.name].code:
                left, aside = self._excess(last, found, end, left)
            elif not found[last.name].candidates:
                left = []
        elif left and not found and command.args == ():
            aside = self._explains(end, left, CAUSES)
            left = [] if aside else left
        broken = bool(left) or any(named.code and not named.candidates for named in found.values())
        limit = words[-1].end if broken or not aside else end
        if self._denies(words, consumed, limit) or self._asks_back(words, limit):
            return None
        return Draft(command.id, found, clean=not left, aside=aside)

    def _excess(self, last: Argument, found: dict[str, Named], end: int, left: list[Token]) -> tuple[list[Token], bool]:
        """Another value is too many, or ambiguous after "ou"; an explanation is let pass. Returns (left, aside)."""
        named = found[last.name]
        either = left[0].word in EITHER
        head = drop(left, JOINTS | EITHER | self._small)
        if head and last.kind != "number":
            table = self._values.table(last)
            typed = [token.word for token in head]
            match = table.find(typed) if either else table.exact(typed)
            if match and match.rank == 0 and set(match.keys) <= set(named.values) and not head[match.length :]:
                return [], False
            if match and not set(match.keys) <= set(named.values):
                values = tuple(dict.fromkeys((*named.values, *match.keys)))
                code = last.ambiguous if either or last.kind == "choice" else last.too_many
                found[last.name] = Named(values, code=code, candidates=tuple(map(str, values)))
                return [], False
        if self._explains(end, left):
            return [], True
        if last.listed and not either and head:
            found[last.name] = Named(code=last.unknown, typed=head[0].word)
            return [], False
        return left, False

    def _explains(self, end: int, left: Sequence[Token], reasons: frozenset[str] = REASONS) -> bool:
        """Whether the words after a complete order explain it: they begin with a reason, or after a mark."""
        between = set(self._line[end : left[0].start])
        if left[0].word not in reasons and not between & _EXPLAINS:
            return False
        return not self._phrases(left) and not self._phrases(drop(left, self._small | JOINTS))

    def _denies(self, words: Sequence[Token], consumed: Sequence[Token], limit: int) -> bool:
        """Whether a negation stands in the order itself ("je ne vote pas Bob")."""
        known = {token.start for token in consumed}
        return any(
            token.word in NEGATIONS
            and token.start < limit
            and token.start not in known
            and token.word not in self._values.name_words
            for token in words
        )

    def _asks_back(self, words: Sequence[Token], limit: int) -> bool:
        """Whether the order is put as a question, which orders nothing."""
        after = next((token.start for token in self._words if token.start >= limit), len(self._read))
        return "?" in self._read[words[0].start : after]

    def _without_ending(self, words: Sequence[Token], *, please: bool = False) -> list[Token]:
        """The tokens without thanks and the like at their end, where no name is part of it."""
        shed = (PLEASE if please else ENDINGS).off_tail(words)
        gone = words[len(shed) :]
        return list(words) if any(token.word in self._values.name_words for token in gone) else shed

    def _text(self, start: int, end: int) -> str:
        """What follows, as typed: without the colon, and without the marks that embrace the whole order."""
        text = self._line[end:]
        if tag := TAG.match(text):
            text = text[tag.end() :]
        closed = len(text) - len(text.lstrip('*_~`»”"’'))
        text = text[closed:].lstrip(" \t\u00a0\u202f\u2009")
        if text[:1] in (":", "："):
            text = text[1:]
        text = text.strip()
        opening = self._line[:start].strip(" \t-•·>")
        if opening and not closed:
            for mark, closing in _EMBRACE:
                if opening.endswith(mark) and text.endswith(closing) and mark not in text[: -len(closing)]:
                    text = text[: -len(closing)].rstrip()
        return text


_EMBRACE = (
    ("[b]", "[/b]"),
    ("**", "**"),
    ("*", "*"),
    ("__", "__"),
    ("_", "_"),
    ("`", "`"),
    ("«", "»"),
    ("“", "”"),
    ('"', '"'),
)
_PASS_COMMAND = Command(PASS, PASS_WORDS)
_PASS_PHRASES = Phrases((word, PASS) for words in PASS_WORDS.values() for word in words)
