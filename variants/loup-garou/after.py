"""After deaths: the hunters' arrows and the mayor's heir, at dawn and at dusk (R42, R95)."""

from __future__ import annotations

from mailgm.engine import Ask, End, Orders

from .deaths import kill
from .flow import aftermath, go_on, number
from .moment import Moment, arrow, passing
from .state import Village
from .turn import Turn


class Shot(Moment):
    """Every hunter who has just died may take somebody with him; all shoot together."""

    clock = "instant"

    def __init__(self, moment: str, *, decoy: bool = False) -> None:
        """moment: "dawn" or "dusk". decoy: the public cannot know whether a hunter has died."""
        self.id = f"{moment}.shot"
        self.moment = moment
        self.decoy = decoy

    def calls(self, state: Village) -> tuple[str, ...]:
        """The hunters."""
        return state.shooters

    def asked(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Their target; they may change their minds until the close."""
        return [arrow(state, player), passing(player)]

    def opening(self, turn: Turn) -> None:
        """They are called, in private."""
        phase = f"{self.moment}-{number(turn.state, self.moment)}.shot"
        turn.tell("call", turn.state.shooters, phase=phase)

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """The arrows fly; a hunter who falls by one of them is asked next."""
        shots = [orders.of(hunter, "shoot") for hunter in turn.state.shooters]
        turn.set(shooters=())
        kill(turn, {shot.get("player"): "shot" for shot in shots if shot})
        return aftermath(turn, self.moment)


class Heir(Moment):
    """The mayor who has just died names his successor; silent, chance does."""

    clock = "instant"

    def __init__(self, moment: str) -> None:
        self.id = f"{moment}.heir"
        self.moment = moment

    def calls(self, state: Village) -> list[str]:
        """The dead mayor."""
        return [state.mayor] if state.mayor and not state.alive(state.mayor) else []

    def asked(self, state: Village, player: str, standing: Orders) -> list[Ask]:
        """Whom he names."""
        return [Ask(player, "heir", {"player": state.living}, bare=True, missing="drawn"), passing(player)]

    def opening(self, turn: Turn) -> None:
        """He is called."""
        phase = f"{self.moment}-{number(turn.state, self.moment)}.heir"
        turn.tell("call", turn.state.mayor, phase=phase)

    def closes(self, turn: Turn, orders: Orders) -> str | End:
        """The office passes on."""
        order = orders.of(turn.state.mayor, "heir")
        heir = order.get("player") if order else ""
        if not heir or not turn.state.alive(heir):
            label = f"{self.moment}-{number(turn.state, self.moment)}.heir"
            heir = turn.dice.pick(label, turn.state.living)
        turn.set(mayor=heir)
        turn.announce("mayor.named", player=heir, how="heir")
        return go_on(turn, self.moment)
