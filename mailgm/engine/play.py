"""What players write: lines become orders, and orders take their place."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mailgm.engine.game import Game, Input, Run
from mailgm.engine.habits import addresses, only_courtesy
from mailgm.engine.judge import Judged, judge, judge_pass
from mailgm.engine.model import GM, PASS, PUBLIC, Ask, Channel, Notice, Order, Refused, Verdict
from mailgm.engine.parse import Draft, Named, Reading
from mailgm.engine.plain import evolve
from mailgm.engine.words import clean, fold_tokens, tokens

_MOST_LINES = 300


def hear(run: Run, player: str, text: str, channel: Channel) -> None:
    """Take the lines that a player wrote, in order; each line gets its verdict.

    At the table, what is left when refused lines are taken out is passed on to all with the running count; what follows
    a secret text, but for orders with their command word, is taken for its continuation. Greetings and thanks around
    private orders are no orders that were not understood, nor is the author's name below. After _MOST_LINES the rest is
    not read.
    """
    public = channel == "public"
    before = run.game
    table_open = public and not before.over and before.rules.table and before.variant.may_post(before.state, player)
    said: list[str] = []
    greetings: list[int] = []
    first = len(run.verdicts)
    secret: Verdict | None = None
    lines = text.splitlines()
    signed = _signature(lines, player, public=public)
    for place, line in enumerate(lines[:_MOST_LINES]):
        if not line.strip():
            said.append("")
            continue
        if place == signed and not secret:
            run.verdicts.append(Verdict(player, "talk", line.strip()))
            said.append(line.rstrip())
            continue
        seen = len(run.verdicts)
        if _line(run, player, line.strip(), channel, bare=secret is None):
            greetings.append(seen)
        secret = secret or (_secret_text(before, run.verdicts[seen:]) if public else None)
        if secret and all(verdict.status == "talk" for verdict in run.verdicts[seen:]):
            run.verdicts[seen:] = [evolve(secret, line=line.strip())]
        if all(verdict.status != "refused" for verdict in run.verdicts[seen:]):
            said.append(line.rstrip())
    if beyond := [line for line in lines[_MOST_LINES:] if line.strip()]:
        said += [] if secret else beyond
        run.verdicts.append(_beyond(player, beyond, public))
    if len(greetings) < len(run.verdicts) - first:
        for place in greetings:
            run.verdicts[place] = Verdict(player, "talk", run.verdicts[place].line)
    if not public or not (words := "\n".join(said).strip()):
        return
    if table_open:
        run.notices.insert(
            0, Notice("table.post", PUBLIC, {"author": player, "text": words, "ballots": _ballots(before, run)})
        )
    elif any(verdict.status == "talk" for verdict in run.verdicts):
        run.notices.append(
            Notice(
                "table.closed", player, {"out": not before.over and not before.variant.may_post(before.state, player)}
            )
        )


def _signature(lines: Sequence[str], player: str, *, public: bool) -> int:
    """The last line, if it is its author's own name under something else: he signs, and names nobody. Else -1.

    In bold it is a vote, as on forums; in private, below a greeting alone, it is what he has to say.
    """
    *above, last = [place for place, line in enumerate(lines) if line.strip()] or [0]
    if not above or "**" in lines[last] or "[b]" in lines[last].lower():
        return -1
    if [token.word for token in tokens(clean(lines[last]))] != list(fold_tokens(player)):
        return -1
    greeted = not public and all(_greets(lines[place]) for place in above)
    return -1 if greeted else last


def _greets(line: str) -> bool:
    line = clean(line)
    words = tokens(line)
    return only_courtesy(words) or addresses(words, line)


def _secret_text(game: Game, verdicts: Sequence[Verdict]) -> Verdict | None:
    """The refusal of a secret text at the table among the verdicts of a line, or None."""
    commands = game.variant.spec.commands
    for verdict in verdicts:
        if verdict.code == "wrong-channel" and verdict.command in commands and commands[verdict.command].secret:
            return verdict
    return None


def _beyond(player: str, lines: list[str], public: bool) -> Verdict:
    """One verdict for all lines that are not read, because there are too many."""
    details = {"unread": len(lines)}
    if public:
        return Verdict(player, "talk", lines[0], details=details)
    return Verdict(player, "refused", lines[0], code="not-understood", details=details)


def _ballots(before: Game, run: Run) -> dict[str, Any]:
    """The ballots that stand after a post, while its phase still runs: voter → what he named."""
    if run.game.phase != before.phase:
        return {}
    return {order.player: next(iter(order.args.values()), None) for order in run.game.standing if order.ballot}


def _line(run: Run, player: str, line: str, channel: Channel, *, bare: bool = True) -> bool:
    """Read one line and do what it says. Returns whether it is a private greeting and nothing else.

    bare: whether arguments alone are an order at the table.
    """
    game = run.game
    public = channel == "public"
    asks = game.asks(player)
    reading = game.parser.read(line, asks, public=public, actor="gm" if player == GM else "player")
    if reading.anytime and not (game.over and reading.anytime == "resign"):
        _anytime(run, player, line, reading.anytime)
    elif public and (
        game.over or not reading.drafts or not ((bare and game.rules.table) or reading.drafts[0].explicit)
    ):
        run.verdicts.append(Verdict(player, "talk", line))
    elif game.over:
        run.verdicts.append(Verdict(player, "refused", line, code="game-over"))
    elif not reading.drafts:
        run.verdicts.append(_unread(game, player, line, reading))
        return reading.courtesy
    else:
        for draft in reading.drafts:
            take(run, player, draft, line, channel)
    return False


def _unread(game: Game, player: str, line: str, reading: Reading) -> Verdict:
    """The refusal of a private line that is no order, or that could be several."""
    if reading.several and "ambiguous-order" in game.variant.spec.refusals:
        return Verdict(player, "refused", line, code="ambiguous-order", details={"commands": reading.several})
    code = game.rules.unread(game.state, player, reading.name) if reading.name else "not-understood"
    return Verdict(player, "refused", line, code=code)


def _anytime(run: Run, player: str, line: str, word: str) -> None:
    """Words that are answered at any time; resigning is asked back once and then told to the game master."""
    details: dict[str, Any] = {}
    if word == "resign":
        confirmed = player in run.game.resigning
        details = {"confirmed": confirmed}
        if confirmed:
            run.notices.append(Notice("player.resigned", GM, {"player": player}))
        else:
            run.game = evolve(run.game, resigning=(*run.game.resigning, player))
    run.verdicts.append(Verdict(player, "asked", line, command=word, details=details))


def take(run: Run, player: str, draft: Draft, line: str, channel: Channel) -> None:
    """Judge one draft; if it is legal it becomes an order and what it does at once is done."""
    game = run.game
    asks = game.asks(player)
    ask = None
    for asked in asks:
        if asked.command == draft.command:
            ask = asked
            break
    judged = _judge(game, player, draft, ask, asks, channel)
    if not judged.code:
        try:
            order = _place(run, player, draft, judged, ask, line, channel)
            details = {} if ask is None else dict(game.rules.remarks(run.game.state, order))
            run.verdicts.append(Verdict(player, "accepted", line, draft.command, order, details=details))
            return
        except Refused as refusal:
            run.game = game
            judged = Judged(refusal.code, details=refusal.details)
    run.verdicts.append(
        Verdict(player, "refused", line, draft.command, None, judged.code, tuple(judged.accepted), judged.details)
    )


def _judge(game: Game, player: str, draft: Draft, ask: Ask | None, asks: Sequence[Ask], channel: Channel) -> Judged:
    if draft.command == PASS and PASS not in game.variant.spec.commands:
        return Judged(judge_pass(game.variant, game.state, game.rules, player, asks, game.orders))
    judged = judge(game.variant, game.state, game.rules, player, draft, ask, channel, game.orders)
    if not draft.clean and (ask is not None and judged.code in ("", "missing-argument")):
        return Judged("not-understood", details={"command": draft.command})
    return judged


def _place(run: Run, player: str, draft: Draft, judged: Judged, ask: Ask | None, line: str, channel: Channel) -> Order:
    """Put the order where it stands, in place of what it replaces, and carry out its effect at once."""
    game = run.game
    slot, final, ballot = (ask.place, ask.final, ask.ballot) if ask else (PASS, False, False)
    order = Order(player, draft.command, judged.args, game.count + 1, channel, slot, final, ballot, text=line)
    kept = [other for other in game.standing if other.player != player or not _gives_way(game, other, order)]
    run.game = game.ordered([*kept, order], order.n)
    dice = run.dice()
    step = game.rules.receives(game.state, order, run.game.orders, dice)
    if step is not None:
        run.keep(step, dice)
    return order


def _gives_way(game: Game, other: Order, order: Order) -> bool:
    """Whether a standing order of the same player falls when `order` comes."""
    if other.slot.startswith("*"):
        return False
    if order.command == PASS:
        return other.command == PASS or (not other.final and game.variant.pass_withdraws(game.state, other))
    return other.slot == order.slot or other.command == PASS


def direct(given: Input) -> Draft:
    """The draft of an order that comes already taken apart."""
    named = {
        name: Named(tuple(value) if isinstance(value, (list, tuple)) else (value,))
        for name, value in given.args.items()
    }
    return Draft(given.command, named)
