"""The settings: declared once, checked with words that help, and the example file that is written from them."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path

import pytest

from mailgm import config
from mailgm.config import ConfigError, check, default_of, load, parse, written
from mailgm.service import ready

ROOT = Path(__file__).parents[1]


def refused(data: dict[str, object]) -> str:
    with pytest.raises(ConfigError) as caught:
        parse(data, Path())
    return str(caught.value)


def test_the_example_file_is_the_one_that_the_declarations_make() -> None:
    shipped = (ROOT / "config.example.toml").read_text(encoding="utf-8")
    assert shipped == config.example(), "run `make example`"


def test_the_example_file_loads_and_changes_nothing() -> None:
    loaded = load(ROOT / "config.example.toml")
    assert loaded == config.Config(folder=ROOT)


def test_every_setting_stands_in_the_example_with_a_sentence_and_its_range() -> None:
    text = config.example()
    sentences = text.replace("\n# ", " ")
    for section in config.SECTIONS:
        for entry in fields(type(getattr(config.Config(), section))):
            meta = entry.metadata
            assert meta["about"].endswith("."), entry.name
            assert meta["about"] in sentences
            assert f"\n{entry.name} = " in text
            assert not check(entry, default_of(entry)), f"{section}.{entry.name}: its own default is refused"
            if meta["least"] is not None:
                assert f"From {meta['least']} to {meta['most']}." in sentences


def test_numbers_that_measure_say_in_what() -> None:
    units = {"seconds", "megabytes", "minutes", "hours", "characters"}
    for section in config.SECTIONS:
        for entry in fields(type(getattr(config.Config(), section))):
            if unit := units & set(entry.name.split("_")):
                assert unit.pop() in entry.metadata["about"].lower(), f"{section}.{entry.name}"


def test_all_faults_are_told_at_once_each_with_its_place_and_what_would_be_right() -> None:
    text = refused(
        {
            "imap": {"port": 0, "security": "ssl", "idle": "yes", "hots": "x"},
            "limits": {"outage_hours": 0.1},
            "imaps": {},
        }
    )
    assert len(text.splitlines()) == 6
    assert "config.toml, [imap] port: 0 is not a whole number from 1 to 65535" in text
    assert "[imap] security: 'ssl' is not one of 'tls', 'starttls', 'none'" in text
    assert "[imap] idle: 'yes' is not true or false" in text
    assert "[imap] hots: there is no such setting" in text
    assert "[limits] outage_hours: 0.1 is not a number from 0.5 to 720.0" in text
    assert "[imaps]: there is no such section" in text


@pytest.mark.parametrize("value", [True, 3.0, "3", None, -1])
def test_a_whole_number_is_a_whole_number(value: object) -> None:
    assert "[smtp] connections" in refused({"smtp": {"connections": value}})


def test_a_refused_secret_is_not_repeated() -> None:
    text = refused({"imap": {"password": 31415926}})
    assert "31415926" not in text
    assert "[imap] password: (a secret) is not a text in quotes" in text


def test_no_secret_stands_in_the_printed_form_of_the_settings() -> None:
    made = parse({"imap": {"password": "hunter2"}, "database": {"url": "postgresql://jeu:hunter2@db/x"}}, Path())
    assert "hunter2" not in repr(made)


def test_a_file_that_is_no_toml_is_told_with_its_line(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('[imap]\nhost = imap.example.org"\n', encoding="utf-8")
    with pytest.raises(ConfigError, match="line 2"):
        load(file)


def test_a_missing_file_is_told_with_what_makes_one(tmp_path: Path) -> None:
    with pytest.raises(ConfigError, match="mailgm init"):
        load(tmp_path / "config.toml")


def test_what_is_written_is_read_back() -> None:
    import tomllib

    values = {"mailbox": {"address": "jeu@example.org", "name": 'L\'ombre "Z" \\ \t\x7f é', "plus_addresses": False}}
    assert tomllib.loads(written(values)) == values


def test_relative_paths_start_at_the_file(tmp_path: Path) -> None:
    made = parse({"database": {"url": "sqlite:///a.sqlite"}, "paths": {"templates": "mots"}}, tmp_path)
    assert made.database_url == f"sqlite:///{tmp_path / 'a.sqlite'}"
    assert made.templates_path == [tmp_path / "mots"]


def test_a_password_comes_from_the_environment_its_file_or_the_setting(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "p").write_text("du fichier\nrien\n", encoding="utf-8")
    made = parse({"imap": {"password_file": "p", "password": "du réglage"}, "smtp": {"password": "simple"}}, tmp_path)
    assert made.password("imap") == "du fichier"
    assert made.password("smtp") == "simple"
    monkeypatch.setenv("MAILGM_IMAP_PASSWORD", "de l'environnement")
    assert made.password("imap") == "de l'environnement"


@pytest.mark.parametrize(("content", "words"), [(None, "No such file"), (b"", "is empty"), (b"\xff\xfe", "not UTF-8")])
def test_a_password_file_that_cannot_be_used_is_named(tmp_path: Path, content: bytes | None, words: str) -> None:
    if content is not None:
        (tmp_path / "p").write_bytes(content)
    with pytest.raises(ConfigError, match=words) as caught:
        parse({"imap": {"password_file": "p"}}, tmp_path).password("imap")
    assert str(tmp_path / "p") in str(caught.value)


def test_what_is_missing_before_the_service_can_run_is_listed() -> None:
    assert [fault.partition(":")[0] for fault in ready.faults(config.Config())] == [
        "[mailbox] address",
        "[imap] host",
        "[smtp] host",
    ]
    whole = {
        "mailbox": {"address": "jeu@example.org"},
        "imap": {"host": "imap.example.org", "user": "jeu"},
        "smtp": {"host": "smtp.example.org"},
    }
    assert ready.faults(parse(whole, Path())) == []
    plain = {**whole, "smtp": {"host": "smtp.example.org", "security": "none"}}
    assert "[smtp] security" in ready.faults(parse(plain, Path()))[0]
    same = {**whole, "imap": {"host": "imap.example.org", "user": "jeu", "processed_folder": "INBOX"}}
    assert "[imap] processed_folder" in ready.faults(parse(same, Path()))[0]
