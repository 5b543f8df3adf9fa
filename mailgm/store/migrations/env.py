"""Alembic's entry point: runs the revisions on the connection that `upgrade` hands over."""

from __future__ import annotations

from alembic import context

from mailgm.store.models import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite can only add columns; what else changes is done by copying the table.
    render_as_batch=True,
    # All or nothing on SQLite too: open_database begins its transactions itself, as SQLite needs for that.
    transactional_ddl=True,
)
with context.begin_transaction():
    context.run_migrations()
