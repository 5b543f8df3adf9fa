"""Two tables that differ only in a secret tell whoever may not know it the same, and ask him the same (§4.2)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import pytest

from mailgm.engine import Dice, Game, Input, apply, start
from mailgm.engine.bot import play
from mailgm.engine.plain import dump, evolve
from mailgm.loader import Library
from tests.variants.table import Act, Play
from tests.variants.test_dracula import NIGHT_1, NIGHT_2

ROOMS = ("boudoir", "bal", "geoles", "torture")
Begin = Callable[..., Play]

PROBES = (
    "aller bal", "bougie", "loupe", "peindre coucou", "mordre Bob", "s'abstenir", "pieu Bob", "pieu Ana",
    "valser Bob : a", "répondre non", "maudire Bob", "maudire Ana et Chloé", "télépathie : x", "combattre",
    "annuler loupe",
)  # fmt: skip


def same(one: Play, other: Play, player: str) -> None:
    """What a player was told, what he is asked, and what each order of his would be answered."""
    assert one.view(player) == other.view(player)
    assert one.game.phase == other.game.phase
    assert [dump(ask) for ask in one.game.asks(player)] == [dump(ask) for ask in other.game.asks(player)]
    for line in PROBES:
        assert heard(one.game, player, line) == heard(other.game, player, line), line


def heard(game: Game, player: str, line: str) -> Any:
    """What a player would hear if he typed a line now."""
    outcome = apply(game, Input("message", player, line))
    return [(verdict.status, verdict.code, verdict.accepted, verdict.details) for verdict in outcome.verdicts]


def both(one: Play, other: Play, players: Sequence[str], first: Sequence[Act], second: Sequence[Act]) -> None:
    """Play two tables side by side and compare after every act."""
    for act, mirror in zip(first, second, strict=True):
        one.do(act)
        other.do(mirror)
        for player in players:
            same(one, other, player)


def test_who_dracula_is(dracula: Begin) -> None:
    """dracula R1, R3, R16, R59: Ana or Bob is Dracula, the other goes where he goes."""
    one, other = dracula(vampire="Ana", decoys=True), dracula(vampire="Bob", decoys=True)

    def acts(vampire: str, friend: str) -> list[Act]:
        rooms = [
            ("say", friend, "boudoir"),
            ("say", "Chloé", "boudoir"),
            ("say", "Denis", "bal"),
            ("say", "Élise", "bal"),
        ]
        return [
            *rooms, ("say", "Fanny", "geôles"), ("close",), ("say", vampire, "boudoir"), ("close",),
            ("say", vampire, "Chloé"), ("close",), ("close",), ("post", friend, "vote Denis"),
            ("post", vampire, "vote Denis"), ("close",),
        ]  # fmt: skip

    first, second = acts("Ana", "Bob"), acts("Bob", "Ana")
    for act, mirror in zip(first, second, strict=True):
        one.do(act)
        other.do(mirror)
        if act[0] == "close":  # the votes arrive in another order
            for player in ("Denis", "Élise", "Fanny"):
                told, mirrored = one.view(player)[-1], other.view(player)[-1]
                assert told == mirrored


def test_what_is_kept_for_whom_on_night_two(dracula: Begin) -> None:
    """dracula R28: not even its owner knows his object before the dawn."""
    objects, humans = ("crucifix", "loupe", "pieu", "bougie"), ("Chloé", "Denis", "Élise", "Fanny")
    one = dracula(forced={"night-2.items": dict(zip(humans, objects, strict=True))})
    other = dracula(forced={"night-2.items": dict(zip(humans, reversed(objects), strict=True))})
    acts = [*NIGHT_1, *NIGHT_2[:-1]]
    both(one, other, ("Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny"), acts, acts)


def test_who_shares_the_room_of_a_human(dracula: Begin) -> None:
    """dracula R36, R51: a human learns nothing of his company, not even by what he is refused."""
    one, other = dracula(decoys=True), dracula(decoys=True)
    rooms = {"Bob": "boudoir", "Chloé": "boudoir", "Denis": "boudoir", "Élise": "bal", "Fanny": "bal"}
    first = [("say", name, room) for name, room in rooms.items()]
    second = [("say", name, "geôles" if name == "Fanny" else room) for name, room in rooms.items()]
    rest: list[Act] = [("close",), ("say", "Ana", "boudoir"), ("close",), ("say", "Ana", "Bob")]
    both(one, other, ("Élise", "Chloé"), [*first, *rest], [*second, *rest])


def test_a_death_that_is_not_told_yet(dracula: Begin) -> None:
    """dracula R34, R52: the grimoire's holder cannot tell a staked player from a living one before the morning."""
    items = {"Chloé": "loupe", "Denis": "crucifix", "Élise": "pieu", "Fanny": "bougie"}
    one, other = (dracula(decoys=True, sanctuary_seats=3, forced={"night-2.items": items}) for _ in range(2))
    start: list[Act] = [
        *[("say", "Chloé", "torture") if act[:2] == ("say", "Chloé") else act for act in NIGHT_1], ("close",),
        *NIGHT_2[:4], ("say", "Denis", "boudoir"), ("say", "Élise", "bal"), ("say", "Fanny", "bal"), ("close",),
        ("say", "Bob", "Ana"), ("close",), ("close",),
        ("post", "Ana", "Bob"), ("post", "Bob", "Élise"), ("post", "Denis", "Fanny"), ("close",),
        ("say", "Chloé", "geôles"), ("say", "Denis", "bal"), ("say", "Ana", "torture"), ("close",), ("close",),
    ]  # fmt: skip
    both(one, other, ("Chloé", "Denis"), start, start)
    assert one.game.phase == "night-3.bites"
    both(
        one, other, ("Chloé", "Denis"),
        [("say", "Élise", "pieu Bob"), ("close",), ("say", "Chloé", "maudire Bob"), ("say", "Chloé", "maudire Bob")],
        [("say", "Élise", "pieu Fanny"), ("close",), ("say", "Chloé", "maudire Bob"), ("say", "Chloé", "maudire Bob")],
    )  # fmt: skip
    assert not one.game.state.seats["Bob"].alive
    assert other.game.state.seats["Bob"].alive


def test_who_looks_through_a_loupe(dracula: Begin) -> None:
    """dracula R19, R20: nobody else learns that a loupe was used."""
    items = {"Chloé": "loupe", "Denis": "crucifix", "Élise": "pieu", "Fanny": "bougie"}
    one, other = (dracula(decoys=True, forced={"night-2.items": items}) for _ in range(2))
    start: list[Act] = [*NIGHT_1, ("close",), *NIGHT_2, ("close",), ("close",)]
    both(one, other, ("Ana", "Denis", "Élise"), start, start)
    assert one.game.phase == "night-3.rooms"
    rest: list[Act] = [
        ("say", "Ana", "geôles"),
        ("say", "Denis", "bal"),
        ("say", "Élise", "bal"),
        ("say", "Fanny", "bal"),
    ]
    both(
        one, other, ("Ana", "Bob", "Denis", "Élise", "Fanny"),
        [*rest, ("say", "Bob", "bal"), ("say", "Chloé", "boudoir"), ("close",), ("say", "Chloé", "rien"), ("close",)],
        [*rest, ("say", "Bob", "bal"), ("say", "Chloé", "loupe"), ("close",), ("say", "Chloé", "boudoir"), ("close",)],
    )  # fmt: skip


def twin(game: Game, player: str, dice: Dice) -> Game:
    """The same game to the eyes of one player of the night or the day: all that he does not know is drawn anew."""
    state: Any = game.state
    knows = {player, *state.companions(player)} if state.seats[player].role != "human" else {player}
    inside = state.seats[player].room == "sanctuaire" or game.phase.startswith("day")
    if "phonographe" in state.seats[player].items:
        knows |= set(state.companions(player))
    seats = {}
    for name, seat in state.seats.items():
        changes: dict[str, Any] = {}
        if name != player and seat.alive:
            changes["items"] = dice.pick("items", ((), ("pieu",), ("loupe", "phonographe"), ("grimoire",)))
            changes["victims"] = dice.pick("victims", range(3))
            changes["reserved"] = dice.pick("reserved", ("", "clef"))
            if seat.role != "dracula":
                changes["role"] = dice.pick("role", ("human", "vampire"))
            if name not in knows and seat.room in ROOMS and not inside:
                changes["room"] = dice.pick("room", [room for room in ROOMS if room != state.seats[player].room])
        seats[name] = evolve(seat, **changes)
    night = state.tonight
    state = evolve(state, seats=seats).during(
        sick=tuple(name for name in night.sick if name == player),
        turned=(), bites=(), found=(), used=(), lookers=(), painted=(),
        looking=tuple(name for name in night.looking if name == player),
        waltz=night.waltz if player in night.waltz else (),
    )  # fmt: skip
    if state.seats[player].role != "dracula":
        state = evolve(state, telepathy=dice.chance("telepathy", 50))
    return replace(game, state=state, standing=tuple(order for order in game.standing if order.player == player))


@pytest.mark.parametrize("seed", range(1, 13))
def test_what_one_is_asked_and_answered_depends_on_what_one_knows(library: Library, seed: int) -> None:
    """Asks and refusals of a player in any phase before the final one, while all else is drawn anew (§4.2)."""
    names = ("Ana", "Bob", "Chloé", "Denis", "Élise", "Fanny", "Gaëlle", "Hugo", "Inès")
    options = {"rounds": 1, "sanctuary_seats": 2}
    dice = Dice(f"twins {seed}")
    first = start(library.variant("dracula"), names, options, str(seed), decoys=True).game
    for _, outcome in play(first, str(seed)):
        game = outcome.game
        if game.over or game.phase.startswith("final"):
            return
        player = dice.pick("player", [name for name in names if game.state.seats[name].alive])
        other = twin(game, player, dice)
        where = f"{game.phase}, {player}"
        assert [dump(ask) for ask in game.asks(player)] == [dump(ask) for ask in other.asks(player)], where
        for line in dice.sample("probes", PROBES, 5):
            assert heard(game, player, line) == heard(other, player, line), f"{where}: {line}"
