"""From what the game tells to mails in the outbox: who gets which, under which address, in which thread."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Literal

from mailgm.engine import GM, PUBLIC, Ask, ChannelInfo, Notice, Verdict
from mailgm.mail.compose import OutgoingMail
from mailgm.mail.reader import Letter
from mailgm.mail.tokens import loop_mark, message_id, subject_with_token
from mailgm.render import GameView, OpenChannel, Reader, Rendered
from mailgm.service.context import Context, Live
from mailgm.service.directory import PRIVATE, TABLE, bounce_address, channel_token, reply_address, stage_mark
from mailgm.store import Tx, log
from mailgm.store.outbox import NewMail
from mailgm.store.seats import Seat

POST = "table.post"
RELAY = "relay"
TOLD_BLIND = ("player.resigned",)


@dataclasses.dataclass(frozen=True, slots=True)
class Addressee:
    """Somebody to whom a game writes: a seat, or its game master (`seat` None)."""

    name: str
    address: str
    lang: str
    zone: str
    token: str
    seat: Seat | None = None

    @property
    def reader(self) -> Reader:
        """The same person, as the words know him."""
        return Reader(self.name, self.lang, self.zone, is_gm=self.seat is None)


def addressees(live: Live) -> list[Addressee]:
    """Everybody to whom the game writes: players in seat order, those who left apart, then the game master."""
    players = [of_seat(seat) for seat in live.seats if seat.active and seat.email and not seat.forum]
    return [*players, *master(live)]


def of_seat(seat: Seat) -> Addressee:
    """A seat's player."""
    return Addressee(seat.name, seat.email, seat.lang, seat.zone, seat.token, seat)


def master(live: Live) -> list[Addressee]:
    """The game master, if mail can reach him."""
    return [commander(live)] if live.record.gm_address else []


def commander(live: Live) -> Addressee:
    """The game master, as the one who reads an answer."""
    record = live.record
    return Addressee(GM, record.gm_address, record.gm_lang, record.zone, record.gm_token)


def shown_phase(live: Live) -> str:
    """The running phase as the game master is told of it; to one who plays too, only what everybody was told."""
    if live.game is None:
        return ""
    return split_key(stage(live)) if live.settings.blind else live.game.phase


def split_key(key: str) -> str:
    """The phase's full id of a history key: "round-2.night-1.rooms#2" is "night-1.rooms"."""
    return re.sub(r"^round-\d+\.", "", key).partition("#")[0]


def view(ctx: Context, live: Live, who: Addressee, channel: str = PRIVATE) -> GameView:
    """The game as a mail to one person speaks of it; channel: where an answer to that mail goes."""
    game = live.game
    table = private = ""
    channels: tuple[OpenChannel, ...] = ()
    if who.seat is not None:
        table = reply_address(ctx.config, channel_token(who.token, TABLE))
        private = "" if channel == PRIVATE else reply_address(ctx.config, who.token)
        channels = tuple(
            OpenChannel(info.id, reply_address(ctx.config, channel_token(who.token, info.id)), info.members)
            for info in open_channels(live, who.name)
        )
    return GameView(
        name=live.settings.title or live.record.name,
        spec=live.preset.variant.spec,
        players=game.players if game else tuple(seat.name for seat in live.seats),
        preset=live.record.preset,
        title=live.preset.title,
        options=game.options if game else live.record.options,
        phase=shown_phase(live),
        table=table,
        private=private,
        channels=channels,
        paused=live.record.status in ("paused", "held"),
        over=live.record.status in ("over", "stopped"),
    )


# The mails of one moment ---------------------------------------------------------------------------------------------


def moment(ctx: Context, live: Live, notices: Sequence[Notice], key: str, *, opened: bool) -> list[NewMail]:
    """One mail to each person whom something of this moment concerns: all notices grouped, then what he may do now.

    key:    names the moment ("12/7": game, input). opened: a phase has opened, so those who are asked get a mail too.
    """
    mails = []
    for who in addressees(live):
        mine = [notice for notice in notices if concerns(notice, who, blind=live.settings.blind)]
        asks = live.running.open_to(who.name) if opened else []
        if not mine and not asks:
            continue
        mails.append(news(ctx, live, who, mine, f"{key}/{_place(who)}"))
    return [*mails, *_to_forum(ctx, live, notices, key, opened=opened)]


def _to_forum(ctx: Context, live: Live, notices: Sequence[Notice], key: str, *, opened: bool) -> list[NewMail]:
    """What players who live on a forum are to get, as BBCode ready to paste, in one mail to the game master."""
    blocks = []
    for who in [of_seat(seat) for seat in live.seats if seat.active and seat.forum]:
        mine = [notice for notice in notices if notice.kind != POST and notice.reaches(who.name)]
        asks = live.running.open_to(who.name) if live.game else []
        if mine or (opened and asks):
            deadline = live.record.deadline if live.record.status == "running" else None
            # No address of his: he writes on the forum.
            seen = dataclasses.replace(view(ctx, live, who), table="", private="", channels=())
            rendered = ctx.renderer.notices(seen, who.reader, _named(mine, who), asks, deadline)
            blocks.append({"player": who.name, "bbcode": rendered.bbcode})
    return to_master(ctx, live, "forum", {"blocks": blocks}, f"{key}/forum") if blocks else []


def concerns(notice: Notice, who: Addressee, *, blind: bool) -> bool:
    """Whether a notice goes to somebody; the game master gets what is public besides what is his.

    blind: he plays too, so what is his alone is told to him only if it holds no role and no order.
    """
    if who.seat is None:
        return notice.to == PUBLIC or (notice.reaches(GM) and (not blind or notice.kind in TOLD_BLIND))
    return notice.reaches(who.name)


def news(ctx: Context, live: Live, who: Addressee, notices: Sequence[Notice], key: str) -> NewMail:
    """The mail of one moment to one person; what was only said at the table comes from the table's address."""
    channel = _channel(live, who, notices)
    asks = live.running.open_to(who.name) if live.game else []
    deadline = live.record.deadline if live.record.status == "running" else None
    render = ctx.renderer.post if any(notice.kind == POST for notice in notices) else ctx.renderer.notices
    rendered = render(view(ctx, live, who, channel), who.reader, _named(notices, who), asks, deadline)
    return mail(ctx, live, who, rendered, key, channel=channel)


def open_channels(live: Live, player: str) -> tuple[ChannelInfo, ...]:
    """The channels that the running phase opens to a player now."""
    if live.game is None or live.game.over:
        return ()
    return live.game.rules.channels(live.game.state, player)


def _channel(live: Live, who: Addressee, notices: Sequence[Notice]) -> str:
    """Where an answer goes: to the table or the channel if nothing else was said in the mail, else to the service."""
    if who.seat is None or not notices:
        return PRIVATE
    if all(notice.kind == POST for notice in notices):
        return TABLE
    relayed = {str(notice.data.get("channel")) for notice in notices if notice.kind == RELAY}
    if len(relayed) == 1 and all(notice.kind == RELAY for notice in notices):
        channel = relayed.pop()
        return channel if channel in {info.id for info in open_channels(live, who.name)} else PRIVATE
    return PRIVATE


def _named(notices: Sequence[Notice], who: Addressee) -> list[Notice]:
    """Notices to several players as one of them sees them: addressed to him alone."""
    return [dataclasses.replace(notice, to=who.name) if isinstance(notice.to, tuple) else notice for notice in notices]


def gathered(tx: Tx, live: Live) -> tuple[list[Notice], list[int]]:
    """The posts that wait to be passed on together, and the ids of their notices."""
    waiting = log.notices_of(tx, live.record.id, states=("waiting",))
    return [as_notice(one) for one in waiting], [one.id for one in waiting]


def as_notice(logged: log.LoggedNotice) -> Notice:
    """A logged notice as the kernel made it."""
    audience = tuple(logged.audience)
    data = dict(logged.data)
    if logged.kind.startswith("clock.") and "deadline" in data:
        data["deadline"] = datetime.fromisoformat(data["deadline"])
    return Notice(logged.kind, audience[0] if len(audience) == 1 else audience, data)


def held(ctx: Context, live: Live, notices: Sequence[Notice], n: int) -> list[NewMail]:
    """The report that waits for the game master's "ok", to him alone."""
    public = [notice for notice in notices if notice.to == PUBLIC or (notice.to == GM and not live.settings.blind)]
    return [
        mail(
            ctx,
            live,
            who,
            ctx.renderer.letter(
                view(ctx, live, who), who.reader, "gm/held", {"until": live.record.deadline}, notices=public
            ),
            f"{live.record.id}/{n}/held",
        )
        for who in master(live)
    ]


def reminder(ctx: Context, live: Live, who: Addressee, key: str) -> NewMail:
    """The mail before a deadline to somebody who still owes an answer."""
    owed = live.running.owed(who.name)
    rendered = ctx.renderer.notices(view(ctx, live, who), who.reader, [], owed, live.record.deadline, reminder=True)
    return mail(ctx, live, who, rendered, key)


def to_master(
    ctx: Context, live: Live, name: str, data: Mapping[str, Any], key: str, notices: Sequence[Notice] = ()
) -> list[NewMail]:
    """A letter to the game master alone (`gm/<name>.md`)."""
    return [
        mail(
            ctx,
            live,
            who,
            ctx.renderer.letter(view(ctx, live, who), who.reader, f"gm/{name}", data, notices=notices),
            key,
        )
        for who in master(live)
    ]


# Replies -------------------------------------------------------------------------------------------------------------


def reply(
    ctx: Context,
    live: Live,
    who: Addressee,
    letter: Letter,
    letter_id: int,
    verdicts: Sequence[Verdict],
    *,
    notices: Sequence[Notice] = (),
    answers: Mapping[str, Mapping[str, Any]] | None = None,
    notes: Collection[str] = (),
    recipient: str = "",
) -> NewMail:
    """The one reply to a message: to the registered address (`recipient` where the game master wrote from another)."""
    asks: list[Ask] = live.running.open_to(who.name) if live.game else []
    owed: list[Ask] = live.running.owed(who.name) if live.game and not live.running.over else []
    rendered = ctx.renderer.reply(
        view(ctx, live, who),
        who.reader,
        verdicts,
        owed,
        asks,
        live.record.deadline if live.record.status == "running" else None,
        notices=_named(notices, who),
        answers=answers or {},
        notes=list(notes),
    )
    if recipient:
        who = dataclasses.replace(who, address=recipient)
    return mail(ctx, live, who, rendered, f"letter/{letter_id}", answered=letter, letter_id=letter_id)


# One mail ------------------------------------------------------------------------------------------------------------


def mail(
    ctx: Context,
    live: Live,
    who: Addressee,
    rendered: Rendered,
    key: str,
    *,
    channel: str = PRIVATE,
    answered: Letter | None = None,
    letter_id: int | None = None,
) -> NewMail:
    """Write one mail into its envelope. The same key gives the same Message-ID, so that a retry is the same mail."""
    domain = ctx.config.mailbox.address.rpartition("@")[2]
    secret = live.record.marks_key
    own = message_id(domain, secret, key)
    root = message_id(domain, secret, thread_key(live, who))
    token = channel_token(who.token, channel)
    mark = stage_mark(secret, stage(live)) if who.seat is not None else ""
    subject = rendered.subject
    if not ctx.config.mailbox.plus_addresses:
        subject = subject_with_token(subject, ".".join(filter(None, [token, mark])))
    references = [root] if own != root else []
    if answered is not None:
        references += [reference for reference in answered.references if reference not in references]
        if answered.message_id:
            references.append(answered.message_id)
    kind: Literal["auto-replied", "auto-generated"] = "auto-generated" if answered is None else "auto-replied"
    created = ctx.now()
    return NewMail(
        key=key,
        message_id=own,
        recipient=who.address,
        sender=bounce_address(ctx.config, own),
        content=ctx.write(
            OutgoingMail(
                sender_name=sender_name(ctx, live, channel),
                sender_address=ctx.config.mailbox.address,
                recipient=who.address,
                subject=subject,
                date=created,
                message_id=own,
                text=rendered.text,
                html=rendered.html,
                reply_to=reply_address(ctx.config, token, mark),
                in_reply_to=answered.message_id if answered is not None else (root if own != root else None),
                references=tuple(references),
                auto_submitted=kind,
                loop_mark=loop_mark(secret.encode(), live.record.name),
            )
        ),
        subject=subject,
        in_reply_to=answered.message_id if answered is not None else "",
        game_id=live.record.id,
        seat_id=who.seat.id if who.seat else None,
        letter_id=letter_id,
    )


def stage(live: Live) -> str:
    """The key of the latest phase whose opening was told to everybody: what an answer to a mail of now is meant for.

    Phases that open in silence share it, or their marks would tell that they exist.
    """
    if live.game is None:
        return ""
    for snapshot in reversed(live.game.history):
        if live.game.variant.phase(snapshot.state, snapshot.phase).announced:
            return snapshot.key
    return ""


def thread_key(live: Live, who: Addressee) -> str:
    """The key of the first mail to somebody: the root of his thread."""
    return f"{live.record.id}/0/{_place(who)}"


def sender_name(ctx: Context, live: Live, channel: str) -> str:
    """The name beside the address: the game's, so that the table is not taken for the game master.

    A channel among some players bears no name of its own: it would tell their role on the screen of a locked phone.
    """
    title = live.settings.title or live.record.name
    if channel == TABLE:
        return f"{title} – table"
    return f"{title} – {ctx.config.mailbox.name}"


def _place(who: Addressee) -> str:
    return str(who.seat.place) if who.seat else GM
