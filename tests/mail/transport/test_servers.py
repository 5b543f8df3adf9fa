"""The local servers start or say why not, and leave nothing behind."""

from __future__ import annotations

import socket
from pathlib import Path

import pytest

from mailgm.demo import dovecot as dovecot_module
from mailgm.demo import postfix as postfix_module
from mailgm.demo import processes, servers
from mailgm.demo.servers import (
    Dovecot,
    Postfix,
    PymapServer,
    ServerError,
    dovecot_installed,
    local_mail_server,
    short_folder,
)
from tests.conftest import need


def test_a_server_in_python_ends_with_who_started_it(pymap: PymapServer) -> None:
    with PymapServer() as server:
        assert server._process.stdin is not None
        server._process.stdin.close()
        assert server._process.wait(20) == 0
        with pytest.raises(OSError, match="refused"):
            socket.create_connection((server.host, server.imap_port), timeout=5)


def test_a_server_in_python_that_does_not_start_says_why(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(servers.sys, "executable", "/bin/false")
    with pytest.raises(ServerError, match=r"mailgm\[demo\]"):
        local_mail_server(kind="pymap")


def test_without_dovecot_the_demo_takes_what_pip_has(pymap: PymapServer, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dovecot_module, "find_program", lambda name: None)
    assert not dovecot_installed()
    with local_mail_server() as server:
        assert server.kind == "pymap"
    with pytest.raises(ServerError, match="apt-get install dovecot-imapd"):
        local_mail_server(kind="dovecot")


def test_a_port_that_was_taken_meanwhile_is_replaced(dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = iter([[dovecot.imap_port, *processes.free_ports(2)]])
    monkeypatch.setattr(dovecot_module, "free_ports", lambda count: next(taken, None) or processes.free_ports(count))
    with short_folder() as folder, Dovecot(folder) as second:
        assert second.imap_port != dovecot.imap_port


def test_postfix_does_the_same(dovecot: Dovecot, postfix: Postfix, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as other, short_folder() as folder:
        port = other.getsockname()[1]
        taken = iter([[port]])
        monkeypatch.setattr(
            postfix_module, "free_ports", lambda count: next(taken, None) or processes.free_ports(count)
        )
        with Postfix(folder, dovecot.lmtp_port) as server:
            assert server.port != port


def test_a_server_that_does_not_come_up_says_what_it_wrote(dovecot: Dovecot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(dovecot_module, "_COMMON", dovecot_module._COMMON + "no_such_setting = yes\n")
    with short_folder() as folder, pytest.raises(ServerError, match="no_such_setting"):
        Dovecot(folder)


def test_a_short_folder_goes_away_with_all_that_is_in_it() -> None:
    with short_folder() as folder:
        (folder / "mail").mkdir()
        (folder / "mail" / "1").write_bytes(b"x")
        assert len(str(folder)) < 40
    assert not folder.exists()


def test_the_two_ports_asked_for_are_two() -> None:
    assert len(set(processes.free_ports(20))) == 20


def test_what_is_not_installed_is_skipped_here_and_fails_on_ci(monkeypatch: pytest.MonkeyPatch) -> None:
    need(True, "Dovecot")
    monkeypatch.setenv("CI", "")
    with pytest.raises(pytest.skip.Exception, match="Dovecot is missing"):
        need(False, "Dovecot")
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="Dovecot is missing"):
        need(False, "Dovecot")


def test_a_certificate_is_for_this_machine(tmp_path: Path) -> None:
    certificate, key = processes.self_signed(tmp_path)
    assert certificate.read_text().startswith("-----BEGIN CERTIFICATE")
    assert key.read_text().startswith("-----BEGIN")
