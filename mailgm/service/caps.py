"""Hard caps: how many answers, warnings and posts go out an hour, whoever keeps writing."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import timedelta

from mailgm.mail.compose import address
from mailgm.mail.reader import Letter
from mailgm.service.context import Context
from mailgm.store import Tx, limits
from mailgm.store.outbox import NewMail
from mailgm.store.seats import Seat

logger = logging.getLogger(__name__)

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)

STRANGERS_PER_HOUR = 20
"""Answers to strangers in an hour, whoever they are: with forged senders each goes to another victim."""

_EVERYBODY = "*"


def answers(ctx: Context, tx: Tx, mails: Sequence[NewMail]) -> bool:
    """Count a reply to each address; whether all are within the hour's cap: two robots must not go on for ever."""
    most = ctx.config.limits.answers_per_hour
    within = [limits.allow(tx, mail.recipient, "reply", ctx.now(), most=most, window=HOUR) for mail in mails]
    if not all(within):
        logger.warning("%d replies in an hour to one address; a letter gets none", most)
    return all(within)


def warnings(ctx: Context, tx: Tx, mails: Sequence[NewMail]) -> list[NewMail]:
    """Count a warning to each address, and give those mails that are within the hour's cap.

    A warning is what somebody else's letter causes: without a cap, whoever has a secret address could flood its owner.
    """
    most = ctx.config.limits.answers_per_hour
    return [mail for mail in mails if limits.allow(tx, mail.recipient, "warning", ctx.now(), most=most, window=HOUR)]


def stranger(ctx: Context, tx: Tx, letter: Letter) -> bool:
    """Whether a stranger may be answered: so many times a day, and so many strangers an hour altogether."""
    most = ctx.config.limits.stranger_answers_per_day
    if not letter.answerable or most == 0 or not _reachable(letter.sender) or _ours(ctx, letter.sender):
        return False
    if not limits.allow(tx, letter.sender, "stranger", ctx.now(), most=most, window=DAY):
        return False
    return limits.allow(tx, _EVERYBODY, "stranger", ctx.now(), most=STRANGERS_PER_HOUR, window=HOUR)


def claim(ctx: Context, tx: Tx, letter: Letter) -> bool:
    """Whether the owner of an address is told that a letter bears it and proves nothing: once a day, or so often."""
    most = max(1, ctx.config.limits.stranger_answers_per_day)
    return letter.answerable and limits.allow(tx, letter.sender, "held", ctx.now(), most=most, window=DAY)


def passes_on(ctx: Context, tx: Tx, seat: Seat) -> bool:
    """Count one more message of a player to others; whether it is within the hour's cap."""
    most = ctx.config.limits.posts_per_hour
    return limits.allow(tx, f"seat/{seat.id}", "post", ctx.now(), most=most, window=HOUR)


def _reachable(sender: str) -> bool:
    """Whether mail can be sent to an address that somebody else has written."""
    try:
        return bool(address(sender))
    except ValueError:
        return False


def _ours(ctx: Context, sender: str) -> bool:
    """Whether an address is the service's own, with or without something after a plus."""
    local, _, domain = ctx.config.mailbox.address.lower().rpartition("@")
    given, _, host = sender.lower().rpartition("@")
    return host == domain and given.partition("+")[0] == local
