"""Seats know the other addresses from which their player has written.

Revision ID: 0002
Revises: 0001
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Add `seats.known`, empty for the seats that are there."""
    with op.batch_alter_table("seats") as seats:
        seats.add_column(sa.Column("known", sa.Text(), nullable=False, server_default="[]"))
    with op.batch_alter_table("seats") as seats:
        seats.alter_column("known", server_default=None)


def downgrade() -> None:
    """Take it away again."""
    with op.batch_alter_table("seats") as seats:
        seats.drop_column("known")
