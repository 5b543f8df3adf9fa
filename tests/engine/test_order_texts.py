"""The canonical text of an order is read back as the same order, in every game and both languages."""

from __future__ import annotations

import contextlib
import sys
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from toys import LIBRARY, PHARE, at_vote, gm, heard, phare, post, say, told

from mailgm.engine import GM, Input, SetupError, apply, start
from mailgm.engine.bot import play
from mailgm.engine.wording import render_order

NAMES = (
    "Ana", "Bob", "Chloé", "Denis", "Élise", "Jean-Paul", "Anabelle", "Le Chat", "O'Brien", "Marie", "Rose", "Ольга",
    "Joueur 1", "Joueur 12", "Vote", "Øystein", "Zoé", "Li", "Bal", "Nina", "Noé", "Otto", "Paul", "Rémi",
)  # fmt: skip


@pytest.mark.parametrize(
    ("command", "args", "french", "english"),
    [
        ("guard", {"player": "Chloé"}, "veiller Chloé", "guard Chloé"),
        ("go", {"place": "watch"}, "aller salle de veille", "go watch room"),
        ("signal", {"players": ("Ana", "Bob")}, "signaler Ana, Bob", "signal Ana, Bob"),
        (
            "whisper",
            {"player": "Ana", "text": "oui, à demain"},
            "chuchoter Ana : oui, à demain",
            "whisper Ana: oui, à demain",
        ),
        ("swear", {}, "jurer", "swear"),
        ("bell", {"strokes": 2}, "cloche 2", "bell 2"),
        ("pass", {}, "rien", "pass"),
    ],
)
def test_how_an_order_is_written(command, args, french, english):
    assert render_order(PHARE.spec, command, args, "fr") == french
    assert render_order(PHARE.spec, command, args, "en") == english


def games(name):
    """Games of a variant, by each of its presets, with the numbers of players that its bare options allow."""
    variant = LIBRARY.variant(name)
    spec = variant.spec
    for count in sorted({spec.least, spec.recommended, min(spec.most, len(NAMES))}):
        for options in [{"preset": preset} for preset in spec.presets] or [{}]:
            with contextlib.suppress(SetupError):
                yield start(variant, NAMES[:count], options, "text").game


@pytest.mark.parametrize("name", LIBRARY.ids())
def test_the_text_of_a_legal_order_is_read_back_as_that_order(name):
    """All orders that random players think of in whole games, among names that are hard to read."""
    tried = set()
    for seed, game in enumerate(games(name)):
        for given_, outcome in play(game, f"text-{seed}", silence=5):
            if given_.kind == "order":
                check(game, given_, outcome)
                tried.add(given_.command)
            game = outcome.game
    assert tried


def check(game, order, direct):
    """The text is read as the order, and does what the order did when it came taken apart."""
    public = order.channel == "public"
    for lang in ("fr", "en"):
        line = render_order(game.variant.spec, order.command, order.args, lang)
        actor = "gm" if order.player == GM else "player"
        reading = game.parser.read(line, game.asks(order.player), public=public, actor=actor)
        assert [draft.command for draft in reading.drafts] == [order.command], line
        read = {
            argument.name: named.values if argument.listed else named.values[0]
            for argument in game.variant.spec.commands[order.command].args
            if (named := reading.drafts[0].named.get(argument.name)) and not named.code
        }
        assert read == dict(order.args), line
        assert reading.drafts[0].clean, line
        said = Input("gm", GM, line) if actor == "gm" else Input("message", order.player, line, order.channel)
        typed = apply(game, said)
        assert [verdict.status for verdict in typed.verdicts] == ["accepted"], line
        assert typed.game.state == direct.game.state
        assert [notice for notice in typed.notices if notice.kind != "table.post"] == list(direct.notices)


NIGHT, VOTE = phare(NAMES[:12]), at_vote(phare(NAMES[:12]))
WORDS = [
    "veiller", "vote", "aller", "signaler", "graver", "quai", "Ana", "Chloé", "et", "ou", "pas", "ne", "?", ",", ":",
    ";", "**", "~~", "(", "car", "svp", "salle", "de", "1)", "-", "l'", "rien", "\u200b", "🦊",
]  # fmt: skip


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=300) | st.lists(st.sampled_from(WORDS), max_size=25).map(" ".join))
def test_no_line_breaks_the_kernel(text):
    """Whatever somebody types, in private or at the table, each line gets a verdict and nothing raises."""
    lines = [line for line in text.splitlines() if line.strip()]
    for outcome in (
        say(NIGHT, "Ana", text),
        say(NIGHT, "Bob", text),
        post(VOTE, "Bob", text),
        post(NIGHT, "Bob", text),
    ):
        assert len(outcome.verdicts) >= len(lines)


@settings(max_examples=100, deadline=None)
@given(st.text(max_size=200))
def test_no_word_of_the_game_master_breaks_the_kernel(text):
    for prefix in ("", "ordre Bob: ", "dire à ", "remplacer Bob par ", "corriger ", "revenir ", "retirer "):
        gm(NIGHT, prefix + text)


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet=st.characters(exclude_categories=["Cs", "Cc", "Zl", "Zp"]), max_size=200))
def test_a_text_is_kept_as_typed(text):
    """Spaces at its ends and its composition (NFC) apart; what cannot be seen is left out."""
    line = render_order(PHARE.spec, "carve", {"text": text}, "fr")
    outcome = say(NIGHT, "Bob", line)
    wanted = unicodedata.normalize("NFC", " ".join(text.split()))
    if (
        not wanted
        or "~~" in wanted
        or any(ord(char) in range(0x2000, 0x2070) or char in "\xad\ufeff" for char in wanted)
    ):
        return
    (verdict,) = outcome.verdicts
    assert verdict.order is not None
    assert verdict.order.get("text") == wanted


@pytest.mark.parametrize(
    "line",
    ["x " * 50_000, "et " * 33_000, "a" * 100_000, "é," * 50_000, ", ".join(["veiller Chloé"] * 8_000), "~" * 100_000,
     "veiller " + "b" * 100_000, "*" * 100_000, "(" * 50_000 + "veiller Ana", "1) " * 30_000, " " * 99_999 + "x"],
    ids=lambda line: repr(line[:12]),
)  # fmt: skip
def test_long_lines_cost_no_more_than_their_length(line):
    """100 kB on one line are read within the cost of a few hundred short ones: counted in calls, not in seconds."""
    calls = 0

    def count(frame, event, arg):
        nonlocal calls
        calls += event == "call"

    sys.setprofile(count)
    try:
        outcome = say(NIGHT, "Bob", line)
    finally:
        sys.setprofile(None)
    assert len(outcome.verdicts) == 1
    assert calls < 40_000


def test_a_message_of_thousands_of_lines_is_read_at_its_beginning_only():
    outcome = say(NIGHT, "Bob", "quai\n" + "blabla\n" * 20_000)
    assert heard(outcome)[0] == "go quay"
    assert len(outcome.verdicts) == 301
    assert (outcome.verdicts[-1].code, outcome.verdicts[-1].details) == ("not-understood", {"unread": 19_701})
    posted = post(VOTE, "Bob", "vote Ana\n" + "blabla\n" * 20_000)
    assert told(posted, "table.post")[0].data["text"].count("blabla") == 20_000
    assert {verdict.status for verdict in posted.verdicts} == {"accepted", "talk"}


def test_a_long_text_is_an_order_and_comes_whole():
    text = "bla " * 20_000
    assert say(NIGHT, "Bob", f"graver {text}").verdicts[0].order.get("text") == text.strip()


def test_an_order_before_a_long_explanation_counts():
    assert heard(say(NIGHT, "Bob", "veiller Chloé car " + "je la crois, " * 500)) == ["guard Chloé"]


def test_direct_orders_and_texts_make_the_same_order():
    args = {"players": ("Ana", "Chloé")}
    direct = apply(phare(), Input("order", "Bob", command="signal", args=args)).verdicts[0].order
    typed = say(phare(), "Bob", render_order(PHARE.spec, "signal", args, "fr")).verdicts[0].order
    assert (typed.command, typed.args, typed.slot, typed.n) == (direct.command, direct.args, direct.slot, direct.n)
