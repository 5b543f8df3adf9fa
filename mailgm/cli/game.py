"""`mailgm game new|start|list|show|log|outbox`: games from the shell."""

from __future__ import annotations

import argparse
import tomllib
from pathlib import Path
from typing import Any

from mailgm.cli.common import config_argument, context, fail


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the command's arguments."""
    actions = parser.add_subparsers(dest="action", metavar="ACTION", required=True)
    new = actions.add_parser("new", help="make a game from a list of players")
    new.add_argument("name", help="its name: letters, digits and hyphens")
    new.add_argument("--game", required=True, metavar="ID", help="what is played: dracula, …")
    new.add_argument("--players", required=True, type=Path, metavar="FILE", help="CSV: name,e-mail,language,time zone")
    new.add_argument("--gm", required=True, metavar="ADDRESS", help="the game master's e-mail address")
    new.add_argument("--lang", default="fr", help="language of the game: fr or en")
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
    from mailgm.loader import UnknownVariant
    from mailgm.service.create import NewGame, NewGameError, create
    from mailgm.service.players import SignUpError, read_players

    try:
        tables = tomllib.loads(args.settings.read_text(encoding="utf-8")) if args.settings else {}
        players = read_players(args.players.read_text(encoding="utf-8-sig"), lang=args.lang, zone=args.zone)
    except OSError as error:
        return fail(f"{error.filename}: {error.strerror}")
    except tomllib.TOMLDecodeError as error:
        return fail(f"{args.settings}: {error}")
    except SignUpError as error:
        return fail("\n".join(f"{args.players}, {fault}" for fault in error.faults))
    if unknown := set(tables) - {"settings", "options"}:
        return fail(f"{args.settings}: there is no table {sorted(unknown)[0]!r}; there are settings and options")
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
    try:
        live, warnings = create(ctx, new)
    except (NewGameError, UnknownVariant) as error:
        return fail(str(error))
    print(f"{live.record.name}: {len(live.seats)} players are seated. Start it with: mailgm game start {args.name}")
    for warning in warnings:
        print(f"  mind the name {warning}")
    return 0


def _pair(text: str) -> tuple[str, Any]:
    """KEY=VALUE, the value as TOML where it is TOML, else as a text."""
    key, _, value = text.partition("=")
    try:
        return key, tomllib.loads(f"value = {value}")["value"]
    except tomllib.TOMLDecodeError:
        return key, value


def _start(args: argparse.Namespace) -> int:
    from mailgm.service.create import NewGameError, begin

    try:
        live = begin(context(args), args.name)
    except NewGameError as error:
        return fail(str(error))
    print(f"{args.name} has begun: {live.running.phase} until {live.record.deadline:%Y-%m-%d %H:%M %Z}")
    return 0


def _list(args: argparse.Namespace) -> int:
    from mailgm.store import games

    with context(args).db.read() as tx:
        for record in games.every(tx):
            until = f" until {record.deadline:%Y-%m-%d %H:%M %Z}" if record.deadline else ""
            print(f"{record.name:20} {record.preset or record.variant:18} {record.status:8} {record.phase_key}{until}")
    return 0


def _show(args: argparse.Namespace) -> int:
    ctx = context(args)
    with ctx.db.read() as tx:
        live = ctx.load(tx, args.name, for_update=False)
    record = live.record
    print(f"{record.name}: {record.preset or record.variant}, {record.status}, {record.phase_key or 'not begun'}")
    if record.deadline:
        print(f"deadline: {record.deadline.astimezone(live.settings.calendar.zone):%A %Y-%m-%d %H:%M %Z}")
    owing = live.running.owing() if live.game and not live.running.over else {}
    for seat in live.seats:
        owes = ", ".join(ask.command for ask in owing.get(seat.name, []))
        state = "" if seat.address_state == "ok" else f" [{seat.address_state}]"
        print(f"  {seat.place:2} {seat.name:20} {seat.email}{state} {'owes ' + owes if owes else ''}".rstrip())
    return 0


def _log(args: argparse.Namespace) -> int:
    from mailgm.store import log

    ctx = context(args)
    with ctx.db.read() as tx:
        record = ctx.load(tx, args.name, for_update=False).record
        entries = log.read(tx, record.id, last=args.last)
    for entry in entries:
        text = entry.payload.get("text") or entry.payload.get("command") or ""
        why = f" because {entry.why}" if entry.why else ""
        who = f"{entry.who} ({entry.payload.get('via', '')})"
        print(f"{entry.n:5} {entry.at:%Y-%m-%d %H:%M:%S} {entry.phase_key:20} {who} {entry.kind}: {text!r}{why}")
    return 0


def _outbox(args: argparse.Namespace) -> int:
    from mailgm.store import outbox

    ctx = context(args)
    with ctx.db.read() as tx:
        record = ctx.load(tx, args.name, for_update=False).record
        mails = outbox.find(tx, game_id=record.id, limit=args.last)
        counts = outbox.counts(tx, record.id)
    for mail in reversed(mails):
        at = f"{mail.created_at:%Y-%m-%d %H:%M:%S}"
        print(f"{mail.id:6} {at} {mail.state:8} {mail.recipient:30} {mail.key} {mail.error}")
    print(", ".join(f"{number} {state}" for state, number in counts.items()))
    return 0
