"""Where a person's words end and the furniture begins: signatures, device lines, disclaimers."""

from __future__ import annotations

import re

from mailgm.mail.reader import languages
from mailgm.mail.reader.decode import lowered
from mailgm.mail.reader.marks import RULE_RE

# Patterns are for text in lower case, but for names.
_DEVICE_RE = re.compile(
    r"""^(?:
      (?:sent|posted|written|composed|delivered)\s+(?:from|via|with|using|by|through)\s
    | (?:get|download|try)\s+(?:the\s+)?(?:outlook|bluemail|spark|aqua\s?mail|nine|type\s?app|proton\s?mail|yahoo)\b
    | (?:(?:message|courriel|mail)\s+)?(?:envoyée?|expédiée?|transmise?|émise?|rédigée?)\s+
        (?:de|du|depuis|d['’]|à\s+partir|via|avec|par|à\s+l['’]aide|grâce|sur)[\s'’]?
    | (?:télécharge[rz]?|obtene[zr]|obtenir|essayez)\s+(?:outlook|bluemail|spark|proton|l['’]application)
    | provenance\s*:\s | cet?\s+(?:e-?mail|courriel|message)\s+a\s+été\s+envoyée?\s+(?:depuis|avec|via|à\s+partir)
    | (?:von\s+mein|von\s+unterwegs|von\s+samsung)\w*\s.*gesendet
    | (?:gesendet|versendet|verschickt|gesandt)\s+(?:mit|von|über|aus|via)\s
    | diese\s+(?:nachricht|e-?mail|mail)\s+wurde\s.*(?:gesendet|versendet|verschickt) | holen\s+sie\s+sich\s+outlook
    | outlook\s+f(?:ü|u)r\s+(?:ios|android)\s+beziehen
    | enviad[oa]\s+(?:desde|con|por|vía|via|a\s+través|do|da|de|pelo|pela|a\s+partir|com)\s
    | obt(?:ener|enga|er|enha)\s+(?:o\s+)?outlook
    | inviat[oa]\s+(?:da|dal|dall['’]|con|tramite|dalla)[\s'’]? | (?:scarica|ottieni)\s+outlook
    | (?:verzonden|verstuurd)\s+(?:vanaf|van|met|via|door|vanuit)\s | (?:outlook\s+voor|download\s+outlook)
    | (?:skickat|skickades|sendt|sent)\s+(?:från|fra|med|via|gjennom)\s | (?:hämta|hent|få|skaff)\s+outlook
    | lähetetty\s.*(?:sta|stä|lta|ltä|llä|lla|kautta|aan)\b | lähetetty\s+\S+ | hanki\s+outlook
    | wysłan[oeay]\s+(?:z|ze|za|przez|przy|od)\s | pobierz\s+(?:aplikację\s+)?outlook
    | odesl[aá]no\s+(?:z|ze|pomocí|přes)\s | odoslan[éeáo]\s+(?:z|zo|pomocou|cez)\s
    | (?:отправлен[оа]?|послано)\s+(?:с|со|из|через|от)\s | (?:надіслано|відправлено)\s+(?:з|із|зі|через|від)\s
    | (?:trimis|expediat)\s+(?:de\s+pe|din|cu|prin)\s | στάλθηκε\s+από\s | poslano\s+(?:s|sa|iz|z|putem)\s
    | saadetud\s+(?:minu|mobiil|\S+ist)\b | (?:发自|發自|来自|從我的|从我的)
    | .{0,40}(?:umdan|imden|ümden|ımdan|dan|den|tarafından)\s+gönderildi
    | .{0,40}(?:ról|ről|mal|mel)\s+küldve | .{0,30}から送信 | .{0,30}에서\s?보냄 | נשלח\s+מה
    )""",
    re.VERBOSE,
)
# How such lines begin or end, to pass over most lines quickly.
_DEVICE_FIRST = (
    r"(?:sent|posted|written|composed|delivered|get|download|try|message|courriel|mail|envoy|exp[ée]di|transmis"
    r"|[ée]mis|r[ée]dig|t[ée]l[ée]charg|obt|essay|proven|ce|von|gesend|versend"
    r"|verschick|gesandt|diese|holen|outlook|enviad|inviat|scaric|ottien|verzond|verstuur|skickat?|sendt"
    r"|h[äe][mn]t|få|skaff|lähetetty|hanki|wysłan|pobierz|ode?sl|odosl|отправлен|послано"
    r"|надіслано|відправлено|trimis|expediat|στάλθηκε|poslano|saadetud|发自|發自|来自|從我|从我|נשלח)"
)
_DEVICE_FIRST_RE = re.compile(_DEVICE_FIRST)
_DEVICE_BELOW_RE = re.compile("\n" + _DEVICE_FIRST)
_DEVICE_LAST = ("gönderildi", "küldve", "送信", "보냄")
_DEVICE_WORD_RE = re.compile(
    r"iphone|ipad|ipod|android|galaxy|samsung|blackberry|huawei|xiaomi|honor|oppo|pixel|outlook|windows|yahoo"
    r"|gmail|proton"
    r"|bluemail|typeapp|sparrow|airmail|spark|mail\b|mobile|smartphone|t[ée]l[ée]phone|phone|handy|mobil|tablet"
    r"|messag|orange"
    r"|la\s?poste|sfr|free|bouygues|portable|appareil|device|client|e-?mail|courri?el|workspace|zimbra"
    r"|thunderbird|nokia|telefon",
)
_LINK_RE = re.compile(r"<[^<>\s]*>|\[[^\[\]\s]*\]|\(\s*https?:[^()\s]*\)|https?://\S+")
_VIRUS_RE = re.compile(
    r"^(?:\[?avast|virus[- ]free|garanti sans virus|sans virus|l['’]absence de virus"
    r"|ce courrier électronique a été vérifié"
    r"|this email has been checked for viruses|diese e-mail wurde von avast|virenfrei|libre de virus|privo di virus"
    r"|before printing|please consider the environment|think before you print|save a tree|pensez à l['’]environnement"
    r"|avant d['’]imprimer|n['’]imprimez (?:ce|cet)|p(?:lease)? think of the environment|bitte (?:denken"
    r"|prüfen) sie)",
)
_DISCLAIMER_WORDS = re.compile(
    r"confidenti[ae]l|privileged|intended (?:only|solely|for)|intended recipient|addressee|received (?:this"
    r"|it) .{0,30}in error"
    r"|disclos|unauthori[sz]ed|strictly prohibited|legally|liab(?:le|ility)|virus|notify the sender"
    r"|delete (?:it|this|the)"
    r"|destinataire|strictement (?:interdit|personnel|réserv)|par erreur|usage exclusif|diffusion|détruire|supprimer"
    r"|prévenir|aviser|avertir|intégrité|responsabilité|pièces? jointes?|non autorisée?|secret (?:professionnel"
    r"|des)|divulg"
    r"|vertraulich|empfänger|irrtümlich|vernichten|unbefugt|riservat|destinatari|per errore|vietat|confidencial"
    r"|por error"
    r"|prohibid|vertrouwelijk|geadresseerde|ten onrechte|altération|falsifi|copie|reproduction|reproduc",
)
_DISCLAIMER_START = re.compile(
    r"^[\s*_\"'(>-]*(?:(?:confidentiality|legal|important|privacy)?\s*(?:notice|disclaimer|warning|caution"
    r"|avertissement|avis)\b"
    r"|the information (?:contained|in|transmitted)|this (?:e-?mail|message|communication|transmission|electronic)"
    r"|the contents? of this|any (?:unauthori[sz]ed|review)|if you (?:are not|have received|received)"
    r"|unless specifically"
    r"|ce(?:t|tte)?\s(?:message|courriel|e-?mail|mail|courrier|communication|transmission)"
    r"|les informations contenues|l['’]information contenue"
    r"|si vous (?:n['’]êtes pas|avez reçu|recevez)|clause de confidentialité|confidentialité"
    r"|le (?:présent )?contenu de ce"
    r"|diese (?:e-?mail|nachricht|mail)|der inhalt dieser|vertraulichkeit|le informazioni contenute"
    r"|questo messaggio|este (?:mensaje|correo|e-?mail)"
    r"|esta mensagem|dit (?:bericht|e-?mail)|de informatie in|ai sensi|privacy|confidential)",
)
_DISCLAIMER_HINT_RE = re.compile(
    r"confiden|intended|destinatai|vertraulich|riservat|addressee|vertrouwelijk",
)
_CAUTION_RE = re.compile(
    r"^\W*(?:caution|warning|external(?: e-?mail)?|attention|avertissement|prudence|vorsicht|achtung|externe)\b\W.*"
    r"(?:originated|outside|external|externe|extérieur|provient|links?|liens?|externen|absender)",
)
_CONTACT_RE = re.compile(
    r"\+?\(?\d[\d .()/-]{7,}\d|(?<=[^\s@])@[^\s@]+\.\w|https?://|www\.|(?<!\w)(?:t[ée]l|mobile?|mob|fax|skype|phone"
    r"|port|direct|linkedin|twitter)\b\s*[.:]"
    r"|^[tfmp][.:]\s|mailing list|linkedin|facebook\.com",
)
_HYPHEN_NAME_RE = re.compile(r"^(?:-{1,2}|–|—|~|/)[^\W\d_]\w*(?:[ .'-]+[^\W\d_][\w.]*){0,3}$")
_RULED = "-_=*~#—–"
_RULED_RE = re.compile(f"\n[{_RULED}]")
_DISCLAIMER_CHARS = 100  # nobody is disclaimed in less
_CARD_CHARS = 500
_DEVICE_LINES = 12  # a client writes its line at the end


def is_device_line(text: str) -> bool:
    """ "Sent from my iPhone", "Envoyé depuis l'application Mail Orange": the client's line, not the person's.

    text: in lower case.
    """
    if (
        not 8 < len(text) <= 200
        or not (_DEVICE_FIRST_RE.match(text) or text.rstrip(" .!").endswith(_DEVICE_LAST))
        or not _DEVICE_RE.match(text)
    ):
        return False
    bare = _LINK_RE.sub("", text).strip(" *_")
    words = bare.split()
    known = _DEVICE_WORD_RE.search(bare) is not None
    if ":" in bare and not bare.startswith("provenance"):
        return False
    if bare.endswith((".", "!")) and ("," in bare or len(words) > (14 if known else 4)):
        return False
    return len(words) <= (14 if known else 5)


def is_sig_dashes(text: str) -> bool:
    """The separator of RFC 3676 §4.3, also without its blank and as a long dash."""
    return text in ("--", "—", "––", "- -", "-- --", "—-", "-—")


def is_rule(text: str) -> bool:
    return RULE_RE.fullmatch(text) is not None


def caution_end(texts: list[str]) -> int:
    """How many lines at the top are a gateway's warning ("CAUTION: This email originated from outside ...")."""
    for index, text in enumerate(texts[:12]):
        if not text:
            continue
        if not _CAUTION_RE.match(lowered(text[:400])):
            return 0
        end = index
        while end < len(texts) and texts[end]:
            end += 1
        return end
    return 0


def looks_like_disclaimer(text: str) -> bool:
    """A paragraph of a lawyer or of an antivirus. text: the paragraph on one line, in lower case."""
    if _VIRUS_RE.match(text):
        return True
    opened = _DISCLAIMER_START.match(text) is not None
    if not opened and (len(text) <= 200 or not _DISCLAIMER_HINT_RE.search(text[:1500])):
        return False
    hits = len({found.group()[:8] for found in _DISCLAIMER_WORDS.finditer(text[:1500])})
    return hits >= (2 if opened else 4)


def signature_start(texts: list[str], sender_name: str, sender: str) -> tuple[int, set[int]]:
    """(where the signature begins in these lines, len(texts) for none; single lines before it that are furniture).

    texts: one run of a person's own lines, stripped; fenced code never holds a signature.
    """
    end = len(texts)
    while end and not texts[end - 1]:
        end -= 1
    whole = lowered("\n".join(["", *texts[:end]]))
    low = whole.split("\n")[1:]
    fences = _fenced(texts) if "```" in whole else set()
    devices: set[int] = set()
    if _DEVICE_BELOW_RE.search(whole) or any(word in whole for word in _DEVICE_LAST):
        devices = {i for i in range(max(0, end - _DEVICE_LINES), end) if is_device_line(low[i]) and i not in fences}
    if _RULED_RE.search(whole):
        end = _at_separator(low, end, fences)
    while True:
        start = _tail_start(texts, low, end, devices, sender_name, sender)
        if start == end:
            return start, {i for i in devices if i < start}
        end = start


def _fenced(texts: list[str]) -> set[int]:
    rails = [index for index, text in enumerate(texts) if text.startswith("```")]
    inside: set[int] = set()
    for opened, closed in zip(rails[::2], rails[1::2], strict=False):
        inside.update(range(opened, closed + 1))
    return inside


def _at_separator(texts: list[str], end: int, fences: set[int]) -> int:
    for index, text in enumerate(texts[:end]):
        if not text or text[0] not in _RULED or index in fences:
            continue
        if is_sig_dashes(text) or (text[0] == "_" and is_rule(text)):
            return index
        if is_rule(text) and len(text) >= 3 and _closes(texts[index + 1 : end]):
            return index
    return end


def _closes(tail: list[str]) -> bool:
    """Is what stands below a ruled line a signature or a disclaimer, or nothing?"""
    full = [text for text in tail if text and not is_rule(text)]
    if not full:
        return True
    if looks_like_disclaimer(" ".join(full)):
        return True
    contacts = sum(1 for text in full if _CONTACT_RE.search(text))
    return len(full) <= 15 and contacts >= 1 and all(len(text) <= 90 for text in full)


def _tail_start(texts: list[str], low: list[str], end: int, devices: set[int], sender_name: str, sender: str) -> int:
    """Takes one block off the tail of texts[:end] if it is furniture; returns the new end. low: in lower case."""
    while end and (not texts[end - 1] or end - 1 in devices):
        end -= 1
    if not end:
        return end
    last = texts[end - 1]
    if last[0] in _RULED and len(last) >= 2 and is_rule(last):
        return end - 1
    start = end
    while start and texts[start - 1]:
        start -= 1
    inner = _disclaimer_inside(low, start, end)
    if inner < end:
        return inner
    block = [i for i in range(start, end) if i not in devices]
    joined = " ".join([low[i] for i in block])
    if looks_like_disclaimer(joined) and (_DISCLAIMER_START.match(joined) or any(texts[:start])):
        return start
    above = _previous(texts, start)
    # "Je vote :" announces what follows; it is no signature.
    if not above or above.endswith(":"):
        return end
    first = texts[block[0]]
    if len(block) == 1 and _HYPHEN_NAME_RE.match(first) and first[1:].lower() != first[1:]:
        return start
    named = bool(sender_name) and first.strip("*_ ").casefold().strip(",.") == sender_name.casefold()
    return start if _is_card([low[i] for i in block], above, named, sender) else end


def _disclaimer_inside(texts: list[str], start: int, end: int) -> int:
    """A disclaimer that follows the words without a blank line."""
    if sum(map(len, texts[start:end])) < _DISCLAIMER_CHARS:
        return end
    for index in range(start + 1, end):
        if _DISCLAIMER_START.match(texts[index]) and looks_like_disclaimer(" ".join(texts[index:end])):
            return index
    return end


def _previous(texts: list[str], start: int) -> str:
    while start and not texts[start - 1]:
        start -= 1
    return texts[start - 1] if start else ""


def _is_closing(text: str) -> bool:
    return " ".join(text.strip(" ,.!-").casefold().split()) in languages.CLOSING_SET


def _is_card(block: list[str], above: str, named: bool, sender: str) -> bool:
    """A visiting card: the sender's own name alone, or short lines with a telephone number, an address, a site.

    block: in lower case; named: does it begin with the sender's name?
    """
    if any(len(text) > 90 for text in block) or len(block) > 12:
        return False
    if named and not _is_closing(above) and len(block) <= 6:
        return True
    if len(block) < 2 or sum(map(len, block)) > _CARD_CHARS or any(text[-1] in "!?" for text in block):
        return False
    contacts = [text for text in block if _CONTACT_RE.search(text)]
    if len(contacts) >= 2 and len(contacts) * 3 >= len(block):
        return True
    return bool(contacts) and (named or (bool(sender) and sender in " ".join(block)))
