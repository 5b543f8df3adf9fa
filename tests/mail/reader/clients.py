"""French mail clients: how each writes a reply and a forward, as text and as HTML. Written by us from the formats.

`{order}` is what the player wrote; the rest is the client's furniture and the older message.
"""

# ruff: noqa: E501 - mails are written as they are sent
from __future__ import annotations

ORDER = "Je vote Bob"
OLD = "Nuit 2 : qui soupçonnez-vous ?\n\nboudoir, bibliothèque ou cave\n\nvote Alice"

REPLIES: dict[str, str] = {
    "gmail": "{order}\n\nLe mar. 12 mars 2024 à 10:12, Le MJ <mj@exemple.fr> a écrit :\n\n> Nuit 2 : qui soupçonnez-vous ?\n>\n> vote Alice\n>\n",
    "gmail wrapped": "{order}\n\nLe mar. 12 mars 2024 à 10:12, Le Maître du Jeu des Vampires de Minuit <\nmj+nuit2.ana.0123456789abcdef@exemple.fr> a écrit :\n\n> Nuit 2\n> vote Alice\n",
    "gmail mobile signature": "{order}\n\n-- \nAna Martin\n\nLe mar. 12 mars 2024, 10:12, Le MJ <mj@exemple.fr> a écrit :\n\n> vote Alice\n",
    "outlook desktop": "{order}\n\nDe : Le MJ <mj@exemple.fr> \nEnvoyé : mardi 12 mars 2024 10:12\nÀ : Ana Martin <ana@exemple.fr>\nObjet : Nuit 2\n\nNuit 2 : qui ?\nvote Alice\n",
    "outlook 2010": "{order}\n\n \n\nDe : Le MJ [mailto:mj@exemple.fr] \nEnvoyé : mardi 12 mars 2024 10:12\nÀ : 'Ana Martin'\nCc : 'Bob'\nObjet : Nuit 2\n\n \n\nvote Alice\n",
    "outlook 2003": "{order}\n\n-----Message d'origine-----\nDe : Le MJ [mailto:mj@exemple.fr]\nEnvoyé : mardi 12 mars 2024 10:12\nÀ : Ana\nObjet : Nuit 2\n\nvote Alice\n",
    "outlook web": "{order}\n________________________________\nDe : Le MJ <mj@exemple.fr>\nEnvoyé : mardi 12 mars 2024 10:12\nÀ : Ana Martin <ana@exemple.fr>\nObjet : Nuit 2\n\nvote Alice\n",
    "outlook ios": "{order}\n\nTélécharger Outlook pour iOS<https://aka.ms/o0ukef>\n________________________________\nDe : Le MJ <mj@exemple.fr>\nEnvoyé : Tuesday, March 12, 2024 10:12:00 AM\nÀ : Ana <ana@exemple.fr>\nObjet : Nuit 2\n\nvote Alice\n",
    "outlook android": "{order}\n\nObtenir Outlook pour Android<https://aka.ms/AAb9ysg>\n________________________________\nFrom: Le MJ <mj@exemple.fr>\nSent: Tuesday, March 12, 2024 10:12:00 AM\nTo: Ana <ana@exemple.fr>\nSubject: Nuit 2\n\nvote Alice\n",
    "outlook mac": "{order}\n\nDe : Le MJ <mj@exemple.fr>\nDate : mardi, 12 mars 2024 à 10:12\nÀ : Ana <ana@exemple.fr>\nObjet : Nuit 2\nvote Alice\n",
    "windows mail": "{order}\n\nProvenance : Courrier pour Windows\n\nDe : Le MJ\nEnvoyé le :mardi 12 mars 2024 10:12\nÀ : Ana\nObjet :Nuit 2\n\nvote Alice\n",
    "iphone": "{order}\n\nEnvoyé de mon iPhone\n\n> Le 12 mars 2024 à 10:12, Le MJ <mj@exemple.fr> a écrit :\n> \n> \ufeffNuit 2\n> vote Alice\n",
    "ipad top": "{order}\nEnvoyé de mon iPad\n\nLe 12 mars 2024 à 10:12, Le MJ <mj@exemple.fr> a écrit :\n\n> vote Alice\n",
    "apple mail": "{order}\n\nAna\n\n\n> Le 12 mars 2024 à 10:12, Le MJ <mj@exemple.fr> a écrit :\n> \n> vote Alice\n",
    "thunderbird": "{order}\n\nLe 12/03/2024 à 10:12, Le MJ a écrit :\n> Nuit 2\n>\n> vote Alice\n",
    "thunderbird bottom": "Le 12/03/2024 à 10:12, Le MJ a écrit :\n> Nuit 2\n>\n> vote Alice\n\n{order}\n",
    "yahoo": "{order}\n\n    Le mardi 12 mars 2024 à 10:12:34 UTC+1, Le MJ <mj@exemple.fr> a écrit :  \n \n Nuit 2\nvote Alice\n  ",
    "yahoo older": "{order}\n\n\n     De : Le MJ <mj@exemple.fr>\n À : Ana <ana@yahoo.fr> \n Envoyé le : Mardi 12 mars 2024 10h12\n Objet : Nuit 2\n   \nvote Alice\n",
    "yahoo android": "{order}\n\nEnvoyé depuis Yahoo Mail pour Android \n \n  Le mar., mars 12, 2024 à 10:12, Le MJ<mj@exemple.fr> a écrit :   vote Alice\n",
    "orange": "{order}\n\n\n\n> Message du 12/03/24 10:12\n> De : \"Le MJ\" <mj@exemple.fr>\n> A : \"Ana\" <ana@orange.fr>\n> Copie à : \n> Objet : Nuit 2\n> \n> vote Alice\n> \n",
    "orange unmarked": "{order}\n\nMessage du 12/03/24 10:12\nDe : \"Le MJ\" <mj@exemple.fr>\nA : ana@orange.fr\nCopie à : \nObjet : Nuit 2\n\nvote Alice\n",
    "orange new": "{order}\n\nenvoyé : 12 mars 2024 à 10:12\nde : Le MJ <mj@exemple.fr>\nà : ana@orange.fr\nobjet : Nuit 2\n\nvote Alice\n",
    "orange mobile": "{order}\n\nEnvoyé depuis l'application Mail Orange\n\n-------- Message original --------\nDe: Le MJ <mj@exemple.fr>\nDate: mar. 12 mars 2024 10:12\nA: ana@orange.fr\nObjet: Nuit 2\n\nvote Alice\n",
    "free zimbra": "{order}\n\n----- Mail original -----\nDe: \"Le MJ\" <mj@exemple.fr>\nÀ: \"Ana\" <ana@free.fr>\nEnvoyé: Mardi 12 Mars 2024 10:12:34\nObjet: Nuit 2\n\nvote Alice\n",
    "zimbra plain": "{order}\n\nDe: \"Le MJ\" <mj@exemple.fr>\nÀ: \"ana\" <ana@free.fr>\nEnvoyé: Mardi 12 Mars 2024 10:12:34\nObjet: Nuit 2\n\nvote Alice\n",
    "la poste": "{order}\n\n\n> Message du 12/03/24 10:12\n> De : \"Le MJ\" \n> A : \"Ana\" \n> Copie à : \n> Objet : Nuit 2\n> \n>  vote Alice\n",
    "la poste new": "{order}\n\nde : \"Le MJ\" <mj@exemple.fr>\nenvoyé : mardi 12 mars 2024 10:12\nà : ana@laposte.net\nobjet : Nuit 2\n\nvote Alice\n",
    "sfr": "{order}\n\n========================================\n\nMessage du : 12/03/2024 10:12\nDe : \"Le MJ\" <mj@exemple.fr>\nA : ana@sfr.fr\nCopie à : \nSujet : Nuit 2\n\nvote Alice\n",
    "sfr mobile": "{order}\n\nEnvoyé depuis mon mobile SFR\n\n----Message d'origine----\nDe : mj@exemple.fr\nDate : 12/03/2024 - 10:12 (CET)\nÀ : ana@sfr.fr\nObjet : Nuit 2\n\nvote Alice\n",
    "proton": "{order}\n\nEnvoyé avec la messagerie sécurisée Proton Mail.\n\nLe mardi 12 mars 2024 à 10:12, Le MJ <mj@exemple.fr> a écrit :\n\n> Nuit 2\n> vote Alice\n",
    "proton older": "{order}\n\nEnvoyé avec [Proton Mail](https://proton.me/) secure email.\n\n------- Message d'origine -------\nLe mardi 12 mars 2024 à 10:12 AM, Le MJ <mj@exemple.fr> a écrit :\n\n> vote Alice\n",
    "proton mobile": "{order}\n\nEnvoyé depuis Proton Mail Android\n\n-------- Message original --------\nLe 12/03/2024 à 10:12, Le MJ a écrit :\n\n> vote Alice\n",
    "roundcube": "{order}\n\nLe 12/03/2024 10:12, Le MJ a écrit :\n> Nuit 2\n> vote Alice\n",
    "roundcube date": "{order}\n\nLe 2024-03-12 10:12, Le MJ a écrit :\n\n> vote Alice\n",
    "samsung": "{order}\n\n\nEnvoyé depuis mon appareil Galaxy\n\n\n-------- Message d'origine --------\nDe : Le MJ <mj@exemple.fr> \nDate : 12/03/2024  10:12  (GMT+01:00) \nÀ : ana@exemple.fr \nObjet : Nuit 2 \n\nvote Alice\n",
    "samsung older": "{order}\n\nEnvoyé depuis mon smartphone Samsung Galaxy.\n-------- Message original --------De : Le MJ <mj@exemple.fr> Date : 12/03/2024  10:12  (GMT+01:00) À : ana@exemple.fr Objet : Nuit 2 \nvote Alice\n",
    "bluemail": "{order}\n\nTélécharger BlueMail pour Android\n\nLe 12 mars 2024, à 10:12, Le MJ <mj@exemple.fr> a écrit:\n>Nuit 2\n>vote Alice\n",
    "bluemail older": "{order}\n⁣Envoyé à partir de BlueMail\n\nLe 12 mars 2024 à 10:12, à 10:12, Le MJ <mj@exemple.fr> a écrit:\n>vote Alice\n",
    "k-9": "{order}\n\nLe 12 mars 2024 10:12:34 GMT+01:00, Le MJ <mj@exemple.fr> a écrit :\n>vote Alice\n-- \nEnvoyé de mon appareil Android avec Courriel K-9 Mail. Veuillez excuser ma brièveté.\n",
    "bouygues": "{order}\n\nEnvoyé depuis mon téléphone Huawei\n\n-------- Message original --------\nObjet : Nuit 2\nDe : Le MJ \nÀ : ana@bbox.fr\nCc : \n\nvote Alice\n",
    "infomaniak": "{order}\n\nLe 2024-03-12T10:12:00.000+01:00, Le MJ <mj@exemple.fr> a écrit :\n> vote Alice\n",
    "gmx": "{order}\n\nEnvoyé: mardi 12 mars 2024 à 10:12\nDe: \"Le MJ\" <mj@exemple.fr>\nÀ: ana@gmx.fr\nObjet: Nuit 2\n\nvote Alice\n",
    "mailo": "{order}\n\n\nde : Le MJ <mj@exemple.fr>\nà : ana@mailo.com\nle : 12/03/24 10:12\nobjet : Nuit 2\n\nvote Alice\n",
    "ovh": "{order}\n\nLe 12.03.2024 10:12, Le MJ a écrit :\n\n> vote Alice\n\n \n",
    "spark": "{order}\n\nEnvoyé de Spark pour iOS\nLe 12 mars 2024 à 10:12 +0100, Le MJ <mj@exemple.fr>, a écrit :\n> vote Alice\n",
}  # fmt: skip

HTML_REPLIES: dict[str, str] = {
    "gmail": '<div dir="ltr">{order}</div><br><div class="gmail_quote gmail_quote_container"><div dir="ltr" class="gmail_attr">Le mar. 12 mars 2024 à 10:12, Le MJ &lt;<a href="mailto:mj@exemple.fr">mj@exemple.fr</a>&gt; a écrit :<br></div><blockquote class="gmail_quote" style="margin:0px 0px 0px 0.8ex;border-left:1px solid rgb(204,204,204);padding-left:1ex"><div>vote Alice</div></blockquote></div>',
    "gmail signature": '<div dir="ltr"><div>{order}</div><div><br></div><span class="gmail_signature_prefix">-- </span><br><div dir="ltr" class="gmail_signature" data-smartmail="gmail_signature">Ana Martin<br>06 12 34 56 78</div></div><br><div class="gmail_quote"><div class="gmail_attr">Le mar. 12 mars, Le MJ a écrit :</div><blockquote class="gmail_quote">vote Alice</blockquote></div>',
    "gmail between": '<div class="gmail_quote"><div class="gmail_attr">Le mar. 12 mars 2024 à 10:12, Le MJ &lt;mj@exemple.fr&gt; a écrit :</div><blockquote class="gmail_quote">Qui ?</blockquote><div>{order}</div><blockquote class="gmail_quote">vote Alice</blockquote></div>',
    "outlook desktop": '<html xmlns:o="urn:schemas-microsoft-com:office:office"><head><style>p.MsoNormal{margin:0cm}</style></head><body lang=FR><div class=WordSection1><p class=MsoNormal>{order}<o:p></o:p></p><p class=MsoNormal><o:p>&nbsp;</o:p></p><div style="border:none;border-top:solid #E1E1E1 1.0pt;padding:3.0pt 0cm 0cm 0cm"><p class=MsoNormal><b>De&nbsp;:</b> Le MJ &lt;mj@exemple.fr&gt; <br><b>Envoyé&nbsp;:</b> mardi 12 mars 2024 10:12<br><b>À&nbsp;:</b> Ana &lt;ana@exemple.fr&gt;<br><b>Objet&nbsp;:</b> Nuit 2<o:p></o:p></p></div><p class=MsoNormal>vote Alice</p></div></body></html>',
    "outlook web": '<body><div class="elementToProof" style="font-family:Calibri">{order}</div><div id="Signature"><p>Ana Martin</p></div><div id="appendonsend"></div><hr style="display:inline-block;width:98%" tabindex="-1"><div id="divRplyFwdMsg" dir="ltr"><font><b>De :</b> Le MJ &lt;mj@exemple.fr&gt;<br><b>Envoyé :</b> mardi 12 mars 2024 10:12<br><b>À :</b> Ana<br><b>Objet :</b> Nuit 2</font><div>&nbsp;</div></div><div><p>vote Alice</p></div></body>',
    "outlook mobile": '<div dir="ltr">{order}</div><div id="ms-outlook-mobile-signature"><div>Télécharger <a href="https://aka.ms/o0ukef">Outlook pour iOS</a></div></div><div id="mail-editor-reference-message-container"><hr><div id="divRplyFwdMsg"><b>De :</b> Le MJ &lt;mj@exemple.fr&gt;<br><b>Envoyé :</b> mardi 12 mars 2024<br><b>À :</b> Ana<br><b>Objet :</b> Nuit 2</div>vote Alice</div>',
    "outlook foreign": '<div>{order}</div><div id="x_divRplyFwdMsg"><b>Kutoka:</b> MJ<br><b>Imetumwa:</b> Jumanne<br></div><div>vote Alice</div>',
    "iphone": '<html><body dir="auto"><div dir="ltr">{order}</div><div dir="ltr"><br><div id="AppleMailSignature" dir="ltr">Envoyé de mon iPhone</div></div><div dir="ltr"><br><blockquote type="cite">Le 12 mars 2024 à 10:12, Le MJ &lt;mj@exemple.fr&gt; a écrit :<br><br></blockquote></div><blockquote type="cite"><div dir="ltr">vote Alice</div></blockquote></body></html>',
    "thunderbird": '<html><body><p>{order}<br></p><div class="moz-cite-prefix">Le 12/03/2024 à 10:12, Le MJ a écrit :<br></div><blockquote type="cite" cite="mid:x@y"><p>vote Alice</p></blockquote><pre class="moz-signature" cols="72">-- \nAna Martin</pre></body></html>',
    "thunderbird foreign": '<html><body><p>{order}</p><div class="moz-cite-prefix">D\'an 12/03/2024 da 10:12, MJ en deus skrivet :</div><blockquote type="cite"><p>vote Alice</p></blockquote></body></html>',
    "yahoo": '<html><body><div class="ydp1yahoo-style-wrap"><div dir="ltr">{order}</div><div><br></div></div><div id="ydp2yahoo_quoted_1" class="ydp2yahoo_quoted"><div><div>Le mardi 12 mars 2024 à 10:12:34 UTC+1, Le MJ &lt;mj@exemple.fr&gt; a écrit :</div><div><br></div><div>vote Alice</div></div></div></body></html>',
    "orange": '<div>{order}</div><br><br><blockquote style="padding-left:5px;margin-left:5px;border-left:2px solid #ff6600">&gt; Message du 12/03/24 10:12<br>&gt; De : "Le MJ" &lt;mj@exemple.fr&gt;<br>&gt; A : ana@orange.fr<br>&gt; Copie à : <br>&gt; Objet : Nuit 2<br>&gt; <br>vote Alice</blockquote>',
    "free zimbra": '<html><body><div style="font-family:arial"><div>{order}</div><div><br></div><hr id="zwchr" data-marker="__DIVIDER__"><div data-marker="__HEADERS__"><b>De: </b>"Le MJ" &lt;mj@exemple.fr&gt;<br><b>À: </b>"Ana"<br><b>Envoyé: </b>Mardi 12 Mars 2024<br><b>Objet: </b>Nuit 2<br></div><div data-marker="__QUOTED_TEXT__">vote Alice</div></div></body></html>',
    "la poste": '<div>{order}</div><div><br></div><div>de : "Le MJ" &lt;mj@exemple.fr&gt;<br>envoyé : mardi 12 mars 2024<br>à : ana@laposte.net<br>objet : Nuit 2</div><div>vote Alice</div>',
    "proton": '<div style="font-family: Arial">{order}</div><div class="protonmail_signature_block"><div class="protonmail_signature_block-proton">Envoyé avec la messagerie sécurisée <a href="https://proton.me">Proton Mail</a>.</div></div><div class="protonmail_quote">Le mardi 12 mars 2024 à 10:12, Le MJ &lt;mj@exemple.fr&gt; a écrit :<br><blockquote class="protonmail_quote" type="cite">vote Alice</blockquote></div>',
    "roundcube": '<html><body><p>{order}</p><div id="_rc_sig">--<br>Ana</div><p id="reply-intro">Le 12/03/2024 10:12, Le MJ a écrit :</p><blockquote type="cite"><div>vote Alice</div></blockquote></body></html>',
    "samsung": '<html><body><div>{order}</div><div><br></div><div id="composer_signature" dir="auto"><div style="font-size:12px">Envoyé depuis mon appareil Galaxy</div></div><div><br></div><div align="left" style="font-size:100%;color:#000000"><div>-------- Message d\'origine --------</div><div>De : Le MJ &lt;mj@exemple.fr&gt; </div><div>Date : 12/03/2024  10:12  (GMT+01:00) </div><div>À : ana@exemple.fr </div><div>Objet : Nuit 2 </div></div>vote Alice</body></html>',
    "bluemail": '<html><body><div dir="auto">{order}</div><div dir="auto">Télécharger <a href="https://bluemail.me">BlueMail pour Android</a></div><div class="gmail_quote">Le 12 mars 2024, à 10:12, Le MJ &lt;<a href="mailto:mj@exemple.fr">mj@exemple.fr</a>&gt; a écrit:<blockquote class="gmail_quote">vote Alice</blockquote></div></body></html>',
    "sfr": '<p>{order}</p><p>&nbsp;</p><p>========================================</p><p>Message du : 12/03/2024 10:12<br>De : "Le MJ" &lt;mj@exemple.fr&gt;<br>A : ana@sfr.fr<br>Copie à : <br>Sujet : Nuit 2</p><p>vote Alice</p>',
    "web.de": '<html><body><div style="font-family: Verdana"><div>{order}</div><div>&nbsp;<div name="quote" style="margin:10px 5px 5px 10px; border-left:2px solid #C3D9E5;"><div><b>Gesendet:</b>&nbsp;Montag<br/><b>Von:</b>&nbsp;MJ<br/></div><div name="quoted-content">vote Alice</div></div></div></div></body></html>',
    "indented by its writer": '<div>Voici :</div><blockquote style="margin:0 0 0 40px;border:none;padding:0px"><div>{order}</div></blockquote>',
}  # fmt: skip

FORWARDS: dict[str, str] = {
    "gmail": "Pour toi.\n\n---------- Forwarded message ---------\nDe : Ana Martin <ana@exemple.fr>\nDate: mar. 12 mars 2024 à 10:12\nSubject: Nuit 2\nTo: Le MJ <mj@exemple.fr>\n\n\n{order}\n",
    "apple mail": "Pour toi.\n\n> Début du message transféré :\n> \n> De: Ana Martin <ana@exemple.fr>\n> Objet: Nuit 2\n> Date: 12 mars 2024 à 10:12:34 UTC+1\n> À: mj@exemple.fr\n> \n> {order}\n",
    "iphone": "Pour toi.\n\nEnvoyé de mon iPhone\n\nDébut du message transféré :\n\n> De: Ana Martin <ana@exemple.fr>\n> Date: 12 mars 2024 à 10:12:34 UTC+1\n> À: mj@exemple.fr\n> Objet: Nuit 2\n> \n> {order}\n",
    "outlook": "Pour toi.\n\nDe : Ana Martin <ana@exemple.fr> \nEnvoyé : mardi 12 mars 2024 10:12\nÀ : Le MJ <mj@exemple.fr>\nObjet : Nuit 2\n\n{order}\n",
    "outlook web": "Pour toi.\n________________________________\nDe : Ana Martin <ana@exemple.fr>\nEnvoyé : mardi 12 mars 2024 10:12\nÀ : Le MJ\nObjet : Nuit 2\n\n{order}\n",
    "thunderbird": "Pour toi.\n\n\n-------- Message transféré --------\nSujet : \tNuit 2\nDate : \tTue, 12 Mar 2024 10:12:34 +0100\nDe : \tAna Martin <ana@exemple.fr>\nPour : \tLe MJ <mj@exemple.fr>\n\n\n\n{order}\n",
    "yahoo": "Pour toi.\n\n   ----- Message transféré ----- De : Ana Martin <ana@exemple.fr>À : Le MJ <mj@exemple.fr>Envoyé : mardi 12 mars 2024 à 10:12:34 UTC+1Objet : Nuit 2\n {order}  \n",
    "zimbra": "Pour toi.\n\n----- Mail transféré -----\nDe: \"Ana Martin\" <ana@exemple.fr>\nÀ: \"Le MJ\" <mj@exemple.fr>\nEnvoyé: Mardi 12 Mars 2024 10:12:34\nObjet: Nuit 2\n\n{order}\n",
    "orange": "Pour toi.\n\n> Message du 12/03/24 10:12\n> De : \"Ana Martin\" <ana@exemple.fr>\n> A : mj@exemple.fr\n> Copie à : \n> Objet : Nuit 2\n> \n> {order}\n",
    "proton": "Pour toi.\n\n------- Message transféré -------\nDe : Ana Martin <ana@exemple.fr>\nDate : Le mardi 12 mars 2024 à 10:12\nObjet : Nuit 2\nÀ : mj@exemple.fr <mj@exemple.fr>\n\n{order}\n",
    "roundcube": "Pour toi.\n\n-------- Message original --------\nObjet: Nuit 2\nDate: 12/03/2024 10:12\nDe: Ana Martin <ana@exemple.fr>\nÀ: mj@exemple.fr\n\n{order}\n",
    "samsung": "Pour toi.\n\nEnvoyé depuis mon appareil Galaxy\n\n-------- Message d'origine --------\nDe : Ana Martin <ana@exemple.fr> \nDate : 12/03/2024 10:12 (GMT+01:00) \nÀ : mj@exemple.fr \nObjet : Nuit 2 \n\n{order}\n",
    "bluemail": "Pour toi.\n\nTélécharger BlueMail pour Android\n\n-------- Message original --------\nDe: Ana Martin <ana@exemple.fr>\nEnvoyé: 12 mars 2024 10:12\nÀ: mj@exemple.fr\nObjet: Nuit 2\n\n{order}\n",
    "sfr": "Pour toi.\n\n========================================\n\nMessage du : 12/03/2024 10:12\nDe : \"Ana Martin\" <ana@exemple.fr>\nA : mj@exemple.fr\nCopie à : \nSujet : Nuit 2\n\n{order}\n",
}  # fmt: skip
