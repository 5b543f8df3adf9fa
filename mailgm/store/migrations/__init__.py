"""The history of the tables, run in code: `upgrade` brings a database of any earlier version to this one."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

from mailgm.engine.said import say
from mailgm.store.errors import StoreError

HEAD = "0003"
"""The newest revision, so that opening an up-to-date database need not load Alembic; a test compares it."""


def revision(connection: Connection) -> str | None:
    """The revision of a database, None for an empty one."""
    if not inspect(connection).has_table("alembic_version"):
        return None
    return connection.execute(text("SELECT version_num FROM alembic_version")).scalar()


def upgrade(connection: Connection, to: str = "head") -> None:
    """Bring the tables to a revision, within the transaction that is open on `connection`.

    Raises StoreError for a database that a newer mailgm has written, or which holds tables of something else.
    """
    from alembic import command
    from alembic.config import Config
    from alembic.script import ScriptDirectory
    from alembic.util import CommandError

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    found = revision(connection)
    if found is None and inspect(connection).has_table("games"):
        raise StoreError(
            say("the database holds a table `games` that mailgm did not make: give mailgm a database of its own")
        )
    try:
        if found is not None:
            ScriptDirectory.from_config(config).get_revision(found)
    except CommandError as error:
        raise StoreError(
            say(
                "the database was last written by a newer mailgm (revision {found}): install that version or a"
                " later one",
                found=found,
            )
        ) from error
    command.upgrade(config, to)
