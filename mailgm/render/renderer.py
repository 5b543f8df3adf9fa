"""The one door to everything that is read: what to say comes in, subject, text, HTML, Markdown and BBCode go out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

from markupsafe import Markup

from mailgm.engine.model import Ask, Notice, Verdict
from mailgm.render.desk import Desk, finish
from mailgm.render.model import GameView, Reader, Rendered
from mailgm.render.templates import Shelf
from mailgm.render.words import Words, capitalised
from mailgm.shipped import shipped

NOT_UNDERSTOOD = "not-understood"
_NONE: Mapping[str, Any] = {}


class Renderer:
    """Writes mails from templates; keeps compiled templates, so make one and use it for all games.

    Every method raises MissingTemplate where a template is missing, and Jinja's UndefinedError where a template uses a
    word that its notice does not carry: faults of the templates, which `mailgm doctor` and the tests look for.
    """

    def __init__(self, templates_path: Sequence[Path | str] = ()) -> None:
        """templates_path: folders of the user's own, searched before the shipped templates."""
        self._roots = [*map(Path, templates_path), shipped("templates")]
        self._shelves: dict[tuple[str, str, str], tuple[Shelf, dict[str, Any]]] = {}

    @property
    def languages(self) -> list[str]:
        """The languages there are templates for, sorted."""
        return sorted({folder.parent.name for root in self._roots for folder in root.glob("*/common")})

    def faults(self) -> list[str]:
        """What is wrong with the templates as they are written, each with its file and line; empty if all is well."""
        found = []
        for root in self._roots:
            for folder in sorted(folder for folder in root.glob("*/*") if folder.is_dir()):
                shelf = Shelf(self._roots, folder.parent.name, [folder.name, "common"])
                found += [fault for file in sorted(folder.rglob("*.md")) if (fault := shelf.fault(file))]
        return found

    def notices(
        self,
        game: GameView,
        reader: Reader,
        notices: Sequence[Notice],
        asks: Sequence[Ask] = (),
        deadline: datetime | None = None,
        *,
        reminder: bool = False,
    ) -> Rendered:
        """What happened at one moment, then what the reader may do now and until when.

        notices:  those that reach the reader, in the order of the game.
        asks:     everything that he is asked now; for a reminder only what he still owes.
        deadline: aware; None where the clock stands still or nothing is to come.
        reminder: the mail before a deadline to those who still owe an answer; notices may then be empty.
        """
        desk = self._desk(game, reader)
        frame = "reminder" if reminder else "mail"
        context = {"sections": desk.sections(notices), "asks": desk.asks(asks)}
        return desk.finish(f"gm/{frame}" if reader.is_gm else frame, context, deadline)

    def post(
        self,
        game: GameView,
        reader: Reader,
        notices: Sequence[Notice],
        asks: Sequence[Ask] = (),
        deadline: datetime | None = None,
    ) -> Rendered:
        """What was said at the table, one post or several gathered, with the vote count as it stands after the last.

        notices: `table.post` notices and whatever else reached the reader with them, in order.
        asks, deadline: as for `notices`.
        """
        desk = self._desk(game, reader)
        said = [notice for notice in notices if notice.kind == "table.post"]
        ballots = said[-1].data.get("ballots") or {} if said else {}
        context = {
            "sections": desk.sections(notices),
            "posts": len(said),
            "counts": desk.counts(ballots),
            "asks": desk.asks(asks),
        }
        frame = "gm/post" if reader.is_gm else "post" if len(said) == 1 else "digest"
        return desk.finish(frame, context, deadline)

    def reply(
        self,
        game: GameView,
        reader: Reader,
        verdicts: Sequence[Verdict],
        owed: Sequence[Ask] = (),
        asks: Sequence[Ask] = (),
        deadline: datetime | None = None,
        *,
        notices: Sequence[Notice] = (),
        answers: Mapping[str, Mapping[str, Any]] = _NONE,
        notes: Sequence[str] = (),
    ) -> Rendered:
        """The one reply to a message: understood, refused and why, not understood, still expected, until when.

        verdicts: of the message's lines, in order. owed: what is still expected of the reader; asks: all he may do.
        notices:  what the message itself brought him at once (a vote count, a closed table).
        answers:  word of a verdict "asked" or "done" → what its template needs (`status`: told, owing, …).
        notes:    remarks on the message as a whole: "late", "empty", "attachments", "cut" (`notes/<key>.md`).
        """
        desk = self._desk(game, reader)
        refused = [verdict for verdict in verdicts if verdict.status == "refused"]
        context = {
            # Typed twice, an order is told once.
            "understood": list(dict.fromkeys(desk.order(one) for one in verdicts if one.status == "accepted")),
            "refused": [desk.refusal(verdict) for verdict in refused if verdict.code != NOT_UNDERSTOOD],
            "unread": [desk.refusal(verdict) for verdict in refused if verdict.code == NOT_UNDERSTOOD],
            "answers": [self._answer(desk, reader, verdict, asks, answers) for verdict in _once(verdicts)],
            "owed": desk.asks(owed),
            "asks": desk.asks(asks),
            "sections": desk.sections(notices),
            "notes": [desk.fill(f"notes/{note}", {}) for note in notes],
        }
        return desk.finish("gm/reply" if reader.is_gm else "reply", context, deadline)

    def letter(
        self,
        game: GameView,
        reader: Reader,
        name: str,
        data: Mapping[str, Any] = _NONE,
        *,
        notices: Sequence[Notice] = (),
        asks: Sequence[Ask] = (),
        deadline: datetime | None = None,
    ) -> Rendered:
        """A message that is neither news nor reply: `recap` (a new player on an old seat), `quarantined`,
        `signup/welcome`, and the game master's `gm/<name>`: `gm/held`, `gm/bounce`, … (docs/templates.md lists them).

        data: what that template needs.
        """
        desk = self._desk(game, reader)
        context = {**data, "sections": desk.sections(notices), "asks": desk.asks(asks)}
        return desk.finish(name, context, deadline)

    def stranger(self, lang: str, data: Mapping[str, Any] = _NONE) -> Rendered:
        """The one polite answer a day to somebody whom no game knows. data: service: the address they wrote to."""
        shelf, _ = self._shelf(lang, "", "")
        context = {"address": "", **data}
        return finish(shelf.fill("stranger", context), shelf.fill("stranger-subject.txt", context), lang)

    def phase_name(self, game: GameView, lang: str, key: str) -> str:
        """A phase in words. key: its full id or history key."""
        _, table = self._shelf(lang, game.preset, game.spec.id)
        return capitalised(Words(game.spec, game.players, lang, table).phase_name(key))

    # ----------------------------------------------------------------------------------------------------------------

    def _desk(self, game: GameView, reader: Reader) -> Desk:
        shelf, table = self._shelf(reader.lang, game.preset, game.spec.id)
        return Desk(shelf, table, game, reader)

    def _shelf(self, lang: str, preset: str, variant: str) -> tuple[Shelf, dict[str, Any]]:
        key = (lang, preset, variant)
        if key not in self._shelves:
            if lang not in self.languages:
                raise ValueError(f"there are no templates in {lang!r}; there are {', '.join(self.languages)}")
            shelf = Shelf(self._roots, lang, [preset, variant, "common"])
            self._shelves[key] = (shelf, shelf.words())
        return self._shelves[key]

    def _answer(
        self,
        desk: Desk,
        reader: Reader,
        verdict: Verdict,
        asks: Sequence[Ask],
        answers: Mapping[str, Mapping[str, Any]],
    ) -> Markup:
        details = dict(verdict.details)
        context: dict[str, Any] = {**details, "details": details, "asks": desk.asks(asks)}
        given = dict(answers.get(verdict.command, _NONE))
        if "told" in given:
            given["told"] = desk.sections(given["told"])
        if "owing" in given:
            given["owing"] = {name: desk.asks(owed) for name, owed in given["owing"].items()}
        if verdict.order is not None:
            return desk.order(verdict)
        folder = "gm/done" if reader.is_gm else "commands"
        return desk.fill(f"{folder}/{verdict.command}", {**context, **given})


def _once(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """The verdicts that are answered, each question once however often it was put."""
    found: dict[str, Verdict] = {}
    kept = []
    for verdict in verdicts:
        if verdict.status == "done" or (verdict.status == "asked" and verdict.command not in found):
            found[verdict.command] = verdict
            kept.append(verdict)
    return kept
