"""A player's letter, heard: checked for its owner and its stage, given to the game, and answered once."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import ChannelInfo, Input, Verdict, apply
from mailgm.mail.reader import Letter
from mailgm.service import answers, caps, due, identity, master, post, review
from mailgm.service.bounces import mark_working
from mailgm.service.context import LIVE, Context, Live
from mailgm.service.directory import PRIVATE, TABLE, Door, channel_token, stage_mark
from mailgm.service.passing import passable
from mailgm.service.post import Addressee
from mailgm.service.turn import Cause, commit, payload, settle
from mailgm.service.verdict import Verdict as LetterVerdict
from mailgm.store import Tx, outbox
from mailgm.store.letters import Letter as StoredLetter


def to_game(
    ctx: Context,
    tx: Tx,
    opened: tuple[Door, Live],
    marks: Mapping[str, str],
    stored: StoredLetter,
    letter: Letter,
    verdict: LetterVerdict,
) -> tuple[Live, dict[str, Any]]:
    """Bring a letter to its game: first what fell due before it arrived, then what it says, then the reply.

    marks: token → the stage's mark beside it. Gives the game and what the letter's row keeps; "code" replaces the
    verdict's.
    """
    door, live = opened
    if door.seat_id is None:
        return master.by_mail(ctx, tx, live, stored, letter, verdict.text)
    live = due.close_due(ctx, tx, live, stored.arrived_at)
    seat = live.seat_by_id(door.seat_id)
    assert seat is not None
    if identity.is_known(seat, letter.sender):
        live = mark_working(ctx, tx, live, seat)
    else:
        live, played = identity.newcomer(ctx, tx, live, seat, letter, stored)
        if not played:
            return live, {"code": "held"}
    who = post.of_seat(seat)
    if note := _not_now(live, verdict):
        _answer(ctx, tx, post.reply(ctx, live, who, letter, stored.id, [], notes=[note]), letter)
        return live, {"note": note, "answered": True}
    past = _is_past(live, marks.get(channel_token(seat.token, door.channel), ""))
    return _play(ctx, tx, live, who, door, stored, letter, verdict.text, past)


def _not_now(live: Live, verdict: LetterVerdict) -> str:
    """Why a player's message is not given to the game: the remark that its reply carries; "" if it is."""
    if live.game is None or live.record.status not in LIVE:
        return "no-game"
    if verdict.code == "nothing":
        return "empty"
    # The phase it was for is closed, and the next one's report is not out yet.
    return "late" if review.pending(live) else ""


def _is_past(live: Live, mark: str) -> bool:
    """Whether a message answers a mail of an earlier stage of the game."""
    return bool(mark) and mark != stage_mark(live.record.marks_key, post.stage(live))


def _play(
    ctx: Context,
    tx: Tx,
    live: Live,
    who: Addressee,
    door: Door,
    stored: StoredLetter,
    letter: Letter,
    text: str,
    past: bool,
) -> tuple[Live, dict[str, Any]]:
    own: list[Verdict] = []
    if door.channel == PRIVATE:
        live, text, own = identity.own_words(ctx, tx, live, who, text)
        who = post.of_seat(next(seat for seat in live.seats if seat.id == door.seat_id))
    text, notes = _limited(ctx, text, letter, whole=door.channel != PRIVATE)
    given = _input(live, who.name, door, text)
    if given is None:
        _answer(ctx, tx, post.reply(ctx, live, who, letter, stored.id, own, notes=["channel-closed"]), letter)
        return live, {"note": "channel-closed"}
    if door.channel != PRIVATE and who.seat is not None and not caps.passes_on(ctx, tx, who.seat):
        _answer(ctx, tx, post.reply(ctx, live, who, letter, stored.id, own, notes=["too-many-posts"]), letter)
        return live, {"note": "too-many-posts"}
    cause = Cause(who.name, stored.arrived_at, letter_id=stored.id)
    outcome = apply(live.running, given)
    if past and any(verdict.status == "accepted" for verdict in outcome.verdicts):
        # An answer to last night's mail is not taken for tonight's; the reply's own address is of now.
        _answer(ctx, tx, post.reply(ctx, live, who, letter, stored.id, own, notes=["past-phase"]), letter)
        return live, {"note": "past-phase", "answered": True}
    live = settle(ctx, tx, commit(ctx, tx, live, outcome, payload(given, cause), cause), cause)
    verdicts = [*own, *(verdict for verdict in outcome.verdicts if verdict.player == who.name)]
    closed = [notice for notice in outcome.notices if notice.kind == "table.closed"]
    answered = door.channel != TABLE or bool(closed) or any(verdict.status != "talk" for verdict in verdicts)
    if answered:
        told = answers.materials(ctx, tx, live, who.name, verdicts)
        made = post.reply(ctx, live, who, letter, stored.id, verdicts, answers=told, notes=notes, notices=closed)
        _answer(ctx, tx, made, letter)
    return live, {"answered": answered, "refused": [verdict.code for verdict in verdicts if verdict.code]}


def _input(live: Live, player: str, door: Door, text: str) -> Input | None:
    """The kernel's input of a message, by the channel it came through; None if that channel is closed to him now."""
    if door.channel in (PRIVATE, TABLE):
        return Input("message", player=player, text=text, channel="public" if door.channel == TABLE else "private")
    opened = next((info for info in post.open_channels(live, player) if info.id == door.channel), None)
    return _relayed(live, player, opened, text) if opened else None


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


def _answer(ctx: Context, tx: Tx, made: outbox.NewMail, letter: Letter) -> None:
    """Queue a reply unless its reader has had too many this hour: two robots must not keep each other busy."""
    if letter.answerable and caps.answers(ctx, tx, [made]):
        outbox.queue(tx, [made], ctx.now())
