"""Orders as people type them on a phone: each line, and what it is taken for (architecture §3).

"guard Chloé": taken; "!code": refused; "~": talk; "?word": a word answered at any time.
"""

from __future__ import annotations

import pytest
from toys import at_vote, gm, heard, phare, post, say

TABLE = (
    "Ana", "Bob", "Chloé", "Denis", "Élise", "Jean-Paul", "Marie", "Rose", "Le Chat", "O'Brien", "Anabelle", "Vote",
)  # fmt: skip
NOT = "!not-understood"

# What Bob, the keeper, writes in his night: he may veiller (guard), signaler, aller (bare places), graver, …
KEEPER = {
    # case, accents, punctuation, bullets, marks
    "veiller Chloé": "guard Chloé",
    "VEILLER CHLOE": "guard Chloé",
    "Veiller chloé.": "guard Chloé",
    "Veiller sur Chloé !": "guard Chloé",
    "veiller sur: Chloé": "guard Chloé",
    "veiller = Chloé": "guard Chloé",
    "veiller -> Chloé": "guard Chloé",
    "- veiller Chloé": "guard Chloé",
    "* veiller Chloé": "guard Chloé",
    "• veiller Chloé": "guard Chloé",
    "– veiller Chloé": "guard Chloé",
    "1) veiller Chloé": "guard Chloé",
    "2. veiller Chloé": "guard Chloé",
    "**veiller Chloé**": "guard Chloé",
    "veiller **Chloé**": "guard Chloé",
    "*veiller* _Chloé_": "guard Chloé",
    "__veiller__ `Chloé`": "guard Chloé",
    "« veiller Chloé »": "guard Chloé",
    "“veiller Chloé”": "guard Chloé",
    "(veiller Chloé)": "guard Chloé",
    "veiller 🙂 Chloé 🙏": "guard Chloé",
    "veiller\u00a0Chloé": "guard Chloé",
    "veiller\tChloé": "guard Chloé",
    "veil\u00adler Chlo\u200bé": "guard Chloé",
    "veiller Chloe\u0301": "guard Chloé",
    "veiller E\u0301lise": "guard Élise",
    "veiller elise": "guard Élise",
    "𝐯𝐞𝐢𝐥𝐥𝐞𝐫 𝐂𝐡𝐥𝐨𝐞": "guard Chloé",
    # quoted is somebody else's
    "> veiller Chloé": NOT,
    # crossed out is taken back
    "~~veiller Ana~~ veiller Chloé": "guard Chloé",
    "~~veiller Ana~~": NOT,
    # the verb in other forms, leads and courtesy
    "je veille sur Chloé": "guard Chloé",
    "Je veille Chloé svp": "guard Chloé",
    "veiller Chloé s'il te plaît": "guard Chloé",
    "veiller Chloé s’il vous plait, merci": "guard Chloé",
    "Bonsoir, je voudrais veiller sur Chloé, merci !": "guard Chloé",
    "j'aimerais bien veiller Chloé cette nuit": "guard Chloé",
    "finalement veiller Chloé": "guard Chloé",
    "Alors du coup je veille Chloé": "guard Chloé",
    "merci de veiller Chloé": "guard Chloé",
    "Mon choix : veiller Chloé": "guard Chloé",
    "I would like to guard Chloé please": "guard Chloé",
    "i'll guard chloe": "guard Chloé",
    "Watch over Chloe, thanks": "guard Chloé",
    # typos of the command, prefixes and typos of names
    "veiler Chloé": "guard Chloé",
    "vieller Chloé": "guard Chloé",
    "veillr Chloé": "guard Chloé",
    "veiller Chl": "guard Chloé",
    "veiller Cloé": "guard Chloé",
    "veiller Choé": "guard Chloé",
    "veiller C": "guard Chloé",
    "veiller Bobb": "guard Bob",
    "veiller Anna": "guard Ana",
    "veiller Dennis": "guard Denis",
    "veiller Deins": "guard Denis",
    # names that begin like others, or hold more than letters
    "veiller Ana": "guard Ana",
    "veiller Anabelle": "guard Anabelle",
    "veiller Anab": "guard Anabelle",
    "veiller Anabele": "guard Anabelle",
    "veiller An": "!ambiguous-player",
    "veiller Jean-Paul": "guard Jean-Paul",
    "veiller jean paul": "guard Jean-Paul",
    "veiller Jeanpaul": "guard Jean-Paul",
    "veiller jean": "guard Jean-Paul",
    "veiller Le Chat": "guard Le Chat",
    "veiller sur le chat": "guard Le Chat",
    "veiller chat": "guard Le Chat",
    "veiller O'Brien": "guard O'Brien",
    "veiller O’Brien": "guard O'Brien",
    "veiller obrien": "guard O'Brien",
    "veiller Rose": "guard Rose",
    "veiller Vote": "guard Vote",
    # never guessed
    "veiller Rose ou Marie": "!ambiguous-player",
    "veiller Rose ou bien Mar": NOT,
    "veiller Rose et Marie": "!too-many",
    "veiller Rose, Marie": "!too-many",
    "veiller Rose Rose": "guard Rose",
    "veiller Zorro": "!unknown-player",
    "veiller": "!missing-argument",
    "veiller sur": "!missing-argument",
    "veiller Chloé non Marie": NOT,
    "veiller la salle": "!unknown-player",
    # negations and questions order nothing
    "je ne veille pas Chloé": NOT,
    "ne pas veiller Chloé": NOT,
    "veiller pas Chloé": NOT,
    "surtout pas veiller Ana": NOT,
    "I do not guard Chloé": NOT,
    "don't guard Chloé": NOT,
    "never guard Chloé": NOT,
    "pas quai": NOT,
    "veiller Chloé ?": NOT,
    "quai ?": NOT,
    "Est-ce que je peux veiller Ana ?": NOT,
    "qui veiller ?": NOT,
    "Can I guard Ana?": NOT,
    # explanations are let pass
    "veiller Chloé car elle n'a rien dit": "guard Chloé",
    "veiller Chloé parce que Rose ment": "guard Chloé",
    "veiller Chloé, pas Rose": "guard Chloé",
    "veiller Chloé (je la crois, et vous ?)": "guard Chloé",
    "veiller Chloé because she is nice": "guard Chloé",
    "veiller Chloé. On verra bien.": "guard Chloé",
    "veiller Chloé lol": "guard Chloé",
    "veiller Chloé :p": "guard Chloé",
    # bare places; several words; small words inside; abbreviations
    "quai": "go quay",
    "Le quai.": "go quay",
    "au quai": "go quay",
    "**Quai**": "go quay",
    "finalement le quai": "go quay",
    "je vais au quai": "go quay",
    "aller vers le quai svp": "go quay",
    "quay": "go quay",
    "salle de veille": "go watch",
    "Salle veille": "go watch",
    "la salle de la veille": "go watch",
    "salledeveille": "go watch",
    "vieux": "go old",
    "viex phare": "go old",
    "vieux phrae": "go old",
    "salle": "!ambiguous-place",
    "la sal": "!ambiguous-place",
    "le viex phare": "go old",
    "aller salle": "!ambiguous-place",
    "quai ou vieux phare": "!ambiguous-place",
    "quai et vieux phare": "!ambiguous-place",
    "salle des machines": "!far-away",
    "aller à la plage": "!unknown-place",
    "plage": NOT,
    "aller": "!missing-argument",
    # the asks decide between two readings: "veille" is a place, alone, and a verb before a name
    "veille": "go watch",
    "veille Chloé": "guard Chloé",
    # nothing at all
    "dormir": "sleep",
    "je dors.": "sleep",
    "rien": "pass",
    "Rien !": "pass",
    "je passe": "pass",
    "je ne fais rien": "pass",
    "nothing": "pass",
    "rien de spécial à dire": NOT,
    # lists
    "signaler Ana et Chloé": "signal Ana+Chloé",
    "signaler Ana, Chloé": "signal Ana+Chloé",
    "signaler Ana & Chloé": "signal Ana+Chloé",
    "signaler Ana + Chloé": "signal Ana+Chloé",
    "signaler Ana/Chloé": "signal Ana+Chloé",
    "signaler Ana Chloé": "signal Ana+Chloé",
    "signal Ana and Chloe": "signal Ana+Chloé",
    "signaler chlo puis ana": "signal Chloé+Ana",
    "signaler Ana": "signal Ana",
    "signaler Ana parce que Chloé dort": "signal Ana",
    "signaler Ana, Chloé, Rose": "!too-many",
    "signaler Ana et Ana": "!same-twice",
    "signaler Ana et Zorro": "!unknown-player",
    "signaler Ana ou Chloé": "!ambiguous-player",
    "signaler Ana et Bob": "!self-target",
    # numbers, optional arguments
    "cloche 2": "bell 2",
    "sonner la cloche : 2": "bell 2",
    "cloche deux": "bell 2",
    "cloche ²": "bell 2",
    "cloche 9": "!too-many",
    "cloche 99999999999999999999999999": "!too-many",
    "cloche": "!missing-argument",
    "jurer": "swear",
    "je jure Ana": "swear Ana",
    # texts are kept as typed
    "graver Ana est là, méfiez-vous !": "carve Ana est là, méfiez-vous !",
    "Graver : Ana est là": "carve Ana est là",
    "graver: « oui » ?": "carve « oui » ?",
    "graver **Ana** ment": "carve **Ana** ment",
    "**graver coucou**": "carve coucou",
    "**graver** : coucou": "carve coucou",
    "*graver* coucou": "carve coucou",
    "- graver ne votez pas Bob": "carve ne votez pas Bob",
    "graver L’été s’en va…": "carve L’été s’en va…",
    "graver": "!missing-argument",
    "graver :": "!missing-argument",
    "chuchoter Ana : salut, toi": "whisper Ana salut, toi",
    "chuchoter à Ana salut": "whisper Ana salut",
    "chuchoter [b]Ana[/b] : [i]salut[/i] toi": "whisper Ana [i]salut[/i] toi",
    "[b]chuchoter Ana : salut[/b]": "whisper Ana salut",
    "je chuchote à Chlo : à demain": "whisper Chloé à demain",
    "chuchoter Ana": "!missing-argument",
    # words at any time, never by a slip
    "aide": "?help",
    "Aide !": "?help",
    "?": "?help",
    "état": "?status",
    "etat svp": "?status",
    "Quel est mon état ?": NOT,
    "règles": "?rules",
    "players": "?players",
    "abandon": "?resign",
    "j'abandonne": "?resign",
    "abandn": NOT,
    "abandons": NOT,
    # what is not his, or not now
    "éteindre Chloé": "!not-your-turn",
    "vote Chloé": "!wrong-channel",
    "annuler veiller": "!not-your-turn",
    # talk in private is not understood
    "merci": NOT,
    "Bonsoir à tous": NOT,
    "Je pense que Chloé est gentille": NOT,
    "🙂": NOT,
    "ok": NOT,
    "Chloé": NOT,
    "chloe quai": NOT,
}

# What Ana, the wrecker, writes: a name alone is enough for éteindre (douse).
WRECKER = {
    "Chloé": "douse Chloé",
    "chloe": "douse Chloé",
    "**CHLOÉ**": "douse Chloé",
    "Chlo": "douse Chloé",
    "Chloé svp": "douse Chloé",
    "Rose": "douse Rose",
    "Marie": "douse Marie",
    "Vote": "douse Vote",
    "le chat": "douse Le Chat",
    "Denis car il dort": "douse Denis",
    "Denis ou Rose": "!ambiguous-player",
    "an": "!ambiguous-player",
    "Denis ?": NOT,
    "pas Denis": NOT,
    "bonsoir Denis": NOT,
    "merci Denis": NOT,
    "Denis, je te vois": NOT,
    "Denis dort": NOT,
    "non": NOT,
    "d": NOT,
    "quai": "go quay",
    "J’ÉTEINS « Denis »": "douse Denis",
    "put out denis": "douse Denis",
    "etiendre Denis": "douse Denis",
    "éteindre moi": "!unknown-player",
    "éteindre Ana": "!self-target",
}

# What Bob writes at the table while the island votes; Élise is dead.
AT_THE_TABLE = {
    "vote Ana": "vote Ana",
    "Vote : ana": "vote Ana",
    "je vote pour Ana !": "vote Ana",
    "**vote Ana**": "vote Ana",
    "vote **Ana**": "vote Ana",
    "Bonsoir, je vote Ana": "vote Ana",
    "vote An": "!ambiguous-player",
    "vote Anna": "vote Ana",
    "vote chat": "vote Le Chat",
    "i vote ana": "vote Ana",
    "Ana": "vote Ana",
    "**Ana**": "vote Ana",
    "*ana*": "vote Ana",
    "[b]Ana[/b]": "vote Ana",
    "[B]vote Ana[/B]": "vote Ana",
    "vote [color=red]Ana[/color] !": "vote Ana",
    "- Ana": "vote Ana",
    "Ana !": "vote Ana",
    "Rose": "vote Rose",
    "Marie": "vote Marie",
    "le chat": "vote Le Chat",
    "Élise": "!dead-target",
    "vote Élise": "!dead-target",
    "vote Zorro": "!unknown-player",
    "vote pour Zorro": "!unknown-player",
    "vote Ana ou Chloé": "!ambiguous-player",
    "vote Ana, Chloé": "!too-many",
    "Vote Ana car c'est louche, non ?": "vote Ana",
    "veiller Ana": "!wrong-channel",
    "dormir": "!wrong-channel",
    "graver : salut": "!wrong-channel",
    "chuchoter : salut": "!wrong-channel",
    "chuchoter Ana salut": "!wrong-channel",
    "chuchoter à Ana : salut": "!wrong-channel",
    "chuchotter Ana : salut": "!wrong-channel",
    "Bonsoir, chuchoter Ana salut": "!wrong-channel",
    "je veux chuchoter à Ana : salut": "!wrong-channel",
    "veillre Ana": "!wrong-channel",
    "gravre : salut": "~",
    "Chuchotons, Ana !": "~",
    "Chuchoter encore un peu": "~",
    "je veux chuchoter à Ana": "~",
    "Veillez Ana !": "~",
    # talk
    "Ana,": "~",
    "Ana :": "~",
    "@Ana": "~",
    "> **Ana**": "~",
    "> vote Ana": "~",
    "Anna": "~",
    "An": "~",
    "Chlo": "~",
    "Ana ?": "~",
    "Ana merci": "~",
    "bonsoir Ana": "~",
    "Ana, Chloé": "~",
    "Ana est louche": "~",
    "Rose et Marie sont de mèche": "~",
    "vote Ana ?": "~",
    "je ne vote pas Ana": "~",
    "Je voudrais voter Ana": "~",
    "votr Ana": "~",
    "Vote intéressant hier soir !": "~",
    "Vote serré hier": "~",
    "voter Ana serait une erreur": "~",
    "Veiller sur Ana serait bien": "~",
    "Dormir, c'est bien": "~",
    "Dormir c'est bien": "~",
    "Chuchoter n'est pas jouer": "~",
    "rien": "~",
    "aide": "~",
    "abandon": "~",
    "~~vote Ana~~": "~",
    "[s]vote Ana[/s]": "~",
    "[b]Ana est louche[/b]": "~",
    "Quai": "~",
    "🙂": "~",
}


@pytest.fixture(scope="module")
def night():
    return phare(TABLE)


@pytest.fixture(scope="module")
def vote(night):
    return at_vote(night)


@pytest.mark.parametrize(("line", "taken"), KEEPER.items())
def test_what_the_keeper_writes(night, line, taken):
    assert heard(say(night, "Bob", line)) == [taken]


@pytest.mark.parametrize(("line", "taken"), WRECKER.items())
def test_what_the_wrecker_writes(night, line, taken):
    assert heard(say(night, "Ana", line)) == [taken]


@pytest.mark.parametrize(("line", "taken"), AT_THE_TABLE.items())
def test_what_is_said_at_the_table(vote, line, taken):
    assert heard(post(vote, "Bob", line)) == [taken]


SEVERAL = {
    "veiller Chloé, quai": ["guard Chloé", "go quay"],
    "veiller Chloé + quai": ["guard Chloé", "go quay"],
    "quai et veiller Chloé": ["go quay", "guard Chloé"],
    "quai; veiller Chloé; cloche 2": ["go quay", "guard Chloé", "bell 2"],
    "veiller Chloé puis aller au vieux phare": ["guard Chloé", "go old"],
    "Veiller Chloé. Aller au quai.": ["guard Chloé", "go quay"],
    "je veille Chloé et je vais au quai svp": ["guard Chloé", "go quay"],
    "signaler Ana et Chloé et quai": ["signal Ana+Chloé", "go quay"],
    "quai, graver coucou, et voilà": ["go quay", "carve coucou, et voilà"],
    "dormir; dormir": ["sleep", "sleep"],
    "veiller Chloé. veiller Marie": ["guard Chloé", "guard Marie"],
    # one that is not right is refused on its own
    "veiller Chloé et éteindre Ana": ["guard Chloé", "!not-your-turn"],
    # one that cannot be read leaves the whole line unread
    "veiller Chloé et blabla": [NOT],
    # several lines, with greetings between them
    "Bonsoir,\n\nveiller Chloé\nquai\n\nMerci !": ["~", "guard Chloé", "go quay", "~"],
    "Bonsoir maître,\nveiller Chloé": ["~", "guard Chloé"],
    "Bonjour Satoshi,\nveiller Chloé": ["~", "guard Chloé"],
    "Bonjour Satoshi\nveiller Chloé": [NOT, "guard Chloé"],
    "Bonjour Satoshi,": [NOT],
    # signed with his own name: he does not guard himself
    "veiller Chloé\n\nBob": ["guard Chloé", "~"],
    "veiller Chloé\nbises\n- Bob": ["guard Chloé", "~", "~"],
    "> Que faites-vous ?\nveiller Chloé": ["~", "guard Chloé"],
    "bonjour\nmerci": [NOT, NOT],
    "veiller Chloé\r\nquai": ["guard Chloé", "go quay"],
}


@pytest.mark.parametrize(("text", "taken"), SEVERAL.items())
def test_several_orders_in_one_message(night, text, taken):
    assert heard(say(night, "Bob", text)) == taken


def test_the_game_masters_command_of_the_game(night):
    for line in ("météo tempête", "METEO : tempete.", "weather storm", "météo tempete parce que c'est l'hiver"):
        assert heard(gm(night, line)) == ["weather storm"], line


def test_an_exact_name_beats_a_word_of_the_game():
    """Players called as words of the game can be named wherever a player may be (architecture §3)."""
    game = phare(("Ana", "Bob", "Quai", "Dormir", "Rien", "Aide", "Veille"))
    for name in ("Quai", "Dormir", "Rien", "Aide", "Veille"):
        assert heard(say(game, "Ana", name)) == [f"douse {name}"]
        assert heard(say(game, "Bob", f"veiller {name}")) == [f"guard {name}"]
    assert heard(say(game, "Bob", "quai")) == ["go quay"]
    assert heard(say(game, "Bob", "rien")) == ["pass"]


def test_a_typo_never_turns_a_word_into_another_thing():
    """A word of the game is no mistyped name, a name no mistyped command or choice (architecture §3)."""
    game = phare(("Ana", "Bob", "Garde", "Quais", "Voter"))
    assert heard(say(game, "Bob", "veiller garder")) == ["!unknown-player"]
    assert heard(say(game, "Bob", "aller Quais")) == ["!unknown-place"]
    assert heard(say(game, "Bob", "Garde Ana")) == [NOT]
    game = phare(("Ana", "Bob", "Julie", "Julia"))
    assert heard(say(game, "Bob", "veiller Julio")) == ["!ambiguous-player"]
    assert heard(say(game, "Bob", "veiller Julie")) == ["guard Julie"]


def test_names_in_other_scripts_and_with_digits():
    game = phare(("Ana", "Bob", "Ольга", "Øystein", "小明", "R2D2", "Joueur 1", "Joueur 12", "Łukasz", "Zoë 🦊"))
    for typed, name in {
        "ольга": "Ольга",
        "Ольг": "Ольга",
        "oystein": "Øystein",
        "小明": "小明",
        "r2d2": "R2D2",
        "joueur 1": "Joueur 1",
        "Joueur 12": "Joueur 12",
        "lukasz": "Łukasz",
        "zoe": "Zoë 🦊",
    }.items():
        assert heard(say(game, "Bob", f"veiller {typed}")) == [f"guard {name}"], typed
    assert heard(say(game, "Bob", "veiller joueur 3")) == ["!ambiguous-player"]
    assert heard(say(game, "Bob", "veiller R2D3")) == ["!unknown-player"]


def test_former_names_are_still_understood():
    game = gm(phare(TABLE), "remplacer Chloé par Zoé").game
    assert heard(say(game, "Bob", "veiller Chloé")) == ["guard Zoé"]
    assert heard(say(game, "Bob", "veiller zoe")) == ["guard Zoé"]
