"""What all phases of the game share: the struck hunter's arrow, refusals, missed answers, and how a phase ends."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from typing import Any

from mailgm.engine import PASS, Ask, Dice, End, Order, Orders, Phase, Step

from .deaths import finish, kill
from .role import shared_refusal
from .state import Village
from .turn import Turn


class Moment(Phase[Village]):
    """A phase of the game. Subclasses say what they ask (`asked`), refuse (`forbids`) and do (`opening`, `closes`)."""

    def calls(self, state: Village) -> Iterable[str]:
        """The players of whom the phase itself asks something."""
        raise NotImplementedError

    def asked(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """What the phase itself asks of one of them."""
        raise NotImplementedError

    def steady(self, state: Village, player: str) -> bool:
        """Whether what a player is asked does not depend on the orders that stand: it is worked out once a state."""
        return True

    def forbids(self, state: Village, player: str, command: str, target: str) -> str:
        """Why a living player may not be named, beyond what all commands share."""
        return ""

    def bars(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """Why a command is not asked of somebody who is asked something now; "" for "not your turn"."""
        return ""

    def opening(self, turn: Turn) -> str | End | None:
        """What happens when the phase opens."""
        return None

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """What happens at the close, and the next phase or the end."""
        raise NotImplementedError

    # The kernel's side ----------------------------------------------------------------------------------------------

    def whom(self, state: Village) -> Collection[str]:
        """Those whom the phase asks, and struck hunters."""
        everybody = self.everybody(state)
        return dict.fromkeys((*everybody, *state.struck)) if state.struck else everybody

    def asks_of(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """The phase's own asks; and a hunter struck down in it may shoot (R44)."""
        if player in state.struck:
            return [arrow(state, player, final=True), passing(player)]
        everybody = state.memo.get(self.id) or self.everybody(state)
        if player not in everybody:
            return []
        asks = everybody[player]
        if asks is None:
            asks = self.asked(state, player, standing)
            if self.steady(state, player):
                everybody[player] = asks
        return [*asks]

    def everybody(self, state: Village) -> dict[str, list[Ask] | None]:
        """Whom the phase asks, with what it asks them where that has been worked out already."""
        known: dict[str, list[Ask] | None] | None = state.memo.get(self.id)
        if known is None:
            known = state.memo[self.id] = dict.fromkeys(self.calls(state))
        return known

    def closed(self, state: Village, player: str, command: str, standing: Orders) -> str:
        """The dead are silent (R93); a role may say why one of its powers is not asked; else it is not his turn."""
        asks = self.asks_of(state, player, standing)
        if not asks:
            return "not-your-turn" if state.alive(player) else "dead-player"
        if not state.alive(player):
            return "dead-player"
        return self.bars(state, player, command, standing) or "not-your-turn"

    def refuses(self, state: Village, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        """Why a name is not accepted; the rulebook's order decides between two reasons."""
        if argument == "card":
            return "no-such-card"
        if not state.alive(value):
            return "dead-target"
        own = self.forbids(state, ask.player, ask.command, value)
        return own or shared_refusal(state, ask.player, ask.command, value) or "not-your-turn"

    def opens(self, state: Village, dice: Dice) -> Step:
        """What is told at the opening."""
        turn = Turn(state, dice)
        return turn.step(self.opening(turn))

    def receives(self, state: Village, order: Order, standing: Orders, dice: Dice) -> Step | None:
        """A struck hunter's arrow flies at once; victory is judged when no other is pending."""
        if order.command != "shoot" or order.player not in state.struck:
            return None
        turn = Turn(state, dice)
        turn.set(struck=tuple(name for name in state.struck if name != order.player))
        return smite(turn, {order.get("player"): "shot"}, standing, state.struck_in)

    def resolves(self, state: Village, orders: Orders, dice: Dice) -> Step:
        """The close. The arrow of a struck hunter lapses, and the judgment that waited for it is made."""
        turn = Turn(state, dice)
        self.report_missed(turn, orders)
        if state.struck:
            turn.set(struck=())
        after = self.closes(turn, orders)
        if state.struck and not isinstance(after, End) and not turn.state.shooters:
            after = finish(turn) or after
        return turn.step(after)

    def report_missed(self, turn: Turn, orders: Orders) -> None:
        """Tell the game master of each required answer that did not come."""
        given: dict[str, list[Order]] = {}
        for order in orders:
            given.setdefault(order.player, []).append(order)
        for player, asks in self.everybody(turn.state).items():
            mine = given.get(player, [])
            if PASS in [order.command for order in mine]:
                continue
            for ask in asks or self.asks_of(turn.state, player, orders):
                if ask.need == "required" and not ask.settled_by(mine):
                    turn.missed(player, ask.command)


@lru_cache(maxsize=1024)
def passing(player: str) -> Ask:
    """In a private phase everybody who is asked may answer "nothing"."""
    return Ask(player, PASS, need="side")


def arrow(state: Village, player: str, *, final: bool = False) -> Ask:
    """What a dead hunter is asked (R42)."""
    return Ask(player, "shoot", {"player": state.living}, need="optional", final=final, bare=True)


def smite(turn: Turn, causes: Mapping[str, str], standing: Orders, full: str) -> Step:
    """Deaths in the running phase `full`, which goes on (R43, R44).

    Orders of the dead fall; hunters among them may shoot in this phase; victory is judged unless an arrow is pending.
    """
    waiting = turn.state.shooters
    turn.set(shooters=())
    dead = kill(turn, causes)
    fallen = turn.state.shooters
    turn.set(shooters=waiting, struck=(*turn.state.struck, *fallen), struck_in=full)
    turn.tell("call", fallen, phase=full)
    pending = turn.state.struck or turn.state.shooters
    end = None if pending else finish(turn)
    return turn.step(end, [order.n for order in standing if order.player in dead])
