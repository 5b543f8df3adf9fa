"""Medians, and lines that say a figure, its floor, their ratio and the target."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable

ROUNDS = 5


def seconds(work: Callable[[], object], rounds: int = ROUNDS) -> float:
    """The median of how long `work` takes, in seconds."""
    taken = []
    for _ in range(rounds):
        began = time.perf_counter()
        work()
        taken.append(time.perf_counter() - began)
    return statistics.median(taken)


def report(what: str, figure: str, target: str = "", reached: bool | None = None) -> None:
    """Print one line."""
    mark = "" if reached is None else ("   reached" if reached else "   MISSED")
    print(f"{what:58} {figure:>24}   {target}{mark}", flush=True)
