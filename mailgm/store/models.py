"""The tables. What is stored where, and why each index and constraint is there.

A change here needs a migration (mailgm/store/migrations); a test compares the two.
"""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    CheckConstraint,
    Column,
    Float,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    UniqueConstraint,
    text,
)

from mailgm.store.columns import Json, Packed, Utc, Words

metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
        "ck": "ck_%(table_name)s_%(constraint_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)


def _one_of(column: str, *values: str) -> CheckConstraint:
    return CheckConstraint(f"{column} IN ({', '.join(repr(value) for value in values)})", name=f"{column}_known")


GAME_STATUS = ("signup", "running", "paused", "held", "over", "stopped")
LETTER_STATE = ("stored", "handled", "aside")
MAIL_STATE = ("held", "queued", "claimed", "sent", "failed", "dropped")
NOTICE_STATE = ("told", "waiting", "withdrawn")
ADDRESS_STATE = ("ok", "bouncing")

games = Table(
    "games",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", String(80), nullable=False, unique=True),
    Column("variant", Words, nullable=False),
    Column("preset", Words, nullable=False),
    Column("lang", String(8), nullable=False),
    Column("zone", String(64), nullable=False),
    Column("options", Json, nullable=False),
    Column("settings", Json, nullable=False),
    Column("gm_address", Words, nullable=False),
    Column("gm_lang", String(8), nullable=False),
    Column("gm_token", String(64), nullable=False, unique=True),
    Column("marks_key", String(64), nullable=False, server_default=text("''")),
    Column("status", String(16), nullable=False),
    Column("seed", String(128), nullable=False),
    Column("forced", Json, nullable=False),
    Column("decoys", Boolean, nullable=False),
    Column("state", Json),
    Column("phase_key", Words, nullable=False),
    Column("phase_opened_at", Utc),
    Column("deadline", Utc),
    Column("remaining", Float),
    Column("reminders", Json, nullable=False),
    Column("wake_at", Utc),
    Column("inputs", Integer, nullable=False),
    Column("rules_version", Words, nullable=False),
    Column("version", Integer, nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("updated_at", Utc, nullable=False),
    _one_of("status", *GAME_STATUS),
    # The sweep asks "what is due?" of all games at once.
    Index(None, "wake_at"),
)

seats = Table(
    "seats",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", Integer, ForeignKey("games.id"), nullable=False),
    Column("place", Integer, nullable=False),
    Column("name", Words, nullable=False),
    Column("email", Words, nullable=False),
    Column("lang", String(8), nullable=False),
    Column("zone", String(64), nullable=False),
    Column("token", String(64), nullable=False, unique=True),
    Column("active", Boolean, nullable=False),
    Column("address_state", String(16), nullable=False),
    Column("forum", Boolean, nullable=False),
    Column("former", Json, nullable=False),
    Column("known", Json, nullable=False),
    UniqueConstraint("game_id", "place"),
    UniqueConstraint("game_id", "name"),
    _one_of("address_state", *ADDRESS_STATE),
    Index(None, "email"),
)

letters = Table(
    "letters",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("mailbox", Words, nullable=False),
    Column("uidvalidity", BigInteger, nullable=False),
    Column("uid", Words, nullable=False),
    Column("content_key", String(64), nullable=False, unique=True),
    Column("message_id", Words, nullable=False),
    Column("arrived_at", Utc, nullable=False),
    Column("stored_at", Utc, nullable=False),
    Column("raw", Packed, nullable=False),
    Column("size", Integer, nullable=False),
    Column("oversized", Boolean, nullable=False),
    Column("state", String(16), nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("sender", Words, nullable=False),
    Column("code", Words, nullable=False),
    Column("detail", Json),
    Column("game_id", Integer, ForeignKey("games.id")),
    Column("seat_id", Integer, ForeignKey("seats.id")),
    Column("error", Words, nullable=False),
    Column("settled_at", Utc),
    _one_of("state", *LETTER_STATE),
    Index(None, "state", "arrived_at", "id"),
    Index(None, "message_id"),
)

inputs = Table(
    "inputs",
    metadata,
    Column("game_id", Integer, ForeignKey("games.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("kind", String(16), nullable=False),
    Column("payload", Json, nullable=False),
    Column("who", Words, nullable=False),
    Column("why", Words, nullable=False),
    Column("at", Utc, nullable=False),
    Column("letter_id", Integer, ForeignKey("letters.id")),
    Column("rules_version", Words, nullable=False),
    Column("verdicts", Json, nullable=False),
    Column("phase_key", Words, nullable=False),
)

notices = Table(
    "notices",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("game_id", Integer, ForeignKey("games.id"), nullable=False),
    Column("n", Integer, nullable=False),
    Column("place", Integer, nullable=False),
    Column("kind", Words, nullable=False),
    Column("audience", Json, nullable=False),
    Column("data", Json, nullable=False),
    Column("phase_key", Words, nullable=False),
    Column("at", Utc, nullable=False),
    Column("state", String(16), nullable=False),
    UniqueConstraint("game_id", "n", "place"),
    _one_of("state", *NOTICE_STATE),
    Index(None, "game_id", "state"),
)

snapshots = Table(
    "snapshots",
    metadata,
    Column("game_id", Integer, ForeignKey("games.id"), primary_key=True),
    Column("n", Integer, primary_key=True),
    Column("key", Words, nullable=False),
    Column("input_n", Integer, nullable=False),
    Column("plain", Json, nullable=False),
)

mails = Table(
    "mails",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("key", Words, nullable=False, unique=True),
    Column("message_id", Words, nullable=False, unique=True),
    Column("game_id", Integer, ForeignKey("games.id")),
    Column("seat_id", Integer, ForeignKey("seats.id")),
    Column("letter_id", Integer, ForeignKey("letters.id")),
    Column("recipient", Words, nullable=False),
    Column("sender", Words, nullable=False),
    Column("subject", Words, nullable=False),
    Column("in_reply_to", Words, nullable=False),
    Column("content", Packed, nullable=False),
    Column("hold", String(32), nullable=False),
    Column("state", String(16), nullable=False),
    Column("created_at", Utc, nullable=False),
    Column("next_try_at", Utc, nullable=False),
    Column("attempts", Integer, nullable=False),
    Column("claimed_by", String(64), nullable=False),
    Column("error", Words, nullable=False),
    Column("sent_at", Utc),
    _one_of("state", *MAIL_STATE),
    Index(None, "state", "next_try_at", "id"),
    # Whether an earlier mail to the same person is still on its way.
    Index(None, "recipient", "state", "next_try_at"),
    Index(None, "game_id", "state"),
)

answers = Table(
    "answers",
    metadata,
    Column("address_key", String(64), primary_key=True),
    Column("kind", String(32), primary_key=True),
    Column("since", Utc, nullable=False),
    Column("count", Integer, nullable=False),
)

mailboxes = Table(
    "mailboxes",
    metadata,
    Column("name", Words, primary_key=True),
    Column("uidvalidity", BigInteger, nullable=False),
    Column("read_at", Utc),
    Column("failed_at", Utc),
    Column("error", Words, nullable=False),
)

marks = Table(
    "marks",
    metadata,
    Column("name", String(80), primary_key=True),
    Column("value", Json, nullable=False),
)
