"""The secret in an address or a subject that says who writes."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgm.mail.tokens import (
    ALPHABET,
    TOKEN_LENGTH,
    find_tokens,
    loop_mark,
    message_id,
    new_token,
    plus_address,
    strip_token,
    subject_with_token,
)

TOKEN = "k3v9xq7w2m4n8p5r6t1ya"
BASE = "jeu@exemple.fr"


def test_tokens_cannot_be_guessed_nor_misread() -> None:
    tokens = {new_token() for _ in range(500)}
    assert len(tokens) == 500
    assert TOKEN_LENGTH * math.log2(len(set(ALPHABET))) >= 100
    assert not set("ilo0") & set(ALPHABET)
    for token in tokens:
        assert len(token) == TOKEN_LENGTH
        assert set(token) <= set(ALPHABET)
        assert token == token.lower()


def test_a_token_goes_behind_the_plus() -> None:
    assert plus_address(BASE, TOKEN) == f"jeu+{TOKEN}@exemple.fr"
    assert plus_address("marie+dracula@gmail.com", TOKEN) == f"marie+dracula+{TOKEN}@gmail.com"
    assert plus_address(BASE, "table", TOKEN) == f"jeu+table.{TOKEN}@exemple.fr"


@pytest.mark.parametrize("parts", [(), ("",), ("a b",), ("a@b",), ("é",), ("x" * 61,)])
def test_what_cannot_stand_behind_the_plus_is_refused(parts: tuple[str, ...]) -> None:
    with pytest.raises(ValueError, match=r"after the \+|longer"):
        plus_address(BASE, *parts)


def test_an_address_may_be_as_long_as_servers_take_it() -> None:
    assert len(plus_address(BASE, "x" * 60).partition("@")[0]) == 64


@pytest.mark.parametrize(
    "recipients",
    [
        [f"jeu+{TOKEN}@exemple.fr"],
        [f"JEU+{TOKEN.upper()}@Exemple.FR"],
        [f'"Le jeu" <jeu+{TOKEN}@exemple.fr>'],
        ["eve@z.test", f"bob@y.test, Jeu <jeu+{TOKEN}@exemple.fr>, Ana <ana@y.test>"],
        [f"jeu+{TOKEN}@mx2.interne"],
        [f"<jeu+{TOKEN}@exemple.fr>", f"jeu+{TOKEN}@exemple.fr"],
    ],
)
def test_a_token_is_found_in_the_addresses(recipients: list[str]) -> None:
    assert find_tokens(recipients, "Re: Dracula", BASE) == [TOKEN]


@pytest.mark.parametrize(
    "subject", [f"Re: Dracula [#{TOKEN}]", f"TR: [#{TOKEN.upper()}] Dracula", f"Re: [# {TOKEN[:9]}\r\n {TOKEN[9:]} ]"]
)
def test_a_token_is_found_in_the_subject(subject: str) -> None:
    assert find_tokens(["jeu@exemple.fr"], subject, BASE) == [TOKEN]


def test_addresses_speak_before_the_subject() -> None:
    other = new_token()
    assert find_tokens([f"jeu+{TOKEN}@exemple.fr"], f"[#{other}] [#{TOKEN}]", BASE) == [TOKEN, other]


def test_the_plus_addresses_of_others_are_not_ours() -> None:
    assert find_tokens([f"ana+{TOKEN}@exemple.fr", f"lejeu+{TOKEN}@exemple.fr"], "", BASE) == []


def test_a_subject_holds_one_token() -> None:
    assert subject_with_token("Dracula", TOKEN) == f"Dracula [#{TOKEN}]"
    assert subject_with_token(f"Dracula [#{new_token()}]", TOKEN) == f"Dracula [#{TOKEN}]"
    assert subject_with_token("", TOKEN) == f"[#{TOKEN}]"


@pytest.mark.parametrize(
    ("text", "clean"),
    [
        (f"Écris à jeu+{TOKEN}@exemple.fr !", "Écris à jeu@exemple.fr !"),
        (f"mailto:jeu%2B{TOKEN}%40exemple.fr", "mailto:jeu%40exemple.fr"),
        (f"jeu+table.{TOKEN}@exemple.fr", "jeu@exemple.fr"),
        (f"JEU+{TOKEN.upper()}@EXEMPLE.FR", "JEU@EXEMPLE.FR"),
        (f"Re: Dracula [#{TOKEN}]", "Re: Dracula "),
        (f"mon code est {TOKEN}, gardez-le", "mon code est , gardez-le"),
        (
            "Je vote [#1] aaaaaaaaaaaaaaaaaaaaa et ana+jeux@y.test",
            "Je vote [#1] aaaaaaaaaaaaaaaaaaaaa et ana+jeux@y.test",
        ),
    ],
)
def test_no_token_is_passed_on(text: str, clean: str) -> None:
    assert strip_token(text) == clean


@given(st.builds(new_token), st.sampled_from(["{}", "x {} y", "jeu+{}@h.fr", "[#{}]", "({})", "«{}»", "<jeu+{}@h.fr>"]))
def test_no_token_at_all(token: str, around: str) -> None:
    assert token not in strip_token(around.format(token))


def test_only_who_knows_the_secret_can_mark_a_mail() -> None:
    mark = loop_mark(b"secret", "dracula-1")
    assert mark == loop_mark(b"secret", "dracula-1")
    assert len({mark, loop_mark(b"secret", "dracula-2"), loop_mark(b"other", "dracula-1")}) == 3
    assert mark.isalnum()


def test_a_message_id_is_the_same_for_the_same_mail_only_and_tells_nothing() -> None:
    one = message_id("exemple.fr", "dracula-1", "ana", 3)
    assert one == message_id("exemple.fr", "dracula-1", "ana", 3)
    assert one.startswith("<")
    assert one.endswith("@exemple.fr>")
    assert "ana" not in one
    others = {
        message_id("exemple.fr", *parts) for parts in [("dracula-1", "ana", 4), ("dracula-1", "an", "a3"), ("x",)]
    }
    assert one not in others
    assert len(others) == 3
