"""Whatever shape a player's program gives to an order, it is the same order."""

from __future__ import annotations

import random
from collections.abc import Callable
from email.message import Message

import pytest

from mailgm.demo import shapes
from mailgm.store import letters
from tests.service.world import World, answers_to, message


@pytest.mark.parametrize("shape", shapes.SHAPES, ids=lambda shape: shape.__name__)
@pytest.mark.parametrize("text", ["aller à la salle de torture", "Geôles", "finalement non\ngeôles"])
def test_an_order_is_the_same_in_every_shape(
    night: World, shape: Callable[[shapes.Draft, random.Random], Message], text: str
) -> None:
    first = next(mail for mail in night.mails(new=False) if mail.recipient == "joueur2@example.net")
    recipient = answers_to(first)
    draft = shapes.Draft("Bob", "joueur2@example.net", recipient, "fr", text, message(first))
    raw = f"Delivered-To: {recipient}\r\n".encode() + shapes.build(draft, random.Random(1), shape)
    letter = night.letter(night.store(raw))
    assert letter.code == "order"
    order = night.game.orders.of("Bob", "aller")
    assert order is not None
    assert order.args == {"room": "torture" if "torture" in text else "geoles"}
    (reply,) = [mail for mail in night.mails() if mail.recipient == "joueur2@example.net"]
    assert reply.letter_id == letter.id
    with night.ctx.db.read() as tx:
        assert letters.waiting(tx) == 0
