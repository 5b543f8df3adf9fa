"""The worker's cycle: mails can go while the next letters are still being handled."""

from __future__ import annotations

from mailgm.service.worker import Worker
from mailgm.store import letters, outbox
from tests.service.world import World


def test_the_sender_is_woken_after_every_letter_and_finds_its_answer(night: World) -> None:
    night.mails()
    seen = []

    def committed() -> None:
        with night.ctx.db.read() as tx:
            seen.append((letters.waiting(tx), outbox.counts(tx).get("queued", 0)))

    worker = Worker(night.ctx, [], 60, committed)
    with night.ctx.db.read() as tx:
        before = outbox.counts(tx).get("queued", 0)
    for name in ("Bob", "Chloé", "Denis"):
        night.write(name, "boudoir", handle=False)
    worker.cycle()
    assert seen[:3] == [(2, before + 1), (1, before + 2), (0, before + 3)]
