"""Games: one row each, one writer at a time, and the question of what is due."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from operator import attrgetter
from typing import Any

from sqlalchemy import Connection, bindparam, func, insert, select, update
from sqlalchemy.exc import IntegrityError

from mailgm.engine.said import say
from mailgm.store.errors import NotFound, StaleRecord, StoreError
from mailgm.store.models import games
from mailgm.store.prepared import Prepared
from mailgm.store.rows import columns, record, values

_SWEPT = ("signup", "running", "paused", "held")


@dataclass(frozen=True, slots=True)
class GameRecord:
    """A game as it is stored. Change it with `dataclasses.replace`, then `save` it.

    name:       unique, as it stands in commands and addresses. preset: "" where the variant's own options hold.
    zone:       IANA name; lang, gm_lang: "fr" or "en".
    settings:   the shell's: calendar, table mode, review…
    gm_token:   the secret of the game master's reply address; it may change.
    marks_key:  the secret from which Message-IDs and the marks of stages are made; it never changes.
    status:     "signup", "running", "paused" (by the game master), "held" (by the service, after an outage), "over",
                "stopped".
    seed:       secret until the end; in hex. forced, decoys: as engine.game.start takes them.
    state:      the kernel's game (engine.saved.dump_game), None before the start.
    phase_key, phase_opened_at, deadline: of the running phase; "" and None without one.
    remaining:  seconds that were left when the clock stopped.
    reminders:  hours still to come at which to remind, ISO 8601 in UTC.
    wake_at:    when the sweep must look at this game next (reminder, deadline, review, digest); None: never.
    inputs:     how many inputs the log holds; the next one is `inputs + 1`.
    version:    counts the writes; `save` checks it. id, version: given by the store.
    """

    name: str
    variant: str
    gm_address: str
    gm_token: str
    marks_key: str
    seed: str
    preset: str = ""
    lang: str = "fr"
    zone: str = "Europe/Paris"
    options: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Any] = field(default_factory=dict)
    gm_lang: str = "fr"
    status: str = "signup"
    forced: Mapping[str, Any] = field(default_factory=dict)
    decoys: bool = False
    state: Mapping[str, Any] | None = None
    phase_key: str = ""
    phase_opened_at: datetime | None = None
    deadline: datetime | None = None
    remaining: float | None = None
    reminders: Sequence[str] = field(default_factory=list)
    wake_at: datetime | None = None
    inputs: int = 0
    rules_version: str = ""
    id: int = 0
    version: int = 0
    created_at: datetime | None = None
    updated_at: datetime | None = None

    def __repr__(self) -> str:
        # A record ends up in logs; its secrets and its state must not.
        return (
            f"GameRecord({self.name!r}, id={self.id}, {self.status}, phase={self.phase_key!r}, version={self.version})"
        )


_FIELDS = [field.name for field in dataclasses.fields(GameRecord)]
_fields = attrgetter(*_FIELDS)
_UNCHANGED = Prepared(
    lambda dialect: update(games).where(games.c.id == bindparam("game"), games.c.version == bindparam("seen"))
)


def create(tx: Connection, game: GameRecord, now: datetime) -> GameRecord:
    """Store a new game; give it with its id. Raises StoreError for a name that is taken."""
    game = dataclasses.replace(game, version=1, created_at=now, updated_at=now)
    try:
        # Within a savepoint, so that the transaction can go on after a name that is taken.
        with tx.begin_nested():
            new = tx.execute(insert(games).values(values(game, "id")).returning(games.c.id)).scalar_one()
    except IntegrityError as error:
        raise StoreError(say("there is already a game called {name}", name=game.name)) from error
    return dataclasses.replace(game, id=new)


def load(tx: Connection, name: str, *, for_update: bool = False, known: GameRecord | None = None) -> GameRecord:
    """Load a game by its name. Raises NotFound.

    for_update: lock its row to the end of the transaction, so that nobody else writes the game (SQLite has one writer
                anyway). known: a record read earlier; given back as it is if nothing has changed since, which saves
                reading the state.
    """
    return _load(tx, "name", name, for_update, known)


def load_id(tx: Connection, game_id: int, *, for_update: bool = False, known: GameRecord | None = None) -> GameRecord:
    """Load a game by its id, as `load` does."""
    return _load(tx, "id", game_id, for_update, known)


def _load(tx: Connection, key: str, which: Any, for_update: bool, known: GameRecord | None) -> GameRecord:
    if known is not None:
        brief = _brief(key, for_update).rows(tx, {"which": which})
        if [tuple(row) for row in brief] == [(known.id, known.version)]:
            return known
    query = select(*columns(GameRecord, games)).where(games.c[key] == which)
    found = tx.execute(query.with_for_update() if for_update else query).first()
    if found is None:
        raise NotFound(say("there is no game {which!r}", which=which))
    return record(GameRecord, found)


@cache
def _brief(key: str, for_update: bool) -> Prepared:
    query = select(games.c.id, games.c.version).where(games.c[key] == bindparam("which"))
    return Prepared(lambda dialect: query.with_for_update() if for_update else query)


def save(tx: Connection, game: GameRecord, now: datetime, *, known: GameRecord | None = None) -> GameRecord:
    """Write a game that was loaded as this version; give it with its new one.

    known: the record as it was loaded; only what differs from it is written then.
    Raises StaleRecord where somebody else has written it since it was loaded.
    """
    saved = dataclasses.replace(game, version=game.version + 1, updated_at=now)
    if known is None:
        new = values(saved, "id", "created_at")
    else:
        pairs = zip(_FIELDS, _fields(saved), _fields(known), strict=True)
        new = {name: value for name, value, old in pairs if value is not old and value != old}
    if _UNCHANGED.change(tx, {"game": game.id, "seen": game.version, **new}) != 1:
        raise StaleRecord(say("the game {name} was changed meanwhile; load it again", name=game.name))
    return saved


def every(tx: Connection, *statuses: str) -> list[GameRecord]:
    """All games, or those of the given statuses, in the order of their creation."""
    query = select(*columns(GameRecord, games)).order_by(games.c.id)
    if statuses:
        query = query.where(games.c.status.in_(statuses))
    return [record(GameRecord, row) for row in tx.execute(query)]


def doors(tx: Connection) -> list[tuple[int, str, str]]:
    """(id, the game master's token, variant) of every game."""
    return [tuple(row) for row in tx.execute(select(games.c.id, games.c.gm_token, games.c.variant))]


def by_gm_token(tx: Connection, token: str) -> GameRecord | None:
    """The game whose game master has this token, or None."""
    found = tx.execute(select(*columns(GameRecord, games)).where(games.c.gm_token == token)).first()
    return record(GameRecord, found) if found else None


def due(tx: Connection, now: datetime) -> list[str]:
    """The names of the games that the sweep must look at, the longest overdue first."""
    which = games.c.status.in_(_SWEPT) & (games.c.wake_at <= now)
    return list(tx.execute(select(games.c.name).where(which).order_by(games.c.wake_at, games.c.id)).scalars())


def next_wake(tx: Connection) -> datetime | None:
    """When the sweep must look next (aware; it may be past), or None."""
    return tx.execute(select(func.min(games.c.wake_at)).where(games.c.status.in_(_SWEPT))).scalar()
