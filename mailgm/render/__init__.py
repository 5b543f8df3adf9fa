"""Everything that people read: notices, verdicts and asks become Markdown, text, HTML and BBCode."""

from __future__ import annotations

from mailgm.render.model import GameView, OpenChannel, Reader, Rendered
from mailgm.render.renderer import Renderer

__all__ = ["GameView", "OpenChannel", "Reader", "Rendered", "Renderer"]
