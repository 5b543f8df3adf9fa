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
from mailgm.engine.said import say
from mailgm.phrases import locale_language
from mailgm.service.context import Live
from mailgm.service.said import told
from mailgm.store.outbox import Claimed

LINES = 14


class Show:
    """A live picture on a terminal; plain lines, one a phase, anywhere else."""

    def __init__(self, title: str) -> None:
        self._console = Console()
        self._title = title
        self._lang = locale_language()
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
            self._print(say("{title}: mail server {kind} on this machine", title=self._title, kind=kind))

    def game(self, live: Live) -> None:
        """Where the game stands now."""
        key = live.record.phase_key
        if key != self._phase and not self._console.is_terminal:
            line = "{seconds:6.1f} s  {key:24} {messages:5} messages  {mails:5} mails"
            seconds = time.monotonic() - self._began
            self._print(say(line, seconds=seconds, key=key, messages=self._messages, mails=self._mails))
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
            table = Table(title=told(say("Scores"), self._lang), title_justify="left")
            table.add_column(told(say("player"), self._lang))
            table.add_column(told(say("points"), self._lang), justify="right")
            for name, points in sorted(account.scores.items(), key=lambda entry: -entry[1]):
                table.add_row(("* " if name in account.winners else "  ") + name, str(points))
            self._console.print(table)
        elif account.winners:
            self._print(say("Winners: {names}", names=", ".join(account.winners)))
        for name, number in account.counts.items():
            self._console.print(f"{number:6}  {told(name, self._lang)}")
        for fault in account.faults:
            self._print(say("fault: {fault}", fault=fault), "red")
        end = "{seconds:.0f} s. Read every mailbox here: {page}"
        self._print(say(end, seconds=time.monotonic() - self._began, page=page))

    def _print(self, text: str, style: str | None = None) -> None:
        self._console.print(told(text, self._lang), style=style, highlight=False, markup=False, soft_wrap=True)

    def _place(self, channel: str) -> str:
        return told(say("table") if channel == "public" else say("secret"), self._lang)

    def _picture(self) -> Group:
        with self._lock:
            rows = list(self._said)
        table = Table.grid(padding=(0, 2))
        for player, channel, text in rows:
            table.add_row(player, self._place(channel), Text(text, overflow="ellipsis", no_wrap=True))
        seconds = time.monotonic() - self._began
        line = "{phase}  ·  {seconds:.0f} s  ·  {messages} messages in, {mails} mails out"
        head = told(
            say(line, phase=self._phase, seconds=seconds, messages=self._messages, mails=self._mails), self._lang
        )
        return Group(Panel(table, title=f"{self._title} ({self._servers})", subtitle=head, height=LINES + 2))
