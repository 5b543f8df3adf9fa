"""Column types that behave alike on SQLite and PostgreSQL."""

from __future__ import annotations

import json
import re
import zlib
from datetime import UTC, datetime
from typing import Any

from sqlalchemy import DateTime, Dialect, LargeBinary, Text
from sqlalchemy.types import TypeDecorator

WORTH_PACKING = 8_192
"""Bytes. What is shorter is packed no faster than the disk writes it, and nearly all mail is shorter."""

_to_json = json.JSONEncoder(separators=(",", ":"), allow_nan=False).encode
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")


class Utc(TypeDecorator[datetime]):
    """An instant: aware datetimes of any zone go in, aware UTC datetimes come out; a naive one raises ValueError."""

    impl = DateTime(timezone=True)
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError(f"naive time: {value!r}; give an aware datetime")
        value = value.astimezone(UTC)
        # SQLite keeps times as text without a zone, which sorts and compares as it should only in one zone.
        return value.replace(tzinfo=None) if dialect.name == "sqlite" else value

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:
        if value is None:
            return None
        return value.replace(tzinfo=UTC) if value.tzinfo is None else value.astimezone(UTC)


class Json(TypeDecorator[Any]):
    """Plain values as JSON text, their keys in the order given: what is read back is written again byte for byte.

    Not JSONB, which sorts keys; ASCII, since NUL and lone surrogates, which a mail may hold, are no text to PostgreSQL.
    """

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: Any, dialect: Dialect) -> str | None:
        return None if value is None else _to_json(value)

    def process_result_value(self, value: str | None, dialect: Dialect) -> Any:
        return None if value is None else json.loads(value)


class Words(TypeDecorator[str]):
    """Text from anywhere: NUL and lone surrogates, which PostgreSQL refuses, become U+FFFD."""

    impl = Text
    cache_ok = True

    def process_bind_param(self, value: str | None, dialect: Dialect) -> str | None:
        if value is None or (value.isascii() and "\0" not in value):
            return value
        return _UNSTORABLE.sub("\ufffd", value)


class Packed(TypeDecorator[bytes]):
    """Bytes, compressed where that saves something. The first byte stored tells which: `z` (zlib) or `=` (as given)."""

    impl = LargeBinary
    cache_ok = True

    def process_bind_param(self, value: bytes | None, dialect: Dialect) -> bytes | None:
        if value is None:
            return None
        if len(value) > WORTH_PACKING:
            packed = zlib.compress(value, 1)
            if len(packed) < len(value):
                return b"z" + packed
        return b"=" + value

    def process_result_value(self, value: Any, dialect: Dialect) -> bytes | None:
        if value is None:
            return None
        stored = bytes(value)
        return zlib.decompress(stored[1:]) if stored[:1] == b"z" else stored[1:]
