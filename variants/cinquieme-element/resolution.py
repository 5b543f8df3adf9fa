"""The close of a night, one step after the other (rulebook 5.3, R16-R20, R28-R36, R44-R47, R60-R63)."""

from __future__ import annotations

from collections import Counter

from mailgm.engine import Dice, Order, Orders
from mailgm.engine.work import Work

from .powers import BY_COMMAND, POWERS
from .state import State, change_hearts


class Night(Work[State]):
    """One night's resolution, all from the orders standing at its close, even those of players who die (R74)."""

    def __init__(self, state: State, orders: Orders, dice: Dice) -> None:
        super().__init__(state, dice)
        self.used = [order for order in orders if order.command in BY_COMMAND]
        self.aims = self._aims(orders)
        self.given: set[str] = set()  # who has had the gain of the night (R18)
        self.set(active={order.player: (BY_COMMAND[order.command].id, *_words(order)) for order in self.used})
        self._note()

    def _aims(self, orders: Orders) -> dict[str, str]:
        """Wolf → whom he attacks; a missing attack is drawn, unless the game skips it (R28)."""
        state = self.state
        aims = {order.player: order.args["player"] for order in orders.all("attack")}
        missing = [wolf for wolf in state.pack if wolf not in aims]
        if missing and state.villagers and state.options["missing_attack"] == "draw":
            aims |= self.dice.each(f"night-{state.night}.attack", dict.fromkeys(missing, state.villagers))
        return {wolf: aims[wolf] for wolf in state.pack if wolf in aims}

    def _note(self) -> None:
        """Write down what each did tonight (R52)."""
        state = self.state
        night = str(state.night)
        done: list[tuple[str, tuple[str, ...]]] = [
            (wolf, (night, "attack", target)) for wolf, target in self.aims.items()
        ]
        done += [(order.player, (night, order.command, *_words(order))) for order in self.used]
        deeds = dict(state.deeds)
        for player, deed in done:
            deeds[player] = (*deeds.get(player, ()), deed)
        self.set(deeds=deeds)

    def orders(self, command: str) -> list[Order]:
        """Tonight's orders of one power."""
        return [order for order in self.used if order.command == command]

    def gain(self, player: str) -> None:
        """One heart, the only one of the night; one that the cap swallows counts (R18)."""
        if player not in self.given:
            self.given.add(player)
            change_hearts(self, {player: 1})

    def gains(self) -> None:
        """Soin and Régénération come before any wound (R17)."""
        for order in (*self.orders("healing"), *self.orders("regeneration")):
            self.gain(order.get("player", order.player))

    def attacks(self) -> None:
        """All wounds of the night together; each attack, and each hot breath, is a time of its own (R29-R36)."""
        wounds: Counter[str] = Counter()
        fire: Counter[str] = Counter()
        for wolf, target in self.aims.items():
            power, *words = self.state.active.get(wolf, ("",))
            element = words[0] if power == "elementaliste" else "vie"
            kinds = [element, "feu"] if power == "chaude-haleine" else [element]
            for kind in kinds:
                count = 1 + self.state.vulnerable(target, kind)
                (fire if kind == "feu" else wounds)[target] += count
        for target, count in fire.items():
            wounds[target] += max(0, count - self.state.using(target, "ignifuge"))  # R36
        change_hearts(self, {target: -count for target, count in wounds.items()})

    def justice(self) -> None:
        """Losses first, then the gain of vie; no wound of an element (R44-R46)."""
        hits = [
            order.args["player"]
            for order in self.orders("justice")
            if self.state.vulnerable(order.args["player"], order.args["element"])
        ]
        losses = Counter(player for player in hits if self.state.vulnerability[player] != "vie")
        change_hearts(self, {player: -count for player, count in losses.items()})
        for player in hits:
            if self.state.vulnerability[player] == "vie":
                self.gain(player)

    def observation(self) -> None:
        """The first, second and third look at one player (R47); nobody without a heart is told (R75)."""
        for order in self.orders("observation"):
            state, observer, target = self.state, order.player, order.args["player"]
            seen = state.observed.get(observer, {})
            times = seen.get(target, 0) + 1
            self.set(observed={**state.observed, observer: {**seen, target: times}})
            told = {
                1: {"universal": state.universal[target], "vulnerability": state.vulnerability[target]},
                2: {"element": POWERS[state.special[target]].element},
                3: {"camp": state.camp(target)},
            }[times]
            if state.hearts[observer]:
                self.tell("observation.result", observer, target=target, times=times, **told)

    def tracking(self) -> None:
        """One list of names without reasons (R60-R63)."""
        state = self.state
        looks = [*self.orders("observation"), *self.orders("justice"), *self.orders("regeneration")]
        immune = state.doubled
        if state.options["tracking_immunity"] == "tonight":
            immune = tuple(order.player for order in self.orders("immunity"))
        for order in self.orders("tracking"):
            wolf = order.player
            names = {look.player for look in looks if look.get("player") == wolf}
            names |= {player for player, seen in state.glimpsed.items() if wolf in seen}
            names |= {player for player in immune if state.ballots.get(player) == wolf}
            if state.hearts[wolf]:
                self.tell("tracking.result", wolf, players=state.seated(names))

    def deaths(self) -> None:
        """Who has no heart now is dead, all at once (R20, R76)."""
        state = self.state
        fallen = tuple(player for player in state.living if not state.hearts[player])
        for player in fallen:
            self.tell("hearts", player, hearts=0)
        self.set(dead=state.seated({*state.dead, *fallen}), fallen=fallen, channel=False)


def _words(order: Order) -> tuple[str, ...]:
    """The arguments of an order, in their order."""
    return tuple(order.args[name] for name in ("player", "element") if name in order.args)
