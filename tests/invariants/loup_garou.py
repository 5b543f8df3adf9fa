"""What must be so after every step of a werewolf game (its rulebook, section 11)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Any

from mailgm.engine import PUBLIC, Dice, Game, Input, Outcome
from mailgm.loader import Library

# What a dead player may still be told: that he may shoot or name an heir, and the words of the service.
TO_THE_DEAD = {"call", "table.closed", "gm.word"}
# Public notices that may name a role at all.
NAMES_ROLES = {"death", "deck.shown", "game.over"}


SINGLE = ("cupid", "thief", "pack-chief", "lapinou", "glutton")
SPEC = Library().variant("loup-garou").spec
CARDS = sorted(card for card in SPEC.tables["cards"] if not card.isdigit())
ROLES = tuple(card for card in CARDS if card not in (*SINGLE, "wolf", "villager"))
ACTS = next(window["acts"] for window in SPEC.options["night"].default if "wolves" in window["acts"])
CHOICES: dict[str, tuple[Any, ...]] = {
    "tie": ("nobody", "revote", "mayor", "draw"),
    "revotes": (0, 1, 2),
    "ballot": ("open", "secret"),
    "mayor": ("none", "dealt", "elected"),
    "mayor_votes": (1, 2),
    "mayor_heir": (False, True),
    "reveal": ("role", "camp", "none"),
    "wolves_win": ("last", "last-but-one", "parity"),
    "wolves_eat_wolves": (False, True),
    "starve": ("off", "closed", "explicit"),
    "pack_tie": ("draw", "none"),
    "seer_told": ("dawn", "at-once"),
    "seer_sees": ("role", "camp"),
    "witch_both": (False, True),
    "spy": ("watch", "dice", "off"),
    "spy_sees": ("one", "all", "words"),
    "cupid_self": (False, True),
    "cupid_missing": ("draw", "none"),
    "lovers_know_roles": (False, True),
    "struck_hunter_shoots": (False, True),
    "raven_votes": (0, 1, 2),
    "evil_eye_lasts": ("day", "game"),
    "evil_eye_told": (False, True),
    "tongue_penalty": ("none", "vote"),
    "bless_stops_infection": (False, True),
    "glutton_blocks": (False, True),
    "contamination_told": (False, True),
    "lovers_bound": (False, True),
    "watchman": ("none", "visits"),
    "show_deck": (False, True),
    "early_close": ("off", "night", "all"),
}


def options(dice: Dice, players: int) -> dict[str, Any]:
    """A composed game: a third of the players wolves at most, any roles, any night, any option."""
    roles = {"wolf": dice.pick("wolves", range(1, max(2, players // 3 + 1)))}
    left = players - roles["wolf"]
    for role in dice.shuffle("roles", (*SINGLE, *ROLES, *ROLES)):
        if left > 1 and role not in (r for r in SINGLE if r in roles) and dice.chance(f"card {role}", 50):
            roles[role] = roles.get(role, 0) + 1
            left -= 1
    chosen = {key: dice.pick(f"option {key}", values) for key, values in CHOICES.items() if dice.chance(key, 60)}
    return {"preset": "custom", "roles": roles, **chosen, **_night(dice)}


def _night(dice: Dice) -> dict[str, Any]:
    """The default night, or acts in a drawn order, cut into windows, the witch after the wolves."""
    if dice.chance("default night", 40):
        return {}
    before = dice.shuffle("acts", [act for act in ACTS if act != "wolves"])
    night = [{"id": f"w{place}", "acts": [act]} for place, act in enumerate(before[: dice.pick("windows", range(4))])]
    rest = [act for act in before if {"id": f"w{before.index(act)}", "acts": [act]} not in night]
    night.append({"id": "meute", "acts": [*rest[: len(rest) // 2], "wolves", *rest[len(rest) // 2 :]]})
    return {"night": [*night, {"id": "fin", "acts": ["witch"]}]}


def check(before: Game, given: Input, outcome: Outcome) -> list[str]:
    """The invariants that do not hold after `outcome`, in words."""
    was, now = before.state, outcome.game.state
    return [
        *(_state(outcome.game, now) if now is not was else ()),
        *_change(was, now),
        *_orders(was, now, outcome),
        *_deaths(was, now, outcome),
        *_secrets(before, was, now, outcome),
        *_tallies(before, was, now, outcome),
        *_end(was, now, outcome),
    ]


def _state(game: Game, now: Any) -> Iterator[str]:
    if now.living != tuple(name for name in now.order if now.seats[name].alive):
        yield "2: the list of the living is wrong"
    for name, seat in now.seats.items():
        if seat.lover and now.seats[seat.lover].alive != seat.alive:
            yield f"6: {name} and {seat.lover} are not dead or alive together"
        if seat.lover and now.seats[seat.lover].lover != name:
            yield f"6: {name}'s love is not returned"
    if now.mayor and not now.seats[now.mayor].alive and not now.rules.mayor_heir:
        yield f"13: the dead {now.mayor} is still mayor"
    if sum(now.deck.values()) != len(now.order) + len(now.leftover):
        yield "15: dealt and left over are not the composition"
    if not set(now.pack) <= {name for name, seat in now.seats.items() if seat.camp == "wolves"}:
        yield "5: the pack holds somebody who is no wolf"
    if not game.over:
        yield from _asked(game, now)


def _asked(game: Game, now: Any) -> Iterator[str]:
    pending = {*now.shooters, *now.struck}
    for name in now.order:
        for ask in game.asks(name):
            if not now.seats[name].alive and name not in pending and name != now.mayor:
                yield f"R16: the dead {name} is asked {ask.command}"
            dead = [value for value in ask.legal.get("player", ()) if not now.seats[value].alive]
            if dead:
                yield f"R16: {dead} are legal targets of {ask.command}"
    decided = [seat for seat in now.seats.values() if seat.alive]
    if not decided and not pending:
        yield "R54: nobody lives and the game goes on"


def _change(was: Any, now: Any) -> Iterator[str]:
    if not set(now.living) <= set(was.living):
        yield f"1: {set(now.living) - set(was.living)} came back to life"
    for name, seat in now.seats.items():
        old = was.seats[name]
        if old.role == seat.role and not set(seat.powers) <= set(old.powers):
            yield f"7: {name} has got back {set(seat.powers) - set(old.powers)}"
        if old.camp == "wolves" and seat.camp != "wolves":
            yield f"12: {name} has left the wolves"
        if old.role != seat.role and seat.role not in ("wolf", "pack-chief") and old.role != "thief":
            yield f"12: {name} turned from {old.role} to {seat.role}"
        if old.cause and old.cause != seat.cause:
            yield f"1: {name} died twice, of {old.cause} and of {seat.cause}"


def _orders(was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    for verdict in outcome.verdicts:
        if verdict.status != "accepted" or verdict.order is None:
            continue
        order = verdict.order
        named = [order.get("player"), *(order.get("players") or ())]
        for name in named:
            if name and not was.seats[name].alive:
                yield f"1: an order {order.command} on the dead {name} was taken"
        if order.command in ("protect", "bless") and order.get("player") == was.seats[order.player].last_target:
            yield f"8: {order.player} may {order.command} {order.get('player')} again"


def _deaths(was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    told = Counter(notice.data["player"] for notice in outcome.notices if notice.kind == "death")
    died = set(was.living) - set(now.living)
    if any(count > 1 for count in told.values()):
        yield f"2: announced dead more than once: {told}"
    if set(told) != died:
        yield f"2: {sorted(died)} died, {sorted(told)} were announced"
    night = sum(notice.kind == "death" and notice.data["cause"] == "night" for notice in outcome.notices)
    if now.deck.get("witch", 0) <= 1 and now.deck.get("little-girl", 0) <= 1 and night > 2:
        yield f"11: {night} deaths in one night"


def _secrets(before: Game, was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    over = next((i for i, notice in enumerate(outcome.notices) if notice.kind == "game.over"), len(outcome.notices))
    queued = {(letter.kind, letter.to) for letter in was.tonight.letters}
    for place, notice in enumerate(outcome.notices):
        if notice.to == PUBLIC:
            if "role" in notice.data and notice.kind not in NAMES_ROLES:
                yield f"3: {notice.kind} names a role"
            if notice.kind == "death" and notice.data["role"] and place < over and notice.data["player"] in now.living:
                yield f"3: the role of the living {notice.data['player']} is public"
            continue
        for name in notice.audience:
            if name not in now.seats:
                continue
            held = {was.seats[name].role, now.seats[name].role}
            camps = {was.seats[name].camp, now.seats[name].camp}
            if notice.kind == "seer.result" and "seer" not in held and (notice.kind, name) not in queued:
                yield f"4: {name} is told what a seer sees"
            if notice.kind == "witch.victim" and "witch" not in held:
                yield f"4: {name} is told what a witch is told"
            if notice.kind == "thief.cards" and "thief" not in held:
                yield f"4: {name} is shown the thief's cards"
            if notice.kind in ("pack.members", "pack.choice", "pack.spy") and "wolves" not in camps:
                yield f"4: {name} is told what the pack is told"
            if notice.kind == "relay" and "wolves" not in camps:
                spying = now.rules.spy_sees == "words" and notice.data["author"] is None and "little-girl" in held
                if not spying:
                    yield f"5: {name} hears the pack"
            if not was.seats[name].alive and notice.kind not in TO_THE_DEAD:
                yield f"R16: the dead {name} is told {notice.kind}"
        if notice.kind == "pack.members" and any(now.seats[n].camp != "wolves" for n in notice.data["members"]):
            yield "5: pack.members lists somebody who is no wolf"


def _tallies(before: Game, was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    for notice in outcome.notices:
        if notice.kind != "vote.tally":
            continue
        counts, votes, elected = notice.data["counts"], notice.data["votes"], notice.data["elected"]
        if elected is not None and (elected not in counts or elected not in was.living):
            yield f"9: {elected} is elected"
        if votes is None or now.bonds or was.today.tongues:
            continue
        cast = sum(now.rules.mayor_votes if voter == was.mayor else 1 for voter in votes)
        marks = sum(votes for name, votes in was.today.marks.items() if was.seats[name].alive)
        wanted = cast + (marks if before.phase.endswith(".vote") else 0)
        if sum(counts.values()) != wanted:
            yield f"9: {sum(counts.values())} votes counted, {wanted} there are"


def _end(was: Any, now: Any, outcome: Outcome) -> Iterator[str]:
    told = [notice.data for notice in outcome.notices if notice.kind == "game.over"]
    end = outcome.game.end
    if len(told) != (1 if end else 0):
        yield f"10: game.over was told {len(told)} times"
    if end is None or not told:
        return
    if told[0]["winner_camp"] != end.winner_camp or tuple(told[0]["winners"]) != end.winners:
        yield "10: banner and winners differ"
    if end.winner_camp not in (None, "villagers", "wolves", "couple", "glutton"):
        yield f"10: {end.winner_camp} has won"
    if now.shooters or now.struck:
        yield "R42: the game is judged while an arrow is pending"
    if not end.winners and end.winner_camp is not None:
        members = [name for name, seat in now.seats.items() if seat.camp == end.winner_camp]
        if not all(now.seats[name].lover for name in members):
            yield f"10: {end.winner_camp} wins, and nobody with it"
