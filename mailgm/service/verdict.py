"""Deciding what a letter is, apart from doing anything about it: one letter, one verdict, one named reason.

Source: architecture §4.3–4.5. The codes stand in the log, in the letter's row, and nowhere else.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mailgm.mail.reader import Letter
from mailgm.service.directory import TABLE, Door
from mailgm.store.seats import Seat


@dataclass(frozen=True, slots=True)
class Verdict:
    """What a letter is to the service.

    code:  "bounce", "robot" (never answered), "order" (a player's private message), "post" (at the table), "channel"
           (a relay among players), "gm" (the game master's), "nothing" (a player's, without a word of his own),
           "held" (claims to be a player and does not prove it), "stranger".
    door:  whose and where, for the codes that have one.
    text:  what its author newly wrote.
    """

    code: str
    door: Door | None = None
    text: str = ""


def decide(letter: Letter, door: Door | None, claimed: Sequence[Seat], *, forged: bool = False) -> Verdict:
    """Tell what a letter is.

    door:    what its reply token opens, or its From where the configuration believes it (`trust_from`); None: nothing.
    claimed: seats whose registered address its From names, which by itself proves nothing.
    forged:  the mail server found that somebody else has sent it.
    """
    if letter.kind == "bounce":
        return Verdict("bounce")
    if letter.robot_reason or letter.kind in ("auto-reply", "list", "own"):
        return Verdict("robot", door)
    if forged:
        # Not even a polite answer: it would go to the one whose name was used.
        return Verdict("held") if door or claimed else Verdict("robot")
    if door is None:
        return Verdict("held" if claimed else "stranger")
    if not letter.sender:
        # No From, or several: nobody could be told that his secret address was used by somebody else.
        return Verdict("held", door)
    text = said(letter)
    if not text:
        return Verdict("nothing", door)
    if door.seat_id is None:
        return Verdict("gm", door, text)
    if door.channel == TABLE:
        return Verdict("post", door, text)
    return Verdict("order" if door.channel == "private" else "channel", door, text)


def said(letter: Letter) -> str:
    """The author's own words; the subject where the body is empty and the subject is no answer's."""
    text = letter.new_text.strip()
    if text:
        return text
    subject = letter.subject.strip()
    answers = subject.lower().startswith(("re:", "re :", "rép", "fwd:", "tr:", "aw:", "sv:")) or "[" in subject
    return "" if answers or letter.quoted.strip() else subject
