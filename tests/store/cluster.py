"""A private PostgreSQL, on a socket in a folder of its own, for as long as the tests run."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
from pathlib import Path
from types import TracebackType
from typing import Any, Self


def binaries() -> Path | None:
    """Where PostgreSQL's programs are: on the PATH, else the newest that Debian has installed; None: nowhere."""
    if found := shutil.which("initdb"):
        return Path(found).resolve().parent
    versions = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"), key=lambda path: float(path.parts[-3]))
    return versions[-1].parent if versions else None


class Cluster:
    """A server without a network port; `url` makes an empty database and gives its address."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / "pg"
        self._bin = binaries() or Path("/nowhere")
        self._made = 0

    def __enter__(self) -> Self:
        self._folder.mkdir()
        if os.geteuid() == 0:
            # initdb refuses to run as root.
            owner = pwd.getpwnam("postgres" if _exists("postgres") else "nobody")
            self._user: dict[str, Any] = {"user": owner.pw_uid, "group": owner.pw_gid, "extra_groups": []}
            os.chown(self._folder, owner.pw_uid, owner.pw_gid)
            self._folder.parent.chmod(0o711)
        else:
            self._user = {}
        arguments = ("--auth=trust", "--username=mailgm", "--encoding=UTF8", "--locale=C", "--no-sync")
        self._run("initdb", "--pgdata", str(self._folder / "data"), *arguments)
        self.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self) -> None:
        """Start it (again); it answers when this returns."""
        options = f"-c listen_addresses='' -c unix_socket_directories='{self._folder}' -c fsync=off"
        log = str(self._folder / "log")
        self._run(
            "pg_ctl", "start", "--wait", "--pgdata", str(self._folder / "data"), "--log", log, "--options", options
        )

    def stop(self) -> None:
        """Stop it as a power cut would."""
        self._run("pg_ctl", "stop", "--wait", "--mode", "immediate", "--pgdata", str(self._folder / "data"))

    def url(self) -> str:
        """Make an empty database; give its address."""
        self._made += 1
        name = f"test_{self._made}"
        self._run("createdb", "--host", str(self._folder), "--username", "mailgm", "--template", "template0", name)
        return f"postgresql://mailgm@/{name}?host={self._folder}"

    def _run(self, program: str, *arguments: str) -> None:
        done = subprocess.run(
            [str(self._bin / program), *arguments],
            cwd=self._folder,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
            text=True,
            timeout=60,
            check=False,
            **self._user,
        )
        if done.returncode:
            raise RuntimeError(f"{program} failed: {done.stderr}")


def _exists(user: str) -> bool:
    try:
        pwd.getpwnam(user)
    except KeyError:
        return False
    return True
