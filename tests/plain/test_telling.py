"""Events told as lines: none twice, none taken back, none held back for long."""

from __future__ import annotations

from typing import Any

from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate, ToolEnd, ToolStart
from agent_cockpit.events.sitting import CallProposed, PromptDelivered, RetryWaiting
from agent_cockpit.plain.page import Verbatim
from agent_cockpit.plain.telling import Telling
from agent_cockpit.transcript.fold import Transcript


def told(*events: Event) -> list[list[str]]:
    """The lines that each event brought."""
    transcript = Transcript()
    telling = Telling(transcript)
    lines = []
    for event in events:
        transcript.apply(event)
        lines.append(telling.news())
    return lines


def test_an_answer_comes_line_by_line_and_its_end_with_the_turn() -> None:
    lines = told(
        AgentStart(goal="go"),
        ModelUpdate(kind="answer", delta="One"),
        ModelUpdate(kind="answer", delta=" line.\nAnd "),
        ModelUpdate(kind="answer", delta="another"),
        AgentEnd(outcome="success", status="completed"),
    )
    assert lines == [[], [], ["", "One line."], [], ["And another"]]


def test_lines_of_code_keep_their_breaks_and_prose_does_not() -> None:
    answer = "It is:\n```python\nx = 1\n~~~\n```\nand\n~~~~\ny\n~~~\n~~~~\nwell `x`\n"
    lines = told(
        AgentStart(goal="go"),
        ModelUpdate(kind="answer", delta=answer[:24]),
        ModelUpdate(kind="answer", delta=answer[24:]),
        AgentEnd(outcome="success", status="completed"),
    )
    kept = [line for each in lines for line in each if isinstance(line, Verbatim)]
    assert kept == ["```python", "x = 1", "~~~", "```", "~~~~", "y", "~~~", "~~~~"]


def test_each_attempt_is_told_when_it_waits() -> None:
    lines = told(
        AgentStart(goal="go"),
        RetryWaiting(attempt=1, attempts=3, error="busy"),
        RetryWaiting(attempt=1, attempts=3, error="busy"),
        RetryWaiting(attempt=2, attempts=3, error="busy"),
        ModelUpdate(kind="answer", delta="Here.\n"),
    )
    assert [len(each) for each in lines] == [0, 1, 0, 1, 2]
    assert "attempt 3 of 3" in lines[3][0]


def test_a_command_is_told_when_it_begins_and_when_it_is_over() -> None:
    call: dict[str, Any] = {"call_id": "1", "tool": "run_command"}
    lines = told(
        AgentStart(goal="go"),
        CallProposed(input={"command": "make"}, **call),
        ToolStart(input={"command": "make"}, **call),
        ToolEnd(success=True, exit_code=0, content="ok", **call),
    )
    assert lines[2] == ["* running: run make"]
    assert lines[3][0].startswith("* run make")
    assert "exit 0" in lines[3][0]


def test_a_prompt_that_joined_is_told_when_the_model_has_read_it() -> None:
    (_, line) = told(AgentStart(goal="go"), PromptDelivered(texts=["be brief"]))
    assert line == ["- the model has read what you sent:", "> be brief"]
