"""The bites: stakes in the sanctuary, bites in the rooms, the waltz, and what lies on the floors at dawn (R27-R51)."""

from __future__ import annotations

from typing import Any

from mailgm.engine import Ask, Dice, Orders, Step
from mailgm.engine.plain import evolve
from mailgm.engine.work import Work, missed

from .dawn import morning
from .floors import hand_out, sweep, walls
from .powers import NightWindow, cancel_asks, copied
from .state import DRACULA, HUMAN, NORMAL, ROOMS, SANCTUARY, SPECIAL, VAMPIRE, Seat, State, in_hand


class Bites(NightWindow):
    """The vampires bite; in the sanctuary stakes may be used; the phonograph plays (R33, R35-R43, R51)."""

    id = "night.bites"
    decoy = True

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        if not seat.items and seat.role == HUMAN:
            return []
        others = state.companions(player)
        if not others:
            return []
        asks = []
        if _bites(state, player, seat):
            asks += _bite_asks(state, player, seat, others)
        stakes = seat.items.count("pieu")
        if stakes and seat.room == SANCTUARY:
            asks.append(Ask(player, "pieu", {"players": others}, {"players": (1, stakes)}, need="optional"))
        if "phonographe" in seat.items:
            asks.append(Ask(player, "valser", {"player": others}, need="optional"))
        return asks + cancel_asks(player, standing)

    def bars_tonight(self, state: State, player: str, seat: Seat, command: str, standing: Orders) -> str:
        if command in ("mordre", "abstenir"):
            if player in state.tonight.sick:
                return "sick"
            must = command == "abstenir" and _bites(state, player, seat) and state.companions(player)
            return "must-bite" if must else ""
        if command == "pieu":
            if "pieu" not in seat.items:
                return "no-object"
            return "not-in-sanctuary" if seat.room != SANCTUARY else ""
        if command == "valser" and "phonographe" not in seat.items:
            return "no-object"
        return ""

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        if not state.seats[value].alive:
            return "dead-target"
        return "self-target" if value == ask.player else "not-in-room"

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        work = Work(state, dice)
        bites = self._victims(work, orders)
        _stake(work, orders)
        _bite(work, bites)
        _waltz(work, orders)
        hand_out(work)  # R30
        sweep(work)  # R44-R47
        walls(work)  # R50
        if not work.state.humans:
            return morning(work)
        return work.step(f"night-{work.state.night}.dawn")

    def _victims(self, work: Work[State], orders: Orders) -> dict[str, str]:
        """R37: biter → victim, in seat order; for the silent who must bite the victim is drawn."""
        state = work.state
        work.notices += missed(self, state, state.vampires, orders)
        bites = {}
        for name in state.vampires:
            order = orders.of(name, "mordre", "abstenir")
            if order is not None:
                if order.command == "mordre":
                    bites[name] = order.args["player"]
                continue
            ask = next((ask for ask in self.asks_of(state, name, orders) if ask.command == "mordre"), None)
            if ask is not None and ask.need == "required" and _drawn(state):
                bites[name] = work.dice.pick(state.dusk_label(f"bite.{name}"), ask.legal["player"])
        return bites


def _bites(state: State, player: str, seat: Seat) -> bool:
    """R35: whether this vampire bites tonight, if anybody is with him."""
    return seat.role != HUMAN and seat.room in ROOMS and player not in state.tonight.sick


def _bite_asks(state: State, player: str, seat: Seat, others: tuple[str, ...]) -> list[Ask]:
    """R37: vampires must bite; Dracula alone may abstain, and not on night 1."""
    if seat.role == DRACULA and state.night > 1:
        return [
            Ask(player, "mordre", {"player": others}, need="optional", slot="bite", bare=True, missing="abstains"),
            Ask(player, "abstenir", need="optional", slot="bite", missing="abstains"),
        ]
    missing = "drawn" if _drawn(state) else "nothing"
    return [Ask(player, "mordre", {"player": others}, slot="bite", bare=True, missing=missing)]


def _drawn(state: State) -> bool:
    """R37: whether a victim is drawn for the silent; on night 1 always."""
    return state.night == 1 or state.settings.missing_bite == "draw"


def _stake(work: Work[State], orders: Orders) -> None:
    """R33-R34: every declared stake is used up, and all in the sanctuary see what came of it."""
    state = work.state
    inside = state.in_room(SANCTUARY)
    effects = {HUMAN: "human", VAMPIRE: "killed", DRACULA: "dracula"}
    for order in orders.all("pieu"):
        for target in order.args["players"]:
            effect = effects[state.seats[target].role]
            for name in inside:
                work.tell("stake.seen", name, by=order.player, target=target, effect=effect)
            work.state = work.state.seated({order.player: work.state.seats[order.player].drop("pieu")})
            work.state = work.state.during(used=(*work.state.tonight.used, (order.player, "pieu")))
            if effect == "killed" and target not in work.state.tonight.staked:
                _kill(work, target)


def _kill(work: Work[State], player: str) -> None:
    """R34, R56: a staked vampire is out of the round, and his special objects are gone; all that is told at dawn."""
    seat = work.state.seats[player]
    night = work.state.tonight
    lost = {**night.lost, player: seat.items} if seat.items else night.lost
    work.state = work.state.seat(player, alive=False, items=()).during(staked=(*night.staked, player), lost=lost)
    work.set(gone=in_hand((*work.state.gone, *seat.items)))


def _bite(work: Work[State], bites: dict[str, str]) -> None:
    """R38-R43: all bites at the same time."""
    state = work.state
    bitten: dict[str, int] = {}
    for target in bites.values():
        bitten[target] = bitten.get(target, 0) + 1
    results = {}
    for target in bitten:
        seat = state.seats[target]
        if seat.role != HUMAN:
            results[target] = "vampire"
        else:
            results[target] = "crucifix" if "crucifix" in seat.items else "turned"
    for target, result in results.items():
        if result == "turned":
            _turn(work, target)
        elif result == "crucifix":  # R42
            work.state = work.state.seated({target: work.state.seats[target].drop("crucifix")})
            work.state = work.state.during(used=(*work.state.tonight.used, (target, "crucifix")))
    for biter, target in bites.items():
        if results[target] == "turned":  # R39
            work.state = work.state.seat(biter, victims=work.state.seats[biter].victims + 1)
    work.state = work.state.during(bites=tuple(bites.items()))
    for biter, target in bites.items():
        work.tell("bite.result", biter, target=target, result=results[target])
    told = {"turned": "turned", "vampire": "bite.felt", "crucifix": "crucifix.used"}
    for result, kind in told.items():
        for target in state.players:
            if results.get(target) == result:
                work.tell(kind, target, count=bitten[target])


def _turn(work: Work[State], player: str) -> None:
    """R38, R43: he becomes a vampire, drops his normal objects in the room and keeps his special ones."""
    state = work.state
    seat = state.seats[player]
    dropped = [item for item in seat.items if item in NORMAL]
    kept = tuple(item for item in seat.items if item in SPECIAL)
    floors = {**state.floors, seat.room: in_hand((*state.floors[seat.room], *dropped))}
    state = evolve(state, floors=floors).seat(player, role=VAMPIRE, items=kept)
    work.state = state.during(turned=(*state.tonight.turned, player))


def _waltz(work: Work[State], orders: Orders) -> None:
    """R51: the message without its author; the dead receive nothing, but the game master sees every text (R58)."""
    for order in orders.all("valser"):
        partner, text = order.args["player"], order.args["text"]
        reached = [partner] if work.state.seats[partner].alive else []
        for name in reached:
            work.tell("relay", name, channel="phonograph", author=None, text=text)
        work.notices.append(copied("phonograph", order.player, reached, text))
        work.state = work.state.during(waltz=(order.player, partner))
