"""Mail providers as game masters meet them: servers, whether plus-addresses arrive, and what one stumbles over.

Servers and ports are those of the providers' own help pages and of Thunderbird's database of providers; where it is
not documented that plus-addresses are delivered, they are not used, and `mailgm doctor` can tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from mailgm.mail.tls import Security


@dataclass(frozen=True, slots=True)
class Provider:
    """One provider.

    domains: of its addresses; empty where its customers bring their own. imap, smtp: host, port, security.
    plus:    whether `name+anything@domain` is delivered to `name@domain`.
    login:   what the server takes as user: the whole address, or what stands before the @.
    per_minute: how many mails it takes; 0: no limit worth a setting.
    oauth:   the value of [oauth] provider where passwords are refused; "" where they are taken.
    traps:   language → sentences: what has to be done there before it works, and its limits.
    """

    id: str
    title: str
    domains: tuple[str, ...]
    imap: tuple[str, int, Security]
    smtp: tuple[str, int, Security]
    plus: bool
    login: Literal["address", "local part"] = "address"
    per_minute: int = 0
    oauth: str = ""
    traps: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def user(self, address: str) -> str:
        """The login name of an address there."""
        return address if self.login == "address" else address.rpartition("@")[0]


def _own(host: str) -> tuple[str, int, Security]:
    return host, 993, "tls"


def _out(host: str) -> tuple[str, int, Security]:
    return host, 465, "tls"


def _said(fr: str, en: str) -> Mapping[str, tuple[str, ...]]:
    return {"fr": (fr,), "en": (en,)}


_APP_PASSWORD = {
    "fr": "un mot de passe d'application est demandé, pas celui du compte",
    "en": "an app password is wanted, not that of the account",
}

PROVIDERS = (
    Provider(
        "gmail", "Gmail", ("gmail.com", "googlemail.com"),
        _own("imap.gmail.com"), _out("smtp.gmail.com"), plus=True,
        traps={
            "fr": (
                "un mot de passe d'application est demandé, pas celui du compte : activez la validation en deux étapes,"
                " puis https://myaccount.google.com/apppasswords",
                "500 messages par jour au plus : assez pour une partie à la fois, sans table bavarde",
                "la boîte doit être à la partie seule : Gmail range les réponses en onglets et en spam",
            ),
            "en": (
                "an app password is wanted, not that of the account: turn on 2-step verification, then"
                " https://myaccount.google.com/apppasswords",
                "at most 500 mails a day: enough for one game at a time, without a talkative table",
                "the mailbox must be the game's own: Gmail sorts answers into tabs and spam",
            ),
        },
    ),
    Provider(
        "outlook", "Outlook.com, Hotmail, Live",
        ("outlook.com", "outlook.fr", "hotmail.com", "hotmail.fr", "live.com", "live.fr", "msn.com"),
        _own("outlook.office365.com"), ("smtp-mail.outlook.com", 587, "starttls"), plus=True,
        oauth="microsoft",
        traps={
            "fr": (
                "Microsoft refuse tout mot de passe depuis septembre 2024, même d'application : suivez"
                " docs/accounts.md, puis mailgm login ; le plus simple est une boîte d'un autre fournisseur",
            ),
            "en": (
                "Microsoft has refused all passwords since September 2024, app passwords too: follow docs/accounts.md,"
                " then mailgm login; simplest is a mailbox of another provider",
            ),
        },
    ),
    Provider(
        "orange", "Orange, Wanadoo", ("orange.fr", "wanadoo.fr"),
        _own("imap.orange.fr"), _out("smtp.orange.fr"), plus=False,
        traps=_said(
            "l'accès par un logiciel qui n'est pas d'Orange s'autorise d'abord dans les paramètres de la messagerie",
            "access by programs that are not Orange's has to be allowed first, in the settings of the mailbox",
        ),
    ),
    Provider(
        "free", "Free", ("free.fr",),
        _own("imap.free.fr"), _out("smtp.free.fr"), plus=False, login="local part",
        traps=_said(
            "l'identifiant est ce qui précède le @ ; l'envoi depuis un autre accès que la Freebox demande d'activer le"
            " « SMTP authentifié » dans l'espace abonné",
            "the login is what stands before the @; sending from elsewhere than the Freebox needs “SMTP authentifié”"
            " turned on in the customer's pages",
        ),
    ),
    Provider(
        "laposte", "La Poste", ("laposte.net",),
        _own("imap.laposte.net"), _out("smtp.laposte.net"), plus=False,
        traps=_said(
            "l'accès IMAP s'active dans les réglages du webmail, et une boîte où personne n'entre pendant des mois est"
            " fermée",
            "IMAP access is turned on in the webmail's settings, and a mailbox that nobody enters for months is closed",
        ),
    ),
    Provider(
        "sfr", "SFR, Neuf, Club-Internet", ("sfr.fr", "neuf.fr", "cegetel.net", "club-internet.fr"),
        _own("imap.sfr.fr"), _out("smtp.sfr.fr"), plus=False,
    ),
    Provider(
        "bbox", "Bouygues Telecom", ("bbox.fr",),
        _own("imap4.bbox.fr"), _out("smtp.bbox.fr"), plus=False,
    ),
    Provider(
        "ovh", "OVHcloud (MX Plan)", (),
        _own("ssl0.ovh.net"), _out("ssl0.ovh.net"), plus=False, per_minute=3,
        traps=_said(
            "200 messages par heure au plus et par compte, au-delà OVH bloque l'envoi : [smtp] per_minute = 3",
            "at most 200 mails an hour and account, beyond that OVH blocks sending: [smtp] per_minute = 3",
        ),
    ),
    Provider(
        "gandi", "Gandi", (),
        _own("mail.gandi.net"), _out("mail.gandi.net"), plus=True,
    ),
    Provider(
        "infomaniak", "Infomaniak", ("ik.me", "ikmail.com", "etik.com"),
        _own("mail.infomaniak.com"), _out("mail.infomaniak.com"), plus=False,
    ),
    Provider(
        "proton", "Proton Mail (Bridge)", ("proton.me", "protonmail.com", "pm.me"),
        ("127.0.0.1", 1143, "starttls"), ("127.0.0.1", 1025, "starttls"), plus=True,
        traps=_said(
            "Proton Mail Bridge doit tourner sur cette machine (abonnement payant) ; le mot de passe est celui que"
            " montre le Bridge, et son certificat, exporté, va dans ca_file",
            "Proton Mail Bridge must run on this machine (a paid plan); the password is the one that the Bridge shows,"
            " and its certificate, exported, goes into ca_file",
        ),
    ),
    Provider(
        "icloud", "iCloud", ("icloud.com", "me.com", "mac.com"),
        _own("imap.mail.me.com"), ("smtp.mail.me.com", 587, "starttls"), plus=True,
        traps=_said(
            f"{_APP_PASSWORD['fr']} : https://account.apple.com, « Connexion et sécurité »",
            f"{_APP_PASSWORD['en']}: https://account.apple.com, “Sign-In and Security”",
        ),
    ),
    Provider(
        "yahoo", "Yahoo", ("yahoo.com", "yahoo.fr", "ymail.com"),
        _own("imap.mail.yahoo.com"), _out("smtp.mail.yahoo.com"), plus=False,
        traps=_said(_APP_PASSWORD["fr"], _APP_PASSWORD["en"]),
    ),
    Provider(
        "fastmail", "Fastmail", ("fastmail.com", "fastmail.fm"),
        _own("imap.fastmail.com"), _out("smtp.fastmail.com"), plus=True,
        traps=_said(_APP_PASSWORD["fr"], _APP_PASSWORD["en"]),
    ),
    Provider(
        "posteo", "Posteo", ("posteo.net", "posteo.de"),
        _own("posteo.de"), _out("posteo.de"), plus=True,
    ),
)  # fmt: skip


def by_id(name: str) -> Provider | None:
    """The provider of an id."""
    return next((provider for provider in PROVIDERS if provider.id == name), None)


def guess(address: str) -> Provider | None:
    """The provider of an address, by its domain; None for a domain that is nobody's in particular."""
    domain = address.rpartition("@")[2].lower()
    return next((provider for provider in PROVIDERS if domain in provider.domains), None)


def of_server(host: str) -> Provider | None:
    """The provider whose IMAP or SMTP server that is; none for this machine, where anything may listen."""
    host = host.lower().rstrip(".")
    found = (provider for provider in PROVIDERS if host in (provider.imap[0], provider.smtp[0]))
    return next(found, None) if host != "127.0.0.1" else None
