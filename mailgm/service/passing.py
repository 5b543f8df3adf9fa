"""What may be passed on of somebody's words: no address, no secret token, no more than the set length."""

from __future__ import annotations

import re

from mailgm.mail.tokens import strip_token

_ADDRESS = re.compile(r"<?(?:mailto:)?<?[\w.+'-]+@[\w-]+(?:\.[\w-]+)+>?", re.IGNORECASE)
# A link may carry its reader's own key after the question mark; the page itself can be named.
_QUERY = re.compile(r"(https?://[^\s<>?#]+)[?#][^\s<>]*", re.IGNORECASE)
HIDDEN = "[…]"


def passable(text: str, most: int) -> tuple[str, bool]:
    """The text fit to be passed on, and whether it was cut at `most` characters."""
    text = _ADDRESS.sub(HIDDEN, text)
    text = _QUERY.sub(r"\1", text)
    text = strip_token(text)
    if len(text) <= most:
        return text, False
    return text[:most].rstrip() + " " + HIDDEN, True
