"""What mail clients write around people's words, in the languages that they speak.

A data table and nothing else: names of header fields, verbs of attribution lines ("a écrit"), titles of forwarded
and original messages, signatures of devices, subject prefixes, greetings, closings, words of disclaimers and of
absence notices. A rule of the reader names a row of this table, never a mail.

Every entry is lower case, NFC, with one blank between words; several entries stand on a line, separated by "|".
"""

from __future__ import annotations

import re


def _entries(text: str) -> tuple[str, ...]:
    return tuple(word.strip() for line in text.splitlines() for word in line.split("|") if word.strip())


# Names of header fields as clients print them above an older message ("De :", "Gesendet:").
HEADER_NAMES: dict[str, str] = {
    name: field
    for field, names in {
        "from": """
            from | de | de la | expéditeur | expediteur | von | absender | van | afzender | da
            mittente | remitente
            remetente | od | nadawca | fra | avsender | från | avsändare | lähettäjä | saatja | feladó | küldő
            от | от кого | отправитель | від | від кого | šalje | pošiljatelj | odesílatel
            odosielateľ | kimden
            gönderen | expeditor | από | 发件人 | 發件人 | 寄件者 | 寄件人 | 差出人 | 送信者
            보낸 사람 | 보낸사람 | מאת | من
            od koga | siuntėjas | nuo | no | sūtītājs | pošiljatelj | frá | từ | dari""",
        "date": """
            date | sent | sent at | date sent | envoyé | envoyé le | envoye | envoye le | date d'envoi
            reçu | reçu le
            message du | datum | gesendet | gesendet am | verzonden | verzonden op | verstuurd | fecha
            enviado
            enviado el | enviada | enviado em | enviada em | fecha de envío | data | inviato
            inviato il | data invio
            dato | sendt | skickat | skickades | päivämäärä | päiväys | lähetetty | dátum | elküldve | küldve
            küldés ideje | дата | дата отправки | отправлено | отправлен | надіслано | дата надсилання | tarih
            gönderildi | gönderme tarihi | gönderim tarihi | wysłano | wysłane | data wysłania
            odesláno | odoslané
            odoslaná | poslano | poslané | kuupäev | saatmisaeg | saadetud | trimis | trimis la | ημερομηνία
            στάλθηκε | 发送时间 | 发送日期 | 日期 | 傳送時間 | 寄件日期 | 日時 | 送信日時 | 送信日 | 날짜 | 보낸 날짜
            보낸날짜 | תאריך | نُشر | التاريخ | ngày | tanggal""",
        "to": """
            to | à | pour | destinataire | destinataires | an | empfänger | aan | naar | para | destinatario
            destinatário | a | do | adresat | til | modtager | mottaker | till | mottagare
            vastaanottaja | saaja
            címzett | кому | получатель | одержувач | prima | primatelj | za | komu | pre | příjemce
            kime | alıcı
            către | catre | προς | 收件人 | 收件者 | 宛先 | 받는 사람 | 받는사람 | אל | إلى | kam | gavėjas | đến
            kepada""",
        "cc": """
            cc | cci | ccn | cc (copie) | copie | copie à | kopie | kopie (cc) | copia
            copia per conoscenza | con copia
            cópia | kopia | kopi | kópia | kópie | koopia | kopija | kopio | копия | копія | másolat
            másolatot kap
            bilgi | dw | do wiadomości | copie la | κοιν. | κοινοποίηση | 抄送 | 副本 | 참조 | עותק | نسخة | bcc
            verborgen kopie | ukryta kopia""",
        "subject": """
            subject | objet | sujet | betreff | onderwerp | asunto | assunto | oggetto | emne | ämne
            aihe | otsikko
            tárgy | тема | konu | temat | předmět | predmet | naslov | teema | subiect | θέμα | 主题 | 主旨 | 件名
            題名 | 제목 | נושא | الموضوع | tema | chủ đề | perihal | subjek | efni""",
        "reply-to": """
            reply-to | reply to | répondre à | répondre a | antwort an | antwoord aan | responder a
            rispondi a
            svara till | svar til | vastaa | odpowiedź do | odpovědět | ответить | yanıtla""",
        "other": """
            importance | priority | attachments | attachment | pièces jointes | anlagen | allegati
            adjuntos | bijlagen
            x-mailer | organization | sender | resent-from | message-id | in-reply-to | delivered-to
            mime-version
            content-type | priorité | wichtigkeit | return-path""",
    }.items()
    for name in _entries(names)
}

# "X wrote": verbs and set phrases of attribution lines.
WROTE = _entries("""
    wrote | writes | has written | have written | a écrit | à écrit | a ecrit | écrivait | ecrivait
    schrieb | schrieben
    geschrieben | schreef | geschreven | escribió | escribio | ha escrito | escreveu | ha scritto
    scritto | scrive
    skrev | skriver | napisał | napisała | napisał(a) | napisali | pisze | napsal | napsala
    napsal(a) | píše | napísal
    napísala | napísal(a) | kirjoitti | kirjutas | написал | написала | написал(а) | пишет | пишете
    написав | написала
    написав(ла) | пише | írta | ezt írta | ezt írtam | a scris | έγραψε | yazdı | şunu yazdı
    şunları yazdı | napisao
    napisala | napisao/la | je napisao | je napisala | je napisal | parašė | rašė | rakstīja
    skrifaði | đã viết | menulis
    写道 | 寫道 | 님이 작성 | 작성 | のメール | 書きました | 書き込み | כתב | כתבה | כתב/ה | كتب | va escriure
    missatge de | ha scrit | idatzi du | a scris următoarele | ha escrit""")

# The word that opens an attribution line, before the date.
LEADS = _entries("""
    on | in | at | le | la | am | um | den | op | el | il | em | no dia | a | dnia | w dniu | w | dne
    dňa | în | pe | la data
    dana | u | 在 | 于 | el día | el dia | il giorno | vào | pada | στις | 於 | בתאריך""")

# Titles that a client prints above a message that it passes on.
FORWARD_TITLES = _entries("""
    forwarded message | forwarded message / fwd.msg | begin forwarded message | start of forwarded message
    forwarded by | fwd | message transféré | message transmis | message réexpédié | message renvoyé
    mail transféré
    début du message transféré | début du message réexpédié | début de message transféré | courriel transféré
    weitergeleitete nachricht | anfang der weitergeleiteten nachricht | anfang der weitergeleiteten e-mail
    beginn der weitergeleiteten nachricht | weitergeleitete e-mail
    doorgestuurd bericht | begin doorgestuurd bericht | doorgezonden bericht | mensaje reenviado
    inicio del mensaje reenviado | inicia mensaje reenviado | messaggio inoltrato | inizio messaggio inoltrato
    inizio del messaggio inoltrato | messaggio inoltrato da
    mensagem encaminhada | mensagem reencaminhada | início da mensagem encaminhada
    início da mensagem reencaminhada
    mensagem original encaminhada | wiadomość przekazana dalej | przekazana wiadomość
    treść przekazanej wiadomości
    początek przekazywanej wiadomości | początek przekazanej wiadomości | wiadomość przesłana dalej
    rozpoczęcie przekazywanej wiadomości | rozpoczęto przekazywanie wiadomości | przesłana wiadomość
    videresendt melding | videresendt meddelelse | videresendt besked | videresendt e-mail
    start på videresendt melding
    start på videresendt besked | begynd videresendt besked | påbegynt videresendt e-post
    påbegynder videresendt e-mail | videresendt e-post | begynnelse på videresendt melding
    vidarebefordrat meddelande | vidarebefordrat mejl | vidarebefordrat brev
    vidarebefordrat e-postmeddelande
    börja vidarebefordrat meddelande | början på vidarebefordrat meddelande
    välitetty viesti | välitetty viesti alkaa | välitetty viesti / fwd.msg | edelleenlähetetty viesti
    välitetyn viestin alku
    továbbított üzenet | továbbított levél | továbbított levél kezdete | továbbított e-mail
    továbbított üzenet kezdete
    пересылаемое сообщение | пересланное сообщение | начало переадресованного сообщения
    начало пересланного сообщения
    перенаправленное сообщение | пересылаемое сообщение / fwd.msg
    переслане повідомлення | перенаправлене повідомлення | початок листа, що пересилається
    початок переадресованого повідомлення | початок пересланого повідомлення | переслане сообщение
    iletilen mesaj | iletilmiş mesaj | iletilen ileti | i̇letilen ileti | i̇letilmiş mesaj | i̇letilen mesaj
    yönlendirilen ileti | yönlendirilmiş mesaj
    i̇leti başlangıcı | ileti başlangıcı | i̇letilen mesajın başlangıcı | iletilen mesaj başlangıcı
    iletinin başlangıcı
    přeposlaná zpráva | začátek přeposílané zprávy | začátek přeposlané zprávy | předaná zpráva
    předávaná zpráva | preposlaná správa | začiatok preposlanej správy | preposielaná správa
    proslijeđena poruka | započni proslijeđenu poruku | početak proslijeđene poruke | prosljeđena poruka
    edastatud kiri | edastatud sõnum | mesaj redirecționat | mesaj redirectionat | mesaj retransmis
    mesaj transmis
    începe mesajul redirecționat | începutul mesajului redirecționat | începe mesajul retransmis
    începe mesajul redirectat
    προωθημένο μήνυμα | έναρξη προωθημένου μηνύματος | 转发的邮件 | 转发邮件信息 | 转发的消息
    下面是被转发的邮件 | 轉寄郵件
    轉寄的郵件 | 以下是轉寄的訊息 | 開始轉寄郵件 | 転送メッセージ | 転送されたメッセージ | 전달된 메시지 | 전달된 이메일
    הודעה שהועברה | רשומה מועברת | رسالة معاد توجيهها | proslijeđena poruka / fwd.msg
    posredovano sporočilo | persiųstas laiškas | pārsūtītais ziņojums | препратено съобщение
    прослеђена порука | missatge reenviat | áframsent bréf | tin nhắn chuyển tiếp | thư đã chuyển tiếp""")

# Titles above the message that is answered; some clients use them for forwards too (the subject decides).
ORIGINAL_TITLES = _entries("""
    original message | original email | original e-mail | reply message | original text | message original
    message d'origine | mail original | courriel original | courrier original | message initial
    e-mail d'origine
    ursprüngliche nachricht | originalnachricht | ursprüngliche mail | ursprüngliche e-mail
    original-nachricht
    oorspronkelijk bericht | origineel bericht | mensaje original | messaggio originale | messaggio di origine
    mensagem original | oryginalna wiadomość | wiadomość oryginalna | wiadomość pierwotna
    opprinnelig melding
    oprindelig meddelelse | original meddelelse | original melding | oprindelig besked
    ursprungligt meddelande | originalmeddelande | ursprungsmeddelande | alkuperäinen viesti | eredeti üzenet
    eredeti levél | исходное сообщение | исходное письмо | оригинальное сообщение | оригінальне повідомлення
    вихідне повідомлення | orijinal mesaj | özgün ileti | původní zpráva | původní e-mail
    pôvodná správa | izvorna poruka
    originalna poruka | algne kiri | algne sõnum | mesajul original | mesaj original | αρχικό μήνυμα | 原始邮件
    原邮件 | 原始郵件 | 元のメッセージ | オリジナルメッセージ | 원본 메시지
    원본 메일 | הודעה מקורית | الرسالة الأصلية""")

# Marker lines under which a program asks people not to write.
REPLY_ABOVE = _entries("""
    reply above this line | please reply above this line | please type your reply above this line
    write above this line | répondez au-dessus de cette ligne | répondre au-dessus de cette ligne
    merci de répondre au-dessus de cette ligne | écrivez au-dessus de cette ligne
    veuillez répondre au-dessus de cette ligne
    bitte antworten sie oberhalb dieser zeile | antworten sie über dieser linie
    responda por encima de esta línea
    responda acima desta linha | rispondi sopra questa linea | gelieve boven deze lijn te antwoorden""")

# Subject prefixes. A bare "i" is Italian Outlook's forward.
FORWARD_PREFIXES = _entries("""
    fw | fwd | tr | trans | wg | rv | enc | i | pd | vs | vb | vl | doorst | videresend | redir | i̇lt
    ilt | továbbítás | fs
    転送 | 转发 | 轉寄 | 전달 | továbbított | reenv | reencaminhada | przek | пересл | пер | προώθ | edas
    fvs | prp | rm""")
REPLY_PREFIXES = _entries("""
    re | ré | rép | réf | aw | antw | antwort | sv | vá | rif | r | res | odp | ynt | yan | ответ
    отв | bls | 回复 | 答复 | 回覆 | 返信
    vast | resp | πσ | απ | ha | hä | ad | ref | 답장 | tl""")

# Words that open or close a message; they carry no order.
GREETINGS = _entries("""
    hi | hello | hey | dear | good morning | good evening | bonjour | bonsoir | salut | coucou | hallo
    guten tag | liebe
    lieber | ciao | buongiorno | hola | olá | hej | cześć | ahoj | hei | szia | привет | здравствуйте
    merhaba""")
CLOSINGS = _entries("""
    regards | best regards | kind regards | warm regards | best | best wishes | cheers | thanks
    thank you | many thanks
    sincerely | yours | yours sincerely | thx | cordialement | bien cordialement | bien à vous
    bien à toi | amicalement
    amitiés | à bientôt | a bientôt | à plus | bonne journée | bonne soirée | merci | merci d'avance
    bises | bisous | cdt
    cdlt | salutations | sincères salutations | respectueusement | mit freundlichen grüßen
    viele grüße | liebe grüße | beste grüße
    gruß | mfg | met vriendelijke groet | groeten | saludos | un saludo | atentamente
    cordiali saluti | saluti
    atenciosamente | abraços | pozdrawiam | z poważaniem | med vänlig hälsning | mvh | hilsen
    med venlig hilsen | vh
    terveisin | s pozdravem | üdvözlettel | с уважением | saygılarımla""")


def _alternatives(words: tuple[str, ...]) -> str:
    return "|".join(re.escape(word).replace(r"\ ", r"\s+") for word in sorted(words, key=len, reverse=True))


WROTE_RE = re.compile(rf"(?<![^\W\d_])(?:{_alternatives(WROTE)})(?![^\W\d_])", re.IGNORECASE)
# A text without any of these words holds no verb of the table; saves a long search on most lines.
_WROTE_HINTS = frozenset(phrase.split()[-1].split("(")[0].split("/")[0] for phrase in WROTE)
_WROTE_SINGLE = frozenset(phrase for phrase in WROTE if phrase.isalpha())
_WORD_RE = re.compile(r"[^\W\d_]+")


def wrote(text: str) -> int:
    """Where the first "wrote" of any language stands in a line, -1 for none."""
    if text.isascii() or not _GLUED_SCRIPTS_RE.search(text):
        low = text.lower()
        if _WROTE_HINTS.isdisjoint(_WORD_RE.findall(low)):
            return -1
        word = next(word for word in _WORD_RE.finditer(low) if word[0] in _WROTE_HINTS)
        if word[0] in _WROTE_SINGLE:
            return word.start()
    found = WROTE_RE.search(text)
    return found.start() if found else -1


_GLUED_SCRIPTS_RE = re.compile("[\u0590-\u06ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]")
FORWARD_PREFIX_SET = frozenset(FORWARD_PREFIXES)
REPLY_PREFIX_SET = frozenset(REPLY_PREFIXES) - FORWARD_PREFIX_SET
WROTE_LAST = frozenset(phrase.split()[-1] for phrase in WROTE)
LEADS_RE = _alternatives(LEADS)
FORWARD_TITLE_SET = frozenset(FORWARD_TITLES)
ORIGINAL_TITLE_SET = frozenset(ORIGINAL_TITLES)
REPLY_ABOVE_SET = frozenset(REPLY_ABOVE)
GREETING_SET = frozenset(GREETINGS)
CLOSING_SET = frozenset(CLOSINGS)
