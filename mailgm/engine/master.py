"""The game master's words: an input like any other, in French and English, each with an optional reason.

Source: scenarios, "The game master's words".
"""

from __future__ import annotations

import re
from dataclasses import replace
from typing import Any, NamedTuple

from mailgm.engine.game import Game, Run, Snapshot
from mailgm.engine.habits import only_courtesy
from mailgm.engine.model import GM, PUBLIC, End, Notice, Order, Refused, Verdict
from mailgm.engine.names import FATAL, name_warnings
from mailgm.engine.parse import Draft, Named
from mailgm.engine.plain import dump, evolve, freeze, load, rename
from mailgm.engine.play import hear, take
from mailgm.engine.spec import Command
from mailgm.engine.words import Phrases, clean, fold, tokens

WORDS = {
    "status": ("état", "status", "statut"),
    "extend": ("prolonger", "prolonge", "extend"),
    "pause": ("pause", "mettre en pause"),
    "resume": ("reprendre", "reprise", "resume"),
    "close": ("clore", "clos", "clôturer", "close", "close now"),
    "order": ("ordre", "order"),
    "remove": ("retirer", "retire", "remove"),
    "replace": ("remplacer", "remplace", "replace"),
    "back": ("revenir", "reviens", "revenir à", "back", "back to"),
    "set": ("corriger", "corrige", "set"),
    "say": ("dire", "dis", "say"),
    "ok": ("ok", "d'accord", "publier"),
    "redo": ("refaire", "redo"),
    "stop": ("arrêter", "arrête", "arrêter la partie", "stop"),
    "help": ("aide", "help"),
    "players": ("joueurs", "players"),
    "rules": ("règles", "rules"),
}
_PHRASES = Phrases((phrase, word) for word, phrases in WORDS.items() for phrase in phrases)
# Words of the clock and of the mailbox: the shell carries them out, the kernel only reads them.
SHELL = frozenset({"status", "extend", "pause", "resume", "ok", "redo", "help", "players", "rules"})
_REASON = re.compile(r"\s+(?:parce\s+que\s+|parce\s+qu['’]|because\s+)(?P<why>.*)$", re.IGNORECASE | re.DOTALL)
_ADDRESS = re.compile(r"<?([^\s<>]+@[^\s<>]+)>?\s*$")
_EVERYBODY = frozenset({"tous", "toutes", "tout le monde", "all", "everybody", "everyone"})
_BY = re.compile(r"\s+(?:par|by)\s+", re.IGNORECASE)
_TO = re.compile(r"^\s*(?:à|a|to)\s+(?P<name>[^:]+?)\s*:\s*(?P<text>.*)$", re.IGNORECASE | re.DOTALL)


class GmWord(NamedTuple):
    """One line of the game master taken apart: the word, what follows it, and the reason at the end."""

    word: str
    rest: str
    why: str = ""


def read_word(line: str) -> GmWord | None:
    """Read a line that begins with one of the kernel's words, or return None. Said texts keep their "because"."""
    words = tokens(line)
    match = _PHRASES.exact([token.word for token in words])
    if match is None:
        return None
    word = match.keys[0]
    rest = line[words[match.length - 1].end :].strip(" \t:")
    if word == "say":
        rest = line[words[match.length - 1].end :].strip()
        return GmWord(word, rest[1:].strip() if rest.startswith(":") else rest)
    rest, why = split_reason(rest)
    return GmWord(word, rest, why)


def split_reason(text: str) -> tuple[str, str]:
    """Take "parce que …" or "because …" off the end: (the rest, the reason)."""
    match = _REASON.search(" " + text)
    if match is None:
        return text, ""
    return (" " + text)[: match.start()].strip(), match["why"].strip()


def command(run: Run, text: str) -> None:
    """Carry out the game master's lines, in order; each gets its verdict. Greetings around them are passed over."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    for line in [line for line in lines if not only_courtesy(tokens(clean(line)))] or lines:
        _line(run, line)


def _line(run: Run, line: str) -> None:
    if run.game.over:
        word = read_word(line)
        if word and word.word in SHELL:
            _shell(run, line, word)
        else:
            _refuse(run, line, word.word if word else "", "game-over")
        return
    plain, why = split_reason(line)
    if _own_command(run, plain, why):
        return
    word = read_word(line)
    if word is None:
        _refuse(run, line, "", "not-understood")
        return
    try:
        if word.word in SHELL:
            _shell(run, line, word)
        else:
            details = _DOES[word.word](run, word)
            details = {**details, "why": word.why} if word.why else details
            run.verdicts.append(Verdict(GM, "done", line, word.word, details=details))
    except Refused as refusal:
        _refuse(run, line, word.word, refusal.code, **refusal.details)


def _refuse(run: Run, line: str, word: str, code: str, **details: Any) -> None:
    accepted = details.pop("accepted", ())
    run.verdicts.append(Verdict(GM, "refused", line, word, code=code, accepted=tuple(accepted), details=details))


def _shell(run: Run, line: str, word: GmWord) -> None:
    run.clock.append((word.word, word.rest))
    run.verdicts.append(Verdict(GM, "done", line, word.word, details={"why": word.why} if word.why else {}))


def _own_command(run: Run, line: str, why: str) -> bool:
    """A command of the game master that the game itself defines: an ask of the phase, or one for any time."""
    asks = run.game.asks(GM)
    reading = run.game.parser.read(line, asks, actor="gm")
    asked = {ask.command for ask in asks}
    if not reading.drafts or (read_word(line) and reading.drafts[0].command not in asked):
        return False
    for draft in reading.drafts:
        spec = run.game.variant.spec.commands[draft.command]
        if draft.command in asked:
            take(run, GM, draft, line, "gm")
            continue
        if fault := _fault(spec, draft):
            _refuse(run, line, draft.command, fault.code, accepted=fault.candidates)
            continue
        args = {
            argument.name: named.values if argument.listed else named.values[0]
            for argument in spec.args
            if (named := draft.named.get(argument.name)) and named.values
        }
        _at_any_time(run, Order(GM, draft.command, args, run.game.count + 1, "gm", draft.command, text=line), line, why)
    return True


def _fault(spec: Command, draft: Draft) -> Named | None:
    """What is wrong with the arguments of a command that no ask judges."""
    for argument in spec.args:
        named = draft.named.get(argument.name, Named(code=argument.missing if argument.least else ""))
        if named.code:
            return named
    return None if draft.clean else Named(code="not-understood")


def _at_any_time(run: Run, order: Order, line: str, why: str) -> None:
    game = run.game
    dice = run.dice()
    try:
        step = game.variant.commands(game.state, game.phase, order, game.orders, dice)
    except Refused as refusal:
        _refuse(run, line, order.command, refusal.code, **refusal.details)
        return
    run.game = evolve(game, count=order.n)
    run.keep(step, dice)
    run.verdicts.append(Verdict(GM, "done", line, order.command, order, details={"why": why} if why else {}))


# What each word does -------------------------------------------------------------------------------------------------


def _player(game: Game, text: str) -> str:
    named = game.parser.player(text)
    if named.code or not named.values:
        raise Refused(named.code or "missing-argument", typed=text, accepted=named.candidates or game.players)
    return str(named.values[0])


def _close(run: Run, word: GmWord) -> dict[str, Any]:
    full = run.game.phase
    run.close()
    return {"phase": full}


def _order(run: Run, word: GmWord) -> dict[str, Any]:
    name, colon, text = word.rest.partition(":")
    if not colon or not text.strip():
        raise Refused("missing-argument")
    player = _player(run.game, name)
    told = Run(run.game)
    hear(told, player, text.strip(), "any")
    if refused := next((verdict for verdict in told.verdicts if verdict.status == "refused"), None):
        raise Refused(refused.code, player=player, accepted=refused.accepted, order=refused.command)
    run.game = told.game
    run.notices += told.notices
    run.opened += told.opened
    return {"player": player, "orders": [verdict.command for verdict in told.verdicts]}


def _remove(run: Run, word: GmWord) -> dict[str, Any]:
    game = run.game
    player = _player(game, word.rest)
    if not game.variant.alive(game.state, player):
        raise Refused("dead-target", player=player)
    dice = run.dice()
    kept = tuple(order for order in game.standing if order.player != player)
    run.game = evolve(game, standing=kept)
    run.keep(game.variant.removes(game.state, player, game.phase, run.game.orders, dice), dice)
    return {"player": player}


def _replace(run: Run, word: GmWord) -> dict[str, Any]:
    parts = _BY.split(word.rest, maxsplit=1)
    if len(parts) != 2:
        raise Refused("missing-argument")
    old = _player(run.game, parts[0])
    address = _ADDRESS.search(parts[1])
    new = (parts[1][: address.start()] if address else parts[1]).strip(" ,<>\"'") or old
    if new != old:
        run.game = renamed(run.game, old, new)
    run.notices.append(Notice("player.replaced", PUBLIC, {"player": old, "by": new}))
    return {"player": old, "by": new, "address": address[1] if address else ""}


def renamed(game: Game, old: str, new: str) -> Game:
    """The same game with another name on one seat; the old name goes on being understood.

    Raises Refused("name-taken") for a name that is a player's, is reserved, or stands for something in the game.
    """
    state = dump(game.state)
    others = [name for name in (*game.players, *game.aliases) if name != old and game.aliases.get(name) != old]
    faults = name_warnings(game.variant.spec, [*others, new])
    clash = any(name == new and code in FATAL for name, code, _ in faults)
    if clash or rename(state, new, "\0") != state:
        raise Refused("name-taken", name=new)

    def again(value: Any) -> Any:
        return load(type(value), rename(dump(value), old, new))

    def order(standing: Order) -> Order:
        player = new if standing.player == old else standing.player
        return replace(standing, player=player, args=_renamed(standing.args, old, new))

    aliases = {alias: (new if name == old else name) for alias, name in game.aliases.items() if alias != new}
    return evolve(
        game,
        players=tuple(new if name == old else name for name in game.players),
        state=again(game.state),
        standing=tuple(order(standing) for standing in game.standing),
        history=tuple(Snapshot(s.key, s.phase, again(s.state), s.drawn) for s in game.history),
        forced=freeze(rename(dump(game.forced), old, new)),
        aliases={**aliases, old: new},
        resigning=tuple(name for name in game.resigning if name != old),
    )


def _renamed(args: Any, old: str, new: str) -> dict[str, Any]:
    def swap(value: Any) -> Any:
        return tuple(swap(entry) for entry in value) if isinstance(value, tuple) else new if value == old else value

    return {name: swap(value) for name, value in args.items()}


def _back(run: Run, word: GmWord) -> dict[str, Any]:
    wanted = word.rest.strip(" .\"'«»").lower()
    game = run.game
    exact = "#" in wanted or wanted.startswith("round-")
    key = wanted.removeprefix("round-1.").removesuffix("#1")
    places = range(len(game.history) - 1, -1, -1)
    place = next((n for n in places if key == (game.history[n].key if exact else game.history[n].phase).lower()), None)
    if place is None:
        raise Refused("unknown-phase", typed=wanted, accepted=[snapshot.key for snapshot in game.history])
    snapshot = game.history[place]
    run.game = evolve(
        game,
        state=snapshot.state,
        phase=snapshot.phase,
        drawn=snapshot.drawn,
        standing=(),
        history=game.history[: place + 1],
    )
    run.opened.append(snapshot.phase)
    # A phase that opens in silence is not named: that it took place may be a secret.
    told = snapshot.phase if run.game.rules.announced else ""
    run.notices.append(Notice("phase.back", PUBLIC, {"phase": told}))
    return {"phase": snapshot.key}


def _set(run: Run, word: GmWord) -> dict[str, Any]:
    fact, equals, value = word.rest.partition("=")
    if not equals:
        raise Refused("missing-argument")
    game = run.game
    state = game.variant.sets(game.state, fact.strip(), _value(value.strip()))
    run.game = evolve(game, state=state)
    return {"fact": fact.strip(), "value": value.strip()}


def _value(text: str) -> Any:
    lowered = text.lower()
    if lowered in ("true", "vrai", "oui", "yes", "false", "faux", "non", "no"):
        return lowered in ("true", "vrai", "oui", "yes")
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if text.startswith("[") and text.endswith("]"):
        return tuple(entry.strip().strip("\"'") for entry in text[1:-1].split(",") if entry.strip())
    return text.strip("\"'")


def _say(run: Run, word: GmWord) -> dict[str, Any]:
    if not word.rest:
        raise Refused("missing-argument")
    if (match := _TO.match(word.rest)) and fold(match["name"]) in _EVERYBODY:
        run.notices.append(Notice("gm.word", PUBLIC, {"text": match["text"].strip()}))
        return {"to": PUBLIC}
    if match:
        player = _player(run.game, match["name"])
        run.notices.append(Notice("gm.word", player, {"text": match["text"].strip()}))
        return {"to": player}
    run.notices.append(Notice("gm.word", PUBLIC, {"text": word.rest}))
    return {"to": PUBLIC}


def _stop(run: Run, word: GmWord) -> dict[str, Any]:
    run.notices.append(Notice("game.stopped", PUBLIC, {}))
    run.finish(End())
    return {}


_DOES = {
    "close": _close,
    "order": _order,
    "remove": _remove,
    "replace": _replace,
    "back": _back,
    "set": _set,
    "say": _say,
    "stop": _stop,
}
