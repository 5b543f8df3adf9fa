"""Delivery reports: which address failed, for good or for now."""

from __future__ import annotations

from mailgm.mail.reader.body import Body
from mailgm.mail.reader.mime import Part
from mailgm.mail.reader.model import Bounce


def find(root: Part, subject: str, sender: str, reason: str, body: Body) -> Bounce | None:
    """The delivery report that this mail is, None when it is none."""
    return Bounce() if reason == "dsn" else None
