"""The shapes in which people send an order: replies with quotes and signatures, HTML only, typos, odd encodings."""

from __future__ import annotations

import random
from dataclasses import dataclass
from email.charset import BASE64, QP, Charset
from email.message import Message
from email.mime.multipart import MIMEMultipart
from email.mime.nonmultipart import MIMENonMultipart
from email.mime.text import MIMEText
from email.policy import compat32
from email.utils import format_datetime, make_msgid
from html import escape

from mailgm.service.context import utc_now

SIGNATURES = {
    "fr": (
        "Envoyé de mon iPhone",
        "Envoyé depuis Outlook pour Android",
        "-- \n{name}\n06 00 00 00 00",
        "Cordialement,\n{name}",
    ),
    "en": ("Sent from my iPhone", "Get Outlook for Android", "-- \n{name}\n+44 20 7946 0000", "Best regards,\n{name}"),
}
GREETINGS = {"fr": ("Bonjour,", "Salut !", "Bonsoir maître,"), "en": ("Hello,", "Hi!", "Good evening,")}
THANKS = {"fr": ("Merci !", "Bonne nuit", "À demain"), "en": ("Thanks!", "Good night", "See you")}


@dataclass(frozen=True)
class Draft:
    """What somebody wants to send: who he is, his orders one a line, and the mail that he answers (None: a new one)."""

    name: str
    sender: str
    recipient: str
    lang: str
    text: str
    answered: Message | None = None


def plain(draft: Draft, dice: random.Random) -> Message:
    """The bare order."""
    return _text(draft.text)


def reply(draft: Draft, dice: random.Random) -> Message:
    """A reply above the quoted mail, with a greeting and a signature."""
    return _text(f"{_dressed(draft, dice)}\n\n{_quote(draft)}\n")


def below(draft: Draft, dice: random.Random) -> Message:
    """A reply below the quoted mail."""
    return _text(f"{_quote(draft)}\n\n{_dressed(draft, dice)}\n")


def html_only(draft: Draft, dice: random.Random) -> Message:
    """A phone that sends nothing but HTML, the quoted mail in it."""
    lines = "".join(f"<div>{escape(line)}</div>" for line in draft.text.splitlines())
    quoted = escape(words_of(draft.answered)).replace("\n", "<br>")
    attribution = _attribution(draft)
    body = (
        f'<html><body><div dir="ltr">{lines}</div><br><div class="gmail_quote"><div dir="ltr" class="gmail_attr">'
        f'{escape(attribution)}</div><blockquote class="gmail_quote" style="margin:0 0 0 .8ex">{quoted}'
        "</blockquote></div></body></html>"
    )
    return _text(body, "html")


def both_parts(draft: Draft, dice: random.Random) -> Message:
    """Text and HTML, as most programs send it."""
    message = MIMEMultipart("alternative")
    message.attach(reply(draft, dice))
    message.attach(html_only(draft, dice))
    return message


def latin(draft: Draft, dice: random.Random) -> Message:
    """An old program: ISO-8859-15 in quoted-printable."""
    charset = Charset("iso-8859-15")
    charset.body_encoding = QP
    return _encoded(_dressed(draft, dice), charset)


def base64_text(draft: Draft, dice: random.Random) -> Message:
    """A program that encodes everything in base64."""
    charset = Charset("utf-8")
    charset.body_encoding = BASE64
    return _encoded(f"{draft.text}\n\n{_quote(draft)}\n", charset)


def shouted(draft: Draft, dice: random.Random) -> Message:
    """Capitals, a bullet and thanks."""
    first, *rest = draft.text.splitlines()
    return _text("\n".join([f"- {first.upper()}", *rest, "", dice.choice(THANKS[draft.lang])]))


def disclaimed(draft: Draft, dice: random.Random) -> Message:
    """An office mail with its notice at the end."""
    notice = {
        "fr": "Ce message et ses pièces jointes sont confidentiels et destinés à leur seul destinataire.\n"
        "Si vous l'avez reçu par erreur, merci de le détruire et d'en avertir l'expéditeur.",
        "en": "This message and its attachments are confidential and intended for the addressee only.\n"
        "If you have received it in error, please delete it and notify the sender.",
    }[draft.lang]
    return _text(f"{_dressed(draft, dice)}\n\n{'_' * 30}\n{notice}\n")


SHAPES = (plain, reply, below, html_only, both_parts, latin, base64_text, shouted, disclaimed)
TIDY = (plain, reply, both_parts)


def build(draft: Draft, dice: random.Random, shape: object = None) -> bytes:
    """Write the draft in one of the shapes, drawn unless given, as a raw message with its headers."""
    chosen = shape if callable(shape) else dice.choice(SHAPES)
    message: Message = chosen(draft, dice)
    message["From"] = draft.sender
    message["To"] = draft.recipient
    message["Date"] = format_datetime(utc_now())
    message["Message-ID"] = make_msgid(domain=draft.sender.rpartition("@")[2])
    if draft.answered is not None:
        message["Subject"] = f"Re: {draft.answered['Subject']}"
        message["In-Reply-To"] = draft.answered["Message-ID"]
        message["References"] = draft.answered["Message-ID"]
    else:
        message["Subject"] = "Message"
    return message.as_bytes(policy=compat32.clone(linesep="\r\n"))


def slip(text: str, dice: random.Random) -> str:
    """The text with two neighbouring letters of a long word swapped, as thumbs do; the same text if none is long."""
    words = text.split(" ")
    places = [place for place, word in enumerate(words) if len(word) >= 6 and word.isalpha()]
    if not places:
        return text
    place = dice.choice(places)
    word = words[place]
    at = dice.randrange(1, len(word) - 2)
    words[place] = word[:at] + word[at + 1] + word[at] + word[at + 2 :]
    return " ".join(words)


def _dressed(draft: Draft, dice: random.Random) -> str:
    signature = dice.choice(SIGNATURES[draft.lang]).format(name=draft.name)
    greeting = f"{dice.choice(GREETINGS[draft.lang])}\n\n" if dice.random() < 0.5 else ""
    return f"{greeting}{draft.text}\n\n{signature}"


def _attribution(draft: Draft) -> str:
    if draft.answered is None:
        return ""
    if draft.lang == "fr":
        return "Le mar. 1 déc. 2026 à 21:04, Le maître du jeu <jeu@demo.test> a écrit :"
    return "On Tue, 1 Dec 2026 at 21:04, The game master <jeu@demo.test> wrote:"


def _quote(draft: Draft) -> str:
    if draft.answered is None:
        return ""
    lines = words_of(draft.answered).splitlines()
    return "\n".join([_attribution(draft), *(f"> {line}".rstrip() for line in lines)])


def words_of(message: Message | None) -> str:
    """The text part of a mail."""
    if message is None:
        return ""
    part = next((part for part in message.walk() if part.get_content_type() == "text/plain"), message)
    content = part.get_payload(decode=True)
    return content.decode("utf-8", "replace").replace("\r\n", "\n") if isinstance(content, bytes) else ""


def _text(text: str, subtype: str = "plain") -> Message:
    charset = Charset("utf-8")
    charset.body_encoding = QP
    return MIMEText(text, subtype, charset)  # type: ignore[arg-type]


def _encoded(text: str, charset: Charset) -> Message:
    message = MIMENonMultipart("text", "plain")
    message.set_payload(text, charset)
    return message
