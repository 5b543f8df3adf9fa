"""Mail from people whom no game knows, or who claim to be a player and do not prove it."""

from __future__ import annotations

from collections.abc import Sequence

from mailgm.mail.compose import OutgoingMail
from mailgm.mail.reader import Letter
from mailgm.mail.tokens import message_id
from mailgm.service import caps, post
from mailgm.service.context import LIVE, Context, Live
from mailgm.service.directory import Door
from mailgm.store import Tx, outbox
from mailgm.store.letters import Letter as StoredLetter
from mailgm.store.outbox import NewMail
from mailgm.store.seats import Seat


def answer_stranger(ctx: Context, tx: Tx, letter: Letter, letter_id: int) -> None:
    """One polite answer a day and address, none to a robot."""
    if not caps.stranger(ctx, tx, letter):
        return
    address = ctx.config.mailbox.address
    rendered = ctx.renderer.stranger(_language(letter), {"address": address})
    own = message_id(address.rpartition("@")[2], letter_id, letter.message_id, letter.sender)
    mail = OutgoingMail(
        sender_name=ctx.config.mailbox.name,
        sender_address=address,
        recipient=letter.sender,
        subject=rendered.subject,
        date=ctx.now(),
        message_id=own,
        text=rendered.text,
        html=rendered.html,
        in_reply_to=letter.message_id,
        references=(*letter.references, letter.message_id),
        auto_submitted="auto-replied",
    )
    # The null sender: an answer that cannot be delivered must not come back (RFC 3834 §3.3).
    queued = NewMail(
        f"letter/{letter_id}", own, letter.sender, "", ctx.write(mail), rendered.subject, letter.message_id,
        letter_id=letter_id,
    )  # fmt: skip
    outbox.queue(tx, [queued], ctx.now())


def answer_held(
    ctx: Context,
    tx: Tx,
    letter: Letter,
    stored: StoredLetter,
    opened: tuple[Door, Live] | None,
    claimed: Sequence[Seat],
    reason: str,
) -> Live | None:
    """A letter that does not prove whose it is: nothing is played, the real player and the game master are told.

    opened: what its token opens. claimed: seats registered with its From. reason: "token" (no secret address),
    "forged" (found by the mail server) or "sender" (a secret address, but not one readable sender).
    """
    if opened is not None:
        door, live = opened
        seat = live.seat_by_id(door.seat_id) if door.seat_id else None
        if seat is None:
            return quarantine_master(ctx, tx, live, letter, stored, reason)
        claimed = [seat]
    for seat in claimed:
        live = ctx.load_id(tx, seat.game_id)
        if seat.active and live.record.status in LIVE:
            if opened is not None or caps.claim(ctx, tx, letter):
                _tell_both(ctx, tx, live, seat, letter, stored, reason)
            return live
    if reason != "forged":
        # Not even a polite answer to a forged letter: it would go to the one whose name was used.
        answer_stranger(ctx, tx, letter, stored.id)
    return None


def quarantine_master(ctx: Context, tx: Tx, live: Live, letter: Letter, stored: StoredLetter, reason: str) -> Live:
    """Tell the game master of a command in his name that is not carried out."""
    data = {"at": stored.arrived_at, "player": "MJ", "sender": letter.sender, "reason": reason}
    told = post.to_master(ctx, live, "quarantine", data, f"letter/{stored.id}/gm")
    outbox.queue(tx, caps.warnings(ctx, tx, told), ctx.now())
    return live


def _tell_both(ctx: Context, tx: Tx, live: Live, seat: Seat, letter: Letter, stored: StoredLetter, reason: str) -> None:
    data = {"at": stored.arrived_at, "player": seat.name, "sender": letter.sender, "reason": reason}
    told = post.to_master(ctx, live, "quarantine", data, f"letter/{stored.id}/gm")
    if seat.email:
        who = post.of_seat(seat)
        rendered = ctx.renderer.letter(post.view(ctx, live, who), who.reader, "quarantined", data)
        told = [post.mail(ctx, live, who, rendered, f"letter/{stored.id}"), *told]
    outbox.queue(tx, caps.warnings(ctx, tx, told), ctx.now())


def _language(letter: Letter) -> str:
    """French unless the letter reads like English: a guess that costs nothing if it is wrong."""
    words = set(letter.new_text.lower().split())
    return (
        "en"
        if len(words & {"the", "you", "and", "please", "hello", "i"}) > len(words & {"le", "la", "je", "et", "bonjour"})
        else "fr"
    )
