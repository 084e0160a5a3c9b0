"""Steering and follow-ups at any moment: each text has one fate, in its order, at its place."""

from __future__ import annotations

import asyncio
import tempfile
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_cockpit.engine.instructions import STEERING_MARK
from agent_cockpit.engine.session_state import ReplSession
from agent_cockpit.engine.surroundings import Surroundings
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message, TextBlock
from agent_cockpit.events.sitting import PromptDelivered, PromptQueued, PromptsRecalled
from agent_cockpit.harness import Harness
from agent_cockpit.settings import HarnessConfig
from tests.support.goals import of
from tests.support.moments import Moments
from tests.support.scripted_provider import Reply, ScriptedProvider, calls, says

What = Literal["steering", "follow_up", "pushed", "recall", "cancel"]
Schedule = list[tuple[int, What]]

READ: Reply = calls(("read_file", {"path": "a.txt"}), ("read_file", {"path": "a.txt"}))


def schedules(*what: What) -> st.SearchStrategy[Schedule]:
    """Acts at awaits of one sitting, a few of them beyond its end."""
    return st.lists(st.tuples(st.integers(1, 90), st.sampled_from(what)), max_size=8)


class Quick(Harness):
    """A harness that looks at nothing."""

    def look_around(self, prompt: str, **_: Any) -> Surroundings:
        return Surroundings()


class Sitting:
    """What came of a schedule."""

    def __init__(self, schedule: Schedule) -> None:
        self.events: list[Event] = []
        self.history: tuple[Message, ...] = ()
        asyncio.run(self._play(schedule))

    async def _play(self, schedule: Schedule) -> None:
        with tempfile.TemporaryDirectory() as folder:
            root = Path(folder) / "project"
            root.mkdir()
            (root / "a.txt").write_text("words\n")
            script = [READ, READ, says("a.txt"), *[READ, says("a.txt")] * 10]
            harness = Quick(
                config=HarnessConfig(workspace_root=str(root)),
                provider=ScriptedProvider(script),
                state=Path(folder) / "state",
            )
            repl = ReplSession(harness)
            stream = repl.events()
            beside: list[asyncio.Task[Any]] = []
            acts: dict[int, list[Callable[[], object]]] = {}
            for number, (moment, what) in enumerate(schedule):
                acts.setdefault(moment, []).append(self._act(repl, what, number, beside))
            Moments(acts).watch(asyncio.get_running_loop())
            beside.append(asyncio.get_running_loop().create_task(repl.drive("go")))
            while waiting := [task for task in beside if not task.done()]:
                await asyncio.wait(waiting)
            self.history = repl.history()
            await repl.aclose()
            self.events = stream.take_unread()

    def _act(
        self, repl: ReplSession, what: What, number: int, beside: list[asyncio.Task[Any]]
    ) -> Callable[[], object]:
        text = f"{what} {number}"

        def begin(work: Any) -> None:
            beside.append(asyncio.get_running_loop().create_task(work))

        def act() -> None:
            match what:
                case "recall":
                    repl.recall()
                case "cancel":
                    begin(repl.cancel("esc"))
                case "pushed":
                    repl.input_queue().push(text)
                case _:
                    if repl.execution.is_active:
                        begin(repl.drive(text, kind=what))

        return act

    def fates(self, text: str) -> list[str]:
        """What the events say became of a text."""
        found = []
        for event in self.events:
            if isinstance(event, PromptDelivered) and text in event.texts:
                found.append("delivered")
            if isinstance(event, PromptsRecalled) and text in event.texts:
                found.append(event.to)
        return found


@pytest.mark.timeout(120)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(schedules("steering", "follow_up", "pushed", "recall", "cancel"))
def test_every_text_has_one_fate_and_is_read_at_most_once(schedule: Schedule) -> None:
    sitting = Sitting(schedule)
    read = Counter(
        line
        for message in sitting.history
        if message.role == "user"
        for block in message.blocks
        if isinstance(block, TextBlock)
        for line in block.text.split("\n\n")
    )
    for event in of(sitting.events, PromptQueued):
        fates = sitting.fates(event.text)
        assert len(fates) == 1, (event.text, fates)
        assert read[event.text] == (fates[0] in ("delivered", "next")), (event.text, fates)


@pytest.mark.timeout(120)
@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(schedules("steering", "follow_up", "pushed"))
def test_what_nobody_takes_back_is_read_in_its_order_and_at_its_place(schedule: Schedule) -> None:
    sitting = Sitting(schedule)
    queued = of(sitting.events, PromptQueued)
    steered = [event.text for event in queued if event.kind == "steering"]
    followed = [event.text for event in queued if event.kind == "follow_up"]
    carried: list[str] = []
    for event in sitting.events:
        if isinstance(event, PromptDelivered):
            assert set(event.texts) <= set(steered)
            assert_in_one_marked_block(sitting.history, event.texts)
            carried += event.texts
        if isinstance(event, PromptsRecalled):
            assert event.to == "next"
            kinds = [text in followed for text in event.texts]
            assert kinds == sorted(kinds)
            carried += event.texts
    assert [text for text in carried if text in steered] == steered
    assert [text for text in carried if text in followed] == followed


def assert_in_one_marked_block(history: tuple[Message, ...], texts: list[str]) -> None:
    """Together, once, marked, behind the results of a batch."""
    block = TextBlock(text="\n\n".join([STEERING_MARK, *texts]))
    carriers = [message for message in history if block in message.blocks]
    assert len(carriers) == 1
    kinds = [part.type for part in carriers[0].blocks]
    assert kinds[:-1] == ["tool_result"] * (len(kinds) - 1)
    assert kinds[-1] == "text"
