"""The night: its windows, in the order of the game's list, and the lapinou's own (R12-R16, R81, R98)."""

from __future__ import annotations

from mailgm.engine import Ask, Dice, End, Order, Orders, Step
from mailgm.engine.variant import ChannelInfo

from .flow import LAPINOU, after_lapinou, after_window
from .moment import Moment, passing
from .pool import ACTS
from .role import POOL
from .state import Village, Window
from .turn import Turn


class Night(Moment):
    """What all night windows share: a call to each who is asked, orders by role, acts at the close."""

    clock = "night"

    def __init__(self, window: str, *, announced: bool, decoy: bool) -> None:
        """announced: it opens the night to the public. decoy: its absence would tell a secret (architecture §2)."""
        self.id = f"night.{window}"
        self.announced = announced
        self.decoy = decoy

    def called(self, state: Village, player: str) -> bool:
        """Whether the player has an act in this window and can do it."""
        raise NotImplementedError

    def calls(self, state: Village) -> list[str]:
        """Those who are called."""
        return [name for name in state.living if self.called(state, name)]

    def asked(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """What his role asks of him, and "nothing"."""
        asks = POOL[state.role(player)].asks(state, player, standing)
        return [*asks, passing(player)] if asks else []

    def steady(self, state: Village, player: str) -> bool:
        """Most roles are asked the same whatever they have ordered."""
        return POOL[state.role(player)].steady

    def forbids(self, state: Village, player: str, command: str, target: str) -> str:
        """What his role forbids."""
        return POOL[state.role(player)].refuses(state, player, command, target)

    def bars(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """What his role says of a power of its own that is not asked."""
        role = POOL[state.role(player)]
        return role.closed(state, player, command, standing) if command in role.own_commands else ""

    def opened(self, state: Village) -> dict[str, str]:
        """The public hears of the night, not of its windows."""
        return {"phase": f"night-{state.night}"}

    def opening(self, turn: Turn) -> None:
        """Each player asked is called, and told what he must know to answer."""
        state = turn.state
        callers = tuple(self.everybody(state))
        if not state.tonight.told and (callers or (state.rules.decoys and self.decoy)):
            turn.tonight(told=True)
        turn.tell("call", callers, phase=f"night-{state.night}.{self.id.partition('.')[2]}")
        for name in callers:
            POOL[state.role(name)].opens(turn, name)


class Acts(Night):
    """A window of the night list. Its acts resolve one after the other, in the order listed (R13)."""

    def __init__(self, window: Window, *, announced: bool, decoy: bool) -> None:
        super().__init__(window.id, announced=announced, decoy=decoy)
        self.window = window
        self.roles = frozenset(role.id for act in window.acts for role in ACTS[act])
        self.joint = {act: joint for act in window.acts if (joint := [role for role in ACTS[act] if role.joint])}

    def calls(self, state: Village) -> list[str]:
        """Those who are called, all of them with one of the window's roles."""
        seats, roles = state.seats, self.roles
        return [name for name in state.living if seats[name].role in roles and self.called(state, name)]

    def called(self, state: Village, player: str) -> bool:
        """Living players of the window's acts, awake, with a power left; first-night roles on night 1 only (R12)."""
        role = POOL[state.seats[player].role]
        return role.act in self.window.acts and (state.night == 1 or not role.first) and role.can_act(state, player)

    def opening(self, turn: Turn) -> None:
        """A pack recognises itself before it is asked."""
        super().opening(turn)
        for roles in self.joint.values():
            for role in roles:
                role.gathers(turn)

    def receives(self, state: Village, order: Order, standing: Orders, dice: Dice) -> Step | None:
        """Orders with an effect at once: what the pack says, a struck hunter's arrow."""
        if order.player in state.struck:
            return super().receives(state, order, standing, dice)
        if order.command != "talk":
            return None
        turn = Turn(state, dice)
        POOL[state.role(order.player)].hears(turn, order.player, order)
        return turn.step()

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """Act by act, player by player in seat order; whoever sleeps or has lost the role meanwhile does nothing."""
        for act in self.window.acts:
            if act in self.joint:
                for role in self.joint[act]:
                    role.hunts(turn, orders)
                continue
            for player in turn.state.living:
                role = POOL[turn.state.seats[player].role]
                if role.act != act or (role.first and turn.state.night > 1):
                    continue
                if turn.state.awake(player):
                    role.acts(turn, player, orders)
                else:
                    role.rests(turn, player)
        return after_window(turn, self.window)

    def channels(self, state: Village, player: str) -> tuple[ChannelInfo, ...]:
        """The pack may write to itself while its window is open (R33)."""
        if any(ask.command == "talk" for ask in self.asks_of(state, player, Orders())):
            return (ChannelInfo("pack", "talk", state.wolves()),)
        return ()


class Lapinou(Night):
    """night.lapinou: the attacked lapinou names a wolf; open only then (R81)."""

    def __init__(self, *, announced: bool, decoy: bool) -> None:
        super().__init__(LAPINOU, announced=announced, decoy=decoy)

    def called(self, state: Village, player: str) -> bool:
        """The one who is attacked."""
        return player == state.tonight.attacked and state.alive(player)

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """He gives his wolf; struck down meanwhile, the attack is void (ruling 32)."""
        attacked = turn.state.tonight.attacked
        if attacked and turn.state.alive(attacked):
            POOL[turn.state.role(attacked)].acts(turn, attacked, orders)
        return after_lapinou(turn)
