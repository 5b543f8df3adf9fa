"""A Maildir on disk as the inbox, for those who run their own mail server."""

from __future__ import annotations

import logging
import os
import stat
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from mailgm.engine.said import say
from mailgm.mail.inbox import MAX_BATCH_BYTES, MAX_LETTER_BYTES, OVERSIZED_BYTES, InboxError, RawLetter

log = logging.getLogger(__name__)

PROCESSED = ".processed"
LOOK_SECONDS = 1.0


class MaildirInbox:
    """An `Inbox` (see there) on a Maildir: reads `new` and `cur`, moves handled mail to its folder `.processed`.

    path: the Maildir; max_bytes: size limit of a whole message. `tmp`, where mail is still being written, is never
    looked at. A letter's key is its base name, which stays the same when a mail program moves it from `new` to `cur` or
    flags it; it counts as arrived at the file's modification time, which deliverers set and a move keeps. since: what
    arrived before then is left alone.
    """

    def __init__(self, path: Path, *, max_bytes: int = MAX_LETTER_BYTES, since: datetime | None = None) -> None:
        self.since = since
        self.path = path.absolute()
        self.name = f"maildir:{self.path}"
        self.max_bytes = max_bytes
        self._looked: tuple[int, ...] = ()
        self._unreadable: set[str] = set()

    def open(self) -> None:
        """Check the Maildir and make the folder for handled mail. Raises InboxError."""
        missing = [name for name in ("new", "cur", "tmp") if not (self.path / name).is_dir()]
        if missing:
            raise InboxError(
                say(
                    "{name} is not a Maildir: it has no {names}. Check the path, and that this user may read"
                    " it; `maildirmake` or a first delivery makes one",
                    name=self.name,
                    names=", ".join(missing),
                ),
                temporary=False,
            )
        self._unreadable.clear()
        try:
            for name in ("tmp", "new", "cur"):
                (self.path / PROCESSED / name).mkdir(mode=0o700, parents=True, exist_ok=True)
            (self.path / PROCESSED / "maildirfolder").touch(mode=0o600)
        except OSError as error:
            raise InboxError(
                say(
                    "{name}: cannot make the folder {folder} ({error}). This user must be allowed to write there",
                    name=self.name,
                    folder=PROCESSED,
                    error=error,
                ),
                temporary=False,
            ) from error

    def unread(self, limit: int = 100) -> list[RawLetter]:
        """Give the oldest letters by arrival, then name; [] when there is none. Raises InboxError."""
        self._looked = self._state()
        waiting = []
        for entry in self._entries():
            key = _key(entry.name)
            if key in self._unreadable:
                continue
            try:
                status = entry.stat(follow_symlinks=False)
            except FileNotFoundError:  # moved by a mail program meanwhile: it is there again under its new name
                continue
            # Whole seconds on both sides, as a mail server dates its messages.
            old = self.since is not None and status.st_mtime < int(self.since.timestamp())
            if stat.S_ISREG(status.st_mode) and not old:
                waiting.append((int(status.st_mtime), key, status.st_size, entry.path))
        letters: list[RawLetter] = []
        total = 0
        for arrived, key, size, path in sorted(waiting):
            total += min(size, self.max_bytes)
            if len(letters) == limit or (letters and total > MAX_BATCH_BYTES):
                break
            if letter := self._read(key, arrived, size, path):
                letters.append(letter)
        return letters

    def done(self, letters: Sequence[RawLetter]) -> None:
        """Move handled letters to `.processed`; one that is not there any more has been moved. Raises InboxError."""
        keys = {letter.uid for letter in letters if letter.mailbox == self.name}
        for entry in self._entries() if keys else []:
            if _key(entry.name) not in keys:
                continue
            flags = entry.name.partition(":2,")[2]
            target = self.path / PROCESSED / "cur" / f"{_key(entry.name)}:2,{''.join(sorted({*flags, 'S'}))}"
            try:
                os.rename(entry.path, target)
            except FileNotFoundError:
                continue
            except OSError as error:
                raise InboxError(
                    say(
                        "{name}: cannot move {file} to {folder} ({error})",
                        name=self.name,
                        file=entry.name,
                        folder=PROCESSED,
                        error=error,
                    ),
                    temporary=True,
                ) from error

    def wait(self, seconds: float, stop: threading.Event) -> bool:
        """Wait at most `seconds` for a change of `new` or `cur`; see Inbox.wait. Raises InboxError."""
        deadline = time.monotonic() + seconds
        while not stop.is_set():
            if self._state() != self._looked:
                return True
            left = deadline - time.monotonic()
            if left <= 0:
                break
            stop.wait(min(left, LOOK_SECONDS))
        return False

    def close(self) -> None:
        """Nothing is held open."""

    def _entries(self) -> Iterator[os.DirEntry[str]]:
        for name in ("new", "cur"):
            try:
                with os.scandir(self.path / name) as entries:
                    found = [entry for entry in entries if not entry.name.startswith(".")]
            except OSError as error:
                raise InboxError(
                    say("{name}: cannot read {file} ({error})", name=self.name, file=name, error=error),
                    temporary=True,
                ) from error
            yield from found

    def _state(self) -> tuple[int, ...]:
        try:
            return tuple((self.path / name).stat().st_mtime_ns for name in ("new", "cur"))
        except OSError as error:
            raise InboxError(
                say("{name}: cannot be read ({error})", name=self.name, error=error), temporary=True
            ) from error

    def _read(self, key: str, arrived: int, size: int, path: str) -> RawLetter | None:
        oversized = size > self.max_bytes
        try:
            with open(path, "rb") as file:
                raw = file.read(OVERSIZED_BYTES if oversized else -1)
        except FileNotFoundError:
            return None
        except OSError as error:
            log.error(
                "%s: cannot read %s (%s): left until the next start; look at its owner and mode", self.name, path, error
            )
            self._unreadable.add(key)
            return None
        return RawLetter(self.name, 0, key, datetime.fromtimestamp(arrived, UTC), raw, oversized)


def _key(name: str) -> str:
    return name.partition(":2,")[0]
