"""Real servers, real processes: what takes longer than other tests bears the mark `proof`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from mailgm.demo.servers import Dovecot, Postfix, SmtpToLmtp
from tests.proof.stage import Stage, mail_server

MakeStage = Callable[..., Stage]


@pytest.fixture(scope="session")
def relay(dovecot: Dovecot) -> Iterator[SmtpToLmtp]:
    """SMTP that has delivered a mail when it says so: what comes first, lies first."""
    with SmtpToLmtp(dovecot.lmtp_port) as server:
        yield server


@pytest.fixture
def stage(dovecot: Dovecot, relay: SmtpToLmtp, tmp_path: Path) -> Iterator[MakeStage]:
    """Makes stages before Dovecot; their databases are closed at the end."""
    made: list[Stage] = []

    def make(database_url: str = "", **changes: Any) -> Stage:
        url = database_url or f"sqlite:///{tmp_path}/games.sqlite"
        made.append(Stage(mail_server(dovecot, relay.port), tmp_path, url, **changes))
        return made[-1]

    yield make
    for one in made:
        one.ctx.db.close()


@pytest.fixture
def postal(dovecot: Dovecot, postfix: Postfix, database_url: str, tmp_path: Path) -> Iterator[MakeStage]:
    """Makes stages before Postfix and Dovecot, on both databases."""
    made: list[Stage] = []

    def make(**changes: Any) -> Stage:
        made.append(Stage(mail_server(dovecot, postfix.port), tmp_path, database_url, **changes))
        return made[-1]

    yield make
    for one in made:
        one.ctx.db.close()
