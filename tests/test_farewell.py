"""What is said and left at a terminal when a sitting is over."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace

import pytest

from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate
from agent_cockpit.farewell import how_to_go_on, how_to_resume, what_stays
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.transcript.fold import Transcript


class Shown:
    """A sitting of two goals."""

    def __init__(self) -> None:
        self.transcript = Transcript()
        for name in ("one", "two"):
            self.transcript.apply(AgentStart(goal=f"prompt {name}"))
            self.transcript.apply(ModelUpdate(kind="answer", delta=f"answer {name}"))
            self.transcript.apply(AgentEnd(outcome="success", status="completed"))


@pytest.mark.parametrize(
    ("setting", "kept", "gone"),
    [
        ("off", [], ["one", "two"]),
        ("goal", ["> prompt two", "answer two"], ["one"]),
        ("all", ["> prompt one", "answer one", "> prompt two"], []),
    ],
)
def test_as_much_stays_as_the_setting_says(setting: str, kept: list[str], gone: list[str]) -> None:
    config = HarnessConfig.model_validate({"leave_transcript": setting})
    text = what_stays(Shown(), config)
    assert all(part in text for part in kept)
    assert not any(part in text for part in gone)


def test_nothing_stays_of_what_has_no_settings_or_said_nothing() -> None:
    assert what_stays(Shown(), None) == ""
    empty = SimpleNamespace(transcript=Transcript())
    assert what_stays(empty, HarnessConfig(leave_transcript="goal")) == ""


def test_a_sitting_goes_on_by_its_id_or_by_the_journal_that_it_was_given() -> None:
    state = SimpleNamespace(session_id="0123456789abcdef")
    usual = SimpleNamespace(journal_path=Path("/s/20260101-000000-0123456789ab.jsonl"), state=state)
    assert how_to_resume(usual) == "agent-cockpit --resume 0123456789ab"
    named = SimpleNamespace(journal_path=Path("/s/mine.jsonl"), state=state)
    assert how_to_go_on(named).endswith("go on: agent-cockpit --resume /s/mine.jsonl")
    assert how_to_go_on(SimpleNamespace(journal_path=None)) == ""
