"""The app on a sitting that was taken up again: the same screen, and one key to go on."""

from __future__ import annotations

import pytest
from textual.pilot import Pilot

from agent_cockpit.engine.state import SessionState, Turn
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ApprovalRequested
from agent_cockpit.events.sitting import PromptsRecalled, SittingResumed
from agent_cockpit.settings import HarnessConfig
from tests.cockpit.screen import type_in, until
from tests.cockpit.test_app import Cockpit
from tests.support.scripted_source import ScriptedSource

GO_ON = "fix it\n\n(Go on with this: it was interrupted.)"
PAST: tuple[Event, ...] = (
    AgentStart(goal="fix it", task_kind="edit"),
    ApprovalRequested(approval_id="c", tool="run_command", input={"command": "git push"}),
    PromptsRecalled(texts=["taken back long ago"], to="composer"),
)


class Resumed(ScriptedSource):
    """A sitting that broke off while a call waited, with a prompt in its queue."""

    def __init__(self, *, past: tuple[Event, ...] = PAST) -> None:
        super().__init__()
        self.unfinished = GO_ON
        self.state = SessionState(
            session_id="aaaabbbbccccdddd",
            workspace_root="/w",
            config=HarnessConfig(),
            history=[Turn(role="user", text="fix it"), Turn(role="agent", text="incomplete")],
        )
        self._past = past
        self.say(
            PromptsRecalled(texts=["use tabs"], to="composer"),
            AgentEnd(outcome="incomplete", status="interrupted"),
            SittingResumed(model="scripted", provider="test", workspace="/w"),
        )

    def take_past(self) -> tuple[Event, ...]:
        return self._past


async def resumed(cockpit: Cockpit, pilot: Pilot[None]) -> None:
    await until(pilot, lambda: "taken up again · scripted" in cockpit.blocks)
    await until(pilot, lambda: cockpit.written == "use tabs")
    await pilot.press("ctrl+a", "ctrl+k")
    await until(pilot, lambda: cockpit.written == "")


async def test_the_screen_is_what_it_was_and_what_waited_is_over() -> None:
    cockpit = Cockpit(Resumed())
    async with cockpit.app.run_test(size=(100, 30)) as pilot:
        await resumed(cockpit, pilot)
        assert cockpit.blocks[0] == "fix it"
        assert "git push" in cockpit.text
        assert "interrupted" in cockpit.text
        assert not cockpit.app.panel.is_open


async def test_enter_with_nothing_typed_goes_on_once() -> None:
    cockpit = Cockpit(Resumed())
    async with cockpit.app.run_test(size=(100, 30)) as pilot:
        await resumed(cockpit, pilot)
        assert "enter goes on with what was interrupted" in cockpit.text
        assert "enter go on" in cockpit.text
        await pilot.press("enter")
        await until(pilot, lambda: ("drive", GO_ON, "steering") in cockpit.source.calls)
        await pilot.press("enter", "enter")
        await pilot.pause()
        assert [call[0] for call in cockpit.source.calls].count("drive") == 1


async def test_another_prompt_is_as_good() -> None:
    cockpit = Cockpit(Resumed())
    async with cockpit.app.run_test(size=(100, 30)) as pilot:
        await resumed(cockpit, pilot)
        await type_in(pilot, "hello")
        assert "enter send" in cockpit.text
        await pilot.press("enter")
        await until(pilot, lambda: ("drive", "hello", "steering") in cockpit.source.calls)


async def test_earlier_prompts_are_in_reach_of_the_arrow() -> None:
    cockpit = Cockpit(Resumed())
    async with cockpit.app.run_test(size=(100, 30)) as pilot:
        await resumed(cockpit, pilot)
        await pilot.press("up")
        assert cockpit.written == "fix it"


@pytest.mark.parametrize(
    ("path", "word"),
    [
        ("/state/20260101-000000-aaaabbbbcccc.jsonl", "aaaabbbbcccc"),
        ("/elsewhere/my-own.jsonl", "/elsewhere/my-own.jsonl"),
    ],
)
async def test_the_last_words_say_how_to_go_on(path: str, word: str) -> None:
    source = Resumed()
    source.journal_path = path
    cockpit = Cockpit(source)
    async with cockpit.app.run_test() as pilot:
        await resumed(cockpit, pilot)
        await pilot.press("ctrl+q")
        await until(pilot, lambda: cockpit.app.farewell)
    assert cockpit.app.farewell.endswith(f"\ngo on: agent-cockpit --resume {word}")
    assert f"agent-cockpit replay {source.journal_path}" in cockpit.app.farewell
    assert cockpit.app.farewell.count(path) == 1 + (word == path)
