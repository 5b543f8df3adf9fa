"""Chooses what to read of a MIME tree and gives it as lines."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from mailgm.mail.reader import mime, smime, tnef
from mailgm.mail.reader.decode import decode_text
from mailgm.mail.reader.html import MAX_HTML, html_to_lines
from mailgm.mail.reader.lines import MAX_LINES, Line, bounded, clean, split_lines
from mailgm.mail.reader.mime import Part

_NESTING = 3  # containers inside containers: winmail.dat in a signed mail in ...
_STUB_RE = re.compile(
    r"html[- ](?:only|format|capable|version|enabled|e-?mail)|(?:in|as|au|im|en) (?:format )?html|support(?:s|e"
    r"|er)? (?:not |pas )?.{0,20}html"
    r"|multi-?part message in mime|view (?:this|the) (?:e-?mail|message)|afficher (?:ce|cet)|html[- ]nachricht",
    re.IGNORECASE,
)
_HTML_START_RE = re.compile(r"\s*(?:<\?xml[^>]*>\s*)?<(?:!doctype html|html|body|head)\b", re.IGNORECASE)
_RICH_TAG_RE = re.compile(r"</?[a-zA-Z][^<>]{0,200}>")
_RICH_PARAM_RE = re.compile(r"<param>[^<]*</param>", re.IGNORECASE)
_PGP_SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
_PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
_PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"
_IGNORED_TEXT = frozenset(
    ("text/x-amp-html", "text/watch-html", "text/x-vcard", "text/vcard", "text/css", "text/csv", "text/directory")
)
_SIGNATURES = frozenset(
    (
        "application/pgp-signature",
        "application/pkcs7-signature",
        "application/x-pkcs7-signature",
        "application/pgp-keys",
    )
)


@dataclass(slots=True)
class Body:
    """What was found. attached: the first message/rfc822 that is passed on as an attachment."""

    lines: list[Line] = field(default_factory=list)
    warnings: dict[str, None] = field(default_factory=dict)  # an ordered set
    attached: Part | None = None
    encrypted: bool = False
    found: set[str] = field(default_factory=set)  # "calendar", "reaction"

    def warn(self, code: str) -> None:
        self.warnings.setdefault(code)


def choose(root: Part) -> Body:
    """The lines to read of a parsed mail. Never raises; nested containers are followed three deep."""
    body = Body()
    body.lines = _lines(root, body, 0, root=True)
    return body


def _lines(part: Part, body: Body, nesting: int, root: bool = False) -> list[Line]:
    kind = part.type
    if part.children:
        if kind == "multipart/alternative":
            return _alternative(part, body, nesting)
        if kind == "multipart/related":
            return _related(part, body, nesting)
        if kind in ("multipart/signed", "multipart/appledouble", "multipart/report"):
            return _lines(part.children[0], body, nesting)
        if kind == "multipart/encrypted":
            body.encrypted = True
            return []
        if kind.startswith("message/"):
            if root:
                return _lines(part.children[0], body, nesting)
            body.attached = body.attached or part.children[0]
            return []
        return _joined([_lines(child, body, nesting) for child in part.children])
    if kind.startswith(("multipart/", "message/")) and not root:
        return _leaf_text(part, body) if kind.startswith("multipart/") else []
    return _leaf(part, body, nesting, root)


def _leaf(part: Part, body: Body, nesting: int, root: bool) -> list[Line]:
    kind = part.type
    name = part.filename
    if kind in ("application/pkcs7-mime", "application/x-pkcs7-mime") or name == "smime.p7m":
        return _signed(part, body, nesting)
    if kind == "application/ms-tnef" or name == "winmail.dat":
        return _winmail(part, body, nesting)
    if kind == "application/pgp-encrypted":
        body.encrypted = True
        return []
    if kind in _SIGNATURES:
        return []
    if kind == "text/calendar" or kind == "application/ics":
        body.found.add("calendar")
        return []
    if "email-reaction" in kind:
        body.found.add("reaction")
        return []
    if not root:
        disposition = part.disposition
        inline_image = kind.startswith("image/") and (disposition == "inline" or part.first("content-id"))
        if (
            disposition == "attachment"
            or (name and disposition != "inline")
            or not kind.startswith(("text/", "multipart/"))
        ):
            if not inline_image:
                body.warn("attachment-ignored")
            return []
    elif not kind.startswith(("text/", "multipart/", "message/")):
        body.warn("attachment-ignored")
        return []
    if kind in _IGNORED_TEXT:
        return []
    return _leaf_text(part, body)


def _leaf_text(part: Part, body: Body) -> list[Line]:
    text, guessed = part.text()
    if guessed:
        body.warn("charset-guessed")
    if part.type == "text/html" or _HTML_START_RE.match(text[:300]):
        body.warn("html-only")
        lines = html_to_lines(text)
        if len(text) > MAX_HTML or len(lines) > MAX_LINES:
            body.warn("cut-size")
        return lines
    if part.type in ("text/enriched", "text/richtext"):
        text = _RICH_TAG_RE.sub("", _RICH_PARAM_RE.sub("", text.replace("<<", "\x01"))).replace("\x01", "<")
    return _plain_lines(text, part, body)


def _plain_lines(text: str, part: Part, body: Body) -> list[Line]:
    text, cut = bounded(clean(text))
    if cut:
        body.warn("cut-size")
    if part.params and part.params.get("format", "").lower() == "flowed":
        text = unflow(text, part.params.get("delsp", "").lower() == "yes")
    if "-----BEGIN PGP" in text:
        text = _without_armour(text, body)
    return split_lines(text)


def unflow(text: str, delsp: bool = False) -> str:
    """format=flowed as plain lines (RFC 3676 §4): soft breaks joined, stuffing removed, quote marks normalised."""
    out: list[str] = []
    open_depth = -1
    for line in text.split("\n"):
        content = line.lstrip(">")
        depth = len(line) - len(content)
        if content[:1] == " ":
            content = content[1:]
        soft = content.endswith(" ") and content != "-- "
        if soft and delsp:
            content = content[:-1]
        if open_depth == depth and content != "-- ":
            out[-1] += content
        else:
            out.append(f"{'>' * depth} {content}" if depth else content)
        open_depth = depth if soft else -1
    return "\n".join(out)


def _without_armour(text: str, body: Body) -> str:
    """The signed text of an inline PGP message; an encrypted one is marked as such."""
    lines = text.split("\n")
    if _PGP_SIGNED in lines:
        start = lines.index(_PGP_SIGNED)
        end = lines.index(_PGP_SIGNATURE, start) if _PGP_SIGNATURE in lines[start:] else len(lines)
        first = start + 1
        while first < end and lines[first].strip():
            first += 1
        signed = [line[2:] if line.startswith("- ") else line for line in lines[first + 1 : end]]
        return "\n".join(lines[:start] + signed)
    if _PGP_MESSAGE in lines:
        body.encrypted = True
        return "\n".join(lines[: lines.index(_PGP_MESSAGE)])
    return text


def _alternative(part: Part, body: Body, nesting: int) -> list[Line]:
    plain = [child for child in part.children if child.type == "text/plain" and child.disposition != "attachment"]
    html = [child for child in part.children if child not in plain and any(p.type == "text/html" for p in child.walk())]
    others = [child for child in part.children if child not in plain and child not in html]
    for child in others:
        _lines(child, body, nesting)  # an invitation or a reaction says so
    if not plain and not html:
        return _lines(part.children[-1], body, nesting)
    if not html:
        return _joined([_leaf_text(child, body) for child in plain])
    if plain:
        lines = _joined([_leaf_text(child, body) for child in plain])
        if not _poor(lines, html):
            _note_attachments(html, body)
            return lines
    rich = _joined([_lines(child, body, nesting) for child in html])
    if not plain:
        return rich
    body.warnings.pop("html-only", None)
    if any(line.text for line in rich) and _richer(rich, lines):
        body.warn("html-only")
        return rich
    return lines


def _note_attachments(parts: list[Part], body: Body) -> None:
    for part in parts:
        for leaf in part.walk():
            if leaf.disposition == "attachment":
                body.warn("attachment-ignored")


def _poor(lines: list[Line], html: list[Part]) -> bool:
    """Might the plain text be a stub for the HTML beside it? Cheap: looks at sizes and stock phrases only."""
    size = sum(len(line.text) for line in lines)
    if size == 0:
        return True
    if size < 400:
        text = " ".join(line.text for line in lines)
        return (
            _STUB_RE.search(text) is not None
            or sum(len(p.body) for part in html for p in part.walk()) > 4000 + 10 * size
        )
    return False


def _richer(rich: list[Line], lines: list[Line]) -> bool:
    text = " ".join(line.text for line in lines)
    size = sum(len(line.text) for line in rich)
    if not text.strip() or _STUB_RE.search(text):
        return size > 0
    return size > 3 * len(text) + 100


def _related(part: Part, body: Body, nesting: int) -> list[Line]:
    start = part.params.get("start", "").strip("<> ")
    main = next((c for c in part.children if start and c.first("content-id").strip("<> ") == start), part.children[0])
    if not main.type.startswith(("text/", "multipart/")):
        main = next((c for c in part.children if c.type.startswith(("text/", "multipart/"))), main)
    for child in part.children:
        if child is not main and not child.type.startswith(("image/", "text/")):
            _lines(child, body, nesting)
    return _lines(main, body, nesting)


def _joined(groups: list[list[Line]]) -> list[Line]:
    out: list[Line] = []
    for group in groups:
        if not group:
            continue
        if out:
            out.append(Line("", ""))
        out.extend(group)
    return out


def _signed(part: Part, body: Body, nesting: int) -> list[Line]:
    content = smime.signed_content(part.data()) if nesting < _NESTING else None
    if content is None:
        body.encrypted = True
        return []
    inner, _ = mime.parse(content)
    return _lines(inner, body, nesting + 1, root=True)


def _winmail(part: Part, body: Body, nesting: int) -> list[Line]:
    found = tnef.read(part.data())
    if found is None or nesting >= _NESTING:
        body.warn("attachment-ignored")
        return []
    if found.attachments:
        body.warn("attachment-ignored")
    if found.text:
        return split_lines(bounded(clean(found.text))[0])
    if found.html:
        body.warn("html-only")
        return html_to_lines(decode_text(found.html, found.charset)[0])
    return []
