"""What a journal tells of a goal's changes, wherever it breaks off."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from agent_cockpit.engine.record.recalled_changes import RecalledChanges
from agent_cockpit.events.base import Event
from agent_cockpit.events.changes import ChangesKept, PathChange, TreeKept
from agent_cockpit.events.harness import AgentEnd, AgentStart, ToolEnd, ToolStart
from agent_cockpit.events.sitting import SittingResumed
from agent_cockpit.rules.undoing import Work

BEGAN = datetime(2026, 3, 2, 9, 41, tzinfo=UTC)
SECOND = 1_000_000_000
BEGAN_NS = int(BEGAN.timestamp()) * SECOND

STARTED = AgentStart(task_id="t", goal="g")
KEPT = TreeKept(task_id="t", before="1.x")
COMMAND = ToolStart(call_id="c", tool="run_command", input={"command": "make"})
EDIT = ToolStart(call_id="e", tool="write_file", input={"path": "a"})
READ = ToolStart(call_id="r", tool="list_files", input={})
DIFF = "--- a/a\n+++ b/a\n@@ -1 +1 @@\n-old\n+new\n"
RESUMED = AgentEnd(task_id="t", status="interrupted"), SittingResumed()


def recalled(*events: Event) -> RecalledChanges:
    """Events a second apart."""
    changes = RecalledChanges()
    for second, event in enumerate(events):
        changes.take(event.model_copy(update={"ts": BEGAN + timedelta(seconds=second)}))
    return changes


@pytest.mark.parametrize("later", [(), RESUMED, (*RESUMED, *RESUMED)], ids=["", "once", "twice"])
def test_a_call_that_was_cut_counts_until_the_record_breaks_off(later: tuple[Event, ...]) -> None:
    edited = ToolEnd(call_id="e", tool="write_file", success=True, diff=DIFF)
    events = STARTED, KEPT, EDIT, edited, READ, COMMAND, READ
    cut = recalled(*events, *later).cut_work
    assert cut is not None
    assert (cut.task_id, cut.goal, cut.before, cut.began_ns) == ("t", "g", "1.x", BEGAN_NS)
    assert cut.work == (
        Work(BEGAN_NS + 2 * SECOND, BEGAN_NS + 3 * SECOND, frozenset({"a"})),
        Work(BEGAN_NS + 5 * SECOND, BEGAN_NS + 6 * SECOND),
    )
    assert cut.in_a_command


@pytest.mark.parametrize(
    "events",
    [
        (STARTED, COMMAND),
        (STARTED, KEPT, AgentEnd(status="completed")),
        (STARTED, KEPT, ChangesKept(task_id="t", files=[PathChange(path="a")])),
        (STARTED, KEPT, COMMAND, AgentStart(task_id="u")),
        (),
    ],
    ids=["no snapshot", "ended", "measured", "another goal", "nothing"],
)
def test_nothing_is_left_to_be_measured(events: tuple[Event, ...]) -> None:
    assert recalled(*events).cut_work is None


def test_an_edit_that_was_cut_is_no_command() -> None:
    cut = recalled(STARTED, KEPT, EDIT).cut_work
    assert cut is not None
    assert not cut.in_a_command
    assert [each.writes for each in cut.work] == [frozenset({"a"})]
