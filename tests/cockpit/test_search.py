"""Searching the transcript: what is found, where it shows, and how one leaves again."""

from __future__ import annotations

import asyncio

import pytest
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.transcript.finding import Finding
from agent_cockpit.cockpit.transcript.matching import (
    Query,
    WordMatcher,
)
from agent_cockpit.cockpit.transcript.unwrapped import Unwrapped
from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.transcript.blocks import Block
from agent_cockpit.transcript.fold import Transcript
from tests.cockpit.screen import text_of, type_in, until
from tests.cockpit.transcript_host import Host
from tests.support.scripted_source import ScriptedSource, asks
from tests.support.waiting import until as comes
from tests.transcript.stories import fixed_test


def notices(count: int, *, first: int = 0) -> list[Event]:
    return [s.Notice(text=f"notice {number}") for number in range(first, first + count)]


def screen(host: Host) -> list[str]:
    return [host.view.render_line(y).text.rstrip() for y in range(host.view.size.height)]


def marked(host: Host) -> list[str]:
    """The words that are marked, line by line; those of the present hit in capitals."""
    layout = host.view.placed
    assert layout is not None
    ink = layout.drawn.page.ink
    found = []
    for y in range(host.view.size.height):
        for text, style, _ in host.view.render_line(y):
            if style is not None and style.bgcolor in (ink.hit.bgcolor, ink.hit_here.bgcolor):
                found.append(text.upper() if style.underline else text)
    return found


async def shown(pilot: Pilot[None], host: Host, number: int, total: int) -> None:
    """Wait until this hit of so many is the one that is marked on the screen."""
    search = host.view.search

    def is_shown() -> bool:
        marks = marked(host)
        return (search.number, search.total) == (number, total) and any(m.isupper() for m in marks)

    await until(pilot, is_shown)


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        (Query("notice"), ["notice", "Notice"]),
        (Query("Notice"), ["Notice"]),
        (Query("a.c"), []),
        (Query("wrapped words"), ["wrapped\nwords"]),
    ],
)
async def test_words_mean_themselves_and_small_letters_any(query: Query, hits: list[str]) -> None:
    text = "notice and Notice, abc, wrapped\nwords"
    spans = await WordMatcher(query).spans(text)
    assert [text[start:end] for start, end in spans] == hits


async def test_a_long_search_lets_others_work_in_between() -> None:
    finding = Finding(Query("notice 9"), Transcript.of(notices(5_000)))
    turns = 0
    scanning = asyncio.create_task(finding.scan())
    while not scanning.done():
        turns += 1
        await asyncio.sleep(0)
    assert finding.total == 1 + 10 + 100
    assert turns >= 10


async def test_a_changed_block_is_counted_anew_and_a_new_one_as_well() -> None:
    transcript = Transcript.of([h.ModelUpdate(delta="word")])
    finding = Finding(Query("word"), transcript)
    await finding.scan()
    transcript.apply(h.ModelUpdate(delta=" and word"))
    transcript.apply(s.Notice(text="word"))
    finding.changed((0, 1))
    assert not finding.is_complete
    await finding.scan()
    assert (finding.total, finding.count(0), finding.hit(2)) == (3, 2, (1, 0))


async def test_what_is_nearest_is_known_before_all_is_looked_through() -> None:
    finding = Finding(Query("notice 77"), Transcript.of(notices(3_000)), start=2_900)
    known: list[tuple[int, int]] = []

    async def told() -> None:
        if not known and (number := finding.nearest()) is not None:
            known.append((finding.hit(number)[0], finding.total))

    await finding.scan(told)
    assert known[0][0] == 779
    assert known[0][1] <= finding.total == 11
    assert finding.is_complete
    below = Finding(Query("notice 2"), Transcript.of(notices(3_000)), start=2_500)
    await below.scan()
    assert below.hit(below.nearest() or 0) == (2_500, 0)


class Read(Transcript):
    """Remembers which blocks were looked at."""

    def __init__(self) -> None:
        super().__init__()
        self.looked_at: list[int] = []

    def block(self, key: int) -> Block:
        self.looked_at.append(key)
        return super().block(key)


def read(*found: Event) -> Read:
    source = Read()
    for event in found:
        source.apply(event)
    source.looked_at.clear()
    return source


async def test_nothing_more_is_looked_at_until_the_nearest_place_is_shown() -> None:
    source, is_shown = read(*notices(3_000)), asyncio.Event()
    finding = Finding(Query("notice"), source, start=2_999)
    scanning = asyncio.create_task(finding.scan(is_shown.wait))
    await comes(lambda: finding.nearest() is not None)
    before = len(source.looked_at)
    for _ in range(20):
        await asyncio.sleep(0)
    assert len(source.looked_at) == before < 3_000
    is_shown.set()
    await scanning
    assert finding.total == 3_000


async def test_words_that_go_on_are_looked_for_only_where_those_before_stand() -> None:
    source = read(*notices(2_000))
    before = Finding(Query("notice 77"), source, start=1_000)
    await before.scan()
    source.looked_at.clear()
    finding = Finding(Query("notice 777"), source, start=1_000, before=before)
    await finding.scan()
    assert (finding.total, finding.is_complete, finding.hit(0)) == (1, True, (777, 0))
    assert len(source.looked_at) == 11


@pytest.mark.parametrize(
    ("before", "query"),
    [
        (Query("not"), Query("notice 5")),
        (Query("notice"), Query("notice ")),
        (Query(" "), Query(" 5")),
        (Query("notice 5"), Query("notice")),
        (Query("tice"), Query("notice")),
        (Query("n"), Query("nE")),
        (Query("n."), Query("n.t")),
        (Query("x", is_regex=True), Query("x|n", is_regex=True)),
        (Query("x", is_regex=True), Query("x")),
    ],
)
async def test_what_is_found_after_other_words_is_what_is_found_anew(
    before: Query, query: Query
) -> None:
    source = read(*notices(60), h.ModelUpdate(delta="no notice"))
    first = Finding(before, source)
    await first.scan()
    source.apply(h.ModelUpdate(delta=" and notice 5 x"))
    first.changed((60,))
    later, anew = Finding(query, source, before=first), Finding(query, source)
    for finding in (later, anew):
        await finding.scan()
        await finding.close()
    await first.close()
    assert [later.count(key) for key in range(61)] == [anew.count(key) for key in range(61)]


async def test_a_hit_over_the_edge_of_a_line_is_marked_on_both() -> None:
    host = Host([s.Notice(text="some words that stand at the edge of lines")])
    async with host.run_test(size=(24, 6)):
        layout = host.view.placed
        assert layout is not None
        drawn = Unwrapped(layout.drawn.lines(0), layout.drawn.gutter)
        assert drawn.text == "some words that stand at the edge of lines"
        start = drawn.text.index("stand at")
        marks = drawn.ranges([(start, start + len("stand at"))])
        assert len(marks) == 2
        assert {mark.number for line in marks.values() for mark in line} == {0}


async def test_walking_goes_around_and_opens_only_what_it_stands_in() -> None:
    host = Host([*notices(60), *fixed_test(), *notices(60, first=60)])
    async with host.run_test(size=(120, 30)) as pilot:
        search = host.view.search
        search.begin()
        search.look_for(Query("ran 1 test"))
        await until(pilot, lambda: search.is_complete and search.total == 3)
        await shown(pilot, host, 3, 3)
        search.walk(1)
        await shown(pilot, host, 1, 3)
        search.walk(1)
        await shown(pilot, host, 2, 3)
        await until(pilot, lambda: any("▾ test" in line for line in screen(host)))
        search.walk(1)
        await shown(pilot, host, 3, 3)
        search.look_for(Query("notice 0"))
        await shown(pilot, host, 1, 1)
        host.view.jump_to(60)
        await pilot.pause()
        assert not any("▾ test" in line for line in screen(host))


ROWS = [f"row {number:04}x" for number in range(2_500)]


@pytest.mark.parametrize(
    ("diff", "output", "hidden"),
    [
        ("@@ -0,0 +1,2500 @@\n" + "".join(f"+{row}\n" for row in ROWS), "", 3),
        ("", "\n".join(ROWS), 1),
    ],
    ids=["the end of a diff", "the beginning of an output"],
)
async def test_a_hit_in_what_is_too_long_to_show_leads_to_where_it_would_stand(
    diff: str, output: str, hidden: int
) -> None:
    call = h.ToolStart(call_id="c", tool="x", input={})
    ended = h.ToolEnd(call_id="c", tool="x", success=True, content=output, diff=diff)
    host = Host([call, ended])
    async with host.run_test(size=(80, 12)) as pilot:
        search = host.view.search
        search.begin()
        search.look_for(Query("400x"))
        for _ in range(3):
            await until(pilot, lambda: search.is_complete and search.total == 3)
            if search.number == hidden:
                await until(pilot, lambda: any("500 more lines" in line for line in screen(host)))
                assert not any(mark.isupper() for mark in marked(host))
            else:
                await shown(pilot, host, search.number, 3)
            search.walk(1)


async def test_what_was_found_stays_in_sight_on_a_screen_of_another_width() -> None:
    long = " ".join(f"word{number}" for number in range(40))
    host = Host([s.Notice(text=f"{long} {number}") for number in range(60)])
    async with host.run_test(size=(120, 30)) as pilot:
        search = host.view.search
        search.begin()
        search.look_for(Query("word39 30"))
        await shown(pilot, host, 1, 1)
        await pilot.resize_terminal(40, 10)
        await shown(pilot, host, 1, 1)
        host.view.jump_to(0)
        host.view.scroll_end(animate=False)
        await pilot.pause()
        await pilot.resize_terminal(80, 10)
        await until(pilot, lambda: screen(host)[-1].endswith("59"))


async def test_leaving_brings_the_reading_position_back_until_one_walked() -> None:
    host = Host(notices(200))
    async with host.run_test(size=(80, 24)) as pilot:
        search = host.view.search
        search.begin()
        search.look_for(Query("notice 5"))
        await shown(pilot, host, 11, 11)
        search.end()
        await until(pilot, lambda: screen(host)[-1] == " · notice 199")
        search.begin()
        search.look_for(Query("notice 5"))
        await shown(pilot, host, 11, 11)
        search.walk(1)
        await shown(pilot, host, 1, 11)
        search.end()
        await pilot.pause()
        assert " · notice 5" in screen(host)
        assert marked(host) == []
        assert not host.view.is_at_end


async def test_what_streams_in_while_one_searches_is_counted() -> None:
    host = Host(notices(3))
    async with host.run_test(size=(80, 24)) as pilot:
        search = host.view.search
        search.begin()
        search.look_for(Query("notice"))
        await shown(pilot, host, 1, 3)
        host.feed(*notices(2, first=3), h.ModelUpdate(delta="a notice, "))
        host.feed(h.ModelUpdate(delta="a second Notice"))
        await shown(pilot, host, 1, 7)
        await until(pilot, lambda: marked(host) == ["NOTICE", *["notice"] * 5, "Notice"])


async def test_hits_stay_marked_while_the_answer_that_holds_them_goes_on() -> None:
    host = Host([h.ModelUpdate(delta="a needle\n\nand a needle\n\nand")])
    async with host.run_test(size=(80, 12)) as pilot:
        host.view.search.begin()
        host.view.search.look_for(Query("needle"))
        await shown(pilot, host, 1, 2)
        layout = host.view.placed
        assert layout is not None
        host.transcript.apply(h.ModelUpdate(delta=" so on"))
        layout.drawn.forget(0)
        assert "so on" in "\n".join(screen(host))
        assert marked(host) == ["NEEDLE", "needle"]


async def test_control_f_searches_with_the_keys_of_the_table() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*notices(4), h.ModelUpdate(delta="split(a) and fields = split"), h.TurnEnd())
        await until(pilot, lambda: "fields" in text_of(app))
        await pilot.press("d", "ctrl+f", "N", "o")
        await until(pilot, lambda: "nothing found" in text_of(app))
        await pilot.press("ctrl+f", "n", "o")
        await until(pilot, lambda: "1 of 4" in text_of(app))
        await pilot.press("shift+enter", "N", "n", "up", "down")
        await until(pilot, lambda: "4 of 4" in text_of(app))
        await pilot.press("enter")
        await until(pilot, lambda: "1 of 4" in text_of(app))
        await pilot.press("ctrl+f", "alt+r")
        app.post_message(events.Paste("s.l.t$|tice"))
        await until(pilot, lambda: "regex" in text_of(app) and "of 5" in text_of(app))
        await pilot.press("(")
        await until(pilot, lambda: "unterminated subpattern" in text_of(app))
        await pilot.press("escape")
        await until(pilot, lambda: app.focused is app.composer)
        await pilot.press("s")
        assert app.composer.text == "ds"


async def test_pointing_begins_at_the_block_that_a_search_led_to() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*notices(9))
        await until(pilot, lambda: "notice 8" in text_of(app))
        await pilot.press("ctrl+f", "5")
        await until(pilot, lambda: "1 of 1" in text_of(app))
        await pilot.press("enter", "escape", "alt+up")
        await until(pilot, lambda: "▍· notice 5" in text_of(app))
        await pilot.press("escape", "alt+up")
        await until(pilot, lambda: "▍· notice 8" in text_of(app))


async def test_letters_of_a_search_answer_no_question() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*notices(9))
        await until(pilot, lambda: "notice 8" in text_of(app))
        await pilot.press("ctrl+f")
        await type_in(pilot, "n")
        source.say(asks("call-1"))
        await until(pilot, lambda: app.panel.is_open)
        await type_in(pilot, "oy")
        await pilot.press("enter")
        await pilot.pause()
        assert "noy" in text_of(app)
        assert not app.panel.is_lit
        assert not [call for call in source.calls if call[0] == "resolve"]
        await pilot.press("escape")
        await until(pilot, lambda: app.panel.is_lit)
        await pilot.press("y")
        await until(pilot, lambda: [call for call in source.calls if call[0] == "resolve"])
