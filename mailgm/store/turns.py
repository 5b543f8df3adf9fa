"""Whose turn it is to write, among the threads of one process."""

from __future__ import annotations

import threading
from collections import deque


class Turns:
    """A lock that is given in the order in which it was asked for.

    SQLite lets in whoever asks at the right moment: a thread that writes one transaction after the other would keep
    out one that has to wait, which asks at longer and longer intervals.
    """

    def __init__(self) -> None:
        self._guard = threading.Lock()
        self._waiting: deque[threading.Lock] = deque()
        self._taken = False

    def take(self, seconds: float) -> bool:
        """Wait for one's turn, so many seconds at most; whether it came."""
        with self._guard:
            if not self._taken:
                self._taken = True
                return True
            ticket = threading.Lock()
            ticket.acquire()
            self._waiting.append(ticket)
        if ticket.acquire(timeout=max(0.0, seconds)):
            return True
        with self._guard:
            if ticket not in self._waiting:
                return True  # it came at the last moment
            self._waiting.remove(ticket)
        return False

    def give(self) -> None:
        """End one's turn: the next one in the row has it."""
        with self._guard:
            if self._waiting:
                self._waiting.popleft().release()
            else:
                self._taken = False
