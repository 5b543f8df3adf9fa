"""Words that people put around an order in every game, in French and English: greetings, leads, joints, negations.

Data only; `parse` says what becomes of them. Source: architecture §3, scenarios "Players have, at any time".
"""

from __future__ import annotations

from collections.abc import Sequence

from mailgm.engine.words import Token, fold_tokens

ANYTIME = {
    "help": ("aide", "help", "à l'aide"),
    "status": ("état", "status", "statut", "mon état", "my status"),
    "rules": ("règles", "rules", "règle", "les règles", "the rules"),
    "players": ("joueurs", "players", "liste des joueurs", "les joueurs", "the players"),
    "resign": ("abandon", "abandonner", "j'abandonne", "resign", "i resign"),
}
PASS_WORDS = {
    "fr": ("rien", "passer", "passe", "je passe", "rien du tout", "je ne fais rien", "ne rien faire"),
    "en": ("pass", "nothing", "i pass", "do nothing", "i do nothing"),
}
# What a variant that lists no small words of its own lets people put before a name or a choice.
SMALL_WORDS = (
    "le", "la", "les", "l'", "un", "une", "au", "aux", "à", "de", "du", "des", "d'", "en", "dans", "pour", "sur",
    "avec", "contre", "vers", "je", "j'", "the", "a", "an", "to", "for", "on", "in", "with", "at", "of",
)  # fmt: skip

# Between two values, or two orders of one line.
JOINTS = frozenset({"et", "and", "puis", "then", "plus", "aussi", "also", "ensuite"})
EITHER = frozenset({"ou", "or", "soit", "either"})
# A line with one of these is no order, unless what they deny is only its explanation.
NEGATIONS = frozenset({"ne", "n", "pas", "jamais", "not", "never", "dont", "don", "nor", "ni"})
# What begins an explanation after a complete order.
REASONS = frozenset(
    {
        "car", "parce", "puisque", "comme", "pour", "qui", "il", "elle", "ils", "elles", "c", "ce", "sinon", "vu",
        "because", "since", "as", "he", "she", "they", "who", "it", "for", "so",
    }
)  # fmt: skip
# Reasons that cannot be anything else, even after an order that is a single word.
CAUSES = frozenset({"car", "parce", "puisque", "because", "since"})
NUMBERS = {
    word: number
    for words in (
        "zero un deux trois quatre cinq six sept huit neuf dix onze douze",
        "zero one two three four five six seven eight nine ten eleven twelve",
    )
    for number, word in enumerate(words.split())
}
# Never taken for the beginning of somebody's name when they stand alone.
EVERYDAY = frozenset(
    {
        "oui", "non", "ok", "yes", "no", "bon", "ben", "bah", "ah", "oh", "eh", "hein", "lol", "mdr", "merci", "salut",
        "bonjour", "bonsoir", "coucou", "hello", "hi", "thanks", "moi", "toi", "me", "you", "je", "tu", "il", "elle",
        "on", "nous", "vous", "ca", "ce", "qui", "quoi", "who", "what", "le", "la", "les", "un", "une", "the", "a",
    }
)  # fmt: skip


class Habit:
    """Some phrases, found at the head or at the end of a line; never the whole line is one."""

    def __init__(self, *phrases: str) -> None:
        folded = sorted(map(fold_tokens, phrases), key=len, reverse=True)
        self.phrases = frozenset(folded)
        self._first: dict[str, list[tuple[str, ...]]] = {}
        self._last: dict[str, list[tuple[str, ...]]] = {}
        for phrase in folded:
            self._first.setdefault(phrase[0], []).append(phrase)
            self._last.setdefault(phrase[-1], []).append(phrase)

    def off_head(self, words: Sequence[Token]) -> list[Token]:
        """The tokens without the phrases at their head."""
        place = 0
        while place < len(words) - 1:
            size = next(
                (len(p) for p in self._first.get(words[place].word, ()) if _says(words[place : place + len(p)], p)), 0
            )
            if not size or place + size >= len(words):
                break
            place += size
        return list(words[place:])

    def off_tail(self, words: Sequence[Token]) -> list[Token]:
        """The tokens without the phrases at their end."""
        end = len(words)
        while end > 1:
            size = next(
                (
                    len(p)
                    for p in self._last.get(words[end - 1].word, ())
                    if _says(words[max(end - len(p), 0) : end], p)
                ),
                0,
            )
            if not size or size >= end:
                break
            end -= size
        return list(words[:end])


def _says(words: Sequence[Token], phrase: tuple[str, ...]) -> bool:
    return tuple(token.word for token in words) == phrase


_MASTERS = ("mj", "maître", "maître du jeu")
_GREETINGS = (
    "bonjour", "bonsoir", "salut", "coucou", "hello", "hi", "hey", "bonjour à tous", "bonsoir à tous", "salut à tous",
    "bonjour à toutes et à tous", "bonsoir à toutes et à tous", "salut tout le monde", "bonsoir tout le monde",
    "bonjour tout le monde", "coucou tout le monde", "coucou à tous", "hi all", "hi everyone", "hello all",
    "hello everyone", "bonjour à vous", "bonsoir à vous", "hello gm", "hi gm",
    *(f"{hello} {whom}" for hello in ("bonjour", "bonsoir", "salut", "coucou") for whom in _MASTERS),
    *(f"{dear} {whom}" for dear in ("cher", "bonjour cher", "bonsoir cher") for whom in _MASTERS),
    "dear gm", "dear game master",
)  # fmt: skip
_LONGEST_NAME = 3
"""Words of whoever is greeted."""
_FAREWELLS = (
    "bonne nuit", "bonne nuit à tous", "bonne soirée", "bonne journée", "bon jeu", "à demain", "à plus", "à bientôt",
    "good night", "see you", "cheers", "bises", "bisous", "cordialement", "amicalement", "merci d'avance",
)  # fmt: skip
_PLEASE = (
    "svp", "stp", "s'il te plaît", "s'il vous plaît", "merci", "merci beaucoup", "merci d'avance", "please", "thanks",
    "thank you", "pls", "thx",
)  # fmt: skip
GREETINGS, PLEASE = Habit(*_GREETINGS), Habit(*_PLEASE)
_COURTESY = Habit(*_GREETINGS, *_FAREWELLS, *_PLEASE)
# Said at the end of an order, and nothing else: when, and in what mood.
ENDINGS = Habit(
    *_PLEASE, *_FAREWELLS,
    "ce soir", "cette nuit", "tonight", "aujourd'hui", "today", "maintenant", "now", "d'accord", "ok", "lol", "mdr",
    "ptdr", "haha", "hein", "voilà", "quoi", "donc", "du coup", "finalement", "évidemment", "bien sûr", "of course",
    "xd", "d", "p", "quand même", "tout simplement", "pour ce soir", "pour cette nuit", "pour l'instant", "for now",
)  # fmt: skip
# Said before an order.
LEADS = Habit(
    "je veux", "je voudrais", "j'aimerais", "j'aimerais bien", "je veux bien", "je souhaite", "je désire", "je compte",
    "je vais", "je préfère", "merci de", "alors", "donc", "finalement", "plutôt", "bon", "ok", "d'accord", "moi",
    "pour moi", "pour ma part", "mon choix", "mon ordre", "ordre", "ce sera", "ça sera", "du coup", "cette nuit",
    "ce soir", "allez", "i want to", "i would like to", "i'd like to", "i will", "i'll", "let me", "i prefer to",
    "my order", "my choice", "tonight", "finally", "then",
)  # fmt: skip


def addresses(words: Sequence[Token], line: str) -> bool:
    """Whether a line greets somebody by a name of his own, as a letter begins: "Bonsoir Julie,"."""
    rest = len(GREETINGS.off_head(words))
    return line.rstrip().endswith(",") and rest < len(words) and rest <= _LONGEST_NAME


def only_courtesy(words: Sequence[Token]) -> bool:
    """Whether a line is nothing but greetings, thanks and farewells."""
    left = _COURTESY.off_head(words)
    return tuple(token.word for token in left) in _COURTESY.phrases


def drop(words: Sequence[Token], small: frozenset[str]) -> list[Token]:
    """The tokens without those at the head that are small words."""
    for place, token in enumerate(words):
        if token.word not in small:
            return list(words[place:])
    return []
