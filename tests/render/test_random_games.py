"""Whole games of random players, every mail of them written: what a game really tells, and not only the samples."""

from __future__ import annotations

import pytest

from mailgm.engine import GM, Ask, Spec
from mailgm.engine.game import Game, Outcome
from mailgm.engine.parse import parser_for
from mailgm.render import Reader, Renderer
from mailgm.render.words import Words
from tests.render.samples import DEADLINE, LANGS, LIBRARY, PLAYERS, notices, random_game, view, worded

RENDERER = Renderer()


def write_all(game: Game, outcome: Outcome, lang: str) -> set[str]:
    """Write every mail and reply that an outcome makes; returns the kinds told."""
    now = outcome.game
    seen = view(now.variant.spec, options=now.options, phase=now.phase, over=now.over)
    for name in (*now.players, GM):
        told = [notice for notice in outcome.notices if notice.reaches(name)]
        reader = Reader(name, lang, is_gm=name == GM)
        if told or outcome.opened:
            write = RENDERER.post if any(notice.kind == "table.post" for notice in told) else RENDERER.notices
            write(seen, reader, told, now.asks(name), DEADLINE)
        mine = [verdict for verdict in outcome.verdicts if verdict.player == name]
        if mine:
            rendered = RENDERER.reply(seen, reader, mine, now.owed(name), now.asks(name), DEADLINE)
            assert max(map(len, rendered.text.splitlines())) <= 100
    return {notice.kind for notice in outcome.notices}


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", worded())
def test_every_mail_of_a_game_can_be_written_and_every_kind_told_is_a_sample(variant: str, lang: str) -> None:
    known = {notice.kind: set() for notice in (*notices("common"), *notices(variant))}
    for seed, players in (("1", None), ("2", LIBRARY.variant(variant).spec.least)):
        for game, outcome in random_game(variant, seed, players):
            told = write_all(game, outcome, lang)
            assert told <= set(known), f"no sample in kinds/{variant}.toml for {sorted(told - set(known))}"


def example(words: Words, ask: Ask, turn: int, spec: Spec) -> None:
    """The example that a mail gives is understood as the command it stands for, with legal values."""
    typed = words.example(ask, turn)
    reading = parser_for(spec, PLAYERS, ()).read(typed, [ask], public=ask.channel == "public")
    assert len(reading.drafts) == 1, (ask.command, typed, reading)
    draft = reading.drafts[0]
    assert (draft.command, draft.sound) == (ask.command, True), (ask.command, typed, draft)
    for name, named in draft.named.items():
        legal = ask.legal.get(name)
        assert legal is None or set(named.values) <= set(legal), (ask.command, typed, named)


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("variant", worded())
def test_every_example_of_an_order_is_understood(variant: str, lang: str) -> None:
    spec = LIBRARY.variant(variant).spec
    table = RENDERER._shelf(lang, "", variant)[1]
    tried: set[tuple[object, ...]] = set()
    for game, _ in random_game(variant, "3"):
        words = Words(spec, game.players, lang, table)
        for name in (*game.players, GM):
            for ask in game.asks(name):
                key = (ask.command, *ask.legal.items())
                # Where nothing may be named any more, the word alone is shown and every name gets its reason.
                if key not in tried and ask.channel != "gm" and () not in ask.legal.values():
                    tried.add(key)
                    example(words, ask, len(tried), spec)
    assert tried
