"""Eliminations, victory, the end of a day, the final phase (rulebook 5.9, 5.10, R84-R88, R99-R109)."""

from __future__ import annotations

from mailgm.engine import End, Step
from mailgm.engine.work import Work

from .state import BISOUNOURS, FINAL, INDIVIDUAL, OVER, STRATEGE, State, break_alliance, hide_again


class Ending(Work[State]):
    """What a vote leads to."""

    def eliminate(self, players: tuple[str, ...]) -> Step:
        """One or two leave at once: camp and role are public, nothing else (R10, 5.9)."""
        for player in self.state.seated(players):
            self.leaves(player)
            self.announce(
                "death", player=player, role=self.state.role(player), camp=self.state.camp(player), cause="vote"
            )
        for player in self.state.seated(players):
            hide_again(self, player)
            break_alliance(self, player)
        state = self.state
        self.set(fallen=state.seated(players))
        if state.merged_on:
            self.set(jurors=(*state.jurors, *state.seated(players)))  # R105
        if (camp := victory(state)) is not None:
            return self.step(self.over(camp))
        orphans = [tribe for tribe in state.tribes if state.chiefs.get(tribe) in state.out]
        for tribe in orphans:
            if len(state.living) >= 3 and state.members(tribe):
                return self.step(f"day-{state.day}.succession")
            self.set(chiefs={**self.state.chiefs, tribe: ""})  # R15
        return self.end_of_day()

    def leaves(self, player: str) -> None:
        """A player is out; before the merge he may watch challenges later on."""
        state = self.state
        early = state.early if state.merged_on else state.seated({*state.early, player})
        self.set(out=state.seated({*state.out, player}), early=early)

    def end_of_day(self) -> Step:
        """Dusk, then the duel, the final phase, or the next night (5.10)."""
        state = self.state
        self.announce("dusk", day=state.day, eliminated=state.fallen, remaining=len(state.living))
        self.set(fallen=(), totem="", offers=(), challenge=(), salt="")
        if len(state.living) == 2:
            return self.step(f"day-{state.day}.jury")
        if state.stage == INDIVIDUAL and len(state.living) <= state.options["final_at"]:
            self.open_final()
        self.set(day=state.day + 1)
        return self.step(f"night-{self.state.day}.orders")

    def open_final(self) -> None:
        """Necklaces vanish, alliances are published and cancelled (R84, R85)."""
        state = self.state
        pairs = tuple(
            (player, ally)
            for player, ally in sorted(state.allies.items(), key=lambda pair: state.players.index(pair[0]))
            if state.players.index(player) < state.players.index(ally)
        )
        lost = sum(state.held.values()) + sum(state.hidden.values())
        self.set(stage=FINAL, final_night=state.day + 1, allies={}, held={}, spent=state.spent + lost)
        self.set(hidden=dict.fromkeys(state.hidden, 0))
        self.announce("alliances.revealed", pairs=pairs)
        self.announce("final.opened", players=state.living)

    def over(self, camp: str) -> End:
        """The end: all of the camp win but those removed; everything is revealed (R109). camp "": nobody wins."""
        state = self.state
        winners = tuple(name for name in state.players if state.camp(name) == camp and name not in state.removed)
        self.set(stage=OVER)
        self.announce(
            "game.over",
            winner_camp=camp or None,
            winners=winners,
            scores=None,
            reveal={player: state.role(player) for player in state.players},
            camps={player: state.camp(player) for player in state.players},
            necklace_number=state.number,
        )
        return End(camp or None, winners)


def victory(state: State) -> str | None:
    """The camp that has won, "" for nobody, None if the game goes on (R100-R103)."""
    strateges = len(state.pack)
    bisounours = len(state.living) - strateges
    if not state.living:
        return ""
    if not strateges:
        return BISOUNOURS
    if not bisounours:
        return STRATEGE
    players, final = len(state.living), state.options["final_at"]
    if not state.options["mathematical_win"] or players == 2:
        return None
    certain = 2 * bisounours < final if players > final else strateges > bisounours
    return STRATEGE if certain else None
