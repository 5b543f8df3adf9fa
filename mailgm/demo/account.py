"""The account of a demonstration: did the game end, was every message answered once, did every mail arrive?"""

from __future__ import annotations

import email
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mailgm.demo.players import Correspondent, Sent
from mailgm.service.context import Context
from mailgm.store import letters, outbox

ANSWERED = ("order", "gm", "nothing", "channel")


@dataclass
class Account:
    """faults: what is not as it should be; none: all is well. counts: figures to print, by name."""

    faults: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    scores: Mapping[str, int] = field(default_factory=dict)
    winners: Sequence[str] = ()


def settle_account(ctx: Context, name: str, sent: Sent, people: Sequence[Correspondent]) -> Account:
    """Compare what the players sent, what the service answered, and what lies in the mailboxes."""
    account = Account()
    with ctx.db.read() as tx:
        live = ctx.load(tx, name, for_update=False)
        handled = letters.find(tx, limit=100_000)
        mails = outbox.find(tx, limit=1_000_000)
    if live.running.end is None:
        account.faults.append(f"the game is not over: it stands in {live.record.phase_key}")
    else:
        account.scores = live.running.end.scores or {}
        account.winners = live.running.end.winners
    arrived = {letter.message_id for letter in handled}
    account.faults += [f"never arrived: {what}" for number, what in sent.ids.items() if number not in arrived]
    _answers(account, handled, mails)
    _arrivals(account, mails, people)
    account.counts = {
        "messages sent by players": sent.messages,
        "of them in odd shapes": sent.odd,
        "mails sent by the game": sum(mail.state == "sent" for mail in mails),
        "inputs of the game": live.record.inputs,
    }
    return account


def _answers(account: Account, handled: Sequence[letters.Letter], mails: Sequence[outbox.Mail]) -> None:
    """One reply to each message; a post gets one only if it held an order or something was refused."""
    replies = Counter(mail.letter_id for mail in mails if mail.letter_id is not None)
    for letter in handled:
        if letter.state != "handled":
            account.faults.append(f"letter {letter.id} is {letter.state}: {letter.error}")
        expected = 1 if letter.code in ANSWERED or (letter.detail or {}).get("answered") else 0
        if replies[letter.id] != expected:
            account.faults.append(
                f"letter {letter.id} ({letter.code}) got {replies[letter.id]} replies, not {expected}"
            )


def _arrivals(account: Account, mails: Sequence[outbox.Mail], people: Sequence[Correspondent]) -> None:
    """Every mail went out, and lies once in the right mailbox."""
    for mail in mails:
        if mail.state != "sent":
            account.faults.append(f"mail {mail.id} is {mail.state}: {mail.error}")
    for person in people:
        there = Counter(str(email.message_from_bytes(raw)["Message-ID"]) for raw in person.mails)
        due = Counter(mail.message_id for mail in mails if mail.recipient == person.address and mail.state == "sent")
        if there != due:
            missing, extra = due - there, there - due
            account.faults.append(f"{person.name}: {missing.total()} mails missing, {extra.total()} too many")
