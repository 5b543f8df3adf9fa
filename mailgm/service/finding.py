"""What the doctor finds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report.

    check:  what was tested. text: what was found. advice: what to do; "" when all is well.
    status: "ok"; "wrong"; "untested", because something else has to work first; "note", which is no judgement.
    """

    check: str
    status: Literal["ok", "wrong", "untested", "note"]
    text: str
    advice: str = ""
