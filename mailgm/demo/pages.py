"""The pages of a demonstration: the public reports, and every mailbox, mail by mail."""

from __future__ import annotations

import email
import re
from collections.abc import Sequence
from email.header import decode_header, make_header
from email.message import Message
from html import escape
from pathlib import Path

from mailgm.demo.players import Correspondent
from mailgm.demo.shapes import words_of
from mailgm.engine import GM, PUBLIC
from mailgm.render import Reader
from mailgm.service import post
from mailgm.service.context import Context
from mailgm.store import log

_STYLE = """
:root { color-scheme: light dark; --ink: #222; --paper: #fbf9f4; --line: #d8d2c4; --quiet: #777; --accent: #8c1d2f; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e8e4da; --paper: #1b1a18; --line: #3c3933; --quiet: #9a958a; --accent: #d9707f; }
}
* { box-sizing: border-box; }
body {
  margin: 0 auto; max-width: 52rem; padding: 2rem 1rem 4rem; background: var(--paper); color: var(--ink);
  font: 16px/1.55 Georgia, "Times New Roman", serif;
}
h1, h2 { font-weight: 600; line-height: 1.2; }
h1 { font-size: 2rem; }
a { color: var(--accent); }
nav ul { display: flex; flex-wrap: wrap; gap: .5rem; padding: 0; list-style: none; }
nav li a { display: block; padding: .3rem .8rem; border: 1px solid var(--line); border-radius: 1rem; }
nav li a { text-decoration: none; }
article { margin: 1.5rem 0; padding: 1rem 1.2rem; border: 1px solid var(--line); border-radius: .5rem; }
article { overflow-x: auto; }
article header { margin-bottom: .8rem; color: var(--quiet); font: 13px/1.4 system-ui, sans-serif; }
article.mine { border-left: 4px solid var(--accent); }
pre {
  margin: 0; white-space: pre-wrap; overflow-wrap: anywhere;
  font: 14px/1.5 ui-monospace, "DejaVu Sans Mono", monospace;
}
table { border-collapse: collapse; }
td, th { padding: .2rem .7rem; border-bottom: 1px solid var(--line); text-align: left; }
"""


def write_pages(ctx: Context, name: str, people: Sequence[Correspondent], out: Path) -> Path:
    """Write index.html (public reports), a page a mailbox, and every mail as .eml; give the index."""
    with ctx.db.read() as tx:
        live = ctx.load(tx, name, for_update=False)
        told = [notice for notice in log.notices_of(tx, live.record.id) if PUBLIC in notice.audience]
    links = "".join(
        f'<li><a href="{_file(place)}">{escape(_shown(person))} <small>({len(person.mails)})</small></a></li>'
        for place, person in enumerate(people)
    )
    who = post.commander(live)
    lang = people[0].lang
    reports = []
    for n in sorted({notice.n for notice in told}):
        moment = [post.as_notice(notice) for notice in told if notice.n == n]
        key = next(notice.phase_key for notice in told if notice.n == n)
        view = post.view(ctx, live, who)
        rendered = ctx.renderer.letter(view, Reader("", lang), "report", notices=moment)
        phase = ctx.renderer.phase_name(view, lang, key)
        reports.append(f"<article><header>{escape(phase)}</header>{_body(rendered.html)}</article>")
    title = live.preset.title[lang]
    heading = {"fr": "Ce que toute la table a lu", "en": "What the whole table has read"}[lang]
    boxes = {"fr": "Les boîtes aux lettres", "en": "The mailboxes"}[lang]
    page = f"<h1>{escape(title)}</h1><nav><h2>{boxes}</h2><ul>{links}</ul></nav><h2>{heading}</h2>{''.join(reports)}"
    (out / "index.html").write_text(_document(title, page, lang), encoding="utf-8")
    for place, person in enumerate(people):
        _mailbox(person, place, title, out)
    return out / "index.html"


def _mailbox(person: Correspondent, place: int, title: str, out: Path) -> None:
    folder = out / "mailboxes" / _file(place).removesuffix(".html")
    folder.mkdir(parents=True)
    articles = []
    for number, raw in enumerate(person.mails, 1):
        (folder / f"{number:03}.eml").write_bytes(raw)
        message = email.message_from_bytes(raw)
        head = " · ".join(
            escape(str(make_header(decode_header(str(message[name] or ""))))) for name in ("Date", "From", "Subject")
        )
        link = f'<a href="mailboxes/{folder.name}/{number:03}.eml">eml</a>'
        mine = " mine" if message["Auto-Submitted"] == "auto-replied" else ""
        articles.append(
            f'<article class="mail{mine}"><header>{head} · {link}</header>{_body(_html_of(message))}'
            f"<details><summary>text</summary><pre>{escape(words_of(message))}</pre></details></article>"
        )
    back = f'<p><a href="index.html">{escape(title)}</a></p>'
    page = f"{back}<h1>{escape(_shown(person))}</h1>{''.join(articles)}"
    (out / _file(place)).write_text(_document(_shown(person), page, person.lang), encoding="utf-8")


def _html_of(message: Message) -> str:
    part = next((part for part in message.walk() if part.get_content_type() == "text/html"), None)
    content = part.get_payload(decode=True) if part else b""
    return content.decode("utf-8", "replace") if isinstance(content, bytes) else ""


def _body(document: str) -> str:
    """What stands between <body> and </body>: the service's own HTML, which is safe to show."""
    match = re.search(r"<body[^>]*>(.*)</body>", document, re.DOTALL)
    return match[1] if match else document


def _shown(person: Correspondent) -> str:
    return {"fr": "Maître de jeu", "en": "Game master"}[person.lang] if person.name == GM else person.name


def _file(place: int) -> str:
    return f"mailbox-{place + 1:02}.html"


def _document(title: str, body: str, lang: str) -> str:
    return (
        f'<!doctype html><html lang="{lang}"><head><meta charset="utf-8"><title>{escape(title)}</title>'
        f'<meta name="viewport" content="width=device-width, initial-scale=1"><style>{_STYLE}</style></head>'
        f"<body>{body}</body></html>"
    )
