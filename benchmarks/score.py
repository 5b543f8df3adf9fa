"""Prints which pairs of the corpora the reader gets right, and what is wrong with the others (-v)."""

from __future__ import annotations

import sys
from collections import Counter
from pathlib import Path

sys.path[:0] = [str(Path(__file__).parents[1]), str(Path(__file__).parents[1] / "tests/mail/reader")]
import corpora

from mailgm.mail.reader.extract import extract_text
from mailgm.mail.reader.forward import split_address


def main() -> None:
    verbose = "-v" in sys.argv
    good: Counter[str] = Counter()
    loose: Counter[str] = Counter()
    total: Counter[str] = Counter()
    weak = [0, 0]
    for pair in corpora.reply_pairs():
        name, address = split_address(pair.sender)
        if pair.html or (pair.raw and not pair.body):
            from mailgm.mail.reader import html_to_text, read

            got = read(pair.raw).new_text if pair.raw else extract_text(html_to_text(pair.html)).new_text
        else:
            got = extract_text(pair.body, "", name, address).new_text
        if pair.exact is None:
            ok = all(corpora.same(c) in corpora.same(got) for c in pair.contains) and not any(
                a and corpora.same(a) in corpora.same(got) for a in pair.absent
            )
            weak[0] += ok
            weak[1] += 1
            if verbose and not ok:
                print(f"-- weak {pair.set}/{pair.name}: got {got!r}\n   {pair.contains} not {pair.absent}")
            continue
        total[pair.set] += 1
        ok = corpora.same(got) == corpora.same(pair.exact)
        good[pair.set] += ok
        loose[pair.set] += corpora.same(corpora.without_quotes(got)) == corpora.same(corpora.without_quotes(pair.exact))
        if verbose and not ok:
            print(f"-- {pair.set}/{pair.name}:\n   got  {got[-400:]!r}\n   want {pair.exact[-400:]!r}")
    for name in total:
        print(f"{name:22} {good[name]:3} (quotes apart {loose[name]:3}) of {total[name]}")
    print(f"all {sum(good.values())} ({sum(loose.values())}) of {sum(total.values())}; weak {weak[0]} of {weak[1]}")
    forwards(verbose)


def forwards(verbose: bool) -> None:
    good = total = 0
    for name, body, subject, want in corpora.forward_pairs():
        total += 1
        parts = extract_text(body, subject)
        got = parts.forwarded
        wrong = []
        if want["forwarded"] != (got is not None):
            wrong.append(f"forwarded {got}")
        elif got is not None:
            sender = want.get("from") or {}
            for key, have, need in (
                ("address", got.address, sender.get("address")),
                ("name", got.name, sender.get("name")),
                ("subject", got.subject, want.get("subject")),
                ("body", got.text, want.get("body")),
                ("message", parts.new_text, want.get("message")),
            ):
                key_there = (key in ("address", "name") and "from" in want) or key in want
                if key_there and corpora.same(have) != corpora.same(need or ""):
                    wrong.append(f"{key}: {have[:200]!r} != {need!r}")
        good += not wrong
        if verbose and wrong:
            print(f"-- forward {name}: {wrong}")
    print(f"forwards {good} of {total}")
    good = total = 0
    for name, body, is_html, unwrapped in corpora.unwrap_pairs():
        if is_html:
            from mailgm.mail.reader import html_to_text

            body = html_to_text(body)
        total += 1
        parts = extract_text(body)
        got = parts.forwarded
        wrong = []
        if (got is not None) != (unwrapped is not None and unwrapped["type"] == "forward"):
            wrong.append(f"forwarded {got}")
        elif got is not None and unwrapped is not None:
            for key, have in (("from", got.from_), ("subject", got.subject), ("date", got.date), ("text", got.text)):
                if key in unwrapped and corpora.same(have) != corpora.same(unwrapped[key]):
                    wrong.append(f"{key}: {have[:200]!r} != {unwrapped[key]!r}")
        if unwrapped and "text_top" in unwrapped:
            top = f"{unwrapped.get('text_top', '')} {unwrapped.get('text_bottom', '')}"
            if corpora.same(parts.new_text) not in (corpora.same(top), corpora.same(unwrapped.get("text_top", ""))):
                wrong.append(f"top: {parts.new_text!r}")
        good += not wrong
        if verbose and wrong:
            print(f"-- unwrap {name}: {wrong}")
    print(f"unwraps {good} of {total}")


main()
