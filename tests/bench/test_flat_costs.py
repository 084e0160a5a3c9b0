"""A long sitting answers like a new one: what a person's key costs does not grow with its past.

Steps of the interpreter are counted, which no busy machine can change; of the time, which alone
shows copies that C code makes, the best of many tries is compared.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import TaskState
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import Notice
from tests.support.goals import Folder
from tests.support.scripted_provider import says
from tests.support.steps import steps_of
from tests.support.waiting import until

EVENTS = 10_000
GOALS = 500
TRIES = 60
TIMES_AS_LONG = 3
SLACK_S = 0.00005
"""Below this nobody feels a difference, and a clock of a busy machine sees one."""

Doing = Callable[[ReplSession], object]


def recalls(repl: ReplSession) -> object:
    repl.input_queue().push("and this")
    return repl.recall()


DOINGS: dict[str, Doing] = {
    "admitting a prompt": recalls,
    "the turn machine's own answer": lambda repl: repl.execution.admit_prompt("steering", "x"),
    "subscribing": lambda repl: repl.events(),
    "what waits": lambda repl: repl.input_queue().pending(),
    "the state": lambda repl: repl.run_meta("/state"),
    "the state as a value": lambda repl: (repl.execution, repl.mode, repl.model, repl.consent),
    "saying something": lambda repl: repl.publish(Notice(text="hello")),
}


@pytest.fixture
async def sittings(tmp_path: Path) -> AsyncIterator[tuple[ReplSession, ReplSession]]:
    """A sitting with a long past, and one without, each with a goal that runs."""
    folders = [Folder(tmp_path / name) for name in ("old", "new")]
    pair = []
    for folder in folders:
        pair.append(folder.sitting([asyncio.Event()], says("never said"), recorded=True))
    old, new = pair
    for number in range(EVENTS):
        old.publish(Notice(text=f"event {number}"))
    for number in range(GOALS):
        old.announce(Message.of("user", f"prompt {number}"))
        old.record(TaskState(goal=f"goal {number}", outcome="success", status="completed"))
    running = [asyncio.create_task(repl.drive("what is it?")) for repl in pair]
    await until(lambda: all(folder.provider.requests for folder in folders))
    yield old, new
    for folder in folders:
        await folder.close()
    await asyncio.gather(*running)


@pytest.mark.parametrize("name", DOINGS)
async def test_it_costs_after_ten_thousand_events_what_it_costs_at_first(
    sittings: tuple[ReplSession, ReplSession], name: str
) -> None:
    old, new = sittings
    doing = DOINGS[name]
    assert steps_when_warm(doing, old) <= steps_when_warm(doing, new) * 1.1 + 5
    old_s, new_s = best_s(doing, old, new)
    assert old_s <= new_s * TIMES_AS_LONG + SLACK_S


def steps_when_warm(doing: Doing, repl: ReplSession) -> int:
    """How many calls of functions it takes, once it is warm."""
    doing(repl)
    return steps_of(lambda: doing(repl))


def best_s(doing: Doing, *sittings: ReplSession) -> list[float]:
    """The shortest that it took each in many tries, in seconds; they take turns, so that what
    else the machine does meets them all."""
    taken: dict[int, list[float]] = {place: [] for place in range(len(sittings))}
    for _ in range(TRIES):
        for place, repl in enumerate(sittings):
            began_s = time.perf_counter()
            doing(repl)
            taken[place].append(time.perf_counter() - began_s)
    return [min(tries) for tries in taken.values()]
