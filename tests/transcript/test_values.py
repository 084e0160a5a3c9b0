"""A sitting as plain values for programs."""

from __future__ import annotations

import json

from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.values import values
from tests.transcript.stories import fixed_test, hard_goal


def test_every_block_is_there_with_its_kind_and_can_be_written_as_json() -> None:
    for story in (fixed_test(), hard_goal()):
        blocks = Transcript.of(story).blocks
        told = values(blocks)
        assert json.loads(json.dumps(told)) == told
        assert len(told) == len(blocks)
    calls = [each for each in told if each["kind"] == "call"]
    assert all(isinstance(each["input"], dict) and each["state"] for each in calls)
    assert calls
