"""What must be so after every step of LG Koh-Lanta (its rulebook, section 10)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from mailgm.engine import PUBLIC, Dice, Game, Input, Outcome

STAGES = ("tribes", "individual", "final", "over")


def options(dice: Dice, players: int) -> dict[str, Any]:
    """Options of a random game; half of the games are played as the source has them."""
    if dice.chance("as the source", 50):
        return {}
    final = dice.pick("final", range(4, 8))
    return {
        "stratege_count": dice.pick("strateges", range(1, players // 2 + 1)),
        "balanced_camps": dice.chance("balanced", 50),
        "final_at": final,
        "merge_at": dice.pick("merge", range(final + 1, players)),
        "mathematical_win": dice.chance("mathematical", 50),
        "ambassador_disagree": dice.pick("disagree", ("chiefs", "names")),
        "tribe_retries": dice.pick("retries", (0, 1, 2)),
        "fire_distinguishes": dice.chance("fire", 50),
        "necklace_return_solo": dice.chance("solo", 50),
        "comfort_quota": dice.chance("quota", 50),
        "witness": dice.chance("witness", 50),
    }


def check(before: Game, given: Input, outcome: Outcome) -> list[str]:
    """The invariants that do not hold after `outcome`, in words."""
    was, now = before.state, outcome.game.state
    return [
        *_state(outcome.game, now),
        *_change(before, given, was, now),
        *_notices(before, was, now, outcome),
        *_asked(outcome.game),
    ]


def _state(game: Game, now: Any) -> Iterator[str]:
    necklaces = sum(now.hidden.values()) + sum(now.held.values()) + len(now.protected) + now.spent
    if necklaces != 2:
        yield f"2: {necklaces} necklaces"
    for player, ally in now.allies.items():
        if now.allies.get(ally) != player or player == ally or {player, ally} & set(now.out) or now.stage == "final":
            yield f"3: {player} is allied to {ally}"
    settled = game.phase and not game.phase.endswith((".election", ".succession", ".jury"))
    for tribe in now.tribes if settled and len(now.living) > 2 else ():
        if now.members(tribe) and now.chiefs.get(tribe) not in now.members(tribe):
            yield f"4: the chief of {tribe} is {now.chiefs.get(tribe)!r}"
    if set(now.taken) and now.offers and set(now.offers) & set(now.taken.get(now.totem, ())):
        yield f"13: {now.offers} offered to {now.totem}, which has taken {now.taken}"


def _change(before: Game, given: Input, was: Any, now: Any) -> Iterator[str]:
    deal = ("reds", "strateges", "sportifs", "number", "players")
    if any(getattr(was, name) != getattr(now, name) for name in deal):
        yield "1: camp, role, home or number have changed"
    if STAGES.index(now.stage) < STAGES.index(was.stage) or len(now.living) > len(was.living):
        yield f"12: from {was.stage} to {now.stage}"
    merged = was.stage == "tribes" and now.stage == "individual"
    if merged and len(was.living) > was.merge_at and all(map(was.members, was.tribes)):
        yield "12: merged too early"
    voted = set(now.out) - set(was.out) - set(now.removed)
    immune = was.members(was.totem) if was.totem in ("rouges", "jaunes") else (was.totem,)
    if voted & {*was.protected, *immune}:
        yield f"5: {voted} eliminated"
    if len(voted) > (2 if was.stage == "final" and was.day == was.final_night else 1):
        yield f"6: {voted} eliminated in one vote"


def _notices(before: Game, was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    for notice in outcome.notices:
        data = notice.data
        if notice.kind == "challenge.witness" and (notice.to not in now.early or notice.to in now.removed):
            yield f"7: {notice.to} is a witness"
        if notice.kind == "challenge.result":
            told = "|".join(("koh-lanta", str(data["day"]), *data["challenge"], data["salt"]))
            if hashlib.sha256(told.encode()).hexdigest() != _committed(was) or data["challenge"] == was.yesterday:
                yield "9: the challenge is not the one committed, or yesterday's"
            yield from _scores(was, data)
        if notice.kind == "necklace.clue" and data["number"] == now.number:
            yield "7: a clue gives the number away"
        named = data.get("player")
        if notice.to == PUBLIC and "camp" in data and named in now.living:
            yield f"8: {notice.kind} names the camp of {named}"
        if notice.to == PUBLIC and notice.kind in ("alliance.formed", "necklace.found", "necklace.recovered", "relay"):
            yield f"8: {notice.kind} is public"
        if notice.kind == "vote.tally" and "secret" in data:
            cast = sum(2 if isinstance(vote, tuple) else 1 for vote in data["votes"].values())
            if sum(data["counts"].values()) > cast + len(was.secrets):
                yield "11: more voices than votes"
        if notice.kind == "comfort.offered" and set(data["offers"]) & set(now.taken.get(data["tribe"], ())):
            yield f"13: {data['offers']} to {data['tribe']}"
        if notice.kind == "game.over" and data["winner_camp"]:
            right = [name for name in now.players if now.camp(name) == data["winner_camp"] and name not in now.removed]
            if list(data["winners"]) != right:
                yield f"14: the winners are {data['winners']}"


def _committed(was: Any) -> str:
    told = "|".join(("koh-lanta", str(was.day), *was.challenge, was.salt))
    return hashlib.sha256(told.encode()).hexdigest()


def _scores(was: Any, data: Any) -> Iterator[str]:
    if "totals" not in data:
        return
    for tribe, total in data["totals"].items():
        if total != sum(score for name, score in data["scores"].items() if was.tribe(name) == tribe):
            yield f"10: the total of {tribe}"
    twice = {was.chiefs.get(tribe) for tribe in was.double}
    for name, score in data["scores"].items():
        if not 0 <= score <= (10 if name in twice else 5):
            yield f"10: {name} scores {score}"


def _asked(game: Game) -> Iterator[str]:
    if game.over and any(map(game.asks, game.players)):
        yield "14: somebody is asked something in a game that is over"
    if not game.over and not game.phase.endswith((".jury", ".succession")):
        for player in game.state.out:
            if asks := game.asks(player):
                yield f"15: {player} is out and asked {asks[0].command}"
