"""One game's words for one reader: where notices, asks and verdicts meet their templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from markupsafe import Markup

from mailgm.engine.model import PUBLIC, Ask, Notice, Verdict
from mailgm.render.dates import say
from mailgm.render.document import parse
from mailgm.render.model import GameView, Part, Reader, Rendered
from mailgm.render.templates import Shelf
from mailgm.render.values import clean, restore
from mailgm.render.words import Words

# Parts of a mail that stand between two of these ({{ cut }} in a template) are turned into text and HTML on their own,
# and kept: the public report is the same for every player.
CUT = "\U000f0102"
# Told last, whatever happened: nobody looks for them at the top of a mail.
_SMALL_PRINT = ("seed.committed", "seed.revealed")


@dataclass(frozen=True, slots=True)
class Section:
    """Notices that follow one another and are all for this reader alone, or all for everybody."""

    mine: bool
    blocks: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class AskLine:
    """An ask in words, for the lists of what one may do."""

    line: Markup
    word: str
    example: str
    need: str
    public: bool
    final: bool


@dataclass(frozen=True, slots=True)
class Count:
    """One row of a vote count: what is voted for, how many votes, by whom (in the order of their ballots)."""

    target: str
    votes: int
    voters: tuple[str, ...]


class Desk:
    """Fills templates for one reader of one game."""

    def __init__(self, shelf: Shelf, table: Mapping[str, Any], game: GameView, reader: Reader) -> None:
        self._shelf = shelf
        self._game = game
        self._reader = reader
        self._words = Words(game.spec, game.players, reader.lang, table)
        title = game.title or game.spec.title
        self._base: dict[str, Any] = {
            **self._words.helpers(),
            "game": game,
            "title": title.get(reader.lang) or next(iter(title.values())),
            "reader": reader,
            "cut": Markup(f"\n\n{CUT}\n\n"),
            "when": lambda moment: say(moment, reader.zone, table["dates"]),
        }

    # Parts ----------------------------------------------------------------------------------------------------------

    def fill(self, name: str, context: Mapping[str, Any], *, helpers_first: bool = True) -> Markup:
        """A template with its own context; helpers_first: the helpers keep their names.

        What reads the same for everybody is filled in once: a public report, an order, the subject.
        """
        needs = self._shelf.needs(name)
        key: tuple[Any, ...] = ()
        if needs is not None:
            said = [repr(context[word]) for word in needs.words if word in context]
            about = [repr(getattr(self._game, field)) for field in needs.game]
            key = (name, self._game.players, self._reader.zone if "when" in needs.words else "", *said, *about)
            if key in self._shelf.kept:
                return self._shelf.kept[key]
        made = self._shelf.fill(name, {**context, **self._base} if helpers_first else {**self._base, **context})
        return self._shelf.keep(key, made) if key else made

    def notice(self, notice: Notice) -> Markup:
        """One notice in words: `<kind>.md`."""
        data = {str(name): value for name, value in notice.data.items()}
        context = {**data, "data": data, "mine": notice.to != PUBLIC}
        return Markup(f"\n{CUT}\n{self.fill(notice.kind, context)}\n{CUT}\n")

    def sections(self, notices: Sequence[Notice]) -> list[Section]:
        """Notices in the order of the game, runs of one audience together, small print last."""
        ordered = sorted(notices, key=lambda notice: notice.kind in _SMALL_PRINT)
        found: list[Section] = []
        for notice in ordered:
            mine, block = notice.to != PUBLIC, self.notice(notice)
            if found and found[-1].mine == mine:
                found[-1] = Section(mine, (*found[-1].blocks, block))
            else:
                found.append(Section(mine, (block,)))
        return found

    def asks(self, asks: Sequence[Ask]) -> list[AskLine]:
        """Asks in words: `asks/<command>.md`."""
        return [self.ask(ask) for ask in asks]

    def ask(self, ask: Ask) -> AskLine:
        """One ask in words, with an example of an order."""
        names = self._game.players
        turn = names.index(self._reader.name) + 1 if self._reader.name in names else 0
        example = self._words.example(ask, turn)
        choices = self._words.choices(ask)
        context = {
            "ask": ask,
            "example": example,
            "word": self._words.word(ask.command),
            "choices": choices,
            "values": next(iter(choices.values()), []),
        }
        line = self.fill(f"asks/{ask.command}", context, helpers_first=False)
        return AskLine(line, self._words.word(ask.command), example, ask.need, ask.channel == "public", ask.final)

    def order(self, verdict: Verdict) -> Markup:
        """An order that was taken, in words: `orders/<command>.md`."""
        args = dict(verdict.order.args) if verdict.order else {}
        details = dict(verdict.details)
        context = {**args, **details, "args": args, "details": details, "line": verdict.line}
        return self.fill(f"orders/{verdict.command}", context)

    def refusal(self, verdict: Verdict) -> Markup:
        """Why a line was refused and what would be taken: `refusals/<code>.md`."""
        details = dict(verdict.details)
        value = details.get("value", details.get("player", ""))
        context = {
            "line": verdict.line,
            "command": self._words.word(verdict.command) if verdict.command else "",
            "accepted": [self._words.bare(entry) for entry in verdict.accepted],
            "target": self._words.label(value) if isinstance(value, (str, int)) else "",
            "typed": str(details.get("typed", "")),
            "details": details,
        }
        return self.fill(f"refusals/{verdict.code}", context)

    def counts(self, ballots: Mapping[str, Any]) -> list[Count]:
        """The running count of a public vote, most votes first, then in the order in which they were first named."""
        found: dict[str, list[str]] = {}
        for voter, named in ballots.items():
            target = self._words.listed(named) if isinstance(named, (list, tuple)) else "" if named is None else named
            found.setdefault(str(target), []).append(voter)
        rows = [Count(self._words.bare(target), len(names), tuple(names)) for target, names in found.items()]
        return sorted(rows, key=lambda row: -row.votes)

    # The whole ------------------------------------------------------------------------------------------------------

    def finish(self, frame: str, context: Mapping[str, Any], deadline: datetime | None) -> Rendered:
        """Put a frame around it all, and write every form."""
        source = self.fill(frame, {**context, "deadline": deadline})
        subject = self.fill("gm/subject.txt" if self._reader.is_gm else "subject.txt", {})
        return finish(source, subject, self._shelf.lang)


def finish(source: str, subject: str, lang: str) -> Rendered:
    """A filled frame as a message."""
    parts = tuple(_part(part.strip("\n"), lang) for part in source.split(CUT) if part.strip())
    return Rendered(" ".join(clean(restore(subject)).split()), lang, parts)


@lru_cache(maxsize=1024)
def _part(source: str, lang: str) -> Part:
    return Part(parse(source, lang), lang)
