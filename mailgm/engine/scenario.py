"""Runs a scenario: a small game, what people typed, and what must come out. Source: the scenario format.

Pure: the caller reads the TOML file and hands the parsed table in.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine.apply import UnknownPlayer, apply
from mailgm.engine.dice import ForcedDraw
from mailgm.engine.game import Game, Input, Outcome, start
from mailgm.engine.model import GM, Notice, SetupError, Verdict
from mailgm.engine.plain import dump
from mailgm.engine.variant import Variant

_TOP = {"id", "variant", "rules", "lang", "players", "seed", "options", "deal", "dice", "step", "final", "setup_error"}
_STEP = {"phase", "say", "post", "gm", "do", "close", "expect", "forbid", "refuse", "facts"}
_EXPECT = {"to", "kind", "data", "count"}
_REFUSE = {"from", "code"}
_FINAL = {"over", "winners", "winner_camp", "scores"}


@dataclass
class Report:
    """What came of a scenario: it holds when there are no failures; warnings do not count against it."""

    id: str
    failures: list[str] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)

    @property
    def holds(self) -> bool:
        """Whether everything was as expected."""
        return not self.failures


def run(scenario: Mapping[str, Any], variant: Variant[Any], preset: Mapping[str, Any] | None = None) -> Report:
    """Play a scenario with the rules of `variant`. preset: options that a preset's id stands for."""
    report = Report(str(scenario.get("id", "?")))
    report.failures += _misshapen(scenario)
    if report.failures:
        return report
    try:
        outcome = start(
            variant,
            scenario["players"],
            {**(preset or {}), **scenario.get("options", {})},
            str(scenario.get("seed", 1)),
            deal=scenario.get("deal", {}),
            forced=scenario.get("dice", {}),
        )
    except (SetupError, ForcedDraw) as error:
        key = error.key if isinstance(error, SetupError) else error.label
        wanted = scenario.get("setup_error")
        if wanted is None:
            report.failures.append(f"set-up failed: {error}")
        elif wanted.get("key") not in (key, key.split(".")[0]):
            report.failures.append(f"set-up failed at {key!r} where {wanted.get('key')!r} was expected: {error}")
        return report
    if "setup_error" in scenario:
        report.failures.append(f"set-up succeeded where {scenario['setup_error']} was expected")
        return report
    _Play(report, outcome).steps(scenario)
    return report


class _Play:
    """A scenario while it runs."""

    def __init__(self, report: Report, outcome: Outcome) -> None:
        self.report = report
        self.game: Game = outcome.game
        self.notices: list[Notice] = list(outcome.notices)
        self.verdicts: list[Verdict] = []
        self.drawn: Counter[str] = Counter(outcome.game.drawn)

    def steps(self, scenario: Mapping[str, Any]) -> None:
        """Run all steps and the final check; stops at a phase that does not match."""
        for place, step in enumerate(scenario.get("step", ()), 1):
            where = f"step {place}" + (f" ({step['phase']})" if "phase" in step else "")
            if "phase" in step and step["phase"] != self.game.phase:
                running = self.game.phase or "over"
                self.report.failures.append(f"{where}: the game is in {running}")
                return
            try:
                self._act(step)
            except ForcedDraw as error:
                self.report.failures.append(f"{where}: the forced draw is not possible: {error}")
                return
            except UnknownPlayer as error:
                self.report.failures.append(f"{where}: {error}")
                return
            self._check(where, step)
            self.notices, self.verdicts = [], []
        self._final(scenario.get("final", {}))
        for label in scenario.get("dice", {}):
            base, _, turn = label.partition("#")
            if self.drawn[base] < int(turn or 1):
                self.report.warnings.append(f"the draw {label} was forced but never made")

    def _act(self, step: Mapping[str, Any]) -> None:
        for act in _acts(step):
            if act[0] == "gm":
                self._apply(Input("gm", player=GM, text=act[1]))
            else:
                channel = "private" if act[0] == "say" else "public"
                self._apply(Input("message", self._seat(act[1]), act[2], channel))  # type: ignore[arg-type]
            while self.game.closes_early():
                self._apply(Input("deadline"))
        if step.get("close"):
            self._apply(Input("deadline"))

    def _seat(self, name: str) -> str:
        return self.game.aliases.get(name, name)

    def _apply(self, given: Input) -> None:
        outcome = apply(self.game, given)
        self.game = outcome.game
        # The most of each label: going back to a phase forgets the draws made since.
        self.drawn |= Counter(self.game.drawn)
        self.notices += outcome.notices
        self.verdicts += outcome.verdicts

    def _check(self, where: str, step: Mapping[str, Any]) -> None:
        failures = self.report.failures
        ordered = self.game.variant.spec.ordered
        for expect in step.get("expect", ()):
            found = [notice for notice in self.notices if _matches(notice, expect, ordered)]
            wanted = expect.get("count")
            if (wanted is None and not found) or (wanted is not None and len(found) != wanted):
                failures.append(f"{where}: expected {_words(expect)}, found {len(found)}; {self._near(expect)}")
        for forbid in step.get("forbid", ()):
            for notice in self.notices:
                if _matches(notice, forbid, ordered):
                    failures.append(
                        f"{where}: forbidden {_words(forbid)}, found {notice.kind} to {notice.to}: {dump(notice.data)}"
                    )
        self._refusals(where, step)
        facts = self.game.variant.facts(self.game.state)
        for key, value in step.get("facts", {}).items():
            if key not in facts:
                failures.append(f"{where}: there is no fact {key!r}")
            elif not _same(facts[key], value):
                failures.append(f"{where}: {key} is {dump(facts[key])!r}, expected {value!r}")

    def _refusals(self, where: str, step: Mapping[str, Any]) -> None:
        wanted = []
        for refuse in step.get("refuse", ()):
            wanted.append((self._seat(refuse["from"]), refuse["code"]))
        got = [(verdict.player, verdict.code, verdict.line) for verdict in self.verdicts if verdict.status == "refused"]
        for player, code in wanted:
            if (player, code) not in [(sender, given) for sender, given, _ in got]:
                heard = [given for sender, given, _ in got if sender == player]
                self.report.failures.append(
                    f"{where}: {player} should be refused {code}; refused: {heard or 'nothing'}"
                )
        for player, code, line in got:
            if (player, code) not in wanted:
                self.report.failures.append(f"{where}: {player} was refused {code}: {line!r}")

    def _near(self, expect: Mapping[str, Any]) -> str:
        near = [notice for notice in self.notices if notice.kind == expect.get("kind", notice.kind)]
        return "there were: " + (
            "; ".join(f"{n.kind} to {n.to}: {dump(n.data)}" for n in near[:6]) or "none of that kind"
        )

    def _final(self, final: Mapping[str, Any]) -> None:
        failures = self.report.failures
        end = self.game.end
        if "over" in final and final["over"] != self.game.over:
            failures.append(f"final: over is {self.game.over}")
        if {"winners", "winner_camp", "scores"} & set(final) and end is None:
            failures.append("final: the game is not over")
        if end is None:
            return
        if "winners" in final and set(final["winners"]) != set(end.winners):
            failures.append(f"final: the winners are {list(end.winners)}")
        if "winner_camp" in final and _null(final["winner_camp"]) != end.winner_camp:
            failures.append(f"final: winner_camp is {end.winner_camp!r}")
        for name, score in final.get("scores", {}).items():
            if (end.scores or {}).get(name) != score:
                failures.append(f"final: the score of {name} is {(end.scores or {}).get(name)}, expected {score}")


def _misshapen(scenario: Mapping[str, Any]) -> list[str]:
    """Every unknown key and every act of the wrong shape, before anything is played."""
    faults = _unknown("the scenario", scenario, _TOP)
    if not isinstance(scenario.get("players"), list):
        faults.append("the scenario: players, a list of names, is missing")
    for place, step in enumerate(scenario.get("step", ()), 1):
        where = f"step {place}"
        faults += _unknown(where, step, _STEP)
        for key, known in (("expect", _EXPECT), ("forbid", _EXPECT), ("refuse", _REFUSE)):
            for table in step.get(key, ()):
                faults += _unknown(f"{where}, {key}", table, known)
        for table in step.get("refuse", ()):
            faults += [f"{where}, refuse: {key!r} is missing" for key in sorted(_REFUSE - set(table))]
        faults += [f"{where}: {act!r} is no act" for act in _acts(step) if not _is_act(act)]
    faults += _unknown("final", scenario.get("final", {}), _FINAL)
    return faults + _unknown("setup_error", scenario.get("setup_error", {}), {"key"})


def _acts(step: Mapping[str, Any]) -> list[Any]:
    """What is done in a step, in order: as `do` has it, else say, post, gm."""
    if "do" in step:
        return list(step["do"])
    acts = [["say", *said] if isinstance(said, list) else said for said in step.get("say", ())]
    acts += [["post", *said] if isinstance(said, list) else said for said in step.get("post", ())]
    return acts + [["gm", text] for text in step.get("gm", ())]


def _is_act(act: Any) -> bool:
    if not isinstance(act, list) or not act or not all(isinstance(part, str) for part in act):
        return False
    return act[0] in ("say", "post", "gm") and len(act) == (2 if act[0] == "gm" else 3)


def _unknown(where: str, table: Mapping[str, Any], known: set[str]) -> list[str]:
    return [f"{where}: unknown key {key!r}" for key in table if key not in known]


def _words(expect: Mapping[str, Any]) -> str:
    count = f" ×{expect['count']}" if "count" in expect else ""
    return f"{expect.get('kind', 'any notice')} to {expect.get('to', 'anybody')} {dump(expect.get('data', {}))}{count}"


def _matches(notice: Notice, wanted: Mapping[str, Any], ordered: frozenset[str]) -> bool:
    if "kind" in wanted and wanted["kind"] != notice.kind:
        return False
    if "to" in wanted and wanted["to"] not in notice.audience:
        return False
    return all(
        (key in notice.data or _null(value) is None)
        and _same(notice.data.get(key), value, f"{notice.kind}.{key}" in ordered)
        for key, value in wanted.get("data", {}).items()
    )


def _null(value: Any) -> Any:
    return None if value == "@none" else value


def _same(found: Any, wanted: Any, ordered: bool = False) -> bool:
    """Compare as scenarios do: lists as sets with repeats, a pair inside a list in its order, tables whole."""
    found, wanted = dump(found), _null(dump(wanted))
    if isinstance(wanted, list) and isinstance(found, list):
        if ordered:
            return bool(found == wanted)
        return Counter(map(_frozen, found)) == Counter(map(_frozen, wanted))
    if isinstance(wanted, dict) and isinstance(found, dict):
        return found.keys() == wanted.keys() and all(_same(found[key], wanted[key], ordered) for key in wanted)
    return bool(found == wanted) and isinstance(found, bool) == isinstance(wanted, bool)


def _frozen(value: Any) -> Any:
    if isinstance(value, list):
        return tuple(_frozen(entry) for entry in value)
    if isinstance(value, dict):
        return tuple(sorted((key, _frozen(entry)) for key, entry in value.items()))
    return _null(value)
