"""Steering and follow-ups at any moment: each text has one fate, in its order, at its place."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from itertools import count
from pathlib import Path
from typing import Any, Literal

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.engine.model.instructions import STEERING_MARK
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.surroundings import Surroundings
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message, TextBlock
from agent_cockpit.events.sitting import PromptDelivered, PromptQueued, PromptsRecalled
from agent_cockpit.harness import Harness
from agent_cockpit.settings import HarnessConfig
from tests.support.goals import of
from tests.support.moments import AtOnce, Moments
from tests.support.scripted_provider import Reply, ScriptedProvider, calls, says
from tests.support.storm_parts import NoTree

What = Literal["steering", "follow_up", "pushed", "recall", "cancel"]
Schedule = list[tuple[int, What]]

READ: Reply = calls(("read_file", {"path": "a.txt"}), ("read_file", {"path": "a.txt"}))


def schedules(*what: What) -> st.SearchStrategy[Schedule]:
    """Acts at awaits of one sitting, a few of them beyond its end."""
    return st.lists(st.tuples(st.integers(1, 90), st.sampled_from(what)), max_size=8)


class NoSnapshots:
    """Snapshots of a tree that nobody changes."""

    kind = "git"

    def take(self, label: str = "", *, cancelled: Callable[[], bool]) -> NoTree:
        return NoTree()

    def diff(self, before: Any, after: Any = None) -> str:
        return ""

    def changed_paths(self, before: Any, after: Any = None) -> tuple[Any, ...]:
        return ()

    def diff_head(self) -> str:
        return ""

    def first_of_all(self) -> None:
        return None

    def remember(self, path: str) -> None:
        return None

    def restore(self, snapshot: Any, paths: Iterable[str]) -> tuple[str, ...]:
        return ()

    def touched(self) -> set[str]:
        return set()

    def changed_folders(self, before: Any, after: Any) -> tuple[Any, ...]:
        return ()

    def changed_ignored(self, before: Any, after: Any, was_then: Any) -> tuple[str, ...]:
        return ()

    def recall(self, ref: str) -> NoTree:
        return NoTree()

    def move(
        self, now: Any, to: Any, paths: Iterable[str]
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        return (), {}


class Quick(Harness):
    """A harness that looks at nothing and keeps nothing."""

    snapshots = NoSnapshots()  # type: ignore[assignment]

    def look_around(self, prompt: str, **_: Any) -> Surroundings:
        return Surroundings()


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one file, which nothing changes."""
    root = tmp_path_factory.mktemp("schedules") / "project"
    root.mkdir()
    (root / "a.txt").write_text("words\n")
    return root


class Sitting:
    """What came of a schedule; the same in every run, since nothing waits for a thread."""

    def __init__(self, root: Path, schedule: Schedule) -> None:
        self.events: list[Event] = []
        self.history: tuple[Message, ...] = ()
        self.moments = 0
        """How many there were; an act that was planned for a later one did not happen."""
        asyncio.run(self._play(root, schedule))

    async def _play(self, root: Path, schedule: Schedule) -> None:
        script = [READ, READ, says("a.txt"), *[READ, says("a.txt")] * 10]
        harness = Quick(
            config=HarnessConfig(workspace_root=str(root), sandbox="none"),
            provider=ScriptedProvider(script),
            state=root.parent / "state",
        )
        repl = ReplSession(harness)
        stream = repl.events()
        beside: list[asyncio.Task[Any]] = []
        acts: dict[int, list[Callable[[], object]]] = {}
        for number, (moment, what) in enumerate(schedule):
            acts.setdefault(moment, []).append(self._act(repl, what, number, beside))
        loop, moments = asyncio.get_running_loop(), Moments(acts)
        loop.set_default_executor(AtOnce())
        moments.watch(loop)
        beside.append(loop.create_task(repl.drive("go")))
        while waiting := [task for task in beside if not task.done()]:
            await asyncio.wait(waiting)
        for task in beside:
            task.result()
        self.history = repl.history()
        self.moments = moments.count
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

    def broken(self) -> list[str]:
        """Texts that came to nothing, to several fates, or were read although they came back."""
        read = Counter(
            line
            for message in self.history
            if message.role == "user"
            for block in message.blocks
            if isinstance(block, TextBlock)
            for line in block.text.split("\n\n")
        )
        return [
            f"{event.text}: {fates}, read {read[event.text]} times"
            for event in of(self.events, PromptQueued)
            for fates in [self.fates(event.text)]
            if len(fates) != 1 or read[event.text] != (fates[0] in ("delivered", "next"))
        ]


def at_every_moment(root: Path, *before: tuple[int, What], then: What) -> Iterator[Sitting]:
    """A sitting for each moment at which `then` can happen, the first to the last."""
    for moment in count(1):
        sitting = Sitting(root, [*before, (moment, then)])
        yield sitting
        if sitting.moments < moment:
            return


@pytest.mark.parametrize("then", ["cancel", "recall"])
@pytest.mark.parametrize("kind", ["steering", "follow_up", "pushed"])
def test_no_moment_of_taking_back_gives_a_text_two_fates_or_none(
    project: Path, kind: What, then: What
) -> None:
    assert [s.broken() for s in at_every_moment(project, (1, kind), then=then) if s.broken()] == []


def test_no_moment_of_taking_back_breaks_up_texts_that_go_on_together(project: Path) -> None:
    together: list[tuple[int, What]] = [(1, "follow_up"), (1, "follow_up")]
    broken = [s.broken() for s in at_every_moment(project, *together, then="cancel") if s.broken()]
    assert broken == []


@settings(max_examples=100)
@given(schedule=schedules("steering", "follow_up", "pushed", "recall", "cancel"))
def test_every_text_has_one_fate_and_is_read_at_most_once(
    project: Path, schedule: Schedule
) -> None:
    assert Sitting(project, schedule).broken() == []


@settings(max_examples=60)
@given(schedule=schedules("steering", "follow_up", "pushed"))
def test_what_nobody_takes_back_is_read_in_its_order_and_at_its_place(
    project: Path, schedule: Schedule
) -> None:
    sitting = Sitting(project, schedule)
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
