"""Mail from people whom no game knows, or who claim to be a player and do not prove it."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta

from mailgm.mail.compose import OutgoingMail
from mailgm.mail.reader import Letter
from mailgm.mail.tokens import message_id
from mailgm.service import post
from mailgm.service.context import LIVE, Context, Live
from mailgm.service.directory import Door
from mailgm.store import Tx, limits, outbox
from mailgm.store.letters import Letter as StoredLetter
from mailgm.store.outbox import NewMail
from mailgm.store.seats import Seat

DAY = timedelta(days=1)


def answer_stranger(ctx: Context, tx: Tx, letter: Letter, letter_id: int) -> None:
    """One polite answer a day and address, none to a robot."""
    if not _may_answer(ctx, tx, letter, "stranger"):
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

    opened: what its token opens. claimed: seats registered with its From. reason: "token" (no secret address) or
    "forged" (found by the mail server).
    """
    if opened is not None:
        door, live = opened
        seat = live.seat_by_id(door.seat_id) if door.seat_id else None
        if seat is None:
            data = {"at": stored.arrived_at, "player": "MJ", "sender": letter.sender, "reason": reason}
            outbox.queue(tx, post.to_master(ctx, live, "quarantine", data, f"letter/{stored.id}/gm"), ctx.now())
            return live
        claimed = [seat]
    for seat in claimed:
        live = ctx.load_id(tx, seat.game_id)
        if not seat.active or live.record.status not in LIVE:
            continue
        if _may_answer(ctx, tx, letter, "held"):
            who = post.of_seat(seat)
            data = {"at": stored.arrived_at, "player": seat.name, "sender": letter.sender, "reason": reason}
            rendered = ctx.renderer.letter(post.view(ctx, live, who), who.reader, "quarantined", data)
            told = [post.mail(ctx, live, who, rendered, f"letter/{stored.id}")]
            told += post.to_master(ctx, live, "quarantine", data, f"letter/{stored.id}/gm")
            outbox.queue(tx, told, ctx.now())
        return live
    answer_stranger(ctx, tx, letter, stored.id)
    return None


def _may_answer(ctx: Context, tx: Tx, letter: Letter, kind: str) -> bool:
    most = ctx.config.limits.stranger_answers_per_day
    if not letter.answerable or not letter.sender or most == 0:
        return False
    return limits.allow(tx, letter.sender, kind, ctx.now(), most=most, window=DAY)


def _language(letter: Letter) -> str:
    """French unless the letter reads like English: a guess that costs nothing if it is wrong."""
    words = set(letter.new_text.lower().split())
    return (
        "en"
        if len(words & {"the", "you", "and", "please", "hello", "i"}) > len(words & {"le", "la", "je", "et", "bonjour"})
        else "fr"
    )
