"""What is passed on carries no address, no token, no reader's own link."""

from __future__ import annotations

import pytest

from mailgm.mail.tokens import new_token
from mailgm.service.passing import passable


@pytest.mark.parametrize(
    ("typed", "passed"),
    [
        ("Rendez-vous demain", "Rendez-vous demain"),
        ("écrivez-moi à bob.martin+jeu@exemple.fr !", "écrivez-moi à […] !"),
        ("<mailto:bob@exemple.fr>", "[…]"),
        ("voyez https://forum.example/sujet?session=abc123#p7", "voyez https://forum.example/sujet"),
        ("", ""),
    ],
)
def test_addresses_and_keys_in_links_are_taken_out(typed: str, passed: str) -> None:
    assert passable(typed, 1000) == (passed, False)


def test_a_secret_token_is_taken_out_wherever_it_stands() -> None:
    token = new_token()
    text, _ = passable(f"mon adresse est jeu+{token}@example.org, [#{token}], {token}", 1000)
    assert token not in text


def test_a_long_text_is_cut_with_a_mark() -> None:
    text, cut = passable("mot " * 1000, 100)
    assert cut
    assert len(text) < 110
    assert text.endswith("[…]")
