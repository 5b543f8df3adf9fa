"""The tables' history: it ends where the models are, and takes a game along from every revision."""

from __future__ import annotations

import base64
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import CheckConstraint, DateTime, LargeBinary, MetaData, Table, insert, inspect

from mailgm.engine.saved import load_game
from mailgm.store import Database, games, letters, log, migrations, open_database, outbox, seats
from mailgm.store.database import connect
from mailgm.store.models import metadata
from tests.store.lighthouse import Lighthouse

REVISIONS = Path(__file__).parent / "revisions"
SCRIPTS = ScriptDirectory(str(Path(migrations.__file__).parent))
ALL = [script.revision for script in SCRIPTS.walk_revisions()]


def test_models_and_migrations_agree(database: Database) -> None:
    with database.read() as tx:
        context = MigrationContext.configure(tx, opts={"compare_type": True, "compare_server_default": True})
        assert compare_metadata(context, metadata) == []


def test_every_check_of_the_models_is_in_the_database(database: Database) -> None:
    """Alembic does not compare check constraints."""
    with database.read() as tx:
        inspector = inspect(tx)
        for table in metadata.sorted_tables:
            wanted = {str(one.sqltext) for one in table.constraints if isinstance(one, CheckConstraint)}
            found = {one["sqltext"] for one in inspector.get_check_constraints(table.name)}
            assert len(found) == len(wanted), table.name
            if tx.dialect.name == "sqlite":
                assert found == wanted


def test_the_newest_revision_is_the_one_that_opening_looks_for() -> None:
    assert SCRIPTS.get_current_head() == migrations.HEAD


@pytest.mark.parametrize("revision", ALL)
def test_a_game_of_an_older_revision_goes_on(database_url: str, revision: str) -> None:
    """The rows were written when the revision was new (tests/store/revisions/record.py)."""
    _write(database_url, revision, json.loads((REVISIONS / f"{revision}.json").read_text()))
    database = open_database(database_url)
    with database.write() as tx:
        record = games.load(tx, "phare", for_update=True)
        game = load_game(Lighthouse(), record.state or {}, log.history(tx, record.id))
        assert record.status == "running"
        assert (game.key, game.state.lit) == ("night-2", ("Bob", "Chloé"))
        assert [one.player for one in game.standing] == ["Chloé"]
        assert [seat.name for seat in seats.of_game(tx, record.id)] == ["Ana", "Bob", "Chloé"]
        assert [one.n for one in log.read(tx, record.id)] == list(range(1, record.inputs + 1))
        assert "lamp.out" in [one.kind for one in log.told_to(tx, record.id, ["Bob"])]
        assert letters.counts(tx) == {"handled": 2, "stored": 1}
        assert outbox.counts(tx) == {"queued": 1, "sent": 1}
        assert letters.begin(tx, record.created_at or datetime.max).letters[0].raw.endswith(b"garder Ana\r\n")
        games.save(tx, record, record.updated_at or datetime.max)
    database.close()


def _write(url: str, revision: str, rows: dict[str, list[dict[str, Any]]]) -> None:
    """Make the tables of a revision and put the rows in that were recorded with it."""
    database = connect(url)
    with database.write() as tx:
        migrations.upgrade(tx, revision)
        found = MetaData()
        found.reflect(tx)
        for table in found.sorted_tables:
            if rows.get(table.name):
                tx.execute(insert(table), [_typed(table, row) for row in rows[table.name]])
        assert migrations.revision(tx) == revision
    database.close()


def _typed(table: Table, row: dict[str, Any]) -> dict[str, Any]:
    typed = {}
    for name, value in row.items():
        kind = table.c[name].type
        if value is not None and isinstance(kind, LargeBinary):
            value = base64.b64decode(value)
        elif value is not None and isinstance(kind, DateTime):
            value = datetime.fromisoformat(value)
        typed[name] = value
    return typed


def test_every_revision_has_its_recorded_game() -> None:
    assert sorted(path.stem for path in REVISIONS.glob("*.json")) == sorted(ALL)
