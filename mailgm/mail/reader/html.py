"""HTML to lines: blocks become lines, quotes get their marks, and what clients mark as theirs is kept apart.

The table below is the reliable part of HTML mail: the ids and classes by which clients find their own quotes and
signatures again. An answer may stand between two quotes inside a client's container, so containers are not quotes by
themselves; only what holds nothing but the old message is.
"""

from __future__ import annotations

import re

from selectolax.lexbor import LexborHTMLParser, LexborNode

from mailgm.mail.reader.lines import MAX_CHARS, MAX_LINES, Line, clean

MAX_HTML = 600_000
_MAX_DEPTH = 600
_MANY_TAGS = 4_000

# Parts of id, class, name or data-marker: the person's signature as the client wrote it.
_SIGNATURE_RE = re.compile(
    r"(?:^|[ _-])(?:gmail_signature(?:_prefix)?|applemailsignature(?:extension)?|moz-signature"
    r"|protonmail_signature_block"
    r"|(?:x_)*signature|ms-outlook-mobile-signature|composer_signature|bloop_sign\w*|_rc_sig|rc_sig"
    r"|__sig_(?:pre|post)__"
    r"|mail-signature|front-signature|tutanota_signature|mailbird-signature|outlook-signature|ydp\w*signature"
    r"|bluemail_signature|bm-signature|mobile-signature|emailsignature)(?:$|[ _-])",
    re.IGNORECASE,
)
# The line "Le ... a écrit :" as the client marked it, in whatever language.
_ATTRIBUTION_RE = re.compile(
    r"(?:^| )(?:gmail_attr|(?:x_)*moz-cite-prefix|(?:x_)*reply-intro|mail_quote_header)(?:$| )",
    re.IGNORECASE,
)
# Nothing but the older message stands inside.
_QUOTE_RE = re.compile(
    r"(?:^| )(?:(?:ydp\w+)?yahoo[_-]quoted\w*|quoted-content|__quoted_text__|zmail_extra|olk_src_body_section)(?:$| )",
    re.IGNORECASE,
)
# Here the older message begins, with its header fields, and goes on to the end.
_OPENS_RE = re.compile(
    r"(?:^| )(?:(?:x_)*divrplyfwdmsg|mail-editor-reference-message-container"
    r"|(?:x_)*ms-outlook-mobile-reference-message|zwchr"
    r"|__divider__|(?:x_)*stopspelling|outlookmessageheader|isreplycontent)(?:$| )",
    re.IGNORECASE,
)
_OPENING = "-----Original Message-----"
# Gmail's and Apple's indent button makes a blockquote of the writer's own words.
_INDENT_RE = re.compile(
    r"margin(?:-left)?:\s*0?p?x?\s*0?p?x?\s*0?p?x?\s*40px;?.*border(?:-\w+)?:\s*none|webkit-indent",
    re.IGNORECASE,
)
_HIDDEN_RE = re.compile(r"display\s*:\s*none|mso-hide\s*:\s*all", re.IGNORECASE)

_SKIP = frozenset(
    (
        "script",
        "style",
        "head",
        "title",
        "template",
        "noscript",
        "object",
        "svg",
        "select",
        "iframe",
        "audio",
        "video",
        "canvas",
    )
)
_BLOCKS = frozenset(
    ("address", "article", "aside", "blockquote", "body", "center", "dd", "div", "dl", "dt", "fieldset", "figure",
     "footer", "form", "header", "h1", "h2", "h3", "h4", "h5", "h6", "html", "li", "main", "nav", "ol", "p", "pre",
     "section", "signature", "table", "tbody", "thead", "tfoot", "tr", "ul", "caption", "details", "summary")
)  # fmt: skip
_SPACED = frozenset(("p", "ul", "ol", "blockquote", "h1", "h2", "h3", "h4", "h5", "h6", "pre", "dl"))
_TAG_RE = re.compile(r"<(/?)([a-zA-Z][a-zA-Z0-9:]*)")
_VOID = frozenset(
    ("br", "img", "hr", "meta", "link", "input", "col", "area", "base", "wbr", "source", "embed", "param", "track")
)
_SPACE_RE = re.compile(r"[ \t\n\r\f\u200b]+")


def html_to_text(html: str) -> str:
    """Plain text of an HTML body: "> " before quoted lines, "-- " above a signature that the client marked."""
    out: list[str] = []
    zone = ""
    for line in html_to_lines(html):
        if line.zone == "signature" != zone:
            out.append("-- ")
        zone = line.zone
        out.append(line.raw)
    return "\n".join(out)


def html_to_lines(html: str) -> list[Line]:
    """The lines of an HTML body, with depth and zone. Never raises on bad HTML; linear, bounded."""
    html = _shallow(html[:MAX_HTML].replace("\x00", ""))
    body = LexborHTMLParser(html).root
    if body is None:
        return []
    return _Renderer().render(body)


def _shallow(html: str) -> str:
    """Cut before nesting gets absurd: a tree of 200,000 open <div> takes the parser minutes (quadratic)."""
    if html.count("<") < _MANY_TAGS:
        return html
    depth = 0
    for found in _TAG_RE.finditer(html):
        if found[2].lower() in _VOID:
            continue
        depth += -1 if found[1] else 1
        depth = max(depth, 0)
        if depth > _MAX_DEPTH * 4:
            return html[: found.start()]
    return html


class _Renderer:
    def __init__(self) -> None:
        self.lines: list[Line] = []
        self.buffer: list[str] = []
        self.depth = 0
        self.zone = ""
        self.pre = 0
        self.size = 0
        self.ordered: list[int] = []

    def render(self, root: LexborNode) -> list[Line]:
        """Walk the tree without recursion; `undo` holds what to restore when an element ends."""
        node = root
        undo: list[tuple[str, int, str, int]] = []
        while self.size <= MAX_CHARS and len(self.lines) <= MAX_LINES:
            child = self._enter(node, undo)
            if child is not None:
                if len(undo) <= _MAX_DEPTH:
                    node = child
                    continue
                self._leave(undo)
            while undo and (following := node.next) is None:
                parent = node.parent
                self._leave(undo)
                if parent is None:
                    undo.clear()
                    break
                node = parent
            if not undo or following is None:
                break
            node = following
        self._flush()
        return self.lines

    def _enter(self, node: LexborNode, undo: list[tuple[str, int, str, int]]) -> LexborNode | None:
        """Write what stands at a node; its first child when one has to go down, after pushing the state to `undo`."""
        if node.is_text_node:
            self._text(node.text_content or "")
            return None
        tag = node.tag
        if tag is None or tag in _SKIP or not node.is_element_node:
            return None
        if tag == "br":
            self._flush(force=True)
            return None
        if tag == "hr":
            self._rule(node)
            return None
        if tag == "img":
            self._image(node)
            return None
        child = node.first_child
        attributes = node.attributes
        if attributes and _HIDDEN_RE.search(attributes.get("style") or ""):
            return None
        block = tag in _BLOCKS
        if block:
            self._flush()
        before = (tag, self.depth, self.zone, self.pre)
        if attributes or tag == "blockquote" or tag == "signature":
            self._marked(tag, attributes)
        if child is None:
            self.depth, self.zone, self.pre = before[1:]
            return None
        if block:
            self._open_block(tag, attributes)
        undo.append(before)
        return child

    def _leave(self, undo: list[tuple[str, int, str, int]]) -> None:
        tag, depth, zone, pre = undo.pop()
        if tag in _BLOCKS:
            self._flush()
            if tag in _SPACED:
                self._gap()
        elif tag in ("td", "th"):
            self.buffer.append(" ")
        if tag in ("ol", "ul") and self.ordered:
            self.ordered.pop()
        self.depth, self.zone, self.pre = depth, zone, pre

    def _open_block(self, tag: str, attributes: dict[str, str | None]) -> None:
        if tag in _SPACED and "msonormal" not in (attributes.get("class") or "").lower():
            self._gap()
        if tag == "pre":
            self.pre += 1
        elif tag in ("ol", "ul"):
            self.ordered.append(1 if tag == "ol" else 0)
        elif tag == "li":
            number = self.ordered[-1] if self.ordered else 0
            self.buffer.append(f"{number}. " if number else "- ")
            if number:
                self.ordered[-1] += 1

    def _marked(self, tag: str, attributes: dict[str, str | None]) -> None:
        """Look the element up in the table of client markers."""
        names = " ".join(
            filter(None, (attributes.get(key) for key in ("id", "class", "name", "data-marker", "data-smartmail")))
        )
        if tag == "blockquote":
            if not _INDENT_RE.search(f"{attributes.get('style') or ''} {names}"):
                self.depth += 1
        elif names:
            if _OPENS_RE.search(names):
                self._flush()
                if not (self.lines and _opened(self.lines)):
                    self.lines.append(Line(_quoted(self.depth, _OPENING), _OPENING, self.depth))
            elif _QUOTE_RE.search(names) or (tag == "div" and attributes.get("name") == "quote"):
                self.depth += 1
            elif _ATTRIBUTION_RE.search(names):
                self._flush()
                self.zone = "attribution"
            elif _SIGNATURE_RE.search(names):
                self._flush()
                self.zone = "signature"
        if tag == "signature":
            self.zone = "signature"
        if "pre-wrap" in (attributes.get("style") or "") and tag in ("div", "p", "span"):
            self.pre += 1

    def _rule(self, node: LexborNode) -> None:
        self._flush()
        attributes = node.attributes
        names = f"{attributes.get('id') or ''} {attributes.get('data-marker') or ''}"
        text = _OPENING if _OPENS_RE.search(names) else "----------"
        if not _opened(self.lines):
            self.lines.append(Line(_quoted(self.depth, text), text, self.depth, self.zone))

    def _image(self, node: LexborNode) -> None:
        attributes = node.attributes
        alt = attributes.get("alt") or ""
        # A picture of a smiley is a character; every other picture is none.
        if (
            alt
            and (
                "data-emoji" in attributes
                or "goomoji" in attributes
                or "emoji" in (attributes.get("class") or "")
                or not alt[0].isascii()
            )
            and len(alt) <= 8
        ):
            self.buffer.append(alt)

    def _text(self, text: str) -> None:
        if not text:
            return
        if not text.isascii() or not text.isprintable():
            text = clean(text)
        if self.pre:
            first, *rest = text.replace("\r\n", "\n").split("\n")
            self.buffer.append(first)
            for line in rest:
                self._flush(force=True)
                self.buffer.append(line)
            return
        text = _SPACE_RE.sub(" ", text)
        if text != " " or self.buffer:
            self.buffer.append(text)

    def _gap(self) -> None:
        if self.lines and self.lines[-1].text:
            self.lines.append(Line("", "", 0, self.lines[-1].zone))

    def _flush(self, force: bool = False) -> None:
        """End the current line; force: also when it is empty (<br>)."""
        if not self.buffer and not force:
            return
        text = "".join(self.buffer).replace("\xa0", " ")
        self.buffer.clear()
        stripped = text.strip()
        if not stripped and not force:
            return
        self.size += len(text) + 1
        # Marks that stand in the text itself ("> De : ...", Orange) count like the blockquote around them.
        inner = re.match(r"(?:>\s?)+", stripped)
        if inner:
            stripped = stripped[inner.end() :].strip()
        depth = self.depth + (inner.group().count(">") if inner else 0)
        kept = text.rstrip() if self.pre and not inner else stripped
        self.lines.append(Line(_quoted(depth, kept), stripped, depth if stripped or depth else 0, self.zone))


def _quoted(depth: int, text: str) -> str:
    return f"{'>' * depth} {text}".rstrip() if depth else text


def _opened(lines: list[Line]) -> bool:
    """Does an opening line stand just above already?"""
    for line in reversed(lines[-3:]):
        if line.text:
            return line.text == _OPENING
    return False
