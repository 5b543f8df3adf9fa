"""The werewolf family beyond its scenarios: secrets, timing, the order of arrival, bugs that every engine has had."""

from __future__ import annotations

import itertools
import tomllib
from collections.abc import Callable
from pathlib import Path

import pytest

from mailgm.engine import GM, PUBLIC, Ask
from mailgm.engine.plain import dump
from mailgm.engine.scenario import run
from mailgm.loader import Library
from tests.variants.table import Act, Play

Begin = Callable[..., Play]
SCENARIOS = Path(__file__).resolve().parent.parent / "scenarios"

# Bugs reported again and again for engines of this game, each with the scenario that shows it is not here.
# (Operation: doubled mails, deadlines in summer time, saves older than the code stand in the tests of those parts.)
BUGS = {
    "the game ends before the hunter shoots": "mg-all-dead-is-a-draw",
    "a lynched hunter cannot shoot": "mg-hunter-lynched-shoots-last-wolf",
    "a contaminated hunter still shoots": "tt-contaminated-hunter-does-not-shoot",
    "the witch's potions never run out": "mg-both-potions-one-night-then-none",
    "a lover of a mixed couple wins with his camp": "mg-mixed-couple-blocks-and-never-wins-with-its-camp",
    "lovers win beside others": "tt-mixed-couple-holds-up-the-pack",
    "one player is announced dead twice": "cu-both-lovers-at-once",
    "grief comes a night too late": "mg-lovers-bound-and-grief",
    "the attacked witch cannot heal herself": "mg-both-potions-one-night-then-none",
    "a divided pack breaks the night": "mg-pack-split-is-drawn",
    "no victim is taken for a player": "tt-open-eyes-without-victim",
    "an infection passes every protection": "cu-a-protected-player-is-not-infected",
    "the raven's mark stays for a second ballot": "mg-mark-is-for-one-first-ballot",
    "the thief is not bound to take a wolf": "mg-thief-two-wolves-must-take",
    "a five-way tie kills five": "mg-equal-vote-nobody-dies",
    "votes that were not cast win": "tt-dead-slave-has-no-ballot",
    "the mayor's absence hangs the game": "tt-mayor-silent-or-struck",
    "an imposed bite ignores the protection": "cu-an-imposed-bite-on-a-protected-player",
    "infected and killed in one night": "tt-infected-and-poisoned",
    "who dies tonight no longer acts tonight": "mg-raven-dies-mark-stands",
    "the saved are named": "mg-guardian-saves-witch-hears-no-victim",
    "the parity rule drags on": "cu-parity-of-wolves",
    "won at the deal": "cu-nobody-has-won-at-the-start",
    "the last wolf is taken out and nobody says so": "cu-taken-out-by-the-game-master",
    "the dead vote, are voted for, and hear the pack": "tt-the-dead-are-silent",
    "a change of card is told to the dead": "tt-infected-and-poisoned",
    "a power is spent without a decision": "tt-a-sleeping-shaman-keeps-his-spell",
    "the night closes early by counting answers": "cu-early-close-waits-for-optional-asks",
    "the same protection forever": "mg-guardian-not-twice-running",
    "a chain of shots stops halfway": "cu-a-chain-of-arrows",
}


@pytest.mark.parametrize("bug", BUGS)
def test_a_bug_of_other_engines_is_not_here(bug: str, library: Library) -> None:
    (file,) = SCENARIOS.rglob(f"{BUGS[bug]}.toml")
    scenario = tomllib.loads(file.read_text("utf-8"))
    report = run(scenario, library.variant("loup-garou"))
    assert report.holds, report.failures


def same(one: Play, other: Play, player: str, *lines: str) -> None:
    """What a player was told, what he is asked, and how each line of his would be answered."""
    assert one.view(player) == other.view(player)
    assert [dump(ask) for ask in one.game.asks(player)] == [dump(ask) for ask in other.game.asks(player)]
    for line in lines:
        heard = [Play.__new__(Play), Play.__new__(Play)]
        for play, source in zip(heard, (one, other), strict=True):
            play.game, play.outcomes = source.game, []
            play.do(("say", player, line))
        assert heard[0].codes() == heard[1].codes(), line


PROBES = ("mordre Bob", "sonder Ana", "sauver", "tuer Ana", "contaminer Ana", "espionner", "bénir Ana", "meute : moi")


def test_a_villager_cannot_tell_who_the_wolf_is(village: Begin) -> None:
    """loup-garou R1, R28, R32: Ana or Bob is the wolf; nothing that Chloé hears, or could ask, tells which."""
    one = village("wolf", "seer", "villager", "guardian", "villager", "witch", decoys=True)
    other = village("seer", "wolf", "villager", "guardian", "villager", "witch", decoys=True)

    def night(wolf: str, seer: str) -> list[Act]:
        return [
            ("say", wolf, "mordre Élise"),
            ("say", seer, "sonder Denis"),
            ("say", "Denis", "protéger Élise"),
            ("close",),
            ("say", "Fanny", "rien"),
            ("close",),
            ("post", "Chloé", "vote Denis"),
            ("close",),
        ]

    for act, mirror in zip(night("Ana", "Bob"), night("Bob", "Ana"), strict=True):
        one.do(act)
        other.do(mirror)
        for player in ("Chloé", "Élise"):
            same(one, other, player, *PROBES)


def test_hidden_cards_stay_hidden_in_the_timing(village: Begin) -> None:
    """loup-garou R12, R81: the windows of a sleeping witch and of a lapinou left alone have their hours (decoys)."""
    cards = ("wolf", "flutist", "lapinou", "witch", "villager", "villager")
    quiet, loud = village(*cards, decoys=True), village(*cards, decoys=True)
    quiet.do(("say", "Ana", "mordre Élise"), ("say", "Bob", "endormir Denis"), ("close",))
    loud.do(("say", "Ana", "mordre Chloé"), ("say", "Bob", "endormir Fanny"), ("close",))
    for play in (quiet, loud):
        assert play.game.phase == "night-1.lapinou"
        play.do(("close",))
        assert play.game.phase == "night-1.witch"
        nights = [n for outcome in play.outcomes for n in outcome.notices if n.kind == "phase.opened"]
        assert [dict(notice.data) for notice in nights] == [{"phase": "night-1"}]
    assert quiet.view("Élise") == loud.view("Élise")
    quiet.do(("close",))
    assert quiet.game.phase == "day-1.vote"


def test_without_decoys_nobody_waits_for_a_sleeper(village: Begin) -> None:
    """loup-garou R12: a window that asks nobody is passed over."""
    play = village("wolf", "flutist", "witch", "villager", "villager")
    play.do(("say", "Ana", "mordre Élise"), ("say", "Bob", "endormir Chloé"), ("close",))
    assert play.game.phase == "day-1.vote"


def test_the_hour_of_an_arrow_tells_nothing_where_cards_are_hidden(village: Begin) -> None:
    """loup-garou R42, R53: where cards stay hidden, everybody who dies is waited for as a hunter would be."""
    play = village("wolf", "hunter", "villager", "villager", "villager", decoys=True, reveal="none")
    play.do(("say", "Ana", "mordre Denis"), ("close",))
    assert play.game.phase == "dawn-1.shot"
    shown = village("wolf", "hunter", "villager", "villager", "villager", decoys=True)
    shown.do(("say", "Ana", "mordre Denis"), ("close",))
    assert shown.game.phase == "day-1.vote"


def test_the_order_of_arrival_changes_nothing(village: Begin) -> None:
    """loup-garou R13: orders of one window sent in any sequence resolve alike."""
    acts: list[Act] = [
        ("say", "Ana", "mordre Denis"),
        ("say", "Bob", "mordre Élise"),
        ("say", "Chloé", "bénir Ana"),
        ("say", "Denis", "sonder Bob"),
        ("say", "Élise", "espionner"),
    ]
    told = set()
    for sequence in itertools.permutations(acts):
        play = village("wolf", "wolf", "exorcist", "seer", "little-girl", "villager", "villager")
        play.do(*sequence)
        outcome = play.do(("close",))
        told.add(str([(notice.kind, notice.to, dump(notice.data)) for notice in outcome.notices]))
    assert len(told) == 1


def test_the_pack_has_a_channel_at_night_and_only_then(village: Begin) -> None:
    """loup-garou R33, R93: living wolves, game names only, while their window is open; not even the spy."""
    play = village("wolf", "pack-chief", "little-girl", "villager", "villager", "villager")

    def members(player: str) -> list[tuple[str, ...]]:
        return [info.members for info in play.game.rules.channels(play.game.state, player)]

    assert members("Ana") == members("Bob") == [("Ana", "Bob")]
    assert members("Chloé") == members("Denis") == members(GM) == []
    play.do(("say", "Ana", "veiller"), ("close",))
    assert members("Ana") == []
    play.do(("post", "Ana", "vote Bob"), ("close",))
    assert members("Ana") == [("Ana",)]
    assert members("Bob") == []


def test_what_is_said_to_the_channel_reaches_the_pack_alone(village: Begin) -> None:
    """loup-garou R33: relayed at once to the other living wolves and to nobody else."""
    play = village("wolf", "wolf", "little-girl", "villager", "villager", "villager")
    outcome = play.do(("say", "Ana", "meute : mordre Chloé, c'est sûr"))
    assert [(notice.kind, notice.audience) for notice in outcome.notices] == [("relay", ("Bob",))]
    assert play.game.standing[-1].command == "talk"


def test_nothing_is_judged_while_an_arrow_is_pending(village: Begin) -> None:
    """loup-garou R42, R43, R57: struck and dawn hunters alike; then one judgment, one banner."""
    play = village("wolf", "hunter", "hunter", "villager", wolves_win="parity")
    play.do(("gm", "foudroyer Bob"), ("gm", "foudroyer Denis"))
    assert not play.game.over
    play.do(("say", "Bob", "tirer Chloé"))
    assert not play.game.over
    outcome = play.do(("say", "Chloé", "Ana"))
    banners = [notice for notice in outcome.notices if notice.kind == "game.over"]
    assert len(banners) == 1
    assert banners[0].data["winner_camp"] is None
    assert play.game.end is not None
    assert play.game.end.winners == banners[0].data["winners"] == ()


def test_a_draw_does_not_shift_with_another_role(village: Begin) -> None:
    """loup-garou R34: draws come from seed, phase and label; a seer more or less changes no equal vote."""
    drawn = set()
    for card in ("villager", "seer", "raven", "flutist"):
        play = village("wolf", "wolf", "villager", "villager", card, "villager")
        outcome = play.do(("say", "Ana", "mordre Chloé"), ("say", "Bob", "mordre Denis"), ("close",))
        drawn.update(notice.data["victim"] for notice in outcome.notices if notice.kind == "pack.choice")
    assert len(drawn) == 1


def test_legal_values_are_what_the_player_knows(village: Begin) -> None:
    """loup-garou R35, ruling 45: a lover's name leaves the list only for the one who knows of the love."""
    play = village("wolf", "cupid", "villager", "villager", "villager", lovers_bound=True)
    play.do(("say", "Bob", "lier Ana Chloé"), ("close",))

    def legal(player: str, command: str) -> tuple[str, ...]:
        ask: Ask = next(ask for ask in play.game.asks(player) if ask.command == command)
        return ask.legal["player"]

    assert legal("Ana", "bite") == ("Bob", "Denis", "Élise")
    play.do(("close",))
    assert legal("Ana", "vote") == ("Ana", "Bob", "Denis", "Élise")
    assert legal("Chloé", "vote") == ("Bob", "Chloé", "Denis", "Élise")
    assert legal("Denis", "vote") == ("Ana", "Bob", "Chloé", "Denis", "Élise")


def test_the_game_master_may_correct_a_card(village: Begin) -> None:
    """loup-garou R45: his corrections are his business; what the rules cannot hold is refused."""
    play = village("wolf", "villager", "villager", "villager", mayor="dealt", deal={"mayor": "Bob"})
    play.do(("gm", "corriger Chloé.role = witch"), ("gm", "corriger mayor = Denis"))
    facts = play.game.variant.facts(play.game.state)
    assert (facts["Chloé.role"], facts["Chloé.powers"], facts["mayor"]) == ("witch", ("life", "death"), "Denis")
    play.do(("gm", "corriger Ana.alive = false"))
    assert play.codes() == ["no-such-fact"]


def test_going_back_brings_the_same_night_again(village: Begin) -> None:
    """loup-garou R13: undone to the opening of a window, the same orders make the same night."""
    play = village("wolf", "wolf", "villager", "witch", "villager", "villager")
    night: list[Act] = [("say", "Ana", "mordre Chloé"), ("say", "Bob", "mordre Élise"), ("close",)]
    first = play.do(*night)
    play.do(("gm", "revenir night-1.main"))
    again = play.do(*night)
    assert [dump(n) for n in first.notices] == [dump(n) for n in again.notices]
    assert all(n.to != PUBLIC or n.kind != "death" for n in again.notices)
