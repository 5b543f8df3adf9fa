"""Mails a second until the SMTP server has them, against bare aiosmtplib: same bytes, as many connections.

Once from an outbox that is already full (1,000 mails), once from the deadline itself: the phase resolves, its mails are
written, committed and sent.
"""

from __future__ import annotations

import asyncio
import statistics
import tempfile
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import aiosmtplib

from benchmarks.measure import report
from benchmarks.sink import Sink
from mailgm.config import Config, parse
from mailgm.demo.play import ADDRESS, NAMES
from mailgm.mail.smtp import SmtpSender
from mailgm.render import Renderer
from mailgm.service import due
from mailgm.service.context import Context
from mailgm.service.create import NewGame, begin, create
from mailgm.service.players import SignUp
from mailgm.service.run import open_context, smtp_settings
from mailgm.service.sender import Outbox
from mailgm.service.worker import Worker
from mailgm.store import games, outbox
from mailgm.store.outbox import NewMail

MAILS = 1000
CONNECTIONS = 4
GAMES = 8


def main() -> None:
    """Print both ratios, medians of five rounds."""
    full, sudden = [], []
    # As in the service, it lives as long as the process: the templates are read and compiled in the first round.
    renderer = Renderer()
    with Sink() as sink:
        for _ in range(5):
            with tempfile.TemporaryDirectory() as name:
                full.append(asyncio.run(_full(_config(sink, Path(name)))))
            with tempfile.TemporaryDirectory() as name:
                sudden.append(asyncio.run(_deadline(_config(sink, Path(name)), renderer)))
    for title, pairs, target in (("from a filled outbox", full, 0.8), ("from the deadline", sudden, 0.4)):
        ours = statistics.median(pair[0] for pair in pairs)
        floor = statistics.median(pair[1] for pair in pairs)
        ratio = statistics.median(pair[0] / pair[1] for pair in pairs)
        report(f"{title}: mails/s (bare aiosmtplib)", f"{ours:.0f} ({floor:.0f})")
        report(f"{title}: ratio", f"{ratio:.2f}", f"at least {target}", ratio >= target)


def _config(sink: Sink, folder: Path) -> Config:
    smtp = {"host": "127.0.0.1", "port": sink.port, "security": "none", "connections": CONNECTIONS}
    return parse({"mailbox": {"address": ADDRESS}, "smtp": smtp}, folder)


async def _bare(config: Config, mails: Sequence[tuple[str, str, bytes]]) -> float:
    """Mails a second of aiosmtplib alone."""
    waiting = list(mails)

    async def work() -> None:
        client = aiosmtplib.SMTP(hostname=config.smtp.host, port=config.smtp.port, use_tls=False, start_tls=False)
        await client.connect()
        while waiting:
            sender, recipient, content = waiting.pop()
            await client.sendmail(sender, [recipient], content)
        await client.quit()

    began = time.perf_counter()
    await asyncio.gather(*(work() for _ in range(CONNECTIONS)))
    return len(mails) / (time.perf_counter() - began)


async def _send_all(ctx: Context, config: Config) -> int:
    smtp = SmtpSender(smtp_settings(config))
    sender = Outbox(ctx.db, smtp, ctx.now, "bench", lambda tx, failures: None)
    number = 0
    while count := await sender.once():
        number += count
    await smtp.close()
    return number


def _games(ctx: Context) -> None:
    players = [SignUp(name, f"j{n}@demo.test", "fr", "Europe/Paris") for n, name in enumerate(NAMES[:13])]
    options = {"rounds": 1, "first_day": False}
    for number in range(GAMES):
        create(ctx, NewGame(f"banc-{number}", "dracula", players, "mj@demo.test", options=options))
        begin(ctx, f"banc-{number}")


async def _full(config: Config) -> tuple[float, float]:
    ctx = open_context(config)
    _games(ctx)
    with ctx.db.write() as tx:
        samples = outbox.find(tx, limit=GAMES * 14)
        rows = [samples[number % len(samples)] for number in range(MAILS)]
        new = [
            NewMail(f"n{n}", f"<{n}@demo.test>", f"box{n % 200}@demo.test", mail.sender, mail.content)
            for n, mail in enumerate(rows)
        ]
        outbox.mark_sent(tx, [mail.id for mail in samples], ctx.now())
        outbox.queue(tx, new, ctx.now())
    floor = await _bare(config, [(mail.sender, mail.recipient, mail.content) for mail in new])
    began = time.perf_counter()
    sent = await _send_all(ctx, config)
    taken = time.perf_counter() - began
    assert sent == MAILS, sent
    ctx.db.close()
    return MAILS / taken, floor


async def _deadline(config: Config, renderer: Renderer) -> tuple[float, float]:
    """Eight games of thirteen reach the end of a night in the same second: everybody gets the dawn report.

    As in the service one thread resolves and writes, and the outbox sends beside it.
    """
    ctx = replace(open_context(config), renderer=renderer)
    _games(ctx)
    hour = ctx.now()
    ctx = replace(ctx, now=lambda: hour)
    while not _all_bite(ctx):
        hour += timedelta(days=2)
        due.act(ctx, hour, mail_complete=True)
    await _send_all(ctx, config)
    hour += timedelta(days=2)
    sent, taken = await _serve(ctx, config, 14 * GAMES)
    with ctx.db.read() as tx:
        mails = outbox.find(tx, limit=sent)
    floor = await _bare(config, [(mail.sender, mail.recipient, mail.content) for mail in mails])
    ctx.db.close()
    return sent / taken, floor


async def _serve(ctx: Context, config: Config, wanted: int) -> tuple[int, float]:
    """The worker and the outbox side by side until so many mails are sent; their number, and the seconds it took."""
    loop, stop = asyncio.get_running_loop(), asyncio.Event()
    sent = 0

    def count(mails: Sequence[object]) -> None:
        nonlocal sent
        sent += len(mails)
        if sent >= wanted:
            loop.call_soon_threadsafe(stop.set)

    smtp = SmtpSender(smtp_settings(config))
    sender = Outbox(ctx.db, smtp, ctx.now, "bench", lambda tx, failures: None, count)

    def committed() -> None:
        loop.call_soon_threadsafe(sender.wake.set)

    worker = Worker(ctx, [], 3600, committed)
    began = time.perf_counter()
    thread = asyncio.create_task(asyncio.to_thread(worker.run))
    await sender.run(stop)
    taken = time.perf_counter() - began
    worker.stop()
    await thread
    await smtp.close()
    return sent, taken


def _all_bite(ctx: Context) -> bool:
    with ctx.db.read() as tx:
        return all(record.phase_key == "night-1.dawn" for record in games.every(tx))
