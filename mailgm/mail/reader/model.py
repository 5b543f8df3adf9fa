"""What a mail is once it has been read: plain frozen values, no behaviour but `answerable`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime


@dataclass(frozen=True, slots=True)
class Forwarded:
    """A message that somebody passes on, as the client (or the forum's notice) printed it: untrusted text.

    from_:   the sender as found, display name and address ("Ana <ana@example.org>").
    date:    the date line as found, "" when there is none.
    message: what the one who passes it on wrote above it.
    """

    from_: str = ""
    date: str = ""
    subject: str = ""
    text: str = ""
    message: str = ""
    name: str = ""
    address: str = ""


@dataclass(frozen=True, slots=True)
class Parts:
    """A body taken apart. `new_text` holds no quoted line; `quoted` and `signature` hold what was taken out."""

    new_text: str = ""
    quoted: str = ""
    signature: str = ""
    forwarded: Forwarded | None = None
    warnings: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BounceRecipient:
    """One address of a delivery report. status: enhanced status code ("5.1.1") or ""; neither flag: delivered."""

    address: str
    status: str = ""
    permanent: bool = False
    temporary: bool = False
    diagnostic: str = ""


@dataclass(frozen=True, slots=True)
class Bounce:
    """A delivery report. verp: the local part with its plus-part that the report came back to, "" when none."""

    recipients: tuple[BounceRecipient, ...] = ()
    original_message_id: str = ""
    verp: str = ""


@dataclass(frozen=True, slots=True)
class Letter:
    """One mail as a person would understand it. Every string is decoded, NFC, free of control characters."""

    kind: str = "empty"  # "message" | "auto-reply" | "bounce" | "list" | "own" | "empty" | "unreadable"
    new_text: str = ""
    quoted: str = ""
    signature: str = ""
    forwarded: Forwarded | None = None
    warnings: tuple[str, ...] = ()
    sender: str = ""
    sender_name: str = ""
    reply_to: str = ""
    subject: str = ""
    message_id: str = ""
    in_reply_to: str = ""
    references: tuple[str, ...] = ()
    recipients: tuple[str, ...] = ()
    date: datetime | None = None
    headers: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    bounce: Bounce | None = None
    robot_reason: str = ""

    @property
    def answerable(self) -> bool:
        """May a program answer this mail at all? False for everything that a machine wrote (RFC 3834 §2)."""
        return not self.robot_reason
