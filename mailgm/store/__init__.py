"""The store: games, letters, mails and logs in SQLite or PostgreSQL.

    database = open_database("sqlite:///mailgm.sqlite")
    with database.write() as tx:          # all of it or nothing, one commit
        game = games.load(tx, "manoir", for_update=True)
        ...
        games.save(tx, replace(game, state=…), now)

Functions take the transaction first and never commit. Every datetime that goes in or comes out is aware. Nothing but
this package writes SQL. Errors: mailgm.store.errors.
"""

from __future__ import annotations

from mailgm.store.database import Database, Tx, open_database
from mailgm.store.errors import DatabaseAway, NotFound, StaleRecord, StoreError

__all__ = ["Database", "DatabaseAway", "NotFound", "StaleRecord", "StoreError", "Tx", "open_database"]
