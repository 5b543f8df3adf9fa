"""The account of a demonstration: did the game end, was every message answered once, did every mail arrive?"""

from __future__ import annotations

import email
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from mailgm.demo.players import Correspondent, Sent
from mailgm.engine.said import say
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
        account.faults.append(say("the game is not over: it stands in {phase}", phase=live.record.phase_key))
    else:
        account.scores = live.running.end.scores or {}
        account.winners = live.running.end.winners
    arrived = {letter.message_id for letter in handled}
    account.faults += [
        say("never arrived: {what}", what=what) for number, what in sent.ids.items() if number not in arrived
    ]
    _answers(account, handled, mails)
    _arrivals(account, mails, people)
    account.counts = {
        say("messages sent by players"): sent.messages,
        say("of them in odd shapes"): sent.odd,
        say("mails sent by the game"): sum(mail.state == "sent" for mail in mails),
        say("inputs of the game"): live.record.inputs,
    }
    return account


def _answers(account: Account, handled: Sequence[letters.Letter], mails: Sequence[outbox.Mail]) -> None:
    """One reply to each message; a post gets one only if it held an order or something was refused."""
    replies = Counter(mail.letter_id for mail in mails if mail.letter_id is not None)
    for letter in handled:
        if letter.state != "handled":
            stuck = say("letter {id} is {state}: {error}", id=letter.id, state=say(letter.state), error=letter.error)
            account.faults.append(stuck)
        expected = 1 if letter.code in ANSWERED or (letter.detail or {}).get("answered") else 0
        if replies[letter.id] != expected:
            got = {"id": letter.id, "code": letter.code, "count": replies[letter.id], "expected": expected}
            account.faults.append(say("letter {id} ({code}) got {count} replies, not {expected}", **got))


def _arrivals(account: Account, mails: Sequence[outbox.Mail], people: Sequence[Correspondent]) -> None:
    """Every mail went out, and lies once in the right mailbox."""
    for mail in mails:
        if mail.state != "sent":
            unsent = say("mail {id} is {state}: {error}", id=mail.id, state=say(mail.state), error=mail.error)
            account.faults.append(unsent)
    for person in people:
        there = Counter(str(email.message_from_bytes(raw)["Message-ID"]) for raw in person.mails)
        due = Counter(mail.message_id for mail in mails if mail.recipient == person.address and mail.state == "sent")
        if there != due:
            missing, extra = due - there, there - due
            told = "{name}: {missing} mails missing, {extra} too many"
            account.faults.append(say(told, name=person.name, missing=missing.total(), extra=extra.total()))
