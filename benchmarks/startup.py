"""How light the programs start, and how much memory the service takes at rest."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import report
from mailgm.demo.play import configuration
from mailgm.demo.servers import local_mail_server

PROGRAMS = (("-c", "pass"), ("-c", "import mailgm.engine"), ("-m", "mailgm", "--help"))


def _times(cache: str) -> list[float]:
    """Seconds of each program once; their bytecode is in the folder `cache`, as pip leaves it beside the code."""
    surroundings = {**os.environ, "PYTHONPYCACHEPREFIX": cache, "PYTHONDONTWRITEBYTECODE": ""}
    taken = []
    for words in PROGRAMS:
        began = time.perf_counter()
        subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL, env=surroundings)
        taken.append(time.perf_counter() - began)
    return taken


def main() -> None:
    """Print milliseconds of start-up and megabytes at rest."""
    with tempfile.TemporaryDirectory() as cache:
        _times(cache)
        runs = [_times(cache) for _ in range(15)]
    bare = statistics.median(run[0] for run in runs)
    engine = statistics.median(run[1] - run[0] for run in runs)
    helped = statistics.median(run[2] / run[0] for run in runs)
    report("import mailgm.engine", f"{engine * 1000:.0f} ms", "under 50 ms", engine < 0.05)
    report("mailgm --help / python -c pass", f"{helped:.1f}x of {bare * 1000:.0f} ms", "within 3x", helped <= 3)
    memory = at_rest()
    report("service at rest, resident memory", f"{memory:.0f} MB", "under 80 MB", memory < 80)


def at_rest() -> float:
    """Resident megabytes of `mailgm run` a few seconds after its start."""
    with tempfile.TemporaryDirectory() as name, local_mail_server() as server:
        folder = Path(name)
        imap = configuration(server, folder).imap
        (folder / "config.toml").write_text(
            f"""
[mailbox]
address = "jeu@demo.test"
[imap]
host = "{imap.host}"
port = {imap.port}
security = "none"
user = "{imap.user}"
password = "{imap.password}"
[smtp]
host = "{server.smtp_host}"
port = {server.smtp_port}
security = "none"
""",
            encoding="utf-8",
        )
        process = subprocess.Popen([sys.executable, "-m", "mailgm", "run", "--config", str(folder / "config.toml")])
        try:
            time.sleep(5)  # the point is what it takes when nothing happens
            status = Path(f"/proc/{process.pid}/status").read_text(encoding="ascii")
        finally:
            process.terminate()
            process.wait()
    return int(next(line.split()[1] for line in status.splitlines() if line.startswith("VmRSS"))) / 1000
