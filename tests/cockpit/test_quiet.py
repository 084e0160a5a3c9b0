"""No key that was meant for the prompt answers a question."""

from __future__ import annotations

import pytest

from agent_cockpit.cockpit.consent.quiet import Quiet


@pytest.mark.parametrize(
    ("painted_at", "typed_at", "pressed_at", "counts"),
    [
        (None, 0.0, 99.0, False),
        (10.0, 0.0, 10.0, False),
        (10.0, 0.0, 10.4, False),
        (10.0, 0.0, 10.5, True),
        (10.0, 10.25, 10.6, False),
        (10.0, 10.25, 10.75, True),
        (10.0, 11.0, 10.9, False),
    ],
    ids=[
        "not painted yet",
        "just painted",
        "painted a moment ago",
        "quiet since the paint",
        "still typing",
        "typing stopped",
        "pressed before the paint settled",
    ],
)
def test_a_key_counts_only_in_the_quiet(
    painted_at: float | None, typed_at: float, pressed_at: float, counts: bool
) -> None:
    quiet = Quiet(quiet_s=0.5, painted_at=painted_at)
    quiet.typed(typed_at)
    assert quiet.counts(pressed_at) is counts


def test_keys_count_within_a_second_once_typing_stopped() -> None:
    quiet = Quiet(painted_at=5.0)
    for key in range(100):
        quiet.typed(5.0 + key / 15)
    opens_at = quiet.opens_at()
    assert opens_at is not None
    assert opens_at - (5.0 + 99 / 15) < 1


def test_a_new_question_starts_the_quiet_anew() -> None:
    quiet = Quiet(painted_at=5.0)
    quiet.ask()
    assert not quiet.counts(100.0)


def test_a_key_that_waited_in_a_queue_counts_as_old_as_it_is() -> None:
    quiet = Quiet(painted_at=5.0)
    quiet.typed(6.0)
    quiet.typed(5.5)
    assert not quiet.counts(6.1)
