"""`python -m tests.fuzz VARIANT -n N`: N random games on all cores; exit status 1 if an invariant does not hold."""

from __future__ import annotations

import argparse
import os
import sys
import time
from concurrent.futures import ProcessPoolExecutor
from functools import partial

from tests.fuzz.harness import Result, play


def main() -> int:
    """Play, print one line of progress, then each failure with the seed that repeats it."""
    parser = argparse.ArgumentParser(prog="python -m tests.fuzz", description=__doc__)
    parser.add_argument("variant", help="a game's or a preset's id")
    parser.add_argument("-n", type=int, default=1000, help="how many games (default 1000)")
    parser.add_argument("--first", type=int, default=1, help="the first seed (default 1)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, help="processes (default: one a core)")
    args = parser.parse_args()
    began = time.monotonic()
    failed: list[Result] = []
    inputs = rounds = 0
    seeds = range(args.first, args.first + args.n)
    with ProcessPoolExecutor(args.jobs) as pool:
        results = pool.map(partial(play, args.variant, thorough=False), seeds, chunksize=5)
        for count, result in enumerate(results, 1):
            inputs += result.inputs
            rounds += result.rounds
            if result.failures:
                failed.append(result)
            if sys.stderr.isatty() or count == args.n:
                words = f"\r{count} of {args.n} games, {inputs} inputs, {len(failed)} failed"
                print(words, end="", file=sys.stderr, flush=True)
    print(f", {time.monotonic() - began:.1f} s", file=sys.stderr)
    for result in failed[:20]:
        print(f"{args.variant}, seed {result.seed}, {result.players} players, input {result.inputs}:")
        for failure in result.failures:
            print(f"  {failure}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
