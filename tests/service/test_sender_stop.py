"""The service is told to stop while mails go out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import UTC, datetime

from mailgm.mail.smtp import SmtpSender, SmtpSettings
from mailgm.service.sender import Outbox
from mailgm.store import Database, outbox
from mailgm.store.outbox import NewMail
from tests.mail.transport.fakes import Line, ScriptedSmtp

NOW = datetime(2026, 12, 1, 20, 0, tzinfo=UTC)


class Told(ScriptedSmtp):
    """A server that lets a test know of each mail before it answers."""

    told: Callable[[], object]

    def _answer(self, line: Line, verb: str) -> bool:
        if verb == "MAIL":
            self.told()
        return super()._answer(line, verb)


def test_the_mail_under_way_is_finished_and_the_others_wait_for_the_next_start(database: Database) -> None:
    with database.write() as tx:
        outbox.queue(
            tx,
            [NewMail(f"m{n}", f"<{n}@jeu.example>", f"j{n}@jeu.example", "", b"Subject: x\r\n\r\n") for n in range(30)],
            NOW,
        )

    async def serve(server: Told) -> None:
        loop, stop = asyncio.get_running_loop(), asyncio.Event()
        server.told = lambda: loop.call_soon_threadsafe(stop.set)
        settings = SmtpSettings("127.0.0.1", server.port, "none", connections=2)
        async with SmtpSender(settings) as smtp:
            await Outbox(database, smtp, lambda: NOW, "w", lambda tx, failures: None).run(stop)

    with Told() as server:
        asyncio.run(serve(server))
        assert 1 <= len(server.bodies) <= 2
    with database.read() as tx:
        assert outbox.counts(tx) == {"sent": len(server.bodies), "queued": 30 - len(server.bodies)}
        assert {mail.attempts for mail in outbox.find(tx, states=["queued"])} == {0}
