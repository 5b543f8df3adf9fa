"""The shapes in which people send an order: replies with quotes and signatures, HTML only, typos, odd encodings."""

from __future__ import annotations

import random
from base64 import b64encode
from dataclasses import dataclass
from email.charset import BASE64, QP, Charset
from email.message import Message
from email.mime.application import MIMEApplication
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


def outlook_html(draft: Draft, dice: random.Random) -> Message:
    """Outlook on a desktop: HTML of Word, the answered mail under a header block and no mark of a quote."""
    lines = "".join(f'<p class="MsoNormal">{escape(line)}<o:p></o:p></p>' for line in draft.text.splitlines())
    head = "".join(f"<b>{name}</b> {escape(value)}<br>" for name, value in _header_block(draft))
    quoted = escape(words_of(draft.answered)).replace("\n", "<br>")
    body = (
        '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style><!-- p.MsoNormal {margin:0cm} --></style>'
        f'</head><body lang="{draft.lang.upper()}"><div class="WordSection1">{lines}<p class="MsoNormal">&nbsp;</p>'
        '<div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm">'
        f'<p class="MsoNormal">{head}</p></div><p class="MsoNormal">{quoted}</p></div></body></html>'
    )
    return _text(body, "html")


def iphone(draft: Draft, dice: random.Random) -> Message:
    """An iPhone: signature first, then the quoted mail under its attribution."""
    signature = {"fr": "Envoyé de mon iPhone", "en": "Sent from my iPhone"}[draft.lang]
    quoted = "\n".join(f"> {line}".rstrip() for line in words_of(draft.answered).splitlines())
    attribution = {
        "fr": "> Le 1 déc. 2026 à 21:04, Le maître du jeu <jeu@demo.test> a écrit :",
        "en": "> On 1 Dec 2026, at 21:04, The game master <jeu@demo.test> wrote:",
    }[draft.lang]
    return _text(f"{draft.text}\n\n{signature}\n\n{attribution}\n> \n{quoted}\n")


def chain(draft: Draft, dice: random.Random) -> Message:
    """An answer above a whole correspondence: header blocks of several programs, quotes within quotes."""
    block = "\n".join(f"{name} {value}" for name, value in _header_block(draft))
    older = "\n".join(f"> {line}".rstrip() for line in _quote(draft).splitlines())
    return _text(f"{_dressed(draft, dice)}\n\n{block}\n\n{words_of(draft.answered)}\n\n{older}\n")


def forwarded(draft: Draft, dice: random.Random) -> Message:
    """Forward pressed in place of reply: the order stands above the forwarded mail."""
    rule = {"fr": "---------- Message transféré ---------", "en": "---------- Forwarded message ---------"}[draft.lang]
    block = "\n".join(f"{name} {value}" for name, value in _header_block(draft))
    message = _text(f"{draft.text}\n\n{rule}\n{block}\n\n{words_of(draft.answered)}\n")
    message["Subject"] = f"Fwd: {draft.answered['Subject'] if draft.answered else 'Message'}"
    return message


def utf16(draft: Draft, dice: random.Random) -> Message:
    """A program that writes UTF-16."""
    message = MIMENonMultipart("text", "plain", charset="utf-16")
    message.set_payload(b64encode(_dressed(draft, dice).encode("utf-16")).decode())
    message["Content-Transfer-Encoding"] = "base64"
    return message


def mislabelled(draft: Draft, dice: random.Random) -> Message:
    """Windows-1252 that calls itself ASCII."""
    message = MIMENonMultipart("text", "plain", charset="us-ascii")
    raw = f"{_dressed(draft, dice)}\n\n… « {draft.name} »".encode("cp1252", "replace")
    message.set_payload(raw.decode("ascii", "surrogateescape"))
    message["Content-Transfer-Encoding"] = "8bit"
    return message


def winmail(draft: Draft, dice: random.Random) -> Message:
    """Outlook behind Exchange: the text, and a winmail.dat that nobody asked for."""
    message = MIMEMultipart("mixed")
    message.attach(_text(_dressed(draft, dice)))
    message.attach(MIMEApplication(b"\x78\x9f\x3e\x22\x00\x00", "ms-tnef", name="winmail.dat"))
    return message


def spaced(draft: Draft, dice: random.Random) -> Message:
    """Two spaces between words, hard spaces, tabs and blank lines, as a screen reader or a tired thumb leaves them."""
    wide = [line.replace(" ", dice.choice(("  ", "\u00a0", " \t"))) for line in draft.text.splitlines()]
    return _text("\n\n" + "\n\n".join(f"  {line}  " for line in wide) + "\n\n\n")


def broken_lines(draft: Draft, dice: random.Random) -> Message:
    """Quoted-printable whose soft breaks fall in the middle of words and between the bytes of a letter."""
    message = MIMENonMultipart("text", "plain", charset="utf-8")
    coded = [f"={byte:02X}" if byte > 126 or byte == 61 else chr(byte) for byte in _dressed(draft, dice).encode()]
    lines: list[str] = [""]
    for piece in coded:
        if piece == "\n":
            lines.append("")
        elif len(lines[-1]) > 7:
            lines[-1] += "="
            lines.append(piece)
        else:
            lines[-1] += piece
    message.set_payload("\n".join(lines) + "\n")
    message["Content-Transfer-Encoding"] = "quoted-printable"
    return message


def flowed(draft: Draft, dice: random.Random) -> Message:
    """format=flowed with DelSp: lines that end in a space go on."""
    message = _text(draft.text.replace(" ", "  \n") + f"\n\n-- \n{draft.name}\n")
    message.set_param("format", "flowed")
    message.set_param("delsp", "yes")
    return message


def unnamed(draft: Draft, dice: random.Random) -> Message:
    """An empty subject, and no reference to what is answered."""
    message = _text(draft.text)
    message["Subject"] = ""
    message["In-Reply-To"] = message["References"] = ""
    return message


def hidden(draft: Draft, dice: random.Random) -> Message:
    """The address only in Bcc: nothing in the header tells it but what the mail servers note."""
    message = reply(draft, dice)
    message["To"] = "undisclosed-recipients:;"
    return message


def loud_address(draft: Draft, dice: random.Random) -> Message:
    """An address book that writes all addresses in capitals."""
    message = reply(draft, dice)
    message["To"] = draft.recipient.upper()
    return message


TIDY = (plain, reply, both_parts)
ODD = (
    below, html_only, latin, base64_text, shouted, disclaimed, outlook_html, iphone, chain, forwarded, utf16,
    mislabelled, winmail, spaced, broken_lines, flowed, unnamed, hidden, loud_address,
)  # fmt: skip
SHAPES = (*TIDY, *ODD)


def build(draft: Draft, dice: random.Random, shape: object = None) -> bytes:
    """Write the draft in one of the shapes, drawn unless given, as a raw message with its headers."""
    chosen = shape if callable(shape) else dice.choice(SHAPES)
    message: Message = chosen(draft, dice)
    answered = draft.answered
    headers = {
        "From": draft.sender,
        "To": draft.recipient,
        "Date": format_datetime(utc_now()),
        "Message-ID": make_msgid(domain=draft.sender.rpartition("@")[2]),
        "Subject": f"Re: {answered['Subject']}" if answered is not None else "Message",
        "In-Reply-To": answered["Message-ID"] if answered is not None else "",
        "References": answered["Message-ID"] if answered is not None else "",
    }
    for name, value in headers.items():
        # What a shape has set itself stands, and an empty one is left out.
        if name not in message:
            message[name] = value
        if not message[name] and name != "Subject":
            del message[name]
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


def _header_block(draft: Draft) -> list[tuple[str, str]]:
    """The header of the answered mail as Outlook repeats it."""
    answered = draft.answered
    subject = str(answered["Subject"]) if answered is not None else "Message"
    names = {"fr": ("De :", "Envoyé :", "À :", "Objet :"), "en": ("From:", "Sent:", "To:", "Subject:")}[draft.lang]
    date = {"fr": "mardi 1 décembre 2026 21:04", "en": "Tuesday, 1 December 2026 21:04"}[draft.lang]
    return list(zip(names, ("Le maître du jeu <jeu@demo.test>", date, draft.name, subject), strict=True))


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
