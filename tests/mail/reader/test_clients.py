"""Whatever client a player uses, her order and nothing else is read."""

# ruff: noqa: E501 - mails are written as they are sent
from __future__ import annotations

import clients
import pytest

from mailgm.mail.reader import extract_text, read


def mail(body: str, kind: str = "plain", subject: str = "Re: Nuit 2") -> bytes:
    head = f"From: Ana Martin <ana@exemple.fr>\nTo: mj@exemple.fr\nSubject: {subject}\nMIME-Version: 1.0\n"
    head += f"Content-Type: text/{kind}; charset=utf-8\nContent-Transfer-Encoding: 8bit\n\n"
    return (head + body).encode()


@pytest.mark.parametrize("client", clients.REPLIES)
def test_a_reply_leaves_the_order(client: str) -> None:
    letter = read(mail(clients.REPLIES[client].format(order=clients.ORDER)))
    assert letter.new_text.removesuffix("\n\nAna").strip() == clients.ORDER
    assert letter.kind == "message"
    assert letter.forwarded is None
    assert "vote Alice" in letter.quoted


@pytest.mark.parametrize("client", clients.REPLIES)
def test_a_reply_without_a_word_leaves_nothing(client: str) -> None:
    """An empty answer sent from the phone is no order: the old message below never becomes one."""
    letter = read(mail(clients.REPLIES[client].format(order="")))
    assert "vote Alice" not in letter.new_text or "quote-unmarked" in letter.warnings


@pytest.mark.parametrize("client", clients.REPLIES)
def test_several_lines_stay_together(client: str) -> None:
    order = "Bonjour,\n\nvote Bob\nboudoir\n\nMerci"
    letter = read(mail(clients.REPLIES[client].format(order=order)))
    assert letter.new_text.removesuffix("\n\nAna").split() == order.split()


@pytest.mark.parametrize("client", clients.HTML_REPLIES)
def test_an_html_reply_leaves_the_order(client: str) -> None:
    letter = read(mail(clients.HTML_REPLIES[client].replace("{order}", clients.ORDER), "html"))
    assert letter.new_text.removeprefix("Voici :").strip() == clients.ORDER
    assert "html-only" in letter.warnings


@pytest.mark.parametrize("client", clients.FORWARDS)
def test_a_forward_names_the_sender(client: str) -> None:
    body = clients.FORWARDS[client].format(order=clients.ORDER)
    letter = read(mail(body, subject="TR: Nuit 2"))
    forwarded = letter.forwarded
    assert forwarded is not None
    assert (forwarded.name, forwarded.address) == ("Ana Martin", "ana@exemple.fr")
    assert forwarded.subject == "Nuit 2"
    assert "12" in forwarded.date
    assert forwarded.text.strip() == clients.ORDER
    assert letter.new_text == "Pour toi."


@pytest.mark.parametrize("body", [
    "Le paragraphe suivant pose problème.\n\nvote Bob",
    "Le groupe 3 a écrit :\nvote Bob",
    "Voici ce que Bob a écrit hier à 10:30 :\nil ment\n\nvote Bob",
    "De toute façon : je vote Bob",
    "À : Alice\nvote Bob",
    "Bob a écrit qu'il était au boudoir.\nvote Bob",
    "Objet : le crucifix\nvote Bob",
    "----\nvote Bob\n----\nboudoir",
    "vote Bob\n\n***\n\nboudoir",
    "## Mes ordres\n- vote Bob\n- boudoir",
    "> vote Alice\nvote Bob",
    "1. vote Bob\n2. boudoir",
    "Envoyé depuis le boudoir : vote Bob",
    "vote Bob\n=====\nboudoir",
])  # fmt: skip
def test_prose_is_not_taken_for_a_quote(body: str) -> None:
    parts = extract_text(body, "Re: Nuit 2")
    assert "vote Bob" in parts.new_text
    assert "vote Alice" not in parts.new_text
    if "boudoir" in body:
        assert "boudoir" in parts.new_text


def test_a_forward_of_a_forward_names_the_inner_author() -> None:
    inner = clients.FORWARDS["gmail"].format(order=clients.ORDER).removeprefix("Pour toi.\n\n")
    head = "Voici.\n\n---------- Forwarded message ---------\nDe : Bob <bob@exemple.fr>\nDate: mer. 13 mars 2024\nSubject: TR: Nuit 2\n\n\n"
    for body, author in ((head + inner, "ana@exemple.fr"), (head + "Je vote Chloé\n\n" + inner, "bob@exemple.fr")):
        letter = read(mail(body, subject="TR: TR: Nuit 2"))
        assert letter.forwarded is not None
        assert letter.forwarded.address == author
        assert letter.new_text == letter.forwarded.message == "Voici."


def test_a_forwarded_answer_keeps_its_own_quote_apart() -> None:
    """What is passed on is a whole mail: its new words are found by reading it once more."""
    answer = clients.REPLIES["gmail"].format(order=clients.ORDER)
    letter = read(mail(clients.FORWARDS["outlook"].format(order=answer), subject="TR: Nuit 2"))
    assert letter.forwarded is not None
    assert extract_text(letter.forwarded.text, "Re: x").new_text == clients.ORDER


@pytest.mark.parametrize(("body", "kept"), [
    ("Je vote :\n\n-Bob", "Je vote :\n\n-Bob"),
    ("Je vote :\n\nAna Martin", "Je vote :\n\nAna Martin"),
    ("Je vote Bob\n\nAna Martin", "Je vote Bob"),
    ("Je vote Bob\n\nAna Martin\nTél. : 06 12 34 56 78\nana@exemple.fr", "Je vote Bob"),
    ("Je vote Bob\n\n-- \nAna\n06 12 34 56 78", "Je vote Bob"),
    ("Je vote Bob\n--\nAna", "Je vote Bob"),
    ("Je vote Bob\n\nCordialement,\nAna", "Je vote Bob\n\nCordialement,\nAna"),
    ("Ana Martin", "Ana Martin"),
    ("vote Bob\nboudoir\nAna", "vote Bob\nboudoir\nAna"),
])  # fmt: skip
def test_signatures_go_and_orders_stay(body: str, kept: str) -> None:
    assert read(mail(body)).new_text == kept
