"""What must be so after every step of a game of Dracula (its rulebook, section 10)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mailgm.engine import GM, PUBLIC, Dice, Game, Input, Outcome

NORMAL = ("crucifix", "gousse-ail", "bougie", "loupe", "clef", "pieu")
SPECIAL = ("manuel", "grimoire", "peinture", "phonographe")
ROOMS = ("boudoir", "bal", "geoles", "torture")
SANCTUARY = "sanctuaire"
# Who may read a role or a camp, and in which notices; who Dracula is may stand in the last three only (invariant 9).
TELLS_ROLES = {"role.assigned", "death", "game.over", "round.reveal", "final.burned"}


def options(dice: Dice, players: int) -> dict[str, Any]:
    """Options of a random game, every one of them varied."""
    deck = {item: dice.pick(f"copies.{item}", (0, 1, 2, 3)) for item in NORMAL}
    return {
        "rounds": dice.pick("rounds", (1, 1, 2)),
        "nights": dice.pick("nights", (2, 3, 4, 5, 5, 5, 9)),
        "first_day": dice.chance("first_day", 50),
        "sanctuary_seats": dice.pick("seats", ("auto", "auto", 1, 2, players)),
        "deck": "auto" if dice.chance("deck", 50) else deck,
        "self_vote": dice.chance("self_vote", 50),
        "fill_seats": dice.pick("fill", ("draw", "empty")),
        "missing_bite": dice.pick("missing", ("draw", "none")),
        "dawn_cursed": dice.pick("cursed", ("new", "total")),
        "early_close": dice.pick("early", ("off", "off", "night", "all")),
    }


def check(before: Game, given: Input, outcome: Outcome) -> list[str]:
    """The invariants that do not hold after `outcome`, in words."""
    was, now = before.state, outcome.game.state
    found = [*_objects(now), *_people(outcome.game, now), *_told(before, was, now, outcome)]
    if given.kind != "gm" and was.round == now.round:
        found += [*_change(was, now, outcome), *_flames(before, was, now, outcome)]
    return found


def _objects(now: Any) -> Iterator[str]:
    """Invariants 2 and 3."""
    places = Counter(now.gone)
    for objects in now.floors.values():
        places.update(objects)
    for name, seat in now.seats.items():
        places.update(seat.items)
        if seat.reserved:
            places[seat.reserved] += 1
        if seat.role != "human" and any(item in NORMAL for item in seat.items):
            yield f"3: the vampire {name} holds {seat.items}"
    for item in SPECIAL:
        if places[item] != 1:
            yield f"2: {item} is in {places[item]} places"
    for item in NORMAL:
        if places[item] > now.settings.deck.get(item, 0):
            yield f"3: {places[item]} copies of {item}"


def _people(game: Game, now: Any) -> Iterator[str]:
    """Invariants 1, 4, 8, 11, 12, 15."""
    draculas = [name for name, seat in now.seats.items() if seat.role == "dracula"]
    if len(draculas) != 1 or draculas[0] in now.tonight.staked:
        yield f"1: Dracula is {draculas}, staked {now.tonight.staked}"
    if now.night > now.settings.nights or now.round > now.settings.rounds:
        yield f"15: night {now.night} of round {now.round}"
    turned = sum(seat.role == "vampire" for seat in now.seats.values())
    if sum(seat.victims for seat in now.seats.values()) < turned:
        yield f"8: {turned} turned, fewer credited"
    if len(now.tonight.cursed) > 2 or len(now.tonight.curses) > 2:
        yield f"12: cursed this night: {now.tonight.curses}"
    for biter, target in now.tonight.bites:
        if now.seats[target].room not in (*ROOMS, "") or SANCTUARY in (now.seats[biter].room, now.seats[target].room):
            yield f"4: {biter} bit {target} in {now.seats[target].room}"
    if not game.phase.endswith(".bites"):
        return
    keys = {name for name, item in now.tonight.used if item == "clef"}
    for name in now.living:
        seat = now.seats[name]
        if seat.room not in (*ROOMS, SANCTUARY):
            yield f"11: {name} is in {seat.room!r}"
        if (seat.room == SANCTUARY) != (name in keys or name in now.elected):
            yield f"4: {name} is in {seat.room}; elected {now.elected}, keys {keys}"
        if seat.partner and not {name, seat.partner} & keys and now.seats[seat.partner].room != seat.room:
            yield f"11: {name} and {seat.partner} are apart"
    if now.night == 1 and now.in_room(SANCTUARY):
        yield "4: somebody is in the sanctuary on night 1"


def _change(was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    """Invariants 3, 5, 6, 7, 10, 12, 14."""
    turned = {notice.to for notice in outcome.notices if notice.kind == "turned"}
    dead = {notice.data["player"] for notice in outcome.notices if notice.kind == "death"}
    for name, seat in now.seats.items():
        before = was.seats[name]
        if before.camp != seat.camp and (before.camp, seat.camp, name in turned) != ("human", "vampire", True):
            yield f"6: {name} changed from {before.camp} to {seat.camp}"
        if before.alive != seat.alive and (seat.alive or name not in dead | set(now.tonight.staked)):
            yield f"10: {name} is {'alive again' if seat.alive else 'dead'} for no reason"
        if before.cursed and not seat.cursed:
            yield f"12: {name} is no longer cursed"
        if seat.score < before.score:
            yield f"14: the total of {name} fell"
    count = len(was.tonight.turned)
    sheltered = {name for name, seat in was.seats.items() if seat.sheltered}
    for notice in outcome.notices:
        if notice.kind == "turned":
            count += 1
        elif notice.kind == "dawn":
            if notice.data["turned"] != count:
                yield f"7: {count} turned, the dawn says {notice.data['turned']}"
            count = 0
        elif notice.kind == "dusk":
            again = sheltered & set(notice.data["sanctuary"])
            if again or len(notice.data["sanctuary"]) > now.settings.seats:
                yield f"5: elected {notice.data['sanctuary']}, twice {again}"
            sheltered |= set(notice.data["sanctuary"])
    if len(was.humans) - len(now.humans) != len(turned) + len(dead & set(was.humans) - turned):
        yield f"7: {len(was.humans)} humans became {len(now.humans)}"


def _flames(before: Game, was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    """Invariant 13."""
    for notice in outcome.notices:
        if notice.kind == "final.reveal" and outcome.game.phase.startswith("final"):
            if _burning(now) != len(notice.data["humans"]):
                yield f"13: {_burning(now)} flames for {notice.data['humans']}"
            return
    if before.phase.startswith("final") and _burning(was) != _burning(now):
        yield f"13: {_burning(was)} flames became {_burning(now)}"


def _burning(state: Any) -> int:
    return int(sum(seat.flames for seat in state.seats.values()) + state.fallen)


def _told(before: Game, was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    """Invariants 9, 14, 16, and R34: the dead are told nothing in person."""
    opened = {notice.data["round"] for notice in outcome.notices if notice.kind == "round.opened"}
    dead = {name for name, seat in was.seats.items() if not seat.alive} if not opened else set()
    revealed = before.phase.startswith("final") or not before.phase
    for notice in outcome.notices:
        revealed = revealed or notice.kind in ("final.reveal", "round.reveal")
        if notice.to == GM:
            continue
        if set(notice.audience) & dead and before.phase != outcome.game.phase:
            yield f"R34: {notice.kind} to the dead {notice.to}"
        if notice.kind == "role.assigned" and notice.to == PUBLIC:
            yield "9: a role told to all"
        if {"role", "camp", "dracula"} & set(notice.data) and notice.kind not in TELLS_ROLES:
            yield f"9: {notice.kind} tells a role"
        if notice.data.get("role") == "dracula" and notice.kind == "death" and not revealed:
            yield "9: a death tells who Dracula is"
        if notice.kind == "relay":
            answered = before.phase.endswith(".dawn") and notice.data["channel"] == "phonograph"
            if notice.data["author"] is not None and not answered:
                yield f"16: the author of a text is told to {notice.to}"
        if notice.kind == "round.over":
            yield from _points(was, outcome, notice.data)


def _points(was: Any, outcome: Outcome, data: Any) -> Iterator[str]:
    """Invariant 14."""
    contest = all(n.data["outcome"] != "no-contest" for n in outcome.notices if n.kind == "round.reveal")
    burned = {n.data["player"] for n in outcome.notices if n.kind == "death" and n.data["camp"] == "vampire"}
    for name, points in data["points"].items():
        seat = was.seats[name]
        if points < 0 or data["totals"][name] != seat.score + points:
            yield f"14: {name} scores {points}, total {data['totals'][name]} after {seat.score}"
        if points and (name in burned or not seat.alive):
            yield f"14: the dead {name} scores {points}"
        if seat.fled and seat.alive and contest and points != 1:
            yield f"14: the fugitive {name} scores {points}"
