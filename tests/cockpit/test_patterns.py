"""Searching with a pattern: one child for all that a person types, and none that outlives it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator

import pytest

from agent_cockpit.cockpit.transcript.matching import PatternMatcher, Query
from agent_cockpit.cockpit.transcript.pattern_process import PatternError, PatternProcess
from tests.cockpit.screen import until
from tests.cockpit.test_search import notices
from tests.cockpit.transcript_host import Host
from tests.support.waiting import until as comes


@pytest.fixture
async def patterns() -> AsyncIterator[PatternProcess]:
    process = PatternProcess()
    yield process
    await process.close()


def pattern(text: str, patterns: PatternProcess) -> PatternMatcher:
    return PatternMatcher(Query(text, is_regex=True), patterns)


async def test_a_pattern_is_matched_in_a_child(patterns: PatternProcess) -> None:
    matcher = pattern(r"^\w+:|x*", patterns)
    assert await matcher.counts(["One: two:\nthree:", "", "xx"]) == [2, 0, 1]
    assert await matcher.spans("a\nbc: d") == [(2, 5)]


async def test_patterns_one_after_another_ask_one_child(patterns: PatternProcess) -> None:
    for text in ("a", "a.", "a.c", "(", "a.c$"):
        matcher = pattern(text, patterns)
        if text == "(":
            with pytest.raises(PatternError, match="unterminated"):
                await matcher.counts(["abc"])
        else:
            assert await matcher.counts(["abc"]) == [1]
        await matcher.close()
    assert patterns.started == 1


async def test_a_pattern_that_never_ends_is_killed_and_another_is_matched() -> None:
    patterns = PatternProcess(deadline_s=0.5)
    endless = pattern(r"(a+)+$", patterns)
    with pytest.raises(PatternError, match="too long"):
        await endless.counts(["a" * 40 + "!"])
    with pytest.raises(PatternError, match="over"):
        await endless.counts(["a"])
    await patterns.close()


async def test_a_pattern_that_is_not_wanted_any_more_keeps_no_other_waiting(
    patterns: PatternProcess,
) -> None:
    assert await pattern("a", patterns).counts(["a"]) == [1]
    endless = pattern(r"(a+)+$", patterns)
    counting = asyncio.create_task(endless.counts(["a" * 40 + "!"]))
    await comes(patterns.turn.locked)
    closing = asyncio.create_task(endless.close())
    assert await pattern("b+", patterns).counts(["bb b"]) == [2]
    await closing
    with pytest.raises(PatternError):
        await counting
    assert patterns.started == 2


async def test_a_search_left_while_its_child_starts_leaves_no_child(
    patterns: PatternProcess,
) -> None:
    counting = asyncio.create_task(pattern("a", patterns).counts(["a"]))
    await asyncio.sleep(0)
    await patterns.close()
    with pytest.raises(PatternError, match="closed"):
        await counting


@pytest.mark.parametrize("text", ["(", "[a", "a{99999999999}", "*"])
async def test_a_wrong_pattern_says_what_is_wrong(text: str, patterns: PatternProcess) -> None:
    with pytest.raises(PatternError, match=r"\w"):
        await pattern(text, patterns).counts(["a"])


async def test_letters_of_a_pattern_start_one_child_and_leaving_ends_it() -> None:
    host = Host(notices(30))
    async with host.run_test(size=(80, 24)) as pilot:
        search = host.view.search
        search.begin()
        patterns = search.patterns
        for text, total in (("n", 30), ("no", 30), ("not.*1", 12), ("not.*1$", 3)):
            search.look_for(Query(text, is_regex=True))
            await until(pilot, lambda: (search.is_complete, search.total) == (True, total))  # noqa: B023
        assert patterns.started == 1
        search.end()
        await until(pilot, lambda: not host.workers or all(w.is_finished for w in host.workers))
        with pytest.raises(PatternError, match="closed"):
            await pattern("n", patterns).counts(["n"])
