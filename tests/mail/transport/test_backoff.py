"""How long the service waits before it tries a server again."""

from __future__ import annotations

import pytest

from mailgm.mail.inbox import Backoff


def test_delays_double_from_a_second_to_five_minutes() -> None:
    backoff = Backoff()
    assert [backoff.next(0) for _ in range(11)] == [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300]


def test_a_week_without_network_is_still_five_minutes() -> None:
    backoff = Backoff()
    assert {backoff.next(0) for _ in range(5000)} >= {300}
    assert backoff.next(0) == 300


def test_after_a_success_they_start_again() -> None:
    backoff = Backoff()
    backoff.next(0)
    backoff.next(0)
    backoff.reset()
    assert backoff.next(0) == 1


def test_jitter_takes_off_up_to_half() -> None:
    assert Backoff().next(1) == 0.5
    assert Backoff().next(0.5) == 0.75


@pytest.mark.parametrize("jitter", [-0.1, 1.1])
def test_jitter_is_a_share(jitter: float) -> None:
    with pytest.raises(ValueError, match="jitter"):
        Backoff().next(jitter)
