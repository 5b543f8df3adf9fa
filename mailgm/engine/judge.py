"""One validator for all games: from a draft to an order, or to the refusal code that the rulebook puts first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from mailgm.engine.model import EMPTY, PASS, Ask, Channel, Orders
from mailgm.engine.parse import Draft, Named
from mailgm.engine.variant import Argument, Command, Phase, Variant

# Where a game's own list is silent, codes are tried in this order (architecture §3).
ORDER = (
    "dead-player", "wrong-channel", "not-your-turn", "already-final", "power-used", "missing-argument",
    "unknown-player", "ambiguous-player", "too-many", "dead-target", "self-target",
)  # fmt: skip


class Judged(NamedTuple):
    """A draft that is legal (code "": `args` are the order's) or the reason why not."""

    code: str = ""
    args: Mapping[str, Any] = EMPTY
    accepted: tuple[Any, ...] = ()
    details: Mapping[str, Any] = EMPTY


def judge(
    variant: Variant[Any],
    state: Any,
    phase: Phase[Any],
    player: str,
    draft: Draft,
    ask: Ask | None,
    channel: Channel,
    standing: Orders,
) -> Judged:
    """Judge one draft of `player`; `ask` is what the phase asks of him for that command, None if it does not.

    channel: where it was said; "any" for an order that the game master gives for a player.
    """
    reasons: list[Judged] = []
    wanted = ask.channel if ask else variant.channel(state, draft.command)
    if channel != "any" and (wanted not in ("any", channel) or (channel == "public" and not phase.table)):
        reasons.append(Judged("wrong-channel", details={"wanted": wanted}))
    if ask is None:
        reasons.append(Judged(phase.closed(state, player, draft.command, standing)))
        return _first(variant, reasons)
    place = ask.place
    for order in () if place.startswith("*") else standing:
        stays = order.final or (ask.final and order.command == ask.command)
        if stays and order.player == player and order.slot == place:
            reasons.append(Judged("already-final"))
            break
    if ask.barred:
        reasons.append(Judged(ask.barred))
    command = variant.spec.commands[draft.command]
    args, faults = _arguments(state, phase, command, draft, ask, standing)
    reasons += faults
    if not reasons and (code := phase.objects(state, ask, args, standing)):
        reasons.append(Judged(code))
    return _first(variant, reasons) if reasons else Judged(args=args)


def judge_pass(
    variant: Variant[Any], state: Any, phase: Phase[Any], player: str, asks: Sequence[Ask], orders: Orders
) -> str:
    """The refusal code of a `pass` where the game has no rule of its own for it; "" if it may be taken."""
    if any(ask.need != "side" for ask in asks):
        return ""
    return phase.closed(state, player, PASS, orders)


def _first(variant: Variant[Any], reasons: Sequence[Judged]) -> Judged:
    """The reason whose code the game tries first; codes in no list come last, in the order they were found."""
    order = variant.spec.refusals or ORDER
    return min(reasons, key=lambda reason: order.index(reason.code) if reason.code in order else len(order))


def _arguments(
    state: Any, phase: Phase[Any], command: Command, draft: Draft, ask: Ask, standing: Orders
) -> tuple[dict[str, Any], list[Judged]]:
    args: dict[str, Any] = {}
    faults: list[Judged] = []
    for argument in command.args:
        name = argument.name
        least, most = ask.counts.get(name, (argument.least, argument.most))
        named = draft.named.get(name)
        legal = ask.legal.get(name)
        if named is None or (not named.values and not named.code):
            if least > 0:
                faults.append(Judged(argument.missing, accepted=legal or ()))
            continue
        if legal is not None and not argument.listed and not named.code and named.values[0] in legal:
            args[name] = named.values[0]  # what nearly every order is
            continue
        found = _faults(state, phase, argument, named, ask, (least, most), standing)
        if found:
            faults += found
        else:
            args[name] = tuple(named.values) if argument.listed else named.values[0]
    return args, faults


def _faults(
    state: Any, phase: Phase[Any], argument: Argument, named: Named, ask: Ask, counts: tuple[int, int], standing: Orders
) -> list[Judged]:
    """Everything that is wrong with the values given for one argument."""
    legal = ask.legal.get(argument.name)
    if named.code:
        accepted = named.candidates or legal or ()
        details = {"typed": named.typed} if named.typed else {}
        return [Judged(named.code, accepted=accepted, details={**details, "argument": argument.name})]
    least, most = counts
    if argument.listed and len(named.values) > most:
        return [Judged(argument.too_many, accepted=legal or (), details={"most": most, "argument": argument.name})]
    if argument.listed and len(named.values) < least:
        return [Judged(argument.missing, accepted=legal or (), details={"least": least, "argument": argument.name})]
    if legal is None or argument.kind == "text":
        return []
    faults = []
    for value in named.values:
        if value not in legal:
            if argument.kind == "number":
                code = argument.unknown
            else:
                code = phase.refuses(state, ask, argument.name, value, standing)
            faults.append(Judged(code, accepted=legal, details={"value": value, "argument": argument.name}))
    return faults
