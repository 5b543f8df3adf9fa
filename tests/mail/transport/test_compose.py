"""Every mail that leaves is well formed, says nothing that it was not told to say, and is the same when sent again."""

from __future__ import annotations

import dataclasses
import email
import email.policy
import re
from datetime import UTC, datetime, timedelta, timezone
from email.header import decode_header, make_header
from email.message import EmailMessage
from email.utils import parseaddr

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mailgm.mail.compose import OutgoingMail, address, clean_header, compose

MAIL = OutgoingMail(
    sender_name="Le jeu de Dracula",
    sender_address="jeu@exemple.fr",
    recipient="ana@y.test",
    reply_to="jeu+k3v9xq7w2m4n8p5r6t1ya@exemple.fr",
    subject="Dracula [#k3v9xq7w2m4n8p5r6t1ya]",
    date=datetime(2026, 12, 1, 20, 0, tzinfo=timezone(timedelta(hours=1))),
    message_id="<abc@exemple.fr>",
    in_reply_to="<their@y.test>",
    references=("<first@exemple.fr>", "<their@y.test>"),
    auto_submitted="auto-replied",
    loop_mark="0123456789abcdef",
    text="Bonjour Ana,\n\nla nuit tombe… où dormez-vous ?\n",
    html="<p>Bonjour Ana,</p>\n<p>la nuit tombe… où dormez-vous ?</p>\n",
)

HEADERS = [
    "From",
    "To",
    "Reply-To",
    "Subject",
    "Date",
    "Message-ID",
    "In-Reply-To",
    "References",
    "Auto-Submitted",
    "X-Auto-Response-Suppress",
    "X-Mailgm-Loop",
    "MIME-Version",
    "Content-Type",
]


def read(raw: bytes) -> EmailMessage:
    return email.message_from_bytes(raw.replace(b"\r\n", b"\n"), policy=email.policy.default)  # type: ignore[return-value]


def changed(**changes: object) -> EmailMessage:
    return read(compose(dataclasses.replace(MAIL, **changes)))


def head(raw: bytes) -> bytes:
    return raw.partition(b"\r\n\r\n")[0]


def assert_well_formed(raw: bytes) -> None:
    assert raw.isascii()
    assert b"\0" not in raw
    assert raw.endswith(b"\r\n")
    lines = raw.split(b"\r\n")
    assert all(b"\n" not in line and b"\r" not in line and len(line) <= 998 for line in lines)
    names = [line.split(b":")[0].decode() for line in head(raw).split(b"\r\n") if not line.startswith(b" ")]
    assert names == HEADERS


def test_a_mail_says_what_it_was_told() -> None:
    raw = compose(MAIL)
    assert_well_formed(raw)
    message = read(raw)
    assert message["From"] == "Le jeu de Dracula <jeu@exemple.fr>"
    assert message["To"] == "ana@y.test"
    assert message["Reply-To"] == "Le jeu de Dracula <jeu+k3v9xq7w2m4n8p5r6t1ya@exemple.fr>"
    assert message["Subject"] == "Dracula [#k3v9xq7w2m4n8p5r6t1ya]"
    assert message["Date"].datetime == MAIL.date
    assert b"Date: Tue, 01 Dec 2026 20:00:00 +0100\r\n" in raw
    assert message["Message-ID"] == "<abc@exemple.fr>"
    assert message["In-Reply-To"] == "<their@y.test>"
    assert message["References"].split() == ["<first@exemple.fr>", "<their@y.test>"]
    assert message["Auto-Submitted"] == "auto-replied"
    assert message["X-Auto-Response-Suppress"] == "All"
    assert message["X-Mailgm-Loop"] == "0123456789abcdef"
    text, html = message.iter_parts()
    assert (text.get_content_type(), html.get_content_type()) == ("text/plain", "text/html")
    assert text.get_content() == MAIL.text
    assert html.get_content() == MAIL.html


def test_the_same_mail_is_the_same_bytes() -> None:
    assert compose(MAIL) == compose(dataclasses.replace(MAIL))
    assert compose(MAIL) != compose(dataclasses.replace(MAIL, message_id="<other@exemple.fr>"))


def test_a_mail_without_html_has_one_part() -> None:
    message = changed(html="")
    assert message.get_content_type() == "text/plain"
    assert message.get_content() == MAIL.text


def test_a_first_mail_answers_nothing() -> None:
    message = changed(in_reply_to=None, references=(), reply_to=None, loop_mark="", auto_submitted="auto-generated")
    assert not {"In-Reply-To", "References", "Reply-To", "X-Mailgm-Loop", "List-Unsubscribe"} & set(message.keys())
    assert message["Auto-Submitted"] == "auto-generated"


EVIL = [
    "=?UTF-8?Q?=0D=0ABcc=3A_evil=40x.fr?=",
    "é =?UTF-8?Q?x=0D=0ABcc=3A_evil=40x.fr?= à",
    "=?UTF-8?B?DQpCY2M6IGV2aWxAeC5mcg==?=",
    "=?utf-8?q?=3D=3Futf-8=3Fq=3F=3D0D=3D0ABcc=3A_evil=40x.fr=3F=3D?=",
    "x\r\nBcc: evil@x.fr",
    "x\nBcc: evil@x.fr",
    "x\rBcc: evil@x.fr",
    "x\x85Bcc: evil@x.fr",
    "x\u2028Bcc: evil@x.fr",
    "x\x0b\x0cBcc: evil@x.fr\x1e",
    "=?UTF-8?Q?a?=\r\n\r\n=?UTF-8?Q?=0D=0A=0D=0ABcc:_evil@x.fr?=",
    "=?iso-8859-1*fr?Q?=0ABcc:_evil@x.fr?=",
    "=?unknown-charset?B?CkJjYzogZXZpbEB4LmZy?=",
]


@pytest.mark.parametrize("evil", EVIL)
@pytest.mark.parametrize("where", ["subject", "sender_name", "loop_mark"])
def test_no_header_can_be_slipped_in(where: str, evil: str) -> None:
    """Python 3.11.7 and 3.12.1 make a Bcc of the first one when the message holds other non-ASCII text."""
    raw = compose(dataclasses.replace(MAIL, **{where: evil}, text="é"))
    assert_well_formed(raw)
    assert "Bcc" not in read(raw)
    assert not re.search(rb"(?im)^\s*bcc:", raw)


@pytest.mark.parametrize("evil", [*EVIL, "<a@b>\r\nBcc: evil@x.fr", "<a@b\r\n>", "<é@b>", "(comment)", "<a b@c>"])
def test_nor_through_the_message_ids_of_others(evil: str) -> None:
    raw = compose(dataclasses.replace(MAIL, in_reply_to=f"<ok@y.test> {evil}", references=("<ok@y.test>", evil)))
    assert_well_formed(raw)
    assert read(raw)["In-Reply-To"] == "<ok@y.test>"
    assert "evil" not in str(read(raw)["References"])


@pytest.mark.parametrize(
    "bad",
    ["ana", "ana@", "@y.test", "ana@y.test\r\nBcc: e@x.fr", "a na@y.test", "ana@y..test", "<ana@y.test>", "a@b@c",
     "ana@y.test, eve@z.test", "zoé@y.test", "ana@y.test\0", "ana@" + "y" * 64 + ".test", "a" * 65 + "@y.test"],
)  # fmt: skip
@pytest.mark.parametrize("where", ["recipient", "sender_address", "reply_to"])
def test_an_address_that_is_none_is_refused(where: str, bad: str) -> None:
    with pytest.raises(ValueError, match="not an address"):
        compose(dataclasses.replace(MAIL, **{where: bad}))


def test_an_international_domain_is_written_in_ascii() -> None:
    assert address("ana@écoles.fr") == "ana@xn--coles-9ra.fr"


@pytest.mark.parametrize("bad", ["", "abc@exemple.fr", "<abc>", "<abc@exemple.fr>\r\nBcc: e@x.fr", "<a b@exemple.fr>"])
def test_an_own_message_id_that_is_none_is_refused(bad: str) -> None:
    with pytest.raises(ValueError, match="Message-ID"):
        compose(dataclasses.replace(MAIL, message_id=bad))


def test_a_date_without_a_zone_is_refused() -> None:
    with pytest.raises(ValueError, match="naive"):
        compose(dataclasses.replace(MAIL, date=datetime(2026, 12, 1)))
    assert changed(date=datetime(2026, 12, 1, tzinfo=UTC))["Date"].datetime.utcoffset() == timedelta(0)


@pytest.mark.parametrize(
    ("written", "clean"),
    [
        ("Nuit d'été", "Nuit d'été"),
        ("=?ISO-8859-1?Q?Nuit_d'=E9t=E9?=", "Nuit d'été"),
        ("=?utf-8?B?w6k=?= =?utf-8?B?w6A=?=", "éà"),
        ("=?utf-8?B?w6k=?= et =?utf-8?B?w6A=?=", "é et à"),
        ("=?utf-8?B?w6?=", "\ufffd"),
        ("=?no-such?Q?=C3=A9?=", "é"),
        ("a\u202egnp.exe", "agnp.exe"),
        ("M\u200barie\ufeff", "Marie"),
        ("  a \t\r\n b ", "a b"),
        ("e\u0301", "é"),
        ("a\ud800b", "ab"),
        ("2 =?= 2", "2 =?= 2"),
    ],
)
def test_a_name_is_cleaned(written: str, clean: str) -> None:
    assert clean_header(written) == clean


@pytest.mark.parametrize(
    "name", ["Ana", "Ana, la grande", 'Dite "la Rose"', "O\\o", "Zoé", "Ω " * 60, "=?", "a@b.fr", ""]
)
def test_a_display_name_comes_back_as_it_was(name: str) -> None:
    raw = compose(dataclasses.replace(MAIL, sender_name=name))
    assert_well_formed(raw)
    # The older parser: in 3.11 the newer one puts spaces between the encoded words of a name.
    parsed, where = parseaddr(email.message_from_bytes(raw)["From"].replace("\r\n", ""))
    assert where == "jeu@exemple.fr"
    assert str(make_header(decode_header(parsed))) == name.strip()


@pytest.mark.parametrize(
    "subject",
    [
        "Dracula",
        "Nuit d'été à l'auberge du Château rouge, où chacun a peur de son voisin et où personne ne dort plus très bien",
        "x" * 850,
        "mot " * 300,
        "é" * 400,
        "=? plain",
        "",
    ],
)
def test_a_token_in_a_subject_stays_whole_on_its_line(subject: str) -> None:
    token = "[#k3v9xq7w2m4n8p5r6t1ya]"
    raw = compose(dataclasses.replace(MAIL, subject=f"{subject} {token}"))
    assert_well_formed(raw)
    assert token.encode() in head(raw)
    assert read(raw)["Subject"] == " ".join(f"{subject} {token}".split())


def test_an_address_stays_whole_on_its_line() -> None:
    raw = compose(dataclasses.replace(MAIL, sender_name="Le très long jeu de l'été " * 8))
    assert b"<jeu+k3v9xq7w2m4n8p5r6t1ya@exemple.fr>\r\n" in head(raw)


def test_a_long_thread_keeps_its_root_and_its_end() -> None:
    references = tuple(f"<{n}.{'x' * 60}@y.test>" for n in range(200))
    raw = compose(dataclasses.replace(MAIL, references=references))
    assert_well_formed(raw)
    kept = read(raw)["References"].split()
    assert len(kept) == 20
    assert kept[0] == references[0]
    assert kept[1:] == list(references[-19:])


def test_a_text_comes_back_as_it_was() -> None:
    text = "-- \n.\n..\nFrom moi\n  deux  \n" + "long " * 500 + "\n=3D é 🦇 \ttab\n"
    message = changed(text=text)
    assert next(message.iter_parts()).get_content() == text


def test_line_ends_of_all_kinds_become_the_same() -> None:
    assert next(changed(text="a\r\nb\rc\nd").iter_parts()).get_content() == "a\nb\nc\nd\n"


def test_what_no_mail_may_hold_is_left_out_of_the_text() -> None:
    assert next(changed(text="a\0b\x1bc\ud800d\x9fe").iter_parts()).get_content() == "abcde\n"


@given(st.text(), st.text(), st.text())
def test_nothing_that_people_write_breaks_a_mail(name: str, subject: str, text: str) -> None:
    raw = compose(dataclasses.replace(MAIL, sender_name=name, subject=subject, text=text, html=text or "x"))
    assert_well_formed(raw)
    message = read(raw)
    assert message["Subject"] == clean_header(subject)
    assert [part.get_content_type() for part in message.iter_parts()] == ["text/plain", "text/html"]
