"""The small words of a language: labels with their articles, names joined, plurals, a command as one types it."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from mailgm.engine.model import PASS, Ask
from mailgm.engine.variant import Argument, Spec, split_phase
from mailgm.render.dates import last

_ARTICLE = re.compile(r"^(le |la |les |l['’]|un |une |des |the |an? )(?=\S)", re.IGNORECASE)
_ROUND = re.compile(r"^round-\d+\.")
_VOWEL = re.compile(r"^[aeiouyàâäéèêëîïôöùûüœæ]", re.IGNORECASE)


class Words:
    """Helpers of the templates of one game in one language; `table` is that language's `words.toml`."""

    def __init__(self, spec: Spec, players: Sequence[str], lang: str, table: Mapping[str, Any]) -> None:
        self._spec = spec
        self._players = tuple(players)
        self._lang = lang
        self._table = table

    def helpers(self) -> dict[str, Callable[..., Any]]:
        """Name → function, as templates call them (docs/templates.md)."""
        common: dict[str, Callable[..., Any]] = {
            "label": self.label,
            "bare": self.bare,
            "listed": self.listed,
            "either": self.either,
            "plural": self.plural,
            "word": self.word,
            "phase_name": self.phase_name,
            "lasting": lambda span: last(span, self._table["dates"]),
            "grouped": by_value,
        }
        if self._lang == "fr":
            return {**common, "le": self.le, "au": self.au, "du": self.du, "un": self.un, "dans": self.dans}
        return {**common, "the": self.the, "a": self.a}

    # Labels ---------------------------------------------------------------------------------------------------------

    def label(self, value: Any) -> str:
        """The words for an id, its article with it if `variant.toml` gives one; a player's name is its own."""
        text = str(value)
        return text if text in self._players else self._spec.label(text, self._lang)

    def bare(self, value: Any) -> str:
        """The words for an id without their article: « boudoir »."""
        return self._apart(value)[1]

    def _apart(self, value: Any) -> tuple[str, str]:
        text = self.label(value)
        match = None if text in self._players else _ARTICLE.match(text)
        return (match[1].strip().lower().replace("’", "'"), text[match.end() :]) if match else ("", text)

    def le(self, value: Any) -> str:
        """« le boudoir », « les geôles », « l'île »; a name stays bare."""
        article, noun = self._apart(value)
        if article in ("un", "une"):
            return f"l'{noun}" if _VOWEL.match(noun) else f"{'le' if article == 'un' else 'la'} {noun}"
        return f"les {noun}" if article == "des" else self.label(value)

    def au(self, value: Any) -> str:
        """« au boudoir », « à la salle de bal », « aux geôles », « à Ana »."""
        article, noun = self._apart(self.le(value))
        return {"le": f"au {noun}", "les": f"aux {noun}"}.get(article, f"à {self.le(value)}")

    def du(self, value: Any) -> str:
        """« du boudoir », « de la salle de bal », « des geôles », « de Bob », « d'Ana »."""
        article, noun = self._apart(self.le(value))
        whole = self.le(value)
        if not article:
            return f"d'{whole}" if _VOWEL.match(whole) else f"de {whole}"
        return {"le": f"du {noun}", "les": f"des {noun}"}.get(article, f"de {whole}")

    def dans(self, value: Any) -> str:
        """« dans le boudoir », « dans les geôles »."""
        return f"dans {self.le(value)}"

    def un(self, value: Any) -> str:
        """« un crucifix », « une gousse d'ail », « des geôles »; words whose gender does not show stay as they are."""
        article, noun = self._apart(value)
        return {"le": f"un {noun}", "la": f"une {noun}", "les": f"des {noun}"}.get(article, self.label(value))

    def the(self, value: Any) -> str:
        """“the ballroom”; a name stays bare."""
        noun = self.bare(value)
        return noun if noun in self._players else f"the {noun}"

    def a(self, value: Any) -> str:
        """“a candle”, “an eye”."""
        noun = self.bare(value)
        return f"{'an' if re.match('[aeiou]', noun, re.IGNORECASE) else 'a'} {noun}"

    # Lists and numbers ----------------------------------------------------------------------------------------------

    def listed(self, values: Sequence[Any], form: Callable[[Any], str] | None = None, last: str = "and") -> str:
        """« Ana, Bob et Chloé »; `form` makes the words of each (`bare` unless told)."""
        made = [(form or self.bare)(value) for value in values]
        if len(made) < 2:
            return "".join(made)
        return ", ".join(made[:-1]) + str(self._table[last]) + made[-1]

    def either(self, values: Sequence[Any]) -> str:
        """« Ana, Bob ou Chloé »."""
        return self.listed(values, last="or")

    def plural(self, number: int, one: str, many: str) -> str:
        """« 1 humain », « 3 humains »; none is singular in French, plural in English."""
        single = number < 2 if self._lang == "fr" else number == 1
        return f"{number} {one if single else many}"

    # Commands and phases --------------------------------------------------------------------------------------------

    def word(self, command: str) -> str:
        """The word that one types for a command, the game master's included."""
        if command not in self._spec.commands:
            return str(self._table["pass"] if command == PASS else self._table["gm_words"].get(command, command))
        return self._spec.commands[command].canonical(self._lang)

    def phase_name(self, full: str) -> str:
        """A phase in words, by the label of its base id ("nuit {n}, les morsures"). full: a phase id or history key."""
        phase = _ROUND.sub("", full).partition("#")[0]
        if not phase:
            return ""
        base, number = split_phase(phase)
        name = self._spec.label(base, self._lang)
        if name == base and "." in base:
            # A phase that a game master has named in his options: its head has a label, its own name is his.
            head, _, tail = base.partition(".")
            name = f"{self._spec.label(head, self._lang)}, {tail}"
        return name.replace("{n}", "" if number is None else str(number)).strip()

    def choices(self, ask: Ask) -> dict[str, list[str]]:
        """Argument → what may be named, in words."""
        return {name: [self.bare(value) for value in values] for name, values in ask.legal.items()}

    def example(self, ask: Ask, turn: int) -> str:
        """An order that answers the ask, as one would type it.

        turn: picks among the legal values, so that one table's mails do not all give one name as their example.
        """
        command = self._spec.commands.get(ask.command)
        if command is None:
            return self.word(ask.command)
        given = [words for argument in command.args if (words := self._given(argument, ask, turn))]
        if ask.bare and given and command.args[0].kind != "text":
            return " ".join(given)
        typed = self.word(ask.command)
        text = bool(command.args) and command.args[-1].kind == "text"
        return (
            " ".join([typed, *given[:-1]])
            + ("\u00a0: " if text and self._lang == "fr" else ": " if text else " ")
            + given[-1]
            if given
            else typed
        )

    def _given(self, argument: Argument, ask: Ask, turn: int) -> str:
        least, _ = ask.counts.get(argument.name, (argument.least, argument.most))
        if argument.kind == "text":
            return str(self._table["sample_text"])
        legal = ask.legal.get(argument.name, ())
        if argument.kind == "number":
            return str(legal[turn % len(legal)] if legal else argument.least)
        if not legal:
            return ""
        number = max(1, least)
        picked = [legal[(turn + step) % len(legal)] for step in range(min(number, len(legal)))]
        return self.listed(picked)


def capitalised(text: str) -> str:
    """The text with its first letter large, and no other letter changed."""
    return text[:1].upper() + text[1:]


def by_value(mapping: Mapping[str, Any]) -> dict[Any, list[str]]:
    """Who is where: {Ana: boudoir, Bob: boudoir} → {boudoir: [Ana, Bob]}, in the order in which values come first."""
    found: dict[Any, list[str]] = {}
    for name, value in mapping.items():
        found.setdefault(value, []).append(name)
    return found
