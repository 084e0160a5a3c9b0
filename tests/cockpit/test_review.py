"""All that is known of a call that waits."""

from __future__ import annotations

from typing import Any

import pytest

from agent_cockpit.cockpit.consent.review import review
from agent_cockpit.events.harness import ApprovalRequested


@pytest.mark.parametrize(
    ("given", "last"),
    [
        ({}, "  nothing"),
        ({"n": None}, "    null"),
        ({"text": ""}, "    "),
        ({"a": "x\ny"}, "    y"),
    ],
)
def test_what_a_tool_is_given_is_told_to_its_end(given: dict[str, Any], last: str) -> None:
    call = ApprovalRequested(approval_id="1", tool="run_tests", input=given)
    lines = [line.text for line in review(call, [])]
    assert lines[lines.index("what it is given, letter for letter") + 1 :][-1] == last
