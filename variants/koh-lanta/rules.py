"""LG Koh-Lanta: set-up, facts, and what the game master may do (rulebook 2, 3, 9, R1-R8, R108, R110-R113)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import Ask, Dice, Notice, Order, Orders, Phase, Refused, Spec, Step, Variant, split_phase
from mailgm.engine.plain import evolve
from mailgm.engine.work import naming

from .challenge import Challenge, Retry
from .day import Election, Jury, Orientation, Succession, Tiebreak, Vote
from .ending import Ending, victory
from .night import Night, Quiet, quiet
from .setup import dealt, sizes
from .state import OVER, RED, WHITE, YELLOW, break_alliance, hide_again, name_chief
from .state import State as Island


class KohLanta(Variant[Island]):
    """The game of the koh-lanta rulebook."""

    State = Island
    channel_ids = ("strateges", "ambassadeurs")

    def __init__(self, spec: Spec) -> None:
        super().__init__(
            spec,
            (Election(), Night(), Challenge(), Retry(), Vote(), Orientation(), Tiebreak(), Succession(), Jury()),
        )
        self._quiet = Quiet()

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        """Two tribes, the stratèges, the athletes, the number (R1-R7)."""
        strateges, merge_at = sizes(options, len(players))
        state = Island(players, options, merge_at, *dealt(players, strateges, options["balanced_camps"], deal, dice))
        told = [
            Notice(
                "role.assigned",
                player,
                {
                    "role": state.role(player),
                    "camp": state.camp(player),
                    "tribe": state.home(player),
                    "companions": tuple(name for name in state.strateges if name != player)
                    if player in state.strateges
                    else (),
                },
            )
            for player in players
        ]
        tribes = {tribe: state.members(tribe) for tribe in (RED, YELLOW)}
        return Step(state, (*told, Notice("tribes.announced", "public", tribes)), "day-0.election")

    def cards(self, options: Mapping[str, Any], players: int) -> Mapping[str, int]:
        """Stratèges and bisounours, athletes and survivalists (R3, R4)."""
        strateges, _ = sizes(options, players)
        athletes = players // 4 * 2
        return {
            "stratege": strateges,
            "bisounours": players - strateges,
            "sportif": athletes,
            "survivaliste": players - athletes,
        }

    def phase(self, state: Island, full: str) -> Phase[Island]:
        """The later nights of the final phase ask nobody anything (R86)."""
        base, _ = split_phase(full)
        return self._quiet if base == "night.orders" and quiet(state) else self.phases[base]

    def facts(self, state: Island) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for player in state.players:
            facts |= {
                f"{player}.alive": player in state.living,
                f"{player}.camp": state.camp(player),
                f"{player}.role": state.role(player),
                f"{player}.home": state.home(player),
                f"{player}.tribe": state.tribe(player),
                f"{player}.chief": player in state.living and player in map(state.chiefs.get, state.tribes),
                f"{player}.ally": state.allies.get(player, ""),
                f"{player}.necklaces": state.held.get(player, 0),
                f"{player}.protected": player in state.protected,
                f"{player}.finder": player in state.finders,
                f"{player}.juror": player in state.jurors,
            }
        for tribe in (RED, YELLOW, WHITE):
            facts |= {
                f"{tribe}.chief": state.chiefs.get(tribe, ""),
                f"{tribe}.hidden": state.hidden[tribe],
                f"{tribe}.fire": tribe in state.fire,
                f"{tribe}.kit": tribe in state.kit,
                f"{tribe}.meal": tribe in state.meal,
                f"{tribe}.clue": tribe in state.clue,
                f"{tribe}.taken": state.taken.get(tribe, ()),
            }
        return facts | {
            "game.stage": state.stage,
            "game.number": state.number,
            "game.challenge": state.challenge,
            "game.totem": state.totem,
            "game.alive": len(state.living),
        }

    def alive(self, state: Island, player: str) -> bool:
        return player in state.living

    def pass_settles(self, ask: Ask) -> bool:
        return ask.need == "optional"

    def pass_withdraws(self, state: Island, order: Order) -> bool:
        return order.command in ("secret", "ally", "number", "necklace", "keep-necklace", "probe")

    def sets(self, state: Island, fact: str, value: Any) -> Island:
        """`X.finder`, and `T.fire` and `T.kit` of a tribe before the merge."""
        name, _, key = fact.rpartition(".")
        if not isinstance(value, bool):
            raise Refused("no-such-fact", fact=fact)
        if key == "finder" and name in state.living:
            finders = {*state.finders, name} if value else set(state.finders) - {name}
            return evolve(state, finders=state.seated(finders))
        if key in ("fire", "kit") and name in state.tribes and not state.merged_on:
            held = {*getattr(state, key), name} if value else set(getattr(state, key)) - {name}
            return evolve(state, **{key: tuple(tribe for tribe in (RED, YELLOW) if tribe in held)})
        raise Refused("no-such-fact", fact=fact)

    def removes(self, state: Island, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        """He leaves at once; all that hangs on him is void (R110-R113)."""
        head = full.partition(".")[0]
        work = Ending(state, dice)
        work.leaves(player)
        work.set(
            removed=state.seated({*state.removed, player}),
            secrets={name: target for name, target in state.secrets.items() if player not in (name, target)},
            protected=tuple(name for name in state.protected if name != player),
            spent=state.spent + (player in state.protected),
            totem="" if player == state.totem else state.totem,
            tied=tuple(name for name in state.tied if name != player),
            chosen=tuple(name for name in state.chosen if name != player),
        )
        work.announce("death", player=player, role=state.role(player), camp=state.camp(player), cause="removed")
        hide_again(work, player)
        break_alliance(work, player)
        if (camp := victory(work.state)) is not None:
            return work.step(work.over(camp))
        if len(work.state.living) == 2:
            day = state.day - 1 if head.startswith("night") else state.day
            work.set(day=day, ambassadors=False, totem="", challenge=())
            return work.step(f"day-{day}.jury")
        for tribe in work.state.tribes:
            members = work.state.members(tribe)
            if not members:  # R15: nobody is left to be chief, nor to be named by the one who was voted out
                work.set(chiefs={**work.state.chiefs, tribe: ""})
            elif work.state.chiefs.get(tribe) == player:
                name_chief(work, dice.pick(f"{head}.successor", members), tribe, "draw")
        return work.step(withdraw=naming(player, standing))

    def commands(self, state: Island, full: str, order: Order, standing: Orders, dice: Dice) -> Step:
        """`disqualifier`: a bisounours juror who has learned something is none any more (R108)."""
        if order.command != "disqualify" or not state.merged_on or state.stage == OVER:
            raise Refused("not-your-turn")
        player = order.args["player"]
        if player not in state.jurors or player in state.strateges:
            raise Refused("not-a-juror", player=player)
        work = Ending(state, dice)
        work.set(jurors=tuple(name for name in state.jurors if name != player))
        work.announce("juror.disqualified", player=player)
        return work.step(withdraw=[vote.n for vote in standing.all("vote") if vote.player == player])


def variant(spec: Spec) -> KohLanta:
    """The game, from what its variant.toml says."""
    return KohLanta(spec)
