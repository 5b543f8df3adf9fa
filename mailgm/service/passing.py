"""What may be passed on of somebody's words: no address, no secret token, no picture, no more than the set length."""

from __future__ import annotations

import re
from collections.abc import Collection

from mailgm.mail.tokens import strip_token

HIDDEN = "[…]"

_LOCAL = r"[\w.+'!#$%&*/=?^`{|}~-]"
# Each run of letters is looked at once, from its beginning: a long one must not take time by its square.
_ADDRESS = re.compile(
    rf"<?(?:mailto:)?<?(?<!{_LOCAL}){_LOCAL}+(?:@|%40)"
    r"(?:\w[\w-]{0,62}(?:\.\w[\w-]{0,62}){1,10}|\[[\d.]{7,15}\])>?",
    re.IGNORECASE,
)
_LINK = re.compile(r"(?:https?://|\bwww\.)[^\s<>]+", re.IGNORECASE)
# A word of an address that is no word: a key, a session, the hash of somebody's own link.
_KEY = re.compile(
    r"(?=.*\d)(?=.*[a-z])(?:[^\W_]{16,}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|[\w-]+\.[\w-]+\.[\w-]{16,})",
    re.IGNORECASE,
)
# Where on a forum a link leads: a topic, a post, a page, in numbers; never who follows it.
_PLACE = re.compile(
    r"(?:f|t|p|tid|pid|fid|topic|post|page|start|board|showtopic|showforum)=\d{1,9}(?:\.(?:msg)?\d{1,9})?",
    re.IGNORECASE,
)
_POST = re.compile(r"(?:p|pid|msg|post-?)?\d{1,9}", re.IGNORECASE)
_PICTURE = re.compile(
    r"\[img\b[^\]\n]{0,200}\][^\[\n]{0,2000}\[/img\]|!\[[^\]\n]{0,200}\]\([^)\n]{0,2000}\)", re.IGNORECASE
)
_TAG = re.compile(
    r"</?(?:a|abbr|applet|audio|b|base|blockquote|body|br|center|div|em|embed|font|form|frame|frameset|h[1-6]|head|hr"
    r"|html|i|iframe|img|input|li|link|meta|object|ol|p|pre|s|script|small|span|strong|style|sub|sup|svg|table|tbody|td"
    r"|th|thead|tr|tt|u|ul|video)(?:\s[^<>]{0,2000})?/?>",
    re.IGNORECASE,
)
# Nothing of it can be seen, and some of it turns the rest of a line around or says something to programs only.
_INVISIBLE = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e"
    "\u2060-\u206f\u3164\ufe00-\ufe0e\ufeff\uffa0\ufff9-\ufffb\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
# Accents piled up, which cover the lines above and below.
_ACCENT = "[\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff\u20d0-\u20ff\ufe20-\ufe2f]"
_PILE = re.compile(f"({_ACCENT}{{3}}){_ACCENT}+")


def passable(text: str, most: int) -> tuple[str, bool]:
    """The text fit to be passed on, and whether it was cut at `most` characters.

    Time is linear in the length of the text.
    """
    text = _PILE.sub(r"\1", _INVISIBLE.sub("", text.replace("\r\n", "\n").replace("\r", "\n")))
    text = _TAG.sub("", _PICTURE.sub(HIDDEN, text))
    text = strip_token(_LINK.sub(_bare_link, text))
    text = strip_token(_ADDRESS.sub(HIDDEN, text))
    if len(text) <= most:
        return text, False
    return text[:most].rstrip() + " " + HIDDEN, True


def announceable(text: str, addresses: Collection[str]) -> str:
    """The game master's own words to all: his links and addresses stay, but no secret token and no player's address."""
    text = strip_token(_INVISIBLE.sub("", text))
    for address in filter(None, addresses):
        text = re.sub(rf"(?<!{_LOCAL}){re.escape(address)}(?![\w-])", HIDDEN, text, flags=re.IGNORECASE)
    return text


def _bare_link(match: re.Match[str]) -> str:
    """A link without what may be its reader's own: names and passwords, keys, and of what is behind the question mark
    all but the place on a forum."""
    link = match[0].rstrip(".,;:!?)»”")
    address, _, post = link.partition("#")
    address, _, query = address.partition("?")
    scheme, mark, rest = address.rpartition("://")
    host, *path = rest.split("/")
    kept = [host.rpartition("@")[2]]
    for word in path:
        if _KEY.fullmatch(word):
            return f"{scheme}{mark}{'/'.join(kept)}/{HIDDEN}{match[0][len(link) :]}"
        kept.append(word)
    places = "&".join(word for word in re.split("[&;]", query) if _PLACE.fullmatch(word))
    return "".join([
        scheme, mark, "/".join(kept), f"?{places}" if places else "", f"#{post}" if _POST.fullmatch(post) else "",
        match[0][len(link) :],
    ])  # fmt: skip
