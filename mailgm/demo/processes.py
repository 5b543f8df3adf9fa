"""What all the local servers need: a folder, ports, a process that is awaited and stopped."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mailgm.engine.said import say

HOST = "127.0.0.1"
START_SECONDS = 30.0
STOP_SECONDS = 10.0


class ServerError(Exception):
    """A local server did not start; the text holds what it said."""


@contextlib.contextmanager
def short_folder() -> Iterator[Path]:
    """Make a folder for servers, and remove it with all that they wrote.

    Its path is short, for unix sockets may not be longer than 107 characters, and a server that runs as another user
    can get there, which it cannot in the folder of a test run by root.
    """
    folder = Path(tempfile.mkdtemp(prefix="mgm-"))
    folder.chmod(0o755)
    try:
        yield folder
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def free_ports(count: int) -> list[int]:
    """Find ports of the loopback address that nothing listens on, all different."""
    with contextlib.ExitStack() as stack:
        sockets = [stack.enter_context(socket.socket()) for _ in range(count)]
        for sock in sockets:
            sock.bind((HOST, 0))
        return [sock.getsockname()[1] for sock in sockets]


def await_server(
    ports: list[int], *, started: Callable[[], bool], alive: Callable[[], bool], why: Callable[[], str]
) -> None:
    """Come back when the server says that it has started, and something answers on every port.

    The answer alone would not do: it may be another server that took the port a moment earlier.
    alive: whether the server still runs; why: what it wrote. Raises ServerError when it ends or takes too long.
    """
    deadline = time.monotonic() + START_SECONDS
    while not (started() and all(map(_answers, ports))):
        if not alive() or time.monotonic() > deadline:
            raise ServerError(say("no server on ports {ports}: {why}", ports=ports, why=why()))
        time.sleep(0.02)


def _answers(port: int) -> bool:
    try:
        socket.create_connection((HOST, port), timeout=1).close()
    except OSError:
        return False
    return True


def stop(process: subprocess.Popen[bytes]) -> None:
    """End a process that we started, by its pid: politely, then not."""
    if process.poll() is None:
        process.terminate()
        try:
            process.wait(STOP_SECONDS)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def as_root(command: list[str]) -> list[str] | None:
    """Give the command that runs this one as root, without a question asked; None when nobody may."""
    if os.geteuid() == 0:
        return command
    if shutil.which("sudo") and subprocess.run(["sudo", "-n", "true"], capture_output=True).returncode == 0:
        return ["sudo", "-n", *command]
    return None


def find_program(name: str) -> str | None:
    """Find a program, also where only root's search path looks."""
    return shutil.which(name, path=os.environ.get("PATH", "") + ":/usr/sbin:/sbin:/usr/local/sbin")


def self_signed(folder: Path) -> tuple[Path, Path]:
    """Make a certificate for 127.0.0.1 and localhost, and its key; gives both files (PEM)."""
    certificate, key = folder / "cert.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost",
         "-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)],
        check=True, capture_output=True,
    )  # fmt: skip
    return certificate, key
