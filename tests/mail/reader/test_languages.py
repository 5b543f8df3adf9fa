"""Attribution lines and header fields of many languages; the texts are the clients' own forms."""

# ruff: noqa: E501 - one form a line
from __future__ import annotations

import pytest

from mailgm.mail.reader import extract_text

ATTRIBUTIONS = {
    "en": "On Tue, Mar 12, 2024 at 10:12 AM Ana Martin <ana@example.org> wrote:",
    "en apple": "On 12 Mar 2024, at 10:12, Ana Martin <ana@example.org> wrote:",
    "en no address": "On 12/03/2024 10:12, Ana Martin wrote:",
    "fr": "Le mar. 12 mars 2024 à 10:12, Ana Martin <ana@example.org> a écrit :",
    "fr first": "Le 1er mars 2024 à 10:12, Ana Martin <ana@example.org> a écrit :",
    "de": "Am Di., 12. März 2024 um 10:12 Uhr schrieb Ana Martin <ana@example.org>:",
    "de thunderbird": "Am 12.03.24 um 10:12 schrieb Ana Martin:",
    "es": "El mar, 12 mar 2024 a las 10:12, Ana Martin (<ana@example.org>) escribió:",
    "it": "Il giorno mar 12 mar 2024 alle ore 10:12 Ana Martin <ana@example.org> ha scritto:",
    "pt": "Em ter., 12 de mar. de 2024 às 10:12, Ana Martin <ana@example.org> escreveu:",
    "pt dia": "No dia terça-feira, 12 de março de 2024, Ana Martin <ana@example.org> escreveu:",
    "nl": "Op di 12 mrt 2024 om 10:12 schreef Ana Martin <ana@example.org>:",
    "pl": "wt., 12 mar 2024 o 10:12 Ana Martin <ana@example.org> napisał(a):",
    "pl wp": "W dniu 12.03.2024 o 10:12, Ana Martin pisze:",
    "sv": "Den tis 12 mars 2024 kl 10:12 skrev Ana Martin <ana@example.org>:",
    "da": "Den tir. 12. mar. 2024 kl. 10.12 skrev Ana Martin <ana@example.org>:",
    "no": "tir. 12. mars 2024 kl. 10:12 skrev Ana Martin <ana@example.org>:",
    "fi": "ti 12. maalisk. 2024 klo 10.12 Ana Martin (ana@example.org) kirjoitti:",
    "cs": "út 12. 3. 2024 v 10:12 odesílatel Ana Martin <ana@example.org> napsal:",
    "sk": "ut 12. 3. 2024 o 10:12 Ana Martin <ana@example.org> napísal(a):",
    "hu": "Ana Martin <ana@example.org> ezt írta (időpont: 2024. márc. 12., K, 10:12):",
    "ro": "În mar., 12 mar. 2024 la 10:12, Ana Martin <ana@example.org> a scris:",
    "ru": "вт, 12 мар. 2024 г. в 10:12, Ana Martin <ana@example.org>:",
    "uk": "вт, 12 бер. 2024 р. о 10:12 Ana Martin <ana@example.org> пише:",
    "tr": "Ana Martin <ana@example.org>, 12 Mar 2024 Sal, 10:12 tarihinde şunu yazdı:",
    "el": "Στις Τρί 12 Μαρ 2024 στις 10:12 μ.μ., ο/η Ana Martin <ana@example.org> έγραψε:",
    "hr": "uto, 12. ožu 2024. u 10:12 Ana Martin <ana@example.org> napisao je:",
    "et": "Ana Martin <ana@example.org> kirjutas kuupäeval T, 12. märts 2024 kell 10:12:",
    "ca": "Missatge de Ana Martin <ana@example.org> del dia dt., 12 de març 2024 a les 10:12:",
    "ja": "2024年3月12日(火) 10:12 Ana Martin <ana@example.org>:",
    "zh": "Ana Martin <ana@example.org> 于2024年3月12日周二 10:12写道：",
    "zh apple": "在 2024年3月12日，上午10:12，Ana Martin <ana@example.org> 写道：",
    "ko": "2024년 3월 12일 (화) 오전 10:12, Ana Martin <ana@example.org>님이 작성:",
    "he": "\u202bבתאריך יום ג׳, 12 במרץ 2024 ב-10:12 מאת Ana Martin <\u202aana@example.org\u202c>:\u202c",
    "yandex": "12.03.2024, 10:12, \"Ana Martin\" <ana@example.org>:",
    "zoho": "---- On Tue, 12 Mar 2024 10:12:34 +0100 Ana Martin <ana@example.org> wrote ----",
    "zoho fr": "---- Le mar., 12 mars 2024 10:12:34 +0100 Ana Martin <ana@example.org> a écrit ----",
}  # fmt: skip

FIELDS = {
    "en": ("From", "Sent", "To", "Subject"), "fr": ("De", "Envoyé", "À", "Objet"), "de": ("Von", "Gesendet", "An", "Betreff"),
    "es": ("De", "Enviado", "Para", "Asunto"), "it": ("Da", "Inviato", "A", "Oggetto"), "pt": ("De", "Enviada em", "Para", "Assunto"),
    "nl": ("Van", "Verzonden", "Aan", "Onderwerp"), "pl": ("Od", "Wysłano", "Do", "Temat"), "sv": ("Från", "Skickat", "Till", "Ämne"),
    "da": ("Fra", "Sendt", "Til", "Emne"), "fi": ("Lähettäjä", "Lähetetty", "Vastaanottaja", "Aihe"), "cs": ("Od", "Odesláno", "Komu", "Předmět"),
    "sk": ("Od", "Odoslané", "Komu", "Predmet"), "hu": ("Feladó", "Elküldve", "Címzett", "Tárgy"), "ro": ("De la", "Trimis", "Către", "Subiect"),
    "ru": ("От", "Отправлено", "Кому", "Тема"), "uk": ("Від", "Надіслано", "Кому", "Тема"), "tr": ("Kimden", "Gönderildi", "Kime", "Konu"),
    "el": ("Από", "Στάλθηκε", "Προς", "Θέμα"), "hr": ("Od", "Poslano", "Prima", "Predmet"), "et": ("Saatja", "Saadetud", "Adressaat", "Teema"),
    "zh": ("发件人", "发送时间", "收件人", "主题"), "ja": ("差出人", "送信日時", "宛先", "件名"), "ko": ("보낸 사람", "보낸 날짜", "받는 사람", "제목"),
}  # fmt: skip


@pytest.mark.parametrize("language", ATTRIBUTIONS)
def test_an_attribution_ends_the_words(language: str) -> None:
    line = ATTRIBUTIONS[language]
    for below in ("\n\n> vote Alice\n", "\n> vote Alice\n", "\n\nvote Alice\n"):
        parts = extract_text(f"Je vote Bob, sans hésiter\n\n{line}{below}", "Re: x")
        assert parts.new_text == "Je vote Bob, sans hésiter"
    above = extract_text(f"{line}\n> vote Alice\n\nJe vote Bob", "Re: x")
    assert above.new_text == "Je vote Bob"


@pytest.mark.parametrize("language", ATTRIBUTIONS)
def test_an_attribution_wrapped_by_its_sender(language: str) -> None:
    words = ATTRIBUTIONS[language].split(" ")
    for at in range(max(2, len(words) // 2), len(words)):
        line = " ".join(words[:at]) + "\n" + " ".join(words[at:])
        parts = extract_text(f"Je vote Bob\n\n{line}\n\n> vote Alice\n", "Re: x")
        assert parts.new_text == "Je vote Bob"


@pytest.mark.parametrize("language", FIELDS)
def test_a_block_of_fields_is_an_answered_or_a_forwarded_message(language: str) -> None:
    sender, date, to, subject = FIELDS[language]
    block = f"{sender}: Ana Martin <ana@example.org>\n{date}: 12/03/2024 10:12\n{to}: mj@example.org\n{subject}: Nuit 2\n\nvote Alice\n"
    reply = extract_text(f"Je vote Bob\n\n{block}", "Re: Nuit 2")
    assert (reply.new_text, reply.forwarded) == ("Je vote Bob", None)
    passed = extract_text(f"Je vote Bob\n\n{block}", "TR: Nuit 2")
    assert passed.forwarded is not None
    assert (passed.new_text, passed.forwarded.address, passed.forwarded.subject) == (
        "Je vote Bob",
        "ana@example.org",
        "Nuit 2",
    )
    assert passed.forwarded.text == "vote Alice"


@pytest.mark.parametrize("line", [
    "Envoyé de mon iPhone", "Envoyé de mon iPad", "Envoyé depuis mon appareil Galaxy", "Envoyé depuis l'application Mail Orange",
    "Envoyé à partir de Outlook pour Android", "Envoyé avec la messagerie sécurisée Proton Mail.", "Envoyé depuis Yahoo Mail pour Android",
    "Envoyé à l'aide de l'application mobile Free", "Envoyé par mon téléphone", "Télécharger Outlook pour iOS<https://aka.ms/o0ukef>",
    "Obtenez Outlook pour Android", "Téléchargez BlueMail pour Android", "Provenance : Courrier pour Windows 10", "Envoyé de mon Huawei",
    "Sent from my iPhone", "Sent from my Verizon, Samsung Galaxy smartphone", "Get Outlook for iOS", "Sent from Yahoo Mail on Android",
    "Sent with Proton Mail secure email.", "Von meinem iPhone gesendet", "Gesendet von Mail für Windows", "Enviado desde mi iPhone",
    "Enviado do meu iPhone", "Inviato da iPhone", "Inviato dal mio dispositivo Samsung", "Verzonden vanaf mijn iPhone", "Skickat från min iPhone",
    "Sendt fra min iPhone", "Lähetetty iPhonesta", "Wysłane z iPhone'a", "Odesláno z iPhonu", "Отправлено с iPhone", "Надіслано з iPhone",
    "iPhone'umdan gönderildi", "Trimis de pe iPhone-ul meu", "发自我的iPhone", "iPhoneから送信", "나의 iPhone에서 보냄", "Sent via my mobile",
])  # fmt: skip
def test_a_device_line_is_signature(line: str) -> None:
    parts = extract_text(f"Je vote Bob\n\n{line}\n")
    assert (parts.new_text, parts.signature) == ("Je vote Bob", line)


@pytest.mark.parametrize("line", [
    "Sent from my desk, is much easier than my phone.", "Envoyé spécial au boudoir", "Get Bob", "Envoyez Alice au boudoir !", "Sent Bob to the cave",
    "Von Bob zu Alice", "Je suis parti de mon iPhone", "Sendt Bob", "Envoyé de Dracula : mordre Alice", "Transmis par Renfield, je vote Bob.",
])  # fmt: skip
def test_words_are_no_device_line(line: str) -> None:
    assert extract_text(f"Je vote Bob\n\n{line}\n").new_text == f"Je vote Bob\n\n{line}"
