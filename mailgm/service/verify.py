"""Replaying a whole game from its log: does every notice come out as it was told?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine import Game, Notice, apply, start
from mailgm.engine.plain import dump
from mailgm.service.context import Context, Live, NotStarted
from mailgm.service.review import last_phase
from mailgm.service.turn import KERNEL, as_input, replayed
from mailgm.store import Tx, log
from mailgm.store.log import LoggedInput, LoggedNotice


@dataclass
class Report:
    """phases: phase key → "identical", "different", or "other-version" (resolved by another version of the rules), in
    the order played. differences: input number, what was told, what comes out now."""

    phases: dict[str, str] = field(default_factory=dict)
    differences: list[tuple[int, list[Any], list[Any]]] = field(default_factory=list)

    @property
    def identical(self) -> bool:
        """Whether nothing differs."""
        return not self.differences


def verify(ctx: Context, name: str) -> Report:
    """Replay a game. Raises NotFound, NotStarted."""
    with ctx.db.read() as tx:
        live = ctx.load(tx, name, for_update=False)
        if live.game is None:
            raise NotStarted(name)
        return _replay(live, log.read(tx, live.record.id), _told(tx, live))


def _told(tx: Tx, live: Live) -> dict[int, list[LoggedNotice]]:
    """Input number → the kernel's notices that it made; those of the shell's clock are not replayed."""
    found: dict[int, list[LoggedNotice]] = {}
    for notice in log.notices_of(tx, live.record.id):
        if not notice.kind.startswith("clock."):
            found.setdefault(notice.n, []).append(notice)
    return found


def _replay(live: Live, entries: Sequence[LoggedInput], told: dict[int, list[LoggedNotice]]) -> Report:
    report = Report()
    record, version = live.record, str(live.preset.variant.version)
    outcome = start(
        live.preset.variant,
        entries[0].payload["players"],
        record.options,
        record.seed,
        deal=record.forced.get("deal", {}),
        forced=record.forced.get("dice", {}),
        decoys=record.decoys,
    )
    game = outcome.game
    _compare(report, game.key, entries[0], outcome.notices, told, version)
    for place, entry in enumerate(entries[1:], 1):
        if entry.kind in KERNEL:
            outcome = apply(game, as_input(entry.payload))
            game = outcome.game
            _compare(report, entry.phase_key, entry, outcome.notices, told, version)
        elif entry.kind == "redo":
            game = _redone(game, entries[:place])
    return report


def _redone(game: Game, entries: Sequence[LoggedInput]) -> Game:
    closing, again = last_phase(entries)
    return replayed(game, closing.phase_key, again)


def _compare(
    report: Report,
    phase: str,
    entry: LoggedInput,
    notices: Sequence[Notice],
    told: dict[int, list[LoggedNotice]],
    version: str,
) -> None:
    now = [[notice.kind, list(notice.audience), dump(notice.data)] for notice in notices]
    then = [[notice.kind, list(notice.audience), notice.data] for notice in told.get(entry.n, [])]
    result = "identical"
    if now != then:
        result = "different" if entry.rules_version == version else "other-version"
        report.differences.append((entry.n, then, now))
    if report.phases.get(phase, "identical") == "identical":
        report.phases[phase] = result
