"""The night: what each role may do, and the order in which it happens (rulebook 5.2, R15-R54)."""

from __future__ import annotations

from mailgm.engine import PASS, Ask, Dice, Order, Orders, Phase, Step
from mailgm.engine.work import Work, missed

from .state import FACES, HALOUINE, State, all_infected, over, turn_over

# Why a command that its role knows is not open to it now; anything else is not its player's turn.
_SPENT = {
    ("berger", "guard"): "no-bouftou",
    ("pretre", "bless"): "blessing-running",
    ("sorciere", "mark"): "mark-running",
    ("alchimiste", "brew"): "potion-held",
    ("alchimiste", "give"): "no-potion",
}


class Roles(Phase[State]):
    """Everything is ordered in secret and happens at the close, in one order for all."""

    id = "night.roles"
    clock = "night"
    announced = True

    def opens(self, state: State, dice: Dice) -> Step:
        """A potion that was brewing is ready (R52)."""
        work = Work(state, dice)
        if state.potion == "brewing":
            work.set(potion="ready")
            work.tell("potion.ready", state.holder("alchimiste"), turn=state.turn)
        return work.step()

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.living:
            return []
        others = tuple(name for name in state.living if name != player)
        role = state.roles[player]
        asks: list[Ask] = []
        if role == "halouine":
            asks.append(Ask(player, "infect", {"player": state.healthy}, missing="drawn"))
        elif role == "marchand-de-sable":
            fresh = tuple(name for name in others if name not in state.once_cancelled)
            asks.append(Ask(player, "cancel", {"player": fresh}, need="optional"))
        elif role == "pretre" and not state.blessing_until:
            asks.append(Ask(player, "bless", need="optional"))
        elif role == "berger" and "first" in state.bouftous:
            asks.append(Ask(player, "guard", {"player": state.living}, need="optional", missing="stays"))
        elif role == "epouvantail" and player not in state.infected and "healthy" not in state.stood_in:
            asks.append(Ask(player, "stand-in", need="optional"))
        elif role == "sorciere" and not state.mark:
            asks.append(Ask(player, "mark", {"player": others}, need="optional"))
        elif role == "alchimiste":
            asks += _alchemy(state, player, others, standing)
        elif role == "devin":
            asks.append(Ask(player, "roll", {"again": ("again",)}, need="optional"))
        return [*asks, Ask(player, PASS, need="side")]

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        if player not in state.living:
            return "not-your-turn"
        role = state.roles[player]
        if (role, command) == ("epouvantail", "stand-in") and player not in state.infected:
            return "power-used"
        return _SPENT.get((role, command), "not-your-turn")

    def refuses(self, state: State, ask: Ask, argument: str, value: str, standing: Orders) -> str:
        if value in state.out:
            return "dead-target"
        if value == ask.player:
            return "self-target"
        return {"infect": "already-infected", "cancel": "already-cancelled"}[ask.command]

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        night = Night(state, orders, dice)
        night.notices += missed(self, state, state.living, orders)
        night.sandman()
        night.priest()
        night.shepherd()
        night.halouine()
        night.witch()
        night.alchemist()
        night.seer()
        night.dawn()
        if all_infected(night.state):
            return night.step(over(night, HALOUINE))
        return night.step(f"day-{night.state.turn}.vote")


def _alchemy(state: State, player: str, others: tuple[str, ...], standing: Orders) -> list[Ask]:
    """One act a night (R52); with `brew_after_giving` another potion may follow the one just given (ruling 28)."""
    both = state.options["brew_after_giving"]
    slot = "" if both else "potion"
    asks = []
    if state.potion == "ready":
        asks.append(Ask(player, "give", {"player": others}, need="optional", slot=slot))
    if state.potion == "none" or (both and standing.of(player, "give")):
        asks.append(Ask(player, "brew", need="optional", slot=slot))
    return asks


class Night(Work[State]):
    """One night's resolution. An order of a cancelled player is void and spends nothing (R28, R29)."""

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        super().__init__(state, dice)
        self.orders = orders
        self.sacrificed = False

    def order(self, role: str, command: str) -> Order | None:
        """What the holder of a role ordered, if it is not void."""
        holder = self.state.holder(role)
        return self.orders.of(holder, command) if self.state.can(holder) else None

    def sandman(self) -> None:
        """One player is cancelled for this turn, each at most once in the game (R28, R31)."""
        if order := self.order("marchand-de-sable", "cancel"):
            target = order.args["player"]
            self.set(cancelled=target, once_cancelled=self.state.seated({*self.state.once_cancelled, target}))

    def priest(self) -> None:
        """A blessing of `blessing_turns` turns begins, this one included (R34)."""
        if self.order("pretre", "bless"):
            self.set(blessing_until=self.state.turn + self.state.options["blessing_turns"] - 1)

    def shepherd(self) -> None:
        """The first bouftou moves; else it stays where it is (R26)."""
        if order := self.order("berger", "guard"):
            self.set(guarded=order.args["player"])

    def halouine(self) -> None:
        """The attack, and who takes the target's place (R15-R25)."""
        state = self.state
        order = self.orders.of(state.holder("halouine"), "infect")
        if not state.can(state.holder("halouine")):
            return
        label = f"night-{state.turn}.infection"
        target = order.args["player"] if order else self.dice.pick(label, state.healthy)
        if target in state.blessed or target == state.guarded:
            self.infect(target)
            return
        scarecrow = state.holder("epouvantail")
        takes = self.order("epouvantail", "stand-in") and scarecrow in state.healthy and scarecrow != target
        if not takes or scarecrow in state.blessed:  # R23: his own state could not change, so the ability is kept
            self.infect(target)
        elif self.infect(scarecrow):
            self.set(stood_in=(*self.state.stood_in, "healthy"))

    def infect(self, target: str) -> bool:
        """Try to infect by night: blessing first (R19), then the bouftou (R18, R26). Whether it was done."""
        if target in self.state.blessed:
            return False
        if target == self.state.guarded:
            self.set(guarded="", bouftous=("second",) if "second" in self.state.bouftous else ())
            self.sacrificed = True
            return False
        turn_over(self, target, True)
        return True

    def witch(self) -> None:
        """The mark is placed; the target is not told (R44, R45)."""
        if order := self.order("sorciere", "mark"):
            self.set(mark=order.args["player"], mark_end=self.state.turn + self.state.options["mark_turns"] - 1)

    def alchemist(self) -> None:
        """The potion turns a state over, and is spent whatever happens (R51); or another is begun (R52)."""
        if order := self.order("alchimiste", "give"):
            target = order.args["player"]
            self.set(potion="none")
            if target not in self.state.infected:
                self.infect(target)
            elif target != self.state.holder("halouine"):  # R43
                turn_over(self, target, False)
        if self.order("alchimiste", "brew") and self.state.potion == "none":
            self.set(potion="brewing")

    def seer(self) -> None:
        """The die (R48-R50)."""
        order = self.order("devin", "roll")
        if order is None:
            return
        state = self.state
        first = face = self.dice.pick(f"night-{state.turn}.die", FACES)
        marks, rerolled = state.die_marks, False
        if order.get("again") and face in state.faces:
            face, rerolled = self.dice.pick(f"night-{state.turn}.reroll", FACES), True
            marks += face == first
        holder = state.holder(face) or None
        infected = None if holder is None else holder in state.infected
        seer = order.player
        self.set(die_marks=marks, faces=tuple(name for name in FACES if name in {*state.faces, first, face}))
        self.tell("die.result", seer, face=face, rerolled=rerolled, holder=holder, infected=infected, marks=marks)
        if marks == 2:
            self.set(die_marks=0)
            if seer in state.infected:
                turn_over(self, seer, False)
            else:
                self.infect(seer)

    def dawn(self) -> None:
        """What is told at dawn."""
        state = self.state
        self.tell("role.cancelled", state.cancelled, turn=state.turn)
        if self.sacrificed:
            self.tell("bouftou.sacrificed", state.holder("berger"), which="first")
        self.tell("infected.count", state.holder("alchimiste"), count=len(state.sick))
        self.announce("dawn", night=state.turn)
