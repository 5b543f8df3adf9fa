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
        ("voyez https://forum.example/sujet?session=abc123#p7", "voyez https://forum.example/sujet#p7"),
        (
            "https://forum.example/viewtopic.php?f=2&t=123&sid=0f3ac1b2&u=88&p=4567#p4567, non ?",
            "https://forum.example/viewtopic.php?f=2&t=123&p=4567#p4567, non ?",
        ),
        (
            "(https://forum.example/index.php?topic=12.msg34&token=77)",
            "(https://forum.example/index.php?topic=12.msg34)",
        ),
        ("https://forum.example/sujet?t=1234567890123", "https://forum.example/sujet"),
        ("https://forum.example/sujet#jeton-4f9a", "https://forum.example/sujet"),
        ("", ""),
        ("bob\u200b@exemple.fr", "[…]"),
        ("bob%40exemple.fr", "[…]"),
        ("bob@[192.0.2.1]", "[…]"),
        ("-" * 200 + "bob@exemple.fr", "[…]"),
        ("https://bob:secret@forum.example/sujet", "https://forum.example/sujet"),
        ("www.forum.example/sujet?sid=1", "www.forum.example/sujet"),
        ("https://lettre.example/stop/4f9a8b7c6d5e4f3a2b1c/x", "https://lettre.example/stop/[…]"),
        ("https://lettre.example/0f8fad5b-d9cb-469f-a165-70867728950e", "https://lettre.example/[…]"),
        (
            "https://fr.wikipedia.org/wiki/Bataille_de_Verdun_1916",
            "https://fr.wikipedia.org/wiki/Bataille_de_Verdun_1916",
        ),
        ("![x](https://suivi.example/p.gif) [img]https://suivi.example/p.gif[/img]", "[…] […]"),
        ('<img src="https://suivi.example/p.gif"><script>alert(1)</script> <3 <Bob>', "alert(1) <3 <Bob>"),
        ("<b>vote Bob</b>", "vote Bob"),
        ("\u202epiège\U000e0041\u2066", "piège"),
        ("e\u0301" + "\u0301" * 40, "e" + "\u0301" * 3),
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
