"""Authentication-Results are believed of the configured server only, and of its topmost header only (RFC 8601)."""

from __future__ import annotations

import pytest

from mailgm.mail.authres import authenticity

MX = "mx.example.org"


@pytest.mark.parametrize(
    ("headers", "found"),
    [
        ([], "none"),
        ([f"{MX}; dmarc=pass (p=none) header.from=ana.fr"], "pass"),
        ([f"{MX} 1; dmarc=fail header.from=ana.fr; dkim=pass header.d=evil.fr"], "fail"),
        ([f"{MX.upper()}; dkim=pass header.d=ana.fr; spf=fail smtp.mailfrom=list.org"], "pass"),
        ([f"{MX}; dkim=pass header.i=@mail.ana.fr"], "pass"),
        ([f"{MX}; spf=pass smtp.mailfrom=bounce@ana.fr"], "pass"),
        ([f"{MX}; spf=pass smtp.mailfrom=bounce@evil.fr"], "none"),
        ([f"{MX}; dkim=fail (bad signature) header.d=ana.fr; spf=softfail"], "fail"),
        ([f"{MX}; spf=fail smtp.mailfrom=ana.fr; dkim=none"], "fail"),
        ([f"{MX}; none"], "none"),
        (["other.example; dmarc=pass header.from=ana.fr"], "none"),
        (["other.example; dmarc=fail", f"{MX}; dmarc=pass header.from=ana.fr"], "none"),
        ([f"{MX}; dmarc=fail", f"{MX}; dmarc=pass"], "fail"),
        ([f"(comment ({MX}; dmarc=pass)) other; dmarc=pass"], "none"),
        ([f"{MX}; dkim=pass header.d=fr"], "none"),
        ([f"{MX} (dmarc=pass; ; )"], "none"),
        ([f"{MX}; dmarc=pass("], "pass"),
        ([""], "none"),
    ],
)
def test_only_the_topmost_header_of_the_configured_server_counts(headers: list[str], found: str) -> None:
    assert authenticity(headers, MX, "ana@ana.fr") == found


def test_without_a_configured_server_nothing_is_believed() -> None:
    assert authenticity([f"{MX}; dmarc=pass"], "", "ana@ana.fr") == "none"
