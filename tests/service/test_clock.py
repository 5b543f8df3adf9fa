"""Deadlines, reminders, stops and outages."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from mailgm.service import due
from mailgm.store.mailboxes import set_mark
from tests.service.world import World, words


def test_a_phase_closes_at_its_deadline_and_not_before(night: World) -> None:
    night.pass_time(hours=23, minutes=59)
    assert night.game.phase == "night-1.rooms"
    night.pass_time(minutes=1)
    assert night.game.phase == "night-1.dracula"


def test_deadlines_keep_the_hour_on_the_wall_over_the_change_to_summer_time(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path)
    world.hour = datetime(2026, 3, 28, 20, 0, tzinfo=UTC)  # 21:00 in Paris, the night before the change
    world.start()
    assert world.live.record.deadline == datetime(2026, 3, 29, 19, 0, tzinfo=UTC)  # 21:00 again, an hour less


def test_reminders_go_to_those_and_only_those_who_still_owe(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path).start(settings={"remind_before": ["6h"]})
    world.write("Bob", "boudoir")
    world.mails()
    world.pass_time(hours=17)
    assert world.mails() == []
    world.pass_time(hours=1, minutes=1)
    reminded = world.mails()
    assert sorted(mail.recipient for mail in reminded) == [f"joueur{n}@example.net" for n in (3, 4, 5, 6)]
    names = {"joueur3": "Chloé", "joueur4": "Denis", "joueur5": "Élise", "joueur6": "Fanny"}
    bodies = set()
    for mail in reminded:
        text = words(mail).split("Partie «")[0].replace(names[mail.recipient.partition("@")[0]], "X")
        bodies.add(re.sub(r"Par exemple : « .*? »", "", text))
    assert len(bodies) == 1
    world.pass_time(hours=1)
    assert world.mails() == []


def test_after_two_days_everything_due_happens_once_and_in_order(night: World) -> None:
    """Late players are treated by the time of arrival; nobody's next phase is over before he could read of it."""
    deadline = night.live.record.deadline
    night.write("Bob", "boudoir", at=deadline - timedelta(minutes=1), handle=False)
    night.write("Chloé", "geôles", at=deadline + timedelta(hours=3), handle=False)
    night.hour = deadline + timedelta(days=2)
    night.look()
    assert night.game.phase == "night-1.dracula"
    assert night.live.record.deadline > night.hour + timedelta(hours=20)
    keys = [mail.key for mail in night.mails()]
    assert len(keys) == len(set(keys))


def test_an_early_close_waits_for_its_hour(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path).start(options={"early_close": "all"}, settings={"not_before": "08:00"})
    for name in ("Bob", "Chloé", "Denis", "Élise", "Fanny"):
        world.write(name, "boudoir")
    assert world.game.phase == "night-1.rooms"
    world.pass_time(hours=10)
    assert world.game.phase == "night-1.rooms"
    world.pass_time(hours=1)
    assert world.game.phase == "night-1.dracula"


def test_an_early_close_comes_with_the_last_answer(database, tmp_path) -> None:  # type: ignore[no-untyped-def]
    world = World(database, tmp_path).start(options={"early_close": "night"})
    for name in ("Bob", "Chloé", "Denis", "Élise"):
        world.write(name, "boudoir")
    assert world.game.phase == "night-1.rooms"
    world.write("Fanny", "boudoir")
    assert world.game.phase == "night-1.dracula"


def test_a_deadline_waits_for_a_mailbox_that_cannot_be_read_up_to_the_limit(night: World) -> None:
    night.hour = night.live.record.deadline + timedelta(minutes=1)
    night.look(mail_complete=False)
    assert night.game.phase == "night-1.rooms"
    (told,) = night.mails()
    assert told.recipient == "mj@example.com"
    assert "boîte aux lettres" in words(told)
    night.hour += timedelta(minutes=30)
    night.look(mail_complete=False)
    assert night.mails() == []
    night.hour += timedelta(hours=3)
    night.look(mail_complete=False)
    assert night.game.phase == "night-1.dracula"


def test_after_an_outage_beyond_the_limit_the_game_holds_and_asks(night: World) -> None:
    with night.ctx.db.write() as tx:
        set_mark(tx, "service.alive", night.hour.isoformat())
    night.hour += timedelta(days=5)
    due.check_outage(night.ctx, night.hour, "service.alive")
    assert night.live.record.status == "held"
    night.look()
    assert night.game.phase == "night-1.rooms"
    told = {mail.recipient: words(mail) for mail in night.mails()}
    assert "Rien n'a été fermé sans vous" in told["mj@example.com"]
    assert "joueur2@example.net" in told
    night.command("prolonger 24h")
    assert night.live.record.status == "running"
    assert night.live.record.deadline > night.hour + timedelta(hours=23)
