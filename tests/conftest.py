"""Real servers for all tests, each started at most once a run, and only when a test asks for it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from mailgm.demo.servers import Dovecot, Postfix, PymapServer, dovecot_installed, postfix_installed, short_folder


def need(there: bool, what: str) -> None:
    """Skip the test where something is not installed; on CI, where the set-up installs it, fail."""
    if not there and os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing, though CI installs it (scripts/setup-services.sh)")
    if not there:
        pytest.skip(f"{what} is missing; `make test` installs it where it may")


@pytest.fixture(scope="session")
def server_folder() -> Iterator[Path]:
    with short_folder() as folder:
        yield folder


@pytest.fixture(scope="session")
def dovecot(server_folder: Path) -> Iterator[Dovecot]:
    """IMAP (also with TLS) and LMTP; a test takes user names of its own."""
    need(dovecot_installed(), "Dovecot")
    with Dovecot(server_folder, tls=True) as server:
        yield server


@pytest.fixture(scope="session")
def postfix(server_folder: Path, dovecot: Dovecot) -> Iterator[Postfix]:
    """SMTP that delivers to `dovecot`."""
    need(postfix_installed(), "Postfix (and root or sudo)")
    with Postfix(server_folder, dovecot.lmtp_port) as server:
        yield server


@pytest.fixture(scope="session")
def pymap() -> Iterator[PymapServer]:
    """SMTP and IMAP of the demo, from pip."""
    need(bool(find_spec("pymap") and find_spec("aiosmtpd")), 'pymap or aiosmtpd (pip install "mailgm[demo]")')
    with PymapServer() as server:
        yield server
