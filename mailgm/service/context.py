"""What every part of the service works with: settings, database, games, words, and the hour."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from typing import Any

from mailgm.config import Config
from mailgm.engine import Game
from mailgm.engine.said import say
from mailgm.engine.saved import load_game
from mailgm.loader import Library, Preset
from mailgm.mail.compose import OutgoingMail, compose
from mailgm.mail.dkim import Signer
from mailgm.render import Renderer
from mailgm.service.directory import Directory, Door, channel_token
from mailgm.service.settings import GameSettings
from mailgm.store import Database, Tx, games, log, seats
from mailgm.store.games import GameRecord
from mailgm.store.seats import Seat

LIVE = ("running", "paused", "held")
ANSWERING = (*LIVE, "over", "stopped", "signup")


def utc_now() -> datetime:
    """The hour, aware."""
    return datetime.now(UTC)


class NotStarted(ValueError):
    """A game whose players are seated and which waits for its start."""

    def __init__(self, name: str) -> None:
        super().__init__(say("the game {name} has not started: mailgm game start {name}", name=name))


@dataclass(frozen=True)
class Live:
    """A game as it is at work: its row, the kernel's game (None before the start), its seats and settings."""

    record: GameRecord
    game: Game | None
    seats: tuple[Seat, ...]
    settings: GameSettings
    preset: Preset

    def seat(self, name: str) -> Seat | None:
        """The seat of a player's name."""
        return next((seat for seat in self.seats if seat.name == name), None)

    def seat_by_id(self, seat_id: int) -> Seat | None:
        """The seat of an id."""
        return next((seat for seat in self.seats if seat.id == seat_id), None)

    @property
    def running(self) -> Game:
        """The kernel's game. Raises NotStarted."""
        if self.game is None:
            raise NotStarted(self.record.name)
        return self.game


@dataclass
class Context:
    """The service's surroundings. `now` gives the hour; games that were loaded are kept until their row changes.

    signer: signs outgoing mail; None where the mail server does. committed: called when a game was committed, and its
    mails can go. faults: what is wrong with a mailbox, as it is stored → the same, still to be told in a language.
    """

    config: Config
    db: Database
    library: Library
    renderer: Renderer
    now: Callable[[], datetime] = utc_now
    signer: Signer | None = None
    committed: Callable[[], None] = lambda: None
    faults: dict[str, str] = field(default_factory=dict)
    _kept: dict[int, Live] = field(default_factory=dict)
    _directory: Directory | None = None

    def write(self, mail: OutgoingMail) -> bytes:
        """A mail as it goes out; the same mail gives the same bytes, its signature included. Raises ValueError."""
        content = compose(mail)
        return self.signer.sign(content, mail.date) if self.signer is not None else content

    def load(self, tx: Tx, name: str, *, for_update: bool = True) -> Live:
        """A game by its name, locked for the transaction. Raises NotFound."""
        known = next((live.record for live in self._kept.values() if live.record.name == name), None)
        return self._live(tx, games.load(tx, name, for_update=for_update, known=known))

    def load_id(self, tx: Tx, game_id: int, *, for_update: bool = True) -> Live:
        """A game by its id, locked for the transaction. Raises NotFound."""
        known = self._kept.get(game_id)
        record = games.load_id(tx, game_id, for_update=for_update, known=known.record if known else None)
        return self._live(tx, record)

    def keep(self, live: Live) -> None:
        """Remember a game as it was committed; to be called after the commit and never before."""
        self._kept[live.record.id] = live
        self.committed()

    def forget(self) -> None:
        """Drop all that was remembered, after a fault."""
        self._kept.clear()
        self._directory = None

    def door(self, tx: Tx, tokens: Sequence[str]) -> tuple[Door, Live] | None:
        """What the tokens of a letter open, with the game behind it, locked; or None."""
        if not tokens:
            return None
        if self._directory is not None and (opened := self._open(tx, self._directory, tokens)):
            return opened
        # A token that is not known yet, or one that has changed hands since the directory was read.
        self._directory = self._read_directory(tx)
        return self._open(tx, self._directory, tokens)

    def _open(self, tx: Tx, directory: Directory, tokens: Sequence[str]) -> tuple[Door, Live] | None:
        door = directory.find(tokens)
        if door is None:
            return None
        live = self.load_id(tx, door.game_id)
        if door.seat_id is None:
            return (door, live) if live.record.gm_token in tokens else None
        seat = live.seat_by_id(door.seat_id)
        # Who has no address of his own plays on the forum: nobody could be told that his token was used.
        if seat is None or not seat.active or not seat.email:
            return None
        return (door, live) if channel_token(seat.token, door.channel) in tokens else None

    def _read_directory(self, tx: Tx) -> Directory:
        found = games.doors(tx)
        channels = {game_id: self.library.preset(variant).variant.channel_ids for game_id, _, variant in found}
        masters = [(game_id, token) for game_id, token, _ in found]
        return Directory(masters, [(*row, channels[row[1]]) for row in seats.doors(tx)])

    def _live(self, tx: Tx, record: GameRecord) -> Live:
        known = self._kept.get(record.id)
        if known is not None and known.record is record:
            return known
        preset = self.library.preset(record.preset or record.variant)
        game = None
        if record.state is not None:
            game = load_game(preset.variant, record.state, log.history(tx, record.id))
        live = Live(record, game, tuple(seats.of_game(tx, record.id)), GameSettings.of(record), preset)
        self._kept[record.id] = live
        return live


def changed(live: Live, **values: Any) -> Live:
    """The same game with other values in its row; nothing is written."""
    return replace(live, record=replace(live.record, **values))
