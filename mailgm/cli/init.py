"""`mailgm init`: writes a configuration by asking, in French or English; the password goes into a file of its own."""

from __future__ import annotations

import argparse
import getpass
import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from mailgm.cli.common import config_argument, fail
from mailgm.cli.init_words import WORDS
from mailgm.config import SECURITY, example, parse, written
from mailgm.engine.said import say
from mailgm.mail.compose import address as checked_address
from mailgm.mail.providers import PROVIDERS, Provider, by_id, guess
from mailgm.phrases import locale_language
from mailgm.service.ready import faults
from mailgm.service.said import told

PASSWORD_FILE = "mailbox-password"
IDS = [provider.id for provider in PROVIDERS]


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments. What is given here is not asked."""
    config_argument(parser)
    parser.add_argument("--example", action="store_true", help="only print every setting with its default")
    parser.add_argument("--lang", choices=sorted(WORDS), help="language of the questions (that of the locale)")
    parser.add_argument("--non-interactive", action="store_true", help="ask nothing: take the options and the defaults")
    parser.add_argument("--force", action="store_true", help="replace a configuration that is there")
    parser.add_argument("--address", help="the game's address")
    parser.add_argument("--provider", choices=[*IDS, "other"], help="whose servers (guessed from the address)")
    for kind in ("imap", "smtp"):
        parser.add_argument(f"--{kind}-host", metavar="HOST")
        parser.add_argument(f"--{kind}-port", type=int, metavar="PORT")
        parser.add_argument(f"--{kind}-security", choices=SECURITY)
        parser.add_argument(f"--{kind}-user", metavar="LOGIN", help="the login (the address)")
    parser.add_argument("--maildir", metavar="PATH", help="a Maildir on this machine instead of IMAP")
    parser.add_argument(
        "--plus-addresses",
        action=argparse.BooleanOptionalAction,
        help="whether address+anything@… is delivered",
    )
    parser.add_argument("--name", help="the name shown beside the address")
    parser.add_argument(
        "--password-file", metavar="FILE", help="a file whose first line is the password; used as it is"
    )
    parser.add_argument("--password-stdin", action="store_true", help="read the password from standard input")


def run(args: argparse.Namespace) -> int:
    """Ask, and write the files. 0: written; 1: not, and why."""
    if args.example:
        print(example(), end="")
        return 0
    talk = Talk(args.lang or locale_language(), silent=args.non_interactive)
    try:
        return _ask_and_write(args, talk)
    except EOFError:
        return fail(talk.words["ended"])


def _ask_and_write(args: argparse.Namespace, talk: Talk) -> int:
    secret_file = args.config.parent / PASSWORD_FILE
    there = [file for file in (args.config, secret_file) if file.exists()]
    if there and not args.force:
        names = ", ".join(map(str, there))
        if args.non_interactive:
            return fail(say("{names}: there already; --force replaces it", names=names))
        if not talk.yes_no("replace", False, files=names):
            print(talk.words["kept"])
            return 0
    values = settings(args, talk)
    oauth = "oauth" in values
    password = "" if args.password_file or oauth else talk.secret(read=args.password_stdin)
    for section in ("imap", "smtp"):
        if values[section].get("user") and (args.password_file or password):
            # Relative paths in the file start at its folder.
            given = Path(args.password_file).absolute() if args.password_file else PASSWORD_FILE
            values[section]["password_file"] = str(given)
    if found := faults(parse(values, args.config.parent, args.config.name)):
        return fail("\n".join(told(fault, talk.lang) for fault in found))
    if password:
        _write(secret_file, password + "\n")
    _write(args.config, written(values))
    secret = talk.words["secret"].format(file=secret_file) if password else ""
    print(talk.words["done"].format(file=args.config, secret=secret))
    if not password and not args.password_file:
        print(talk.words["login" if oauth else "no secret"])
    return 0


def settings(args: argparse.Namespace, talk: Talk) -> dict[str, dict[str, Any]]:
    """The answers as settings: section → key → value. Raises EOFError where they end too soon."""
    talk.say("hello")
    address = args.address or talk.ask("address", "", _address)
    provider = _provider(args, talk, address)
    imap, smtp, maildir = _servers(args, talk, address, provider)
    plus = args.plus_addresses
    if plus is None:
        local, _, domain = address.rpartition("@")
        plus = talk.yes_no("plus", provider is None or provider.plus, example=f"{local}+test@{domain}")
    name = args.name or talk.ask("name", talk.words["default name"])
    values = {"mailbox": {"address": address, "name": name, "plus_addresses": plus}, "imap": imap, "smtp": smtp}
    if maildir:
        values["maildir"] = {"path": maildir}
    if provider is not None and provider.oauth and not args.password_file:
        values["oauth"] = {"provider": provider.oauth, "client_id": "", "tenant": "consumers"}
    return values


def _provider(args: argparse.Namespace, talk: Talk, address: str) -> Provider | None:
    ids = ", ".join(IDS)
    other = talk.words["other"]
    guessed = guess(address)
    answer = args.provider or talk.ask(
        "provider",
        guessed.id if guessed else other,
        lambda given: (given, "") if given in (*IDS, other) else ("", talk.words["a provider"].format(ids=ids)),
        ids=ids,
    )
    provider = by_id(answer)
    if provider is not None and provider.traps:
        talk.say("to know", title=provider.title)
        for trap in provider.traps[talk.lang]:
            talk.line(f"  - {trap}")
    return provider


def _servers(
    args: argparse.Namespace, talk: Talk, address: str, provider: Provider | None
) -> tuple[dict[str, Any], dict[str, Any], str]:
    """The settings of IMAP and SMTP, and the path of a Maildir where that takes IMAP's place."""
    domain = address.rpartition("@")[2]
    guesses = {
        "imap": provider.imap if provider else (f"imap.{domain}", 993, "tls"),
        "smtp": provider.smtp if provider else (f"smtp.{domain}", 465, "tls"),
    }
    user = provider.user(address) if provider else address
    shown = {kind: f"{host}:{port} ({security})" for kind, (host, port, security) in guesses.items()}
    silent = provider is not None and talk.yes_no("servers", True, user=user, **shown)
    imap = {} if args.maildir else _server(args, talk, "imap", guesses["imap"], user, silent)
    maildir = args.maildir or ""
    if "/" in imap.get("host", ""):
        maildir, imap = imap["host"], {}
    smtp = _server(args, talk, "smtp", guesses["smtp"], user, silent)
    if provider is not None and provider.per_minute:
        smtp["per_minute"] = provider.per_minute
    return imap, smtp, maildir


def _server(
    args: argparse.Namespace, talk: Talk, kind: str, guessed: tuple[str, int, str], user: str, silent: bool
) -> dict[str, Any]:
    """Host, port, security and login of one server; asked one by one unless `silent`."""

    def take(key: str, default: str, check: Callable[[str], tuple[Any, str]]) -> Any:
        given = getattr(args, f"{kind}_{key}")
        if given is not None:
            return given
        return check(default)[0] if silent else talk.ask(f"{kind} {key}", default, check)

    host = take("host", guessed[0], lambda text: (text, ""))
    if "/" in host:
        return {"host": host}
    port = take("port", str(guessed[1]), lambda text: _port(text, talk))
    one_of = ", ".join(SECURITY)
    security = take("security", guessed[2], lambda text: (text, "") if text in SECURITY else ("", one_of))
    login = take("user", user, lambda text: (text, ""))
    return {"host": host, "port": port, "security": security, "user": "" if login == "-" else login}


def _address(text: str) -> tuple[str, str]:
    try:
        return checked_address(text), ""
    except ValueError:
        return "", "an address"


def _port(text: str, talk: Talk) -> tuple[int, str]:
    fits = text.isascii() and text.isdigit() and 1 <= int(text) <= 65535
    return (int(text), "") if fits else (0, talk.words["a port"])


def _write(file: Path, text: str) -> None:
    """Write a file that only its owner reads, from the first byte on."""
    file.unlink(missing_ok=True)
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as out:
        out.write(text)


class Talk:
    """Questions and answers on the terminal; `silent` takes every default."""

    def __init__(self, lang: str, *, silent: bool) -> None:
        self.lang = lang
        self.words = WORDS[lang]
        self._silent = silent

    def line(self, text: str) -> None:
        """Print a line."""
        if not self._silent:
            print(text)

    def say(self, key: str, **values: str) -> None:
        """Print a sentence."""
        self.line(self.words[key].format(**values))

    def ask(
        self, key: str, default: str, check: Callable[[str], tuple[Any, str]] = lambda text: (text, ""), **values: str
    ) -> Any:
        """Ask until `check` takes the answer; it gives the value, or what would be right (a key of the words or a
        text). Raises EOFError."""
        question = self.words[key].format(**values) + (f" [{default}]" if default else "")
        while True:
            text = default if self._silent else self._read(question) or default
            value, right = check(text) if text else ("", "something")
            if not right or self._silent:
                return value
            self.say("wrong", value=repr(text), right=self.words.get(right, right))

    def yes_no(self, key: str, default: bool, **values: str) -> bool:
        """Ask a question of yes or no. Raises EOFError."""
        letters = {self.words["yes"]: True, self.words["no"]: False, "y": True}
        shown = self.words["yes" if default else "no"]

        def check(text: str) -> tuple[Any, str]:
            found = letters.get(text[:1].lower())
            return found, "" if found is not None else "yes or no"

        return bool(self.ask(key, shown, check, **values))

    def secret(self, *, read: bool) -> str:
        """The password: typed without being shown, or a line of standard input; "" for none. Raises EOFError."""
        if read or not (self._silent or sys.stdin.isatty()):
            if not read:
                print(self.words["password"], end=self.words["asks"], flush=True)
            return sys.stdin.readline().strip()
        return "" if self._silent else getpass.getpass(self.words["password"] + self.words["asks"]).strip()

    def _read(self, question: str) -> str:
        print(question, end=self.words["asks"], flush=True)
        line = sys.stdin.readline()
        if not line:
            print()
            raise EOFError
        return line.strip()
