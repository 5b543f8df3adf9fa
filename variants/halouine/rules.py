"""Terreur d'Halouine: set-up, facts, and what the game master may do (rulebook 2, 3, 9, R1-R3, ruling 27)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mailgm.engine import GM, Ask, Dice, Notice, Order, Orders, Refused, SetupError, Spec, Step, Variant
from mailgm.engine.plain import evolve
from mailgm.engine.said import say
from mailgm.engine.work import Work, naming

from .day import Council, Election, Revote, Tiebreak, Vote, draw_member
from .night import Roles
from .state import (
    HALOUINE,
    PEASANTS,
    SPECIAL,
    all_infected,
    become_halouine,
    drop_mark,
    heir,
    name_chief,
    over,
)
from .state import State as Village


class Halouine(Variant[Village]):
    """The game of the halouine rulebook."""

    State = Village
    channel_ids = ("conseil",)

    def setup(self, players: tuple[str, ...], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice) -> Step:
        """Deal the roles; Halouine and the sorcière start infected (R1-R3)."""
        roles = _deal(players, _in_play(options["roles"], len(players)), deal, dice)
        infected = tuple(player for player in players if roles[player] in ("halouine", "sorciere"))
        potion = "ready" if "alchimiste" in roles.values() else "none"  # R52
        bouftous = ("first", "second") if "berger" in roles.values() else ()
        state = Village(players, options, roles, infected, potion=potion, bouftous=bouftous)
        return Step(state, tuple(_told(state, player) for player in players), "day-0.election")

    def cards(self, options: Mapping[str, Any], players: int) -> Mapping[str, int]:
        """The special roles once each, everybody else a paysan (R1)."""
        roles = _in_play(options["roles"], players)
        return {**dict.fromkeys(roles, 1), "paysan": players - len(roles)}

    def facts(self, state: Village) -> dict[str, Any]:
        facts: dict[str, Any] = {}
        for player in state.players:
            role = state.roles[player]
            facts |= {
                f"{player}.role": role,
                f"{player}.infected": player in state.infected,
                f"{player}.camp": state.camp(player),
                f"{player}.alive": player in state.living,
                f"{player}.chief": player == state.chief,
                f"{player}.blessed": player in state.blessed,
                f"{player}.cancelled": player == state.cancelled,
                f"{player}.bouftous": len(state.bouftous) if role == "berger" else 0,
                f"{player}.potion": state.potion if role == "alchimiste" else "none",
                f"{player}.die_marks": state.die_marks if role == "devin" else 0,
            }
        return facts | {
            "game.guarded": state.guarded or "none",
            "game.mark": state.mark or "none",
            "game.mark_kind": state.mark_kind,
            "game.blessing_until": state.blessing_until,
            "game.council_used": state.council_used,
            "game.chief": state.chief or "none",
            "game.over": state.over,
        }

    def alive(self, state: Village, player: str) -> bool:
        return player in state.living

    def pass_withdraws(self, state: Village, order: Order) -> bool:
        """`rien` takes back the private orders; the public vote stays (section 4)."""
        return order.command != "vote"

    def pass_settles(self, ask: Ask) -> bool:
        return ask.need == "optional"

    def sets(self, state: Village, fact: str, value: Any) -> Village:
        """`X.infected` of anybody but Halouine, `X.potion` of the alchimiste, `game.council_used`."""
        name, _, key = fact.rpartition(".")
        if key == "infected" and name in state.living and state.roles[name] != "halouine":
            if not isinstance(value, bool) or (value and state.healthy == (name,)):
                raise Refused("wrong-value", fact=fact, value=value)
            role = "paysan" if state.roles[name] == "devhorreur" and not value else state.roles[name]
            infected = {*state.infected, name} if value else set(state.infected) - {name}
            blessed = tuple(other for other in state.blessed if other != name)
            roles = {**state.roles, name: role}
            return evolve(state, infected=state.seated(infected), blessed=blessed, roles=roles)
        if key == "potion" and name and name == state.holder("alchimiste"):
            if value not in ("none", "brewing", "ready"):
                raise Refused("wrong-value", fact=fact, value=value)
            return evolve(state, potion=value)
        if fact == "game.council_used" and isinstance(value, bool):
            return evolve(state, council_used=value)
        raise Refused("no-such-fact", fact=fact)

    def removes(self, state: Village, player: str, full: str, standing: Orders, dice: Dice) -> Step:
        """He leaves as in R65, his role told to the game master alone; offices and Halouine pass on (ruling 27)."""
        work = Work(state, dice)
        former, successor = state.holder("halouine"), heir(state)
        work.set(
            out=state.seated({*state.out, player}),
            blessed=tuple(name for name in state.blessed if name != player),
            candidates=tuple(name for name in state.candidates if name != player),
            tied=tuple(name for name in state.tied if name != player),
        )
        work.announce("death", player=player, role=None, camp=None, cause="removed")
        work.tell("death", GM, player=player, role=state.roles[player], camp=state.camp(player), cause="removed")
        if player == former:
            if not successor:
                return work.step(over(work, PEASANTS))
            become_halouine(work, successor)
        if all_infected(work.state):
            return work.step(over(work, HALOUINE))
        if player == state.guarded:
            work.set(guarded="")
        if player == state.mark:
            drop_mark(work)
        if player == state.chief:
            name_chief(work, dice.pick(f"day-{state.turn}.chief", work.state.living), "draw")
        if player in state.council:
            _fill_council(work, player)
        return work.step(withdraw=naming(player, standing))


def _in_play(roles: Any, players: int) -> tuple[str, ...]:
    """The special roles in play (section 2). Raises SetupError."""
    for role in roles:
        if role not in SPECIAL:
            raise SetupError("roles", say("{role!r} is not one of {names}", role=role, names=", ".join(SPECIAL)))
    if len(set(roles)) < len(roles) or "halouine" not in roles:
        raise SetupError("roles", say("each role stands once, and halouine is compulsory"))
    least = len(roles) + (len(roles) == len(SPECIAL))  # with all eight there is a paysan (section 1)
    if players < least:
        raise SetupError(
            "players",
            say(
                "{players} players are too few for {roles} roles: {least} or more",
                players=players,
                roles=len(roles),
                least=least,
            ),
        )
    return tuple(roles)


def _deal(players: tuple[str, ...], roles: tuple[str, ...], deal: Mapping[str, Any], dice: Dice) -> dict[str, str]:
    """Name → role, some forced by `[deal] roles`. Raises SetupError for a deal that is not possible."""
    for key in deal:
        if key != "roles":
            raise SetupError(key, say("the deal of this game has only `roles`"))
    pool = roles + ("paysan",) * (len(players) - len(roles))
    forced = deal.get("roles", {})
    for name, role in forced.items():
        if name not in players:
            raise SetupError("roles", say("{name} is not a player", name=name))
        if list(forced.values()).count(role) > pool.count(role):
            raise SetupError("roles", say("{role} is not to be dealt that often", role=role))
    return dice.deal("roles", players, pool, forced)


def _told(state: Village, player: str) -> Notice:
    """Role and camp; Halouine alone is told who else is infected (R3)."""
    told: dict[str, Any] = {"role": state.roles[player], "camp": state.camp(player)}
    if told["role"] == "halouine":
        told["infected"] = tuple(name for name in state.infected if name != player)
    return Notice("role.assigned", player, told)


def _fill_council(work: Work[Village], removed: str) -> None:
    """A member of the council has left: the new chief, or another drawn player, takes his seat."""
    state = work.state
    other = next((name for name in state.council if name != removed), "")
    member = other if other != state.chief else draw_member(state, work.dice)
    work.set(council=(state.chief, member))


def variant(spec: Spec) -> Halouine:
    """The game, from what its variant.toml says."""
    return Halouine(spec, (Election(), Roles(), Vote(), Council(), Revote(), Tiebreak()))
