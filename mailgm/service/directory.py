"""Who is behind an address: secret reply addresses, one a player and channel, and the game master's."""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import count

from mailgm.config import Config
from mailgm.mail.tokens import ALPHABET, TOKEN_LENGTH, plus_address

PRIVATE = "private"
TABLE = "table"


@dataclass(frozen=True, slots=True)
class Door:
    """What a token opens: a channel of a seat, or a game's command line (`seat_id` None)."""

    game_id: int
    seat_id: int | None
    channel: str


@lru_cache(maxsize=4096)
def channel_token(token: str, channel: str) -> str:
    """The token of one of a player's channels, from his private one; it tells nothing of that one."""
    if channel == PRIVATE:
        return token
    for turn in count():
        digest = hmac.digest(token.encode(), f"{channel}/{turn}".encode(), hashlib.sha256)
        number = int.from_bytes(digest, "big")
        derived = "".join(ALPHABET[number >> 5 * place & 31] for place in range(TOKEN_LENGTH))
        # Like a drawn token it mixes letters and digits, so that it can be told from a word.
        if not derived.isalpha() and not derived.isdigit():
            return derived
    raise AssertionError("unreachable")


def reply_address(config: Config, token: str, mark: str = "") -> str:
    """Where answers go: the secret plus-address, or the bare address where tokens stand in the subject.

    mark: of the stage that the mail speaks of (`stage_mark`), so that an answer to it is known for what it is.
    """
    if config.mailbox.plus_addresses:
        return plus_address(config.mailbox.address, token, *filter(None, [mark]))
    return config.mailbox.address


def stage_mark(secret: str, stage: str) -> str:
    """A short mark of a stage of a game (the key of a phase); it tells nothing of it."""
    digest = hmac.digest(secret.encode(), f"stage/{stage}".encode(), hashlib.sha256)
    return "".join(ALPHABET[byte & 31] for byte in digest[:4])


def split_marks(found: Iterable[str]) -> dict[str, str]:
    """Token → the mark that stood beside it in an address or a subject, "" for none."""
    parts = [entry.partition(".") for entry in found]
    return {token: mark for token, _, mark in reversed(parts)}


def bounce_address(config: Config, message_id: str) -> str:
    """The envelope sender of a mail, so that its bounce tells which mail it was (VERP)."""
    if not config.mailbox.plus_addresses:
        return config.mailbox.address
    return plus_address(config.mailbox.address, "b", message_id.strip("<>").partition("@")[0])


def bounced_message_id(config: Config, address: str) -> str:
    """The Message-ID of the mail whose bounce came to a `bounce_address`; "" for any other address."""
    base, _, domain = config.mailbox.address.rpartition("@")
    local = address.rpartition("@")[0] or address
    mark = local.removeprefix(f"{base}+b.")
    return f"<{mark}@{domain}>" if mark != local else ""


class Directory:
    """Token → door, for all games that a letter may concern. Built from rows, kept until they change."""

    def __init__(self, games: Iterable[tuple[int, str]], seats: Iterable[tuple[int, int, str, Iterable[str]]]) -> None:
        """games: (id, gm token). seats: (id, game id, token, ids of the channels beside private and table)."""
        self._doors: dict[str, Door] = {}
        for game_id, token in games:
            self._doors[token] = Door(game_id, None, "gm")
        for seat_id, game_id, token, channels in seats:
            for channel in (PRIVATE, TABLE, *channels):
                self._doors[channel_token(token, channel)] = Door(game_id, seat_id, channel)

    def find(self, tokens: Iterable[str]) -> Door | None:
        """The door that the first known token opens, or None."""
        return next((self._doors[token] for token in tokens if token in self._doors), None)
