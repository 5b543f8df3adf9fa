"""The werewolf family: one pool of roles, games composed from it. Rulebook: loup-garou."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mailgm.engine import Dice, Order, Orders, Phase, Refused, SetupError, Spec, Step, Variant, split_phase
from mailgm.engine.model import Channel
from mailgm.engine.said import say

from . import compose
from .after import Heir, Shot
from .day import Election, Mayor, Revote, Vote
from .flow import LAPINOU, arrows_hidden, enter_night
from .moment import smite
from .night import Acts, Lapinou, Night
from .outline import course
from .pool import vocabulary
from .role import POOL
from .state import Rules, Seat, Village, Window
from .turn import Turn

BALLOTS = frozenset({"vote", "blank", "elect"})


class Werewolves(Variant[Village]):
    """All games of the family; the options say which."""

    State = Village
    channel_ids = ("pack",)

    def __init__(self, spec: Spec) -> None:
        moments = ("dawn", "dusk")
        super().__init__(spec, [Election(), Vote(), Mayor(), Revote(), *map(Heir, moments), *map(Shot, moments)])
        self._patient = {phase.id: phase for phase in (Shot(moment, decoy=True) for moment in moments)}

    def options(self, given: Mapping[str, Any]) -> dict[str, Any]:
        """The options over the preset's over the defaults, checked. Raises SetupError."""
        return compose.merged(self.spec, given)

    def night(self, options: Mapping[str, Any], deck: Mapping[str, int]) -> tuple[Window, ...]:
        """The night as a game with these options and cards plays it. Raises SetupError."""
        return compose.plan(options["night"], deck, self.spec.options["night"].default)

    def cards(self, options: Mapping[str, Any], players: int) -> Mapping[str, int]:
        """The composition, in the order of the pool (R2)."""
        deck = compose.composition(options, players)
        return {role: deck[role] for role in POOL if deck.get(role)}

    def outline(self, options: Mapping[str, Any], players: int) -> list[str]:
        """Who wakes when, how the day is decided, who wins."""
        deck = self.cards(options, players)
        return list(course(options, self.night(options, deck), deck))

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        """Deal, tell each his card and all the deck, and let night fall (R1, R2, R91)."""
        cards, leftover, deck = compose.dealt(players, options, deal, dice)
        rules = Rules.of(options, self.night(options, deck))
        seats = {name: Seat(**POOL[role].card()) for name, role in cards.items()}
        turn = Turn(Village(rules, players, seats, players, deck, leftover), dice)
        for name in players:
            turn.tell("role.assigned", name, role=seats[name].role, camp=seats[name].camp)
        if rules.show_deck:
            turn.announce("deck.shown", deck={role: deck[role] for role in POOL if deck.get(role)})
        self._deal_mayor(turn, deal)
        return turn.step(enter_night(turn))

    def _deal_mayor(self, turn: Turn, deal: Mapping[str, Any]) -> None:
        named = deal.get("mayor", "")
        if named and (turn.state.rules.mayor != "dealt" or named not in turn.state.order):
            raise SetupError(
                "mayor", say('{named} cannot be the dealt mayor: a player, with mayor = "dealt"', named=named)
            )
        if turn.state.rules.mayor == "dealt":
            mayor = named or turn.dice.pick("mayor", turn.state.order)
            turn.set(mayor=mayor)
            turn.announce("mayor.named", player=mayor, how="dealt")

    def phase(self, state: Village, full: str) -> Phase[Village]:
        """The phase of a full id; the night's come from the game's list."""
        base, _ = split_phase(full)
        if base in self.phases:
            hidden = base in self._patient and arrows_hidden(state)
            return self._patient[base] if hidden else self.phases[base]
        key = (base, state.tonight.told)
        known: Phase[Village] | None = state.rules.memo.get(key)
        if known is None or state.rules.decoys:
            known = state.rules.memo[key] = self._night(state, base)
        return known

    def _night(self, state: Village, base: str) -> Night:
        name = base.partition(".")[2]
        told = state.tonight.told
        if name == LAPINOU:
            return Lapinou(announced=not told, decoy=self._may_play(state, lambda role: role.substitutes))
        window = next(window for window in state.rules.windows if window.id == name)
        return Acts(window, announced=not told, decoy=self._may_play(state, lambda role: role.act in window.acts))

    def _may_play(self, state: Village, fits: Any) -> bool:
        """Whether, for all that the public knows, a card that `fits` may still be in play: then its window must not
        be missed (architecture §2, decoys)."""
        if not state.rules.decoys:
            return False
        fallen: dict[str, int] = {}
        if state.rules.reveal == "role":
            for seat in state.seats.values():
                if not seat.alive and seat.cause != "removed":
                    fallen[seat.role] = fallen.get(seat.role, 0) + 1
        return any(fits(POOL[card]) and count > fallen.get(card, 0) for card, count in state.deck.items())

    def facts(self, state: Village) -> dict[str, Any]:
        """The game master's view (rulebook §9)."""
        facts: dict[str, Any] = {}
        for name, seat in state.seats.items():
            for key in ("role", "camp", "alive", "lover", "powers", "last_target", "cause"):
                facts[f"{name}.{key}"] = getattr(seat, key)
        facts.update({f"deck.{role}": state.deck.get(role, 0) for role in POOL})
        for key in ("mayor", "leftover", "night", "day", "over", "winner_camp"):
            facts[key] = getattr(state, key)
        return facts

    def alive(self, state: Village, player: str) -> bool:
        """Whether a player lives."""
        return state.alive(player)

    def channel(self, state: Village, command: str) -> Channel:
        """Ballots are cast at the table, or in private where they are secret (R52)."""
        if command in BALLOTS:
            return "private" if state.rules.ballot == "secret" else "public"
        return super().channel(state, command)

    def pass_withdraws(self, state: Village, order: Order) -> bool:
        """`pass` takes back every order that the player gave in this phase."""
        return True

    def removes(self, state: Village, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        """The game master takes a player out: grief, but no arrow and no heir (ruling 35)."""
        return smite(Turn(state, dice), {player: "removed"}, standing, full)

    def commands(self, state: Village, full: str, order: Order, standing: Orders, dice: Dice) -> Step:
        """`foudroyer`: he is dead at once, and the phase goes on (R43)."""
        player = order.get("player")
        if order.command != "strike":
            raise Refused("not-your-turn")
        if not state.alive(player):
            raise Refused("dead-target", player=player)
        return smite(Turn(state, dice), {player: "thunder"}, standing, full)

    def sets(self, state: Village, fact: str, value: Any) -> Village:
        """A card, the lovers' bond's end, powers, the last target, the mayor. Raises Refused("no-such-fact")."""
        name, _, key = fact.rpartition(".")
        if fact == "mayor" and (value == "" or value in state.living):
            return replace(state, mayor=value)
        if name in state.seats and key == "role" and value in POOL:
            return self._seat(state, name, **POOL[value].card())
        if name in state.seats and key == "powers" and set(value) <= set(POOL[state.role(name)].powers):
            return self._seat(state, name, powers=tuple(value))
        if name in state.seats and key == "last_target" and (value == "" or value in state.seats):
            return self._seat(state, name, last_target=value)
        raise Refused("no-such-fact", fact=fact)

    def _seat(self, state: Village, name: str, **fields: Any) -> Village:
        return replace(state, seats={**state.seats, name: replace(state.seats[name], **fields)})


def variant(spec: Spec) -> Werewolves:
    """The rules, with the words that the roles bring."""
    return Werewolves(Spec(vocabulary(spec.data), spec.presets))
