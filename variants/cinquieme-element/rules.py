"""Le Cinquième Élément: set-up, facts, and what the game master may do (rulebook 2, 3, 9, R1-R7, ruling 24)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import Ask, Dice, Notice, Order, Orders, Refused, SetupError, Spec, Step, Variant
from mailgm.engine.plain import evolve
from mailgm.engine.said import say
from mailgm.engine.work import Work, naming

from .day import Tiebreak, Vote
from .legacy import DayLegacy, NightLegacy
from .night import Actions
from .opening import Mayor, Powers
from .powers import BY_COMMAND, ELEMENTS, PAIRS, VULNERABILITIES, WOLVES
from .state import State as Table
from .state import bury, name_mayor


class FifthElement(Variant[Table]):
    """The game of the cinquieme-element rulebook."""

    State = Table
    channel_ids = ("loups",)

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        """Deal camps, vulnerabilities and, with `forced_pairs`, the pairs (R1-R7, R14)."""
        for key in deal:
            if key not in ("wolves", "vulnerability", "pairs"):
                raise SetupError(key, say("the deal of this game has `wolves`, `vulnerability` and `pairs`"))
        nc, counts = _tables(options, len(players))
        wolves = _wolves(players, nc, deal.get("wolves"), dice)
        vulnerability = _vulnerabilities(players, wolves, counts, deal.get("vulnerability", {}), dice)
        pairs = _pairs(players, options["forced_pairs"], deal.get("pairs", {}), dice)
        state = Table(players, options, nc, wolves, vulnerability, pairs, dict.fromkeys(players, nc))
        told = [Notice("role.assigned", player, _told(state, player)) for player in players]
        return Step(state, tuple(told), "start.powers")

    def cards(self, options: Mapping[str, Any], players: int) -> Mapping[str, int]:
        """Wolves and villagers (R4)."""
        wolves, _ = _tables(options, players)
        return {"loup": wolves, "villageois": players - wolves}

    def facts(self, state: Table) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for player in state.players:
            facts |= {
                f"{player}.camp": state.camp(player),
                f"{player}.role": state.role(player),
                f"{player}.alive": player in state.living,
                f"{player}.hearts": state.hearts[player],
                f"{player}.vulnerability": state.vulnerability[player],
                f"{player}.universal": state.universal.get(player, "none"),
                f"{player}.special": state.special.get(player, "none"),
                f"{player}.pair": state.pairs.get(player, "none"),
                f"{player}.mayor": player == state.mayor,
                f"{player}.active": state.active.get(player, ("none",))[0],
                f"{player}.ears_spent": player in state.ears_spent,
            }
        return facts | {"game.nc": state.nc, "game.mayor": state.mayor or "none", "game.over": state.over}

    def alive(self, state: Table, player: str) -> bool:
        return player in state.living

    def pass_withdraws(self, state: Table, order: Order) -> bool:
        """`rien` empties the power slot; the attack stands (section 4)."""
        return order.command in BY_COMMAND

    def pass_settles(self, ask: Ask) -> bool:
        return ask.need == "optional" and ask.command in BY_COMMAND

    def sets(self, state: Table, fact: str, value: Any) -> Table:
        """`X.hearts` of a living player, from 1 to the cap, and `X.ears_spent` of a wolf."""
        name, _, key = fact.rpartition(".")
        if key == "hearts" and name in state.living:
            if not isinstance(value, int) or isinstance(value, bool) or not 1 <= value <= state.cap:
                raise Refused("wrong-value", fact=fact, value=value)
            return evolve(state, hearts={**state.hearts, name: value})
        if key == "ears_spent" and name in state.wolves and isinstance(value, bool):
            spent = {*state.ears_spent, name} if value else set(state.ears_spent) - {name}
            return evolve(state, ears_spent=state.seated(spent))
        raise Refused("no-such-fact", fact=fact)

    def removes(self, state: Table, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        """He leaves at once, announced like a death, without last words; a mayor is replaced by draw (ruling 24)."""
        work = Work(state, dice)
        work.set(dead=state.seated({*state.dead, player}), tied=tuple(name for name in state.tied if name != player))
        bury(work, player, "removed")
        if player == state.mayor and work.state.living:
            label = f"{full.partition('.')[0]}.mayor"
            name_mayor(work, dice.pick(label, work.state.living), "draw")
        return work.step(withdraw=naming(player, standing))


def _tables(options: Mapping[str, Any], players: int) -> tuple[int, dict[str, int]]:
    """The number of wolves and of each vulnerability (R4, R6). Raises SetupError."""
    given = options["vulnerabilities"]
    if players not in WOLVES and not (options["wolves"] and given):
        raise SetupError(
            "players", say("{players} players need both options, wolves and vulnerabilities", players=players)
        )
    wolves = options["wolves"] or WOLVES[players]
    if wolves * 2 >= players:
        raise SetupError(
            "wolves", say("{wolves} wolves are not below half of {players} players", wolves=wolves, players=players)
        )
    for element, count in given.items():
        if element not in ELEMENTS or not isinstance(count, int) or count < 0:
            raise SetupError(
                "vulnerabilities",
                say(
                    "{element} = {count!r}: a whole number for one of {names}",
                    element=element,
                    count=count,
                    names=", ".join(ELEMENTS),
                ),
            )
    counts = {element: given.get(element, 0) for element in ELEMENTS}
    if not given:
        counts = dict(zip(ELEMENTS, VULNERABILITIES[players], strict=True))
    if sum(counts.values()) != players:
        raise SetupError(
            "vulnerabilities",
            say("they add up to {total}, not to {players}", total=sum(counts.values()), players=players),
        )
    if counts["vie"] > players - wolves:
        raise SetupError(
            "vulnerabilities", say("vie is for villagers only, and there are {villagers}", villagers=players - wolves)
        )
    return wolves, counts


def _wolves(players: tuple[str, ...], count: int, forced: Any, dice: Dice) -> tuple[str, ...]:
    """Who is a wolf, in seat order. Raises SetupError for a forced list that is not `count` players."""
    if forced is None:
        forced = dice.sample("wolves", players, count)
    if len(set(forced)) != count or len(forced) != count or not set(forced) <= set(players):
        raise SetupError("wolves", say("{count} different players are needed", count=count))
    return tuple(player for player in players if player in forced)


def _vulnerabilities(
    players: tuple[str, ...], wolves: tuple[str, ...], counts: Mapping[str, int], forced: Mapping[str, str], dice: Dice
) -> dict[str, str]:
    """Each player's vulnerability; vie for villagers only (R6, R7). Raises SetupError for a deal not possible."""
    left = dict(counts)
    for player, element in forced.items():
        if player not in players or element not in ELEMENTS:
            raise SetupError(
                "vulnerability",
                say("{player} = {element}: a player and an element are needed", player=player, element=element),
            )
        left[element] -= 1
        if left[element] < 0 or (element == "vie" and player in wolves):
            raise SetupError("vulnerability", say("{player} cannot have {element}", player=player, element=element))
    villagers = [player for player in players if player not in forced and player not in wolves]
    if left["vie"] > len(villagers):
        raise SetupError("vulnerability", say("not enough villagers are left for vie"))
    living = dict.fromkeys(dice.sample("vulnerability.vie", villagers, left["vie"]), "vie")
    others = [player for player in players if player not in forced and player not in living]
    pool = [element for element in ELEMENTS[:-1] for _ in range(left[element])]
    dealt = {**forced, **living, **dice.deal("vulnerability", others, pool)}
    return {player: dealt[player] for player in players}


def _pairs(players: tuple[str, ...], wanted: bool, forced: Mapping[str, str], dice: Dice) -> dict[str, str]:
    """With `forced_pairs`, a different pair for each of at most ten players (R14). Raises SetupError."""
    for player, pair in forced.items():
        if not wanted or player not in players or pair not in PAIRS or list(forced.values()).count(pair) > 1:
            raise SetupError(
                "pairs", say("{player} = {pair}: with forced_pairs, each pair for one player", player=player, pair=pair)
            )
    return dice.deal("pairs", players, PAIRS, forced) if wanted else {}


def _told(state: Table, player: str) -> dict[str, Any]:
    """What a player learns at the start, and nothing about anybody else (R1)."""
    return {
        "role": state.role(player),
        "camp": state.camp(player),
        "vulnerability": state.vulnerability[player],
        "hearts": state.hearts[player],
        "pair": state.pairs.get(player),
    }


def variant(spec: Spec) -> FifthElement:
    """The game, from what its variant.toml says."""
    return FifthElement(spec, (Powers(), Mayor(), Actions(), NightLegacy(), Vote(), Tiebreak(), DayLegacy()))
