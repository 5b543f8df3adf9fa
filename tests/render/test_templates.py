"""Templates are found nearest first, may be reworded by a game master, and are never half filled in."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from jinja2 import UndefinedError

from mailgm.engine import PUBLIC, Notice
from mailgm.render import Reader, Renderer
from mailgm.render.templates import MissingTemplate, Shelf
from mailgm.shipped import shipped
from tests.render.samples import LAMPS, view

STOPPED = Notice("game.stopped", PUBLIC, {})


def write(root: Path, name: str, text: str) -> None:
    (root / name).parent.mkdir(parents=True, exist_ok=True)
    (root / name).write_text(text, encoding="utf-8")


def test_a_game_master_rewords_a_mail_in_a_folder_of_his_own(tmp_path: Path) -> None:
    write(tmp_path, "fr/common/game.stopped.md", "C'est fini, {{ reader.name }}.\n")
    assert "C'est fini, Ana." in Renderer([tmp_path]).notices(view(LAMPS), Reader("Ana"), [STOPPED]).text
    assert "C'est fini" not in Renderer([tmp_path]).notices(view(LAMPS), Reader("Ana", "en"), [STOPPED]).text


def test_preset_before_variant_before_common_and_the_users_folder_first(tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for root in (one, two):
        for folder in ("fog", "lamps", "common"):
            write(root, f"fr/{folder}/x.md", f"{root.name} {folder}")
    (two / "fr/fog/only.md").write_text("two fog")
    shelf = Shelf([one, two], "fr", ["fog", "lamps", "common"])
    assert shelf.fill("x", {}) == "one fog"
    assert shelf.fill("only", {}) == "two fog"
    assert Shelf([two, one], "fr", ["", "lamps", "common"]).fill("x", {}) == "two lamps"


def test_small_words_of_a_game_lie_over_the_common_ones(tmp_path: Path) -> None:
    write(tmp_path, "fr/lamps/words.toml", 'sample_text = "un mot"\n[dates]\ninstant = "un clin d\'œil"\n')
    words = Shelf([tmp_path, shipped("templates")], "fr", ["lamps", "common"]).words()
    assert words["sample_text"] == "un mot"
    assert words["dates"]["instant"] == "un clin d'œil"
    assert words["dates"]["days"][0] == "lundi"


def test_a_missing_template_says_where_it_was_looked_for() -> None:
    with pytest.raises(MissingTemplate, match=r"no template no\.such\.kind\.md in .*fr/lamps.*fr/common"):
        Renderer().notices(view(LAMPS), Reader("Ana"), [Notice("no.such.kind", PUBLIC, {})])


def test_a_word_that_a_notice_does_not_carry_is_an_error() -> None:
    with pytest.raises(UndefinedError, match="text"):
        Renderer().notices(view(LAMPS), Reader("Ana"), [Notice("gm.word", PUBLIC, {})])


@pytest.mark.parametrize("value", [None, True, ("Ana", "Bob"), 1.5])
def test_a_template_prints_words_and_nothing_else(value: object) -> None:
    with pytest.raises(TypeError, match="not words"):
        Renderer().notices(view(LAMPS), Reader("Ana"), [Notice("gm.word", PUBLIC, {"text": value})])


def test_faults_of_a_reworded_template_are_named_with_their_line(tmp_path: Path) -> None:
    assert Renderer().faults() == []
    write(tmp_path, "fr/common/gm.word.md", "Bonjour\n{% if text %}{{ text }}\n")
    write(tmp_path, "fr/common/mail.md", "{{ text | nosuchfilter }}")
    write(tmp_path, "fr/dracula/dawn.md", '{% include "_nowhere" %}')
    (tmp_path / "fr/dracula/dusk.md").write_bytes(b"\xe9")
    write(tmp_path, "fr/dracula/relay.md", "{{ author ~ text }}")
    write(tmp_path, "fr/dracula/turned.md", "{{ text | safe }}")
    syntax, unknown, missing, charset, joined, unsafe = Renderer([tmp_path]).faults()
    assert "gm.word.md:2: Unexpected end of template" in syntax
    assert "mail.md:1: No filter named 'nosuchfilter'" in unknown
    assert "dawn.md: includes '_nowhere'" in missing
    assert "dusk.md: is not UTF-8" in charset
    assert "relay.md:1: write words one after the other" in joined
    assert "turned.md:1: No filter named 'safe'" in unsafe


def test_a_language_without_templates_is_named() -> None:
    assert Renderer().languages == ["en", "fr"]
    with pytest.raises(ValueError, match="no templates in 'de'; there are en, fr"):
        Renderer().notices(view(LAMPS), Reader("Ana", "de"), [])


def test_data_cannot_take_the_place_of_a_helper() -> None:
    rendered = Renderer().notices(view(LAMPS), Reader("Ana"), [Notice("game.stopped", PUBLIC, {"when": 1, "game": 2})])
    assert "Manoir" in rendered.text


@pytest.mark.parametrize(
    ("text", "shared"),
    [
        ("La nuit tombe.", True),
        ("{{ listed(dead) }} ({{ game.options.night }}, {{ when(hour) }})", True),
        ("Bonjour {{ reader.name }}", False),
        ("{% if mine %}Toi seul{% endif %}", False),
        ("Écrivez à {{ game.table }}", False),
        ("{% set all = game %}{{ all.private }}", False),
        ("{% include '_footer' %}", False),
    ],
)
def test_only_what_reads_alike_for_everybody_is_written_once_for_all(tmp_path: Path, text: str, shared: bool) -> None:
    write(tmp_path, "fr/common/x.md", text)
    assert (Shelf([tmp_path], "fr", ["common"]).needs("x") is not None) is shared


def test_one_report_is_told_to_each_in_his_own_hour_and_by_the_options_of_his_game(tmp_path: Path) -> None:
    write(tmp_path, "fr/common/dawn.md", "{{ when(hour) }}, {{ game.options.get('moon', 'sans lune') }}")
    renderer = Renderer([tmp_path])
    dawn = Notice("dawn", PUBLIC, {"hour": "2026-12-01T20:00:00+00:00"})
    moon = replace(view(LAMPS), options={"moon": "pleine lune"})
    paris, tokyo = Reader("Ana"), Reader("Bob", zone="Asia/Tokyo")
    told = [
        renderer.notices(game, reader, [dawn]).text for game in (view(LAMPS), moon) for reader in (paris, tokyo, paris)
    ]
    assert ["21 h 00" in text for text in told] == [True, False, True] * 2
    assert ["pleine lune" in text for text in told] == [False] * 3 + [True] * 3
