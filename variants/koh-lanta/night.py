"""The night: what is asked of whom (rulebook 4, 5.2, R16-R22, R29-R33, R68, R76-R80, R83, R86)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import GM, Ask, ChannelInfo, Dice, Notice, Order, Orders, Step
from mailgm.engine.work import Work, missed

from .dawn import Dawn
from .lines import LINES, four
from .state import FINAL, STRATEGE, WHITE, Part, State

_OVER = ("number", "necklace", "keep-necklace", "ally")  # in the final phase (R84, R85)
TALK = {"strateges": "say", "ambassadeurs": "parley"}


class Night(Part):
    """Secret votes, alliances, numbers, necklaces, probes; everything happens at the close."""

    id = "night.orders"
    clock = "night"
    announced = True

    def opens(self, state: State, dice: Dice) -> Step:
        """The ambassadors' night is the first with few enough players, or with an empty tribe (R77)."""
        work = Work(state, dice)
        empty = not all(map(state.members, state.tribes))
        if not state.merged_on and (len(state.living) <= state.merge_at or empty):
            work.set(ambassadors=True)
            work.announce("ambassadors.opened", chiefs=chiefs(state))
        return work.step()

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player == GM:
            # R40: a side ask, for the game runs with nobody watching as well.
            ask = Ask(GM, "challenge", LINES, need="side", channel="gm", bare=True, missing="drawn")
            return [ask] if due(state) else []
        if player not in state.living or quiet(state):
            return self._talk(state, player)
        return [
            *self._ambassador(state, player),
            *_pact(state, player),
            *_necklace(state, player),
            *_probe(state, player),
            *self._talk(state, player),
        ]

    def _ambassador(self, state: State, player: str) -> list[Ask]:
        if not state.ambassadors or len(chiefs(state)) < 2 or player not in chiefs(state):
            return []
        return [Ask(player, "ambassador", {"player": state.living}, missing="drawn")]

    def _talk(self, state: State, player: str) -> list[Ask]:
        """The stratèges, and the two chiefs on the ambassadors' night, write to one another (R19, R80)."""
        open_now = tuple(info.id for info in self.channels(state, player))
        if not open_now:
            return []
        asks = [Ask(player, "say", {"channel": open_now}, need="side", slot="*")]
        if "ambassadeurs" in open_now:
            asks.append(Ask(player, "parley", need="side", slot="*"))
        return asks

    def channels(self, state: State, player: str) -> tuple[ChannelInfo, ...]:
        found = []
        if player in state.pack and len(state.pack) > 1:
            found.append(ChannelInfo("strateges", TALK["strateges"], state.pack))
        if state.ambassadors and player in chiefs(state) and len(chiefs(state)) > 1:
            found.append(ChannelInfo("ambassadeurs", TALK["ambassadeurs"], state.seated(chiefs(state))))
        return tuple(found)

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        if player in state.out or (state.stage == FINAL and command in _OVER):
            return super().closed(state, player, command, standing)
        if command == "number":
            return "necklace-barred" if barred(state, player) else "not-your-power"
        if command in ("secret", "say", "parley") and not (command == "secret" and quiet(state)):
            return "not-your-power"
        codes = {
            "necklace": "no-necklace",
            "keep-necklace": "no-necklace",
            "probe": "not-in-tribe" if state.tribe(player) in state.fire else "no-fire",
            "ally": "already-allied",
        }
        return codes.get(command, "not-your-turn")

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        if argument == "channel":
            return "not-your-power"
        if value in state.out:
            return "dead-target"
        if value == ask.player:
            return "self-target"
        stratege = ask.command == "ally" and state.camp(ask.player) == STRATEGE
        return "not-a-stratege" if stratege else "not-in-tribe"

    def objects(self, state: State, ask: Ask, args: Mapping[str, Any], standing: Orders) -> str:
        return "same-as-yesterday" if ask.command == "challenge" and four(args) == state.yesterday else ""

    def unread(self, state: State, player: str, name: str) -> str:
        """At night a name always needs its command word."""
        return "dead-player" if player in state.out else "ambiguous-order"

    def receives(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        if order.command not in TALK.values():
            return None
        mine = self.channels(state, order.player)
        wanted = "ambassadeurs" if order.command == "parley" else order.get("channel", mine[0].id)
        channel = next(info for info in mine if info.id == wanted)
        words = {"channel": channel.id, "author": order.player, "text": order.args["text"]}
        others = [member for member in channel.members if member != order.player]
        return Step(state, tuple(Notice("relay", member, words) for member in others))

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        dawn = Dawn(state, orders, dice)
        dawn.notices += missed(self, state, state.living, orders)
        dawn.find_necklaces()
        dawn.play_necklaces()
        dawn.make_alliances()
        dawn.fix_secrets()
        dawn.answer_fire()
        dawn.end_clues()
        if state.ambassadors:
            dawn.merge()
        if due(dawn.state):
            dawn.fix_challenge()
        dawn.announce("dawn", night=state.day)
        return dawn.step(_morning(dawn.state))


class Quiet(Night):
    """A night of the final phase after the first: nobody is asked anything, the stratèges may still talk (R86).

    With decoys it has its hours, whoever is left: its length tells nobody how many stratèges live.
    """

    decoy = True


def _morning(state: State) -> str:
    if state.stage != FINAL:
        return f"day-{state.day}.challenge"
    first = state.day == state.final_night and len(state.living) >= 4  # R87
    return f"day-{state.day}.orientation" if first else f"day-{state.day}.vote"


def quiet(state: State) -> bool:
    """Whether the last secret votes are over (R86)."""
    return state.stage == FINAL and state.day > state.final_night


def due(state: State) -> bool:
    """Whether there is a challenge on the next day (R60)."""
    return state.stage != FINAL


def chiefs(state: State) -> tuple[str, ...]:
    """The living chiefs of the tribes that there are."""
    return tuple(state.chiefs[tribe] for tribe in state.tribes if state.chiefs.get(tribe))


def barred(state: State, player: str) -> bool:
    """A finder of the tribal phase, on the first night after the merge (R83)."""
    return player in state.finders and bool(state.merged_on) and state.day == state.merged_on + 1


def may_guess(state: State, player: str) -> bool:
    """Whether the player may send a number tonight (R29, R76)."""
    if state.stage == FINAL or barred(state, player):
        return False
    return player not in state.sportifs or state.home(player) in state.clue


def _pact(state: State, player: str) -> list[Ask]:
    """Secret vote and alliance: for a stratège one choice of the two (R16, R21, R22)."""
    others = tuple(name for name in state.living if name != player)
    stratege = player in state.strateges
    asks = []
    if stratege:
        asks.append(Ask(player, "secret", {"player": others}, need="optional", slot="pact", answered_by=("ally",)))
    if player not in state.allies and state.stage != FINAL:
        near = state.pack if stratege else state.members(state.tribe(player))
        legal = tuple(name for name in others if name in near)
        asks.append(Ask(player, "ally", {"player": legal}, need="optional", slot="pact" if stratege else ""))
    return asks


def _necklace(state: State, player: str) -> list[Ask]:
    """A number, and whether a necklace held or found tonight is played (R29, R33)."""
    if state.stage == FINAL:
        return []
    asks = []
    if guesses := may_guess(state, player):
        legal = {"number": tuple(range(1, 7))}
        asks.append(Ask(player, "number", legal, need="optional", bare=True))
    if guesses or state.held.get(player):
        asks += [
            Ask(player, "necklace", {"play": ("oui", "non")}, need="optional", slot="necklace"),
            Ask(player, "keep-necklace", need="side", slot="necklace"),
        ]
    return asks


def _probe(state: State, player: str) -> list[Ask]:
    """A tribe that has fire probes its own members (R68)."""
    tribe = state.tribe(player)
    if tribe == WHITE or tribe not in state.fire:
        return []
    legal = tuple(name for name in state.members(tribe) if name != player)
    return [Ask(player, "probe", {"player": legal}, need="optional")] if legal else []
