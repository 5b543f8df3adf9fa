"""How many replies the mail reader gets exactly right, and how fast it is, beside the libraries that there are.

Run: python benchmarks/reader.py [-v]. Needs the mail corpora (MAILGM_CORPUS); the libraries come with the
extra "bench".
-v names every pair that the reader has wrong. All is measured in this run; speeds are medians of five.
"""

from __future__ import annotations

import email
import importlib
import re
import statistics
import sys
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests/mail/reader")]
import corpora  # noqa: E402

from mailgm.mail.reader import extract_text, html_to_text, read  # noqa: E402
from mailgm.mail.reader.forward import split_address  # noqa: E402

ROUNDS = 5


def ours(pair: corpora.Pair) -> str:
    name, address = split_address(pair.sender)
    if pair.html:
        return extract_text(html_to_text(pair.html)).new_text
    if pair.raw and not pair.body:
        return read(pair.raw).new_text
    return extract_text(pair.body, "", name, address).new_text


def libraries() -> dict[str, Callable[[str], str]]:
    """The readers that are installed, each as body -> reply."""
    found: dict[str, Callable[[str], str]] = {}
    try:
        parser = importlib.import_module("mailparser_reply").EmailReplyParser
        languages = ["en", "fr", "de", "es", "it", "nl", "pl", "sv", "da"]
        found["mail-parser-reply"] = lambda body: parser(languages=languages).parse_reply(text=body) or ""
    except ImportError:
        pass
    try:
        zapier = importlib.import_module("email_reply_parser").EmailReplyParser
        found["email-reply-parser"] = zapier.parse_reply
    except ImportError:
        pass
    try:
        quotequail = importlib.import_module("quotequail")
        found["quotequail"] = lambda body: "\n".join(
            text for shown, text in quotequail.quote(body, quote_intro_line=True) if shown
        )
    except ImportError:
        pass
    return found


def correctness(verbose: bool) -> None:
    readers = libraries()
    good: dict[str, Counter[str]] = {name: Counter() for name in ("mailgm", "mailgm*", *readers)}
    total: Counter[str] = Counter()
    for pair in corpora.reply_pairs():
        if pair.exact is None or (pair.set, pair.name) in corpora.CONFLICTS:
            continue
        total[pair.set] += 1
        want = corpora.same(pair.exact)
        got = ours(pair)
        good["mailgm"][pair.set] += corpora.same(got) == want
        good["mailgm*"][pair.set] += corpora.same(got) == corpora.same(corpora.without_quotes(pair.exact))
        if verbose and corpora.same(got) != want:
            print(f"{pair.set}/{pair.name}\n  got  {got[-300:]!r}\n  want {pair.exact[-300:]!r}")
        body = pair.body or (
            html_to_text(pair.html) if pair.html else pair.raw.partition(b"\n\n")[2].decode("utf-8", "replace")
        )
        for name, reader in readers.items():
            good[name][pair.set] += corpora.same(reader(body)) == want
    print("exact pairs".ljust(22), *(name.rjust(19) for name in good), "of".rjust(5))
    for part in total:
        print(part.ljust(22), *(str(good[name][part]).rjust(19) for name in good), str(total[part]).rjust(5))
    print(
        "all".ljust(22),
        *(f"{100 * good[n].total() / total.total():.1f} %".rjust(19) for n in good),
        str(total.total()).rjust(5),
    )
    print("* quoted lines inside an answer left out of the expected text, as a reader for orders must\n")


def forwards() -> None:
    right = total = 0
    for _, body, subject, want in corpora.forward_pairs():
        total += 1
        parts = extract_text(body, subject)
        got, sender = parts.forwarded, want.get("from") or {}
        if got is None or not want["forwarded"]:
            right += (got is not None) == want["forwarded"]
            continue
        right += all(
            corpora.same(have) == corpora.same(need or "")
            for have, need, key in (
                (got.address, sender.get("address"), "from"), (got.name, sender.get("name"), "from"),
                (got.subject, want.get("subject"), "subject"), (got.text, want.get("body"), "body"),
                (parts.new_text, want.get("message"), "message"),
            )
            if key in want
        )  # fmt: skip
    print(f"forwards: {right} of {total} right in sender, subject, body and message above\n")


def mails() -> tuple[list[bytes], list[bytes]]:
    """(plain text mails, mails with HTML): files with a header block of at least a From and one field more."""
    plain, html = [], []
    for path in corpora.every_mail():
        raw = path.read_bytes()
        head = raw[:6000]
        if len(raw) > 300_000 or not re.search(rb"^From:", head, re.M | re.I):
            continue
        if not re.search(rb"^(?:Received|Message-ID|MIME-Version|Return-Path|Delivered-To):", head, re.M | re.I):
            continue
        (html if b"text/html" in raw.lower() else plain).append(raw)
    return plain, html


def seconds(work: Callable[[bytes], object], batch: list[bytes]) -> float:
    started = time.process_time()  # processor time: what else runs on the machine does not count
    for raw in batch:
        work(raw)
    return time.process_time() - started


def speed() -> None:
    for name, batch in zip(("plain text", "with HTML"), mails(), strict=True):
        seconds(read, batch)
        runs = [(seconds(email.message_from_bytes, batch), seconds(read, batch)) for _ in range(ROUNDS)]
        bare = statistics.median(run[0] for run in runs)
        whole = statistics.median(run[1] for run in runs)
        size = sum(map(len, batch)) / len(batch) / 1000
        print(
            f"{name}: {len(batch)} mails of {size:.1f} kB, stdlib parse alone {len(batch) / bare:,.0f}/s,"
            f" read whole {len(batch) / whole:,.0f}/s, ratio {statistics.median(a / b for a, b in runs):.2f}"
        )
    bodies = [pair.body for pair in corpora.reply_pairs() if pair.body]
    for name, reader in {"mailgm": lambda body: extract_text(body).new_text, **libraries()}.items():
        started = time.perf_counter()
        for body in bodies:
            reader(body)
        print(f"bodies/s {name}: {len(bodies) / (time.perf_counter() - started):,.0f}")


def main() -> None:
    if not corpora.ROOT.exists():
        sys.exit("no mail corpora: set MAILGM_CORPUS to their folder")
    correctness("-v" in sys.argv)
    forwards()
    speed()


if __name__ == "__main__":
    main()
