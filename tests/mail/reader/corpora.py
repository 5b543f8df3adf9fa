"""The mail corpora as pairs of a body and what must be left of it; used by the tests and by benchmarks/reader.py."""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from email import message_from_bytes
from pathlib import Path

ROOT = Path(os.environ.get("MAILGM_CORPUS") or Path(__file__).resolve().parents[4] / "shared" / "corpus")
REPLY_SETS = (
    "email_reply_trimmer", "crisp_reply", "willdurand_reply", "github_reply", "zapier_reply", "mail_parser_reply",
    "fiedl_reply", "talon", "talon_signature", "quotequail", "discourse",
)  # fmt: skip
# Upstreams disagree (README of the corpora): other sets cut these signatures, or this trailing line.
CONFLICTS = frozenset({("crisp_reply", "email_1"), ("mail_parser_reply", "email_2_1")})


@dataclass(frozen=True)
class Pair:
    set: str
    name: str
    body: str
    exact: str | None
    contains: tuple[str, ...] = ()
    absent: tuple[str, ...] = ()
    sender: str = ""
    raw: bytes = b""
    html: str = ""
    unwrapped: dict[str, str] = field(default_factory=dict)


def same(text: str) -> str:
    """White space never counts."""
    return re.sub(r"[\s\xa0]+", " ", text).strip()


def without_quotes(text: str) -> str:
    """The lines that carry no quote mark: what a reader for commands may keep of an answer between quotes."""
    return "\n".join(line for line in text.split("\n") if not re.match(r"\s*[A-Z]{0,3}>", line))


def text(path: Path) -> str:
    return path.read_bytes().decode("utf-8", "replace")


def reply_pairs() -> Iterator[Pair]:
    for path in sorted((ROOT / "email_reply_trimmer" / "emails").iterdir()):
        yield Pair("email_reply_trimmer", path.stem, text(path), text(path.parents[1] / "trimmed" / path.name))
    for name in ("crisp_reply", "willdurand_reply", "github_reply", "zapier_reply", "mail_parser_reply", "fiedl_reply",
                 "discourse"):  # fmt: skip
        for path in sorted((ROOT / name / "emails").iterdir()):
            expected = path.parents[1] / "expected" / f"{path.stem}.json"
            if not expected.exists():
                continue
            want = json.loads(text(expected))
            if "forwarded" in want:
                continue
            raw = path.read_bytes() if path.suffix == ".eml" else b""
            yield Pair(name, path.stem, "" if raw else text(path), want.get("exact"), tuple(want.get("contains", ())),
                       tuple(want.get("absent", ())), raw=raw)  # fmt: skip
    talon = ROOT / "talon"
    for path in sorted((talon / "standard_replies").iterdir()):
        want = json.loads(text(talon / "expected" / f"{path.stem}.json"))
        yield Pair("talon", path.stem, _plain(path.read_bytes()), want["exact"], raw=path.read_bytes())
    for path in sorted((talon / "html_replies").iterdir()):
        want = json.loads(text(talon / "expected" / f"{path.name}.json"))
        yield Pair("talon_html", path.stem, "", want["exact"], html=text(path))
    for path in sorted((talon / "signature").glob("*_body.txt")):
        want = json.loads(text(talon / "expected" / f"{path.stem}.json"))
        sender = text(path.with_name(path.name.replace("_body", "_sender"))).strip()
        yield Pair("talon_signature", path.stem, text(path), want["exact"], sender=sender)
    for path in sorted((ROOT / "quotequail" / "quote").iterdir()):
        want = json.loads(text(ROOT / "quotequail" / "expected" / f"{path.stem}.json"))
        yield Pair("quotequail", path.stem, text(path), want["exact"])


def forward_pairs() -> Iterator[tuple[str, str, str, dict]]:
    """(name, body, subject, expected) of the forwards."""
    folder = ROOT / "crisp_forward"
    for path in sorted((folder / "expected").iterdir()):
        want = json.loads(text(path))
        subject = text(folder / "subjects" / want["subject_file"]).strip() if want.get("subject_file") else ""
        yield path.stem, text(folder / "mails" / want["mail_file"]), subject, want


def unwrap_pairs() -> Iterator[tuple[str, str, bool, dict | None]]:
    """(name, body, is it HTML, what is wrapped) of quotequail."""
    folder = ROOT / "quotequail"
    for kind in ("unwrap", "unwrap_html"):
        for path in sorted((folder / kind).iterdir()):
            want = json.loads(text(folder / "expected" / f"{path.stem}.json"))["unwrapped"]
            yield path.stem, text(path), kind == "unwrap_html", want


def every_mail() -> Iterator[Path]:
    """Every file that is, or might be taken for, a raw mail or a body."""
    for path in sorted(ROOT.rglob("*")):
        if path.is_file() and path.suffix not in (".json", ".tsv", ".list", ".md") and "expected" not in path.parts:
            yield path


def _plain(raw: bytes) -> str:
    for part in message_from_bytes(raw).walk():
        if part.get_content_type() == "text/plain":
            return part.get_payload(decode=True).decode(part.get_content_charset() or "utf-8", "replace")
    return ""
