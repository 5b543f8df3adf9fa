"""The dose and the end of the day (rulebook 5.7, R24, R27, R38-R47, R60-R64)."""

from __future__ import annotations

from mailgm.engine import Step
from mailgm.engine.work import Work

from .state import (
    HALOUINE,
    PEASANTS,
    State,
    all_infected,
    become_halouine,
    drop_mark,
    heir,
    name_chief,
    over,
    take_role,
    turn_over,
)


class Dose(Work[State]):
    """The end of a day, from the player elected (None: nobody, so no dose) to the next night."""

    def given(self, elected: str | None) -> Step:
        """The dose, second bouftou, mark, blessing, dusk, and the end test, in this order."""
        effect = False
        if elected is not None:
            recipient = self.recipient(elected)
            lost = recipient == self.state.holder("halouine") and not heir(self.state)
            effect = self.take(elected, recipient)
            if lost:  # R61: nothing of the rest of the day happens
                return self.step(over(self, PEASANTS))
        if not effect:
            self.second_bouftou()
        self.mark()
        self.blessing()
        self.announce("dusk", day=self.state.turn, elected=elected, effect=effect)
        self.set(tied=(), candidates=(), taking_place=False, sacrificing=False)
        if all_infected(self.state):
            return self.step(over(self, HALOUINE))
        self.set(turn=self.state.turn + 1, cancelled="")
        return self.step(f"night-{self.state.turn}.roles")

    def recipient(self, elected: str) -> str:
        """The elected player, or the infected épouvantail in his place (R24)."""
        state = self.state
        scarecrow = state.holder("epouvantail")
        if not state.taking_place or not scarecrow or scarecrow == elected:
            return elected
        self.set(stood_in=(*state.stood_in, "infected"))
        return scarecrow

    def take(self, elected: str, recipient: str) -> bool:
        """The dose acts (R39-R43). Whether it cured somebody."""
        state = self.state
        refused = recipient == state.holder("pretre") and not state.refused
        effect = not refused and recipient in state.infected
        told = {"effect": effect}
        if state.options["announce_refusal"]:
            told["refused"] = refused
        if state.options["announce_swap"]:
            told["swapped"] = recipient != elected
        self.announce("dose.result", player=elected, **told)
        if refused:  # R41
            self.set(refused=True)
            return False
        if recipient == state.holder("halouine"):
            if heir(state):
                self.fall(recipient)
            return effect
        if effect:
            turn_over(self, recipient, False)
        if recipient == state.mark:  # R46: a dose really received, even without effect
            drop_mark(self)
        return effect

    def fall(self, fallen: str) -> None:
        """Halouine is cured on turn 1: he leaves, or becomes a paysan; the sorcière is Halouine (R63, R64)."""
        successor = heir(self.state)
        if self.state.options["fallen_halouine"] == "paysan":
            take_role(self, fallen, "paysan")
            turn_over(self, fallen, False)
        else:
            self.set(out=self.state.seated({*self.state.out, fallen}))
            self.announce("death", player=fallen, role="halouine", camp=HALOUINE, cause="antidote")
        become_halouine(self, successor)
        if fallen in self.state.out and fallen == self.state.chief:
            name_chief(self, self.dice.pick(f"day-{self.state.turn}.chief", self.state.living), "draw")

    def second_bouftou(self) -> None:
        """The dose cured nobody: the bouftou heals one drawn infected player, never Halouine (R27)."""
        state = self.state
        shepherd = state.holder("berger")
        pool = tuple(player for player in state.sick if state.roles[player] != "halouine")
        if not state.sacrificing or not shepherd or not pool:
            return
        self.set(bouftous=tuple(which for which in state.bouftous if which != "second"))
        self.tell("bouftou.sacrificed", shepherd, which="second")
        turn_over(self, self.dice.pick(f"day-{state.turn}.bouftou", pool), False)

    def mark(self) -> None:
        """The mark acts at the end of its last vote, and is spent even without effect (R45, R47)."""
        state = self.state
        target = state.mark
        if not target or state.mark_end > state.turn:
            return
        if state.mark_kind == "infection":
            if target not in state.infected and target not in state.blessed:  # R36
                turn_over(self, target, True)
        elif target in state.infected and target != state.holder("halouine"):  # R43
            turn_over(self, target, False)
        drop_mark(self)

    def blessing(self) -> None:
        """A blessing ends with the day of its last turn (R34)."""
        if self.state.blessing_until == self.state.turn:
            self.set(blessing_until=0, blessed=())
