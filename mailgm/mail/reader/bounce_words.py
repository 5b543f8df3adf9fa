"""How mail servers word their delivery reports: subjects, phrases, and the lines that name the address. Data only.

All patterns are for text in lower case, and a line begins with the line end before it: `re.IGNORECASE` and "^" make a
search several times slower.
"""

from __future__ import annotations

import re

ADDRESS = r"[^\s<>()\[\]\"',;:=]{1,100}@[\w-]{1,63}(?:\.[\w-]{1,63}){0,10}"
ADDRESS_RE = re.compile(ADDRESS)
# One of these stands in every subject below.
SUBJECT_RE = re.compile(
    r"undeliver|returned\s+(?:e-?)?mail|mail.{0,20}returned|return(?:ed|ing)?\s.{0,30}to\s+sender"
    r"|deliver\w*.{0,25}(?:fail|error|problem|status|report|delay|notif|unsuccess|subsystem|warning)"
    r"|failure\s+(?:notice|notification|delivery)|fail\w*.{0,20}deliver|(?:mail|message)\s+(?:delivery"
    r"|system)\s+(?:fail|error)|non[- ]?deliver|not\s+(?:be\s+)?deliver|could\s?n.t\s+(?:be\s+)?(?:send|deliver)"
    r"|unable\s+to\s+deliver|could\s+not\s+(?:be\s+)?(?:send|deliver)|unzustellbar|zustell|non\s+remis"
    r"|non\s+distribu|échec\s.{0,20}(?:remise|envoi|distribution)|impossible\s+de\s+(?:remettre|distribuer)"
    r"|retour\s+à\s+l"
    r"|no\s+entregad|devuelto|entrega\s|mancata\s+consegna|onbestelbaar|user\s+unknown|unknown\s+(?:user"
    r"|recipient|address)|mail\s+error|delay(?:ed)?\s+mail|mail\s+delay|message\s+(?:blocked|rejected|status)"
    r"|mailbox\s+(?:full|unavail)|quota|not\s+(?:yet\s+)?(?:been\s+)?delivered|(?:message|mail)\s.{0,20}delayed"
    r"|не\s+доставлен|недоставлен|возвращ\w+\s+почт|配信|送信でき|ndn\b|nachricht.{0,20}verz",
)
TEXT_RE = re.compile(
    r"(?:not|n.t)\s+able\s+to\s+deliver|not\s+reach\s+the|could\s*(?:not|n.t)\s+be\s+(?:delivered|sent|found)"
    r"|un(?:able|possible)\s+to\s+(?:deliver|be\s+delivered|relay|send)|undeliver(?:able|ed)"
    r"|permanent(?:ly)?\s+(?:fatal\s+)?(?:error|failure|fail)|fatal\s+error"
    r"|deliver\w*\s+.{0,40}fail|fail\w*\s+.{0,40}deliver|not\s+.{0,30}delivered|user\s+(?:is\s+)?(?:unknown"
    r"|not\s+found|doesn)|(?:no\s+such|unknown|invalid|bad|non-?existent)\s+(?:local\s+)?(?:user|mailbox"
    r"|recipient|address|account|host|domain)"
    r"|mailbox\s+(?:is\s+)?(?:full|unavailable|not|disabled|exceed)|over\s+(?:its\s+|the\s+)?quota"
    r"|returned\s+to\s+(?:the\s+)?sender|[45]\d\d[ -]#?[45]\.\d\.\d|\b55[0-9][ -]"
    r"|address(?:es)?\s+.{0,20}(?:rejected|fail|problem|not\s)|does(?:n.t|\s+not)\s+exist"
    r"|pas\s+(?:pu\s+être|été)\s+(?:remis|distribué|envoyé|délivré|transmis)|impossible\s+de\s+(?:remettre"
    r"|distribuer|transmettre)|destinataire\s+inconnu|adresse\s+.{0,20}(?:inconnue|introuvable|n.existe)"
    r"|nicht\s+.{0,30}zugestellt|unbekannt|no\s+se\s+ha\s+podido|non\s+.{0,20}consegnat|still\s+being\s+retried"
    r"|has\s+been\s+delayed|not\s+accept|rejected|refused|blocked|retry\s+time|giving\s+up|gave\s+up"
    r"|failed\s+permanently",
)
TEMPORARY_RE = re.compile(
    r"(?:warning|avertissement).{0,60}(?:delay|could not|not yet|still)|will\s+(?:be\s+|keep\s+"
    r"|continue\s+(?:to\s+)?)?(?:retr|try)|still\s+(?:being\s+)?(?:retr|trying)|(?:has\s+been|is)\s+delayed"
    r"|delayed\s+(?:by|mail)|do\s+not\s+need\s+to\s+resend|(?<!\d)4\d\d[ -]#?4\.\d"
    r"|not\s+yet\s+been\s+delivered|temporar(?:y|ily)\s+(?:failure|unable|error|problem)|transient"
    r"|a été retardé|mailbox\s+(?:is\s+)?full|over\s?quota|quota\s+exceeded|verzögert",
)
TEMPORARY_HINTS = (
    "delay",
    "retr",
    "try",
    "yet",
    "tempor",
    "transient",
    "retard",
    "quota",
    "full",
    "resend",
    "verzög",
    "warning",
    "avert",
    " 4",
)
# What must not stand before a digit is looked for behind it: so the search skips to the digits.
STATUS_RE = re.compile(r"([245])(?<![\d.].)\.(\d{1,3})\.(\d{1,3})(?![\d.])")
REPLY_RE = re.compile(r"([45])(?<![\d.].)(\d)\d(?=[ -]|$)")
OPENS_ORIGINAL_RE = re.compile(
    r"\n[ \t>]*(?:-{2,}.{0,40}(?:copy of|original|returned|unsent|undelivered|message header|headers? of"
    r"|beginning of|transcript of message).{0,60}|.{0,30}(?:is|follows|are)\s.{0,30}(?:a copy|the headers?"
    r"|original message|first part).{0,60}:?"
    r"|-{3,}\s*below this line.*|(?:original|le) message .{0,30}(?:follows|suit).{0,10}|received:\s+(?:from|by"
    r"|\(qmail).*|return-path:\s*<.*|message-id:\s*<.*|mime-version:\s*1.*|content-type:\s.*)$",
    re.MULTILINE,
)
# How mail servers name the address, most certain first.
NAMED_RES = tuple(
    re.compile(pattern.replace("ADDRESS", ADDRESS), re.MULTILINE)
    for pattern in (
        r"\n[ \t]*(?:original|final)-recipient:\s*(?:[a-z0-9-]+\s*;)?\s*<?(ADDRESS)",
        r"\n[ \t]*(?:\d{3}[ -]+(?:[\d.]+[ ]+)?)?<(ADDRESS)>\s*\.\.\.",
        r"\n[ \t]*<(ADDRESS)>[ \t]*(?:[:,;(]|$|\.[ \t]*$)",
        r"\n[ \t]*(?:failed recipients?|recipients?(?: address)?|the recipient|invalid recipients?|user|address"
        r"|to|destinataires?|an|für|e-?mail address|unknown user|undeliverable to|deliver(?:y|ed)? to"
        r"|intended recipients?)"
        r"[ \t]*(?::|is|\bwas)[ \t]*(?:\[?(?:smtp|rfc822)[:;])?[ \t]*[<\"']?(ADDRESS)",
        r"\n[ \t]{1,8}(?:rfc822;)?\"?(ADDRESS)\"?[ \t]*(?:$|\(.*\)$|:[ \t]*$)",
        r"\n(ADDRESS)[ \t]*(?:$|:|\()",
        r"(?:message|mail|deliver\w*|send|sent|relay)[^\n@]{0,60}\b(?:to|for"
        r"|recipient)\s*:?\s*[<\"'(]{0,2}(?:mailto:)?(ADDRESS)",
        r"\b(?:user(?:id)?|mailbox|recipient|address|account|account for|addressee|generated from|error-for"
        r"|addressed to)(?:\s*:\s*|\s+)[<\"'(\[]{0,2}(ADDRESS)",
    )
)
FROM_RE = re.compile(r"from:?\s*<?[^\s@]{1,100}@")  # the address of a sender
# The addresses stand below this, which holds one of the hints.
LISTED_HINTS = ("following", "these", "listed", "suivant", "folgende")
LISTED_RE = re.compile(
    r"(?:following|these|listed)\s+(?:\w+\s+){0,2}(?:recipient|address|user|person|people|destination|e-?mail)"
    r"|destinataires?\s+suivants?|adresses?\s+suivantes?"
    r"|folgende\w*\s+(?:empfänger|adresse)",
)
FAILS_RE = re.compile(
    r"[>\"')\]]?[^\n@]{0,40}(?:unknown|not found|doesn|does not|rejected|refused|disabled|full|quota|fail"
    r"|unavailable|invalid|inconnu|erreur|not known|undeliver)",
)
LISTED_LINE_RE = re.compile(
    rf"^[ \t>\"'*<-]*(?:smtp:|rfc822;)?({ADDRESS})[\"'>]*[ \t]*(?:$|:|\(|,|;| on\b| -)",
    re.MULTILINE,
)
DELIVERED_TO_RES = (
    re.compile(
        rf"(?:not\s+(?:be\s+)?delivered|delivering\s+(?:your\s+mail|the\s+message)"
        rf"|unable\s+to\s+deliver)[^\n@]{{0,30}}\bto:?\s*<({ADDRESS})>",
    ),
)
