"""A whole game of thirteen through Postfix and Dovecot ends as the kernel alone ends it."""

from __future__ import annotations

from dataclasses import fields

import pytest

from mailgm.demo.account import settle_account
from mailgm.demo.servers import Dovecot
from mailgm.engine import Game, Input, Notice, apply, start
from mailgm.engine.plain import dump
from mailgm.service.verify import verify
from mailgm.store import log
from tests.proof.conftest import MakeStage
from tests.proof.stage import Stage


@pytest.mark.proof
def test_thirteen_players_end_as_the_kernel_alone_ends(postal: MakeStage, dovecot: Dovecot) -> None:
    tls = {"port": dovecot.imaps_port, "security": "tls", "ca_file": str(dovecot.certificate)}
    stage = postal(imap=tls)
    with stage.service():
        stage.open(13, span="2s", options={"fill_seats": "draw"}, deal={}, seed=13)
        stage.play(150)
        stage.settled()
    for person in stage.people:
        person.read()
    account = settle_account(stage.ctx, stage.name, stage.troupe.sent, stage.people)
    assert account.faults == []
    assert stage.faults(ordered=False) == []
    sent = stage.troupe.sent
    assert sent.odd >= 0.2 * sent.messages > 20
    assert stage.mailbox(stage.address) == []
    assert len(stage.mailbox(stage.address, "mailgm-processed")) == sent.messages

    assert verify(stage.ctx, stage.name).identical
    alone, told = kernel_alone(stage)
    mailed = stage.live.running
    assert mailed.end is not None
    assert alone.end == mailed.end
    assert alone.variant.facts(alone.state) == mailed.variant.facts(mailed.state)
    assert [plain(notice) for notice in told] == logged(stage)
    assert len({entry.phase_key for entry in entries(stage)}) > 5


def kernel_alone(stage: Stage) -> tuple[Game, list[Notice]]:
    """The game that comes of the accepted messages, without mail, clock or database."""
    record = stage.live.record
    first, *rest = entries(stage)
    names = first.payload["players"]
    outcome = start(stage.live.preset.variant, names, record.options, record.seed, decoys=record.decoys)
    told = list(outcome.notices)
    known = {field.name for field in fields(Input)}
    for entry in rest:
        if entry.kind in known | {"message", "deadline", "order", "gm"}:
            given = {name: value for name, value in entry.payload.items() if name in known}
            outcome = apply(outcome.game, Input(**given))
            told += outcome.notices
    return outcome.game, told


def entries(stage: Stage) -> list[log.LoggedInput]:
    with stage.ctx.db.read() as tx:
        return log.read(tx, stage.live.record.id)


def logged(stage: Stage) -> list[tuple[str, list[str], object]]:
    with stage.ctx.db.read() as tx:
        found = log.notices_of(tx, stage.live.record.id)
    return [(one.kind, list(one.audience), one.data) for one in found if not one.kind.startswith("clock.")]


def plain(notice: Notice) -> tuple[str, list[str], object]:
    return notice.kind, list(notice.audience), dump(notice.data)
