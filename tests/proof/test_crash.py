"""The service is killed with SIGKILL, at random and between any two steps, and nothing is lost or counted twice."""

from __future__ import annotations

import contextlib
import json
import random
import signal
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from pathlib import Path

import pytest

from mailgm.mail.imap import ImapInbox
from mailgm.store import letters
from tests.proof.conftest import MakeStage
from tests.proof.dying import POINTS, STATEMENT
from tests.proof.stage import PATIENCE, Stage

ROOT = Path(__file__).parents[2]
KILLS = 60
FIRST = (ImapInbox, letters)
"""These are reached once a batch."""


class Child:
    """`mailgm run` in a process of its own."""

    def __init__(self, stage: Stage, *dying: str) -> None:
        """dying: the point at which it is to kill itself, and at the how-manieth time."""
        config = stage.folder / "config.toml"
        config.write_text(_toml(stage.settings), encoding="utf-8")
        program = ["tests.proof.dying", *dying] if dying else ["mailgm"]
        self._said = stage.folder / "said"
        with self._said.open("ab") as said:
            self._before = said.tell()
            command = [sys.executable, "-m", *program, "run", "--verbose", "--config", str(config)]
            self.process = subprocess.Popen(command, cwd=ROOT, stdout=said, stderr=said)

    def kill(self) -> None:
        """As a power cut ends it."""
        self.process.kill()
        self.process.wait()

    def works(self) -> bool:
        """Whether it has begun to work."""
        with self._said.open("rb") as said:
            said.seek(self._before)
            return b"the service runs" in said.read()

    def ended(self) -> bool:
        """Whether it has killed itself. Fails if it ended in any other way."""
        code = self.process.poll()
        assert code in (None, -signal.SIGKILL), f"ended with {code}: {self.said()}"
        return code is not None

    def leave(self) -> None:
        """Ask it to stop, as systemd does; it must do so in order."""
        self.process.send_signal(signal.SIGTERM)
        assert self.process.wait(PATIENCE) == 0, self.said()

    def said(self) -> str:
        """The end of what it and those before it wrote."""
        return self._said.read_text(errors="replace")[-3000:]


def _toml(settings: dict[str, dict[str, object]]) -> str:
    """The sections of a configuration as a file."""
    lines = []
    for section, table in settings.items():
        lines += [f"[{section}]", *(f"{key} = {json.dumps(value)}" for key, value in table.items())]
    return "\n".join(lines) + "\n"


@contextlib.contextmanager
def running(stage: Stage) -> Iterator[Child]:
    child = Child(stage)
    try:
        yield child
        child.leave()
    finally:
        if child.process.poll() is None:
            child.kill()


@pytest.mark.proof
def test_a_game_goes_on_through_sixty_kills(stage: MakeStage) -> None:
    scene = stage().open(9, span="2s", options={"rounds": 2}, seed=60)
    dice = random.Random(60)
    over = threading.Event()
    killed: list[str] = []

    def kill_again_and_again() -> None:
        while len(killed) < KILLS and not over.is_set():
            child = Child(scene)
            early = dice.random() < 0.1
            while not early and not child.works() and not over.wait(0.03):
                assert child.process.poll() is None, child.said()
            # On whatever machine: about an input for every kill, so that all of them fall into the game.
            ahead = scene.live.record.inputs > len(killed)
            if not ahead:
                scene.wait(lambda: over.is_set() or scene.live.record.inputs > len(killed), "the game goes on")
            over.wait(dice.uniform(0.0, 0.05 if ahead else 0.5))
            child.kill()
            if not over.is_set():
                killed.append(scene.live.record.phase_key)

    def then_leave_it_alone() -> None:
        if killer.done() and not survivors:
            killer.result()
            survivors.append(stack.enter_context(running(scene)))

    survivors: list[Child] = []
    with ThreadPoolExecutor() as pool, contextlib.ExitStack() as stack:
        killer = pool.submit(kill_again_and_again)
        try:
            scene.play(400, between=then_leave_it_alone)
        finally:
            over.set()
            wait([killer])
        then_leave_it_alone()
        scene.settled()
    assert len(killed) == KILLS
    assert len(set(killed)) > 3, "the kills have not met enough of the game"
    assert scene.live.running.over
    assert scene.faults(doubles=True) == []


@pytest.mark.proof
def test_killed_between_any_two_steps(stage: MakeStage, database_url: str) -> None:
    scene = stage(database_url).open(7, span="24h", seed=7)
    with running(scene):
        scene.settled()
    for person in scene.people[:-1]:
        person.read()
    # Another letter each time: one that has been deadly five times is set aside.
    points = [(point, 1 if owner in FIRST else 2) for point, (owner, *_) in POINTS.items()]
    points += [(STATEMENT, number) for number in (2, 7, 13, 21, 34, 48, 63, 88)]
    speakers = _in_turn(scene)
    for point, number in points:
        _die(scene, point, number, speakers)
    with running(scene):
        scene.settled()
    assert scene.faults(doubles=True) == []


def _die(scene: Stage, point: str, number: int, speakers: Iterator[Callable[[], object]]) -> None:
    """Start a service that dies at a point, and give it something to do until it does."""
    child = Child(scene, point, str(number))
    try:
        for _ in range(8):
            for _ in range(3):
                next(speakers)()
            with contextlib.suppress(subprocess.TimeoutExpired):
                child.process.wait(5)
            if child.ended():
                return
        raise AssertionError(f"it never came to this: {point}, {number}")
    finally:
        if child.process.poll() is None:
            child.kill()


def _in_turn(scene: Stage) -> Iterator[Callable[[], object]]:
    """What people say: orders when a phase is new, questions and posts else."""
    acted = ""
    while True:
        for person in scene.people[:-1]:
            live = scene.live
            if not live.running.over and live.record.phase_key != acted:
                acted = live.record.phase_key
                yield lambda: scene.troupe.act(scene.live.running)
            yield lambda name=person.name: scene.write(name, "état")  # type: ignore[misc]
