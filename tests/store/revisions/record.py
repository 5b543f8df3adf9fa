"""Writes the rows of a small game in the tables of today, to be kept beside a new revision:

python -m tests.store.revisions.record tests/store/revisions/0002.json
"""

from __future__ import annotations

import base64
import json
import sys
import tempfile
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from sqlalchemy import MetaData, select

from mailgm.engine import Input, Outcome, apply, start
from mailgm.engine.plain import dump
from mailgm.engine.saved import dump_game
from mailgm.mail.inbox import RawLetter
from mailgm.store import Database, Tx, games, letters, limits, log, mailboxes, open_database, outbox, seats
from mailgm.store.models import metadata
from tests.store.lighthouse import Lighthouse

NOW = datetime(2026, 12, 1, 20, tzinfo=UTC)


def record(database: Database) -> dict[str, list[dict[str, Any]]]:
    """Play two nights of the lighthouse into a database; give all its rows, as JSON values."""
    with database.write() as tx:
        _play(tx)
    with database.read() as tx:
        # Reflected, and so without our own column types: the rows as the database holds them.
        found = MetaData()
        found.reflect(tx, only=list(metadata.tables))
        return {
            table.name: [dict(row) for row in tx.execute(select(table)).mappings()] for table in found.sorted_tables
        }


def _play(tx: Tx) -> None:
    names = ("Ana", "Bob", "Chloé")
    game = games.create(tx, games.GameRecord("phare", "phare", "mj@jeu.example", "gmtoken", "marks", "ab" * 32), NOW)
    seats.add(tx, [seats.Seat(game.id, n, name, f"p{n}@jeu.example", f"token{n}") for n, name in enumerate(names, 1)])
    outcome = start(Lighthouse(), names, {}, game.seed, forced={"night-1.out": "Ana"})
    log.save_history(tx, game.id, (), outcome.game.history, n=0)
    inputs = [Input("message", "Bob", "garder Bob"), Input("deadline"), Input("message", "Chloé", "garder Bob")]
    for n, given in enumerate(inputs, start=1):
        before, outcome = outcome, apply(outcome.game, given)
        letter = _letter(tx, n, given.text) if given.kind == "message" else None
        _log(tx, game.id, n, given, outcome, letter)
        log.save_history(tx, game.id, before.game.history, outcome.game.history, n=n)
    later = NOW + timedelta(days=1)
    games.save(
        tx,
        replace(
            game,
            status="running",
            state=dump_game(outcome.game),
            phase_key=outcome.game.key,
            phase_opened_at=NOW,
            deadline=later,
            wake_at=later,
            inputs=len(inputs),
            rules_version="1",
        ),
        NOW,
    )
    letters.store(tx, [_raw(9, "garder Ana")], NOW)
    mail = [
        outbox.NewMail(
            f"{n}", f"<{n}@jeu.example>", "p2@jeu.example", "jeu@jeu.example", b"Subject: x\r\n\r\ny", game_id=1
        )
        for n in (1, 2)
    ]
    sent, _queued = outbox.queue(tx, mail, NOW)
    outbox.mark_sent(tx, [sent], NOW)
    limits.allow(tx, "p2@jeu.example", "reply", NOW, most=9, window=timedelta(hours=1))
    mailboxes.drained(tx, "imap://jeu@mail.example/INBOX", NOW, 7)
    mailboxes.set_mark(tx, "swept", NOW.isoformat())


def _raw(n: int, text: str) -> RawLetter:
    raw = f"Message-ID: <{n}@phone.example>\r\n\r\n{text}\r\n".encode()
    return RawLetter("imap://jeu@mail.example/INBOX", 7, str(n), NOW + timedelta(minutes=n), raw, False)


def _letter(tx: Tx, n: int, text: str) -> int:
    [one] = letters.store(tx, [_raw(n, text)], NOW)
    letters.settle(tx, one, "orders", NOW, sender="p2@jeu.example", detail={}, game_id=1)
    return one


def _log(tx: Tx, game_id: int, n: int, given: Input, outcome: Outcome, letter: int | None) -> None:
    who = given.player or "clock"
    log.add(tx, log.LoggedInput(game_id, n, given.kind, dump(given), who, NOW, outcome.game.key, "1", letter_id=letter))
    new = [log.NewNotice(notice.kind, notice.audience, dump(notice.data)) for notice in outcome.notices]
    log.tell(tx, game_id, n, new, phase_key=outcome.game.key, at=NOW)


def _plain(value: Any) -> Any:
    return base64.b64encode(value).decode() if isinstance(value, bytes) else value.replace(tzinfo=UTC).isoformat()


if __name__ == "__main__":
    with tempfile.TemporaryDirectory() as folder:
        opened = open_database(f"sqlite:///{folder}/games.sqlite")
        Path(sys.argv[1]).write_text(json.dumps(record(opened), indent=1, default=_plain) + "\n")
        opened.close()
