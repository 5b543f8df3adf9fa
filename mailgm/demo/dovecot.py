"""A private Dovecot: IMAP and LMTP on loopback ports, one password, mailboxes that appear when they are used."""

from __future__ import annotations

import grp
import os
import pwd
import re
import shutil
import subprocess
from pathlib import Path

from mailgm.demo.processes import HOST, ServerError, await_server, find_program, free_ports, self_signed, stop
from mailgm.engine.said import say

TRIES = 3

# The empty chroots let it run without root: as it comes, its helper processes want to lock themselves in.
_COMMON = """\
base_dir = {d}/run
state_dir = {d}/state
log_path = {d}/dovecot.log
default_login_user = {user}
default_internal_user = {user}
default_internal_group = {group}
first_valid_uid = 1
first_valid_gid = 1
mail_fsync = never
recipient_delimiter = +
mail_max_userip_connections = 100
auth_failure_delay = 0
"""

_SERVICES = """\
service imap-login {{
  chroot =
  inet_listener imap {{
    {address} = 127.0.0.1
    port = {imap}
  }}
  inet_listener imaps {{
    {address} = 127.0.0.1
    port = {imaps}
    ssl = {ssl}
  }}
}}
service lmtp {{
  inet_listener lmtp {{
    {address} = 127.0.0.1
    port = {lmtp}
  }}
}}
service anvil {{
  chroot =
  unix_listener anvil-auth-penalty {{
    mode = 0
  }}
}}
"""

_CONFIG_2_3 = """\
protocols = imap lmtp
ssl = {ssl}
{tls}disable_plaintext_auth = no
mail_location = maildir:{d}/mail/%u
passdb {{
  driver = static
  args = password={password}
}}
userdb {{
  driver = static
  args = uid={uid} gid={gid} home={d}/mail/%u allow_all_users=yes
}}
"""

_CONFIG_2_4 = """\
protocols {{
  imap = yes
  lmtp = yes
}}
ssl = {ssl}
{tls}auth_allow_cleartext = yes
mail_driver = maildir
mail_path = {d}/mail/%{{user}}
namespace inbox {{
  inbox = yes
}}
passdb static {{
  password = {password}
}}
userdb static {{
  static_allow_all_users = yes
  fields {{
    uid = {uid}
    gid = {gid}
    home = {d}/mail/%{{user}}
  }}
}}
"""


class Dovecot:
    """A Dovecot in a folder of its own (short path, see processes.short_folder), stopped by `close`.

    Plus-addresses are delivered to the base mailbox; Delivered-To keeps them. With `tls`, a certificate is made
    (`certificate`), STARTTLS is offered on `imap_port`, and `imaps_port` is encrypted from the first byte.
    Raises ServerError when it does not start.
    """

    def __init__(self, folder: Path, *, password: str = "demo", tls: bool = False) -> None:
        program, version = _program()
        self.host, self.password = HOST, password
        self._folder = folder / "dovecot"
        self._folder.mkdir()
        self.certificate: Path | None = None
        key: Path | None = None
        if tls:
            self.certificate, key = self_signed(self._folder)
        self.log = self._folder / "dovecot.log"
        user = _user()
        for attempt in range(1, TRIES + 1):
            self.imap_port, self.imaps_port, self.lmtp_port = free_ports(3)
            config = self._folder / "dovecot.conf"
            config.write_text(self._config(version, user, key))
            self.log.unlink(missing_ok=True)
            _give(self._folder, user)
            self._process = subprocess.Popen(
                [*_run_as(user), program, "-F", "-c", str(config)],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=self._stderr().open("wb"),
            )  # fmt: skip
            try:
                ports = [self.imap_port, self.lmtp_port] + ([self.imaps_port] if tls else [])
                await_server(
                    ports,
                    # Written once all its ports are its own.
                    started=lambda: "starting up" in self._said(),
                    alive=lambda: self._process.poll() is None,
                    why=self._said,
                )
                return
            except ServerError as error:
                stop(self._process)
                if attempt == TRIES or "Address already in use" not in str(error):
                    raise

    def _config(self, version: tuple[int, int], user: pwd.struct_passwd, key: Path | None) -> str:
        new = version >= (2, 4)
        names = ("ssl_server_cert_file = ", "ssl_server_key_file = ") if new else ("ssl_cert = <", "ssl_key = <")
        tls = f"{names[0]}{self.certificate}\n{names[1]}{key}\n" if key else ""
        head = "dovecot_config_version = 2.4.0\ndovecot_storage_version = 2.4.0\n" if new else ""
        text = head + (_CONFIG_2_4 if new else _CONFIG_2_3) + _COMMON + _SERVICES
        return text.format(
            d=self._folder, user=user.pw_name, group=grp.getgrgid(user.pw_gid).gr_name, uid=user.pw_uid,
            gid=user.pw_gid, password=self.password, ssl="yes" if key else "no", tls=tls,
            address="listen" if new else "address",
            imap=self.imap_port, imaps=self.imaps_port if key else 0, lmtp=self.lmtp_port,
        )  # fmt: skip

    def _stderr(self) -> Path:
        return self._folder / "stderr"

    def _said(self) -> str:
        files = [f for f in (self._stderr(), self.log) if f.exists()]
        return "Dovecot said: " + "\n".join(f.read_text(errors="replace")[-2000:] for f in files)

    def __enter__(self) -> Dovecot:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Stop it; its mail stays in the folder."""
        stop(self._process)


def installed() -> bool:
    """Whether a Dovecot that this can start is on the machine (program, IMAP and LMTP)."""
    try:
        _program()
        _run_as(_user())
    except ServerError:
        return False
    return any(
        (Path(base) / "dovecot" / "lmtp").exists() for base in ("/usr/lib", "/usr/libexec", "/usr/local/libexec")
    )


def _program() -> tuple[str, tuple[int, int]]:
    program = find_program("dovecot")
    if program is None:
        raise ServerError(say("Dovecot is not installed (apt-get install dovecot-imapd dovecot-lmtpd)"))
    said = subprocess.run([program, "--version"], capture_output=True, text=True).stdout
    version = re.match(r"(\d+)\.(\d+)", said)
    if version is None:
        raise ServerError(say("cannot tell the version of {program}: it says {said!r}", program=program, said=said))
    return program, (int(version[1]), int(version[2]))


def _user() -> pwd.struct_passwd:
    """Who runs it: ourselves, or nobody when we are root, which Dovecot does not let mail belong to."""
    try:
        return pwd.getpwnam("nobody") if os.geteuid() == 0 else pwd.getpwuid(os.geteuid())
    except KeyError as error:
        raise ServerError(say("Dovecot needs a user with a name to run as ({error})", error=error)) from error


def _run_as(user: pwd.struct_passwd) -> list[str]:
    if os.geteuid() != 0:
        return []
    if not shutil.which("setpriv"):
        raise ServerError(say("to start Dovecot, root needs setpriv (package util-linux)"))
    return ["setpriv", f"--reuid={user.pw_uid}", f"--regid={user.pw_gid}", "--clear-groups"]


def _give(folder: Path, user: pwd.struct_passwd) -> None:
    if os.geteuid() == 0:
        for path in [folder, *folder.rglob("*")]:
            os.chown(path, user.pw_uid, user.pw_gid)
