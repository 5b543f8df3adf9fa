"""One order in every shape that mail can take: the same words are read from each."""

# ruff: noqa: E501 - mails are written as they are sent
from __future__ import annotations

import base64
import quopri
import struct

import pytest

from mailgm.mail.reader import read

ORDER = "Je vote Bob à minuit, c'est décidé"
FR_DISCLAIMER = """Ce message et toutes les pièces jointes (ci-après le « message ») sont établis à l'intention exclusive
de ses destinataires et sont confidentiels. Si vous recevez ce message par erreur,
merci de le détruire et d'en avertir immédiatement l'expéditeur.
Toute utilisation de ce message non conforme à sa destination,
toute diffusion ou toute publication, totale ou partielle, est interdite,
sauf autorisation expresse. L'internet ne permettant pas d'assurer
l'intégrité de ce message, la société décline toute responsabilité
au titre de ce message, dans l'hypothèse où il aurait été modifié.
Pensez à l'environnement avant d'imprimer ce courriel.
Société Exemple, 1 rue de la Paix, Paris"""
EN_DISCLAIMER = """This e-mail and any attachments are confidential and intended solely
for the use of the individual to whom they are addressed.
If you are not the intended recipient, be advised that you have
received this e-mail in error and that any use, dissemination,
forwarding, printing, or copying of this e-mail is strictly prohibited.
If you have received this e-mail in error please notify
the sender immediately and delete it from your system.
E-mail transmission cannot be guaranteed to be secure or error-free
as information could be intercepted, corrupted, lost or contain viruses.
The sender therefore does not accept liability for any errors."""
HTML = f"<html><body><p>{ORDER.replace('à', '&agrave;').replace('é', '&#233;')}</p></body></html>"
QUOTE = "> Nuit 2 : vote Alice\n> boudoir"
ATTRIBUTION = "Le mar. 12 mars 2024 à 10:12, Le MJ <mj@exemple.fr> a écrit :"


def mail(
    body: str | bytes, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit", subject: str = "Re: Nuit 2"
) -> bytes:
    head = f"From: Ana <ana@exemple.fr>\r\nTo: mj@exemple.fr\r\nSubject: {subject}\r\nMIME-Version: 1.0\r\n"
    return head.encode() + part(body, kind, encoding)


def part(body: str | bytes, kind: str = "text/plain; charset=utf-8", encoding: str = "8bit", extra: str = "") -> bytes:
    data = body.encode() if isinstance(body, str) else body
    return f"Content-Type: {kind}\r\nContent-Transfer-Encoding: {encoding}\r\n{extra}\r\n".encode() + data


def multi(kind: str, *parts: bytes, extra: str = "") -> bytes:
    inner = b"".join(b"--=_b1\r\n" + piece + b"\r\n" for piece in parts)
    return mail(
        b"Ceci est un message MIME.\r\n" + inner + b"--=_b1--\r\n", f'multipart/{kind}; boundary="=_b1"{extra}', "7bit"
    )


def der(tag: int, *content: bytes) -> bytes:
    data = b"".join(content)
    size = bytes([len(data)]) if len(data) < 128 else b"\x82" + struct.pack(">H", len(data))
    return bytes([tag]) + size + data


def opaque_signature(entity: bytes) -> bytes:
    """CMS SignedData with nobody's signature: what Outlook sends as smime.p7m (RFC 5652 §5)."""
    signed, plain = bytes.fromhex("2a864886f70d010702"), bytes.fromhex("2a864886f70d010701")
    content = der(0x30, der(0x06, plain), der(0xA0, der(0x04, entity)))
    data = der(0x30, der(0x02, b"\x01"), der(0x31), content, der(0x31))
    return der(0x30, der(0x06, signed), der(0xA0, data))


def streamed_signature(entity: bytes) -> bytes:
    """The same as OpenSSL streams it: indefinite lengths, the octets in pieces."""
    signed, plain = bytes.fromhex("2a864886f70d010702"), bytes.fromhex("2a864886f70d010701")
    pieces = b"".join(der(0x04, entity[i : i + 50]) for i in range(0, len(entity), 50))
    octets = b"\xa0\x80\x24\x80" + pieces + b"\x00\x00\x00\x00"
    content = b"\x30\x80" + der(0x06, plain) + octets + b"\x00\x00"
    data = b"\x30\x80" + der(0x02, b"\x01") + der(0x31) + content + der(0x31) + b"\x00\x00"
    return b"\x30\x80" + der(0x06, signed) + b"\xa0\x80" + data + b"\x00\x00\x00\x00"


def attribute(number: int, data: bytes) -> bytes:
    return struct.pack("<BII", 1, number, len(data)) + data + struct.pack("<H", sum(data) & 0xFFFF)


def mapi(*properties: tuple[int, int, bytes]) -> bytes:
    out = struct.pack("<I", len(properties))
    for kind, number, value in properties:
        out += struct.pack("<HHII", kind, number, 1, len(value)) + value + b"\x00" * (-len(value) % 4)
    return attribute(0x00069003, out)


def uncompressed_rtf(rtf: bytes) -> bytes:
    return struct.pack("<III", len(rtf) + 12, len(rtf), 0x414C454D) + b"\x00" * 4 + rtf


TNEF = struct.pack("<IH", 0x223E9F78, 1)
RTF = b"{\\rtf1\\ansi\\ansicpg1252\\deff0{\\fonttbl{\\f0 Arial;}}{\\*\\generator x;}\\uc1\\pard Je vote Bob \\'e0 minuit, c'est d\\u233?cid\\'e9\\par\r\n}"
RTF_HTML = (
    b"{\\rtf1\\ansi\\ansicpg1252\\fromhtml1 \\deff0{\\*\\htmltag64 <p>}\\htmlrtf \\par\\htmlrtf0 Je vote Bob \\'e0 minuit, "
    b"c'est d\\'e9cid\\'e9{\\*\\htmltag72 </p>}\\htmlrtf\\par\\htmlrtf0 }"
)


def winmail(*attributes: bytes) -> bytes:
    data = base64.encodebytes(TNEF + b"".join(attributes))
    return multi("mixed", part("", "text/plain"), part(data, 'application/ms-tnef; name="winmail.dat"', "base64"))


PNG = part(
    base64.encodebytes(b"\x89PNG" + b"x" * 200),
    "image/png",
    "base64",
    "Content-ID: <i1>\r\nContent-Disposition: inline\r\n",
)
PLAIN = part(ORDER + "\r\n")
REACH = part(HTML, "text/html; charset=us-ascii", "7bit")

SHAPES: dict[str, bytes] = {
    "plain": mail(ORDER),
    "without any MIME header": f"From: ana@exemple.fr\nSubject: x\n\n{ORDER}\n".encode(),
    "format=flowed": mail("Je vote Bob à \r\nminuit, c'est \r\ndécidé", 'text/plain; charset=utf-8; format="flowed"'),
    "format=flowed DelSp": mail("Je vote Bob à mi \r\nnuit, c'est dé \r\ncidé", "text/plain; charset=utf-8; format=flowed; delsp=yes"),
    "flowed with quotes": mail(f"{ATTRIBUTION}\r\n> Nuit 2 : \r\n> vote Alice\r\n\r\nJe vote Bob à minuit, \r\nc'est décidé\r\n", "text/plain; charset=utf-8; format=flowed"),
    "quoted-printable": mail(quopri.encodestring(ORDER.encode()), encoding="quoted-printable"),
    "quoted-printable, soft breaks": mail("Je vote B=\r\nob =C3=\r\n=A0 minuit, c'est d=C3=A9cid=C3=A9=20\r\n", encoding="Quoted-Printable"),
    "base64": mail(base64.encodebytes(ORDER.encode()), encoding="base64"),
    "base64 without padding": mail(base64.b64encode(ORDER.encode()).rstrip(b"="), encoding="BASE64"),
    "HTML only": mail(HTML, "text/html; charset=us-ascii", "7bit"),
    "HTML base64": mail(base64.encodebytes(HTML.encode()), "text/html; charset=utf-8", "base64"),
    "HTML said to be plain": mail(HTML, "text/plain", "7bit"),
    "multipart/alternative": multi("alternative", PLAIN, REACH),
    "alternative, empty text": multi("alternative", part("  \r\n"), REACH),
    "alternative, stub text": multi("alternative", part("This message requires an HTML-capable mail reader."), REACH),
    "alternative, html first": multi("alternative", REACH, PLAIN),
    "multipart/related": multi("related", REACH, PNG, extra='; type="text/html"'),
    "related with start": multi("related", PNG, part(HTML, "text/html", "7bit", "Content-ID: <main>\r\n"), extra='; start="<main>"'),
    "mixed with images": multi("mixed", PLAIN, PNG, PNG),
    "mixed, text behind the picture": multi("mixed", PNG, PLAIN),
    "mixed, boundary without end": multi("mixed", PLAIN).rsplit(b"--=_b1--", 1)[0],
    "top-posted": mail(f"{ORDER}\r\n\r\n{ATTRIBUTION}\r\n\r\n{QUOTE}\r\n"),
    "bottom-posted": mail(f"{ATTRIBUTION}\r\n{QUOTE}\r\n\r\n{ORDER}\r\n"),
    "inline": mail(f"{ATTRIBUTION}\r\n{QUOTE}\r\n\r\n{ORDER}\r\n\r\n> une autre idée ?\r\n> vote Chloé\r\n"),
    "inline without blank lines": mail(f"{ATTRIBUTION}\r\n> Que faites-vous cette nuit, dans le manoir plongé dans l'ombre ?\r\n{ORDER}\r\n> vote Chloé\r\n"),
    "forward with a word above": mail(f"{ORDER}\r\n\r\n---------- Forwarded message ---------\r\nDe : Bob <bob@exemple.fr>\r\nDate: 12 mars\r\nSubject: x\r\n\r\nvote Alice\r\n", subject="TR: x"),
    "S/MIME multipart": multi("signed", PLAIN, part(base64.encodebytes(b"x" * 60), 'application/pkcs7-signature; name="smime.p7s"', "base64"), extra="; protocol=x"),
    "S/MIME opaque": mail(base64.encodebytes(opaque_signature(PLAIN)), 'application/pkcs7-mime; smime-type=signed-data; name="smime.p7m"', "base64"),
    "S/MIME streamed": mail(base64.encodebytes(streamed_signature(PLAIN)), 'application/x-pkcs7-mime; name="smime.p7m"', "base64"),
    "PGP/MIME": multi("signed", PLAIN, part("-----BEGIN PGP SIGNATURE-----\r\n\r\nabc\r\n", "application/pgp-signature"), extra='; protocol="application/pgp-signature"'),
    "PGP inline": mail(f"-----BEGIN PGP SIGNED MESSAGE-----\r\nHash: SHA256\r\n\r\n{ORDER}\r\n- -- \r\nAna\r\n-----BEGIN PGP SIGNATURE-----\r\n\r\niQEz\r\n-----END PGP SIGNATURE-----\r\n"),
    "winmail.dat, text": winmail(attribute(0x0002800C, ORDER.encode("cp1252") + b"\x00")),
    "winmail.dat, unicode property": winmail(mapi((0x1F, 0x1000, ORDER.encode("utf-16-le") + b"\x00\x00"))),
    "winmail.dat, HTML": winmail(mapi((0x102, 0x1013, HTML.encode()))),
    "winmail.dat, RTF": winmail(mapi((0x102, 0x1009, uncompressed_rtf(RTF)))),
    "winmail.dat, HTML in RTF": winmail(mapi((0x102, 0x1009, uncompressed_rtf(RTF_HTML)))),
    "UTF-8": mail(ORDER, "text/plain; charset=UTF-8"),
    "ISO-8859-15": mail(ORDER.encode("iso-8859-15"), "text/plain; charset=ISO-8859-15"),
    "ISO-8859-1": mail(ORDER.encode("latin-1"), "text/plain; charset=iso-8859-1"),
    "cp1252 labelled ASCII": mail(ORDER.encode("cp1252"), "text/plain; charset=us-ascii"),
    "UTF-8 labelled ISO-8859-1": mail(ORDER, "text/plain; charset=iso-8859-1"),
    "unknown charset": mail(ORDER, "text/plain; charset=x-unknown-42"),
    "UTF-16 with mark": mail(base64.encodebytes(ORDER.encode("utf-16")), "text/plain; charset=utf-16", "base64"),
    "UTF-16 little-endian": mail(base64.encodebytes(ORDER.encode("utf-16-le")), "text/plain; charset=utf-16le", "base64"),
    "UTF-7": mail(ORDER.encode("utf-7"), "text/plain; charset=utf-7", "7bit"),
    "NFD accents and a no-break space": mail("Je vote Bob a\u0300\u00a0minuit, c'est de\u0301cide\u0301"),
    "French disclaimer": mail(f"{ORDER}\r\n\r\n{FR_DISCLAIMER}\r\n"),
    "English disclaimer": mail(f"{ORDER}\r\n\r\n{EN_DISCLAIMER}\r\n"),
    "disclaimer under a line": mail(f"{ORDER}\r\n\r\n__________________________________\r\n{EN_DISCLAIMER}\r\n\r\n{FR_DISCLAIMER}\r\n"),
    "disclaimer without a blank line": mail(f"{ORDER}\r\n{FR_DISCLAIMER}\r\n"),
    "disclaimer under an inline answer": mail(f"{ATTRIBUTION}\r\n{QUOTE}\r\n\r\n{ORDER}\r\n\r\n{FR_DISCLAIMER}\r\n"),
    "warning of a gateway above": mail(f"CAUTION: This email originated from outside the organisation. Do not click links.\r\n\r\n{ORDER}\r\n"),
    "old Mac line ends": mail(f"{ORDER}\r\rEnvoyé de mon iPhone\r"),
    "NUL bytes": mail(ORDER.replace("Bob", "Bo\x00b")),
}  # fmt: skip


@pytest.mark.parametrize("shape", SHAPES)
def test_the_same_order_in_every_shape(shape: str) -> None:
    letter = read(SHAPES[shape])
    assert letter.new_text == ORDER
    assert letter.kind == "message"
    assert letter.answerable
    assert letter.sender == "ana@exemple.fr"


@pytest.mark.parametrize(("raw", "warning"), [
    (SHAPES["HTML only"], "html-only"),
    (SHAPES["cp1252 labelled ASCII"], "charset-guessed"),
    (multi("mixed", PLAIN, part(b"x", "application/pdf", extra="Content-Disposition: attachment; filename=x.pdf\r\n")), "attachment-ignored"),
    (mail("vote Bob\n" * 9000), "cut-size"),
])  # fmt: skip
def test_what_the_author_should_know_is_said(raw: bytes, warning: str) -> None:
    assert warning in read(raw).warnings


@pytest.mark.parametrize("raw", [
    multi("encrypted", part("Version: 1", "application/pgp-encrypted"), part("-----BEGIN PGP MESSAGE-----", "application/octet-stream")),
    mail("-----BEGIN PGP MESSAGE-----\n\nhQEMA\n-----END PGP MESSAGE-----\n"),
    mail(base64.encodebytes(der(0x30, der(0x06, bytes.fromhex("2a864886f70d010703")), der(0xA0, b"x"))), "application/pkcs7-mime; smime-type=enveloped-data", "base64"),
])  # fmt: skip
def test_an_encrypted_mail_is_unreadable_not_empty(raw: bytes) -> None:
    letter = read(raw)
    assert letter.kind == "unreadable"
    assert "encrypted" in letter.warnings


def test_a_forward_as_attachment_names_its_author() -> None:
    inner = "From: =?utf-8?q?Chlo=C3=A9?= <chloe@exemple.fr>\r\nSubject: boudoir\r\nDate: Tue, 12 Mar 2024 10:12:00 +0100\r\n\r\nmordre Bob\r\n"
    letter = read(multi("mixed", part("Voici."), part(inner, "message/rfc822", "7bit")))
    assert letter.new_text == "Voici."
    assert letter.forwarded is not None
    assert letter.forwarded.from_ == "Chloé <chloe@exemple.fr>"
    assert (letter.forwarded.subject, letter.forwarded.text) == ("boudoir", "mordre Bob")


def test_nothing_new_is_empty() -> None:
    for body in ("", "\r\n \r\n", f"{ATTRIBUTION}\r\n\r\n{QUOTE}\r\n", "Envoyé de mon iPhone\r\n"):
        assert read(mail(body)).kind == "empty"
