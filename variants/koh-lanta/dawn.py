"""The close of a night, one step after the other (rulebook 5.2, R21-R34, R40-R41, R69-R70, R76-R83)."""

from __future__ import annotations

from typing import Any

from mailgm.engine import GM, Dice, Orders
from mailgm.engine.work import Work

from .lines import COMBINATIONS, four
from .state import INDIVIDUAL, RED, WHITE, YELLOW, State, name_chief


class Dawn(Work[State]):
    """One night's resolution, from the orders standing at its close."""

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        super().__init__(state, dice)
        self.orders = orders

    def names(self, command: str) -> dict[str, Any]:
        """Player → the one argument of his standing order of a command, in seat order."""
        given = {order.player: next(iter(order.args.values()), None) for order in self.orders.all(command)}
        return {player: given[player] for player in self.state.living if player in given}

    def find_necklaces(self) -> None:
        """In each tribe the right number finds a necklace, if not too many sent it (R30-R32, R83)."""
        state = self.state
        sent = self.names("number")
        guesses = dict(state.guesses)
        for player, number in sent.items():
            guesses[state.home(player)] = (*guesses.get(state.home(player), ()), number)
        found: list[str] = []
        hidden = dict(state.hidden)
        for tribe in state.tribes:
            right = [name for name in state.members(tribe) if sent.get(name) == state.number]
            if (
                state.merged_on and len(right) > 1
            ):  # R83: a former finder gets nothing beside another, and blocks nobody
                right = [name for name in right if name not in state.finders]
            if 1 <= len(right) <= hidden[tribe]:
                found += right
                hidden[tribe] -= len(right)
        held = {**state.held, **{name: state.held.get(name, 0) + 1 for name in found}}
        finders = state.finders if state.merged_on else state.seated({*state.finders, *found})
        self.set(guesses=guesses, hidden=hidden, held=held, finders=finders)
        for player in sent:
            self.tell("necklace.found" if player in found else "necklace.nothing", player)

    def play_necklaces(self) -> None:
        """Who said so and holds one gives it up, and is protected (R33, R34)."""
        for player, answer in self.names("necklace").items():
            held = self.state.held.get(player, 0)
            if answer != "non" and held:
                self.set(
                    held={**self.state.held, player: held - 1},
                    protected=self.state.seated({*self.state.protected, player}),
                )

    def make_alliances(self) -> None:
        """All at once, from what was before: two names that meet, or a name that meets a secret vote (R23)."""
        state = self.state
        wishes, votes = self.names("ally"), self.names("secret")
        pairs, turned = [], set()
        for player, ally in wishes.items():
            if ally in state.allies:  # R24: nobody is told
                continue
            if wishes.get(ally) == player and state.camp(player) == state.camp(ally) and (ally, player) not in pairs:
                pairs.append((player, ally))
            elif player not in state.strateges and votes.get(ally) == player:
                pairs.append((player, ally))
                turned.add(ally)
        allies = dict(state.allies)
        for one, other in pairs:
            allies |= {one: other, other: one}
        named = dict(state.named)
        for player, ally in wishes.items():
            if player not in state.strateges:
                named[player] = (*named.get(player, ()), ally)
        self.set(allies=allies, named=named)
        for one, other in pairs:
            self.tell("alliance.formed", one, ally=other, secret_turned=one in turned)
            self.tell("alliance.formed", other, ally=one, secret_turned=other in turned)

    def fix_secrets(self) -> None:
        """The secret votes of the night; one against an ally turns on its author (R26)."""
        votes = self.names("secret")
        cast = {player: (*self.state.cast.get(player, ()), target) for player, target in votes.items()}
        secrets = {
            player: player if self.state.allies.get(player) == target else target for player, target in votes.items()
        }
        self.set(cast={**self.state.cast, **cast}, secrets=secrets)

    def answer_fire(self) -> None:
        """What a probe tells: an alliance as things stand now, or the names of the target (R69, R70)."""
        state = self.state
        for player, target in self.names("probe").items():
            stratege = target in state.strateges
            allied = target in state.allies
            names = () if allied else (state.cast if stratege else state.named).get(target, ())
            told: dict[str, Any] = {"target": target, "allied": allied, "names": tuple(dict.fromkeys(names))}
            if state.options["fire_distinguishes"] and not allied:
                told["nature"] = "votes" if stratege else "alliances"
            self.tell("fire.result", player, **told)

    def end_clues(self) -> None:
        """A clue is for one night (R76)."""
        self.set(clue=())

    def merge(self) -> None:
        """The white chief, and one tribe of two (R79, R81, R82)."""
        state = self.state
        chief, by = self._white_chief()
        hidden = {RED: 0, YELLOW: 0, WHITE: state.hidden[RED] + state.hidden[YELLOW]}
        self.set(stage=INDIVIDUAL, merged_on=state.day, ambassadors=False, hidden=hidden, chiefs={}, fire=(), kit=())
        self.announce("merged", players=state.living)
        name_chief(self, chief, WHITE, by)

    def _white_chief(self) -> tuple[str, str]:
        state = self.state
        chiefs = tuple(state.chiefs[tribe] for tribe in (RED, YELLOW) if state.chiefs.get(tribe))
        choice = {chief: name for chief, name in self.names("ambassador").items() if chief in chiefs}
        named = state.seated(choice.values())
        if len(chiefs) == 1:
            return chiefs[0], "ambassadors"
        if len(named) == 1:  # both the same, or one of them silent
            return named[0], "ambassadors"
        pool = named if named and state.options["ambassador_disagree"] == "names" else chiefs
        return self.dice.pick(f"night-{state.day}.ambassador", pool), "draw"

    def fix_challenge(self) -> None:
        """Tomorrow's challenge, chosen or drawn, never yesterday's, and its salt (R40-R42)."""
        state = self.state
        order = self.orders.of(GM, "challenge")
        fresh = tuple(combination for combination in COMBINATIONS if combination != state.yesterday)
        challenge = four(order.args) if order else self.dice.pick(f"day-{state.day}.challenge", fresh)
        self.set(challenge=challenge, salt=self.dice.text(f"day-{state.day}.salt", 32))
