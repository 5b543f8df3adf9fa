"""The night: what is asked, what happens at once (rulebook 5.3, R24-R28, R47-R56, R64-R70)."""

from __future__ import annotations

from typing import Any

from mailgm.engine import PASS, Ask, ChannelInfo, Dice, Order, Orders, Step
from mailgm.engine.work import Work, missed

from .legacy import dawn, leave_words
from .powers import BY_COMMAND, ELEMENTS, POWERS, UNIVERSAL
from .resolution import Night
from .state import Part, State, open_channel, over, winner

_FINAL = ("lynx-eye", "lynx-nose", "lynx-ears")
_SLOT = "power"


class Actions(Part):
    """Wolves attack, everybody may use one of his two powers (R24, R26)."""

    id = "night.actions"
    clock = "night"
    announced = True
    decoy = True  # ruling 23: an early dawn would tell that the wolves do not talk

    def opens(self, state: State, dice: Dice) -> Step:
        """What was in force has ended; on night 1 the pack learns its powers, or may talk (R27, R67)."""
        work = Work(state, dice)
        immune = tuple(player for player in state.players if state.using(player, "immunite-diplomatique"))
        work.set(opening=dict(state.hearts), active={}, doubled=immune, glimpsed={}, channel=False)
        if state.night > 1:
            return work.step()
        if any(state.special.get(wolf) == "oreilles-de-lynx" for wolf in state.pack):
            open_channel(work)
            return work.step()
        for wolf in state.pack:
            work.tell("pack.powers", wolf, powers={name: state.powers(name) for name in state.pack if name != wolf})
        return work.step()

    def asks_of(self, state: State, player: str, standing: Orders) -> list[Ask]:
        if player not in state.living:
            return []
        asks = []
        if player in state.wolves:
            missing = "drawn" if state.options["missing_attack"] == "draw" else "nothing"
            asks.append(Ask(player, "attack", {"player": state.villagers}, missing=missing))
            if state.channel:
                asks.append(Ask(player, "pack", need="side", slot="*"))
        if not any(order.player == player and order.final for order in standing):
            for power in map(POWERS.__getitem__, state.powers(player)):
                if not barred(state, player, power.command):
                    legal = targets(state, player, power.command)
                    final = power.command in _FINAL
                    asks.append(Ask(player, power.command, legal, need="optional", final=final, slot=_SLOT))
            asks.append(Ask(player, PASS, need="side"))
        return asks

    def channels(self, state: State, player: str) -> tuple[ChannelInfo, ...]:
        """The wolves' talk, while it is open (R67-R69)."""
        return (ChannelInfo("loups", "pack", state.pack),) if state.channel and player in state.pack else ()

    def closed(self, state: State, player: str, command: str, standing: Orders) -> str:
        if player not in state.living or (command not in BY_COMMAND and command != PASS):
            return super().closed(state, player, command, standing)
        if command != PASS and command not in {POWERS[power].command for power in state.powers(player)}:
            return "not-yours"
        if any(order.player == player and order.final for order in standing):
            return "already-final"
        return barred(state, player, command)

    def refuses(self, state: State, ask: Ask, argument: str, value: Any, standing: Orders) -> str:
        if argument == "element":
            return "bad-element"
        if value in state.dead:
            return "dead-target"
        if ask.command == "observation" and value != ask.player:
            return "target-worn"
        codes = {"attack": "pack-member", "regeneration": "not-at-maximum", "healing": "self-heal"}
        return codes.get(ask.command, "self-target")

    def receives(self, state: State, order: Order, standing: Orders, dice: Dice) -> Step | None:
        """The two probes, the ears and the pack's words act at once (R49, R53, R68, R69)."""
        work = Work(state, dice)
        player = order.player
        if order.command == "lynx-eye":
            seen = tuple(name for name in state.living if state.hearts[name] == state.cap)
            work.set(glimpsed={**state.glimpsed, player: seen})
            work.tell("lynx-eye.result", player, players=seen)
        elif order.command == "lynx-nose":
            work.tell("lynx-nose.result", player, players=tuple(n for n in state.living if state.hearts[n] == 1))
        elif order.command == "lynx-ears":
            work.set(ears_spent=(*state.ears_spent, player))
            if not state.channel:
                open_channel(work)
        elif order.command == "pack":
            for wolf in state.pack:
                if wolf != player:
                    work.tell("relay", wolf, channel="loups", author=player, text=order.args["text"])
        else:
            return None
        return work.step()

    def resolves(self, state: State, orders: Orders, dice: Dice) -> Step:
        night = Night(state, orders, dice)
        night.notices += missed(self, state, state.living, orders)
        night.gains()
        night.attacks()
        night.justice()
        night.observation()
        night.tracking()
        night.deaths()
        if camp := winner(night.state):
            dawn(night)
            return night.step(over(night, camp))
        leave_words(night, night.state.fallen)
        return night.step(f"night-{state.night}.legacy")


def barred(state: State, player: str, command: str) -> str:
    """Why a power that the player holds may not be used tonight at all, or ""."""
    ears = state.special.get(player) == "oreilles-de-lynx"
    if command == "lynx-ears" and state.night == 1:
        return "ears-automatic"
    if command in BY_COMMAND and BY_COMMAND[command].category == UNIVERSAL and ears and state.night == 1:
        return "ears-night-one"
    if command == "lynx-ears" and player in state.ears_spent:
        return "ears-spent"
    wrong = {"ascension": 1, "autopsy": 0}.get(command)  # R51: even nights; R56: odd nights
    return "wrong-night" if state.night % 2 == wrong else ""


def targets(state: State, player: str, command: str) -> dict[str, tuple[str, ...]]:
    """The legal arguments of a power tonight."""
    others = tuple(name for name in state.living if name != player)
    full = [name for name in state.living if state.opening[name] == state.cap]
    if command == "observation":
        times = state.observed.get(player, {})
        return {"player": tuple(name for name in others if times.get(name, 0) < 3)}
    if command == "justice":
        return {"player": others, "element": ELEMENTS}
    if command == "regeneration":  # R50
        return {"player": state.living if player in full else (player,)}
    if command == "healing":  # R66
        return {"player": state.living if all(wolf in full for wolf in state.pack if wolf != player) else others}
    if command in ("merciless", "elementalist"):
        return {"element": ELEMENTS[:-1]}
    return {}
