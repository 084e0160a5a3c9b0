"""Events to frames: everything arrives, in order, joined; nobody waits for the screen."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from weakref import ref

from textual.message import Message

from agent_cockpit.cockpit.bridge import FRAME_S, SLICE_S, Bridge, Frame, SourceOver
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ApprovalRequested, ModelUpdate
from agent_cockpit.events.sitting import PromptQueued, PromptsRecalled
from agent_cockpit.providers.http import TOGETHER_S
from tests.support.scripted_source import WatchedSource
from tests.support.waiting import until


async def all_of(*events: Event) -> AsyncIterator[Event]:
    for event in events:
        yield event


def texts(bridge: Bridge) -> list[str]:
    return [getattr(block, "text", "") for block in bridge.transcript.blocks]


async def test_a_flood_arrives_whole_in_few_frames() -> None:
    posted: list[Message] = []
    bridge = Bridge(posted.append)
    deltas = [ModelUpdate(delta=f"{number} ") for number in range(20_000)]
    await bridge.run(all_of(AgentStart(goal="g"), *deltas))
    assert texts(bridge)[1] == "".join(event.delta for event in deltas)
    assert [type(message) for message in posted] == [Frame, SourceOver]
    assert bridge.take().change.added == (0, 1)


async def test_a_screen_that_is_slow_gets_one_frame_with_all_of_it() -> None:
    posted: list[Message] = []
    source = WatchedSource()
    bridge = Bridge(posted.append, frame_s=0.0)
    running = asyncio.create_task(bridge.run(source.events()))
    source.say(AgentStart(goal="g"), ModelUpdate(delta="a"))
    for _ in range(20):
        await asyncio.sleep(0)
    assert bridge.take().change.added == (0, 1)
    for _ in range(20):
        source.say(ModelUpdate(delta="b"))
        await asyncio.sleep(0)
    source.end()
    await running
    assert [type(message) for message in posted] == [Frame, Frame, SourceOver]
    assert bridge.take().change.changed == (1,)
    assert not bridge.take().change


def test_what_a_provider_gathered_is_never_before_its_frame() -> None:
    """Two beats of one length would add up, as far apart as they happened to begin."""
    assert TOGETHER_S > 1.1 * FRAME_S


async def test_a_reading_bridge_lets_others_run() -> None:
    ran = 0

    async def other() -> None:
        nonlocal ran
        while True:
            ran += 1
            await asyncio.sleep(0)

    task = asyncio.create_task(other())
    await Bridge(lambda _: None).run(all_of(*[ModelUpdate(delta="x")] * 20_000))
    task.cancel()
    assert ran > 3


async def test_nothing_is_posted_while_nothing_happens() -> None:
    posted: list[Message] = []
    source = WatchedSource()
    running = asyncio.create_task(Bridge(posted.append, frame_s=0.0).run(source.events()))
    for _ in range(50):
        await asyncio.sleep(0)
    assert posted == []
    source.end()
    await running
    assert [type(message) for message in posted] == [SourceOver]


async def test_a_source_that_breaks_ends_with_its_error_after_what_it_said() -> None:
    async def breaking() -> AsyncIterator[Event]:
        yield AgentStart(goal="g")
        raise OSError("gone")

    posted: list[Message] = []
    bridge = Bridge(posted.append)
    await bridge.run(breaking())
    assert texts(bridge) == ["g"]
    over = posted[-1]
    assert isinstance(over, SourceOver)
    assert str(over.error) == "gone"


async def test_texts_recalled_to_the_composer_are_handed_on_once() -> None:
    posted: list[Message] = []
    bridge = Bridge(posted.append)
    await bridge.run(
        all_of(
            PromptQueued(text="one"),
            PromptsRecalled(texts=["one"], to="composer"),
            PromptsRecalled(texts=["two"], to="next"),
            AgentEnd(outcome="success"),
        )
    )
    assert bridge.take().recalled == ("one",)
    assert bridge.take().recalled == ()
    assert bridge.prompts_seen == 1


async def test_words_of_the_cockpit_stand_among_the_blocks() -> None:
    posted: list[Message] = []
    bridge = Bridge(posted.append)
    bridge.tell("[/] not markup", "warning")
    assert texts(bridge) == ["[/] not markup"]
    assert len(posted) == 1


async def test_a_past_is_shown_first_and_asks_nothing_of_the_app() -> None:
    posted: list[Message] = []
    bridge = Bridge(posted.append)
    past = [
        AgentStart(goal="then"),
        ApprovalRequested(approval_id="a", tool="run_command"),
        PromptQueued(text="later"),
        PromptsRecalled(texts=["later"], to="composer"),
        AgentEnd(outcome="incomplete", status="interrupted"),
    ]
    now = all_of(PromptsRecalled(texts=["late"], to="composer"), AgentStart(goal="now"))
    await bridge.run(now, past)
    news = bridge.take()
    assert texts(bridge)[0] == "then"
    assert texts(bridge)[-1] == "now"
    assert (news.before, news.change.added) == (0, (len(bridge.transcript) - 1,))
    assert news.recalled == ("late",)
    assert bridge.prompts_seen == 1


async def test_keys_get_their_turn_after_each_slice_of_a_past() -> None:
    now_s = iter(range(10_000))
    bridge = Bridge(lambda _: None, clock=lambda: next(now_s) * SLICE_S / 10)
    running = asyncio.create_task(bridge.run(all_of(), [ModelUpdate(delta="x")] * 500))
    turns = 0
    while not running.done():
        turns += 1
        await asyncio.sleep(0)
    assert turns >= 50


async def test_of_a_past_nothing_is_kept_once_it_is_told() -> None:
    source = WatchedSource()
    past: list[Event] = [AgentStart(goal="g"), ModelUpdate(delta="x"), AgentEnd()]
    kept = [ref(event) for event in past]
    running = asyncio.create_task(Bridge(lambda _: None).run(source.events(), past))
    del past
    await until(lambda: not any(event() for event in kept))
    assert not running.done()
    source.end()
    await running


async def test_a_long_past_lets_others_run_and_never_waits_for_an_old_answer() -> None:
    asked = ApprovalRequested(approval_id="a", tool="run_command")
    past = [AgentStart(goal="g"), asked, *[ModelUpdate(delta="x")] * 20_000, AgentEnd()]
    seen = []
    bridge = Bridge(lambda _: seen.append(bridge.status.approvals))
    running = asyncio.create_task(bridge.run(all_of(), past))
    turns = 0
    while not running.done():
        turns += 1
        await asyncio.sleep(0)
        if turns == 2:
            bridge.tell("said meanwhile")
    assert turns > 3
    assert texts(bridge)[-1] == "said meanwhile"
    assert not any(seen)
