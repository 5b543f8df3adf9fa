"""Where what comes with mailgm stands: its games and its templates."""

from __future__ import annotations

import os

TYPE_CHECKING = False  # as in mailgm.cli: `mailgm --help` comes by here, and loads nothing that it does not need
if TYPE_CHECKING:
    from pathlib import Path

_PACKAGE = os.path.dirname(os.path.abspath(__file__))


def folder(kind: str) -> str:
    """The folder "variants" or "templates" that comes with mailgm: inside the package, or beside it in a checkout."""
    inside = os.path.join(_PACKAGE, kind)
    return inside if os.path.isdir(inside) else os.path.join(os.path.dirname(_PACKAGE), kind)


def shipped(kind: str) -> Path:
    """That folder as a Path."""
    from pathlib import Path

    return Path(folder(kind))
