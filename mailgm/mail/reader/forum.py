"""Private messages of forums inside a mail: who wrote there, when, and what.

A game master forwards a forum's notice (phpBB, Forumactif, Discourse, MyBB), pastes a post under "joueur : Ana", or
pastes BBCode. The name is the forum's word, or the game master's: untrusted text until it is matched to a player.
"""

from __future__ import annotations

import re

from mailgm.mail.reader.lines import bounded, clean
from mailgm.mail.reader.model import Forwarded

_NAME = r"[«\"“'*\[]{0,2}\s?(?P<name>[^\W_][^\n\"”»<>*\]]{0,40}?)\s?[»\"”'*\]]{0,2}"
_PASTED_RE = re.compile(
    r"^[\s*]*(?:joueur|joueuse|player|de la part de|pour)\s*:\s*" + _NAME + r"[\s*]*$", re.IGNORECASE
)
_BBCODE_RE = re.compile(
    r"\[quote=(?P<quote>\"?)(?P<name>[^\"\]\n]{1,60}?)(?P=quote)(?:\s[^\]\n]{0,200})?\]", re.IGNORECASE
)
_NOTICE_RES = tuple(
    re.compile(pattern, re.IGNORECASE | re.MULTILINE)
    for pattern in (
        r"(?:message\s+priv[ée]|private\s+message|\bMP\b"
        r"|nouveau\s+message)[^\n]{0,40}?\s(?:de(?:\s+la\s+part\s+de)?|from|par|by)\s+"
        + _NAME
        + r"(?=\s+(?:sur|on|to|à|dans|in|intitulé|titled|avec|with)\b|\s*[.:,]|\s*$)",
        r"^[\s>]*" + _NAME + r"\s+(?:vous\s+a\s+(?:envoyé|écrit|adressé)|vient\s+de\s+vous\s+(?:envoyer|écrire)"
        r"|has\s+(?:just\s+)?sent\s+you|sent\s+you|wrote\s+you|a\s+envoyé)\b[^\n]{0,60}?(?:message|MP|PM)",
    )
)
_DATE_RE = re.compile(
    r"^(?:date|envoyé(?:\s+le)?|posté(?:\s+le)?|sent|posted)\s*:\s*(.{4,60})$", re.IGNORECASE | re.MULTILINE
)
_SUBJECT_RE = re.compile(r"^(?:sujet|objet|titre|subject|title)\s*:\s*(.{1,200})$", re.IGNORECASE | re.MULTILINE)
_RULE_RE = re.compile(r"^[ \t]*[-_=*~]{4,}[ \t]*$", re.MULTILINE)
_FOOTER_RE = re.compile(
    r"^[ \t]*(?:vous\s+pouvez\s+(?:voir|lire|consulter|répondre)|pour\s+(?:voir|lire|répondre|consulter"
    r"|ne\s+plus)|cliquez|you\s+can\s+(?:view|read|reply)|to\s+(?:view|read|respond|reply)"
    r"|visit|visiter|voir\s+le\s+message|view\s+(?:the\s+)?message|répondez\s+à\s+cet|reply\s+to\s+this"
    r"|https?://|cordialement,?\s*$|l['’]équipe|merci,?\s*$|thank\s+you|rappelez-vous|remember).*",
    re.IGNORECASE | re.MULTILINE | re.DOTALL,
)


def forum_message(text: str, subject: str = "") -> Forwarded | None:
    """The private message that a notice or a pasted post holds; None when the text names nobody.

    text: a forwarded text or a body without its header. from_ and name are the name on the forum, address is "".
    A notice that does not carry the message itself (phpBB as delivered) gives an empty text. Never raises.
    """
    body = bounded(clean(text))[0].strip("\n")
    pasted = _PASTED_RE.match(body.partition("\n")[0])
    if pasted:
        return _post(pasted["name"], body.partition("\n")[2], body, subject)
    quoted = _BBCODE_RE.search(body)
    if quoted:
        inside = body[quoted.end() :]
        end = inside.lower().find("[/quote]")
        return _post(quoted["name"].partition(", post:")[0], inside[:end] if end >= 0 else inside, body, subject)
    for pattern in _NOTICE_RES:
        found = pattern.search(body[:4000])
        if found:
            rest = body[found.end() :].partition("\n")[2]
            return _post(found["name"], _between_rules(rest), body, subject)
    return None


def _post(name: str, text: str, body: str, subject: str) -> Forwarded:
    date = found[1].strip() if (found := _DATE_RE.search(body)) else ""
    title = found[1].strip() if (found := _SUBJECT_RE.search(body)) else subject
    return Forwarded(from_=name.strip(), date=date, subject=title, text=text.strip(), name=name.strip())


def _between_rules(text: str) -> str:
    """The message: between two ruled lines if there are, else up to the notice's footer, without its fields."""
    rules = list(_RULE_RE.finditer(text))
    if len(rules) >= 2:
        return text[rules[0].end() : rules[1].start()]
    if rules and text[rules[0].end() :].strip() and text[: rules[0].start()].strip() == "":
        text = text[rules[0].end() :]
    text = _FOOTER_RE.sub("", text)
    return _SUBJECT_RE.sub("", _DATE_RE.sub("", text))
