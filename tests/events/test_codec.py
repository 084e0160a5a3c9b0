"""The closed union and its JSON."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from pydantic import ValidationError

from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult
from agent_cockpit.events.codec import dump_event, parse_any, parse_event
from agent_cockpit.events.harness import (
    HARNESS_EVENT_TYPES,
    ApprovalRequested,
    ApprovalResolved,
    ModelUpdate,
    PhaseChanged,
    ToolEnd,
    ToolStart,
    VerificationEnd,
)
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import (
    SITTING_EVENT_TYPES,
    CheckFinished,
    ContextCompacted,
    SittingMessage,
    UnknownEvent,
)

REQUIRED: dict[type[Event], dict[str, object]] = {
    PhaseChanged: {"old": "investigating", "new": "editing"},
    ToolStart: {"tool": "read_file"},
    ToolEnd: {"tool": "read_file", "success": True},
    ApprovalRequested: {"approval_id": "a", "tool": "run_command"},
    ApprovalResolved: {"approval_id": "a", "allowed": True},
    VerificationEnd: {"passed": True},
    ContextCompacted: {"message": Message.of("user", "gist")},
    SittingMessage: {"message": Message.of("user", "hi")},
    CheckFinished: {"result": CheckResult(name="tests", status="pass")},
}

DOCUMENTED = {
    "agent_start", "agent_end", "turn_start", "turn_end", "phase_changed",
    "declaration_required", "model_decision", "model_update", "tool_start", "tool_end",
    "approval_requested", "approval_resolved", "decision_error", "model_usage",
    "verification_plan_frozen", "verification_start", "verification_end",
    "cancellation_observed", "task_escalated",
}  # fmt: skip


def test_the_union_is_the_nineteen_documented_types() -> None:
    assert {str(kind.model_fields["type"].default) for kind in HARNESS_EVENT_TYPES} == DOCUMENTED


def test_a_time_without_a_zone_counts_as_utc() -> None:
    event = parse_any({"type": "turn_start", "ts": "2026-03-04T05:06:07"})
    assert event.ts == datetime(2026, 3, 4, 5, 6, 7, tzinfo=UTC)


@pytest.mark.parametrize("kind", HARNESS_EVENT_TYPES, ids=lambda kind: kind.__name__)
def test_every_harness_event_survives_json(kind: type[Event]) -> None:
    event = kind.model_validate(REQUIRED.get(kind, {}))
    assert parse_event(dump_event(event)) == event


@pytest.mark.parametrize(
    "kind",
    [kind for kind in SITTING_EVENT_TYPES if kind is not UnknownEvent],
    ids=lambda kind: kind.__name__,
)
def test_every_sitting_event_survives_json(kind: type[Event]) -> None:
    event = kind.model_validate(REQUIRED.get(kind, {}))
    assert parse_any(dump_event(event)) == event


def test_an_unknown_type_is_refused_by_the_union_and_kept_whole_by_the_tolerant_reader() -> None:
    line = '{"type":"from_the_future","event_id":7,"x":{"y":1}}'
    with pytest.raises(ValidationError):
        parse_event(line)
    kept = parse_any(line)
    assert isinstance(kept, UnknownEvent)
    assert kept.event_id == 7
    assert dump_event(kept) == line


def test_another_schema_version_is_refused() -> None:
    with pytest.raises(ValidationError):
        parse_event('{"type":"turn_end","schema_version":2}')


def test_updates_go_to_the_display_channel_and_nowhere_else() -> None:
    assert ModelUpdate().channel == "display"
    with pytest.raises(ValidationError):
        ModelUpdate.model_validate({"channel": "control"})


@pytest.mark.parametrize("line", ["", "3", "[]", "{", '{"type":5}', '{"no":"type"}', "\x00"])
def test_what_is_no_event_is_a_value_error(line: str) -> None:
    with pytest.raises(ValueError, match=r".*"):
        parse_any(line)


def test_half_a_character_is_written_as_a_mark_instead_of_failing() -> None:
    event = ToolStart(tool="read_file", input={"path": "caf\udce9", "lines": ["\ud83d"]})
    back = parse_event(dump_event(event))
    assert isinstance(back, ToolStart)
    assert back.input == {"path": "caf\ufffd", "lines": ["\ufffd"]}
