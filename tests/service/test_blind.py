"""A game master who plays too: his answers and logs hide roles and orders unless he asks for them."""

from __future__ import annotations

import logging
from pathlib import Path

import pytest

from mailgm.cli import main
from mailgm.service import due, hearing
from mailgm.service.master import shell
from mailgm.store import Database
from tests.service.world import World, words


@pytest.fixture
def blind(database: Database, database_url: str, tmp_path: Path) -> World:
    world = World(database, tmp_path).start(settings={"blind": True})
    (tmp_path / "config.toml").write_text(
        f'[mailbox]\naddress = "jeu@example.org"\n[database]\nurl = "{database_url}"\n', encoding="utf-8"
    )
    world.mails()
    return world


def test_the_game_master_gets_what_is_public_and_nothing_else(blind: World) -> None:
    blind.write("Bob", "boudoir\ntélépathie : coucou")
    for _ in range(5):
        blind.close()
    told = " ".join(words(mail) for mail in blind.mails() if mail.recipient == "mj@example.com")
    assert "L'aube de la nuit 1" in told
    assert "boudoir" not in told.lower().partition("qui y a passé la nuit")[0]
    assert "n'a pas répondu" not in told


def test_status_says_how_many_owe_and_not_who_unless_asked(blind: World) -> None:
    blind.write("Bob", "boudoir")
    blind.mails()
    done = shell(blind.ctx, blind.name, "état")
    assert done.answers["status"]["owing"] == {}
    assert done.answers["status"]["hidden"] == 4
    assert set(shell(blind.ctx, blind.name, "état --reveal").answers["status"]["owing"]) == {
        "Chloé",
        "Denis",
        "Élise",
        "Fanny",
    }
    blind.command("status --reveal")
    assert "Chloé" in words(blind.mails_to("gm")[0])


def test_logs_hide_secret_orders_unless_asked(blind: World, capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    letter = blind.write("Bob", "boudoir")
    config = ["--config", str(tmp_path / "config.toml")]
    assert main(["game", "log", blind.name, *config]) == 0
    assert "boudoir" not in capsys.readouterr().out
    assert main(["game", "log", blind.name, "--reveal", *config]) == 0
    assert "boudoir" in capsys.readouterr().out
    assert main(["letters", "show", str(letter), *config]) == 1
    assert "boudoir" not in capsys.readouterr().out
    assert main(["game", "show", blind.name, *config]) == 0
    assert "owes" not in capsys.readouterr().out


# Every way by which a role or an order could show ---------------------------------------------------------------------


def to_master(world: World) -> str:
    """All that the game master was sent since the last look."""
    return " ".join(words(mail) for mail in world.mails() if mail.recipient == "mj@example.com")


def until(world: World, phase: str) -> World:
    while world.game.phase != phase:
        world.close()
    world.mails()
    return world


@pytest.mark.parametrize("text", ["ordre {}: mordre Chloé", "joueur: {}\nmordre Chloé"])
def test_an_order_for_another_sounds_the_same_whatever_his_role(blind: World, text: str) -> None:
    until(blind, "night-1.bites")
    heard = {}
    for name in ("Ana", "Bob"):  # Ana is Dracula
        blind.command(text.format(name))
        mails = blind.mails()
        heard[name] = [words(mail) for mail in mails if mail.recipient == "mj@example.com"]
        told = [words(mail) for mail in mails if mail.recipient == blind.seat(name).email]
        assert len(told) == 1
        assert "Le maître de jeu a donné un ordre à votre place" in told[0]
        assert ("C'est noté" in told[0]) == (name == "Ana")
    assert [line.replace("Ana", "Bob") for line in heard["Ana"]] == heard["Bob"]
    assert blind.game.orders.of("Ana", "mordre")
    blind.command("ordre Bob: mordre Chloé --reveal")
    assert "pas possible en ce moment" in to_master(blind)


def test_an_order_that_is_no_order_of_anybody_is_told_as_ever(blind: World) -> None:
    blind.command("ordre Zoé: boudoir\nordre Bob")
    told = to_master(blind)
    assert "Zoé" in told
    assert "transmis" not in told


def test_a_step_that_opens_in_silence_is_neither_named_nor_counted(
    blind: World, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    until(blind, "night-1.dracula")
    config = ["--config", str(tmp_path / "config.toml")]
    blind.command("état")
    blind.command("revenir nuit-8")
    told = to_master(blind)
    assert "ne se dit pas" in told
    for command in (
        ["game", "show", blind.name],
        ["game", "list"],
        ["game", "log", blind.name],
        ["verify", blind.name],
    ):
        assert main([*command, *config]) == 0
    told += capsys.readouterr().out
    blind.command("clore")
    assert "night-1.rooms" in told
    told += to_master(blind)
    assert blind.game.phase == "night-1.bites"
    for secret in ("night-1.dracula", "choix de Dracula", "night-1.bites", "1 still owe", "1 joueur doit"):
        assert secret not in told


def test_who_writes_and_who_is_written_to_at_night_is_hidden(
    blind: World, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    until(blind, "night-1.dracula")
    blind.write("Ana", "boudoir")
    config = ["--config", str(tmp_path / "config.toml")]
    for command in (["game", "log", blind.name], ["game", "outbox", blind.name], ["letters", "list"]):
        assert main([*command, *config]) == 0
        told = capsys.readouterr().out
        assert "Ana" not in told
        assert "joueur1@" not in told
        assert main([*command, "--reveal", *config]) == 0
        told = capsys.readouterr().out
        assert "Ana" in told or "joueur1@" in told


def test_letters_of_no_known_game_are_hidden_too(
    blind: World, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A robot's answer quotes the secret mail that it answers, and belongs to no game in the table of letters."""
    letter = blind.write("Bob", "absent. > Votre rôle : vampire", headers={"Auto-Submitted": "auto-replied"})
    config = ["--config", str(tmp_path / "config.toml")]
    assert main(["letters", "show", str(letter), *config]) == 1
    assert "vampire" not in capsys.readouterr().out
    assert main(["letters", "show", str(letter), "--reveal", *config]) == 0
    assert "vampire" in capsys.readouterr().out


def test_a_letter_set_aside_tells_its_kind_of_fault_only(
    blind: World, capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    order = "aller au boudoir"

    def broken(*_: object) -> None:
        raise KeyError(order)

    caplog.set_level(logging.INFO)
    monkeypatch.setattr(hearing, "apply", broken)
    letter = blind.write("Bob", "boudoir")
    assert blind.letter(letter).state == "aside"
    told = to_master(blind)
    assert "KeyError" in told
    config = ["--config", str(tmp_path / "config.toml")]
    assert main(["letters", "list", *config]) == 0
    assert main(["letters", "show", str(letter), *config]) == 1
    captured = capsys.readouterr()
    assert "boudoir" not in told + captured.out + captured.err + caplog.text


def test_a_deadline_that_breaks_the_code_tells_its_kind_of_fault_only(
    blind: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise KeyError("Ana mord Bob")

    monkeypatch.setattr(due, "turn", broken)
    blind.close()
    told = to_master(blind)
    assert "KeyError" in told
    assert "mord" not in told


def test_what_a_player_may_do_is_not_tried_out_by_mailgm_read(
    blind: World, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    file = tmp_path / "essai.eml"
    file.write_text("From: a@example.org\n\nmordre Chloé\n", encoding="utf-8")
    command = ["read", str(file), "--as", "Ana", "--game", blind.name, "--config", str(tmp_path / "config.toml")]
    assert main(command) == 1
    assert "orders" not in capsys.readouterr().out
    assert main([*command, "--reveal"]) == 0
    assert "orders" in capsys.readouterr().out


def test_a_held_dawn_shows_what_all_will_read_and_a_quarantined_letter_not_its_words(
    database: Database, tmp_path: Path
) -> None:
    world = World(database, tmp_path).start(settings={"blind": True, "review": "dawn"})
    world.write("Bob", "boudoir\npeindre rien")
    world.deliver("jeu@example.org", "mordre Ana", sender="joueur2@example.net")
    while world.live.record.status != "held":
        world.close()
    told = to_master(world)
    assert "L'aube de la nuit 1" in told
    assert "mordre" not in told
    assert "vampire" not in told.partition("L'aube de la nuit 1")[0]


def test_nothing_of_a_whole_round_differs_for_him_from_what_all_are_told(database: Database, tmp_path: Path) -> None:
    """The game master's mails of two games that differ in who is Dracula alone, until the first dawn."""
    told = []
    for place, dracula in enumerate(("Ana", "Bob")):
        world = World(database, tmp_path)
        world.name = f"manoir-{place}"
        world.start(settings={"blind": True}, deal={"dracula": dracula}, decoys=True)
        while world.game.phase != "night-1.dracula":
            world.close()
        world.command("état")
        told.append([words(mail) for mail in world.mails(new=False) if mail.game_id == world.live.record.id
                     and mail.recipient == "mj@example.com"])  # fmt: skip
    assert told[0] == told[1]
