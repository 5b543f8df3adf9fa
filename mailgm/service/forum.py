"""Players who live on a forum: their messages come forwarded by the game master, their mails go to him as BBCode."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from mailgm.engine import Input, Verdict
from mailgm.mail.reader import Forwarded, Letter, extract_text, forum_message, read
from mailgm.service import due
from mailgm.service.context import Context, Live
from mailgm.service.passing import passable
from mailgm.service.turn import Cause, turn
from mailgm.store import NotFound, Tx, letters, outbox
from mailgm.store.letters import Letter as StoredLetter


@dataclass(frozen=True, slots=True)
class Passed:
    """A player's message that the game master passes on: the name as it stands there, the words, the hour or None."""

    name: str
    address: str
    text: str
    at: datetime | None


def passed_on(letter: Letter, text: str) -> Passed | None:
    """What a letter of the game master passes on, or None: a forwarded mail, a forum's notice, or pasted words."""
    outer = letter.forwarded
    inner = forum_message(outer.text, outer.subject) if outer else forum_message(text, letter.subject)
    found = inner if inner is not None and inner.text.strip() else outer
    if found is None or not found.text.strip():
        return None
    # A forwarded mail has its own quotes and signature.
    words = extract_text(found.text).new_text.strip()
    return Passed(found.name or found.from_, found.address, words, _hour(inner, outer)) if words else None


def _hour(*forwarded: Forwarded | None) -> datetime | None:
    """The hour that a forwarded message bears, where it is one with a zone; a bare "20:58" could be anybody's."""
    for one in forwarded:
        if one is None or not one.date:
            continue
        try:
            at = parsedate_to_datetime(one.date)
        except (ValueError, TypeError, IndexError):
            continue
        if at.tzinfo is not None:
            return at.astimezone(UTC)
    return None


def player_of(live: Live, passed: Passed) -> tuple[str, tuple[str, ...]]:
    """The player whose words they are, else "" and those between whom it cannot be told (all, if none fits)."""
    for seat in live.seats:
        if passed.address and seat.email.lower() == passed.address.lower():
            return seat.name, ()
    named = live.running.parser.player(passed.name)
    if named.values and not named.code:
        return str(named.values[0]), ()
    return "", tuple(named.candidates) or live.running.players


def play_for(
    ctx: Context, tx: Tx, live: Live, stored: StoredLetter, passed: Passed, name: str
) -> tuple[Live, list[Verdict]]:
    """Give a player's passed-on words to the game as his; the forum's hour counts where the game trusts it.

    Words from before the running phase opened were not meant for it, and are not taken.
    """
    trusted = live.settings.forum_dates and passed.at is not None and passed.at < stored.arrived_at
    at = passed.at if trusted and passed.at is not None else stored.arrived_at
    live = due.close_due(ctx, tx, live, at)
    opened = live.record.phase_opened_at
    if opened is not None and at < opened:
        first = passed.text.partition("\n")[0]
        return live, [Verdict(name, "refused", first, code="past-message", details={"player": name})]
    text, _ = passable(passed.text, ctx.config.limits.post_characters)
    given = Input("message", player=name, text=text, channel="any")
    live, outcome = turn(ctx, tx, live, given, Cause("gm", at, "forwarded", letter_id=stored.id))
    return live, [verdict for verdict in outcome.verdicts if verdict.player == name]


def asked_back(tx: Tx, live: Live, letter: Letter) -> tuple[StoredLetter, Passed] | None:
    """The passed-on message about which this letter answers our question "whose is it?", or None."""
    mails = outbox.find(tx, message_id=letter.in_reply_to, limit=1) if letter.in_reply_to else []
    if not mails or mails[0].letter_id is None:
        return None
    try:
        earlier = letters.get(tx, mails[0].letter_id)
    except NotFound:
        return None
    if earlier.game_id != live.record.id or not (earlier.detail or {}).get("whose"):
        return None
    read_again = read(earlier.raw)
    passed = passed_on(read_again, read_again.new_text)
    return (earlier, passed) if passed else None
