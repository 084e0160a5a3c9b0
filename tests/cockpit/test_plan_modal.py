"""The plan: approve, revise with a note, edit, leave; nothing by accident."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.consent.plan_review import PlanReview
from agent_cockpit.cockpit.screens.plan_modal import PlanModal
from agent_cockpit.engine.state import PlanDecision
from tests.cockpit.screen import text_of, type_in, until
from tests.support.scripted_source import ScriptedSource, asks

PLAN = "1. Divide by the count\n2. Run [/the] [b]tests[/b]"
NOTED = "On line 1, “1. Divide by the count”:\nx"


async def proposed(
    pilot: Pilot[None], app: CockpitApp, source: ScriptedSource, *plans: str
) -> PlanModal:
    """Send a goal whose run proposes these plans, and wait until the first one's keys count."""
    await until(pilot, lambda: app.driving.source is not None)
    source.plan = list(plans)
    await pilot.press("g", "o", "enter")
    return await lit_plan(pilot, app)


async def lit_plan(pilot: Pilot[None], app: CockpitApp, version: str = "version 1") -> PlanModal:
    def is_lit() -> bool:
        screen = app.screen
        return isinstance(screen, PlanModal) and screen.is_lit and version in text_of(app)

    await until(pilot, is_lit)
    assert isinstance(app.screen, PlanModal)
    return app.screen


def scripted(**options: Any) -> tuple[ScriptedSource, CockpitApp]:
    source = ScriptedSource()
    return source, CockpitApp(lambda: source, **({"quiet_s": 0.0} | options))


@pytest.mark.parametrize(
    ("keys", "decision"),
    [
        (["a"], PlanDecision(True, PLAN)),
        (["right", "enter"], PlanDecision(True, PLAN)),
        (["r", "s", "m", "a", "l", "l", "enter"], PlanDecision(False, "small")),
        (["r", "enter"], PlanDecision(False, "")),
        (["r", "x", "escape", "a"], PlanDecision(True, PLAN)),
        (["escape"], None),
        (["ctrl+c"], None),
        (["e", "0", "escape", "a"], PlanDecision(True, f"0{PLAN}")),
        (["e", "escape", "escape"], None),
        (["A"], PlanDecision(True, PLAN, accept_edits=True)),
        (["2", "enter"], PlanDecision(True, PLAN, accept_edits=True)),
        (["left", "enter"], None),
        (["9", "enter", "a"], PlanDecision(True, PLAN)),
        (
            ["down", "c", "n", "o", "enter", "r", "o", "k", "enter"],
            PlanDecision(False, "ok\n\nOn line 2, “2. Run [/the] [b]tests[/b]”:\nno"),
        ),
        (["c", "x", "enter", "c", "backspace", "enter", "r", "enter"], PlanDecision(False, "")),
        (["c", "x", "escape", "escape"], None),
        (["c", "x", "enter", "escape", "escape"], None),
        (["c", "x", "enter", "escape", "r", "enter"], PlanDecision(False, NOTED)),
        (["c", "x", "enter", "a", "a"], PlanDecision(True, PLAN)),
        (["c", "x", "enter", "a", "A", "a", "r", "enter"], PlanDecision(False, NOTED)),
        (["e", "0", "escape", "escape", "down", "escape", "a"], PlanDecision(True, f"0{PLAN}")),
        (["e", "0", "escape", "d", "d", "a"], PlanDecision(True, f"0{PLAN}")),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
async def test_each_key_gives_its_decision(keys: list[str], decision: PlanDecision | None) -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN)
        await pilot.press(*keys)
        await until(pilot, lambda: source.decisions)
        assert source.decisions == [decision]
        await until(pilot, lambda: len(app.screen_stack) == 1)


async def test_the_plan_is_shown_letter_for_letter() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN + "\n\x1b[2J\x9b31mred")
        assert "2. Run [/the] [b]tests[/b]" in text_of(app)
        assert "\x1b" not in text_of(app)


async def test_a_revised_plan_says_what_changed() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN, PLAN + "\n3. Commit")
        await pilot.press("r", "enter")
        await lit_plan(pilot, app, "version 2")
        assert "+1 −0 since 1" in text_of(app)
        assert "+ 3. Commit" in text_of(app)
        await pilot.press("a")
        await until(pilot, lambda: len(source.decisions) == 2)


def test_a_version_that_is_as_the_one_before_says_so() -> None:
    assert PlanReview(PLAN, earlier=[PLAN]).title == "plan · version 2 · no different from 1"


async def test_notes_stand_in_the_plan_and_in_its_title() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN)
        await pilot.press("down", "c", *"why [x]?", "enter")
        await until(pilot, lambda: "✎ why [x]?" in text_of(app))
        assert "1 note" in text_of(app)
        await pilot.press("a")
        await until(pilot, lambda: "a again drops 1 note · r sends them" in text_of(app))
        assert source.decisions == []


async def test_a_note_written_in_one_burst_with_its_key_is_whole() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN)
        for letter in "rkeep it":
            app.post_message(events.Key("space" if letter == " " else letter, letter))
        app.post_message(events.Key("enter", "\r"))
        await until(pilot, lambda: source.decisions)
        assert source.decisions == [PlanDecision(False, "keep it")]


async def test_d_shows_what_changed_since_each_version_and_by_hand() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN, PLAN + "\n3. Commit")
        assert "what changed" not in text_of(app)
        await pilot.press("r", "enter")
        await lit_plan(pilot, app, "version 2")
        await pilot.press("e", "0", "escape", "d")
        await until(pilot, lambda: "compared with what was proposed" in text_of(app))
        assert "- 1. Divide by the count" in text_of(app)
        assert "+ 01. Divide by the count" in text_of(app)
        await pilot.press("d")
        await until(pilot, lambda: "compared with version 1" in text_of(app))
        assert "+ 3. Commit" in text_of(app)
        await pilot.press("d")
        await until(pilot, lambda: "compared with" not in text_of(app))
        assert "changed by you" in text_of(app)
        await pilot.press("a")
        await until(pilot, lambda: len(source.decisions) == 2)
        assert source.decisions[1] == PlanDecision(True, f"0{PLAN}\n3. Commit")


async def test_esc_leaves_what_changed_before_it_leaves_the_plan() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN, PLAN + "\n3. Commit")
        await pilot.press("r", "enter")
        modal = await lit_plan(pilot, app, "version 2")
        await pilot.press("d")
        await until(pilot, lambda: "compared with version 1" in text_of(app))
        await pilot.press("escape")
        await until(pilot, lambda: "compared with" not in text_of(app))
        assert app.screen is modal
        await pilot.press("escape")
        await until(pilot, lambda: len(source.decisions) == 2)
        assert source.decisions[1] is None


async def test_a_click_marks_a_line_and_a_second_one_comments_on_it() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        screen = await proposed(pilot, app, source, PLAN)
        await pilot.click("#plan-body", offset=(6, 1))
        await until(pilot, lambda: screen.review.cursor == 1)
        await pilot.click("#plan-body", offset=(6, 0), times=2)
        await until(pilot, lambda: "your note on line 1" in text_of(app))
        await pilot.press("x", "enter")
        await until(pilot, lambda: "✎ x" in text_of(app))
        assert screen.review.comments == {0: "x"}


async def test_the_marked_line_stays_in_sight() -> None:
    source, app = scripted()
    async with app.run_test(size=(40, 15)) as pilot:
        screen = await proposed(pilot, app, source, "\n".join(f"{n}. step" for n in range(1, 99)))
        await pilot.press(*["down"] * 9)
        await until(pilot, lambda: "▸ 10. step" in text_of(app))
        await pilot.press("c", "x", "enter")
        await until(pilot, lambda: "✎ x" in text_of(app) and "▸ 10. step" in text_of(app))
        await pilot.press("end")
        await until(pilot, lambda: "▸ 98. step" in text_of(app))
        await pilot.press("home")
        await until(pilot, lambda: "▸ 1. step" in text_of(app))
        await pilot.press("pagedown", "pageup")
        await until(pilot, lambda: screen.review.cursor == 0)


async def test_without_an_editor_it_says_what_to_set(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN)
        await pilot.press("ctrl+g")
        await until(pilot, lambda: "set VISUAL or EDITOR" in text_of(app))


@pytest.mark.parametrize("size", [(40, 24), (120, 11)])
async def test_what_the_border_has_no_room_for_is_read_whole_inside(
    monkeypatch: pytest.MonkeyPatch, size: tuple[int, int]
) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    source, app = scripted()
    async with app.run_test(size=size) as pilot:
        await proposed_on_any(pilot, app, source, PLAN)
        before = text_of(app)
        await pilot.press("ctrl+g")
        words = "set VISUAL or EDITOR to the editor that you want"
        await until(pilot, lambda: words in " ".join(text_of(app).replace("│", "").split()))
        assert "leave" in text_of(app)
        await pilot.press("down", "up")
        await until(pilot, lambda: text_of(app) == before)


async def test_the_last_versions_say_how_many_are_left() -> None:
    source, app = scripted()
    async with app.run_test(size=(120, 40)) as pilot:
        await proposed(pilot, app, source, *[f"{PLAN}\n{n}" for n in range(10)])
        for version in range(2, 9):
            await pilot.press("r", "enter")
            await lit_plan(pilot, app, f"version {version} ")
        assert "2 more versions can be asked for" in text_of(app)
        for version in (9, 10):
            await pilot.press("r", "enter")
            await lit_plan(pilot, app, f"version {version} ")
        assert "the last version: another note ends the goal" in text_of(app)
        await pilot.press("escape")


async def test_a_key_meant_for_the_prompt_neither_approves_nor_is_lost() -> None:
    source, app = scripted(quiet_s=30.0)
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.plan = [PLAN]
        await pilot.press("g", "enter")
        await until(pilot, lambda: isinstance(app.screen, PlanModal))
        await pilot.press("a", "n", "d")
        await pilot.pause()
        assert source.decisions == []
        assert app.composer.text == "and"


async def test_no_letter_of_a_line_is_under_the_scroll_bar() -> None:
    source, app = scripted()
    async with app.run_test(size=(40, 15)) as pilot:
        line = "x" * 33 + "E"
        await proposed(pilot, app, source, "\n".join([line] * 30))
        await pilot.press("down")
        await pilot.pause()
        assert text_of(app).count("E") >= 4


async def test_a_plan_of_thousands_of_lines_scrolls() -> None:
    source, app = scripted()
    async with app.run_test(size=(60, 20)) as pilot:
        await proposed(pilot, app, source, "\n".join(f"step {n}" for n in range(20_000)))
        await pilot.press("end")
        await until(pilot, lambda: "step 19999" in text_of(app))


@pytest.mark.parametrize("size", [(80, 24), (40, 15), (40, 10), (20, 5)])
async def test_its_answers_fit_any_screen(size: tuple[int, int]) -> None:
    source, app = scripted()
    async with app.run_test(size=size) as pilot:
        await proposed_on_any(pilot, app, source)
        words = text_of(app).replace("[", "").replace("]", "")
        assert "a approve" in words
        assert "esc leave" in words


@pytest.mark.parametrize("size", [(120, 40), (40, 15)])
async def test_it_is_as_tall_as_its_plan_and_its_keys_stand_right_under_it(
    size: tuple[int, int],
) -> None:
    source, app = scripted()
    async with app.run_test(size=size) as pilot:
        screen = await proposed(pilot, app, source, PLAN)
        rows = text_of(app).split("\n")
        last, keys = place_of(rows, "2. Run"), place_of(rows, "approve")
        assert keys == last + 2
        assert rows[keys - 1].strip("│ ") == ""
        end = place_of(rows, "╯")
        assert end == screen.query_one("#plan").outer_size.height - 1
        assert not "".join(rows[end + 1 :]).strip()


@pytest.mark.parametrize("size", [(120, 40), (40, 15), (40, 10)])
async def test_a_long_plan_takes_the_screen_and_leaves_room_for_keys_and_notes(
    size: tuple[int, int],
) -> None:
    source, app = scripted()
    async with app.run_test(size=size) as pilot:
        await proposed_on_any(pilot, app, source, "\n".join(f"{n}. do" for n in range(99)))
        frame = app.screen.query_one("#plan")
        assert frame.outer_size.height == size[1]
        assert "approve" in text_of(app)
        await pilot.press("c")
        await type_in(pilot, "note" * 40)
        await until(pilot, lambda: text_of(app).count("note") > 15)
        assert "▸ 0. do" in text_of(app)
        assert frame.outer_size.height <= size[1]


def place_of(rows: list[str], words: str) -> int:
    """The first row that holds these words."""
    return next(place for place, row in enumerate(rows) if words in row)


async def proposed_on_any(
    pilot: Pilot[None], app: CockpitApp, source: ScriptedSource, plan: str = PLAN
) -> None:
    await until(pilot, lambda: app.driving.source is not None)
    source.plan = [plan]
    await pilot.press("g", "enter")
    await until(pilot, lambda: isinstance(app.screen, PlanModal) and app.screen.is_lit)


async def test_a_call_that_asks_meanwhile_waits_behind_the_plan() -> None:
    source, app = scripted()
    async with app.run_test() as pilot:
        await proposed(pilot, app, source, PLAN)
        source.say(asks())
        await until(pilot, lambda: app.panel.is_open)
        await pilot.press("escape")
        await until(pilot, lambda: source.decisions)
        assert [call for call in source.calls if call[0] == "resolve"] == []
