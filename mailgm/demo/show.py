"""What a demonstration shows while it runs: the phase, who said what, how much mail went through."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import Self

from rich.console import Console, Group
from rich.live import Live as LiveDisplay
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from mailgm.demo.account import Account
from mailgm.service.context import Live
from mailgm.store.outbox import Claimed

LINES = 14


class Show:
    """A live picture on a terminal; plain lines, one a phase, anywhere else."""

    def __init__(self, title: str) -> None:
        self._console = Console()
        self._title = title
        self._said: deque[tuple[str, str, str]] = deque(maxlen=LINES)
        self._phase = ""
        self._status = ""
        self._messages = 0
        self._mails = 0
        self._servers = ""
        self._began = time.monotonic()
        self._lock = threading.Lock()
        self._display = LiveDisplay(get_renderable=self._picture, console=self._console, refresh_per_second=5)

    def __enter__(self) -> Self:
        if self._console.is_terminal:
            self._display.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._console.is_terminal:
            self._display.stop()

    def servers(self, kind: str) -> None:
        """Which mail server is used."""
        self._servers = kind
        if not self._console.is_terminal:
            self._console.print(f"{self._title}: mail server {kind} on this machine")

    def game(self, live: Live) -> None:
        """Where the game stands now."""
        key = live.record.phase_key
        if key != self._phase and not self._console.is_terminal:
            self._console.print(
                f"{time.monotonic() - self._began:6.1f} s  {key:24} {self._messages:5} messages  {self._mails:5} mails"
            )
        self._phase, self._status = key, live.record.status

    def said(self, player: str, channel: str, text: str) -> None:
        """A message that a player has sent."""
        with self._lock:
            self._messages += 1
            self._said.append((player, channel, text.replace("\n", " / ")))

    def sent(self, mails: Sequence[Claimed]) -> None:
        """Mails that the server took."""
        with self._lock:
            self._mails += len(mails)

    def close(self, account: Account, page: str) -> None:
        """The account at the end, and where to read on."""
        if account.scores:
            table = Table(title="Scores", title_justify="left")
            table.add_column("player")
            table.add_column("points", justify="right")
            for name, points in sorted(account.scores.items(), key=lambda entry: -entry[1]):
                table.add_row(("* " if name in account.winners else "  ") + name, str(points))
            self._console.print(table)
        elif account.winners:
            self._console.print("Winners: " + ", ".join(account.winners))
        for name, number in account.counts.items():
            self._console.print(f"{number:6}  {name}")
        for fault in account.faults:
            self._console.print(f"[red]fault:[/red] {fault}", highlight=False)
        self._console.print(f"{time.monotonic() - self._began:.0f} s. Read every mailbox here: {page}", highlight=False)

    def _picture(self) -> Group:
        with self._lock:
            rows = list(self._said)
        table = Table.grid(padding=(0, 2))
        for player, channel, text in rows:
            table.add_row(
                player, "table" if channel == "public" else "secret", Text(text, overflow="ellipsis", no_wrap=True)
            )
        seconds = time.monotonic() - self._began
        head = f"{self._phase}  ·  {seconds:.0f} s  ·  {self._messages} messages in, {self._mails} mails out"
        return Group(Panel(table, title=f"{self._title} ({self._servers})", subtitle=head, height=LINES + 2))
