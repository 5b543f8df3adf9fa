"""Nothing that anybody can send raises, or takes a second, or a hundred megabytes (mail.md §0)."""

# ruff: noqa: E501 - mails are written as they are sent
from __future__ import annotations

import random
import time
import tracemalloc

import corpora
import pytest

from mailgm.mail.reader import Letter, extract_text, html_to_text, read

SECONDS = 1.0
BYTES = 100_000_000
SEED = 20261201

HEAD = b"From: Ana <ana@exemple.fr>\r\nTo: mj@exemple.fr\r\nSubject: Nuit 2\r\n"


def body(text: str, kind: str = "text/plain; charset=utf-8") -> bytes:
    return HEAD + f"Content-Type: {kind}\r\n\r\n".encode() + text.encode("utf-8", "replace")


def nested(depth: int) -> bytes:
    opening = b"".join(b"Content-Type: multipart/mixed; boundary=b%d\r\n\r\n--b%d\r\n" % (i, i) for i in range(depth))
    return HEAD + opening + b"\r\nvote Bob\r\n"


HOSTILE: dict[str, bytes] = {
    "on x at y": body("on x at y\n" * 20_000),
    "On lines": body("On \n" * 100_000),
    "On without line ends": body("On x wrote " * 30_000),
    "Le without end": body("Le 3 mai à 10:12, " * 20_000 + "a écrit"),
    "blank lines": body("\n" * 50_000 + "vote Bob"),
    "dashes": body("-" * 200_000),
    "lines of dashes": body("-----\n" * 40_000),
    "underscores and text": body("____\nx\n" * 20_000),
    "quote marks": body("> " * 200_000),
    "deep quotes": body("\n".join(">" * i + " x" for i in range(2000))),
    "colons": body("De : x\n" * 20_000),
    "header lines": body("From: a@b\nDate: 1\nSubject: x\n\n" * 10_000),
    "less-than signs": body("<" * 300_000),
    "open addresses": body("<a@b\n> wrote:\n" * 10_000),
    "at signs": body("@" * 300_000),
    "words with at": body("a@" * 150_000),
    "digits": body("1" * 300_000 + ":"),
    "colon ends": body("12:30 a@b x:\n" * 10_000),
    "sent from": body("Sent from my iPhone\n" * 20_000),
    "disclaimer words": body("confidential intended recipient " * 10_000),
    "blank runs": body((" " * 1000 + "x\n") * 300),
    "tabs": body("\t" * 300_000 + "x"),
    "fences": body("```\n" * 20_000),
    "carriage returns": body("\r" * 200_000),
    "encoded words in the subject": b"From: a@b.fr\r\nSubject: " + b"=?utf-8?q?x?= " * 70_000 + b"\r\n\r\nvote Bob",
    "one endless encoded word": b"From: a@b.fr\r\nSubject: =?utf-8?b?" + b"QUJD" * 250_000 + b"?=\r\n\r\nvote Bob",
    "starts of encoded words": b"From: a@b.fr\r\nSubject: " + b"=?a?q?" * 100_000 + b"\r\n\r\nvote Bob",
    "references": HEAD + b"References: " + b"<a@b> " * 170_000 + b"\r\n\r\nvote Bob",
    "brackets in From": b"From: " + b"(" * 3000 + b"\r\nSubject: x\r\n\r\nvote Bob",
    "brackets in To": HEAD + b"Cc: " + b"(" * 500_000 + b"\r\n\r\nvote Bob",
    "quotes in To": HEAD + b'Cc: ' + b'"\\' * 300_000 + b"\r\n\r\nvote Bob",
    "commas in To": HEAD + b"Cc: " + b"," * 900_000 + b"\r\n\r\nvote Bob",
    "addresses in To": HEAD + b"Cc: " + b"a@b.fr," * 100_000 + b"\r\n\r\nvote Bob",
    "groups in To": HEAD + b"Cc: " + b"a:b;" * 100_000 + b"\r\n\r\nvote Bob",
    "headers without end": b"X-A: b\r\n" * 200_000,
    "one header without end": b"From: a@b.fr\r\nX-A: " + b"b\r\n " * 400_000,
    "spaces before a colon": b"From: a@b.fr\r\nX" + b" " * 500_000 + b"\r\n\r\nvote Bob",
    "empty parts": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\r\n\r\n" * 100_000,
    "delimiters only": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b\n" * 300_000,
    "delimiter starts": HEAD + b"Content-Type: multipart/mixed; boundary=b\r\n\r\n" + b"--b" * 500_000,
    "no boundary": HEAD + b"Content-Type: multipart/mixed\r\n\r\nvote Bob",
    "nest of 5,000": nested(5000),
    "messages in messages": HEAD + b"Content-Type: message/rfc822\r\n\r\n" * 5000,
    "content type without end": HEAD + b"Content-Type: text/plain" + b"; a=b" * 200_000 + b"\r\n\r\nvote Bob",
    "quotes in content type": HEAD + b'Content-Type: text/plain; a="' + b'\\"' * 200_000 + b"\r\n\r\nvote Bob",
    "charset bogus": body("vote Bob", "text/plain; charset=bogus"),
    "charset that is a codec": body("vote Bob", "text/plain; charset=zlib"),
    "charset unicode_escape": body("vote Bob \\U00110000", "text/plain; charset=unicode_escape"),
    "charset idna": body("a" * 300_000, "text/plain; charset=idna"),
    "charset punycode": body("a" * 300_000 + "-" + "b" * 100_000, "text/plain; charset=punycode"),
    "utf-7 bombs": body("+2AA-" * 50_000, "text/plain; charset=utf-7"),
    "base64 rubbish": HEAD + b"Content-Transfer-Encoding: base64\r\n\r\n" + b"\xff=*!" * 200_000,
    "uuencode rubbish": HEAD + b"Content-Transfer-Encoding: x-uuencode\r\n\r\nbegin 644 x\r\n" + b"M" * 300_000,
    "nested div": body("<div>" * 200_000 + "vote Bob", "text/html"),
    "nested div under the limit": body("<div>" * 3_900 + "vote Bob", "text/html"),
    "nested blockquote": body("<blockquote>" * 100_000 + "vote Bob", "text/html"),
    "nested tables": body("<table><tr><td>" * 60_000 + "vote Bob", "text/html"),
    "formatting tags": body("<b><p>" * 100_000, "text/html"),
    "open tags": body("<a " * 300_000, "text/html"),
    "attributes": body("<p " + "x=1 " * 200_000 + ">vote Bob", "text/html"),
    "one long style": body('<p style="' + "margin:0 " * 100_000 + '">vote Bob', "text/html"),
    "entities": body("&amp;" * 200_000, "text/html"),
    "comments": body("<!--" * 200_000, "text/html"),
    "marker ids": body('<div id="divRplyFwdMsg">' * 30_000, "text/html"),
    "flowed": body("x \n" * 100_000, "text/plain; format=flowed"),
    "armour": body("-----BEGIN PGP SIGNED MESSAGE-----\n" * 30_000),
    "tnef": HEAD + b"Content-Type: application/ms-tnef\r\n\r\n" + b"\x78\x9f\x3e\x22\x01\x00" + b"\x01\x03\x90\x06\x00\xff\xff\xff\x7f" * 1000,
    "smime": HEAD + b"Content-Type: application/pkcs7-mime\r\n\r\n" + b"\x30\x80" * 200_000,
    "calendar": body("BEGIN:VCALENDAR\n" * 50_000, "text/calendar; method=REPLY"),
    "report of addresses": b"From: MAILER-DAEMON@x.fr\r\nSubject: Undelivered Mail\r\n\r\n550 " + b"a@b.fr user unknown " * 50_000,
    "report of one word": b"From: MAILER-DAEMON@x.fr\r\nSubject: Undelivered Mail\r\n\r\n550 unknown user " + b"a" * 400_000,
    "report of lines": b"From: MAILER-DAEMON@x.fr\r\nSubject: failure notice\r\n\r\n" + b"<a@b>: 550\n" * 60_000,
    "report fields": HEAD + b"Content-Type: message/delivery-status\r\n\r\n" + b"Final-Recipient: rfc822; a@b.fr\n\n" * 60_000,
    "glued forward": body("----- Forwarded Message ----- " + "From: a@b.fr To: " * 20_000),
    "address without end": b"From: MAILER-DAEMON@x.fr\r\nSubject: Undelivered\r\n\r\n" + b"a@b.c" * 50_000 + b" 550 x",
    "subject of blanks": b"From: a@b.fr\r\nSubject: re" + b" " * 60_000 + b"x\r\n\r\nvote Bob",
    "subject of prefixes": b"From: a@b.fr\r\nSubject: " + b"re: " * 15_000 + b"x\r\n\r\nvote Bob",
    "binary": bytes(range(256)) * 4000,
    "nothing": b"",
    "one line end": b"\n",
}  # fmt: skip


def bounded(raw: bytes) -> Letter:
    started = time.thread_time()
    letter = read(raw)
    assert time.thread_time() - started < SECONDS
    return letter


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_mail_is_read_in_bounds(name: str) -> None:
    letter = bounded(HOSTILE[name])
    assert "reader-error" not in letter.warnings


@pytest.mark.parametrize("name", [
    "on x at y", "encoded words in the subject", "references", "brackets in To", "addresses in To", "headers without end", "empty parts",
    "delimiters only", "nest of 5,000", "nested div", "entities", "smime", "report of addresses", "binary",
])  # fmt: skip
def test_hostile_mail_takes_little_memory(name: str) -> None:
    raw = HOSTILE[name]
    tracemalloc.start()
    read(raw)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < BYTES


def test_words_on_hostile_text_alone() -> None:
    for raw in HOSTILE.values():
        text = raw.decode("latin-1")
        started = time.thread_time()
        extract_text(text, "TR: x", "Ana", "ana@exemple.fr")
        html_to_text(text)
        assert time.thread_time() - started < 2 * SECONDS


def test_mutated_mails_never_raise() -> None:
    """A bounded fuzzer: pieces of the corpus (or of the hostile list) cut, doubled, flipped and glued."""
    dice = random.Random(SEED)
    seeds = [raw[:20_000] for raw in HOSTILE.values()]
    if corpora.ROOT.exists():
        seeds += [path.read_bytes()[:20_000] for path in corpora.every_mail()]
    for _ in range(1000):
        raw = bytearray(dice.choice(seeds))
        for _ in range(dice.randint(1, 8)):
            mutate(raw, dice, seeds)
        letter = bounded(bytes(raw))
        assert "reader-error" not in letter.warnings, bytes(raw)
        assert letter.new_text.isprintable() or all(
            c == "\n" or c == "\t" or c.isprintable() or ord(c) > 127 for c in letter.new_text
        )


def mutate(raw: bytearray, dice: random.Random, seeds: list[bytes]) -> None:
    at = dice.randrange(len(raw) + 1)
    match dice.randrange(6):
        case 0:
            raw[at : at + dice.randrange(1, 200)] = b""
        case 1:
            other = dice.choice(seeds)
            start = dice.randrange(len(other) + 1)
            raw[at:at] = other[start : start + dice.randrange(400)]
        case 2:
            raw[at:at] = bytes(dice.randrange(256) for _ in range(dice.randrange(1, 20)))
        case 3:
            piece = bytes(raw[at : at + dice.randrange(1, 50)])
            raw[at:at] = piece * dice.randrange(1, 60)
        case 4:
            raw[:] = raw.replace(b"\n", b"\r\n") if dice.random() < 0.5 else raw.replace(b"\r\n", b"\n")
        case _:
            raw[at:at] = dice.choice(
                [
                    b"\n\n",
                    b"Content-Type: text/html\n",
                    b"> ",
                    b"<blockquote>",
                    b"=?utf-8?b?",
                    b"--",
                    b"\x00",
                    b"Le 3 mai ",
                ]
            )


def test_every_file_of_the_corpora_is_read(corpus: None) -> None:
    for path in corpora.every_mail():
        letter = bounded(path.read_bytes())
        assert "reader-error" not in letter.warnings, path
