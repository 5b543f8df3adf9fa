"""How light the programs start, and how much memory the service takes at rest."""

from __future__ import annotations

import subprocess
import sys
import tempfile
import time
from pathlib import Path

from benchmarks.measure import report, seconds
from mailgm.demo.play import configuration
from mailgm.demo.servers import local_mail_server


def _run(*words: str) -> None:
    subprocess.run([sys.executable, *words], check=True, stdout=subprocess.DEVNULL)


def main() -> None:
    """Print milliseconds of start-up and megabytes at rest."""
    bare = seconds(lambda: _run("-c", "pass"), 9)
    engine = seconds(lambda: _run("-c", "import mailgm.engine"), 9) - bare
    helped = seconds(lambda: _run("-m", "mailgm", "--help"), 9)
    report("import mailgm.engine", f"{engine * 1000:.0f} ms", "under 50 ms", engine < 0.05)
    report(
        "mailgm --help / python -c pass",
        f"{helped / bare:.1f}x of {bare * 1000:.0f} ms",
        "within 3x",
        helped <= 3 * bare,
    )
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
