"""Every screen and every state at the three sizes that people have, dark and light.

One app is brought into a state once, then sized and coloured anew for each picture: resizing
and changing the theme are looked at on the way.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import pytest
from pytest_textual_snapshot import SVGImageExtension  # type: ignore[import-untyped]
from syrupy.assertion import SnapshotAssertion
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.harness import AgentEnd, ModelUpdate
from agent_cockpit.events.sitting import PromptQueued, ToolProgress
from tests.cockpit.panel_states import STATES as PANELS
from tests.cockpit.panel_states import call
from tests.cockpit.screen import at_rest_and_measured, text_of, until
from tests.cockpit.test_look import DIFF, SIZES, after, goal, still
from tests.cockpit.test_side_panel import WORK
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import EDIT_DIFF, PARSER_DIFF, fixed_test, hard_goal, stamped

THEMES = ("cockpit-dark", "cockpit-light")


class Stage:
    """An app in a terminal, and the source that it shows."""

    def __init__(self, pilot: Pilot[Any], app: CockpitApp, source: ScriptedSource) -> None:
        self.pilot, self.app, self.source = pilot, app, source

    async def until_said(self, words: str) -> None:
        """Until these words stand on the screen."""
        await until(self.pilot, lambda: words in text_of(self.app))

    async def told(self, *events: Any, lit: bool = True) -> None:
        """Tell these events; when the last one asks, until its keys count."""
        await after(self.app, self.source, *events, lit=lit)(self.pilot)

    async def press(self, *keys: str) -> None:
        """Press these keys."""
        await self.pilot.press(*keys)

    async def command(self, line: str) -> None:
        """Send a command, from a full screen's point of view: until it stands there."""
        self.app.composer.text = line
        await self.press("enter")
        await until(self.pilot, lambda: not self.app.is_main)


Play = Callable[[Stage], Awaitable[None]]


async def a_welcome(stage: Stage) -> None:
    pass


async def a_goal_that_went_well(stage: Stage) -> None:
    await stage.told(*fixed_test())
    await stage.until_said("verified")


async def a_hard_goal(stage: Stage) -> None:
    await stage.told(*hard_goal()[:-6])
    await stage.until_said("not verified")


async def a_goal_at_work(stage: Stage) -> None:
    thought = ModelUpdate(kind="thought", delta="The divisor may be wrong, but look first.")
    printed = ToolProgress(
        call_id="c3",
        delta="collected 14 items\ntests/test_calc.py ......\ntests/test_parse.py ...",
    )
    await stage.told(*stamped([WORK[0], thought, *WORK[1:], printed]))
    await stage.until_said("test_parse.py ...")


async def a_server_that_fails(stage: Stage) -> None:
    error = "the model server says 401: the key is not valid"
    end = AgentEnd(status="model_error", outcome="incomplete", error=error)
    await stage.told(*stamped([goal(), end]))
    await stage.until_said("401")


async def prompts_that_wait(stage: Stage) -> None:
    later = PromptQueued(kind="follow_up", text="then update the changelog")
    await stage.told(goal(), PromptQueued(text="use plain asserts, please"), later)
    await stage.until_said("then update")


async def a_command_that_asks(stage: Stage) -> None:
    await stage.told(goal(), asks("call-1"), asks("call-2"))


async def an_edit_that_asks_while_the_person_types(stage: Stage) -> None:
    edit = asks(
        tool="str_replace",
        input={"path": "calc.py"},
        tier=1,
        reason="changes calc.py (+1 −1)",
        preview=DIFF,
        grant_scope="every edit in any file in this sitting",
    )
    stage.app.panel.quiet.quiet_s = 600.0
    await stage.told(goal(), edit, lit=False)
    await stage.press(*"also")


async def a_list_of_calls(stage: Stage) -> None:
    await stage.told(goal(), CallsAhead(questions=[call("two"), call("three")]), call("one"))
    await stage.press("l", "space", "right_square_bracket")


def a_panel(name: str) -> Play:
    async def play(stage: Stage) -> None:
        question, keys = PANELS[name]
        await stage.told(goal(), question)
        await stage.press(*keys)

    return play


async def a_plan_of_a_second_version(stage: Stage) -> None:
    first = "1. Divide by the number of values in `calc.average`\n2. Run the tests"
    stage.source.plan = [first, f"{first}\n3. Add a test for a single value"]
    await stage.press("g", "enter")
    await until(stage.pilot, lambda: getattr(stage.app.screen, "is_lit", False))
    await stage.press("r", "enter")
    await until(
        stage.pilot, lambda: stage.source.decisions and getattr(stage.app.screen, "is_lit", False)
    )
    await stage.press("down", "down", "c", *"one value is its own mean", "enter")
    await stage.until_said("is its own mean")


async def a_diff(stage: Stage) -> None:
    stage.source.meta = {"/diff": MetaResult("diff", EDIT_DIFF + PARSER_DIFF)}
    stage.app.driving.meta("/diff")
    await until(stage.pilot, lambda: isinstance(stage.app.screen, DiffModal))


async def the_help_page(stage: Stage) -> None:
    await stage.press("f1")
    await until(stage.pilot, lambda: not stage.app.is_main)


async def the_list_of_keys(stage: Stage) -> None:
    await stage.command("/keys ")


async def the_palette(stage: Stage) -> None:
    await a_goal_that_went_well(stage)
    await stage.press("ctrl+p")
    await until(stage.pilot, lambda: not stage.app.is_main)


async def the_palette_that_looks(stage: Stage) -> None:
    await the_palette(stage)
    await stage.press(*"diff")
    await stage.until_said("/diff")


async def the_palette_without_a_hit(stage: Stage) -> None:
    await the_palette(stage)
    await stage.press(*"xyzzy")
    await stage.until_said("nothing that works now")


async def a_search(stage: Stage) -> None:
    await a_hard_goal(stage)
    await stage.press("ctrl+f", "c", "s", "v")
    search = stage.app.transcript_view.search
    await until(stage.pilot, lambda: search.is_complete and search.number)
    await stage.press("enter")


async def a_search_in_vain(stage: Stage) -> None:
    await a_goal_that_went_well(stage)
    await stage.press("ctrl+f", *"xyzzy")
    await stage.until_said("nothing found")


async def the_menu_of_a_block(stage: Stage) -> None:
    await a_goal_that_went_well(stage)
    await stage.press("alt+up", "up", "up", "up", "enter")
    await stage.until_said("[c]")


async def commands_to_choose_from(stage: Stage) -> None:
    await a_goal_that_went_well(stage)
    await stage.press("/", "m", "o", "down")
    await stage.until_said("/permissions")


async def a_long_paste(stage: Stage) -> None:
    stage.app.composer.insert_text("explain ")
    stage.app.composer.insert_text("".join(f"{n}: a line of a log\n" for n in range(10_000)))
    await stage.until_said("writes it out")


async def a_search_of_what_was_sent(stage: Stage) -> None:
    for prompt in ("fix the parser", "look at calc.py", "fix the calc\nand its tests"):
        stage.app.composer.prompts.add(prompt)
    await stage.press("ctrl+r", *"calc")
    await stage.until_said("search your prompts")


PLAYS: dict[str, Play] = {
    play.__name__: play
    for play in (
        a_welcome,
        a_goal_that_went_well,
        a_hard_goal,
        a_goal_at_work,
        a_server_that_fails,
        prompts_that_wait,
        a_command_that_asks,
        an_edit_that_asks_while_the_person_types,
        a_list_of_calls,
        a_plan_of_a_second_version,
        a_diff,
        the_help_page,
        the_list_of_keys,
        the_palette,
        the_palette_that_looks,
        the_palette_without_a_hit,
        a_search,
        a_search_in_vain,
        the_menu_of_a_block,
        commands_to_choose_from,
        a_long_paste,
        a_search_of_what_was_sent,
    )
} | {f"a_panel_{name.replace('-', '_')}": a_panel(name) for name in PANELS}


@pytest.mark.parametrize("name", PLAYS)
async def test_a_state(name: str, snapshot: SnapshotAssertion, tmp_path: Path) -> None:
    source = ScriptedSource()
    app = still(source)
    others: list[str] = []
    async with app.run_test(size=SIZES[0]) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await PLAYS[name](Stage(pilot, app, source))
        for width, height in SIZES:
            await pilot.resize_terminal(width, height)
            for theme in THEMES:
                app.looks.preview(theme)
                await at_rest_and_measured(pilot)
                picture = app.export_screenshot(title="")
                kind = f"{width}x{height}-{theme.removeprefix('cockpit-')}"
                if snapshot(name=kind, extension_class=SVGImageExtension) != picture:
                    others.append(kind)
                    (tmp_path / f"{kind}.svg").write_text(picture)
    assert not others, f"{name} looks different at {', '.join(others)}: see {tmp_path}"
