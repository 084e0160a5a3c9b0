"""Every key of the table, pressed in every panel in which the table says that it works."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator, Mapping
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from textual.dom import DOMNode
from textual.pilot import Pilot

from agent_cockpit.cockpit import app as app_module
from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.keys.key import Key
from agent_cockpit.cockpit.keys.key_table import KEYS, PANELS
from agent_cockpit.cockpit.replay_app import ReplayApp
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.cockpit.screens.help_screen import HelpScreen
from agent_cockpit.cockpit.screens.plan_modal import PlanModal
from agent_cockpit.cockpit.screens.theme_screen import ThemeScreen
from agent_cockpit.engine.record.replay import ReplaySource
from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.consent import ConsentScope
from agent_cockpit.events.harness import AgentEnd, AgentStart, ApprovalResolved, ModelUpdate
from tests.cockpit.screen import text_of, until
from tests.support.scripted_source import ScriptedSource, asks
from tests.transcript.stories import fixed_test

DIFF = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n@@ -9 +9 @@\n-c\n+d\n"
LONG = "\n".join(f"echo {number}" for number in range(90))
SCOPES = [
    ConsentScope(scope="once", covers="this call, once"),
    ConsentScope(scope="turn", covers="exactly this command, in this goal"),
    ConsentScope(scope="grant", covers="every `echo …` in this sitting"),
]


class Recorder(CockpitApp):
    """Once `ran` is a list, actions are written there, with a look whether they exist, and not
    carried out: a panel stays open while all of its keys are pressed."""

    CSS_PATH = str(Path(app_module.__file__).with_name("app.tcss"))
    ran: list[str] | None = None

    async def run_action(
        self,
        action: str | tuple[str, str, tuple[object, ...]],
        default_namespace: DOMNode | None = None,
        namespaces: Mapping[str, DOMNode] | None = None,
    ) -> bool:
        if self.ran is None or not isinstance(action, str):
            return await super().run_action(action, default_namespace, namespaces)
        owner, _, name = action.partition("(")[0].rpartition(".")
        homes = {"app": self, "screen": self.screen}
        home = homes.get(owner, default_namespace)
        if not hasattr(home, f"action_{name}"):
            return False
        self.ran.append(action)
        return True


Open = Callable[[Pilot[None], Recorder, ScriptedSource], Awaitable[None]]


async def _prompt(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    assert app.composer.has_focus


async def _approval(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    source.say(AgentStart(goal="g", task_kind="edit"), asks())
    await until(pilot, lambda: app.panel.is_lit and app.panel.has_focus)


async def _field(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    await _approval(pilot, app, source)
    await pilot.press("r")
    await until(pilot, lambda: app.panel.is_writing)


async def _plan(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    source.plan = ["1. do"]
    await pilot.press("g", "enter")
    await until(pilot, lambda: isinstance(app.screen, PlanModal) and app.screen.is_lit)


async def _diff(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    app.show(DiffModal(DIFF))
    await until(pilot, lambda: isinstance(app.screen, DiffModal))


async def _help(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    app.action_help()
    await until(pilot, lambda: isinstance(app.screen, HelpScreen))


async def _theme(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    app.show(ThemeScreen(app.looks))
    await until(pilot, lambda: isinstance(app.screen, ThemeScreen))


async def _palette(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    await pilot.press("ctrl+p")
    await until(pilot, lambda: not app.is_main)


async def _answered(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    source.say(AgentStart(goal="g", task_kind="edit"), ModelUpdate(delta="an answer"))
    await until(pilot, lambda: "an answer" in text_of(app))


async def _blocks(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    await _answered(pilot, app, source)
    await pilot.press("alt+up")
    await until(pilot, lambda: app.situation.reading == "blocks")


async def _menu(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    await _blocks(pilot, app, source)
    await pilot.press("enter")
    await until(pilot, lambda: app.situation.reading == "menu")


async def _search(pilot: Pilot[None], app: Recorder, source: ScriptedSource) -> None:
    await _answered(pilot, app, source)
    await pilot.press("ctrl+f")
    await until(pilot, lambda: app.situation.reading == "search")


OPEN: dict[str, Open] = {
    "prompt": _prompt,
    "approval": _approval,
    "field": _field,
    "plan": _plan,
    "diff": _diff,
    "help": _help,
    "theme": _theme,
    "palette": _palette,
    "blocks": _blocks,
    "menu": _menu,
    "search": _search,
}
READ_BY_THE_WIDGET = ("approval", "plan", "list")
"""Places whose keys name no action for Textual: what each of them does is below, and for the
list above the prompt in `test_completing`."""
ITSELF = {"help_here", "theme_try", "theme_keep"}
"""The same for single keys: see the tests of the composer and of the themes."""


OWN_WAY = {"copy_or_quit", "page_up", "page_down", "help"}
"""What a panel does in a way of its own: ctrl+c leaves it, it turns its own pages, and the page
of help closes by the key that opened it."""


def presses(panel: str) -> Iterator[tuple[str, Key]]:
    """(key, line) of all that act in the panel through a binding, the first place before the
    others."""
    taken: set[str] = set()
    for place in PANELS[panel]:
        lines = [line for line in KEYS if line.where == place]
        for line in lines:
            is_read = place in READ_BY_THE_WIDGET or line.id in ITSELF
            is_read = is_read or (panel != "prompt" and line.id in OWN_WAY)
            yield from ((key, line) for key in line.keys if not is_read and key not in taken)
        taken |= {key for line in lines for key in line.keys}


@pytest.mark.parametrize("panel", OPEN)
async def test_each_key_runs_its_action_in_the_panel(panel: str) -> None:
    source = ScriptedSource()
    app = Recorder(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        await OPEN[panel](pilot, app, source)
        dead = []
        for key, line in presses(panel):
            app.ran = []
            await pilot.press(key)
            if app.ran != [line.action]:
                dead.append((line.id, key, app.ran))
        app.ran = None
        assert dead == []


class ReplayRecorder(Recorder, ReplayApp):
    """The same on a recorded sitting."""


async def test_each_key_of_a_replay_runs_its_action_there() -> None:
    app = ReplayRecorder(lambda: ReplaySource(fixed_test()))
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.situation.replays)
        dead = []
        for key, line in presses("replay"):
            app.ran = []
            await pilot.press(key)
            if line.where == "replay" and app.ran != [line.action]:
                dead.append((line.id, key, app.ran))
        app.ran = None
        assert dead == []


def test_every_line_of_the_table_is_pressed_by_a_test() -> None:
    pressed = {line.id for panel in (*OPEN, "replay") for _, line in presses(panel)}
    known = pressed | set(APPROVAL) | set(PLAN) | ITSELF
    assert {line.id for line in KEYS if line.keys and line.where != "list"} - known == set()


# the panel and the plan, which read keys themselves

Shows = Callable[[CockpitApp, ScriptedSource, Any], object]


def _answer(*answer: Any) -> Shows:
    return lambda app, source, before: any(
        call[0] == "resolve" and call[2 : 2 + len(answer)] == answer for call in source.calls
    )


def _scrolls(app: CockpitApp, source: ScriptedSource, before: Any) -> bool:
    return bool(_look(app)[0] != before[0])


def _selects(app: CockpitApp, source: ScriptedSource, before: Any) -> bool:
    return bool(app.screen.get_selected_text())


def _look(app: CockpitApp) -> tuple[int, str, int, str]:
    panel, choice = app.panel, app.panel.choice
    scope = (
        next((each.words for each in choice.options if each.letter == "a"), "") if choice else ""
    )
    chosen = panel.query_one("#panel-options").chosen  # type: ignore[attr-defined]
    body = panel.query_one("#panel-body")
    return round(body.scroll_offset.y), scope, choice.hunk if choice else -1, str(chosen)


def _changes(part: int) -> Shows:
    return lambda app, source, before: _look(app)[part] != before[part]


COMMAND = {"input": {"command": LONG}, "scopes": SCOPES}
EDIT = {"tool": "write_file", "input": {"path": "x"}, "preview": DIFF, "hunks": 2, "tier": 1}
APPROVAL: dict[str, tuple[dict[str, Any], list[str], Shows]] = {
    "allow": ({}, [], _answer(True, False)),
    "always": ({}, [], _answer(True, True)),
    "deny": ({}, [], _answer(False)),
    "narrower": (COMMAND, [], _changes(1)),
    "wider": (COMMAND, ["left"], _changes(1)),
    "edit_call": ({}, [], lambda app, source, before: app.panel.is_writing),
    "refuse": ({}, [], lambda app, source, before: app.panel.is_writing),
    "whole": ({}, [], lambda app, source, before: app.panel.is_whole),
    "list_calls": ({}, [], lambda app, source, before: "calls wait" in text_of(app)),
    "hunk": (EDIT, [], lambda app, source, before: "1 of 2 hunks" in text_of(app)),
    "hunk_before": (EDIT, [], _changes(2)),
    "hunk_after": (EDIT, [], _changes(2)),
    "number": ({}, [], _changes(3)),
    "give": ({}, ["1"], _answer(True, False)),
    "call_up": (COMMAND, ["down"], _scrolls),
    "call_down": (COMMAND, [], _scrolls),
    "call_pageup": (COMMAND, ["end"], _scrolls),
    "call_pagedown": (COMMAND, [], _scrolls),
    "call_home": (COMMAND, ["end"], _scrolls),
    "call_end": (COMMAND, [], _scrolls),
    "call_select_up": (COMMAND, [], _selects),
    "call_select_down": (COMMAND, [], _selects),
}
"""What is asked, what is pressed before, and what shows that the key did its work."""


@pytest.mark.timeout(300)  # a busy machine is no fault
async def test_each_key_does_its_work_when_a_call_asks() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(AgentStart(goal="g", task_kind="edit"))
        for line in (each for each in KEYS if each.where == "approval"):
            values, before, shows = APPROVAL[line.id]
            for key in line.keys[:6]:
                call_id = f"{line.id}-{key}"
                ahead = [asks(f"{call_id}-next")] if line.id == "list_calls" else []
                source.calls.clear()
                source.say(AgentStart(goal="g", task_kind="edit"), CallsAhead(questions=ahead))
                source.say(asks(call_id, **values))
                await until(pilot, partial(_is_asked, app, call_id))
                await pilot.press(*before)
                seen = _look(app)
                await pilot.press(key)
                await until(pilot, partial(shows, app, source, seen))
                source.say(
                    ApprovalResolved(approval_id=call_id, allowed=False, via="auto"), AgentEnd()
                )
                await until(pilot, lambda: not app.panel.is_open)


def _is_asked(app: CockpitApp, call_id: str) -> bool:
    question = app.panel.question
    return question is not None and question.question_id == call_id and app.panel.is_lit


PLAN: dict[str, Callable[[PlanModal, list[Any]], object]] = {
    "plan_approve": lambda screen, decisions: decisions and decisions[0].approved,
    "plan_accept": lambda screen, decisions: decisions and decisions[0].accept_edits,
    "plan_revise": lambda screen, decisions: screen.query_one("#plan-note").has_focus,
    "plan_comment": lambda screen, decisions: screen.query_one("#plan-note").has_focus,
    "plan_edit": lambda screen, decisions: screen.query_one("#plan-editor").has_focus,
    "plan_edit_outside": lambda screen, decisions: "VISUAL" in str(_frame(screen)),
    "plan_compare": lambda screen, decisions: screen.review.compared_with,
    "plan_up": lambda screen, decisions: screen.review.cursor == 0,
    "plan_down": lambda screen, decisions: screen.review.cursor == 2,
    "plan_pageup": lambda screen, decisions: screen.review.cursor == 0,
    "plan_pagedown": lambda screen, decisions: screen.review.cursor > 2,
    "plan_home": lambda screen, decisions: screen.review.cursor == 0,
    "plan_end": lambda screen, decisions: screen.review.cursor == 8,
    "plan_select_up": lambda screen, decisions: screen.get_selected_text(),
    "plan_select_down": lambda screen, decisions: screen.get_selected_text(),
    "plan_before": lambda screen, decisions: _chosen(screen) == "leave",
    "plan_after": lambda screen, decisions: _chosen(screen) == "approve",
    "plan_number": lambda screen, decisions: _chosen(screen),
    "plan_give": lambda screen, decisions: decisions and decisions[0].accept_edits,
    "plan_leave": lambda screen, decisions: decisions == [None],
}
"""What shows that the key did its work, on a plan of nine lines with the cursor in the second."""


BEFORE = {"plan_give": ["2"], "plan_compare": ["e", "0", "escape"]}


def _frame(screen: PlanModal) -> object:
    return screen.query_one("#plan").border_subtitle


def _chosen(screen: PlanModal) -> str:
    chosen = screen.query_one("#plan-options").chosen  # type: ignore[attr-defined]
    return chosen.answer if chosen else ""


async def test_each_key_does_its_work_on_a_plan(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VISUAL", raising=False)
    monkeypatch.delenv("EDITOR", raising=False)
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        for line in (each for each in KEYS if each.where == "plan"):
            shows = PLAN[line.id]
            for key in line.keys[:6]:
                screen = await _planned(pilot, app, source)
                await pilot.press("down", *BEFORE.get(line.id, ()), key)
                await until(pilot, partial(shows, screen, source.decisions))
                while not app.is_main:
                    await pilot.press("escape")
                    await pilot.pause()
                await until(pilot, lambda: not app.driving.is_busy)


async def _planned(pilot: Pilot[None], app: CockpitApp, source: ScriptedSource) -> PlanModal:
    source.decisions.clear()
    source.plan = ["\n".join(f"{n}. do" for n in range(9))]
    app.driving.send("g", "steering")
    await until(pilot, lambda: isinstance(app.screen, PlanModal) and app.screen.is_lit)
    assert isinstance(app.screen, PlanModal)
    return app.screen
