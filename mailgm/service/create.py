"""Making a game: settings, options and players checked together, seats with their secrets, and the start."""

from __future__ import annotations

import secrets
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine import GM, SetupError, check_players, start
from mailgm.engine.names import name_warnings
from mailgm.engine.plain import dump
from mailgm.engine.said import joined, say, sentence
from mailgm.mail.compose import address
from mailgm.mail.tokens import new_token
from mailgm.service.context import Context, Live
from mailgm.service.players import LANGUAGES, SignUp, known_zone
from mailgm.service.settings import GameSettings, SettingsError
from mailgm.service.turn import Cause, commit
from mailgm.store import Tx, games, seats
from mailgm.store.games import GameRecord
from mailgm.store.seats import Seat

SEED_BYTES = 32


class NewGameError(ValueError):
    """A game that cannot be made; `faults` lists all that is wrong, each with its key and what would be right."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(joined(faults))
        self.faults = list(faults)


@dataclass(frozen=True)
class NewGame:
    """What a game master asks for.

    name: letters, digits and hyphens; stands in commands. game: a variant's or preset's id.
    settings: see GameSettings.
    deal, forced, seed: for demonstrations and tests only; a real game draws its seed.
    """

    name: str
    game: str
    players: Sequence[SignUp]
    gm_address: str
    lang: str = "fr"
    zone: str = "Europe/Paris"
    gm_lang: str = ""
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    deal: Mapping[str, Any] = field(default_factory=dict)
    forced: Mapping[str, Any] = field(default_factory=dict)
    seed: str = ""
    decoys: bool = True


def create(ctx: Context, new: NewGame) -> tuple[Live, list[str]]:
    """Store a game with its seats, ready to start; also warnings about names that are words of the game.

    Raises NewGameError that lists every fault, UnknownVariant for a game that does not exist.
    """
    preset = ctx.library.preset(new.game)
    faults = _faults(new)
    names = [player.name for player in new.players]
    options = {key: value for key, value in {**preset.options, **new.options}.items() if key != "title"}
    try:
        check_players(preset.variant, names)
        # A set-up tried and thrown away: what it refuses must be heard now and not at the start.
        start(preset.variant, names, options, "0" * 64, deal=new.deal, decoys=new.decoys)
    except SetupError as error:
        faults.append(sentence(error))
    if faults:
        raise NewGameError(faults)
    record = GameRecord(
        name=new.name,
        variant=preset.variant.id,
        preset=preset.id if preset.id != preset.variant.id else "",
        gm_address=address(new.gm_address),
        gm_token=new_token(),
        marks_key=new_token(),
        gm_lang=new.gm_lang or new.lang,
        seed=new.seed or secrets.token_hex(SEED_BYTES),
        lang=new.lang,
        zone=new.zone,
        options=dump(options),
        settings=dict(new.settings),
        forced={"deal": dump(dict(new.deal)), "dice": dump(dict(new.forced))},
        decoys=new.decoys,
    )
    with ctx.db.write() as tx:
        record = games.create(tx, record, ctx.now())
        seats.add(tx, [_seat(record, place, player) for place, player in enumerate(new.players, 1)])
        live = ctx.load(tx, record.name)
    warnings: list[str] = [
        say("{name}: {clash!r} is a word of the game", name=name, clash=clash)
        for name, _, clash in name_warnings(preset.variant.spec, names)
    ]
    return live, warnings


def _seat(record: GameRecord, place: int, player: SignUp) -> Seat:
    return Seat(
        game_id=record.id,
        place=place,
        name=player.name,
        email=player.email,
        lang=player.lang,
        zone=player.zone,
        forum=player.forum,
        token=new_token(),
    )


def _faults(new: NewGame) -> list[str]:
    faults: list[str] = []
    if not new.name or not all(char.isalnum() or char in "-_" for char in new.name) or len(new.name) > 60:
        faults.append(say("name: {name!r} is not made of letters, digits and hyphens (like manoir-1)", name=new.name))
    try:
        address(new.gm_address)
    except ValueError as error:
        faults.append(say("gm: {error}", error=error))
    if not known_zone(new.zone):
        faults.append(say("zone: {zone!r} is not a time zone (like Europe/Paris)", zone=new.zone))
        return faults
    for key, lang in (("lang", new.lang), ("gm_lang", new.gm_lang or new.lang)):
        if lang not in LANGUAGES:
            faults.append(say("{key}: {lang!r} is none of {names}", key=key, lang=lang, names=", ".join(LANGUAGES)))
    try:
        GameSettings.read(new.settings, new.zone)
    except SettingsError as error:
        faults.append(sentence(error))
    return faults


def begin(ctx: Context, name: str) -> Live:
    """Start a game: roles go out, the first phase opens. Raises NotFound, NewGameError if it has started already."""
    with ctx.db.write() as tx:
        live = ctx.load(tx, name)
        if live.record.status != "signup":
            raise NewGameError([say("{name} has already started", name=name)])
        live = _begin(ctx, tx, live)
    ctx.keep(live)
    return live


def _begin(ctx: Context, tx: Tx, live: Live) -> Live:
    record = live.record
    names = [seat.name for seat in live.seats]
    outcome = start(
        live.preset.variant,
        names,
        record.options,
        record.seed,
        deal=record.forced.get("deal", {}),
        forced=record.forced.get("dice", {}),
        decoys=record.decoys,
    )
    logged = {"kind": "start", "players": names, "via": "shell"}
    return commit(ctx, tx, live, outcome, logged, Cause(GM, ctx.now(), via="shell"), n=0)
