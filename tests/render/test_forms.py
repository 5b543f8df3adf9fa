"""One message in four forms; what players type stays what they typed in each (issue §4, §7)."""

from __future__ import annotations

import dataclasses
from html.parser import HTMLParser

import pytest
from markdown_it import MarkdownIt

from mailgm.engine import PUBLIC, Ask, Notice, Verdict
from mailgm.render import Reader, Rendered, Renderer
from mailgm.render.bbcode import to_bbcode
from mailgm.render.document import parse
from mailgm.render.html import to_html
from mailgm.render.markdown import to_markdown
from mailgm.render.text import columns, to_text, wrap
from tests.render.samples import DEADLINE, LAMPS, TABLE, view

RENDERER = Renderer()
SOURCE = """# Nuit 2

Bonjour **Ana**, écrivez `voter Bob` : c'est « tout ».

- un
- deux

1. premier
2. second

> Elle a dit ça.

| Pour | Voix |
|---|---:|
| Bob | 12 |
| Chloé | 1 |

---
"""

HOSTILE = [
    "<img src=x onerror=alert(1)>",
    "[url=http://example.org]ici[/url] [b]gras[/b]",
    "{{ 7 * 7 }} {% include 'rules' %} {# rien #}",
    "**gras** _souligné_ `code` ~~barré~~ # titre",
    "| a | b |\n|---|---|\n| 1 | 2 |",
    "-- \nsignature",
    "> cité\n>> deux fois",
    "Subject: faux\nFrom: mj@example.org\n\ncorps",
    "1. un\n- deux\n* trois\n+ quatre\n# cinq\n===\n---",
    "```\ncode\n```",
    "![image](http://example.org/x.png) <http://example.org> [lien](javascript:alert(1))",
    "&lt;b&gt; &amp; &#60;",
    "\\*échappé\\* \\",
    "fin de ligne\\\nsuite",
    "$x$ \\(y\\)",
]


def said(text: str, author: str = "Bob") -> Rendered:
    post = Notice("table.post", PUBLIC, {"author": author, "text": text, "ballots": {}})
    return RENDERER.post(view(LAMPS), Reader("Ana"), [post], (), DEADLINE)


class Tags(HTMLParser):
    """The tags of an HTML document, and the text of its first quote."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.tags: list[str] = []
        self.quote = ""
        self.inside = False
        self.feed(html)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.inside = self.inside or tag == "blockquote"
        assert not any(name.startswith("on") or name in ("src", "href") for name, _ in attrs)

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "blockquote"

    def handle_data(self, data: str) -> None:
        self.quote += data if self.inside else ""


@pytest.mark.parametrize("text", HOSTILE)
def test_what_a_player_types_is_never_markup(text: str) -> None:
    plain = said("rien de spécial")
    hostile = said(text)
    seen = Tags(hostile.html)
    breaks = text.count("\n")
    assert seen.tags == [*Tags(plain.html).tags[: Tags(plain.html).tags.index("blockquote") + 2], *["br"] * breaks,
                         *Tags(plain.html).tags[Tags(plain.html).tags.index("blockquote") + 2 :]]  # fmt: skip
    assert seen.quote.strip().replace("\n\n", "\n").split() == text.split()
    assert "[url=" not in hostile.bbcode
    assert "[b]gras" not in hostile.bbcode
    assert f"[quote]{text}[/quote]" in hostile.bbcode.replace("\u200b", "")


@pytest.mark.parametrize("text", HOSTILE)
def test_in_the_text_part_every_line_of_a_player_is_marked_as_his(text: str) -> None:
    lines = said(text).text.splitlines()
    ours = said("rien de spécial").text.splitlines()
    quoted = [line for line in lines if line.startswith(">")]
    assert [line for line in lines if line not in quoted] == [line for line in ours if not line.startswith(">")]
    assert " ".join(line[1:] for line in quoted).split() == text.split()


@pytest.mark.parametrize("text", HOSTILE)
def test_the_markdown_form_shows_a_players_words_and_nothing_else(text: str) -> None:
    parser = MarkdownIt("commonmark").enable("table")
    seen = Tags(parser.render(said(text).markdown))
    assert set(seen.tags) <= {"p", "h2", "strong", "blockquote", "br", "hr", "code"}
    assert seen.quote.split() == text.split()


@pytest.mark.parametrize(
    "name", ["<b>Bob</b>", "**Bob**", "[url]Bob[/url]", "Bob | Ana", "{{ reader }}", "`Bob`", "Bob!"]
)
def test_a_name_is_a_name(name: str) -> None:
    rendered = said("Bonjour", author=name)
    assert rendered.text.startswith(f"{name} écrit à la table")
    assert f"<strong>{name.replace('<', '&lt;').replace('>', '&gt;')}</strong>" in rendered.html


def test_a_name_with_controls_in_it_stays_on_one_line_of_sight() -> None:
    """A right-to-left override or a zero-width character in a name would turn the rest of the line around."""
    assert said("Bonjour", author="Bo\u202eb\u200b\x07").text.startswith("Bob écrit à la table")


def test_a_subject_is_one_line_whatever_a_game_is_called() -> None:
    game = dataclasses.replace(view(LAMPS), name="Manoir\r\nBcc: x@example.org\u2028 fin")
    assert RENDERER.notices(game, Reader("Ana"), []).subject == "[Manoir Bcc: x@example.org fin] Le Phare"


# The text part -------------------------------------------------------------------------------------------------------


def test_text_form() -> None:
    assert to_text(parse(SOURCE, "fr"), "fr") == (
        "Nuit 2\n======\n\nBonjour Ana, écrivez «\u00a0voter Bob\u00a0»\u00a0: c'est «\u00a0tout\u00a0».\n\n"
        "- un\n- deux\n\n"
        "1. premier\n2. second\n\n> Elle a dit ça.\n\nPour   Voix\n-----  ----\nBob      12\nChloé     1\n\n"
        "------------------------"
    )


def test_lines_are_broken_at_72_columns_and_words_never() -> None:
    address = "manoir+jeu.abcdefghjkmnpqrstuvwx.table@un-domaine-assez-long.example.org"
    url = "https://example.org/" + "x" * 80
    text = to_text(parse(f"Écrivez à {address} ou à [#abcdefghjkmnpqrstuvw1], voir {url} si besoin est.", "fr"), "fr")
    assert all(len(line) <= 72 or line == url for line in text.splitlines())
    for whole in (address, url, "[#abcdefghjkmnpqrstuvw1]"):
        assert whole in text


def test_an_example_of_an_order_stays_on_one_line() -> None:
    for filler in range(40, 72):
        text = to_text(parse("x" * filler + " dites `voter Jean Paul` svp", "fr"), "fr")
        assert "voter Jean Paul" in text


def test_a_long_table_fits_and_keeps_every_word() -> None:
    names = [f"Joueur-{number}" for number in range(17)]
    source = "| Pièce | Qui |\n|---|---|\n| Salle de bal | " + ", ".join(names) + " |\n"
    text = to_text(parse(source, "fr"), "fr")
    assert max(map(len, text.splitlines())) <= 72
    assert all(name in text for name in names)


def test_wide_characters_and_accents_take_their_columns() -> None:
    assert columns("日本") == 4
    assert columns("e\u0301") == 1
    assert wrap("日本 日本 日本", 9) == ["日本 日本", "日本"]


# The other forms -----------------------------------------------------------------------------------------------------


def test_html_form() -> None:
    html = to_html(parse(SOURCE, "fr"))
    assert "<h1 " in html
    assert ">Nuit 2</h1>" in html
    assert "<strong>Ana</strong>" in html
    assert "<li>deux</li>" in html
    assert "<ol " in html
    assert 'text-align:right">12</td>' in html
    assert "«&nbsp;tout&nbsp;»" in html
    assert "color:#" not in html.replace("border", "").replace("solid #", "").replace("dotted #", "")


def test_html_document_is_made_for_dark_mode_and_phones() -> None:
    html = said("Bonjour").html
    assert '<meta name="color-scheme" content="light dark">' in html
    assert '<meta name="viewport" content="width=device-width, initial-scale=1">' in html
    assert "<script" not in html
    assert "<img" not in html
    assert "http" not in html
    assert "background" not in html
    assert "width:100%" not in html.replace("max-width:100%", "")


def test_bbcode_form() -> None:
    assert to_bbcode(parse(SOURCE, "fr")) == (
        "[size=150][b]Nuit 2[/b][/size]\n\nBonjour [b]Ana[/b], écrivez [b]voter Bob[/b]\u00a0: "
        "c'est «\u00a0tout\u00a0».\n\n[list]\n[*]un\n[*]deux\n[/list]\n\n[list=1]\n[*]premier\n[*]second\n[/list]\n\n"
        "[quote]Elle a dit ça.[/quote]\n\n"
        "[list]\n[*][b]Bob[/b]\u00a0: 12\n[*][b]Chloé[/b]\u00a0: 1\n[/list]\n\n———"
    )


def test_markdown_form_reads_back_as_itself() -> None:
    once = parse(SOURCE, "fr")
    assert parse(to_markdown(once), "fr") == once


# What a mail says ----------------------------------------------------------------------------------------------------


def test_a_mail_of_one_moment() -> None:
    told = [
        Notice("gm.word", PUBLIC, {"text": "Bonne nuit."}),
        Notice("gm.word", "Ana", {"text": "Bravo."}),
        Notice("seed.committed", PUBLIC, {"sha256": "ab12"}),
        Notice("game.stopped", PUBLIC, {}),
    ]
    asks = [Ask("Ana", "pass"), Ask("Ana", "pass", need="optional", channel="public", final=True)]
    rendered = RENDERER.notices(view(LAMPS), Reader("Ana"), told, asks, DEADLINE)
    assert rendered.subject == "[Manoir] Le Phare"
    assert rendered.text == MAIL.replace("~", "\u00a0")


MAIL = f"""Bonjour Ana,

— Pour toute la table —

Un mot du maître de jeu~:

> Bonne nuit.

— Rien que pour vous —

Un mot du maître de jeu~:

> Bravo.

— Pour toute la table —

Le maître de jeu arrête la partie ici, sans vainqueur. Merci à tous
d'avoir joué.

Les tirages au sort de cette partie sont fixés par une graine secrète,
dévoilée à la fin. Voici son empreinte SHA-256, pour vérifier que rien
n'aura été changé~:

«~ab12~»

Ce que vous pouvez faire
------------------------

En répondant à ce message, en secret~:

- Ne rien faire~: «~rien~».

À la table, devant tout le monde, en écrivant à
{TABLE}~:

- Ne rien faire~: «~rien~». (facultatif, sans retour possible)

Échéance~: mercredi 2 décembre à 21 h 00 (heure de Paris).

------------------------

Partie «~Manoir~», où vous êtes Ana. À toute heure, répondez «~aide~»,
«~état~», «~règles~» ou «~joueurs~» pour en savoir plus. Pour parler à
tous quand la table est ouverte, écrivez à
{TABLE}
"""


def test_a_reply_says_everything_at_once() -> None:
    verdicts = [
        Verdict("Ana", "accepted", "rien", "pass"),
        Verdict("Ana", "refused", "voter An", "voter", code="ambiguous-player", accepted=("Ana", "Anne")),
        Verdict("Ana", "refused", "bla bla", code="not-understood"),
        Verdict("Ana", "asked", "joueurs", "players"),
        Verdict("Ana", "asked", "joueurs", "players"),
    ]
    text = RENDERER.reply(view(LAMPS), Reader("Ana", "en"), verdicts, [Ask("Ana", "pass")], (), DEADLINE).text
    text = " ".join(text.split())
    for words in ("Noted:", "You pass", "Did you mean Ana or Anne?", "I did not understand:", "“bla bla”",
                  "Still expected of you", "Wednesday 2 December at 21:00 (Paris time)"):  # fmt: skip
        assert words in text
    assert text.count("The players") == 1


def test_the_vote_count_is_shown_most_votes_first() -> None:
    ballots = {"Bob": "Ana", "Chloé": "Bob", "Ana": "Bob", "David": None}
    posts = [Notice("table.post", PUBLIC, {"author": name, "text": "…", "ballots": ballots}) for name in ("Bob", "Ana")]
    text = RENDERER.post(view(LAMPS), Reader("Ana"), posts, (), DEADLINE).text
    assert "Bob          2  Chloé et Ana\nAna          1  Bob\npersonne     1  David" in text
    assert text.count("Le compte des voix") == 1
    assert "2 messages" in text


def test_the_public_part_is_the_same_for_every_reader() -> None:
    """Whoever is not concerned reads the same words; only his own name, address and asks differ."""
    told = [Notice("gm.word", PUBLIC, {"text": "Bonne nuit."})]
    ana, bob = (RENDERER.notices(view(LAMPS), Reader(name), told, (), DEADLINE) for name in ("Ana", "Bob"))
    assert ana.text.replace("Ana", "Bob") == bob.text
    assert ana.html.replace("Ana", "Bob") == bob.html
