"""Every notice, order, ask, refusal, role and letter of every game has words in both languages (issue §7)."""

from __future__ import annotations

import re
import unicodedata

import pytest

from mailgm.engine import GM, PASS, PUBLIC, Argument, Ask, Notice, Order, Spec, Verdict
from mailgm.engine.habits import ANYTIME
from mailgm.engine.master import WORDS
from mailgm.render import Reader, Rendered, Renderer
from mailgm.shipped import shipped
from tests.render.samples import DEADLINE, LAMPS, LANGS, LIBRARY, PLAYERS, TABLE, notices, reader, samples, view, worded

RENDERER = Renderer()
TEMPLATES = shipped("templates")
SECRET_WORDS = re.compile(r"dracula,|vampire|humain|human|loup|wolf|rôle|role|mord|bite|mort|dead", re.IGNORECASE)

# What a game is called is no secret.
TITLES = [title for name in LIBRARY.ids() for title in LIBRARY.variant(name).spec.title.values()]


def good(rendered: Rendered) -> None:
    """What holds for every message: all forms there, no template left in it, no line too wide, no telling subject."""
    for form in (rendered.text, rendered.html, rendered.bbcode, rendered.markdown):
        assert form.strip()
        assert "{{" not in form
        assert "{%" not in form
        assert "None" not in form
        assert "[]" not in form
        assert not [char for char in form if unicodedata.category(char) == "Co"]
    assert "\n\n\n" not in rendered.text
    for line in rendered.text.splitlines():
        assert len(line) <= 72 or " " not in line.strip("> -"), line
    assert "\n" not in rendered.subject
    told = rendered.subject
    for title in TITLES:
        told = told.replace(title, "")
    assert not SECRET_WORDS.search(told)


def spec_of(name: str) -> Spec:
    return LAMPS if name == "common" else LIBRARY.variant(name).spec


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", ["common", *worded()])
def test_every_notice_has_words(name: str, lang: str) -> None:
    found = notices(name)
    assert found, f"tests/render/kinds/{name}.toml holds no sample notice"
    for notice in found:
        game = view(spec_of(name), title={"fr": "Le Phare", "en": "The Lighthouse"})
        good(RENDERER.notices(game, reader(notice, lang), [notice], deadline=DEADLINE))


def argument_values(spec: Spec, argument: Argument) -> tuple[object, ...]:
    if argument.kind == "player":
        return PLAYERS[:3]
    if argument.kind == "choice":
        return tuple(spec.tables[argument.words])
    return (1, 2, 3) if argument.kind == "number" else ()


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", worded())
def test_every_command_is_asked_for_and_confirmed_in_words(name: str, lang: str) -> None:
    spec = spec_of(name)
    game = view(spec)
    for command in spec.commands.values():
        legal = {one.name: argument_values(spec, one) for one in command.args if one.kind != "text"}
        who = GM if command.actor == "gm" else "Ana"
        args = {
            one.name: "un mot" if one.kind == "text" else legal[one.name][:2] if one.listed else legal[one.name][0]
            for one in command.args
        }
        for given in ({key: args[key] for key in args if command.argument(key).least > 0}, args):
            order = Order(who, command.id, given, 1, command.channel, command.id)
            verdict = Verdict(who, "accepted", "…", command.id, order)
            for need in ("required", "optional", "side"):
                ask = Ask(who, command.id, legal, need=need, channel=command.channel)  # type: ignore[arg-type]
                who_reads = Reader(who, lang, is_gm=who == GM)
                good(RENDERER.reply(game, who_reads, [verdict], [ask], [ask], DEADLINE))


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", worded())
def test_every_refusal_says_why(name: str, lang: str) -> None:
    spec = spec_of(name)
    common = {file.stem for file in (TEMPLATES / "fr/common/refusals").glob("*.md")}
    for code in sorted({*spec.refusals, *common}):
        for accepted, details in (((), {}), (("Ana", "Bob"), {"value": "Chloé", "typed": "Clo", "most": 2})):
            verdict = Verdict("Ana", "refused", "voter Clo", code=code, accepted=accepted, details=details)
            rendered = RENDERER.reply(view(spec), Reader("Ana", lang), [verdict], deadline=DEADLINE)
            good(rendered)
            assert "voter Clo" in rendered.text


@pytest.mark.parametrize("lang", LANGS)
@pytest.mark.parametrize("name", worded())
def test_every_game_has_short_rules_and_every_role_its_letter(name: str, lang: str) -> None:
    spec = spec_of(name)
    assert (TEMPLATES / lang / name / "rules.md").is_file()
    good(RENDERER.reply(view(spec), Reader("Ana", lang), [Verdict("Ana", "asked", "règles", "rules")]))
    roles = {str(one.data["role"]) for one in notices(name) if one.kind == "role.assigned"}
    letters = {file.stem for file in (TEMPLATES / lang / name / "roles").glob("*.md")}
    assert roles <= letters
    # Where roles are files of a pool, each of them.
    pool = {role for role in spec.choices.get("cards", ()) if not role.isdigit()}
    assert pool - letters == set(), f"no templates/{lang}/{name}/roles/<role>.md"
    assert pool - roles == set(), f"no role.assigned sample in tests/render/kinds/{name}.toml"


@pytest.mark.parametrize("lang", LANGS)
def test_every_letter_and_answer_has_words(lang: str) -> None:
    told = {notice.kind: notice for notice in notices("common")}
    for letter in samples("common")["letter"]:
        who = Reader(GM, lang, is_gm=True) if letter["name"].startswith("gm/") else Reader("Ana", lang)
        shown = [told["gm.word"], told["table.post"]]
        good(RENDERER.letter(view(LAMPS), who, letter["name"], letter["data"], notices=shown, deadline=DEADLINE))
    for answer in samples("common")["answer"]:
        is_gm = answer.get("gm", False)
        data = dict(answer.get("data", {}))
        if "told" in answer:
            data["told"] = [told[kind] for kind in answer["told"]]
        if "owing" in answer:
            data["owing"] = {name: [Ask(name, PASS)] for name in answer["owing"]}
        who = Reader(GM if is_gm else "Ana", lang, is_gm=is_gm)
        verdict = Verdict(
            who.name, "done" if is_gm else "asked", "…", answer["word"], details=answer.get("details", {})
        )
        good(RENDERER.reply(view(LAMPS, phase="day-2.talk"), who, [verdict], answers={answer["word"]: data}))
    good(RENDERER.stranger(lang, {"address": "jeu@example.org"}))


# Words that the service answers itself: about a player's addresses, and about messages that are passed on.
OWN_WORDS = ("renew", "accept")
PASSED_ON = ("whose", "played-for", "order-given", "renewed")


@pytest.mark.parametrize("lang", LANGS)
def test_every_word_that_is_answered_at_any_time_has_an_answer(lang: str) -> None:
    answered = {(one.get("gm", False), one["word"]) for one in samples("common")["answer"]}
    assert answered == {(False, word) for word in (*ANYTIME, *OWN_WORDS)} | {
        (True, word) for word in (*WORDS, *PASSED_ON)
    }


@pytest.mark.parametrize("lang", LANGS)
def test_every_note_has_words(lang: str) -> None:
    for file in (TEMPLATES / lang / "common/notes").glob("*.md"):
        good(RENDERER.reply(view(LAMPS), Reader("Ana", lang), [], notes=[file.stem]))


@pytest.mark.parametrize("state", [{}, {"paused": True}, {"over": True}, {"table": ""}])
@pytest.mark.parametrize("lang", LANGS)
def test_frames_hold_in_every_state_of_a_game(lang: str, state: dict[str, object]) -> None:
    game = view(LAMPS, **state)
    post = Notice("table.post", PUBLIC, {"author": "Bob", "text": "Bonjour", "ballots": {"Bob": None, "Ana": ("Bob",)}})
    word = Notice("gm.word", "Ana", {"text": "Bonjour"})
    asks = [Ask("Ana", PASS, final=True), Ask("Ana", PASS, need="optional", channel="public", final=True)]
    for who in (Reader("Ana", lang), Reader(GM, lang, is_gm=True)):
        good(RENDERER.notices(game, who, [post, word], asks, DEADLINE))
        good(RENDERER.notices(game, who, [], asks, DEADLINE, reminder=True))
        good(RENDERER.post(game, who, [post], asks, DEADLINE))
        good(RENDERER.post(game, who, [post, word, post], asks, DEADLINE))
        refused = Verdict(who.name, "refused", "xyz", code="not-understood")
        good(RENDERER.reply(game, who, [refused], asks, asks, DEADLINE, notices=[word]))
        good(RENDERER.reply(game, who, [refused], [], asks, None))
    assert TABLE not in RENDERER.notices(view(LAMPS, table=""), Reader("Ana", lang), []).text


# The folders ---------------------------------------------------------------------------------------------------------


def files(lang: str) -> set[str]:
    return {str(file.relative_to(TEMPLATES / lang)) for file in (TEMPLATES / lang).rglob("*") if file.is_file()}


def test_both_languages_have_the_same_templates() -> None:
    assert files("fr") == files("en")


FRAMES = {
    "mail",
    "reminder",
    "reply",
    "post",
    "digest",
    "stranger",
    "subject",
    "stranger-subject",
    "words",
    "shell",
    "rules",
}
GM_FRAMES = {"gm/mail", "gm/reminder", "gm/reply", "gm/post", "gm/subject"}


def code_and_data() -> str:
    """All that may name a refusal or a note."""
    roots = (TEMPLATES.parent / "mailgm", TEMPLATES.parent / "variants")
    files = (file for root in roots for file in (*root.rglob("*.py"), *root.rglob("variant.toml")))
    return "".join(file.read_text("utf-8") for file in files)


def used(folder: str, name: str, code: str) -> bool:
    """Whether templates/<lang>/<folder>/<name> answers to something: a notice, a command, a refusal, a frame, …"""
    group, _, last = name.rpartition("/")
    spec = LAMPS if folder == "common" else LIBRARY.preset(folder).variant.spec
    if group in ("asks", "orders"):
        return last in spec.commands or last == PASS
    if group == "refusals":
        # The codes of all games stand in their variant.toml, which is part of `code`.
        return last in spec.refusals or f'"{last.removeprefix("when-")}"' in code
    if group == "notes":
        return f'"{last}"' in code
    if group == "roles":
        return all(last in spec.labels[lang] for lang in LANGS)
    if group in ("commands", "gm/done"):
        return last in ((*ANYTIME, *OWN_WORDS) if group == "commands" else (*WORDS, *PASSED_ON))
    letters = {one["name"] for one in samples("common").get("letter", ())}
    return name in FRAMES | GM_FRAMES | letters | {one.kind for one in notices(folder)}


def test_no_template_is_unused() -> None:
    source = "".join(file.read_text("utf-8") for file in (TEMPLATES / "fr").rglob("*.md"))
    included = set(re.findall(r'include "([^"]+)"', source))
    code = code_and_data()
    for file in sorted(files("fr")):
        folder, _, rest = file.partition("/")
        name = re.sub(r"\.(md|txt|toml)$", "", rest)
        if name.startswith("shell/"):
            continue  # the sentences of the commands: tests/cli/test_said.py
        assert folder in ("common", *LIBRARY.ids(), *LIBRARY.presets()), f"templates/fr/{folder} belongs to no game"
        assert name in included or used(folder, name, code), f"templates/fr/{file} is never used"
