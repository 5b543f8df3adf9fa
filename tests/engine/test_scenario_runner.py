"""The scenario runner, rule by rule (scenarios, "Rules of the runner")."""

from __future__ import annotations

import json
import tomllib
from pathlib import Path

import pytest
from toys import PHARE, TOY

from mailgm.cli import main
from mailgm.engine.scenario import Report, run

HEAD = """
id = "try"
variant = "phare"
rules = ["R1"]
lang = "fr"
players = ["Ana", "Bob", "Chloé", "Denis", "Élise"]
seed = 1
deal = { wrecker = "Ana", keeper = "Bob" }
"""


def report(body: str, head: str = HEAD) -> Report:
    return run(tomllib.loads(head + body), PHARE)


def holds(body: str, head: str = HEAD) -> None:
    assert report(body, head).failures == []


def fails(body: str, *words: str, head: str = HEAD) -> None:
    failures = report(body, head).failures
    assert failures, "it holds"
    for word in words:
        assert any(word in failure for failure in failures), failures


def test_set_up_and_the_first_opening_belong_to_the_first_step():
    holds("""
        [[step]]
        phase = "night-1.lamps"
        expect = [{ to = "Ana", kind = "role.assigned", data = { role = "wrecker" } },
                  { to = "public", kind = "phase.opened", data = { phase = "night-1.lamps" } }]
        [[step]]
        forbid = [{ kind = "role.assigned" }]
    """)


def test_none_is_a_word():
    holds('[[step]]\nexpect = [{ kind = "role.assigned", data = { mate = "@none" } }]')
    fails('[[step]]\nexpect = [{ kind = "role.assigned", data = { role = "@none" } }]', "expected role.assigned")
    holds('[[step]]\nexpect = [{ kind = "role.assigned", data = { nothing_like_that = "@none" } }]')


VOTE = """
    [dice]
    "night-1.weather" = "calm"
    [[step]]
    say = [["Ana", "éteindre Élise"]]
    close = true
    [[step]]
    phase = "dawn-1.heir"
    close = true
    [[step]]
    phase = "day-1.talk"
    close = true
    [[step]]
    phase = "day-1.vote"
    close = true
"""


@pytest.mark.parametrize(
    ("data", "same"),
    [
        ('order = ["Ana", "Bob", "Chloé", "Denis"]', True),
        ('order = ["Bob", "Ana", "Chloé", "Denis"]', False),  # the rulebook says that its order matters
        ('pairs = [["c", "d"], ["a", "b"]]', True),
        ('pairs = [["d", "c"], ["a", "b"]]', False),
        ('pairs = [["a", "b"]]', False),
        ('pairs = [["a", "b"], ["a", "b"], ["c", "d"]]', False),
    ],
)
def test_lists_compare_as_sets_with_repeats_unless_their_order_matters(data, same):
    step = f'{VOTE}\nexpect = [{{ kind = "dusk", data = {{ {data} }} }}]'
    assert report(step).holds is same


def test_nested_tables_compare_whole():
    posts = VOTE.replace(
        '"day-1.vote"\n', '"day-1.vote"\n    post = [["Bob", "vote Ana"], ["Chloé", "Ana"], ["Ana", "Bob"]]\n'
    )
    holds(f'{posts}\nexpect = [{{ kind = "vote.tally", data = {{ counts = {{ Ana = 2, Bob = 1 }} }} }}]')
    fails(f'{posts}\nexpect = [{{ kind = "vote.tally", data = {{ counts = {{ Ana = 2 }} }} }}]', "vote.tally")


def test_a_phase_that_is_passed_over_is_not_opened():
    holds(VOTE.replace('"dawn-1.heir"', '"dawn-1.heir"\n    forbid = [{ data = { phase = "night-1.storm" } }]'))


def test_the_game_master_can_be_refused():
    holds('[[step]]\ngm = ["retirer Zorro"]\nrefuse = [{ from = "gm", code = "unknown-player" }]')
    fails('[[step]]\ngm = ["retirer Zorro"]', "gm was refused unknown-player")


def test_one_refuse_covers_every_refusal_of_that_player_with_that_code():
    said = 'say = [["Bob", "veiller Zorro"], ["Bob", "veiller Zaza"], ["Ana", "éteindre Zorro"]]'
    fails(f'[[step]]\n{said}\nrefuse = [{{ from = "Bob", code = "unknown-player" }}]', "Ana was refused unknown-player")
    both = '{ from = "Bob", code = "unknown-player" }, { from = "Ana", code = "unknown-player" }'
    holds(f"[[step]]\n{said}\nrefuse = [{both}]")


def test_a_refusal_that_does_not_come_or_has_no_refuse_fails():
    fails('[[step]]\nrefuse = [{ from = "Bob", code = "power-used" }]', "Bob should be refused power-used")
    fails('[[step]]\nsay = [["Bob", "éteindre Ana"]]', "Bob was refused not-your-turn: 'éteindre Ana'")


def test_a_private_line_that_is_not_understood_is_a_refusal():
    fails('[[step]]\nsay = [["Bob", "blabla"]]', "Bob was refused not-understood")
    holds('[[step]]\nsay = [["Bob", "blabla"]]\nrefuse = [{ from = "Bob", code = "not-understood" }]')


def test_talk_at_the_table_is_neither_an_order_nor_a_refusal():
    holds('[[step]]\npost = [["Bob", "Quelle nuit !"]]')
    fails('[[step]]\npost = [["Bob", "veiller Ana"]]', "Bob was refused wrong-channel")


def test_a_forced_draw_that_is_never_made_is_a_warning():
    for label in ("night-7.weather", "night-1.weather#2"):
        found = report(f'[dice]\n"{label}" = "calm"\n[[step]]\nclose = true')
        assert found.holds
        assert found.warnings == [f"the draw {label} was forced but never made"]
    assert report('[dice]\n"night-1.weather" = "calm"\n[[step]]\nclose = true').warnings == []


def test_a_draw_made_before_going_back_was_made():
    found = report(
        '[dice]\n"night-1.weather" = "calm"\n[[step]]\nclose = true\n[[step]]\ngm = ["revenir night-1.lamps"]'
    )
    assert (found.failures, found.warnings) == ([], [])


def test_a_forced_draw_that_is_not_possible_fails_and_names_the_label():
    fails(
        '[dice]\n"night-1.weather" = "fog"\n[[step]]\nclose = true', "night-1.weather: 'fog' is not among calm, storm"
    )
    fails("[[step]]", "set-up failed: roles", head=HEAD.replace('wrecker = "Ana"', 'wrecker = "Zorro"'))


def test_a_deal_may_name_some_of_the_players_only():
    holds(
        '[[step]]\nfacts = { "Denis.role" = "wrecker" }',
        HEAD.replace('wrecker = "Ana", keeper = "Bob"', 'wrecker = "Denis"'),
    )


def test_decoys_are_off():
    holds('[dice]\n"night-1.weather" = "calm"\n[[step]]\nclose = true\n[[step]]\nphase = "dawn-1.heir"')


def test_facts_are_compared_and_unknown_ones_named():
    holds(
        """
        [[step]]
        facts = { "Ana.role" = "wrecker", "game.night" = 1, "game.lit" = ["Bob", "Ana", "Élise", "Denis", "Chloé"] }
        """
    )
    fails('[[step]]\nfacts = { "Ana.role" = "keeper" }', "Ana.role is 'wrecker', expected 'keeper'")
    fails('[[step]]\nfacts = { "Ana.hat" = "red" }', "there is no fact 'Ana.hat'")
    fails('[[step]]\nfacts = { "game.night" = true }', "game.night is 1")


def test_expectations_are_counted_and_forbidden_ones_named():
    holds('[[step]]\nexpect = [{ kind = "role.assigned", count = 5 }, { kind = "dusk", count = 0 }]')
    fails('[[step]]\nexpect = [{ kind = "role.assigned", count = 4 }]', "found 5")
    fails(
        '[[step]]\nexpect = [{ to = "Bob", kind = "role.assigned", data = { role = "wrecker" } }]', "'role': 'keeper'"
    )
    fails('[[step]]\nforbid = [{ to = "Bob" }]', "forbidden any notice to Bob")
    fails('[[step]]\nforbid = [{ data = { role = "keeper" } }]', "found role.assigned to Bob")


FINAL = """
    [[step]]
    say = [["Ana", "éteindre Chloé"]]
    close = true
    [[step]]
    close = true
    [final]
"""
THREE = HEAD.replace(', "Denis", "Élise"', "")


@pytest.mark.parametrize(
    ("final", "same"),
    [
        ('over = true\nwinner_camp = "wreckers"\nwinners = ["Ana"]\nscores = { Ana = 1 }', True),
        ("scores = { Ana = 1, Bob = 0 }", True),
        ("scores = { Bob = 1 }", False),
        ("over = false", False),
        ('winners = ["Ana", "Bob"]', False),
        ("winners = []", False),
        ('winner_camp = "@none"', False),
    ],
)
def test_the_final_scores_key_by_key_and_the_winners_as_a_whole(final, same):
    assert report(FINAL + final, THREE).holds is same


def test_a_game_that_goes_on_has_no_winners():
    fails('[[step]]\n[final]\nwinners = ["Ana"]', "the game is not over")
    holds("[[step]]\n[final]\nover = false")


@pytest.mark.parametrize(
    ("options", "error", "same"),
    [
        ("rounds = 9", 'key = "rounds"', True),
        ("tides = 2", 'key = "tides"', True),
        ("rounds = 9", 'key = "wreckers"', False),
        ("rounds = 1", 'key = "rounds"', False),
    ],
)
def test_a_game_that_must_not_start(options, error, same):
    assert report(f"[options]\n{options}\n[setup_error]\n{error}").holds is same


def test_a_game_that_should_start_and_does_not_fails():
    fails("[options]\nrounds = 9\n[[step]]", "set-up failed: rounds")


def test_say_post_gm_are_taken_in_that_order_unless_do_says_otherwise():
    both = 'gm = ["météo calme", "clore"]\nsay = [["Bob", "quai"]]'
    holds(f"[[step]]\n{both}")
    acts = 'do = [["gm", "météo calme"], ["gm", "clore"], ["say", "Bob", "quai"], ["post", "Bob", "Salut"]]'
    fails(f"[[step]]\n{acts}", "Bob was refused not-understood: 'quai'")


def test_several_lines_in_one_message():
    holds('[[step]]\nsay = [["Bob", "quai\\nveiller Ana"]]\nclose = true')


def test_early_closing_is_off_unless_the_options_set_it_and_judged_after_whole_messages():
    answers = ", ".join(f'["{name}", "rien"]' for name in ("Ana", "Chloé", "Denis", "Élise"))
    bob = '["Bob", "quai\\nveiller Ana\\nsignaler Ana\\njurer"]'
    step = f'[[step]]\nsay = [{answers}, {bob}]\ngm = ["météo calme"]\n[[step]]'
    holds(f'{step}\nphase = "night-1.lamps"')
    holds(f'[options]\nearly_close = "all"\n{step}\nphase = "dawn-1.heir"')


def test_a_phase_that_does_not_match_fails_and_says_which_runs():
    fails('[[step]]\nphase = "day-1.vote"', "step 1 (day-1.vote): the game is in night-1.lamps")


@pytest.mark.parametrize(
    ("body", "where"),
    [
        ("wat = 1", "the scenario: unknown key 'wat'"),
        ("[[step]]\nphse = 'x'", "step 1: unknown key 'phse'"),
        ("[[step]]\nexpect = [{ knd = 'x' }]", "step 1, expect: unknown key 'knd'"),
        ("[[step]]\nforbid = [{ from = 'x' }]", "step 1, forbid: unknown key 'from'"),
        ("[[step]]\nrefuse = [{ from = 'x', kind = 'y' }]", "step 1, refuse: unknown key 'kind'"),
        ("[[step]]\nrefuse = [{ from = 'x' }]", "step 1, refuse: 'code' is missing"),
        ("[final]\nscore = 3", "final: unknown key 'score'"),
        ("[setup_error]\nmessage = 'x'", "setup_error: unknown key 'message'"),
        ("[[step]]\nsay = ['quai']", "is no act"),
        ("[[step]]\ndo = [['say', 'Bob']]", "is no act"),
        ("[[step]]\ndo = [['shout', 'Bob', 'quai']]", "is no act"),
        ("[[step]]\nsay = [['Zorro', 'quai']]", "'Zorro' has no seat in this game"),
    ],
)
def test_what_is_not_in_the_format_fails(body, where):
    fails(body, where)


def test_a_replaced_player_may_be_called_by_either_name():
    holds("""
        [[step]]
        gm = ["remplacer Bob par Zoé"]
        [[step]]
        say = [["Bob", "veiller Ana"], ["Zoé", "éteindre Ana"]]
        refuse = [{ from = "Bob", code = "not-your-turn" }]
        facts = { "Zoé.role" = "keeper" }
    """)


# The command ------------------------------------------------------------------------------------------------------


def write(folder: Path, name: str, body: str, head: str = HEAD) -> Path:
    path = folder / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(head + body, encoding="utf-8")
    return path


def test_the_command_runs_files_and_folders_and_says_what_fails(tmp_path, capsys):
    good = write(tmp_path, "deep/good.toml", "[[step]]")
    assert main(["scenario", str(good), "--variants", str(TOY)]) == 0
    assert "1 of 1 scenarios hold" in capsys.readouterr().out
    bad = write(tmp_path, "deep/bad.toml", '[[step]]\nphase = "day-1.vote"')
    assert main(["scenario", str(tmp_path), "--variants", str(TOY)]) == 1
    said = capsys.readouterr().out
    assert f"{bad}: step 1 (day-1.vote): the game is in night-1.lamps" in said
    assert "1 of 2 scenarios hold" in said


def test_machines_get_json(tmp_path, capsys):
    path = write(tmp_path, "one.toml", '[dice]\nnever = 1\n[[step]]\nphase = "x"')
    assert main(["scenario", "--json", str(path), "--variants", str(TOY)]) == 1
    (found,) = json.loads(capsys.readouterr().out)
    assert found["file"] == str(path)
    assert (found["id"], found["holds"]) == ("try", False)
    assert found["failures"] == ["step 1 (x): the game is in night-1.lamps"]
    assert isinstance(found["warnings"], list)


def test_a_presets_id_may_stand_for_the_variant(tmp_path):
    for name in ("phare", "phare-long"):
        body = f'{FINAL.replace("[final]", "")}\n[[step]]\nphase = "night-1.lamps"'
        path = write(tmp_path, f"{name}.toml", body, THREE.replace('"phare"', f'"{name}"'))
        assert main(["scenario", str(path), "--variants", str(TOY)]) == (0 if name == "phare-long" else 1)


@pytest.mark.parametrize(
    "body", ["variant = ", 'id = "x"', 'id = "x"\nvariant = "nope"', 'id = "x"\nvariant = "phare"']
)
def test_a_file_that_cannot_be_read_fails_and_the_others_go_on(tmp_path, capsys, body):
    write(tmp_path, "a.toml", body, "")
    write(tmp_path, "b.toml", "[[step]]")
    assert main(["scenario", str(tmp_path), str(tmp_path / "none.toml"), "--variants", str(TOY)]) == 1
    assert "1 of 3 scenarios hold" in capsys.readouterr().out


def test_no_scenario_at_all_is_no_success(tmp_path):
    assert main(["scenario", str(tmp_path)]) == 1
