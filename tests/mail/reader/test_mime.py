"""The reader's own splitter beside the standard library's parser, which is slower and breaks on hostile mail."""

from __future__ import annotations

import random
from datetime import timedelta
from email import message_from_bytes
from email.message import Message
from email.utils import parsedate_to_datetime

import corpora
import pytest

from mailgm.mail.reader import mime
from mailgm.mail.reader.decode import decode_text
from mailgm.mail.reader.headers import date_of
from mailgm.mail.reader.mime import Part

SEED = 20261201
SMALL = 300_000


def theirs(message: Message) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for name, value in message.raw_items():
        text = decode_text(str(value).encode("utf-8", "surrogateescape"))[0]
        found.setdefault(name.strip().lower(), []).append(corpora.same(text))
    return found


def ours(part: Part) -> dict[str, list[str]]:
    return {name: [corpora.same(value) for value in values] for name, values in part.headers.items()}


def differences(raw: bytes) -> list[str]:
    """The header fields that the two parsers read differently; the reader passes over the trace fields."""
    one, other = theirs(message_from_bytes(raw)), ours(mime.parse(raw)[0])
    return [name for name in {**one, **other} if one.get(name) != other.get(name) and name != "received"
            and (name in other or name not in mime._TRACE)]  # fmt: skip


def mails() -> list[bytes]:
    found = [path.read_bytes() for path in corpora.every_mail()]
    return [raw for raw in found if len(raw) < SMALL and message_from_bytes(raw).keys()]


@pytest.mark.usefixtures("corpus")
def test_header_fields_are_those_of_the_standard_library() -> None:
    wrong = [raw for raw in mails() if differences(raw)]
    assert all(len(raw) > mime.MAX_HEADER_CHARS for raw in wrong)  # a field is cut there
    assert len(wrong) <= 1


@pytest.mark.usefixtures("corpus")
def test_parts_are_those_of_the_standard_library() -> None:
    """In mails that it finds no fault with; what stands in a report or in a part of a message is nobody's text."""
    wrong = total = 0
    for raw in mails():
        message = message_from_bytes(raw)
        root, cut = mime.parse(raw)
        kinds = {part.type for part in root.walk()}
        if cut or any(part.defects for part in message.walk()) or any(
            kind.startswith("message/") and kind != "message/rfc822" for kind in kinds
        ):  # fmt: skip
            continue
        total += 1
        one = [(part.get_content_type(), plain(part.get_payload(decode=True))) for part in message.walk()
               if not part.is_multipart()]  # fmt: skip
        other = [(part.type, plain(part.data())) for part in root.walk() if not part.children]
        wrong += one != other
    assert total > 300
    assert wrong <= 0.02 * total


def plain(data: object) -> bytes:
    assert isinstance(data, bytes)
    return data.replace(b"\r\n", b"\n").strip()


PIECES = (
    b"\n",
    b"\r\n",
    b"\n\n",
    b"\r\n\r\n",
    b": x\n",
    b"X-A: b\n",
    b"\n folded",
    b"\n\tfolded",
    b"x\n",
    b" ",
    b"-",
    b"_",
)


@pytest.mark.usefixtures("corpus")
def test_broken_headers_are_read_as_the_standard_library_reads_them() -> None:
    """Pieces put into header blocks by chance; a line without a name, or below an empty one, may be read otherwise."""
    dice = random.Random(SEED)
    heads = [raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0] for raw in mails()]
    heads = [head for head in heads if len(head) < 5000 and head[:1].isalpha()]
    wrong = 0
    for _ in range(1000):
        head = dice.choice(heads)
        at = dice.randrange(1, len(head))
        wrong += bool(differences(head[:at] + dice.choice(PIECES) + head[at:] + b"\n\nvote Bob\n"))
    assert wrong <= 15


@pytest.mark.parametrize("date", [
    "Tue, 12 Mar 2024 10:12:00 +0100", "12 Mar 2024 10:12 -0930", "Tue, 2 Jan 2024 09:05:07 +0000 (UTC)",
    "Tue,  2 JAN 2024 09:05:07 -0000", "Tue, 12 Mar 2024 10:12:00 GMT", "Tue, 12 Mar 24 10:12:00 EST",
    "Tue, 12 Mar 2024 10:12:00 +0090", "12 Mar 2024 10:12:00",
])  # fmt: skip
def test_dates_are_those_of_the_standard_library(date: str) -> None:
    found, want = date_of(date), parsedate_to_datetime(date)
    assert found is not None
    assert found.replace(tzinfo=None) == want.replace(tzinfo=None)
    assert found.utcoffset() == (want.utcoffset() or timedelta(0))


@pytest.mark.parametrize(
    "date", ["", "x" * 300, "31 Feb 2024 10:12:00 +0100", "1 Jan 2024 25:00:00 +0100", "1 Foo 2024 10:00:00 +0100"]
)
def test_dates_that_are_none(date: str) -> None:
    assert date_of(date) is None
