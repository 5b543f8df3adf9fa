"""What Message-IDs are made from is no longer the game master's token, so that he can have another one.

Revision ID: 0003
Revises: 0002
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add `games.marks_key`; the games that are there keep the Message-IDs and marks of their mails."""
    # The default stays: to take it away SQLite would copy the table, to which others refer.
    op.add_column("games", sa.Column("marks_key", sa.String(length=64), nullable=False, server_default=sa.text("''")))
    op.execute("UPDATE games SET marks_key = gm_token")


def downgrade() -> None:
    """Take it away again."""
    op.drop_column("games", "marks_key")
