"""A conversation that fills its window goes on: older messages are summarised, none is lost."""

from __future__ import annotations

import asyncio
from random import Random
from typing import Any

import pytest

from agent_cockpit.engine.model.conversation import Conversation
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.engine.record.recollection import recollect
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, ModelUsage
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import (
    ContextCompacted,
    ContextEstimated,
    RetryWaiting,
    SittingMessage,
)
from agent_cockpit.providers.protocol import ModelRequest, Stop, Text, Usage
from agent_cockpit.rules.model.compaction import SUMMARY_MARK
from agent_cockpit.rules.model.pairing import Repairs, repair
from tests.support.goals import Folder, of, run_with, runs, told, writes, yes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

LONG = "word " * 2_500
"""About 2k tokens as the scripted servers seem to count."""

WINDOW = 10_000
"""Four long answers fill it to four fifths."""


def reading(name: str = "long.txt") -> Reply:
    return calls(("read_file", {"path": name}))


def counted(text: str, prompt_tokens: int) -> Reply:
    return [Text(text), Usage(prompt_tokens, 5), Stop("end_turn")]


def sitting(folder: Folder, *replies: Reply, **parts: Any) -> ReplSession:
    (folder.root / "long.txt").write_text("line of text\n" * 1_200)
    return folder.sitting(
        *replies, **{"context_window": WINDOW, "allow_dirty": True, "recorded": True, **parts}
    )


def text_of(request: ModelRequest) -> str:
    return "\n".join(message.model_dump_json() for message in request.messages)


def recorded(folder: Folder) -> list[Event]:
    return load_events(folder.journal)


def compactions(folder: Folder) -> list[ContextCompacted]:
    return of(recorded(folder), ContextCompacted)


async def fill(repl: ReplSession, goals: int) -> None:
    for number in range(goals):
        await repl.submit(f"what is in number {number}?")


async def test_a_full_window_is_summarised_by_the_model_and_the_goal_goes_on(
    folder: Folder,
) -> None:
    answers = [says(f"answer {n} {LONG}") for n in range(4)]
    repl = sitting(folder, *answers, says("they asked four things"), says("the last answer"))
    await fill(repl, 4)
    state = await repl.submit("and the fifth?")
    assert (state.outcome, state.final_answer) == ("success", "the last answer")
    summary, last = folder.provider.requests[-2:]
    assert summary.mode == "summary"
    assert summary.tools == ()
    assert "what is in number 0?" in text_of(summary)
    assert last.messages[1].text.startswith(SUMMARY_MARK)
    assert "they asked four things" in last.messages[1].text
    assert last.messages[-1].text.endswith("and the fifth?")
    assert len(text_of(last)) < len(text_of(folder.provider.requests[-3]))


async def test_a_compaction_is_recorded_with_before_and_after_and_loses_no_message(
    folder: Folder,
) -> None:
    answers = [says(f"answer {n} {LONG}") for n in range(4)]
    repl = sitting(folder, *answers, says("in short"), says("last"))
    await fill(repl, 5)
    (event,) = compactions(folder)
    assert (event.cause, event.by, event.window) == ("threshold", "model", WINDOW)
    assert event.tokens_after < event.tokens_before / 2
    assert event.summarised == event.stands_for > 0
    rebuilt = tuple(event.message for event in of(recorded(folder), SittingMessage))
    assert rebuilt == repl.history()[1:]
    assert "answer 0" in "".join(message.text for message in rebuilt)


async def test_a_sitting_that_is_taken_up_again_shows_what_it_showed(folder: Folder) -> None:
    answers = [says(f"answer {n} {LONG}") for n in range(4)]
    repl = sitting(folder, *answers, says("in short"), says("last"))
    await fill(repl, 5)
    past = recollect(load_events(folder.journal))
    again = Conversation.after(past, lambda event: event)
    assert again.shown() == repl.conversation.shown()
    assert again.history() == repl.history()


async def test_a_record_that_ends_anywhere_or_lost_a_line_gives_a_usable_view(
    folder: Folder,
) -> None:
    answers = [says(f"answer {n} {LONG}") for n in range(3)]
    repl = sitting(folder, *answers, reading(), says("x"), says("in short"), says("last"))
    await fill(repl, 5)
    await repl.compact()
    events = load_events(folder.journal)
    whole = recollect(events)
    assert whole.compacted is not None
    for place in range(1, len(events)):
        for some in (events[:place], [*events[: place - 1], *events[place:]]):
            view = Conversation.after(recollect(some), lambda event: event)
            view.repair()
            assert repair(view.shown()[1:])[1] == Repairs()
            view.begin_goal(Message.of("user", "and now?"))
            assert view.shown()[-1].text == "and now?"
            assert view.goal_at == len(view.shown()) - 1
            if of(some, ContextCompacted):
                assert view.shown()[1].text.startswith(SUMMARY_MARK)


@pytest.mark.parametrize(
    "summary",
    [
        [ProviderError("no route", retryable=True)],
        [KeyError("bug")],
        [Text(" "), Stop("end_turn")],
        says("word " * 100_000),
    ],
    ids=["a fault", "a bug", "nothing said", "far too much said"],
)
async def test_without_a_usable_summary_the_rules_make_one(folder: Folder, summary: Reply) -> None:
    answers = [says(f"answer {n} {LONG}") for n in range(4)]
    repl = sitting(folder, *answers, summary, says("last"))
    await fill(repl, 4)
    state = await repl.submit("and the fifth?")
    assert state.outcome == "success"
    (event,) = compactions(folder)
    assert event.tokens_after < event.tokens_before
    shown = folder.provider.requests[-1].messages[1].text
    if event.by == "rules":
        assert "person: what is in number 0?" in shown
    else:
        assert "left out" in shown


async def test_inside_a_goal_its_words_its_steering_and_its_failure_outlive_a_compaction(
    folder: Folder,
) -> None:
    def adding(_: ModelRequest) -> Any:
        repl.input_queue().push("and with a bow")
        return reading()

    repl = sitting(
        folder,
        writes("worse\n"),
        says("done"),
        adding,
        reading(),
        reading(),
        says("what came before"),
        writes("good\n"),
        says("now it is"),
        context_window=6_000,
    )
    repl.set_mode("edit")
    session = repl.start("make it good, but whisper")
    state = await session.run()
    assert state.outcome == "success"
    (event,) = compactions(folder)
    shown = event.message.text
    assert "make it good, but whisper" in shown
    assert "Goal kind: edit" in shown
    assert "and with a bow" in shown
    assert "The last failure" in shown
    for request in folder.provider.requests:
        assert repair(request.messages[1:])[1] == Repairs()


async def test_after_one_compaction_there_is_room_for_a_while(folder: Folder) -> None:
    replies: list[Reply] = []
    for number in range(16):
        replies.append(says(f"answer {number} {LONG}"))

    def script(request: ModelRequest) -> Any:
        return says("short") if request.mode == "summary" else replies.pop(0)

    repl = sitting(folder, *[script] * 40)
    await fill(repl, 12)
    assert 1 <= len(compactions(folder)) <= 4


async def test_a_window_that_is_full_of_one_thing_is_not_summarised_in_vain(
    folder: Folder,
) -> None:
    repl = sitting(folder, says("I see"), says("still"), context_window=8_000)
    state = await repl.submit("explain this: " + "word " * 30_000)
    assert state.outcome == "success"
    assert compactions(folder) == []
    assert "left out" in told(folder.provider.requests[0])


async def test_a_result_larger_than_the_window_is_shown_in_part(folder: Folder) -> None:
    (folder.root / "huge.txt").write_text("0123456789\n" * 4_000)
    repl = sitting(
        folder, *[reading("huge.txt")] * 3, says("numbers"), says("numbers"), context_window=7_000
    )
    state = await repl.submit("what is in huge.txt?")
    assert state.outcome == "success"


async def test_a_person_says_when_and_what_to_keep(folder: Folder) -> None:
    repl = sitting(folder, says(f"answer {LONG}"), says("the gist"), says("next"))
    await repl.submit("what is it?")
    result = await repl.arun_meta("/compact the colour is blue")
    assert (result.kind, result.text) == ("told", "compacted")
    (event,) = compactions(folder)
    assert (event.cause, event.keep, event.by) == ("asked", "the colour is blue", "model")
    assert "the colour is blue" in text_of(folder.provider.requests[1])
    assert "the colour is blue" in event.message.text
    assert "what is it?" in event.message.text
    await repl.submit("and now?")
    assert "the gist" in text_of(folder.provider.requests[-1])
    assert LONG not in text_of(folder.provider.requests[-1])


async def test_a_small_conversation_is_left_as_it_is(folder: Folder) -> None:
    repl = sitting(folder, says("yes"))
    assert "not compacted" in (await repl.arun_meta("/compact")).text
    await repl.submit("is it?")
    before = repl.conversation.shown()
    assert "not compacted" in (await repl.arun_meta("/compact")).text
    assert repl.conversation.shown() == before
    assert len(folder.provider.requests) == 1


async def test_the_synchronous_command_asks_no_model(folder: Folder) -> None:
    repl = sitting(folder, says(f"answer {LONG}"))
    await repl.submit("what is it?")
    assert repl.run_meta("/compact").text == "compacted"
    (event,) = compactions(folder)
    assert event.by == "rules"
    assert len(folder.provider.requests) == 1


async def test_a_summary_in_writing_can_be_stopped_and_changes_nothing(folder: Folder) -> None:
    never = asyncio.Event()
    repl = sitting(folder, says(f"answer {LONG}"), [never])
    await repl.submit("what is it?")
    before = repl.conversation.shown()
    compacting = asyncio.create_task(repl.compact())
    await until(lambda: len(folder.provider.requests) == 2)
    assert repl.is_compacting
    assert "already" in await repl.compact()
    await repl.cancel()
    assert await compacting == "not compacted: you stopped it"
    assert repl.conversation.shown() == before
    assert (compactions(folder), repl.is_compacting) == ([], False)


async def test_a_goal_that_is_stopped_while_it_compacts_ends_as_cancelled(
    folder: Folder,
) -> None:
    never = asyncio.Event()
    answers = [says(f"answer {n} {LONG}") for n in range(4)]
    repl = sitting(folder, *answers, [never])
    await fill(repl, 4)
    running = asyncio.create_task(repl.submit("and the fifth?"))
    await until(lambda: len(folder.provider.requests) == 5)
    await repl.cancel()
    assert (await running).status == "cancelled"
    assert compactions(folder) == []


async def test_a_command_during_a_goal_waits_for_its_next_step(folder: Folder) -> None:
    def ask(_: ModelRequest) -> Any:
        asked.append(repl.run_meta("/compact the names").text)
        return reading()

    asked: list[str] = []
    repl = sitting(folder, says(f"answer {LONG}"), ask, says("the gist"), says("done"))
    await repl.submit("what is it?")
    await repl.submit("and the file?")
    assert asked == ["the context is compacted before the next step of this goal"]
    (event,) = compactions(folder)
    assert (event.cause, event.keep) == ("asked", "the names")


async def test_a_conversation_that_a_server_finds_too_long_is_compacted_once_and_sent_again(
    folder: Folder,
) -> None:
    overflow: Reply = [ProviderError("maximum context length is 4096", kind="overflow")]
    answers = [says(f"answer {n} {LONG}") for n in range(2)]
    repl = sitting(folder, *answers, overflow, says("gist"), says("fine"), context_window=100_000)
    await fill(repl, 2)
    state = await repl.submit("and now?")
    assert (state.outcome, state.final_answer) == ("success", "fine")
    (event,) = compactions(folder)
    assert event.cause == "overflow"
    assert of(recorded(folder), RetryWaiting)
    refused, again = folder.provider.requests[-3], folder.provider.requests[-1]
    assert len(text_of(again)) < len(text_of(refused))


async def test_a_conversation_that_stays_too_long_ends_clearly(folder: Folder) -> None:
    overflow: Reply = [ProviderError("maximum context length is 96", kind="overflow")]
    repl = sitting(folder, says(f"one {LONG}"), overflow, says("gist"), overflow)
    await repl.submit("what is it?")
    state = await repl.submit("and now?")
    assert (state.outcome, state.status) == ("incomplete", "model_error")
    assert "maximum context length is 96" in str(state.error)
    assert "set context_window" in str(state.error)
    assert len(folder.provider.requests) == 4
    assert len(of(recorded(folder), AgentEnd)) == 2


async def test_a_first_prompt_that_no_server_takes_ends_with_advice(folder: Folder) -> None:
    overflow: Reply = [ProviderError("maximum context length is 96", kind="overflow")]
    repl = sitting(folder, overflow, overflow)
    state = await repl.submit("hello")
    assert state.status == "model_error"
    assert "set context_window" in str(state.error)


async def test_what_was_learned_of_a_window_goes_with_the_model(folder: Folder) -> None:
    overflow: Reply = [ProviderError("maximum context length is 96", kind="overflow")]
    repl = sitting(folder, overflow)
    await repl.submit("hello")
    config = repl.harness.config
    assert repl.conversation.window.size(config, folder.provider) < 2_000
    repl.set_model(folder.provider)
    assert repl.conversation.window.size(config, folder.provider) == WINDOW


async def test_what_the_server_counts_decides_when_it_is_full(folder: Folder) -> None:
    repl = sitting(
        folder, counted(f"one {LONG}", 9_500), says("gist"), says("two"), context_window=WINDOW
    )
    await repl.submit("what is it?")
    real = [event for event in of(recorded(folder), ContextEstimated) if event.real]
    assert (real[-1].tokens, real[-1].window) == (9_505, WINDOW)
    await repl.submit("and now?")
    assert [event.cause for event in compactions(folder)] == ["threshold"]


async def test_zero_percent_means_only_when_asked(folder: Folder) -> None:
    answers = [says(f"answer {n} {LONG}") for n in range(6)]
    repl = sitting(folder, *answers, compact_at_percent=0)
    await fill(repl, 6)
    assert compactions(folder) == []


async def test_a_summary_is_paid_for_in_the_goals_figures(folder: Folder) -> None:
    answers = [says(f"answer {n} {LONG}") for n in range(4)]
    repl = sitting(folder, *answers, says("gist"), says("last"))
    await fill(repl, 4)
    state = await repl.submit("and the fifth?")
    assert state.prompt_tokens == 20
    assert len(of(recorded(folder), ModelUsage)) == 6


async def test_a_grant_outlives_a_compaction(folder: Folder) -> None:
    repl = sitting(folder, runs("touch one"), says("ok"), runs("touch two"), says("ok"))
    repl.set_mode("investigate")
    session = repl.start("touch it")
    await run_with(session, yes(session, remember=True))
    repl.run_meta("/compact")
    assert len(repl.state.grants) == 1
    again = repl.start("and again")
    await again.run()
    assert (folder.root / "two").exists()


async def test_an_open_question_outlives_a_compaction(folder: Folder) -> None:
    ask = calls(("ask_user", {"question": "blue or red?"}), text=LONG)
    repl = sitting(folder, says(f"hm {LONG}"), ask)
    await repl.submit("what is it?")
    await repl.submit("paint it")
    assert repl.run_meta("/compact").text == "compacted"
    shown = "".join(message.text for message in repl.conversation.shown())
    assert "blue or red?" in shown
    assert "paint it" in shown


async def test_five_hundred_goals_leave_room_for_the_next(folder: Folder) -> None:
    def script(request: ModelRequest) -> Any:
        return says("gist") if request.mode == "summary" else says(f"answer {'word ' * 200}")

    repl = sitting(folder, *[script] * 400, recorded=False)
    for number in range(500):
        repl.announce(Message.of("user", f"prompt {number} {'word ' * 300}"))
        repl.announce(Message.of("assistant", "reply"))
    for number in range(3):
        state = await repl.submit(f"question {number}?")
        assert state.outcome == "success"
    sizes = [len(text_of(request)) for request in folder.provider.requests]
    assert max(sizes) < WINDOW * 8
    asked = [text_of(each) for each in folder.provider.requests if each.mode != "summary"]
    assert all("gist" in text for text in asked)
    assert not any("left out here" in text for text in asked), "a summary leaves nothing to drop"


class Dice:
    """A model whose every reply is drawn: answers, reads, questions, faults, summaries."""

    def __init__(self, seed: int) -> None:
        self.random = Random(seed)

    def __call__(self, request: ModelRequest) -> Any:
        assert repair(request.messages[1:])[1] == Repairs()
        assert request.messages[0].role == "system"
        if request.mode == "summary":
            return self.random.choice(
                [
                    says("gist"),
                    [Text("cut"), ProviderError("gone", retryable=True)],
                    [ValueError("bug")],
                    says("word " * 20_000),
                    reading(),
                ]
            )
        long = f"answer {'word ' * self.random.randrange(2_000)}"
        return self.random.choice(
            [
                says(long),
                says(long),
                reading(),
                calls(("read_file", {"path": "long.txt"}), ("read_file", {"path": "a.txt"})),
                calls(("ask_user", {"question": "which?"}), text=long),
                [Text(long), ProviderError("too long", kind="overflow")],
                [ProviderError("refused")],
            ]
        )


@pytest.mark.parametrize("seed", range(12))
async def test_whatever_happens_every_request_is_paired_and_nothing_is_lost(
    folder: Folder, seed: int
) -> None:
    dice = Dice(seed)
    repl = sitting(folder, *[dice] * 400, context_window=dice.random.choice([4_000, 7_000, 20_000]))
    for number in range(12):
        state = await repl.submit(f"question {number} {'word ' * dice.random.randrange(900)}")
        assert state.terminal
        if dice.random.random() < 0.3:
            await repl.compact("the names")
    said = tuple(event.message for event in of(recorded(folder), SittingMessage))
    assert said == repl.history()[1:]
    again = Conversation.after(recollect(load_events(folder.journal)), lambda event: event)
    assert again.shown() == repl.conversation.shown()
    for event in compactions(folder):
        assert event.tokens_after < event.tokens_before


async def test_a_window_that_the_tools_alone_fill_is_not_compacted_at_every_step(
    folder: Folder,
) -> None:
    def script(request: ModelRequest) -> Any:
        return says("gist") if request.mode == "summary" else says(f"yes {'word ' * 60}")

    repl = sitting(folder, *[script] * 60, context_window=2_500)
    await fill(repl, 14)
    assert len(compactions(folder)) <= 7
