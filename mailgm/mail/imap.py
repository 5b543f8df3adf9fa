"""A mailbox read through IMAP, with imapclient."""

from __future__ import annotations

import contextlib
import logging
import re
import ssl
import threading
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any, Literal
from urllib.parse import quote

from imapclient import DELETED
from imapclient.exceptions import IMAPClientAbortError, IMAPClientError, IMAPClientReadOnlyError

from mailgm.engine.said import say
from mailgm.mail.imap_connection import ImapConnection
from mailgm.mail.imap_login import ImapSettings, connect, log_in, passes_by_itself, personal_folder
from mailgm.mail.inbox import MAX_BATCH_BYTES, OVERSIZED_BYTES, InboxError, RawLetter
from mailgm.mail.tls import certificate_fault, is_loopback

__all__ = ["HANDLED_KEYWORD", "ImapInbox", "ImapSettings"]

log = logging.getLogger(__name__)

HANDLED_KEYWORD = "mailgm-done"
"""The flag of handled mail in a box where it may not be moved."""

REIDLE_SECONDS = 9 * 60
"""Servers and NAT routers drop an IDLE after 30 minutes, some after 10 (RFC 2177 asks for less than 29)."""

RENEWAL_SECONDS = 60.0
"""A session that ends with its access token is followed by a new one at once, but not more often than that."""

_TOKEN_RAN_OUT = re.compile("access ?token ?expired|token (has |is )?expired|session (invalidated|expired)", re.I)

FETCH_BATCH = 50
UID_BATCH = 500


class ImapInbox:
    """An `Inbox` (see there) on an IMAP server.

    Handled mail is moved (MOVE, else COPY and UID EXPUNGE); where the server allows neither, it is flagged with the
    keyword `mailgm-done`; where keywords are not kept either, its UIDs are remembered until the service stops, and the
    caller's own memory of handled letters does the rest. \\Seen is neither read nor set: people look into the box too.
    What a person has marked as deleted is left to them, and so is, with `since`, all that arrived before that instant.
    """

    def __init__(self, settings: ImapSettings, *, since: datetime | None = None) -> None:
        if settings.security == "none" and not is_loopback(settings.host):
            raise ValueError(
                f"IMAP without encryption is only for a server on this machine, not for {settings.host}:"
                ' set security = "tls" or "starttls"'
            )
        if settings.processed_folder == settings.folder:
            raise ValueError(f"the processed folder must be another one than {settings.folder!r}, which is read")
        self.settings = settings
        self.since = since
        self.name = f"imap://{quote(settings.user, safe='')}@{settings.host.lower()}/{quote(settings.folder)}"
        self._client: ImapConnection | None = None
        self._uidvalidity = 0
        self._mode: Literal["move", "keyword", "memory"] = "move"
        self._processed = settings.processed_folder
        self._seen: dict[int, tuple[datetime, int]] = {}  # UID: arrival and size
        self._handled: set[int] = set()  # still in the folder, where they may not be moved
        self._unreadable: set[int] = set()  # passed over until the next connection
        self._old: set[int] = set()  # from before `since`: not ours
        self._keywords_kept = False
        self._reselect = False
        self._barren_hints = 0
        self._renewed_at = float("-inf")

    # Connecting

    def open(self) -> None:
        """Connect, log in, select, and make the processed folder; raises InboxError."""
        self.close()
        with self._faults(say("connecting")):
            self._client = connect(self.settings, self.name)
            log_in(self._client, self.settings, self.name)
            self._mode = "move"
            self._unreadable.clear()
            self._processed = personal_folder(self._client, self.settings.processed_folder)
            self._select()
            if self._mode == "move" and not self._can_move():
                self._cannot_move("the server offers neither MOVE nor UIDPLUS, or refuses the folder")
        self._barren_hints = 0

    def _select(self) -> None:
        client = self._connected()
        client.end_idle()
        try:
            answer = client.select_folder(self.settings.folder)
        except IMAPClientReadOnlyError:
            answer = client.select_folder(self.settings.folder, readonly=True)
            self._mode = "memory"
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            later = passes_by_itself(error)
            advice = say("Trying again later") if later else say("Check its name")
            raise InboxError(
                say("{name}: cannot open the folder ({error}). {advice}", name=self.name, error=error, advice=advice),
                temporary=later,
            ) from error
        uidvalidity = int(answer.get(b"UIDVALIDITY", 0))
        if uidvalidity != self._uidvalidity:
            if self._uidvalidity:
                text = "%s: the server numbers its mail anew (UIDVALIDITY %s, was %s): all of it is read again"
                log.warning(text, self.name, uidvalidity, self._uidvalidity)
            self._seen.clear()
            self._handled.clear()
            self._old.clear()
            self._uidvalidity = uidvalidity
        self._keywords_kept = not {b"\\*", HANDLED_KEYWORD.encode()}.isdisjoint(answer.get(b"PERMANENTFLAGS", ()))
        self._reselect = False

    def _can_move(self) -> bool:
        client = self._connected()
        return (client.has_capability("MOVE") or client.has_capability("UIDPLUS")) and self._make_processed_folder()

    def _make_processed_folder(self) -> bool:
        client = self._connected()
        if client.folder_exists(self._processed):
            return True
        try:
            client.create_folder(self._processed)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            # Dovecot may not list a folder yet that is being made, while a first mail makes the mailbox around it.
            if "ALREADYEXISTS" in str(error) or client.folder_exists(self._processed):
                return True
            log.warning("%s: cannot make the folder %r: %s", self.name, self._processed, error)
            return False
        with contextlib.suppress(IMAPClientError):  # a nicety: shown in mail programs
            client.subscribe_folder(self._processed)
        return True

    def _cannot_move(self, why: str) -> None:
        self._mode = "keyword" if self._keywords_kept else "memory"
        how = f"flagged {HANDLED_KEYWORD}" if self._mode == "keyword" else "remembered here"
        log.warning("%s: handled mail stays in the folder (%s); it is %s", self.name, why, how)

    # Reading

    def unread(self, limit: int = 100) -> list[RawLetter]:
        """Give the oldest unhandled letters by arrival, then UID; [] when the box is drained. Raises InboxError."""
        try:
            return self._unread(limit)
        except InboxError as error:
            self._renew(error)
            return self._unread(limit)

    def _unread(self, limit: int) -> list[RawLetter]:
        with self._faults(say("reading")):
            if self._reselect:
                self._select()
            while wanted := self._oldest(limit):
                letters = [letter for batch in _batches(wanted, FETCH_BATCH) for letter in self._fetch(batch)]
                if letters:
                    self._barren_hints = 0
                    return letters
                # All of them went away or were unreadable, and are not looked at again: others may wait.
            return []

    def _oldest(self, limit: int) -> list[int]:
        """UIDs of the letters to take now, in order of arrival; bounded in number and bytes."""
        client = self._connected()
        criteria: list[Any] = ["UNDELETED"] + (["UNKEYWORD", HANDLED_KEYWORD] if self._mode == "keyword" else [])
        if self.since is not None:
            # The server compares dates in a time zone of its own; the hour itself is compared below.
            criteria += ["SINCE", (self.since - timedelta(days=1)).date()]
        there = set(client.search(criteria)) - self._handled - self._unreadable - self._old
        for uid in self._seen.keys() - there:
            del self._seen[uid]
        for batch in _batches(sorted(there - self._seen.keys()), UID_BATCH):
            for uid, data in client.fetch(batch, ["INTERNALDATE", "RFC822.SIZE"]).items():
                arrived = data.get(b"INTERNALDATE")
                if not isinstance(arrived, datetime):
                    log.warning("%s: message %s has no readable INTERNALDATE: it counts from now", self.name, uid)
                    arrived = datetime.now(UTC).replace(microsecond=0)
                if self.since is not None and arrived < self.since.replace(microsecond=0):
                    self._old.add(uid)
                    continue
                self._seen[uid] = (arrived.astimezone(UTC), int(data.get(b"RFC822.SIZE", 0)))
        chosen: list[int] = []
        total = 0
        for uid in sorted(self._seen, key=lambda uid: (self._seen[uid][0], uid))[:limit]:
            total += min(self._seen[uid][1], self.settings.max_bytes)
            if chosen and total > MAX_BATCH_BYTES:
                break
            chosen.append(uid)
        return chosen

    def _fetch(self, uids: list[int]) -> list[RawLetter]:
        """Fetch bodies without touching \\Seen; letters that the server cannot give are passed over, one by one."""
        client = self._connected()
        whole = [uid for uid in uids if self._seen[uid][1] <= self.settings.max_bytes]
        raws: dict[int, bytes] = {}
        for group, item, key in (
            (whole, "BODY.PEEK[]", b"BODY[]"),
            ([uid for uid in uids if uid not in whole], f"BODY.PEEK[]<0.{OVERSIZED_BYTES}>", b"BODY[]<0>"),
        ):
            if not group:
                continue
            try:
                answer = client.fetch(group, [item])
            except IMAPClientAbortError:
                raise
            except IMAPClientError as error:
                if len(uids) > 1:
                    return [letter for uid in uids for letter in self._fetch([uid])]
                text = "%s: the server cannot give message %s (%s): left until the next connection; look at it yourself"
                log.error(text, self.name, uids[0], error)
                self._unreadable.add(uids[0])
                return []
            raws.update({uid: data[key] for uid, data in answer.items() if isinstance(data.get(key), bytes)})
        # Moved away by somebody between the search and the fetch: such a UID does not come back.
        self._unreadable.update(set(uids) - raws.keys())
        return [self._letter(uid, raws[uid]) for uid in uids if uid in raws]

    def _letter(self, uid: int, raw: bytes) -> RawLetter:
        arrived, size = self._seen[uid]
        oversized = max(size, len(raw)) > self.settings.max_bytes  # some servers only estimate the size
        return RawLetter(
            mailbox=self.name,
            uidvalidity=self._uidvalidity,
            uid=str(uid),
            arrived_at=arrived,
            raw=raw[:OVERSIZED_BYTES] if oversized else raw,
            oversized=oversized,
        )

    # After the commit

    def done(self, letters: Sequence[RawLetter]) -> None:
        """Take handled letters out of the way. Those of another UIDVALIDITY have no name any more: left alone."""
        try:
            self._done(letters)
        except InboxError as error:
            self._renew(error)
            self._done(letters)

    def _done(self, letters: Sequence[RawLetter]) -> None:
        uids = sorted(int(x.uid) for x in letters if x.mailbox == self.name and x.uidvalidity == self._uidvalidity)
        with self._faults(say("putting handled mail away")):
            for batch in _batches(uids, UID_BATCH):
                if self._mode == "move" and not self._move(batch):
                    self._cannot_move("the server refused to move it")
                if self._mode != "move":
                    self._handled.update(batch)
                if self._mode == "keyword":
                    self._connected().add_flags(batch, [HANDLED_KEYWORD], silent=True)
                for uid in batch:
                    self._seen.pop(uid, None)

    def _move(self, uids: list[int]) -> bool:
        try:
            self._move_once(uids)
        except IMAPClientAbortError:
            raise
        except IMAPClientError as error:
            left = sorted(set(uids) & set(self._connected().search("UNDELETED")))
            if not left:
                return True  # it was somebody else's move, or our own of the last time
            log.warning("%s: moving to %r failed: %s", self.name, self._processed, error)
            # The folder may have been removed under us.
            if not self._make_processed_folder():
                return False
            try:
                self._move_once(left)
            except IMAPClientAbortError:
                raise
            except IMAPClientError:
                return False
        return True

    def _move_once(self, uids: list[int]) -> None:
        client = self._connected()
        if client.has_capability("MOVE"):
            client.move(uids, self._processed)
        else:
            client.copy(uids, self._processed)
            client.add_flags(uids, [DELETED], silent=True)
            client.uid_expunge(uids)

    # Waiting

    def wait(self, seconds: float, stop: threading.Event) -> bool:
        """Wait at most `seconds` for mail, with IDLE where the server has it; see Inbox.wait. Raises InboxError."""
        try:
            return self._wait(seconds, stop)
        except InboxError as error:
            self._renew(error)
            return True  # mail may have come between the two sessions

    def _wait(self, seconds: float, stop: threading.Event) -> bool:
        deadline = time.monotonic() + seconds
        # A server that announces what is not there must not make the caller spin.
        if self._barren_hints > 2 and stop.wait(min(seconds, 2.0 ** min(self._barren_hints - 3, 10))):
            return False
        with self._faults(say("waiting for mail")):
            client = self._connected()
            self._reselect = True
            idle = self.settings.idle and client.has_capability("IDLE")
            while (left := deadline - time.monotonic()) > 0 and not stop.is_set():
                if not idle:
                    stop.wait(left)
                    break
                hint = client.idle_for(min(left, REIDLE_SECONDS), stop)
                if hint:
                    self._barren_hints += 1
                    return True
                idle = hint is not None
                # Some servers chat ("still here"): no more than once a second.
                stop.wait(min(1.0, max(0.0, deadline - time.monotonic())))
        return False

    def close(self) -> None:
        """Let go of the connection; never raises."""
        client, self._client = self._client, None
        if client is not None:
            client.leave()

    def _cut(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            client.cut()

    def _connected(self) -> ImapConnection:
        if self._client is None:
            raise InboxError(say("{name}: not open", name=self.name), temporary=True)
        return self._client

    def _renew(self, error: InboxError) -> None:
        """Begin another session if the last one ended with its access token; else the error is raised again.

        Microsoft ends every session that way, about once an hour: nothing is wrong then.
        """
        now = time.monotonic()
        ran_out = self.settings.tokens is not None and _TOKEN_RAN_OUT.search(str(error))
        if not ran_out or now - self._renewed_at < RENEWAL_SECONDS:
            raise error
        self._renewed_at = now
        log.info("%s: the session ended with its access token; the next one begins", self.name)
        self.open()

    @contextlib.contextmanager
    def _faults(self, doing: str) -> Iterator[None]:
        """Turn whatever the network or the server does into an InboxError, and drop the connection."""
        try:
            yield
        except InboxError:
            self._cut()
            raise
        except (OSError, IMAPClientError, ValueError, AssertionError, LookupError) as error:
            # The last three: a server's garbage, as imapclient's parser takes it.
            said = self._client.farewell() if self._client is not None else ""
            self._cut()
            where = say("{name} (port {port}): {doing}", name=self.name, port=self.settings.port, doing=doing)
            if refused := certificate_fault(error):
                raise InboxError(
                    say(
                        "{where}: the server's certificate is refused ({why}). Check the host name,"
                        " or set the file of the authority to trust (ca_file)",
                        where=where,
                        why=refused.verify_message,
                    ),
                    temporary=False,
                ) from error
            if isinstance(error, ssl.SSLError):
                raise InboxError(
                    say(
                        "{where}: encryption fails ({reason}). Check port and security (tls, starttls)",
                        where=where,
                        reason=error.reason,
                    ),
                    temporary=True,
                ) from error
            text = str(error) or type(error).__name__
            if said and said not in text:
                text = say("{text}, the server said: {said}", text=text, said=said)
            raise InboxError(say("{where}: {text}. Trying again", where=where, text=text), temporary=True) from error


def _batches(uids: Sequence[int], size: int) -> Iterator[list[int]]:
    for start in range(0, len(uids), size):
        yield list(uids[start : start + size])
