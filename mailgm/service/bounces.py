"""Mails that came back: the player's address is marked, and the game master is told what to do."""

from __future__ import annotations

import dataclasses
import logging
from collections.abc import Sequence

from mailgm.mail.reader import BounceRecipient, Letter
from mailgm.service import caps, post
from mailgm.service.context import Context, Live
from mailgm.service.directory import Door, bounced_message_id
from mailgm.store import Tx, games, outbox, seats
from mailgm.store.outbox import Claimed, Mail
from mailgm.store.seats import Seat

logger = logging.getLogger(__name__)


def note_bounce(
    ctx: Context, tx: Tx, letter: Letter, letter_id: int, opened: tuple[Door, Live] | None = None
) -> Live | None:
    """Note a delivery report: an address that failed for good is marked. Gives the game it concerns, if any.

    The mail is known by the address that the report came to, by the Message-ID that it quotes, or by the secret address
    that it was sent to and the player's own that it names: an outsider can guess none of them.
    opened: what the report's tokens open.
    """
    if letter.bounce is None:
        return None
    failed = [recipient for recipient in letter.bounce.recipients if recipient.permanent]
    mail = _bounced(ctx, tx, letter)
    if mail is None or mail.game_id is None:
        return _at_the_door(ctx, tx, opened, failed, letter_id) if opened else None
    live = ctx.load_id(tx, mail.game_id)
    if failed and mail.seat_id is None:
        logger.error("mail to the game master of %s came back: %s", live.record.name, _reason(failed[0]))
    if not failed or mail.seat_id is None or not _still_there(live, mail):
        return live
    return mark_bouncing(ctx, tx, live, mail.seat_id, _reason(failed[0]), f"letter/{letter_id}")


def _at_the_door(
    ctx: Context, tx: Tx, opened: tuple[Door, Live], failed: Sequence[BounceRecipient], letter_id: int
) -> Live:
    """A report that came to a player's secret address, as some servers send it, and names his own."""
    door, live = opened
    seat = live.seat_by_id(door.seat_id) if door.seat_id else None
    named = [recipient for recipient in failed if seat and recipient.address.lower() == seat.email.lower()]
    if seat is None or not named:
        return live
    return mark_bouncing(ctx, tx, live, seat.id, _reason(named[0]), f"letter/{letter_id}")


def _reason(failed: BounceRecipient) -> str:
    return failed.diagnostic or failed.status


def mark_bouncing(ctx: Context, tx: Tx, live: Live, seat_id: int, reason: str, key: str) -> Live:
    """Mark a seat's address and tell the game master, once until it works again."""
    if not seats.mark_address(tx, seat_id, "bouncing"):
        return live
    live = _reread(ctx, tx, live)
    seat = live.seat_by_id(seat_id)
    assert seat is not None
    data = {"player": seat.name, "address": seat.email, "reason": reason}
    told = post.to_master(ctx, live, "bounce", data, f"{key}/bounce")
    outbox.queue(tx, caps.warnings(ctx, tx, told), ctx.now())
    return live


def mark_working(ctx: Context, tx: Tx, live: Live, seat: Seat) -> Live:
    """A mail came from the seat's player: his address works again."""
    if seat.address_state == "ok" or not seats.mark_address(tx, seat.id, "ok"):
        return live
    return _reread(ctx, tx, live)


def note_failures(ctx: Context, tx: Tx, failures: list[tuple[Claimed, str]]) -> None:
    """Mails that the server will never deliver: as if they had bounced. Called in the marking transaction."""
    # The transaction may be rolled back and this called again: nothing that it has seen may be kept.
    ctx.forget()
    try:
        for mail, said in failures:
            if mail.game_id is None:
                continue
            live = ctx.load_id(tx, mail.game_id)
            if mail.seat_id is None:
                logger.error("the game master of %s cannot be reached: %s", live.record.name, said)
            elif _still_there(live, mail):
                mark_bouncing(ctx, tx, live, mail.seat_id, said, f"mail/{mail.id}")
    finally:
        ctx.forget()


def _still_there(live: Live, mail: Claimed | Mail) -> bool:
    """Whether the seat still has the address that a mail went to: it may have another holder since."""
    seat = live.seat_by_id(mail.seat_id) if mail.seat_id else None
    return seat is not None and seat.email.lower() == mail.recipient.lower()


def _bounced(ctx: Context, tx: Tx, letter: Letter) -> Mail | None:
    verp = letter.bounce.verp if letter.bounce else ""
    known = [bounced_message_id(ctx.config, address) for address in (verp, *letter.recipients)]
    known += [letter.bounce.original_message_id] if letter.bounce else []
    for message_id in filter(None, known):
        if found := outbox.find(tx, message_id=message_id, limit=1):
            return found[0]
    return None


def _reread(ctx: Context, tx: Tx, live: Live) -> Live:
    """The game after its seats have changed; its version moves, so that no other process keeps the old ones."""
    record = games.save(tx, live.record, ctx.now(), known=live.record)
    return dataclasses.replace(live, record=record, seats=tuple(seats.of_game(tx, record.id)))
