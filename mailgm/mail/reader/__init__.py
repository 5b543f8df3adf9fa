"""The mail reader: raw bytes in, a `Letter` out.

One pipeline, linear in the size of the mail: decode -> choose the part -> lines -> marks (quote, attribution,
signature, disclaimer, forward header) -> cut. Rules name a client or a convention of a language, never a mail.
"""

from __future__ import annotations

from mailgm.mail.reader.extract import extract_text
from mailgm.mail.reader.forum import forum_message
from mailgm.mail.reader.html import html_to_text
from mailgm.mail.reader.model import Bounce, BounceRecipient, Forwarded, Letter, Parts
from mailgm.mail.reader.reader import describe, read

__all__ = [
    "Bounce",
    "BounceRecipient",
    "Forwarded",
    "Letter",
    "Parts",
    "describe",
    "extract_text",
    "forum_message",
    "html_to_text",
    "read",
]
