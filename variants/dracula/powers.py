"""What is open in many phases: telepathy (R57), the grimoire (R52), `annuler`; and what all phases refuse."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mailgm.engine import GM, PASS, Ask, Dice, Notice, Order, Orders, Phase, Step
from mailgm.engine.plain import evolve

from .state import CURSES_A_NIGHT, DRACULA, Seat, State

CANCELLABLE = ("ail", "bougie", "loupe", "clef", "peindre", "pieu", "valser")


class Window(Phase[State]):
    """What all phases of Dracula have in common; each says in `asks` and `bars` what is its own.

    telepathic: Dracula may use his telepathy. curses: the grimoire may be used.
    """

    telepathic: bool = True
    curses: bool = False

    def asks(self, state: State, player: str, seat: Seat, standing: Orders) -> list[Ask]:
        """What the phase asks of a player who is in play."""
        return []

    def bars(self, state: State, player: str, seat: Seat, command: str, standing: Orders) -> str:
        """The code of a command that is not asked of a player who is in play; "" if no code is better than the rest."""
        return ""

    def takes(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        """The effect at once of an order that is the phase's own."""
        return None

    # The kernel's questions ----------------------------------------------------------------------------------------

    def whom(self, state: State) -> tuple[str, ...]:
        return state.living

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        seat = state.seats.get(player)
        if seat is None or not seat.alive or seat.fled:  # R4, R34
            return []
        asks = self.asks(state, player, seat, standing)
        if self.curses and "grimoire" in seat.items:
            asks += self.curse_asks(state, player)
        if self.telepathic and seat.role == DRACULA and not state.telepathy:
            asks.append(Ask(player, "telepathie", need="side", final=True))
        return asks

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        seat = state.seats.get(player)
        if seat is None or not seat.alive or seat.fled:
            return "not-your-turn"
        code = self.bars(state, player, seat, command, standing)
        if code:
            return code
        if command == "telepathie" and seat.role == DRACULA and state.telepathy:
            return "power-used"
        if command == "maudire" and self.curses:
            if "grimoire" not in seat.items:
                return "no-object"
            return "already-cursed" if curses_left(state) else "no-curse-left"
        return "not-your-turn"

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        if ask.command == "annuler":
            return "not-your-turn"
        if ask.command == "maudire":
            return "already-cursed" if value in self.cursable(state) else "dead-target"
        return self.misses(state, ask, value)

    def misses(self, state: State, ask: Ask, value: Any) -> str:
        """The code of an illegal target of the phase's own commands."""
        return "not-your-turn"

    def objects(self, state: State, ask: Ask, args: Any, standing: Orders) -> str:
        if ask.command == "maudire" and len(args["players"]) > curses_left(state):
            return "no-curse-left"
        return ""

    def receives(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        if order.command == "telepathie":
            if self.clock == "day":  # R57: by day at once, by night in the morning
                return Step(evolve(state, telepathy=True), tuple(delivered(state, order.args["text"])))
            return Step(evolve(state, telepathy=True, kept=order.args["text"]))
        if order.command == "maudire":
            return cursed(state, order)
        if order.command == "annuler":
            taken = [given.n for given in standing.all(*order.args["given"], player=order.player)]
            return Step(state, withdraw=(order.n, *taken))
        return None if order.command == PASS else self.takes(state, order, standing, dice)

    # The grimoire ---------------------------------------------------------------------------------------------------

    def cursable(self, state: State) -> Sequence[str]:
        """Who may be named to the grimoire, cursed or not."""
        return state.living

    def curse_asks(self, state: State, player: str) -> list[Ask]:
        """R52: two players a night, in one order or two, at any time of the night."""
        # Whoever was named in vain this night counts as cursed here, or the list would tell that he is dead.
        named = {name for _, name in state.tonight.curses}
        legal = tuple(name for name in self.cursable(state) if not state.seats[name].cursed and name not in named)
        if not legal or not curses_left(state):
            return []
        return [Ask(player, "maudire", {"players": legal}, need="side", slot="*")]


class NightWindow(Window):
    """A phase of the night: the table is closed, the grimoire is open, the elected choose no room (R4, R13, R52)."""

    clock = "night"
    curses = True

    def bars(self, state: State, player: str, seat: Seat, command: str, standing: Orders) -> str:
        if command in ROOM_ORDERS and player in state.elected:
            return "in-sanctuary"
        return self.bars_tonight(state, player, seat, command, standing)

    def bars_tonight(self, state: State, player: str, seat: Seat, command: str, standing: Orders) -> str:
        """As `bars`, after what every phase of the night refuses."""
        return ""


# The commands of those who choose a room (R13), and the object that each of the others spends or needs.
OBJECT_OF = {"ail": "gousse-ail", "bougie": "bougie", "loupe": "loupe", "clef": "clef", "peindre": "peinture"}
ROOM_ORDERS = ("aller", *OBJECT_OF)


def curses_left(state: State) -> int:
    """How many players the grimoire may still curse this night."""
    return CURSES_A_NIGHT - len(state.tonight.curses)


def cursed(state: State, order: Order) -> Step:
    """R52: at once, and for the rest of the round; a player staked this night is named without effect (rulebook 5)."""
    targets: Sequence[str] = order.args["players"]
    struck = tuple(name for name in targets if state.seats[name].alive)
    night = state.tonight
    state = state.seated({name: evolve(state.seats[name], cursed=True) for name in struck})
    state = state.during(
        curses=(*night.curses, *((order.player, name) for name in targets)), cursed=(*night.cursed, *struck)
    )
    return Step(state, tuple(Notice("curse.told", name) for name in struck))


def delivered(state: State, text: str) -> list[Notice]:
    """R57: the text goes to all other living vampires, one by one, so that none of them learns of another."""
    told = [name for name in state.vampires if name != state.dracula]
    notices = [Notice("relay", name, {"channel": "telepathy", "author": None, "text": text}) for name in told]
    return [*notices, copied("telepathy", state.dracula, told, text)]


def copied(channel: str, author: str, told: Sequence[str], text: str) -> Notice:
    """R58: the game master's copy of a relayed text."""
    return Notice("relay.copy", GM, {"channel": channel, "author": author, "to": tuple(told), "text": text})


def cancel_asks(player: str, standing: Orders) -> list[Ask]:
    """`annuler` for whoever gave an order in this phase that can be taken back."""
    mine = {order.command for order in standing if order.player == player}
    given = tuple(command for command in CANCELLABLE if command in mine)
    return [Ask(player, "annuler", {"given": given}, need="side")] if given else []
