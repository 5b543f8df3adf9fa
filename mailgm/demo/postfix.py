"""A private Postfix on a loopback port, which hands all mail, for whatever domain, to an LMTP server."""

from __future__ import annotations

import contextlib
import os
import subprocess
from pathlib import Path

from mailgm.demo.processes import HOST, ServerError, as_root, await_server, find_program, free_ports
from mailgm.engine.said import say

TRIES = 3

_MAIN = """\
compatibility_level = 3.6
config_directory = {d}/etc
queue_directory = {d}/queue
data_directory = {d}/data
maillog_file = {d}/postfix.log
maillog_file_prefixes = {d}
mail_owner = postfix
myhostname = localhost
mydomain = localdomain
inet_interfaces = 127.0.0.1
inet_protocols = ipv4
mynetworks = 127.0.0.0/8
mydestination =
local_transport = error:no local mail
default_transport = error:no mail leaves this machine
virtual_mailbox_domains = static:all
virtual_mailbox_maps = static:all
virtual_transport = lmtp:inet:127.0.0.1:{lmtp}
lmtp_destination_recipient_limit = 1
smtpd_client_connection_count_limit = 0
smtpd_client_connection_rate_limit = 0
smtpd_client_message_rate_limit = 0
message_size_limit = {size}
alias_maps =
alias_database =
biff = no
minimal_backoff_time = 5s
queue_run_delay = 5s
"""

_MASTER = """\
127.0.0.1:{port} inet n - n - - smtpd
postlog unix-dgram n - n - 1 postlogd
cleanup unix n - n - 0 cleanup
qmgr unix n - n 300 1 qmgr
rewrite unix - - n - - trivial-rewrite
bounce unix - - n - 0 bounce
defer unix - - n - 0 bounce
trace unix - - n - 0 bounce
verify unix - - n - 1 verify
flush unix n - n 1000? 0 flush
proxymap unix - - n - - proxymap
error unix - - n - - error
retry unix - - n - - error
lmtp unix - - n - - lmtp
anvil unix - - n - 1 anvil
scache unix - - n - 1 scache
"""


class Postfix:
    """A Postfix instance with its own configuration and queue in a folder (short path), stopped by `close`.

    lmtp_port: where mail is delivered, on 127.0.0.1. Raises ServerError when it does not start: it needs root, or a
    sudo that asks no password.
    """

    def __init__(self, folder: Path, lmtp_port: int, *, size_limit: int = 20_000_000) -> None:
        program = find_program("postfix")
        if program is None:
            raise ServerError(say("Postfix is not installed (apt-get install postfix)"))
        self.host = HOST
        self._folder = folder / "postfix"
        for name in ("etc", "queue", "data"):
            (self._folder / name).mkdir(parents=True)
        self.log = self._folder / "postfix.log"
        etc = self._folder / "etc"
        (etc / "main.cf").write_text(_MAIN.format(d=self._folder, lmtp=lmtp_port, size=size_limit))
        self._command = [program, "-c", str(etc)]
        self._root(["chown", "-R", "root", str(self._folder / "queue")])
        self._root(["chown", "postfix", str(self._folder / "data")])
        for attempt in range(1, TRIES + 1):
            (self.port,) = free_ports(1)
            (etc / "master.cf").write_text(_MASTER.format(port=self.port))
            try:
                # Comes back without an error only when the ports are its own.
                self._root([*self._command, "start"])
                await_server([self.port], started=lambda: True, alive=lambda: True, why=self._said)
                return
            except ServerError as error:
                with contextlib.suppress(ServerError):
                    self.close()
                if attempt == TRIES or "Address already in use" not in str(error):
                    raise

    def _root(self, command: list[str]) -> None:
        as_who = as_root(command)
        if as_who is None:
            raise ServerError(say("Postfix can only be started by root, or with a sudo that asks no password"))
        done = subprocess.run(as_who, stdin=subprocess.DEVNULL, capture_output=True, text=True)
        if done.returncode:
            raise ServerError(
                say(
                    "{command} failed: {error}\n{log}",
                    command=" ".join(command),
                    error=done.stderr.strip()[-2000:],
                    log=self._said(),
                )
            )

    def _said(self) -> str:
        return "Postfix said: " + (self.log.read_text(errors="replace")[-2000:] if self.log.exists() else "nothing")

    def __enter__(self) -> Postfix:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop it and give its folder back to us, so that it can be removed."""
        self._root([*self._command, "stop"])
        self._root(["chown", "-R", str(os.geteuid()), str(self._folder)])


def installed() -> bool:
    """Whether a Postfix is on the machine and may be started by us."""
    return find_program("postfix") is not None and as_root(["true"]) is not None
