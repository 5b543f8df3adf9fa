"""Letters handled one by one: who is it, what is it, orders, reply; one transaction each."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

from mailgm.engine import ChannelInfo, Input
from mailgm.mail.reader import Letter, read
from mailgm.mail.tokens import find_tokens
from mailgm.service import answers, due, master, post, review
from mailgm.service.bounces import mark_working, note_bounce
from mailgm.service.context import LIVE, Context, Live
from mailgm.service.directory import PRIVATE, TABLE, Door
from mailgm.service.passing import passable
from mailgm.service.post import Addressee
from mailgm.service.strangers import answer_held, answer_stranger
from mailgm.service.turn import Cause, turn
from mailgm.service.verdict import Verdict, decide
from mailgm.store import StoreError, Tx, letters, limits, outbox, seats
from mailgm.store.letters import Letter as StoredLetter

logger = logging.getLogger(__name__)

HOUR = timedelta(hours=1)


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
            logger.exception("letter %d cannot be handled and is set aside", stored.id)
            return _set_aside(ctx, stored, error)
        _give_back(ctx, [stored])
        raise
    except Exception as error:
        logger.exception("letter %d cannot be handled and is set aside", stored.id)
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
    except Exception:
        # The letter is out of the way all the same, or it would come again for ever.
        logger.exception("nobody can be told of letter %d, which is set aside", stored.id)
        ctx.forget()


def _tell_aside(ctx: Context, tx: Tx, stored: StoredLetter, error: str) -> None:
    # Without the reader, which may be what the letter breaks.
    head = stored.raw.partition(b"\n\n")[0].partition(b"\r\n\r\n")[0].decode("utf-8", "replace")
    opened = ctx.door(tx, find_tokens([head], head, ctx.config.mailbox.address))
    if opened is None:
        return
    door, live = opened
    seat = live.seat_by_id(door.seat_id) if door.seat_id else None
    data = {"at": stored.arrived_at, "sender": seat.name if seat else "GM", "reason": error, "letter": stored.id}
    outbox.queue(tx, post.to_master(ctx, live, "set-aside", data, f"letter/{stored.id}/aside"), ctx.now())


def handle(ctx: Context, stored: StoredLetter) -> bool:
    """Handle one letter once, in one transaction; False if another process has settled it or an older one has come."""
    letter = read(stored.raw, own_addresses=frozenset({ctx.config.mailbox.address}))
    kept: Live | None = None
    with ctx.db.write() as tx:
        if not letters.take(tx, stored.id):
            return False
        opened = ctx.door(tx, find_tokens(letter.recipients, letter.subject, ctx.config.mailbox.address))
        claimed = seats.by_address(tx, letter.sender) if letter.sender and opened is None else []
        opened = opened or _trusted(ctx, tx, claimed)
        verdict = decide(letter, opened[0] if opened else None, claimed)
        code, seat_id, detail = verdict.code, None, None
        if opened is not None and verdict.code not in ("robot", "bounce"):
            kept, detail = _to_game(ctx, tx, opened[1], stored, letter, verdict)
            seat_id = opened[0].seat_id
        elif verdict.code == "bounce":
            kept = note_bounce(ctx, tx, letter, stored.id)
        elif verdict.code == "held":
            kept = answer_held(ctx, tx, letter, stored, claimed)
        elif verdict.code == "stranger":
            answer_stranger(ctx, tx, letter, stored.id)
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


def _trusted(ctx: Context, tx: Tx, claimed: Sequence[seats.Seat]) -> tuple[Door, Live] | None:
    """The door that a bare From opens, where the configuration believes it and only one running game fits."""
    if not ctx.config.mailbox.trust_from:
        return None
    found = [(seat, ctx.load_id(tx, seat.game_id)) for seat in claimed if seat.active]
    playing = [(Door(seat.game_id, seat.id, PRIVATE), live) for seat, live in found if live.record.status in LIVE]
    return playing[0] if len(playing) == 1 else None


def _to_game(
    ctx: Context, tx: Tx, live: Live, stored: StoredLetter, letter: Letter, verdict: Verdict
) -> tuple[Live, dict[str, Any]]:
    """Bring a letter to its game: first what fell due before it arrived, then what it says, then the reply."""
    door = verdict.door
    assert door is not None
    live = due.close_due(ctx, tx, live, stored.arrived_at)
    if door.seat_id is None:
        return master.by_mail(ctx, tx, live, stored, letter, verdict.text), {}
    seat = live.seat_by_id(door.seat_id)
    assert seat is not None
    who = post.of_seat(seat)
    if seat.address_state != "ok":
        live = mark_working(ctx, tx, live, seat.id)
    if note := _not_now(live, verdict):
        _queue_reply(ctx, tx, post.reply(ctx, live, who, letter, stored.id, [], notes=[note]), letter)
        return live, {"note": note}
    return _play(ctx, tx, live, who, door, stored, letter, verdict.text)


def _not_now(live: Live, verdict: Verdict) -> str:
    """Why a player's message is not given to the game: the remark that its reply carries; "" if it is."""
    if live.game is None or live.record.status not in LIVE:
        return "no-game"
    if verdict.code == "nothing":
        return "empty"
    # The phase it was for is closed, and the next one's report is not out yet.
    return "late" if review.pending(live) else ""


def _play(
    ctx: Context,
    tx: Tx,
    live: Live,
    who: Addressee,
    door: Door,
    stored: StoredLetter,
    letter: Letter,
    text: str,
) -> tuple[Live, dict[str, Any]]:
    public = door.channel == TABLE
    text, notes = _limited(ctx, text, letter, whole=door.channel != PRIVATE)
    given = Input("message", player=who.name, text=text, channel="public" if public else "private")
    if door.channel not in (PRIVATE, TABLE):
        opened = next((info for info in post.open_channels(live, who.name) if info.id == door.channel), None)
        if opened is None:
            _queue_reply(ctx, tx, post.reply(ctx, live, who, letter, stored.id, [], notes=["channel-closed"]), letter)
            return live, {"note": "channel-closed"}
        given = _relayed(live, who.name, opened, text)
    cause = Cause(who.name, stored.arrived_at, letter_id=stored.id)
    live, outcome = turn(ctx, tx, live, given, cause)
    verdicts = [verdict for verdict in outcome.verdicts if verdict.player == who.name]
    closed = [notice for notice in outcome.notices if notice.kind == "table.closed"]
    answered = not public or bool(closed) or any(verdict.status != "talk" for verdict in verdicts)
    if answered:
        told = answers.materials(ctx, tx, live, who.name, verdicts)
        made = post.reply(ctx, live, who, letter, stored.id, verdicts, answers=told, notes=notes, notices=closed)
        _queue_reply(ctx, tx, made, letter)
    return live, {"answered": answered, "refused": [v.code for v in verdicts if v.code]}


def _relayed(live: Live, player: str, channel: ChannelInfo, text: str) -> Input:
    """What is written to a channel's address, as the order that carries words there."""
    shapes = live.preset.variant.spec.commands[channel.command].args
    words = next(argument.name for argument in shapes if argument.kind == "text")
    args: dict[str, Any] = {words: text}
    # A command that serves several channels names the one that is meant.
    args |= {argument.name: channel.id for argument in shapes if argument.kind == "choice"}
    return Input("order", player=player, command=channel.command, args=args)


def _limited(ctx: Context, text: str, letter: Letter, *, whole: bool) -> tuple[str, list[str]]:
    """The text cut at the set sizes, with the notes that the reply carries for it."""
    notes = ["attachments"] if "attachment-ignored" in letter.warnings else []
    text, cut = passable(text, ctx.config.limits.post_characters)
    lines = text.splitlines()
    if not whole and len(lines) > ctx.config.limits.lines_per_message:
        text, cut = "\n".join(lines[: ctx.config.limits.lines_per_message]), True
    return text, [*notes, "cut"] if cut else notes


def _queue_reply(ctx: Context, tx: Tx, made: outbox.NewMail, letter: Letter) -> None:
    """Queue a reply unless its reader has had too many this hour: two robots must not keep each other busy."""
    if not letter.answerable:
        return
    most = ctx.config.limits.answers_per_hour
    if limits.allow(tx, made.recipient, "reply", ctx.now(), most=most, window=HOUR):
        outbox.queue(tx, [made], ctx.now())
    else:
        logger.warning("%d replies in an hour to one address; letter %s gets none", most, made.letter_id)
