"""`mailgm game new|start|list|show|log|outbox`: games from the shell."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mailgm.cli.common import config_argument, context, fail, put, reveal_argument, tell
from mailgm.cli.help import phrase
from mailgm.config import ConfigError
from mailgm.engine.model import GM
from mailgm.engine.said import joined, say
from mailgm.phrases import locale_language

if TYPE_CHECKING:
    from mailgm.service.context import Context
    from mailgm.store import Tx
    from mailgm.store.games import GameRecord

CLOCK = "clock"


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = actions.add_parser("new", help="make a game from a list of players")
    new.add_argument("name", help="its name: letters, digits and hyphens")
    new.add_argument("--game", required=True, metavar="ID", help="what is played: dracula, …")
    new.add_argument("--players", required=True, type=Path, metavar="FILE", help="CSV: name,e-mail,language,time zone")
    new.add_argument("--gm", required=True, metavar="ADDRESS", help="the game master's e-mail address")
    new.add_argument("--lang", default="fr", choices=("fr", "en"), help="language of the game (fr)")
    new.add_argument("--zone", default="Europe/Paris", help="time zone of its deadlines")
    new.add_argument("--settings", type=Path, metavar="FILE", help="TOML: [settings] and [options] of the game")
    new.add_argument("--option", action="append", default=[], metavar="KEY=VALUE", help="an option of the rules")
    new.add_argument(
        "--set", action="append", default=[], metavar="KEY=VALUE", help="a setting (calendar, table, review)"
    )
    for name, about in (
        ("start", "send the roles and open the first phase"),
        ("show", "where a game stands"),
        ("log", "every input, with who and why"),
        ("outbox", "its mails and what became of them"),
    ):
        action = actions.add_parser(name, help=about)
        action.add_argument("name")
        if name in ("show", "log", "outbox"):
            reveal_argument(action)
        if name in ("log", "outbox"):
            action.add_argument("--last", type=int, default=50, metavar="N", help="only the last N (50)")
        config_argument(action)
    config_argument(new)
    config_argument(actions.add_parser("list", help="all games"))


def run(args: argparse.Namespace) -> int:
    """Carry out the action."""
    return {"new": _new, "start": _start, "list": _list, "show": _show, "log": _log, "outbox": _outbox}[args.action](
        args
    )


def _new(args: argparse.Namespace) -> int:
    from mailgm.service.create import NewGame, create
    from mailgm.service.players import SignUpError, known_zone, read_players

    if not known_zone(args.zone):
        return fail(say("--zone: {zone!r} is not a time zone (like Europe/Paris or America/Montreal)", zone=args.zone))
    try:
        tables = _tables(args.settings) if args.settings else {}
        players = read_players(_sheet(args.players), lang=args.lang, zone=args.zone)
    except SignUpError as error:
        return fail(joined(say("{name}, {fault}", name=str(args.players), fault=fault) for fault in error.faults))
    ctx = context(args)
    new = NewGame(
        name=args.name,
        game=args.game,
        players=players,
        gm_address=args.gm,
        lang=args.lang,
        zone=args.zone,
        options={**tables.get("options", {}), **dict(map(_pair, args.option))},
        settings={**tables.get("settings", {}), **dict(map(_pair, args.set))},
    )
    live, warnings = create(ctx, new)
    seated = "{name}: {count} players are seated. Start it with: mailgm game start {name}"
    put(seated, name=live.record.name, count=len(live.seats))
    for warning in warnings:
        put("  mind the name {warning}", warning=warning)
    return 0


def _tables(file: Path) -> dict[str, Any]:
    """The tables of a settings file. Raises ConfigError, OSError."""
    try:
        tables = tomllib.loads(file.read_text(encoding="utf-8"))
    except ValueError as error:
        raise ConfigError(say("{path} cannot be read: {error}", path=file, error=error)) from error
    for name, table in tables.items():
        if name not in ("settings", "options") or not isinstance(table, dict):
            raise ConfigError(
                say("{file}: there is no table {name!r}; there are [settings] and [options]", file=file, name=name)
            )
    return tables


def _sheet(file: Path) -> str:
    """The text of a players file: UTF-8, or Windows-1252, in which French spreadsheets save. Raises OSError."""
    raw = file.read_bytes()
    try:
        return raw.decode("utf-8-sig")
    except UnicodeDecodeError:
        return raw.decode("cp1252", errors="replace")


def _pair(text: str) -> tuple[str, Any]:
    """KEY=VALUE, the value as TOML where it is TOML, else as a text."""
    key, _, value = text.partition("=")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def _start(args: argparse.Namespace) -> int:
    from mailgm.service.create import begin

    live = begin(context(args), args.name)
    put("{name} has begun: {phase}", name=args.name, phase=_until(live.running.phase, live.record))
    return 0


def _until(key: str, record: GameRecord) -> str:
    """A phase's key, and until when it lasts, by the clock on the game's wall."""
    from mailgm.service.calendar import in_words

    if record.deadline is None:
        return key
    return say("{key} until {hour}", key=key, hour=in_words(record.deadline, locale_language(), record.zone))


def _list(args: argparse.Namespace) -> int:
    from mailgm.store import games

    ctx = context(args)
    with ctx.db.read() as tx:
        found = games.every(tx)
        keys = {record.id: _shown_key(ctx, tx, record) for record in found}
    for record in found:
        until = tell(_until(keys[record.id], record))
        print(f"{record.name:20} {record.preset or record.variant:18} {phrase(record.status):10} {until}")
    if not found:
        put("no game yet; mailgm game new makes one")
    return 0


def _shown_key(ctx: Context, tx: Tx, record: GameRecord) -> str:
    """The running phase's key; of a game whose master plays too, the latest that everybody knows of."""
    from mailgm.service import blind
    from mailgm.service.settings import GameSettings

    if not record.phase_key or not GameSettings.of(record).blind:
        return record.phase_key
    return blind.phase_key(ctx.load_id(tx, record.id, for_update=False), record.phase_key)


def _show(args: argparse.Namespace) -> int:
    from mailgm.service import blind

    ctx = context(args)
    with ctx.db.read() as tx:
        live = ctx.load(tx, args.name, for_update=False)
    record = live.record
    key = blind.phase_key(live, record.phase_key, args.reveal)
    where = _until(key, record) if key else say("not begun")
    put(
        "{name}: {game}, {status}, {where}",
        name=record.name,
        game=record.preset or record.variant,
        status=phrase(record.status),
        where=where,
    )
    owing = live.running.owing() if live.game and not live.running.over else {}
    if blind.hides(live, args.reveal):
        if blind.counts_owing(live):
            put("answers still owed: {count}; --reveal shows by whom, and what", count=len(owing))
        else:
            put("some may owe an answer; --reveal shows who, and what")
        owing = {}
    for seat in live.seats:
        owes = ", ".join(ask.command for ask in owing.get(seat.name, []))
        state = "" if seat.address_state == "ok" else f" [{phrase(seat.address_state)}]"
        told = tell(say("owes {orders}", orders=owes)) if owes else ""
        print(f"  {seat.place:2} {seat.name:20} {seat.email}{state} {told}".rstrip())
    return 0


def _log(args: argparse.Namespace) -> int:
    from mailgm.service import blind
    from mailgm.store import log

    ctx = context(args)
    with ctx.db.read() as tx:
        live = ctx.load(tx, args.name, for_update=False)
        entries = log.read(tx, live.record.id, last=args.last)
    keys = blind.stages(live)
    for entry in entries:
        text, who, key = entry.payload.get("text") or entry.payload.get("command") or "", entry.who, entry.phase_key
        if blind.hides(live, args.reveal):
            key = keys.get(key, blind.HIDDEN if key else "")
            if who not in (GM, CLOCK) and entry.payload.get("channel") != "public":
                # Who writes in which part of a night tells a role as well as the words do.
                text = who = blind.HIDDEN
        why = tell(say(" because {why}", why=entry.why)) if entry.why else ""
        via = entry.payload.get("via", "")
        print(f"{entry.n:5} {entry.at:%Y-%m-%d %H:%M:%S} {key:20} {who} ({via}) {entry.kind}: {text!r}{why}")
    return 0


def _outbox(args: argparse.Namespace) -> int:
    from mailgm.service import blind
    from mailgm.store import outbox

    ctx = context(args)
    with ctx.db.read() as tx:
        live = ctx.load(tx, args.name, for_update=False)
        record = live.record
        mails = outbox.find(tx, game_id=record.id, limit=args.last)
        counts = outbox.counts(tx, record.id)
    for mail in reversed(mails):
        at = f"{mail.created_at:%Y-%m-%d %H:%M:%S}"
        to, key = mail.recipient, mail.key
        if blind.hides(live, args.reveal) and mail.seat_id is not None and mail.state != "failed":
            # Who gets a mail at night tells a role.
            to = key = blind.HIDDEN
        print(f"{mail.id:6} {at} {phrase(mail.state):10} {to:30} {key} {mail.error}")
    print(", ".join(f"{phrase(state)}: {number}" for state, number in counts.items()) or phrase("no mail yet"))
    return 0
