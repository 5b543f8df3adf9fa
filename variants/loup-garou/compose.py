"""Composing a game: its options, its night, its cards; all is checked before a card is dealt (R2-R11, R97-R100)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from mailgm.engine import Dice, SetupError, Spec
from mailgm.engine.said import say

from .pool import ACTS
from .role import POOL
from .state import Window

MAIN = "main"
RESERVED = "lapinou"


def merged(spec: Spec, given: Mapping[str, Any]) -> dict[str, Any]:
    """The options of a game: those given, over its preset's, over the bare defaults. Raises SetupError."""
    name = given.get("preset", "")
    if not name:
        raise SetupError(
            "preset", say("a game needs one of the presets {names}", names=", ".join(sorted(spec.presets)))
        )
    preset = preset_options(spec, name)
    try:
        options = spec.resolve_options({**preset, **given, "preset": name})
        check(options)
    except SetupError as error:
        key = error.key.split(".")[0]
        if key in preset and key not in given:
            raise SetupError(
                error.key, say("{message} (presets/{name}.toml)", message=error.message, name=name)
            ) from error
        raise
    return options


def preset_options(spec: Spec, name: str, above: tuple[str, ...] = ()) -> dict[str, Any]:
    """What a preset sets; a preset with a key `preset` of its own starts from that one."""
    if name not in spec.presets:
        raise SetupError(
            "preset",
            say("there is no preset {name!r}; there are {names}", name=name, names=", ".join(sorted(spec.presets))),
        )
    if name in above:
        raise SetupError("preset", say("the presets {names} start from one another", names=", ".join(above)))
    own = dict(spec.presets[name])
    base = own.pop("preset", "")
    return {**(preset_options(spec, base, (*above, name)) if base else {}), **own}


def check(options: Mapping[str, Any]) -> None:
    """Raise SetupError for roles or a night that no game could be played with, whatever the number of players."""
    _check_counts("roles", options["roles"])
    for number, table in options["roles_by_count"].items():
        if not str(number).isdecimal():
            raise SetupError("roles_by_count", say("{number!r} is not a number of players", number=number))
        if not isinstance(table, Mapping):
            raise SetupError(f"roles_by_count.{number}", say("{table!r} is not a table role = count", table=table))
        _check_counts(f"roles_by_count.{number}", table)
    _check_night(options["night"])


def _check_counts(key: str, table: Mapping[str, Any]) -> None:
    for role, count in table.items():
        if role not in POOL:
            raise SetupError(
                f"{key}.{role}", say("there is no such role; there are {names}", names=", ".join(sorted(POOL)))
            )
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise SetupError(f"{key}.{role}", say("{count!r} is not a number of cards", count=count))
        most = POOL[role].most
        if most and count > most:
            raise SetupError(f"{key}.{role}", say("{count} cards; a game holds at most {most}", count=count, most=most))


def _check_night(night: Sequence[Any]) -> None:
    ids: set[str] = set()
    seen: dict[str, str] = {}
    for place, window in enumerate(night, 1):
        if not isinstance(window, Mapping) or not isinstance(window.get("id"), str) or not window["id"].strip():
            raise SetupError(
                "night",
                say('window {place} needs an id and acts, as {{ id = "main", acts = ["wolves"] }}', place=place),
            )
        name = window["id"]
        if unknown := set(window) - {"id", "acts", "first"}:
            raise SetupError(
                "night",
                say(
                    "window {name!r}: unknown key {unknown!r}; there are id, acts, first",
                    name=name,
                    unknown=min(unknown),
                ),
            )
        if name in ids or name == RESERVED:
            why = say("is the lapinou's own") if name == RESERVED else say("stands twice")
            raise SetupError("night", say("the window id {name!r} {why}", name=name, why=why))
        ids.add(name)
        if not isinstance(window.get("first", False), bool):
            raise SetupError("night", say("window {name!r}: first is true or false", name=name))
        acts = window.get("acts")
        if not isinstance(acts, (list, tuple)) or not acts:
            raise SetupError("night", say('window {name!r} needs its acts, as acts = ["wolves"]', name=name))
        for act in acts:
            if act not in ACTS:
                raise SetupError(
                    "night",
                    say(
                        "window {name!r}: there is no act {act!r}; there are {names}",
                        name=name,
                        act=act,
                        names=", ".join(ACTS),
                    ),
                )
            if act in seen:
                raise SetupError(
                    "night",
                    say("the act {act!r} stands in {window!r} and in {name!r}", act=act, window=seen[act], name=name),
                )
            if act == "witch" and "wolves" not in seen and any("wolves" in (w.get("acts") or ()) for w in night):
                raise SetupError(
                    "night", say("window {name!r}: the witch comes after the window of the wolves", name=name)
                )
            seen[act] = name
        if "witch" in acts and "wolves" in acts:
            raise SetupError("night", say("window {name!r}: the witch comes after the window of the wolves", name=name))


def plan(
    night: Sequence[Mapping[str, Any]], deck: Mapping[str, int], order: Sequence[Mapping[str, Any]]
) -> tuple[Window, ...]:
    """The night of a game with these cards.

    night: the game's own list. order: the bare default (R8), which says where an act stands that the game does not
    list: in `main`, or in a window of its own. Raises SetupError("night") for a role that has no place in either.
    """
    windows = [Window(w["id"], tuple(w["acts"]), bool(w.get("first", False))) for w in night]
    ranks = {act: rank for rank, act in enumerate(act for window in order for act in window["acts"])}
    listed = {act for window in windows for act in window.acts}
    needed = {POOL[role].act for role, count in deck.items() if count} - {""} - listed
    for act in sorted(needed, key=lambda act: ranks.get(act, 0)):
        home = next((window for window in order if act in window["acts"]), None)
        if home is None:
            role = next(role.id for role in ACTS[act] if deck.get(role.id))
            raise SetupError(
                "night",
                say("the role {role} has no place in the night: list its act {act!r} in a window", role=role, act=act),
            )
        _place(windows, act, home, ranks)
    used = {POOL[role].act for role, count in deck.items() if count}
    kept = (Window(w.id, tuple(act for act in w.acts if act in used), w.first) for w in windows)
    return tuple(window for window in kept if window.acts)


def _place(windows: list[Window], act: str, home: Mapping[str, Any], ranks: Mapping[str, int]) -> None:
    """Put an act where the bare default has it: before the first act listed that comes after it there."""

    def later(other: str) -> bool:
        return ranks.get(other, -1) > ranks[act]

    place = next((i for i, window in enumerate(windows) if window.id == home["id"]), None)
    if place is not None and home["id"] == MAIN:
        acts = windows[place].acts
        at = next((i for i, other in enumerate(acts) if later(other)), len(acts))
        windows[place] = Window(MAIN, (*acts[:at], act, *acts[at:]), windows[place].first)
        return
    at = next((i for i, window in enumerate(windows) if any(map(later, window.acts))), len(windows))
    windows.insert(at, Window(home["id"], (act,), bool(home.get("first", False))))


# Cards ----------------------------------------------------------------------------------------------------------------


def composition(options: Mapping[str, Any], players: int) -> dict[str, int]:
    """All cards of a game: the roles asked for, villagers up to the players, two more with a thief (R2, R97)."""
    key, roles = "roles", options["roles"]
    by_count = options["roles_by_count"]
    if not roles and by_count:
        fitting = [number for number in by_count if int(number) <= players]
        if not fitting:
            raise SetupError("roles_by_count", say("no entry for {players} players or fewer", players=players))
        number = max(fitting, key=int)
        key, roles = f"roles_by_count.{number}", by_count[number]
    asked = sum(roles.values())
    if asked > players:
        raise SetupError(
            key,
            say(
                "{asked} cards for {players} players; there may be at most as many cards as players",
                asked=asked,
                players=players,
            ),
        )
    deck = {role: count for role, count in roles.items() if count}
    spare = players - asked + (2 if deck.get("thief") else 0)
    deck["villager"] = deck.get("villager", 0) + spare
    if not deck["villager"]:
        del deck["villager"]
    check_deck(key, deck)
    return deck


def check_deck(key: str, deck: Mapping[str, int]) -> None:
    """Raise SetupError if these cards make no game: nobody to hunt, nobody to be hunted, or two of a single card."""
    for role, count in deck.items():
        if POOL[role].most and count > POOL[role].most:
            raise SetupError(
                key,
                say("{count} cards {role}; a game holds at most {most}", count=count, role=role, most=POOL[role].most),
            )
    camps = {POOL[role].camp for role, count in deck.items() if count}
    if "wolves" not in camps:
        raise SetupError(key, say("no card of the wolves' camp: nobody could win but the villagers; add a wolf"))
    if camps == {"wolves"}:
        raise SetupError(key, say("wolves only: they would have won at once; leave a card to somebody else"))


def dealt(
    players: Sequence[str], options: Mapping[str, Any], deal: Mapping[str, Any], dice: Dice
) -> tuple[dict[str, str], tuple[str, ...], dict[str, int]]:
    """Shuffle and deal (rulebook §3): player → role, the cards left over in order, and the composition."""
    for key in deal:
        if key not in ("roles", "leftover", "mayor"):
            raise SetupError(key, say("no such key in [deal]; there are roles, leftover, mayor"))
    forced: Mapping[str, str] = deal.get("roles", {})
    leftover = tuple(deal.get("leftover", ()))
    for name, role in forced.items():
        if name not in players:
            raise SetupError("roles", say("{name} does not play", name=name))
        if role not in POOL:
            raise SetupError(
                "roles",
                say(
                    "{name}: there is no role {role!r}; there are {names}",
                    name=name,
                    role=role,
                    names=", ".join(sorted(POOL)),
                ),
            )
    if leftover and (len(leftover) != 2 or any(card not in POOL for card in leftover)):
        raise SetupError("leftover", say("{cards} are not two roles of the pool", cards=list(leftover)))
    if set(forced) == set(players):
        return _all_named(players, forced, leftover)
    deck = composition(options, len(players))
    if leftover and not deck.get("thief"):
        raise SetupError("leftover", say("no card is left over without a thief"))
    cards = [role for role, count in deck.items() for _ in range(count)]
    for key, card in (*(("roles", role) for role in forced.values()), *(("leftover", card) for card in leftover)):
        if card not in cards:
            raise SetupError(key, say("{card} is not (or no longer) among the cards of this game", card=card))
        cards.remove(card)
    shuffled = dice.shuffle("cards", cards)
    free = [name for name in players if name not in forced]
    drawn = dict(zip(free, shuffled, strict=False))
    rest = leftover or tuple(shuffled[len(free) :])
    return {name: forced.get(name) or drawn[name] for name in players}, rest, deck


def _all_named(
    players: Sequence[str], forced: Mapping[str, str], leftover: tuple[str, ...]
) -> tuple[dict[str, str], tuple[str, ...], dict[str, int]]:
    """Every player's card is named: the deal is the composition."""
    thief = "thief" in (*forced.values(), *leftover)
    if thief and not leftover:
        raise SetupError("leftover", say("with a thief in the deal, name the two cards left over"))
    if leftover and not thief:
        raise SetupError("leftover", say("no card is left over without a thief"))
    deck: dict[str, int] = {}
    for card in (*(forced[name] for name in players), *leftover):
        deck[card] = deck.get(card, 0) + 1
    check_deck("roles", deck)
    return {name: forced[name] for name in players}, leftover, deck
