"""The list of players that a game master hands in: CSV with name, e-mail, language, time zone."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from zoneinfo import ZoneInfo, available_timezones

from mailgm.engine.model import RESERVED_NAMES
from mailgm.engine.said import joined, say
from mailgm.engine.words import fold_tokens
from mailgm.mail.compose import address

LANGUAGES = ("fr", "en")
_HEADERS = {
    "name": {"name", "nom", "joueur", "player", "pseudo"},
    "email": {"email", "e-mail", "mail", "adresse", "address", "courriel"},
    "lang": {"lang", "language", "langue"},
    "zone": {"zone", "time zone", "timezone", "fuseau", "fuseau horaire"},
    "forum": {"forum"},
}
_COLUMNS = ("name", "email", "lang", "zone", "forum")


@dataclass(frozen=True, slots=True)
class SignUp:
    """One player as signed up. zone: an IANA name. forum: he lives on the forum, his mails go to the game master."""

    name: str
    email: str
    lang: str
    zone: str
    forum: bool = False


class SignUpError(ValueError):
    """A players file with faults; `faults` lists every one of them with its line."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__(joined(faults))
        self.faults = list(faults)


def read_players(text: str, *, lang: str = "fr", zone: str = "Europe/Paris") -> list[SignUp]:
    """Read a CSV (comma, semicolon or tab; with or without a header line). Empty language and zone take the game's.

    Raises SignUpError that lists every fault with its line.
    """
    rows = _rows(text.lstrip("\ufeff"))
    faults: list[str] = []
    players: list[SignUp] = []
    lines: list[int] = []
    columns: Sequence[str] = _COLUMNS
    if rows and (header := _header(rows[0][1])):
        columns, rows = header, rows[1:]
    for number, row in rows:
        cells = {column: cell.strip() for column, cell in zip(columns, row, strict=False)}
        if len(row) > len(columns):
            there = ", ".join(columns)
            text = "line {line}: {found} columns where there are {number}: {columns}"
            faults.append(say(text, line=number, found=len(row), number=len(columns), columns=there))
        player = _player(number, cells, lang, zone, faults)
        if player:
            players.append(player)
            lines.append(number)
    _doubles(players, lines, faults)
    if not players and not faults:
        faults.append(say("line 1: the list is empty; one line a player: name,e-mail,language,time zone"))
    if faults:
        raise SignUpError(faults)
    return players


def _rows(text: str) -> list[tuple[int, list[str]]]:
    first = next((line for line in text.splitlines() if line.strip()), "")
    delimiter = max(",;\t", key=first.count)
    reader = csv.reader(io.StringIO(text), delimiter=delimiter, skipinitialspace=True)
    return [
        (reader.line_num, row) for row in reader if any(cell.strip() for cell in row) and not row[0].startswith("#")
    ]


def _header(row: Sequence[str]) -> list[str] | None:
    if any("@" in cell for cell in row):
        return None
    names = []
    for cell in row:
        word = cell.strip().lower()
        names.append(next((key for key, words in _HEADERS.items() if word in words), word))
    return names if "name" in names else None


def _player(number: int, cells: dict[str, str], lang: str, zone: str, faults: list[str]) -> SignUp | None:
    before = len(faults)
    name = " ".join(unicodedata.normalize("NFC", cells.get("name", "")).split())
    fault = name_fault(name)
    if fault:
        faults.append(say("line {line}, name: {fault}", line=number, fault=fault))
    email = cells.get("email", "")
    forum = cells.get("forum", "").lower() in ("1", "oui", "yes", "true", "x")
    if email or not forum:
        try:
            email = address(email)
        except ValueError:
            text = "line {line}, e-mail: {email} is not an address (like ana@example.org)"
            faults.append(say(text, line=number, email=repr(email)))
    language = (cells.get("lang") or lang).lower()
    if language not in LANGUAGES:
        text = "line {line}, language: {language} is none of {languages}"
        faults.append(say(text, line=number, language=repr(language), languages=", ".join(LANGUAGES)))
    place = cells.get("zone") or zone
    if not known_zone(place):
        text = "line {line}, time zone: {zone} is not known (like Europe/Paris or America/Montreal)"
        faults.append(say(text, line=number, zone=repr(place)))
    return SignUp(name, email, language, place, forum) if len(faults) == before else None


def known_zone(name: str) -> bool:
    """Whether there is a time zone of that IANA name."""
    return name in available_timezones() and ZoneInfo(name) is not None


def name_fault(name: str) -> str:
    """Why a game name cannot be used, in words; "" if it can."""
    if not name:
        return say("is missing")
    if len(name) > 40:
        return say("{name} is longer than 40 characters", name=repr(name))
    if any(not (char.isalnum() or char in " -_.'’") for char in name):
        return say("{name} may hold letters, digits, spaces and - _ . ' only", name=repr(name))
    if not fold_tokens(name):
        return say("{name} holds no letter or digit", name=repr(name))
    if name.lower() in RESERVED_NAMES:
        return say("{name} is a word of the game itself", name=repr(name))
    return ""


def _doubles(players: Sequence[SignUp], lines: Sequence[int], faults: list[str]) -> None:
    names: dict[tuple[str, ...], tuple[int, SignUp]] = {}
    addresses: dict[str, int] = {}
    for line, player in zip(lines, players, strict=True):
        first, other = names.setdefault(fold_tokens(player.name), (line, player))
        if first != line:
            text = "line {line}, name: {name} reads like {other} of line {first} when typed"
            faults.append(say(text, line=line, name=repr(player.name), other=repr(other.name), first=first))
        known = addresses.setdefault(player.email.lower(), line) if player.email else line
        if known != line:
            text = "line {line}, e-mail: {email} stands in line {known} already"
            faults.append(say(text, line=line, email=player.email, known=known))
