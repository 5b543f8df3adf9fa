"""A whole game on this machine: real mail servers, the real service, and players who are programs."""

from __future__ import annotations

import asyncio
import logging
import shutil
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from mailgm.config import Config, parse
from mailgm.demo.account import Account, settle_account
from mailgm.demo.pages import write_pages
from mailgm.demo.players import Troupe, everybody
from mailgm.demo.servers import MailServer, local_mail_server
from mailgm.demo.show import Show
from mailgm.service.context import Context, Live
from mailgm.service.create import NewGame, begin, create
from mailgm.service.players import SignUp
from mailgm.service.run import Service, open_context
from mailgm.store import letters, outbox

logger = logging.getLogger(__name__)

NAMES = (
    "Ana", "Bruno", "Chloé", "Denis", "Élise", "Fabien", "Gaëlle", "Hugo", "Inès", "Jérôme", "Karim", "Léa", "Maël",
    "Nadia", "Oscar", "Pauline", "Quentin", "Rosalie", "Samir", "Tiphaine", "Ugo", "Valérie", "William", "Xavier",
    "Yasmine", "Zoé", "Agathe", "Basile", "Clémence", "Diego",
)  # fmt: skip
DOMAIN = "demo.test"
ADDRESS = f"jeu@{DOMAIN}"
PHASE_SECONDS = 4
SETTLE_SECONDS = 60.0


@dataclass(frozen=True)
class Plan:
    """What is played: a game's id, how many players and rounds, where the pages go, and the seed of the players' dice.

    forced: options beside the rounds. odd_share: share of messages in shapes that are hard to read.
    """

    game: str
    players: int
    rounds: int
    out: Path
    seed: int = 1
    lang: str = "fr"
    odd_share: float = 0.3
    options: dict[str, Any] = field(default_factory=dict)


def configuration(server: MailServer, folder: Path) -> Config:
    """The service's settings for a local mail server; nothing in the service knows that it is a demonstration."""
    return parse(
        {
            "mailbox": {"address": ADDRESS, "name": "Le maître du jeu"},
            "imap": {
                "host": server.imap_host,
                "port": server.imap_port,
                "security": "none",
                "user": ADDRESS,
                "password": server.password,
                "poll_seconds": 1,
            },
            "smtp": {
                "host": server.smtp_host,
                "port": server.smtp_port,
                "security": "none",
                "connections": 4,
            },
            "limits": {"answers_per_hour": 1000, "posts_per_hour": 1000},
        },
        folder,
    )


def demonstrate(plan: Plan, show: Show) -> Account:
    """Play a whole game by mail, write its pages, and give the account of it. The old pages in `out` are replaced."""
    if plan.out.exists():
        shutil.rmtree(plan.out)
    plan.out.mkdir(parents=True)
    with local_mail_server() as server:
        show.servers(server.kind)
        config = configuration(server, plan.out.resolve())
        observer = open_context(config)
        people = everybody(server, NAMES[: plan.players], DOMAIN, plan.lang)
        _seat(observer, plan, people)
        troupe = Troupe(server, people, ADDRESS, plan.seed, plan.odd_share)
        asyncio.run(_play(config, observer, plan.game, troupe, show))
        for person in people:
            person.read()
        account = settle_account(observer, plan.game, troupe.sent, people)
        write_pages(observer, plan.game, people, plan.out)
        observer.db.close()
    return account


def _seat(ctx: Context, plan: Plan, people: Sequence[Any]) -> None:
    players = [SignUp(person.name, person.address, plan.lang, "Europe/Paris") for person in people[:-1]]
    spec = ctx.library.preset(plan.game).variant.spec
    options = {"early_close": "all", **plan.options}
    if "rounds" in spec.options:
        options["rounds"] = plan.rounds
    span = f"{PHASE_SECONDS}s"
    new = NewGame(
        name=plan.game,
        game=plan.game,
        players=players,
        gm_address=people[-1].address,
        lang=plan.lang,
        options=options,
        settings={"title": "Démo", "day": span, "night": span, "short": span, "instant": span, "remind_before": []},
        decoys=False,
    )
    create(ctx, new)


async def _play(config: Config, observer: Context, name: str, troupe: Troupe, show: Show) -> None:
    """Run the service and the players side by side until the game is over and every mail is out."""
    stop = asyncio.Event()
    service = Service(config, sent=show.sent)
    running = asyncio.create_task(service.run(stop))
    begin(observer, name)
    ended = threading.Event()
    players = asyncio.create_task(asyncio.to_thread(_troupe, observer, name, troupe, show, ended))
    try:
        done, _ = await asyncio.wait({running, players}, return_when=asyncio.FIRST_COMPLETED)
        for task in done:
            task.result()
        await asyncio.to_thread(_until, lambda: _quiet(observer, troupe.sent.messages), SETTLE_SECONDS)
    finally:
        ended.set()
        stop.set()
        await running
        await players


def _troupe(ctx: Context, name: str, troupe: Troupe, show: Show, ended: threading.Event) -> None:
    """Let the players act once in every phase."""
    acted = ""
    while not ended.is_set():
        live = _look(ctx, name)
        show.game(live)
        if live.record.status in ("over", "stopped"):
            return
        if live.record.phase_key and live.record.phase_key != acted:
            acted = live.record.phase_key
            # Nobody answers a mail that he has not got yet.
            _until(lambda: _all_sent(ctx), PHASE_SECONDS / 2)
            for done in troupe.act(live.running):
                show.said(*done)
        ended.wait(0.1)


def _look(ctx: Context, name: str) -> Live:
    with ctx.db.read() as tx:
        return ctx.load(tx, name, for_update=False)


def _all_sent(ctx: Context) -> bool:
    with ctx.db.read() as tx:
        return outbox.unsent(tx) == 0


def _quiet(ctx: Context, messages: int) -> bool:
    """Whether every message that was sent has been handled, and every mail is out."""
    with ctx.db.read() as tx:
        counted = letters.counts(tx)
        return sum(counted.values()) >= messages and not counted.get("stored", 0) and outbox.unsent(tx) == 0


def _until(true: Callable[[], bool], seconds: float) -> None:
    until = time.monotonic() + seconds
    while not true() and time.monotonic() < until:
        time.sleep(0.1)
