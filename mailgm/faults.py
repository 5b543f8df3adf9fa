"""Faults of the program in the log: where, and of which kind, but not with what somebody had written."""

from __future__ import annotations

import logging
import traceback


def log_fault(logger: logging.Logger, error: BaseException, text: str, *args: object) -> None:
    """Log a fault with the places it came through, at level ERROR.

    The error's own words may hold an order, a role or an address, so they are logged at level DEBUG only.
    """
    kinds: list[str] = []
    cause: BaseException | None = error
    while cause is not None and len(kinds) < 10:
        kinds.append(type(cause).__name__)
        cause = cause.__cause__ or cause.__context__
    places = "".join(traceback.format_tb(error.__traceback__)).rstrip()
    logger.error(f"{text} (%s)\n%s", *args, " from ".join(kinds), places)
    logger.debug("its words", exc_info=error)
