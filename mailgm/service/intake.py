"""Letters handled one by one: who is it, what is it, orders, reply; one transaction each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime

from mailgm.faults import log_fault
from mailgm.mail.authres import FAIL, PASS, authenticity
from mailgm.mail.reader import Letter, read
from mailgm.mail.tokens import find_tokens
from mailgm.service import blind, caps, post
from mailgm.service.bounces import note_bounce
from mailgm.service.context import LIVE, Context, Live
from mailgm.service.directory import PRIVATE, Door, split_marks
from mailgm.service.hearing import to_game
from mailgm.service.marked import note_marked
from mailgm.service.strangers import answer_held, answer_stranger
from mailgm.service.verdict import decide
from mailgm.store import StoreError, Tx, letters, outbox, seats
from mailgm.store.letters import Letter as StoredLetter

logger = logging.getLogger(__name__)


class Unreadable(Exception):
    """A letter that breaks the reader: it is set aside, for it may be an order."""


def handle_waiting(ctx: Context, stopping: Callable[[], bool] = lambda: False, before: datetime | None = None) -> int:
    """Handle every stored letter, oldest first, or those that arrived before an instant; give how many were handled.

    A letter that breaks the code is set aside with its error, the game master is told, and the rest goes on. Raises
    StoreError where the database is away: nothing is lost then, the letters wait.
    """
    handled = 0
    while not stopping():
        with ctx.db.write() as tx:
            batch = letters.begin(tx, ctx.now(), before=before)
            for dead in batch.set_aside:
                _report_aside(ctx, tx, dead, dead.error)
        if not batch.letters:
            return handled
        for place, stored in enumerate(batch.letters):
            if stopping():
                _give_back(ctx, batch.letters[place:])
                return handled
            if not _handle_safely(ctx, stored):
                _give_back(ctx, batch.letters[place:])
                break
            handled += 1
    return handled


def _give_back(ctx: Context, rest: Sequence[StoredLetter]) -> None:
    with ctx.db.write() as tx:
        letters.unbegin(tx, [stored.id for stored in rest])


def _handle_safely(ctx: Context, stored: StoredLetter) -> bool:
    """Handle one letter; False if it was not its turn any more."""
    try:
        return handle(ctx, stored)
    except StoreError as error:
        if not error.temporary:
            log_fault(logger, error, "letter %d cannot be handled and is set aside", stored.id)
            return _set_aside(ctx, stored, error)
        _give_back(ctx, [stored])
        raise
    except Exception as error:  # noqa: BLE001 (logged by log_fault)
        log_fault(logger, error, "letter %d cannot be handled and is set aside", stored.id)
        return _set_aside(ctx, stored, error)


def _set_aside(ctx: Context, stored: StoredLetter, error: Exception) -> bool:
    """Whatever a sender can cause must not stop the others: the letter is kept, with what went wrong."""
    ctx.forget()
    what = f"{type(error).__name__}: {error}"
    with ctx.db.write() as tx:
        letters.set_aside(tx, stored.id, what, ctx.now())
        _report_aside(ctx, tx, stored, what)
    return True


def _report_aside(ctx: Context, tx: Tx, stored: StoredLetter, error: str) -> None:
    """Tell the game master of the game that a letter set aside was meant for, where that can be known."""
    try:
        with tx.begin_nested():
            _tell_aside(ctx, tx, stored, error)
    except StoreError:
        raise
    except Exception as fault:  # noqa: BLE001 (logged by log_fault)
        # The letter is out of the way all the same, or it would come again for ever.
        log_fault(logger, fault, "nobody can be told of letter %d, which is set aside", stored.id)
        ctx.forget()


def _tell_aside(ctx: Context, tx: Tx, stored: StoredLetter, error: str) -> None:
    # Without the reader, which may be what the letter breaks.
    head = stored.raw.partition(b"\n\n")[0].partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    opened = ctx.door(tx, find_tokens([head], head, ctx.config.mailbox.address))
    if opened is None:
        return
    door, live = opened
    seat = live.seat_by_id(door.seat_id) if door.seat_id else None
    reason = blind.reason(live, error)
    data = {"at": stored.arrived_at, "sender": seat.name if seat else "GM", "reason": reason, "letter": stored.id}
    told = post.to_master(ctx, live, "set-aside", data, f"letter/{stored.id}/aside")
    outbox.queue(tx, caps.warnings(ctx, tx, told), ctx.now())


def handle(ctx: Context, stored: StoredLetter) -> bool:
    """Handle one letter once, in one transaction; False if another process has settled it or an older one has come."""
    letter = read(stored.raw, own_addresses=frozenset({ctx.config.mailbox.address.lower()}))
    if "reader-error" in letter.warnings:
        raise Unreadable("the mail reader fails on this message; the log says where")
    kept: Live | None = None
    with ctx.db.write() as tx:
        if not letters.take(tx, stored.id):
            return False
        marks = split_marks(find_tokens(letter.recipients, letter.subject, ctx.config.mailbox.address))
        opened = ctx.door(tx, list(marks))
        claimed = seats.by_address(tx, letter.sender) if letter.sender and opened is None else []
        proof = _authenticity(ctx, letter)
        opened = opened or _trusted(ctx, tx, claimed, proof)
        forged = proof == FAIL
        verdict = decide(letter, opened[0] if opened else None, claimed, forged=forged)
        code, seat_id, detail = verdict.code, None, None
        if opened is not None and verdict.code not in ("robot", "bounce", "held"):
            kept, detail = to_game(ctx, tx, opened, marks, stored, letter, verdict)
            code, seat_id = str(detail.pop("code", code)), opened[0].seat_id
        elif verdict.code == "bounce":
            kept = note_bounce(ctx, tx, letter, stored.id, opened)
        elif verdict.code == "held":
            reason = "forged" if forged else "sender" if opened else "token"
            kept = answer_held(ctx, tx, letter, stored, opened, claimed, reason)
        elif verdict.code == "stranger":
            answer_stranger(ctx, tx, letter, stored.id)
        elif verdict.code == "robot" and opened is not None:
            note_marked(ctx, tx, opened, stored, letter)
        letters.settle(
            tx,
            stored.id,
            code,
            ctx.now(),
            sender=letter.sender,
            detail={"reason": letter.robot_reason, **(detail or {})},
            game_id=kept.record.id if kept else None,
            seat_id=seat_id,
        )
    if kept is not None:
        ctx.keep(kept)
    logger.info("letter %d: %s", stored.id, verdict.code)
    return True


def _authenticity(ctx: Context, letter: Letter) -> str:
    """What the mail server that the configuration names found out about the sender (RFC 8601)."""
    results = letter.headers.get("authentication-results", ())
    return authenticity(results, ctx.config.mailbox.auth_server, letter.sender)


def _trusted(ctx: Context, tx: Tx, claimed: Sequence[seats.Seat], proof: str) -> tuple[Door, Live] | None:
    """The door that a bare From opens, where the configuration believes it and only one running game fits.

    Where the mail server tells who has proven his sender, only they are believed.
    """
    if not ctx.config.mailbox.trust_from or (ctx.config.mailbox.auth_server and proof != PASS):
        return None
    found = [(seat, ctx.load_id(tx, seat.game_id)) for seat in claimed if seat.active]
    playing = [(Door(seat.game_id, seat.id, PRIVATE), live) for seat, live in found if live.record.status in LIVE]
    return playing[0] if len(playing) == 1 else None
