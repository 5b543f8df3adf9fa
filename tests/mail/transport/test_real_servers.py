"""The same promises, kept with real servers: Dovecot, Postfix, and the demo's pymap with aiosmtpd."""

from __future__ import annotations

import asyncio
import itertools
import threading
from dataclasses import dataclass
from datetime import UTC, datetime

import pytest
from imapclient import IMAPClient

from mailgm.demo.servers import Dovecot, Postfix, PymapServer, SmtpToLmtp, local_mail_server
from mailgm.mail.compose import OutgoingMail, compose
from mailgm.mail.imap import ImapInbox, ImapSettings
from mailgm.mail.inbox import InboxError, RawLetter
from mailgm.mail.smtp import Delivery, Envelope, SmtpSender, SmtpSettings
from mailgm.mail.tokens import find_tokens, message_id

LONG = 60.0
_users = itertools.count(1)


@dataclass
class Post:
    """A mailbox of its own on some server, and the way there."""

    user: str
    imap_port: int
    smtp_port: int
    password: str = "demo"

    def inbox(self, **settings: object) -> ImapInbox:
        known: dict[str, object] = {"port": self.imap_port, "security": "none", "timeout": 20.0}
        inbox = ImapInbox(ImapSettings("127.0.0.1", self.user, self.password, **{**known, **settings}))  # type: ignore[arg-type]
        inbox.open()
        return inbox

    def client(self) -> IMAPClient:
        client = IMAPClient("127.0.0.1", self.imap_port, ssl=False, timeout=20)
        client.login(self.user, self.password)
        return client

    def send(self, *recipients: str, connections: int = 2) -> list[Delivery]:
        async def run() -> list[Delivery]:
            settings = SmtpSettings("127.0.0.1", self.smtp_port, security="none", connections=connections)
            mails = [Envelope(str(n), "mj@jeu.test", to, mail(n, to)) for n, to in enumerate(recipients)]
            async with SmtpSender(settings) as sender:
                return [delivery async for _, delivery in sender.send_many(mails)]

        return asyncio.run(run())


def mail(number: int, to: str) -> bytes:
    return compose(
        OutgoingMail(
            sender_name="Le maître du jeu", sender_address="mj@jeu.test", recipient=to, subject=f"Nuit n° {number}",
            date=datetime(2026, 12, 1, 20, tzinfo=UTC), message_id=message_id("jeu.test", number, to),
            text=f"Bonjour,\n.\nla nuit n° {number} tombe…\n", html=f"<p>la nuit n° {number} tombe…</p>",
        )
    )  # fmt: skip


@pytest.fixture(scope="session")
def relay(dovecot: Dovecot):  # type: ignore[no-untyped-def]
    with SmtpToLmtp(dovecot.lmtp_port) as server:
        yield server


@pytest.fixture(params=["postfix+dovecot", "aiosmtpd+dovecot", "pymap"])
def post(request: pytest.FixtureRequest) -> Post:
    user = f"jeu{next(_users)}@jeu.test"
    if request.param == "pymap":
        pymap: PymapServer = request.getfixturevalue("pymap")
        return Post(user, pymap.imap_port, pymap.smtp_port)
    dovecot: Dovecot = request.getfixturevalue("dovecot")
    smtp: Postfix | SmtpToLmtp = request.getfixturevalue("postfix" if "postfix" in request.param else "relay")
    return Post(user, dovecot.imap_port, smtp.port)


@pytest.fixture
def dovecot_post(dovecot: Dovecot, relay: SmtpToLmtp) -> Post:
    return Post(f"jeu{next(_users)}@jeu.test", dovecot.imap_port, relay.port)


def arrivals(inbox: ImapInbox, count: int) -> list[RawLetter]:
    """Read until so many letters are there; a relay may take a moment after it has accepted them."""
    stop = threading.Event()
    letters: list[RawLetter] = []
    for _ in range(200):
        new = inbox.unread()
        letters += new
        inbox.done(new)
        if len(letters) >= count:
            return letters
        if not new:
            inbox.wait(1.0, stop)
    raise AssertionError(f"only {len(letters)} of {count} letters came")


def test_every_mail_arrives_once_is_read_once_and_put_away(post: Post) -> None:
    before = datetime.now(UTC).replace(microsecond=0)
    assert {d.status for d in post.send(*[post.user] * 120)} == {"sent"}
    inbox = post.inbox()
    letters = arrivals(inbox, 120)
    after = datetime.now(UTC)
    assert inbox.unread() == []
    assert len({letter.uid for letter in letters}) == 120
    assert all(before <= letter.arrived_at <= after for letter in letters)
    sent = {mail(n, post.user).partition(b"\r\n\r\n")[2] for n in range(120)}
    assert {letter.raw.replace(b"\r\n", b"\n").partition(b"\n\n")[2].rstrip() for letter in letters} == {
        body.replace(b"\r\n", b"\n").rstrip() for body in sent
    }
    inbox.done(letters)
    inbox.close()
    client = post.client()
    assert client.select_folder("INBOX")[b"EXISTS"] == 0
    assert client.select_folder("mailgm-processed")[b"EXISTS"] == 120
    assert all(b"\\Seen" not in data[b"FLAGS"] for data in client.fetch(client.search(), ["FLAGS"]).values())
    client.logout()


def test_a_secret_address_reaches_the_box_and_can_be_read_there(post: Post) -> None:
    local, _, domain = post.user.partition("@")
    token = "k3v9xq7w2m4n8p5r6t1ya"
    post.send(f"{local}+{token}@{domain}")
    inbox = post.inbox()
    (letter,) = arrivals(inbox, 1)
    inbox.close()
    (delivered,) = [line for line in letter.raw.decode().splitlines() if line.startswith("Delivered-To:")]
    assert find_tokens([delivered.partition(":")[2]], "", post.user) == [token]


def test_a_waiting_service_is_woken_by_a_mail_every_time(post: Post) -> None:
    inbox = post.inbox()
    stop = threading.Event()
    for _ in range(5):
        assert inbox.unread() == []
        woken: list[bool] = []
        waiting = threading.Thread(target=lambda woken=woken: woken.append(inbox.wait(LONG, stop)))
        waiting.start()
        post.send(post.user)
        waiting.join(LONG / 2)
        assert woken == [True]
        assert len(arrivals(inbox, 1)) == 1
    inbox.close()


def test_letters_that_were_not_put_away_come_again(post: Post) -> None:
    """The service was killed between its commit and the move."""
    post.send(post.user)
    first = post.inbox()
    stop = threading.Event()
    while not (letters := first.unread()):
        first.wait(1.0, stop)
    second = post.inbox()
    assert second.unread() == letters
    second.done(letters)
    first.done(letters)
    assert second.unread() == []
    first.close()
    second.close()


def test_a_folder_that_is_made_anew_is_noticed(dovecot_post: Post) -> None:
    client = dovecot_post.client()
    client.create_folder("jeux")
    client.append("jeux", b"Subject: un\r\n\r\nun\r\n")
    inbox = dovecot_post.inbox(folder="jeux")
    (old,) = inbox.unread()
    client.delete_folder("jeux")
    client.create_folder("jeux")
    client.append("jeux", b"Subject: deux\r\n\r\ndeux\r\n")
    with pytest.raises(InboxError) as gone:  # Dovecot says that the folder went away under us
        inbox.unread()
    assert gone.value.temporary
    inbox.open()
    (new,) = inbox.unread()
    assert (new.uid, b"deux" in new.raw) == (old.uid, True)
    assert new.uidvalidity != old.uidvalidity
    inbox.done([old])
    assert inbox.unread() == [new]
    client.logout()
    inbox.close()


@pytest.mark.parametrize("security", ["tls", "starttls"])
def test_an_encrypted_box_is_read_when_its_certificate_is_trusted(
    dovecot: Dovecot, dovecot_post: Post, security: str
) -> None:
    port = dovecot.imaps_port if security == "tls" else dovecot.imap_port
    dovecot_post.send(dovecot_post.user)
    inbox = dovecot_post.inbox(port=port, security=security, ca_file=dovecot.certificate)
    assert len(arrivals(inbox, 1)) == 1
    inbox.close()
    inbox = dovecot_post.inbox(port=port, security=security, verify=False)
    assert inbox.unread() == []
    inbox.close()
    with pytest.raises(InboxError, match="certificate") as untrusted:
        dovecot_post.inbox(port=port, security=security)
    assert not untrusted.value.temporary


def test_idle_works_through_encryption_too(dovecot: Dovecot, dovecot_post: Post) -> None:
    inbox = dovecot_post.inbox(port=dovecot.imaps_port, security="tls", ca_file=dovecot.certificate)
    woken: list[bool] = []
    waiting = threading.Thread(target=lambda: woken.append(inbox.wait(LONG, threading.Event())))
    waiting.start()
    dovecot_post.send(dovecot_post.user)
    waiting.join(LONG / 2)
    assert woken == [True]
    inbox.close()


def test_a_tls_port_where_none_is_is_told(dovecot: Dovecot, dovecot_post: Post) -> None:
    with pytest.raises(InboxError, match="encryption fails"):
        dovecot_post.inbox(port=dovecot.imap_port, security="tls")


def test_a_wrong_password_is_for_somebody_to_put_right(post: Post) -> None:
    post.password = "wrong-but-secret"
    with pytest.raises(InboxError) as refused:
        post.inbox()
    assert not refused.value.temporary
    assert "wrong-but-secret" not in str(refused.value)


def test_a_server_that_goes_down_and_comes_back_is_only_an_interruption() -> None:
    with local_mail_server(kind="pymap") as server:
        inbox = Post("jeu@jeu.test", server.imap_port, server.smtp_port).inbox()
        server.close()
        for use in (inbox.unread, inbox.open):
            with pytest.raises(InboxError) as down:
                use()
            assert down.value.temporary


@pytest.mark.parametrize("kind", ["dovecot", "pymap"])
def test_the_demo_has_a_mail_server_with_one_call(kind: str, request: pytest.FixtureRequest) -> None:
    request.getfixturevalue(kind)  # skips where it is not installed
    with local_mail_server(kind=kind) as server:  # type: ignore[arg-type]
        assert server.kind == kind
        post = Post("ana@table.test", server.imap_port, server.smtp_port, server.password)
        post.send("ana+x@table.test", "bob@table.test")
        inbox = post.inbox()
        assert len(arrivals(inbox, 1)) == 1
        inbox.close()


def test_postfix_takes_no_mail_over_its_size(postfix: Postfix, dovecot_post: Post) -> None:
    async def run() -> Delivery:
        async with SmtpSender(SmtpSettings("127.0.0.1", postfix.port, security="none")) as sender:
            return await sender.send(
                Envelope("k", "mj@jeu.test", dovecot_post.user, b"S: x\r\n\r\n" + b"x\r\n" * 9_000_000)
            )

    delivery = asyncio.run(run())
    assert (delivery.status, delivery.code) == ("permanent", 552)


def test_hundreds_of_mails_are_taken_over_a_few_connections(postfix: Postfix, dovecot_post: Post) -> None:
    recipients = [f"nul{n}@jeu.test" for n in range(300)]
    dovecot_post.smtp_port = postfix.port
    deliveries = dovecot_post.send(*recipients, connections=4)
    assert sorted(int(d.key) for d in deliveries) == list(range(300))
    assert {d.status for d in deliveries} == {"sent"}
