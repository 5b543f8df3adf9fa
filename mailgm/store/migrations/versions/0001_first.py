"""The first tables."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Make them."""
    op.create_table(
        "answers",
        sa.Column("address_key", sa.String(length=64), nullable=False),
        sa.Column("kind", sa.String(length=32), nullable=False),
        sa.Column("since", sa.DateTime(timezone=True), nullable=False),
        sa.Column("count", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("address_key", "kind", name=op.f("pk_answers")),
    )
    op.create_table(
        "games",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("variant", sa.Text(), nullable=False),
        sa.Column("preset", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("options", sa.Text(), nullable=False),
        sa.Column("settings", sa.Text(), nullable=False),
        sa.Column("gm_address", sa.Text(), nullable=False),
        sa.Column("gm_lang", sa.String(length=8), nullable=False),
        sa.Column("gm_token", sa.String(length=64), nullable=False),
        sa.Column("status", sa.String(length=16), nullable=False),
        sa.Column("seed", sa.String(length=128), nullable=False),
        sa.Column("forced", sa.Text(), nullable=False),
        sa.Column("decoys", sa.Boolean(), nullable=False),
        sa.Column("state", sa.Text(), nullable=True),
        sa.Column("phase_key", sa.Text(), nullable=False),
        sa.Column("phase_opened_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("deadline", sa.DateTime(timezone=True), nullable=True),
        sa.Column("remaining", sa.Float(), nullable=True),
        sa.Column("reminders", sa.Text(), nullable=False),
        sa.Column("wake_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("inputs", sa.Integer(), nullable=False),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("version", sa.Integer(), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("updated_at", sa.DateTime(timezone=True), nullable=False),
        sa.CheckConstraint(
            "status IN ('signup', 'running', 'paused', 'held', 'over', 'stopped')", name=op.f("ck_games_status_known")
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_games")),
        sa.UniqueConstraint("gm_token", name=op.f("uq_games_gm_token")),
        sa.UniqueConstraint("name", name=op.f("uq_games_name")),
    )
    op.create_index(op.f("ix_games_wake_at"), "games", ["wake_at"])
    op.create_table(
        "mailboxes",
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("read_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("failed_at", sa.DateTime(timezone=True), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_mailboxes")),
    )
    op.create_table(
        "marks",
        sa.Column("name", sa.String(length=80), nullable=False),
        sa.Column("value", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_marks")),
    )
    op.create_table(
        "notices",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("kind", sa.Text(), nullable=False),
        sa.Column("audience", sa.Text(), nullable=False),
        sa.Column("data", sa.Text(), nullable=False),
        sa.Column("phase_key", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.CheckConstraint("state IN ('told', 'waiting', 'withdrawn')", name=op.f("ck_notices_state_known")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_notices_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_notices")),
        sa.UniqueConstraint("game_id", "n", "place", name=op.f("uq_notices_game_id_n_place")),
    )
    op.create_index(op.f("ix_notices_game_id_state"), "notices", ["game_id", "state"])
    op.create_table(
        "seats",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("place", sa.Integer(), nullable=False),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("email", sa.Text(), nullable=False),
        sa.Column("lang", sa.String(length=8), nullable=False),
        sa.Column("zone", sa.String(length=64), nullable=False),
        sa.Column("token", sa.String(length=64), nullable=False),
        sa.Column("active", sa.Boolean(), nullable=False),
        sa.Column("address_state", sa.String(length=16), nullable=False),
        sa.Column("forum", sa.Boolean(), nullable=False),
        sa.Column("former", sa.Text(), nullable=False),
        sa.CheckConstraint("address_state IN ('ok', 'bouncing')", name=op.f("ck_seats_address_state_known")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_seats_game_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_seats")),
        sa.UniqueConstraint("game_id", "name", name=op.f("uq_seats_game_id_name")),
        sa.UniqueConstraint("game_id", "place", name=op.f("uq_seats_game_id_place")),
        sa.UniqueConstraint("token", name=op.f("uq_seats_token")),
    )
    op.create_index(op.f("ix_seats_email"), "seats", ["email"])
    op.create_table(
        "snapshots",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("input_n", sa.Integer(), nullable=False),
        sa.Column("plain", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_snapshots_game_id")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_snapshots")),
    )
    op.create_table(
        "letters",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("mailbox", sa.Text(), nullable=False),
        sa.Column("uidvalidity", sa.BigInteger(), nullable=False),
        sa.Column("uid", sa.Text(), nullable=False),
        sa.Column("content_key", sa.String(length=64), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("arrived_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("stored_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("raw", sa.LargeBinary(), nullable=False),
        sa.Column("size", sa.Integer(), nullable=False),
        sa.Column("oversized", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("code", sa.Text(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=True),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("settled_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint("state IN ('stored', 'handled', 'aside')", name=op.f("ck_letters_state_known")),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_letters_game_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_letters_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_letters")),
        sa.UniqueConstraint("content_key", name=op.f("uq_letters_content_key")),
    )
    op.create_index(op.f("ix_letters_message_id"), "letters", ["message_id"])
    op.create_index(op.f("ix_letters_state_arrived_at_id"), "letters", ["state", "arrived_at", "id"])
    op.create_table(
        "inputs",
        sa.Column("game_id", sa.Integer(), nullable=False),
        sa.Column("n", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(length=16), nullable=False),
        sa.Column("payload", sa.Text(), nullable=False),
        sa.Column("who", sa.Text(), nullable=False),
        sa.Column("why", sa.Text(), nullable=False),
        sa.Column("at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("rules_version", sa.Text(), nullable=False),
        sa.Column("verdicts", sa.Text(), nullable=False),
        sa.Column("phase_key", sa.Text(), nullable=False),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_inputs_game_id")),
        sa.ForeignKeyConstraint(["letter_id"], ["letters.id"], name=op.f("fk_inputs_letter_id")),
        sa.PrimaryKeyConstraint("game_id", "n", name=op.f("pk_inputs")),
    )
    op.create_table(
        "mails",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("key", sa.Text(), nullable=False),
        sa.Column("message_id", sa.Text(), nullable=False),
        sa.Column("game_id", sa.Integer(), nullable=True),
        sa.Column("seat_id", sa.Integer(), nullable=True),
        sa.Column("letter_id", sa.Integer(), nullable=True),
        sa.Column("recipient", sa.Text(), nullable=False),
        sa.Column("sender", sa.Text(), nullable=False),
        sa.Column("subject", sa.Text(), nullable=False),
        sa.Column("in_reply_to", sa.Text(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("hold", sa.String(length=32), nullable=False),
        sa.Column("state", sa.String(length=16), nullable=False),
        sa.Column("created_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("next_try_at", sa.DateTime(timezone=True), nullable=False),
        sa.Column("attempts", sa.Integer(), nullable=False),
        sa.Column("claimed_by", sa.String(length=64), nullable=False),
        sa.Column("error", sa.Text(), nullable=False),
        sa.Column("sent_at", sa.DateTime(timezone=True), nullable=True),
        sa.CheckConstraint(
            "state IN ('held', 'queued', 'claimed', 'sent', 'failed', 'dropped')", name=op.f("ck_mails_state_known")
        ),
        sa.ForeignKeyConstraint(["game_id"], ["games.id"], name=op.f("fk_mails_game_id")),
        sa.ForeignKeyConstraint(["letter_id"], ["letters.id"], name=op.f("fk_mails_letter_id")),
        sa.ForeignKeyConstraint(["seat_id"], ["seats.id"], name=op.f("fk_mails_seat_id")),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_mails")),
        sa.UniqueConstraint("key", name=op.f("uq_mails_key")),
        sa.UniqueConstraint("message_id", name=op.f("uq_mails_message_id")),
    )
    op.create_index(op.f("ix_mails_game_id_state"), "mails", ["game_id", "state"])
    op.create_index(op.f("ix_mails_recipient_state_next_try_at"), "mails", ["recipient", "state", "next_try_at"])
    op.create_index(op.f("ix_mails_state_next_try_at_id"), "mails", ["state", "next_try_at", "id"])
