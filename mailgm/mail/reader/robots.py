"""Was this mail written by a machine? Says which sign tells so; "" for a person.

Any sign forbids an answer (RFC 3834 §2), none of them forbids to show the mail to the game master.
"""

from __future__ import annotations

import re

from mailgm.mail.reader.decode import lowered
from mailgm.mail.reader.headers import addresses
from mailgm.mail.reader.mime import Part

# All patterns are for text in lower case.
_NOREPLY_RE = re.compile(
    r"^(?:no[._-]?reply|do[._-]?not[._-]?reply|ne[._-]?pas[._-]?repondre|nepasrepondre|noresponse"
    r"|no[._-]?answer|donotreply|unmonitored"
    r"|(?:auto[._-]?)?notifications?|notify|bounces?|mailer[._-]?daemon|post[._-]?master|daemon|autoresponder"
    r"|auto[._-]?reply|listserv|majordomo"
    r"|mailman|owner-.*|.*-(?:bounces?|request|owner|return.*)|mailerdaemon|automailer|robot|mdaemon|nobody"
    r"|nicht-?antworten|no-?responder"
    r"|no-?contestar|niet-?beantwoorden|wordpress|alerts?|news-?letter)(?:[+._-].*)?@",
)
_DAEMON_RE = re.compile(
    r"^(?:mailer[._-]?daemon|mdaemon|post[._-]?master|mail[._-]?delivery[._-]?(?:sub)?system|daemon|mmdf|uucp"
    r"|smtp[._-]?gateway|autoreply)@?",
)
# Words that people use as well: a sign only beside X-Auto-Response-Suppress, which alone is none.
_ABSENT_RE = re.compile(
    r"\b(?:absente?|absence|cong[ée]s?|vacances|indisponible|away|vacation|holiday|leave|urlaub|ausente|ferie)\b",
)
_NULL_PATH_RE = re.compile(r"<?mailer[._-]?daemon(?:@[^<>\s]*)?>?$")
_COMPLAINT_RE = re.compile(r"^\s*complaint about message from\b")  # Hotmail's junk reports have no report type
_OUT_OF_OFFICE_RE = re.compile(
    r"^\W{0,20}(?:(?:r[ée]|aw|sv|tr|fwd?)\s{0,3}:\s{0,3}){0,5}(?:"
    r"auto(?:matic(?:ally)?|mated|matisch\w*|m[áa]tica|matica)?[\s:_-]*(?:generated\s+)?(?:reply|response"
    r"|responder|reaction|antwort|antwoord|svar)"
    r"|auto\s?:|auto[- ]?(?:r[ée]ponse|responder|response|reply)|out[\s-]of[\s-](?:the[\s-])?office|ooo\b"
    r"|vacation\b|on (?:annual|maternity|sick)? ?(?:leave|holiday|vacation)"
    r"|away from (?:the |my )?(?:office|mail|e-?mail)|i am (?:currently )?(?:away|out of)"
    r"|r[ée]ponse\s+automatique|message\s+automatique|courriel\s+automatique"
    r"|\[?auto(?:matique)?\]|absence\s+du\s+bureau|absente?\s+du\s+bureau|(?:notification|message|avis"
    r"|r[ée]ponse|mail)\s+d['’]absence|r[ée]pondeur"
    r"|je\s+suis\s+(?:actuellement\s+)?(?:absente?|en\s+(?:cong|vacance|d[ée]placement))|en\s+(?:cong[ée]s?"
    r"|vacances)\s*(?:[:!-]|jusqu|du\s|$)|absente?\s*(?:[:!]|jusqu|$)"
    r"|absence\s*(?:[:!]|jusqu|$)|fermeture\s+annuelle|accus[ée]\s+de\s+r[ée]ception\s+automatique"
    r"|abwesen(?:heit|d)|abwesenheits\w*|automatische\s+(?:antwort|e-?mail)|ich\s+bin\s+(?:nicht|au(?:ss|ß)er)"
    r"|respuesta\s+autom[áa]tica|fuera\s+de\s+(?:la\s+)?oficina"
    r"|risposta\s+automatica|fuori\s+ufficio|resposta\s+autom[áa]tica|fora\s+do\s+escrit[óo]rio"
    r"|automatisch\s+antwoord|afwezig|autosvar|automatiskt?\s+svar|fr[åa]nvaro"
    r"|frav[æe]r|automaattinen\s+vastaus|poissa|odpowied[źz]\s+automatyczna|autoodpowied|nieobecno"
    r"|automatick[áa]\s+odpov|автоответ|автоматический\s+ответ|nie\s?ma\s+mnie"
    r"|r[ăa]spuns\s+automat|otomatik\s+yan[ıi]t|自动回复|自動返信|自動回覆)",
)
_CHALLENGE_RE = re.compile(
    r"(?:boxbe|mailblocks|spamarrest|spam\s?arrest|mailinblack|vadesecure|sender\s+verification"
    r"|challenge[\s/-]response)"
    r"|(?:please\s+)?(?:confirm|verify|authenticate)\s+your\s+(?:message|e-?mail|address|sender|identity)"
    r"|(?:verification|confirmation)\s+(?:required|requise|demand[ée]e)|demande\s+d['’]authentification"
    r"|your\s+(?:e-?mail|message).{0,40}(?:requires|needs)\s+(?:verification|confirmation)"
    r"|authentifi(?:ez|cation\s+de)\s+votre",
)
_CHALLENGE_HINT_RE = re.compile(r"verif|confirm|authent|arrest|boxbe|mail(?:in)?bl|vade|challenge")
_CHALLENGE_SENDER_RE = re.compile(
    r"@(?:[^@]*\.)?(?:boxbe|spamarrest|mailinblack|bluebottle|mailblocks|sendio|knowspam|choicemail)\.",
)
_REACTION_RE = re.compile(
    r"^.{1,60}\s(?:reacted (?:to|via)|liked your message|a réagi (?:à|au|via)|hat auf .{1,40} reagiert"
    r"|ha reaccionado|ha reagito|reageerde op)",
)
_RECEIPT_RE = re.compile(
    r"^\W*(?:read|lu|gelesen|leído|letto|lido|gelezen|läst|lest|not read|non lu|ungelesen|delivered|relayed"
    r"|remis|return receipt|accusé de réception"
    r"|confirmation de lecture|lesebestätigung|read receipt|delivery receipt|displayed"
    r"|disposition notification)\s*(?:\((?:displayed|affiché)\))?\s*(?::|-\s)",
)
_CALENDAR_RE = re.compile(
    r"^\W*(?:accepted|declined|tentative(?:ly accepted)?|canceled|cancelled|accepté|refusé|provisoire|annulé"
    r"|acceptée|zugesagt|abgelehnt|abgesagt|aceptado|rechazado|accettato|rifiutato"
    r"|geaccepteerd|geweigerd|invitation|updated invitation|new time proposed)\s*:",
)
_LIST_HEADERS = frozenset(
    (
        "list-id",
        "list-post",
        "list-unsubscribe",
        "list-help",
        "list-subscribe",
        "list-owner",
        "list-archive",
        "x-mailing-list",
        "mailing-list",
        "x-beenthere",
        "x-mailman-version",
    )
)
_AUTO_HEADERS = frozenset(
    (
        "x-autoreply",
        "x-autorespond",
        "x-auto-reply",
        "x-autoresponder",
        "x-auto-response",
        "x-autogenerated",
        "x-mail-autoreply",
        "x-vacation",
        "auto-reply",
        "x-facebook-notify",
        "x-autoreply-from",
        "x-amazon-auto-reply",
    )
)
_QUIET_PRECEDENCE = frozenset(("bulk", "junk", "list", "auto_reply", "auto-reply", "autoreply"))


def reason(
    root: Part, subject: str, sender: str, own_loop_mark: str | None, own_addresses: frozenset[str], seen: set[str]
) -> str:
    """The first sign of a machine, in the order of how sure it is; "" when there is none.

    subject: decoded; sender: bare address; seen: what the body holds ("calendar", "reaction").
    X-Auto-Response-Suppress alone is no sign: Exchange sets it on people's mail.
    """
    headers = root.headers
    title = lowered(subject)
    kinds = {child.type for child in root.children}
    if own_loop_mark_in(root, own_loop_mark) or (sender and sender in own_addresses):
        return "own"
    if "x-mailgm-loop" in headers:
        return "auto-submitted"  # another service of this kind: two of them must not talk to each other
    report = root.params.get("report-type", "").lower() if root.type == "multipart/report" else ""
    if report == "disposition-notification" or "message/disposition-notification" in kinds:
        return "mdn"
    if report == "feedback-report" or "message/feedback-report" in kinds or _COMPLAINT_RE.match(title):
        return "arf"
    if report or "message/delivery-status" in kinds or "x-failed-recipients" in headers:
        return "dsn"
    auto = root.first("auto-submitted")
    if "calendar" in seen and (_CALENDAR_RE.match(title) or _calendar_reply(root)):
        return "calendar"
    if "reaction" in seen or _REACTION_RE.match(title):
        return "reaction"
    if auto and auto.partition(";")[0].partition("(")[0].strip().lower() != "no":
        return "auto-submitted"
    if (
        (_CHALLENGE_HINT_RE.search(title) and _CHALLENGE_RE.search(title))
        or _CHALLENGE_SENDER_RE.search(sender)
        or "x-challenge" in headers
    ):
        return "challenge"
    if not _AUTO_HEADERS.isdisjoint(headers) or "autoresponder" in root.first("delivered-to"):
        return "auto-submitted"
    if (
        root.first("x-precedence").strip().lower() in _QUIET_PRECEDENCE
        or root.first("precedence").strip().lower() in _QUIET_PRECEDENCE
    ):
        return "list" if _is_list(root) else "precedence"
    if _is_list(root):
        return "list"
    if null_path(root):
        return "null-path"
    if is_daemon(root, sender) or _NOREPLY_RE.match(sender):
        return "noreply"
    if _OUT_OF_OFFICE_RE.match(title) or _RECEIPT_RE.match(title):
        return "subject"
    if "x-auto-response-suppress" in headers and _ABSENT_RE.search(title):
        return "subject"
    return ""


def own_loop_mark_in(root: Part, mark: str | None) -> bool:
    """Does the mail carry the loop header of this service (any of them when no mark is given)?"""
    values = root.headers.get("x-mailgm-loop")
    return values is not None and (mark is None or any(mark in value for value in values))


def null_path(root: Part) -> bool:
    """An empty envelope sender, as the delivering server noted it (RFC 5321 §4.5.5)."""
    values = root.headers.get("return-path") or root.headers.get("x-envelope-from") or []
    return any(value.strip() == "<>" or _NULL_PATH_RE.match(value.strip().lower()) for value in values)


def is_daemon(root: Part, sender: str) -> bool:
    """MAILER-DAEMON and its like in From or Sender, also without a domain."""
    if sender:
        return _DAEMON_RE.match(sender) is not None
    value = root.first("from").strip().strip('<"').lower()
    if _DAEMON_RE.match(value):
        return True
    return any(_DAEMON_RE.match(address) for _, address in addresses(value))


def _is_list(root: Part) -> bool:
    return not _LIST_HEADERS.isdisjoint(root.headers)


def _calendar_reply(root: Part) -> bool:
    for part in root.walk():
        if part.type in ("text/calendar", "application/ics") and part.params.get("method", "").upper() in (
            "REPLY",
            "COUNTER",
            "CANCEL",
            "REQUEST",
        ):
            return True
    return False
