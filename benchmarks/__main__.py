"""Runs the benchmarks named on the command line, or all of them."""

from __future__ import annotations

import importlib
import sys

ALL = ("kernel", "startup", "inbound", "outbound", "reader")


def main() -> None:
    """Print a title, then what each benchmark measures."""
    for name in sys.argv[1:] or ALL:
        print(f"\n== {name}", flush=True)
        importlib.import_module(f"benchmarks.{name}").main()


if __name__ == "__main__":
    main()
