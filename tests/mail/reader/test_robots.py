"""Machines get no answer, ever; people always may (RFC 3834)."""

# ruff: noqa: E501 - mails are written as they are sent
from __future__ import annotations

import pickle

import pytest

from mailgm.mail.reader import Letter, bounce, describe, read


def mail(
    headers: str = "", body: str = "boudoir\n", sender: str = "Ana <ana@exemple.fr>", subject: str = "Nuit 2"
) -> bytes:
    return f"From: {sender}\nTo: jeu+nuit.ana@exemple.org\nSubject: {subject}\n{headers}\n{body}".encode()


@pytest.mark.parametrize(("headers", "reason"), [
    ("Auto-Submitted: auto-replied\n", "auto-submitted"),
    ("Auto-Submitted: auto-generated (rejected); owner-email=x\n", "auto-submitted"),
    ("auto-submitted: AUTO-NOTIFIED\n", "auto-submitted"),
    ("X-Autoreply: yes\n", "auto-submitted"),
    ("X-Autorespond: Nuit 2\n", "auto-submitted"),
    ("Precedence: bulk\n", "precedence"),
    ("Precedence: auto_reply\n", "precedence"),
    ("Precedence: JUNK \n", "precedence"),
    ("List-Id: <jeu.exemple.org>\n", "list"),
    ("List-Unsubscribe: <https://x>\nPrecedence: list\n", "list"),
    ("Return-Path: <>\n", "null-path"),
    ("X-Failed-Recipients: bob@exemple.fr\n", "dsn"),
    ("Content-Type: multipart/report; report-type=disposition-notification; boundary=b\n", "mdn"),
    ("Content-Type: multipart/report; report-type=feedback-report; boundary=b\n", "arf"),
    ("X-Mailgm-Loop: abc\n", "own"),
])  # fmt: skip
def test_headers_of_machines(headers: str, reason: str) -> None:
    letter = read(mail(headers))
    assert letter.robot_reason == reason
    assert not letter.answerable
    assert letter.kind != "message"


@pytest.mark.parametrize("headers", [
    "Auto-Submitted: no\n",
    "Auto-Submitted: no (a person)\n",
    "X-Auto-Response-Suppress: All\n",
    "Precedence: normal\n",
    "Return-Path: <ana@exemple.fr>\n",
    "Disposition-Notification-To: ana@exemple.fr\n",
    "X-Priority: 1\nX-Mailer: Microsoft Outlook 16.0\n",
])  # fmt: skip
def test_headers_of_people(headers: str) -> None:
    letter = read(mail(headers))
    assert letter.answerable
    assert letter.kind == "message"
    assert letter.new_text == "boudoir"


@pytest.mark.parametrize("subject", [
    "Réponse automatique : Nuit 2", "=?utf-8?q?R=C3=A9ponse_automatique=C2=A0=3A_Nuit_2?=", "Absence du bureau : Nuit 2", "Absent : Re: Nuit 2",
    "Absente jusqu'au 3 mai", "Message automatique", "Message d'absence", "Automatic reply: Nuit 2", "Out of Office: Nuit 2",
    "Out of the office", "Auto: Nuit 2", "AutoReply: Nuit 2", "Re: Auto-réponse", "[Auto-Reply] Nuit 2", "Automatische Antwort: x",
    "Abwesenheitsnotiz: x", "Respuesta automática: x", "Risposta automatica: x", "Lu : Nuit 2", "Read: Nuit 2", "Je suis absente",
])  # fmt: skip
def test_subjects_of_machines(subject: str) -> None:
    assert read(mail(subject=subject)).robot_reason == "subject"


@pytest.mark.parametrize("subject", [
    "Nuit 2", "Re: Nuit 2", "Je vote Bob", "Absent ce soir, mais voici mon ordre", "Absent du 12 au 15", "Bob est absent", "automate",
    "Lu et approuvé", "vacances au manoir", "Re: delivery of the crucifix", "Accusation !", "L'office du matin", "Retour à l'envoyeur",
])  # fmt: skip
def test_subjects_of_people(subject: str) -> None:
    letter = read(mail(subject=subject))
    assert (letter.robot_reason, letter.kind) == ("", "message")


def test_an_exchange_absence_has_two_signs() -> None:
    assert read(mail("X-Auto-Response-Suppress: All\n", subject="Absent du 12 au 15")).robot_reason == "subject"


@pytest.mark.parametrize("sender", [
    "noreply@exemple.fr", "Forum <no-reply@forum.exemple.fr>", "ne-pas-repondre@exemple.fr", "donotreply+x@exemple.fr", "MAILER-DAEMON@exemple.fr",
    "postmaster@exemple.fr", "jeu-bounces@exemple.fr", "notifications@github.com", "MAILER-DAEMON (Mail System)", "nepasrepondre@laposte.net",
])  # fmt: skip
def test_senders_that_are_machines(sender: str) -> None:
    assert not read(mail(sender=sender)).answerable


@pytest.mark.parametrize(
    "sender",
    [
        "ana@exemple.fr",
        "Renée Noreply <renee@exemple.fr>",
        "bob.postman@exemple.fr",
        "note@exemple.fr",
        "robotte@exemple.fr",
    ],
)
def test_senders_that_are_people(sender: str) -> None:
    assert read(mail(sender=sender)).answerable


def test_challenges_reactions_and_calendars() -> None:
    assert read(mail(subject="Please confirm your message to Ana")).robot_reason == "challenge"
    assert read(mail(subject="Ana reacted to your message: 👍")).robot_reason == "reaction"
    reaction = "MIME-Version: 1.0\nContent-Type: multipart/alternative; boundary=b\n"
    body = "--b\nContent-Type: text/plain\n\n👍\n--b\nContent-Type: text/vnd.google.email-reaction+json\n\n{}\n--b--\n"
    assert read(mail(reaction, body)).robot_reason == "reaction"
    body = "--b\nContent-Type: text/plain\n\nAna a accepté\n--b\nContent-Type: text/calendar; method=REPLY\n\nBEGIN:VCALENDAR\n--b--\n"
    assert read(mail(reaction, body)).robot_reason == "calendar"


def test_own_mail_is_known_by_its_mark_and_address() -> None:
    assert read(mail("X-Mailgm-Loop: s3cret\n"), own_loop_mark="s3cret").kind == "own"
    assert read(mail(), own_addresses=frozenset({"ana@exemple.fr"})).kind == "own"
    other = read(mail("X-Mailgm-Loop: other\n"), own_loop_mark="s3cret")
    assert not other.answerable  # another instance of this service: two of them must not talk to each other


DSN = """Return-Path: <>
From: MAILER-DAEMON@exemple.org
To: jeu+bounce.42@exemple.org
Subject: Undelivered Mail Returned to Sender
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary=b

--b
Content-Type: text/plain

Ce message n'a pas pu être remis.
--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.exemple.org

Original-Recipient: rfc822;Ana@Exemple.fr
Final-Recipient: rfc822; ana@interne.exemple.fr
Action: {action}
Status: {status}
Diagnostic-Code: smtp; {diagnostic}
--b
Content-Type: message/rfc822

From: jeu@exemple.org
To: ana@exemple.fr
Message-ID: <42.1@exemple.org>
Subject: Nuit 2

boudoir
--b--
"""


@pytest.mark.parametrize(("action", "status", "permanent", "temporary"), [
    ("failed", "5.1.1", True, False),
    ("delayed", "4.4.1", False, True),
    ("failed", "4.2.2", False, True),
    ("delivered", "2.0.0", False, False),
    ("relayed", "2.1.5", False, False),
])  # fmt: skip
def test_a_delivery_report_is_read_by_its_fields(action: str, status: str, permanent: bool, temporary: bool) -> None:
    letter = read(DSN.format(action=action, status=status, diagnostic="no words").encode())
    assert letter.kind == "bounce"
    assert letter.robot_reason == "dsn"
    assert letter.bounce is not None
    (recipient,) = letter.bounce.recipients
    assert recipient.address == "ana@exemple.fr"
    assert (recipient.status, recipient.permanent, recipient.temporary) == (status, permanent, temporary)
    assert letter.bounce.original_message_id == "<42.1@exemple.org>"
    assert letter.bounce.verp == "jeu+bounce.42@exemple.org"


def test_the_other_server_knows_better_than_5_0_0() -> None:
    letter = read(DSN.format(action="failed", status="5.0.0", diagnostic="550 5.1.1 <ana@exemple.fr> unknown").encode())
    assert letter.bounce is not None
    assert letter.bounce.recipients[0].status == "5.1.1"


def test_a_person_who_forwards_a_report_is_no_report() -> None:
    body = "Regarde ce que je reçois :\n\n> <ana@exemple.fr>: 550 5.1.1 user unknown\n"
    letter = read(mail(body=body, subject="Re: le mail de Bob"))
    assert letter.bounce is None
    assert letter.answerable


def test_words_that_name_one_address_need_no_second_opinion(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[object] = []

    def nothing(message: object) -> tuple[set[bytes], set[bytes]]:
        asked.append(message)
        return set(), set()

    monkeypatch.setattr(bounce, "all_failures", nothing)
    sender, subject = "MAILER-DAEMON@exemple.org", "Undelivered Mail"
    one = read(mail(body="The mailbox of ana@exemple.fr does not exist.\n", sender=sender, subject=subject))
    assert one.bounce is not None
    assert [recipient.address for recipient in one.bounce.recipients] == ["ana@exemple.fr"]
    assert not asked
    read(mail(body="bob@exemple.fr sent it, ana@exemple.fr never got it.\n", sender=sender, subject=subject))
    assert len(asked) == 1


def test_the_second_opinion_comes_in_one_order_and_without_a_sender() -> None:
    body = "Sorry, unable to deliver your message to bob@exemple.fr for\nthe following reason:\n\n 552 full ana@exemple.fr\n"
    letter = read(f"Subject: failure notice\nReturn-Path: <>\nPrecedence: bulk\n\n{body}".encode())
    assert letter.bounce is not None
    assert [recipient.address for recipient in letter.bounce.recipients] == ["ana@exemple.fr", "bob@exemple.fr"]


@pytest.mark.parametrize("words", ["is full", "We will continue to try to deliver it.", "is full: 452 4.2.2"])
def test_a_full_mailbox_is_no_final_failure(words: str) -> None:
    body = f"The mailbox of <ana@exemple.fr>: mailbox {words}\n"
    letter = read(mail(body=body, sender="MAILER-DAEMON@exemple.org", subject="Undelivered Mail"))
    assert letter.bounce is not None
    assert [(found.permanent, found.temporary) for found in letter.bounce.recipients] == [(False, True)]


def letter_of(headers: str) -> Letter:
    return read(f"{headers}\n\nboudoir\n".encode())


@pytest.mark.parametrize(("value", "address", "name"), [
    ("ana@exemple.fr", "ana@exemple.fr", ""),
    ("Ana Martin <Ana@Exemple.FR>", "ana@exemple.fr", "Ana Martin"),
    ('"Martin, Ana" <ana@exemple.fr>', "ana@exemple.fr", "Martin, Ana"),
    ("=?utf-8?q?Ren=C3=A9e?= <renee@exemple.fr>", "renee@exemple.fr", "Renée"),
    ("ana@exemple.fr (Ana Martin)", "ana@exemple.fr", "Ana Martin"),
    ("Ana <ana@exemple.fr", "ana@exemple.fr", "Ana"),
    ('"bob@exemple.fr" <ana@exemple.fr>', "ana@exemple.fr", "bob@exemple.fr"),
    ("bob@exemple.fr <ana@exemple.fr>", "ana@exemple.fr", "bob@exemple.fr"),
    ("Ana <ana@exemple.fr>, Bob <bob@exemple.fr>", "", ""),
    ("<ana@exemple.fr> <bob@exemple.fr>", "", ""),
    ("Ana", "", ""),
    ("=?utf-8?q?ana=40exemple=2Efr?=", "", ""),
    ("undisclosed-recipients:;", "", ""),
])  # fmt: skip
def test_the_sender_is_the_one_bare_address_of_from(value: str, address: str, name: str) -> None:
    letter = letter_of(f"From: {value}\nReply-To: autre@exemple.fr\nSender: autre@exemple.fr")
    assert (letter.sender, letter.sender_name) == (address, name)


def test_two_from_headers_are_nobody() -> None:
    assert letter_of("From: ana@exemple.fr\nFrom: bob@exemple.fr").sender == ""


def test_subjects_are_one_clean_line() -> None:
    letter = letter_of("Subject: =?utf-8?Q?Nuit=0D=0ABcc:_x=40y.fr?= =?utf-8?q?_=E2=80=AE2?=\nFrom: ana@exemple.fr")
    assert letter.subject == "Nuit Bcc: x@y.fr 2"


def test_recipients_keep_order_and_plus_part() -> None:
    letter = letter_of(
        "From: ana@exemple.fr\nTo: Jeu <jeu+Nuit.ana@exemple.org>, bob@exemple.fr\nCc: BOB@exemple.fr\nDelivered-To: box@exemple.org"
    )
    assert letter.recipients == ("jeu+nuit.ana@exemple.org", "bob@exemple.fr", "box@exemple.org")


def test_threads_dates_and_kept_headers() -> None:
    letter = letter_of(
        "From: ana@exemple.fr\nMessage-ID: <1@x>\nIn-Reply-To: Message de <0@x>\nReferences: <a@x>\n <0@x>\n"
        "Date: Tue, 12 Mar 2024 10:12:00 +0100\nAuthentication-Results: mx; dmarc=pass\nAuthentication-Results: forged"
    )
    assert (letter.message_id, letter.in_reply_to, letter.references) == ("<1@x>", "<0@x>", ("<a@x>", "<0@x>"))
    assert letter.date is not None
    assert letter.date.utcoffset() is not None
    assert letter.headers["authentication-results"] == ("mx; dmarc=pass", "forged")


def test_describe_is_plain_json() -> None:
    said = describe(read(mail()))
    assert said == {
        "kind": "message",
        "new_text": "boudoir",
        "quoted": "",
        "signature": "",
        "forwarded": None,
        "warnings": [],
    }


def test_a_letter_passes_between_processes() -> None:
    letter = read(DSN.format(action="failed", status="5.1.1", diagnostic="x").encode())
    assert pickle.loads(pickle.dumps(letter)) == letter
