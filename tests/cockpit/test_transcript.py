"""The transcript under a person's hands: it follows, it stays, it folds, it can be copied."""

from __future__ import annotations

import time
from collections.abc import Iterable

import pytest
from textual.events import MouseMove
from textual.geometry import Offset
from textual.pilot import Pilot
from textual.selection import Selection

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.transcript.blocks import NoticeBlock
from tests.cockpit.transcript_host import Counting, Host
from tests.support.waiting import WITHIN_S, until
from tests.transcript.stories import fixed_test, hard_goal, pieces

SIZE = (80, 24)


def notices(count: int, *, first: int = 0) -> list[Event]:
    return [s.Notice(text=f"notice {number}") for number in range(first, first + count)]


def screen(host: Host) -> list[str]:
    view = host.view
    return [view.render_line(y).text.rstrip() for y in range(view.size.height)]


async def settled(pilot: Pilot[None], count: int | None = None) -> None:
    """Wait until the view has drawn all that it was told."""
    host = pilot.app
    assert isinstance(host, Host)
    deadline = time.monotonic() + WITHIN_S
    while host.view.is_behind:
        assert time.monotonic() < deadline, "the view never caught up"
        await pilot.pause(0.01)
    await pilot.pause()


async def test_it_follows_what_is_new() -> None:
    host = Host(notices(100))
    async with host.run_test(size=SIZE) as pilot:
        assert screen(host)[-1] == " · notice 99"
        host.feed(*notices(1, first=100))
        await settled(pilot)
        assert screen(host)[-1] == " · notice 100"
        assert host.view.is_at_end


async def test_the_reading_position_stays_while_new_blocks_come() -> None:
    host = Host(notices(200))
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("tab", "pageup", "pageup")
        await settled(pilot)
        before = screen(host)
        host.feed(*notices(7, first=200))
        await settled(pilot)
        assert screen(host)[:-1] == before[:-1]
        assert "↓ 7 new" in screen(host)[-1]
        await pilot.click(host.view, offset=(40, 23))
        await settled(pilot)
        assert host.view.is_at_end
        assert screen(host)[-1] == " · notice 206"


async def test_what_is_written_on_below_is_new_too_and_counts_once() -> None:
    host = Host([*notices(200), h.ModelUpdate(delta="one\n\n")])
    async with host.run_test(size=SIZE) as pilot:
        await settled(pilot)
        host.feed(h.ModelUpdate(delta="two\n\n"))
        await settled(pilot)
        assert "new" not in screen(host)[-1]
        await pilot.press("tab", "pageup", "pageup")
        await settled(pilot)
        assert "new" not in screen(host)[-1]
        for piece in ("three\n\n", "four\n\n"):
            host.feed(h.ModelUpdate(delta=piece))
            await settled(pilot)
            assert "↓ 1 new" in screen(host)[-1]
        await pilot.press("end")
        await settled(pilot)
        assert "new" not in screen(host)[-1]


@pytest.mark.parametrize(("key", "line"), [("home", " · notice 0"), ("end", " · notice 199")])
async def test_both_ends_are_one_key_away(key: str, line: str) -> None:
    host = Host(notices(200))
    async with host.run_test(size=SIZE) as pilot:
        await pilot.press("tab", "pageup", key)
        await settled(pilot)
        assert line in screen(host)


async def test_scrolling_up_line_by_line_meets_every_line_once() -> None:
    tall, host = Host(hard_goal()), Host(hard_goal())
    async with tall.run_test(size=(80, 150)):
        whole = "\n".join(screen(tall)).rstrip().split("\n")
    async with host.run_test(size=(80, 60)) as pilot:
        await pilot.press("tab")
        seen = screen(host)[::-1]
        while host.view.scroll_offset.y > 0:
            await pilot.press("up")
            seen.append(screen(host)[0])
        assert seen[::-1] == whole


async def test_the_reading_position_survives_another_width() -> None:
    text = "many words that wrap " * 30
    host = Host([s.Notice(text=f"{number}: {text}") for number in range(60)])
    async with host.run_test(size=(100, 20)) as pilot:
        host.view.jump_to(30)
        await settled(pilot)
        assert screen(host)[0].startswith(" · 30: many")
        for width in (47, 130, 61):
            await pilot.resize_terminal(width, 20)
            await settled(pilot)
            assert screen(host)[0].lstrip(" ").startswith("· 30: many")


async def test_at_the_end_another_width_stays_at_the_end() -> None:
    host = Host([s.Notice(text=f"{n} " + "words " * 60 + f"end {n}") for n in range(40)])
    async with host.run_test(size=(100, 20)) as pilot:
        await pilot.resize_terminal(50, 20)
        await settled(pilot)
        assert screen(host)[-1].endswith("end 39")


async def test_a_click_on_a_call_shows_more_and_less_of_it() -> None:
    host = Host(fixed_test())
    async with host.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        row = next(y for y, line in enumerate(screen(host)) if "▸ test" in line)
        await pilot.click(host.view, offset=(10, row))
        await settled(pilot)
        assert "▾ test" in screen(host)[row]
        assert "Ran 1 test" in screen(host)[row + 2]
        await pilot.click(host.view, offset=(10, row))
        await settled(pilot)
        assert "▸ test" in screen(host)[row]


async def test_one_key_opens_closes_and_restores_all_calls() -> None:
    host = Host(fixed_test())
    async with host.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        plain = screen(host)
        assert host.view.toggle_fold_all() == "open"
        await settled(pilot)
        assert any("Ran 1 test" in line for line in screen(host))
        assert host.view.toggle_fold_all() == "closed"
        await settled(pilot)
        assert not any("return total" in line for line in screen(host))
        assert host.view.toggle_fold_all() == "auto"
        await settled(pilot)
        assert screen(host) == plain


async def test_a_fold_keeps_its_line_where_it_is() -> None:
    host = Host([*notices(50), *fixed_test(), *notices(50)])
    async with host.run_test(size=(120, 30)) as pilot:
        host.view.jump_to(50)
        await settled(pilot)
        row = next(y for y, line in enumerate(screen(host)) if "▾ edit" in line)
        above = screen(host)[:row]
        await pilot.click(host.view, offset=(10, row))
        await settled(pilot)
        assert screen(host)[:row] == above
        assert "edit" in screen(host)[row]


async def test_what_the_mouse_selects_is_copied_without_the_gutter() -> None:
    host = Host(fixed_test())
    async with host.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        top = next(y for y, line in enumerate(screen(host)) if "I'll look" in line)
        await pilot.mouse_down(host.view, offset=(3, top))
        await pilot.hover(host.view, offset=(14, top + 1))
        await pilot.mouse_up(host.view, offset=(14, top + 1))
        await pilot.pause()
        text = host.screen.get_selected_text()
        assert text == "I'll look at the test and at what it calls.\n▸ read    ca"


def drawn_down(host: Host, row: int) -> MouseMove:
    """The mouse comes down to this row with its button held, which the pilot cannot do."""
    place = {"x": 20, "y": row, "screen_x": 20, "screen_y": row}
    keys = {"shift": False, "meta": False, "ctrl": False}
    return MouseMove(host.view, delta_x=0, delta_y=3, button=1, **place, **keys)  # type: ignore[arg-type]


async def test_a_selection_that_is_drawn_to_the_edge_takes_the_page_along() -> None:
    host = Host(notices(200))
    async with host.run_test(size=SIZE) as pilot:
        host.view.jump_to(0)
        await settled(pilot)
        await pilot.mouse_down(host.view, offset=(3, 2))
        for row in (10, 20, 23):
            host.screen._forward_event(drawn_down(host, row))
        await until(lambda: "notice 40" in (host.screen.get_selected_text() or ""))
        await pilot.mouse_up(host.view, offset=(20, 23))
        await pilot.pause()
        lines = (host.screen.get_selected_text() or "").split("\n")
        first = [f"notice {number}" for number in range(2, 2 + len(lines))]
        assert lines[:-1] == first[:-1]
        assert not host.view.is_at_end


@pytest.mark.parametrize("width", [24, 31, 40, 77, 200])
async def test_wrapped_lines_are_copied_as_they_were_written(width: int) -> None:
    text = (
        "Some words that wrap somewhere, and a_name_that_is_longer_than_the_narrowest_page.\n"
        "\n"
        "• an item that goes on and on until it has to wrap as well\n"
        "\n"
        "  result = compute(first_argument, second_argument, third_argument)"
    )
    source = text.replace("• ", "- ").replace("  result", "    result")
    host = Host([h.ModelUpdate(delta=source), h.TurnEnd()])
    async with host.run_test(size=(width, 40)) as pilot:
        await settled(pilot)
        end = Offset(200, host.view.virtual_size.height - 1)
        host.screen.selections = {host.view: Selection(Offset(0, 0), end)}
        copied = host.screen.get_selected_text() or ""
        assert [line.strip() for line in copied.split("\n")] == [
            line.strip() for line in text.split("\n")
        ]


async def test_a_selection_does_not_fold_the_call_under_it() -> None:
    host = Host(fixed_test())
    async with host.run_test(size=(120, 40)) as pilot:
        await settled(pilot)
        row = next(y for y, line in enumerate(screen(host)) if "▸ read" in line)
        await pilot.mouse_down(host.view, offset=(5, row))
        await pilot.hover(host.view, offset=(20, row))
        await pilot.mouse_up(host.view, offset=(20, row))
        await settled(pilot)
        assert "▸ read" in screen(host)[row]


async def test_a_double_click_selects_one_block() -> None:
    host = Host(notices(30))
    async with host.run_test(size=SIZE) as pilot:
        await settled(pilot)
        await pilot.double_click(host.view, offset=(6, 5))
        assert host.screen.get_selected_text() == screen(host)[5].removeprefix(" · ")


async def test_another_theme_draws_everything_anew() -> None:
    host = Host(fixed_test())
    async with host.run_test(size=SIZE) as pilot:
        dark = host.view.render_line(0)
        host.theme = "cockpit-light"
        await settled(pilot)
        light = host.view.render_line(0)
        assert dark.text == light.text
        assert [segment.style for segment in dark] != [segment.style for segment in light]


@pytest.mark.parametrize("count", [100, 5_000])
async def test_an_append_looks_at_few_blocks_at_any_length(count: int) -> None:
    host = Host(notices(count))
    async with host.run_test(size=SIZE) as pilot:
        source = Counting(host.transcript)
        host.view.attach(source)
        await settled(pilot)
        source.looked_at = 0
        host.feed(*notices(1, first=count))
        await settled(pilot)
        assert screen(host)[-1] == f" · notice {count}"
        assert 0 < source.looked_at < 40


async def test_nothing_is_looked_at_while_nothing_happens() -> None:
    host = Host(hard_goal())
    async with host.run_test(size=SIZE) as pilot:
        source = Counting(host.transcript)
        host.view.attach(source)
        await settled(pilot)
        source.looked_at = 0
        await pilot.pause(0.6)
        assert source.looked_at == 0


async def test_a_flood_of_text_is_drawn_in_few_frames_and_ends_whole() -> None:
    sentence = "Twenty thousand pieces arrive at once, and the last one counts. "
    text = "\n\n".join(sentence * 4 for _ in range(150)) + "\n\nThe very end."
    host = Host([h.AgentStart(goal="g"), h.TurnStart(iteration=1)])
    async with host.run_test(size=SIZE) as pilot:
        source = Counting(host.transcript)
        host.view.attach(source)
        source.looked_at = 0
        host.feed(*pieces(text, size=4))
        await settled(pilot)
        assert screen(host)[-1] == "   The very end."
        assert source.looked_at < 2_000


async def test_a_live_call_turns_and_then_rests() -> None:
    host = Host([h.ToolStart(call_id="c", tool="run_tests")])
    async with host.run_test(size=SIZE) as pilot:
        host.animation_level = "full"
        host.view.attach(host.transcript)
        first = screen(host)[0]
        deadline = time.monotonic() + WITHIN_S
        while screen(host)[0] == first:
            assert time.monotonic() < deadline, "the spinner stands still"
            await pilot.pause(0.05)
        host.feed(h.ToolEnd(call_id="c", tool="run_tests", success=True))
        await settled(pilot)
        assert "▸ test" in screen(host)[0]
        assert not host.view.is_turning


async def test_a_beat_before_the_frame_of_a_new_live_call_waits_for_it() -> None:
    host = Host([h.ToolStart(call_id="c", tool="run_tests")])
    async with host.run_test(size=SIZE) as pilot:
        host.animation_level = "full"
        host.view.attach(host.transcript)
        change = host.transcript.apply(h.ToolStart(call_id="d", tool="run_linter"))
        first = screen(host)[0]
        deadline = time.monotonic() + WITHIN_S
        while screen(host)[0] == first:
            assert time.monotonic() < deadline, "the spinner stands still"
            await pilot.pause(0.05)
        host.view.bring(1, 0)
        host.view.mark_changed(change)
        await settled(pilot)
        assert any("lint" in line for line in screen(host))


@pytest.mark.parametrize("events", [[], [h.ModelUpdate(delta="\n")], notices(1)])
async def test_little_or_nothing_is_fine(events: Iterable[Event]) -> None:
    host = Host(events)
    async with host.run_test(size=(1, 1)) as pilot:
        await pilot.resize_terminal(60, 10)
        await settled(pilot)
        assert len(screen(host)) == 10


async def test_a_block_that_is_added_before_the_first_paint_is_shown() -> None:
    host = Host()
    host.transcript.apply(s.Notice(text="early"))
    async with host.run_test(size=SIZE) as pilot:
        await settled(pilot)
        assert screen(host)[0] == " · early"
        assert isinstance(host.transcript.block(0), NoticeBlock)


async def test_an_opened_call_shows_what_it_was_given() -> None:
    given = {"path": "x", "options": {"deep": True}, "body": "one\ntwo"}
    host = Host(
        [
            h.ToolStart(call_id="c", tool="mcp__thing", input=given),
            h.ToolEnd(call_id="c", tool="mcp__thing", success=True, content="done"),
        ]
    )
    async with host.run_test(size=SIZE) as pilot:
        await pilot.click(host.view, offset=(10, 0))
        await settled(pilot)
        assert [line.strip() for line in screen(host)[1:5]] == [
            "options  {'deep': True}",
            "body  one",
            "two",
            "done",
        ]
