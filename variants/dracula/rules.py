"""Dracula: set-up, facts, and what the game master may do (rulebook 2, 3, 9, Q32)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import Dice, Order, Orders, Refused, SetupError, Spec, Step, Variant, split_phase
from mailgm.engine.plain import evolve
from mailgm.engine.said import say
from mailgm.engine.work import Work, naming

from .bites import Bites
from .dawn import Dawn
from .days import Partners, Talk, Vote
from .ending import end_round, new_round
from .final import Choice, Flames
from .nights import DraculaWaits, Loupe, Rooms
from .state import DRACULA, NORMAL, PLACES, SPECIAL, Seat, Settings, in_hand
from .state import State as Manor

# R29: the cards of the "auto" deck, in the order in which they are taken.
CARDS = (
    "crucifix", "loupe", "pieu", "bougie", "gousse-ail", "clef", "loupe", "pieu", "bougie", "loupe", "pieu",
    "loupe", "pieu", "bougie", "gousse-ail",
)  # fmt: skip


class Dracula(Variant[Manor]):
    """The game of the dracula rulebook."""

    State = Manor

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        options = super().options(given)
        if options["deck"] != "auto":
            _check_deck(options["deck"])
        return options

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        """Draw Dracula and open round 1 (R1)."""
        for key in deal:
            if key != "dracula":
                raise SetupError(key, say("set-up draws nothing of that name; the only key is dracula"))
        dracula = deal.get("dracula") or dice.pick("dracula", players)
        if dracula not in players:
            raise SetupError("dracula", say("{dracula!r} is not a player of this game", dracula=dracula))
        return new_round(_settings(options, len(players)), players, 1, dracula, {})

    def alive(self, state: Manor, player: str) -> bool:
        return player in state.seats and state.seats[player].alive

    def may_post(self, state: Manor, player: str) -> bool:
        """R4: the dead and the fled keep silent until the round ends."""
        return self.alive(state, player) and not state.seats[player].fled

    def round(self, state: Manor) -> int:
        return state.round

    def pass_withdraws(self, state: Manor, order: Order) -> bool:
        """What one need not do is taken back by "rien"; a destination, or a bite that must be, stays."""
        if order.command == "mordre":
            return state.seats[order.player].role == DRACULA and state.night > 1
        return order.command in ("abstenir", "ail", "bougie", "loupe", "clef", "peindre", "pieu", "valser")

    def facts(self, state: Manor) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for name in state.players:
            for key, value in _seat_facts(state.seats[name]).items():
                facts[f"{name}.{key}"] = value
        for room in PLACES:
            facts[f"floor.{room}"] = state.floors.get(room, ())
            facts[f"wall.{room}"] = state.walls.get(room, "")
        return facts | {
            "gone": state.gone,
            "telepathy.used": state.telepathy,
            "round": state.round,
            "night": state.night,
        }

    def removes(self, state: Manor, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        """Q32: he leaves as if dead, his objects are gone, a partner is alone; without Dracula the round stops."""
        work = Work(state, dice)
        work.announce("death", player=player, role=None, camp=None, cause="removed")
        if state.seats[player].role == DRACULA:
            work.state = state.seat(player, alive=False)
            return end_round(work, "no-contest", {})
        _leave(work, player, split_phase(full)[0])
        return work.step(withdraw=naming(player, standing))

    def sets(self, state: Manor, fact: str, value: Any) -> Manor:
        """What can be put right by hand without breaking the round."""
        name, _, key = fact.rpartition(".")
        kind = {"score": int, "victims": int, "cursed": bool, "sheltered": bool}.get(key)
        if name in state.seats and kind is not None:
            return state.seat(name, **{key: _checked(fact, value, kind)})
        if fact == "telepathy.used":
            return evolve(state, telepathy=_checked(fact, value, bool))
        if name == "wall" and key in PLACES:
            return evolve(state, walls={**state.walls, key: str(value)})
        raise Refused("no-such-fact", fact=fact)


def variant(spec: Spec) -> Dracula:
    """The variant that the loader asks for."""
    phases = (Talk(), Vote(), Partners(), Rooms(), DraculaWaits(), Loupe(), Bites(), Dawn(), Choice(), Flames())
    return Dracula(spec, phases)


def _check_deck(deck: Mapping[str, Any]) -> None:
    for item, copies in deck.items():
        if item not in NORMAL:
            raise SetupError(
                "deck", say("{item!r} is no normal object; there are {names}", item=item, names=", ".join(NORMAL))
            )
        if not isinstance(copies, int) or isinstance(copies, bool) or copies < 0:
            raise SetupError(
                "deck", say("{copies!r} copies of {item}: a whole number from 0 is wanted", copies=copies, item=item)
            )


def _settings(options: Mapping[str, Any], players: int) -> Settings:
    seats, deck = options["sanctuary_seats"], options["deck"]
    taken = CARDS[: players - 2]
    cards = {item: int(taken.count(item) if deck == "auto" else deck.get(item, 0)) for item in NORMAL}
    return Settings(
        rounds=options["rounds"],
        nights=options["nights"],
        first_day=options["first_day"],
        seats=max(1, (players - 1) // 4) if seats == "auto" else seats,
        deck={item: copies for item, copies in cards.items() if copies > 0},
        self_vote=options["self_vote"],
        fill_seats=options["fill_seats"],
        missing_bite=options["missing_bite"],
        dawn_cursed=options["dawn_cursed"],
    )


def _checked(fact: str, value: Any, kind: type) -> Any:
    """A value for a fact that the game master changes. Raises Refused for one of another kind."""
    if type(value) is not kind or (isinstance(value, int) and value < 0):
        raise Refused("wrong-value", fact=fact, value=value)
    return value


def _seat_facts(seat: Seat) -> dict[str, Any]:
    return {
        "role": seat.role,
        "camp": seat.camp,
        "alive": seat.alive,
        "items": in_hand(seat.items),
        "reserved": seat.reserved,
        "cursed": seat.cursed,
        "announced": seat.announced,
        "sheltered": seat.sheltered,
        "room": seat.room,
        "partner": seat.partner,
        "victims": seat.victims,
        "fled": seat.fled,
        "flames": seat.flames,
        "score": seat.score,
    }


def _leave(work: Work[Manor], player: str, phase: str) -> None:
    """Take a player out of everything that the running phase may still look at."""
    state = work.state
    seat = state.seats[player]
    special = [item for item in seat.items if item in SPECIAL]
    work.set(gone=in_hand((*state.gone, *special)), fallen=state.fallen + seat.flames)
    if seat.partner:
        _desert(work, seat.partner, phase)
    night = work.state.tonight
    work.state = work.state.seat(
        player, alive=False, items=(), reserved="", room="", announced="", partner="", follows=False, flames=0
    ).during(
        roll=tuple(name for name in night.roll if name != player),
        going={name: room for name, room in work.state.tonight.going.items() if name != player},
        lookers=tuple(name for name in night.lookers if name != player),
        looking=tuple(name for name in night.looking if name != player),
        paints={name: text for name, text in night.paints.items() if name != player},
    )
    work.set(elected=tuple(name for name in state.elected if name != player))


def _desert(work: Work[Manor], partner: str, phase: str) -> None:
    """His partner is alone; one who waited for a chooser with a loupe goes where he would without him (R24)."""
    state = work.state.seat(partner, partner="", follows=False)
    if phase == "night.loupe" and partner not in state.tonight.going and partner not in state.tonight.looking:
        seat = state.seats[partner]
        room = state.tonight.wishes.get(partner) or seat.announced
        room = room or work.dice.pick(state.dusk_label(f"room.{partner}"), PLACES[:-1])
        state = state.during(going={**state.tonight.going, partner: room})
    work.state = state
