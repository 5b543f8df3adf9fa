"""Takes a decoded body apart: what is new, what is quoted, what is signature, what is passed on.

The rule, whatever the client: lines that carry a quote mark are quoted, wherever they stand; what stands under a
block of header fields, or under an attribution that no quote mark follows, is quoted to the end; a separator or a
device's line opens the signature; everything else is new. Quoted lines between two answers are dropped like all
others, because a line that somebody else wrote may never be taken for an order.
"""

from __future__ import annotations

from dataclasses import replace

from mailgm.mail.reader import forward, marks
from mailgm.mail.reader.languages import GREETING_SET
from mailgm.mail.reader.lines import Line, bounded, clean, split_lines
from mailgm.mail.reader.model import Forwarded, Parts
from mailgm.mail.reader.signature import caution_end, is_rule, signature_start

_NEW, _QUOTED, _ATTRIBUTION = 0, 1, 2
_OVERFLOW_WIDTH = 60
_NESTED_FORWARDS = 3


def extract_text(text: str, subject: str = "", sender_name: str = "", sender: str = "") -> Parts:
    """Take one plain text body apart.

    text:    decoded; quote marks as ">" (what `html_to_text` gives is fine too).
    subject: decides whether a header block is a forward ("TR:", "Fwd:") or the answered message ("Re:"); without
             a known prefix a header block counts as a forward.
    sender_name, sender: of the author, to know a signature that is only a name. Never raises.
    """
    text, cut = bounded(clean(text))
    parts = dissect(split_lines(text), subject, sender_name, sender)
    if not cut:
        return parts
    return Parts(parts.new_text, parts.quoted, parts.signature, parts.forwarded, (*parts.warnings, "cut-size"))


def dissect(lines: list[Line], subject: str = "", sender_name: str = "", sender: str = "") -> Parts:
    """`extract_text` on lines."""
    return _Dissection(lines, subject, sender_name, sender).run()


def _innermost(forwarded: Forwarded) -> Forwarded:
    """A forward of a forward with no word between them: the inner author is the one who is passed on."""
    for _ in range(_NESTED_FORWARDS):
        inner = _Dissection(split_lines(forwarded.text), "", "", "", inner=True).run()
        if inner.forwarded is None or inner.new_text or not inner.forwarded.from_:
            break
        forwarded = replace(inner.forwarded, message=forwarded.message)
    return forwarded


def plain_text(lines: list[Line]) -> str:
    """All lines as one text, quote marks and all."""
    return "\n".join([line.raw.rstrip() for line in lines]).strip("\n")


class _Dissection:
    def __init__(self, lines: list[Line], subject: str, sender_name: str, sender: str, inner: bool = False) -> None:
        self.inner = inner  # of a forward that is taken apart already
        self.lines = lines
        self.sender_name = sender_name
        self.sender = sender
        self.kind, self.bare_subject = forward.subject_kind(subject)
        self.marks = [_QUOTED if line.depth else _NEW for line in lines]
        self.cut = len(lines)
        self.block: marks.Block | None = None  # opens the forwarded message
        self.attribution = ""  # opens the forwarded message, Outlook for Mac
        self.body_start = self.body_end = len(lines)
        self.warnings: list[str] = []
        self.zoned = any(line.zone for line in lines)

    def run(self) -> Parts:
        self._scan()
        self._join_overflow()
        self._end_of_quoted_forward()
        new, signature = self._own_words()
        if not new and self._unzone():
            new, signature = self._own_words()
        forwarded = self._forwarded(new)
        return Parts(new, self._quoted(), signature, forwarded, tuple(self.warnings))

    def _quoted(self) -> str:
        if self.cut >= self.body_end and not any(self.marks):
            return ""
        kept = [
            line.raw.rstrip()
            for i, line in enumerate(self.lines)
            if self.cut <= i < self.body_end or self.marks[i] != _NEW
        ]
        return "\n".join(kept).strip("\n")

    # -- where does the older message begin?

    def _scan(self) -> None:
        lines = self.lines
        fenced = False
        index = 0
        while index < len(lines):
            line = lines[index]
            text = line.text
            if not text:
                index += 1
                continue
            if line.zone == "attribution":
                end = index
                while end + 1 < len(lines) and lines[end + 1].zone == "attribution":
                    end += 1
                following = self._attributed(index, end)
                if following is None:
                    return
                index = following
                continue
            if line.depth:
                if (index == 0 or not lines[index - 1].depth) and self._quoted_forward(index):
                    return
                index += 1
                continue
            if text.startswith("```"):
                fenced = not fenced
            elif not fenced and marks.may_open(text):
                step = self._at(index)
                if step is None:
                    return
                index = step
                continue
            index += 1

    def _at(self, index: int) -> int | None:
        """Look for an opening of the older message at an unquoted line; None: found, all below belongs to it."""
        lines = self.lines
        text = lines[index].text
        title = marks.title_of(text) if len(text) < 4000 else None
        if title is not None and self._title(index, *title):
            return None
        if ":" in text[:40] or "：" in text[:40] or text[:10].casefold() == "message du":
            block = marks.header_block(lines, index)
            if block is not None:
                above = self._above(index)
                if marks.convincing(block, above < index):
                    self._open_block(block, above)
                    return None
        start = marks.attribution_start(lines, index)
        if start is not None:
            return self._attributed(start, index)
        return index + 1

    def _above(self, index: int) -> int:
        """Where the rule or the blank title above a header block begins; index when there is none."""
        above = index
        while above and not self.lines[above - 1].text and index - above < 3:
            above -= 1
        if above and not self.lines[above - 1].depth:
            text = self.lines[above - 1].text
            if text and len(text) >= 5 and (is_rule(text) or text[0] == text[-1] == "-"):
                return above - 1
        return index

    def _title(self, index: int, kind: str, rest: str) -> bool:
        lines = self.lines
        depth = lines[index].depth
        if kind == "above":
            self.cut = index
            return True
        body = index + 1
        if rest:
            pieces = [Line(piece, piece) for piece in marks.split_glued_fields(rest)]
            block = marks.header_block(pieces, 0) if pieces else None
        else:
            while body < len(lines) and not lines[body].text and body - index < 5:
                body += 1
            if body < len(lines) and lines[body].depth > depth and kind == "forward":
                depth = lines[body].depth
            block = marks.header_block(lines, body) if body < len(lines) else None
            if block is not None:
                body = block.end
        if block is not None:
            block.title = kind
        elif kind == "forward":
            block = marks.Block(index, body, {}, kind)
        self.cut = index
        self.body_start = body
        if kind == "forward" or (block is not None and self.kind != "reply"):
            self.block = block
        return True

    def _open_block(self, block: marks.Block, above: int) -> None:
        self.cut = above
        self.body_start = block.end
        if self.kind != "reply":
            self.block = block

    def _quoted_forward(self, index: int) -> bool:
        """ "> Début du message transféré :" or header fields as the first lines of a quote."""
        lines = self.lines
        title = marks.title_of(lines[index].text)
        if title is not None and title[0] == "forward":
            return self._title(index, *title)
        block = marks.header_block(lines, index)
        if block is not None and marks.convincing(block, True) and self.kind != "reply":
            self._open_block(block, index)
            return True
        return False

    def _attributed(self, start: int, end: int) -> int | None:
        """Handle an attribution at lines[start:end + 1]; None: all below belongs to the older message."""
        lines = self.lines
        following = end + 1
        while following < len(lines) and not lines[following].text and not lines[following].depth:
            following += 1
        joined = " ".join(lines[i].text for i in range(start, end + 1) if lines[i].text)
        above = any(lines[i].text and self.marks[i] == _NEW for i in range(start))
        if self.kind == "forward" and following < len(lines):
            self.attribution = joined
            self.cut = start
            self.body_start = end + 1
            return None
        self.marks[start : end + 1] = [_ATTRIBUTION] * (end + 1 - start)
        if following >= len(lines) or lines[following].depth:
            return following
        if above or any(self.marks[i] == _QUOTED for i in range(start)):
            self.cut = start
            return None
        self.warnings.append("quote-unmarked")
        return following

    # -- whose lines are the others?

    def _join_overflow(self) -> None:
        """The end of a long quoted line that a gateway wrapped stands without its mark between quoted lines.

        Only under an answer that stands above the quote: an answer between the lines must not be lost.
        """
        lines, flags = self.lines, self.marks
        if _ATTRIBUTION not in flags:
            return
        top = [line.text for line in lines[: flags.index(_ATTRIBUTION)] if line.text and not line.depth]
        if len(" ".join(top).split()) < 4 or all(t.strip(" ,!.").casefold() in GREETING_SET for t in top):
            return
        for i in range(flags.index(_ATTRIBUTION) + 1, min(self.cut, len(lines)) - 1):
            between = lines[i - 1].depth and lines[i + 1].depth and len(lines[i - 1].raw) >= _OVERFLOW_WIDTH
            if between and flags[i] == _NEW and lines[i].text[:1].islower():
                flags[i] = _QUOTED

    def _end_of_quoted_forward(self) -> None:
        """A forward with quote marks ends with them: what stands below a blank line is its sender's again."""
        lines = self.lines
        if self.block is None or self.body_start >= len(lines) or not lines[self.body_start].depth:
            return
        last = max(i for i in range(self.body_start, len(lines)) if lines[i].depth)
        if last + 1 < len(lines) and not lines[last + 1].text:
            self.body_end = last + 1

    def _own_words(self) -> tuple[str, str]:
        new: list[str] = []
        signature: list[str] = []
        index = 0
        end = len(self.lines)
        while index < end:
            if self.cut <= index < self.body_end:
                index = self.body_end
                continue
            if self.marks[index] != _NEW:
                index += 1
                continue
            stop = index
            while stop < end and self.marks[stop] == _NEW and stop != self.cut:
                stop += 1
            self._take_run(index, stop, new, signature)
            index = stop
        return _tidy(new), _tidy(signature)

    def _unzone(self) -> bool:
        """Some phones let people type inside the signature's block: if all words stand there, they are the message."""
        found = False
        for line in self.lines[: self.cut]:
            if line.zone == "signature":
                line.zone = ""
                found = found or not line.depth
        return found

    def _take_run(self, start: int, stop: int, new: list[str], signature: list[str]) -> None:
        run = self.lines[start:stop]
        texts = ["" if line.zone == "signature" else line.text for line in run]
        first = caution_end(texts) if not new else 0
        begins, devices = signature_start(texts, self.sender_name, self.sender)
        if begins == len(run) and not (first or devices or self.zoned):
            new.extend([line.raw.rstrip() for line in run])
            return
        for offset, line in enumerate(run):
            if offset < first:
                continue
            if offset >= begins or offset in devices or line.zone == "signature":
                signature.append(line.raw.rstrip())
            else:
                new.append(line.raw.rstrip())

    def _forwarded(self, message: str) -> Forwarded | None:
        body = self.lines[self.body_start : self.body_end]
        if self.attribution:
            return forward.from_attribution(self.attribution, self.bare_subject, forward.dequoted(body, 1), message)
        if self.block is None:
            return None
        depth = body[0].depth if body else 0
        text = forward.dequoted(body, depth or 1)
        found = forward.from_block(self.block, text, message)
        return found if self.inner else _innermost(found)


def _tidy(kept: list[str]) -> str:
    """Lines as one text: no blank lines at the ends, at most one between, without common indentation lost."""
    if not kept:
        return ""
    out: list[str] = []
    for text in kept:
        if text.strip() or (out and out[-1]):
            out.append(text if text.strip() else "")
    while out and not out[-1]:
        out.pop()
    return "\n".join(out)
