"""The figures that the reader must hold on the shared mails, pair by pair (a mail that got worse is named)."""

from __future__ import annotations

import json
from collections import Counter

import corpora
import pytest

from mailgm.mail.reader import Letter, extract_text, html_to_text, read
from mailgm.mail.reader.forward import split_address

pytestmark = pytest.mark.usefixtures("corpus")


def reply_of(pair: corpora.Pair) -> str:
    name, address = split_address(pair.sender)
    if pair.html:
        return extract_text(html_to_text(pair.html)).new_text
    if pair.raw and not pair.body:
        return read(pair.raw).new_text
    return extract_text(pair.body, "", name, address).new_text


def test_replies_are_exactly_what_their_author_wrote() -> None:
    """At least 95 % of the exact pairs; quoted lines inside an answer are dropped on both sides (our convention)."""
    wrong: list[str] = []
    total = 0
    for pair in corpora.reply_pairs():
        if pair.exact is None or (pair.set, pair.name) in corpora.CONFLICTS:
            continue
        total += 1
        if corpora.same(reply_of(pair)) != corpora.same(corpora.without_quotes(pair.exact)):
            wrong.append(f"{pair.set}/{pair.name}")
    assert len(wrong) <= 0.05 * total, wrong
    assert {name.split("/")[0] for name in wrong} <= {"talon"}, wrong  # that set keeps signatures above a quote


def test_fragments_that_upstreams_ask_for_are_there() -> None:
    wrong = []
    total = 0
    for pair in corpora.reply_pairs():
        if pair.exact is not None:
            continue
        total += 1
        got = corpora.same(reply_of(pair))
        there = all(corpora.same(piece) in got for piece in pair.contains)
        if not there or any(piece and corpora.same(piece) in got for piece in pair.absent):
            wrong.append(f"{pair.set}/{pair.name}")
    assert len(wrong) <= 0.15 * total, wrong


def test_forwards_name_sender_subject_body_and_message() -> None:
    """At least 98 % of the forwards, in more than twenty languages."""
    wrong = []
    total = 0
    for name, body, subject, want in corpora.forward_pairs():
        total += 1
        parts = extract_text(body, subject)
        got = parts.forwarded
        if want["forwarded"] != (got is not None):
            wrong.append(name)
            continue
        if got is None:
            continue
        sender = want.get("from") or {}
        pairs = [(got.address, sender.get("address"), "from"), (got.name, sender.get("name"), "from"),
                 (got.subject, want.get("subject"), "subject"), (got.text, want.get("body"), "body"),
                 (parts.new_text, want.get("message"), "message")]  # fmt: skip
        if any(key in want and corpora.same(have) != corpora.same(need or "") for have, need, key in pairs):
            wrong.append(name)
    assert len(wrong) <= 0.02 * total, wrong


def test_wrapped_messages_are_unwrapped() -> None:
    for name, body, is_html, want in corpora.unwrap_pairs():
        parts = extract_text(html_to_text(body) if is_html else body)
        got = parts.forwarded
        assert (got is not None) == (want is not None and want["type"] == "forward"), name
        if got is None or want is None:
            continue
        for key, have in (("from", got.from_), ("date", got.date), ("subject", got.subject), ("text", got.text)):
            if key in want:
                assert corpora.same(have) == corpora.same(want[key]), (name, key)
        if "text_top" in want:
            whole = f"{want['text_top']} {want.get('text_bottom', '')}"
            assert corpora.same(parts.new_text) == corpora.same(whole), name


def reports() -> list[tuple[str, Letter]]:
    folder = corpora.ROOT / "sisimai"
    return [(path.name, read(path.read_bytes())) for path in sorted(folder.rglob("*.eml"))]


def test_bounces_are_never_answered_and_name_the_address() -> None:
    """At least 98 % never answered, the failed address in at least 90 %."""
    answered, unnamed, total, named = [], [], 0, 0
    for name, letter in reports():
        total += 1
        if letter.answerable:
            answered.append(name)
        if name.startswith(("arf-", "rfc3834-", "rb-")):
            assert letter.bounce is None, name
            continue
        named += 1
        if letter.bounce is None or not letter.bounce.recipients:
            unnamed.append(name)
    assert len(answered) <= 0.02 * total, answered
    assert len(unnamed) <= 0.05 * named, unnamed


def test_old_bounces_name_exactly_the_addresses() -> None:
    wrong = []
    folder = corpora.ROOT / "flufl_bounce"
    mails = sorted((folder / "mails").iterdir())
    for path in mails:
        want = json.loads(corpora.text(folder / "expected" / f"{path.stem}.json"))
        letter = read(path.read_bytes())
        found = letter.bounce.recipients if letter.bounce else ()
        got = {recipient.address for recipient in found if recipient.permanent or recipient.temporary}
        if got != {address.lower() for address in want["permanent"] + want["temporary"]}:
            wrong.append(path.stem)
    assert len(wrong) <= 0.07 * len(mails), wrong


def test_ordinary_mail_is_no_bounce() -> None:
    """Mails of the other sets that say of themselves neither "report" nor "daemon"."""
    for path in corpora.every_mail():
        part = path.relative_to(corpora.ROOT).parts[0]
        raw = path.read_bytes()
        lowered = raw[:200_000].lower()
        if part in ("sisimai", "flufl_bounce") or any(
            sign in lowered
            for sign in (b"multipart/report", b"delivery-status", b"mailer-daemon", b"returned mail", b"undeliver")
        ):
            continue
        assert read(raw).bounce is None, path


def test_decoded_texts_of_mime4j_are_found() -> None:
    """The text that Apache decodes from a first text part is the text that is read."""
    seen: Counter[bool] = Counter()
    for path in sorted((corpora.ROOT / "mime4j").rglob("*_decoded_1.txt")):
        message = path.with_name(path.name.replace("_decoded_1.txt", ".msg"))
        if not message.exists():
            continue
        letter = read(message.read_bytes())
        whole = corpora.same(
            " ".join(
                (letter.new_text, letter.quoted, letter.signature, letter.forwarded.text if letter.forwarded else "")
            )
        )
        words = corpora.text(path).split()
        seen[not words or sum(word in whole for word in words[:50]) >= 0.8 * len(words[:50])] += 1
    assert seen[True] >= 0.6 * seen.total()
