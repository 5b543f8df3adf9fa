"""What goes out: one mail a person and moment, in one thread, telling nothing that it must not."""

from __future__ import annotations

import re

from tests.service.world import NAMES, World, answers_to, header, message, words


def test_the_start_is_one_mail_a_player_and_one_to_the_game_master(world: World) -> None:
    world.start()
    mails = world.mails()
    assert sorted(mail.recipient for mail in mails) == sorted(
        [*(f"joueur{n}@example.net" for n in range(1, 7)), "mj@example.com"]
    )
    bob = next(mail for mail in mails if mail.recipient == "joueur2@example.net")
    assert "Votre rôle : humain" in words(bob)
    assert "empreinte SHA-256" in words(bob)
    assert "Choisissez votre pièce" in words(bob)
    assert "21 h 00 (heure de Paris)" in words(bob)
    assert answers_to(bob) == world.address("Bob")


def test_subjects_are_the_same_for_all_and_tell_nothing(world: World) -> None:
    world.start()
    world.close()
    world.close()
    subjects = {header(mail, "Subject") for mail in world.mails() if mail.recipient != "mj@example.com"}
    assert subjects == {"[Manoir] Dracula"}


def test_no_mail_shows_another_players_address(world: World) -> None:
    world.start()
    for _ in range(6):
        world.close()
    for mail in world.mails():
        raw = mail.content.decode()
        others = {f"joueur{n}@example.net" for n in range(1, 7)} - {mail.recipient}
        if mail.recipient != "mj@example.com":
            assert not any(address in raw for address in others)
            assert "mj@example.com" not in raw


def test_a_persons_mails_stand_in_one_thread(world: World) -> None:
    world.start()
    root = message(next(mail for mail in world.mails() if mail.recipient == "joueur2@example.net"))["Message-ID"]
    world.close()
    world.close()
    for mail in world.mails_to("Bob"):
        assert message(mail)["References"].split()[0] == root
        assert message(mail)["Auto-Submitted"] == "auto-generated"
        assert message(mail)["Date"]


def test_notices_of_one_moment_are_grouped_in_one_mail(night: World) -> None:
    for name, room in (
        ("Bob", "boudoir"),
        ("Chloé", "boudoir"),
        ("Denis", "boudoir"),
        ("Élise", "bal"),
        ("Fanny", "bal"),
    ):
        night.write(name, room)
    night.close()
    night.write("Ana", "boudoir")
    night.close()
    night.write("Ana", "mordre Bob")
    night.mails()
    night.close()  # the bites: Bob is told that he is turned
    night.close()  # the dawn's open minutes
    mails = night.mails_to("Bob")
    assert len(mails) <= 2
    assert any("L'aube de la nuit 1" in words(mail) and "on vote" in words(mail) for mail in mails)


def test_each_language_and_each_time_zone_is_the_readers_own(world: World) -> None:
    from dataclasses import replace

    from mailgm.service.create import NewGame, begin, create
    from mailgm.service.players import SignUp

    zones = ["Europe/Paris", "America/Montreal", "Asia/Tokyo", "Europe/Paris", "Europe/Paris", "Europe/Paris"]
    players = [
        SignUp(name, f"joueur{place}@example.net", "en" if place == 2 else "fr", zone)
        for place, (name, zone) in enumerate(zip(NAMES, zones, strict=True), 1)
    ]
    new = NewGame(world.name, "dracula", players, "mj@example.com", options={"rounds": 1, "first_day": False})
    create(world.ctx, replace(new, deal={"dracula": "Ana"}))
    begin(world.ctx, world.name)
    mails = {mail.recipient: words(mail) for mail in world.mails()}
    assert "Tuesday 3 March at 15:00 (Montreal time)" in mails["joueur2@example.net"]
    assert "mercredi 4 mars à 5 h 00 (heure de Tokyo)" in mails["joueur3@example.net"]
    assert "mardi 3 mars à 21 h 00 (heure de Paris)" in mails["joueur4@example.net"]


def test_two_deals_that_differ_in_a_secret_write_the_others_the_same(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    """Architecture §4.2: byte-identical mails, apart from tokens, dates and the identifiers made of them."""
    written = []
    for place, dracula in enumerate(("Ana", "Denis")):
        world = World(database, tmp_path)
        world.name = f"manoir-{place}"
        world.start(deal={"dracula": dracula}, settings={"title": "Manoir"})
        world.write("Bob", "boudoir")
        world.write("Chloé", "bal\ntélépathie : coucou")
        rooms = {"Ana": "geôles", "Denis": "geôles", "Élise": "bal", "Fanny": "boudoir"}
        for name, room in rooms.items():
            if name != dracula:
                world.write(name, room)
        world.close()
        world.write(dracula, "geôles")
        world.close()
        world.write(dracula, "mordre " + ("Denis" if dracula == "Ana" else "Ana"))
        world.close()
        world.close()
        world.post("Bob", "**Chloé**")
        written.append(_open_parts(world, ("Bob", "Chloé", "Élise", "Fanny")))
    assert written[0] == written[1]
    assert written[0]


def _open_parts(world: World, names: tuple[str, ...]) -> list[tuple[str, str]]:
    """What these people got, in order: tokens, dates, identifiers and hashes of the secret seed taken out."""
    found = []
    for mail in world.mails(new=False):
        name = next((name for name in names if world.seat(name).email == mail.recipient), "")
        if not name or mail.game_id != world.live.record.id:
            continue
        text = re.sub(r"=\r\n", "", mail.content.decode())
        text = re.sub(r"(?<=\+)[0-9a-z]{21}(?:\.[0-9a-z]{4})?(?=@)", "TOKEN", text)
        text = re.sub(r"(?m)^(Message-ID|References|In-Reply-To|Date|X-Mailgm-Loop): .*(\r\n .*)*$", r"\1", text)
        text = re.sub(r"=_[0-9a-f]{32}|\b[0-9a-f]{64}\b", "HASH", text)
        found.append((name, text))
    return found
