"""One run of a variant: its state, its running phase, and what each input makes of them.

`start` begins a game, `apply` handles one input. Both are pure: the same game and input give the same outcome, byte for
byte. Source: architecture §1, §2.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from mailgm.engine.dice import Dice, commitment
from mailgm.engine.model import (
    GM,
    NO_ORDERS,
    PASS,
    PUBLIC,
    Ask,
    Channel,
    End,
    Notice,
    Order,
    Orders,
    SetupError,
    Step,
    Verdict,
)
from mailgm.engine.names import FATAL, LONGEST, name_warnings
from mailgm.engine.parse import Parser, parser_for
from mailgm.engine.plain import evolve, freeze, made, record, worked_out
from mailgm.engine.said import say
from mailgm.engine.variant import Phase, Variant

_MOST_PASSED_OVER = 200
_NAME_FAULTS = {
    "unreadable": say(
        "it needs a letter or a digit, at most {most} characters, no line break, no : or @", most=LONGEST
    ),
    "reserved": say("it stands for the game master or for all"),
    "id": say("the game uses it for something else"),
}


@record
class Snapshot:
    """The game as it was when a phase opened: what `back` returns to.

    key: "night-2.rooms", from round 2 on "round-2.night-2.rooms", and "…#2" for the second opening of one id.
    """

    key: str
    phase: str
    state: Any
    drawn: Mapping[str, int]


@dataclass(frozen=True)
class Game:
    """A running game. `variant` and `history` are kept apart from the rest when it is stored (`engine.saved`).

    forced:    draws forced by label (scenarios only). decoys: phases whose timing would tell a secret last their hours.
    standing:  the orders of the running phase, by arrival. count: how many orders there were in the whole game.
    drawn:     label → how often it was drawn. aliases: former names of a seat → its present one.
    resigning: who has said in this phase that he gives up, and is asked back.
    """

    variant: Variant[Any]
    players: tuple[str, ...]
    options: Mapping[str, Any]
    seed: str
    state: Any
    forced: Mapping[str, Any] = field(default_factory=dict)
    decoys: bool = False
    phase: str = ""
    standing: tuple[Order, ...] = NO_ORDERS
    count: int = 0
    drawn: Mapping[str, int] = field(default_factory=dict)
    end: End | None = None
    aliases: Mapping[str, str] = field(default_factory=dict)
    resigning: tuple[str, ...] = ()
    history: tuple[Snapshot, ...] = ()

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.end is not None

    @worked_out
    def orders(self) -> Orders:
        """The standing orders of the running phase."""
        return self.standing if isinstance(self.standing, Orders) else Orders(self.standing)

    @worked_out
    def rules(self) -> Phase[Any]:
        """The rules of the running phase. Raises KeyError once the game is over."""
        return self.variant.phase(self.state, self.phase)

    @worked_out
    def asked(self) -> dict[str, list[Ask]]:
        """What `asks` has worked out so far; no part of the game."""
        return {}

    def ordered(self, standing: Iterable[Order], count: int) -> Game:
        """The same moment of the game with other standing orders."""
        orders = Orders(standing)
        kept = {"rules": self.rules, "orders": orders, "asked": {}}
        return made(Game, {**self.__dict__, "standing": orders, "count": count, **kept})

    @property
    def askable(self) -> Collection[str]:
        """Everybody, GM included, who may be asked something in the running phase; nobody else is."""
        whom = None if self.end is not None else self.rules.whom(self.state)
        return (*self.players, GM) if whom is None else whom

    @property
    def parser(self) -> Parser:
        """The reader of lines with this game's words and names."""
        return parser_for(self.variant.spec, self.players, tuple(self.aliases.items()))

    @property
    def key(self) -> str:
        """The key of the running phase in the history ("" before the first one)."""
        return self.history[-1].key if self.history else ""

    def asks(self, player: str) -> list[Ask]:
        """What the running phase asks of a player (or GM) now."""
        if self.end is not None:
            return []
        asks = self.asked.get(player)
        if asks is None:
            asks = self.asked[player] = self.rules.asks_of(self.state, player, self.orders)
        return asks

    def open_to(self, player: str) -> list[Ask]:
        """What a player may still do: his asks without those that he has answered for good, or cannot answer."""
        given = {order.slot for order in self.standing if order.player == player and order.final}
        asks = [ask for ask in self.asks(player) if not (ask.final and ask.place in given)]
        return [ask for ask in asks if self.answerable(ask)]

    def answerable(self, ask: Ask) -> bool:
        """Whether there is something to choose from. Where there is not, an order only hears why (its refusal)."""
        if () not in ask.legal.values():
            return True
        shapes = self.variant.spec.commands[ask.command].args
        return not any(
            ask.legal.get(shape.name) == () and ask.counts.get(shape.name, (shape.least,))[0] > 0 for shape in shapes
        )

    def owed(self, player: str, asks: Sequence[Ask] | None = None) -> list[Ask]:
        """The asks that no standing order of the player settles yet; not side asks, nor those with nothing to choose.

        asks: what `asks(player)` returns, if the caller knows it already.
        """
        asks = self.asks(player) if asks is None else asks
        mine = [order for order in self.standing if order.player == player]
        left = [ask for ask in asks if ask.need != "side" and not (mine and self.settled(ask, mine))]
        return [ask for ask in left if self.answerable(ask)]

    def settled(self, ask: Ask, mine: Sequence[Order]) -> bool:
        """Whether an ask is answered by one of its player's standing orders, a pass included."""
        return ask.settled_by(mine) or (PASS in [order.command for order in mine] and self.variant.pass_settles(ask))

    def owing(self) -> dict[str, list[Ask]]:
        """Who still owes an answer, GM included, in seat order: name → asks."""
        askable = self.askable
        found = {player: self.owed(player) for player in (*self.players, GM) if player in askable}
        return {player: asks for player, asks in found.items() if asks}

    def closes_early(self) -> bool:
        """Whether the running phase may close before its deadline: allowed by `early_close`, and nothing is owed."""
        setting = self.options.get("early_close", "off")
        if self.over or setting == "off":
            return False
        phase = self.rules
        if phase.keeps_hours or (self.decoys and phase.decoy) or (setting == "night" and phase.clock == "day"):
            return False
        return not self.owing()


@record
class Input:
    """One thing that happens to a game: plain data, kept in the log.

    kind:    "message" (lines of a player), "order" (a command already taken apart, `args`), "deadline", or "gm"
             (lines of the game master).
    channel: where a player wrote: "private" or "public".
    """

    kind: str
    player: str = ""
    text: str = ""
    channel: Channel = "private"
    command: str = ""
    args: Mapping[str, Any] = field(default_factory=dict)


@record
class Outcome:
    """What an input made: the game after it, what is told, what became of each line.

    opened: full ids of the phases that opened and wait for answers (not those passed over), in order.
    clock:  words of the game master that concern the clock and are the shell's to carry out: (word, argument).
    """

    game: Game
    notices: tuple[Notice, ...] = ()
    verdicts: tuple[Verdict, ...] = ()
    opened: tuple[str, ...] = ()
    clock: tuple[tuple[str, str], ...] = ()


def start(
    variant: Variant[Any],
    players: Sequence[str],
    options: Mapping[str, Any],
    seed: str,
    *,
    deal: Mapping[str, Any] | None = None,
    forced: Mapping[str, Any] | None = None,
    decoys: bool = False,
) -> Outcome:
    """Set a game up and open its first phase.

    players: game names in seat order. deal: forced set-up draws. forced: later draws by label.
    Raises SetupError for players, options or a deal that do not fit; nothing has happened then.
    """
    check_players(variant, players)
    resolved = freeze(variant.options(options))
    dice = Dice(seed, forced)
    step = variant.setup(tuple(players), {**resolved, "decoys": decoys}, deal or {}, dice)
    game = Game(
        variant, tuple(players), resolved, seed, step.state, forced=forced or {}, decoys=decoys, drawn=dice.drawn
    )
    run = Run(game)
    run.notices.append(Notice("seed.committed", PUBLIC, {"sha256": commitment(seed)}))
    run.follow(run.led_on(step))
    return run.outcome()


def check_players(variant: Variant[Any], players: Sequence[str]) -> None:
    """Raise SetupError("players") for a number of players the game does not take, or a name with a FATAL warning."""
    spec = variant.spec
    if not spec.least <= len(players) <= spec.most or (len(players) - spec.least) % spec.step:
        takes = {"count": len(players), "least": spec.least, "most": spec.most}
        if spec.step > 1:
            raise SetupError(
                "players", say("{count} players; the game takes {least} to {most} by {step}", **takes, step=spec.step)
            )
        raise SetupError("players", say("{count} players; the game takes {least} to {most}", **takes))
    for name, code, clash in name_warnings(spec, players):
        if code == "same-name":
            raise SetupError(
                "players",
                say("{name!r} and {clash!r} cannot be told apart when they are typed", name=name, clash=clash),
            )
        if code in FATAL:
            raise SetupError(
                "players", say("{name!r} cannot be a player's name: {why}", name=name, why=_NAME_FAULTS[code])
            )


class Run:
    """The work of one input: a game that changes step by step, and what has been told so far.

    Pure as a whole: it starts from an immutable Game and ends in an Outcome.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.notices: list[Notice] = []
        self.verdicts: list[Verdict] = []
        self.opened: list[str] = []
        self.clock: list[tuple[str, str]] = []

    def outcome(self) -> Outcome:
        """What came of it."""
        return Outcome(self.game, tuple(self.notices), tuple(self.verdicts), tuple(self.opened), tuple(self.clock))

    def dice(self) -> Dice:
        """The dice as the game has drawn them so far; hand them to `keep` with the step they served."""
        return Dice(self.game.seed, self.game.forced, self.game.drawn)

    def keep(self, step: Step, dice: Dice) -> None:
        """Take a step of the running phase: state, notices, withdrawn orders; then go where it leads, if anywhere."""
        standing = self.game.orders
        if step.withdraw:
            standing = Orders(order for order in standing if order.n not in step.withdraw)
        self.game = evolve(self.game, state=step.state, drawn=dice.drawn, standing=standing)
        self.follow(step)

    def follow(self, step: Step) -> None:
        """Take the state and notices of a step and open the next phase, passing over those in which nobody is asked."""
        for _ in range(_MOST_PASSED_OVER):
            if step.state is not self.game.state:
                self.game = evolve(self.game, state=step.state)
            self.notices.extend(step.notices)
            if step.next is None:
                return
            if isinstance(step.next, End):
                self.finish(step.next)
                return
            following = self._open(step.next)
            if following is None:
                return
            step = following
        raise RuntimeError(f"{self.game.variant.id}: {_MOST_PASSED_OVER} phases passed over in a row")

    def close(self) -> None:
        """The running phase's deadline passes."""
        dice = self.dice()
        self.keep(self.led_on(self.game.rules.resolves(self.game.state, self.game.orders, dice)), dice)

    def led_on(self, step: Step) -> Step:
        """The step, which must name a next phase or the end. Raises RuntimeError: a fault of the rules."""
        if step.next is None:
            raise RuntimeError(f"{self.game.variant.id}: the close of {self.game.phase or 'set-up'} leads nowhere")
        return step

    def _open(self, full: str) -> Step | None:
        """Open a phase. Returns None if it waits for answers, else the step that it made at once."""
        game = self.game
        phase = game.variant.phase(game.state, full)
        dice = self.dice()
        step = phase.opens(game.state, dice)
        self.notices.extend(step.notices)
        history = game.history
        if step.next is not None:
            following = Step(step.state, next=step.next)
        elif not self._waits(phase, step.state):
            step = following = self.led_on(phase.resolves(step.state, NO_ORDERS, dice))
        else:
            following = None
            if phase.announced:
                self.notices.append(Notice("phase.opened", PUBLIC, {"phase": full, **phase.opened(step.state)}))
            self.opened.append(full)
            history = (*history, Snapshot(self._key(full, step.state), full, step.state, dice.drawn))
        self.game = evolve(
            game, phase=full, standing=NO_ORDERS, resigning=(), state=step.state, drawn=dice.drawn, history=history
        )
        return following

    def _waits(self, phase: Phase[Any], state: Any) -> bool:
        if phase.keeps_hours or (self.game.decoys and phase.decoy):
            return True
        whom = phase.whom(state)
        for player in (*self.game.players, GM) if whom is None else whom:
            for ask in phase.asks_of(state, player, NO_ORDERS):
                if ask.need != "side":
                    return True
        return False

    def _key(self, full: str, state: Any) -> str:
        number = self.game.variant.round(state)
        base = full if number == 1 else f"round-{number}.{full}"
        same = [snapshot.key for snapshot in self.game.history if snapshot.phase == full]
        times = sum(key.partition("#")[0] == base for key in same)
        return base if times == 0 else f"{base}#{times + 1}"

    def finish(self, end: End) -> None:
        """The game ends: nothing is asked any more, and its seed is revealed."""
        self.game = evolve(self.game, phase="", standing=NO_ORDERS, end=end)
        self.notices.append(
            Notice("seed.revealed", PUBLIC, {"seed": self.game.seed, "sha256": commitment(self.game.seed)})
        )
