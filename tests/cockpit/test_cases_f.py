"""The known faults of terminal screens, one test a case: text that is taken for markup, widths,
streams that freeze, pastes, screens too small, lines without end."""

from __future__ import annotations

from pathlib import Path

import pytest
from rich.console import Console
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.look.theme import DARK, palette_of
from agent_cockpit.cockpit.render.blocks import block_lines
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.screens.diff_modal import DiffModal
from agent_cockpit.cockpit.screens.plan_modal import PlanModal
from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult
from agent_cockpit.events.consent import ConsentScope
from agent_cockpit.events.messages import Message
from agent_cockpit.rules.grounding import references
from agent_cockpit.transcript.blocks import CallBlock
from tests.cockpit.screen import text_of, until
from tests.cockpit.test_completing import Tree, labels
from tests.support.scripted_source import ScriptedSource, asks

BRACKETS = {
    "[/]": "[/]",
    "[/tmp/a.py]": "[/tmp/a.py]",
    "x[/dim]": "x[/dim]",
    "[link='x": "[link='x",
    "[": "[",
    "[[a]](b)": "[a] (b)",
    "\\[x": "[x",
    "# H [/x]": "# H [/x]",
}
"""Each text, and how Markdown shows it in a sentence."""


def a_goal_of(text: str) -> list[Event]:
    """A goal in which everything that can carry text carries this one."""
    diff = f"--- a/{text}.py\n+++ b/{text}.py\n@@ -1 +1 @@\n-old {text}\n+new {text}\n"
    run = {"command": f"echo {text}"}
    table = f"\n\n| left | right |\n|---|---|\n| cell {text} | b |\n\n"
    answer = f"answer {text}{table}\n\n# head {text}\n"
    failed = CheckResult(name=f"check {text}", status="fail", evidence=f"evidence {text}")
    return [
        s.SittingStarted(model=text, provider=text, workspace=text, branch=text),
        s.SittingMessage(message=Message.of("user", f"prompt {text}")),
        h.AgentStart(goal=f"prompt {text}", task_kind="edit"),
        h.ModelUpdate(delta=f"thought {text}", kind="thought"),
        h.DecisionError(error=f"error {text}", recovered=False),
        h.ModelUpdate(delta=answer),
        s.SittingMessage(message=Message.of("assistant", answer)),
        h.TurnEnd(),
        h.ToolStart(call_id="1", tool=f"tool {text}", input={f"key {text}": text}),
        h.ToolEnd(call_id="1", tool=f"tool {text}", success=False, content=f"output {text}"),
        h.ToolStart(call_id="2", tool="run_command", input=run),
        h.ToolEnd(call_id="2", tool="run_command", success=False, content=text, exit_code=1),
        h.ToolStart(call_id="3", tool="str_replace", input={"path": f"{text}.py"}),
        h.ToolEnd(call_id="3", tool="str_replace", success=True, diff=diff),
        s.Notice(text=f"notice {text}", level="error"),
        s.PlanProposed(text=f"1. plan {text}"),
        h.VerificationEnd(passed=False, summary=f"summary {text}", checks=[failed]),
        h.AgentEnd(outcome="blocked", status="blocked"),
    ]


async def opened(pilot: Pilot[None], app: CockpitApp) -> None:
    await until(pilot, lambda: app.driving.source is not None)


async def sees(pilot: Pilot[None], *words: str) -> None:
    """All of these words stand on the screen."""
    await until(pilot, lambda: all(each in text_of(pilot.app) for each in words))


@pytest.mark.parametrize("text", BRACKETS)
async def test_f01_square_brackets_are_letters_everywhere(text: str) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, title=text, quiet_s=0.0, suggestion=f"suggestion {text}")
    async with app.run_test(size=(100, 70)) as pilot:
        await opened(pilot, app)
        source.say(*a_goal_of(text))
        places = ("prompt", "tool", "echo", "old", "new", "notice", "check", "evidence")
        expected = [f"{place} {text}" for place in places]
        expected += [f"{place} {BRACKETS[text]}" for place in ("answer", "cell", "head")]
        await sees(pilot, *expected)

        app.tell(f"an error: {text}", "error")
        app.post_message(events.Paste(f"pasted {text}"))
        await sees(pilot, f"pasted {text}")
        await pilot.press("enter", "up")
        await until(pilot, lambda: app.composer.text == f"pasted {text}")
        source.say(s.PromptQueued(text=f"queued {text}", kind="follow_up"))
        await sees(pilot, f"queued {text}")

        scopes = [ConsentScope(scope="grant", covers=f"covers {text}")]
        call = {"command": f"ask {text}"}
        source.say(asks("4", input=call, tool=text, reason=f"because {text}", scopes=scopes))
        await until(pilot, lambda: app.panel.is_lit)
        await sees(pilot, *(f"{place} {text}" for place in ("ask", "because", "covers")))
        source.say(h.ApprovalResolved(approval_id="4", allowed=False))
        await until(pilot, lambda: not app.panel.is_open)

        app.note(f"noted {text}")
        await sees(pilot, f"noted {text}")
        app.show(DiffModal(f"--- a/x\n+++ b/x\n@@ -1 +1 @@\n+line {text}\n"))
        await sees(pilot, f"line {text}")
        await pilot.press("escape")
        app.show(PlanModal(f"1. step {text}"))
        await sees(pilot, f"step {text}")


JOINED = "👨\u200d👩\u200d👧"


@pytest.mark.parametrize("character", [JOINED, "❤\ufe0f", "🇩🇪", "e\u0301", "한", "👍🏽"])
async def test_f02_keys_take_a_joined_character_as_one(character: str) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test(size=(21, 8)) as pilot:
        app.post_message(events.Paste(f"{character}b{character}{character}"))
        await until(pilot, lambda: app.composer.text.endswith(character))
        await pilot.press("backspace", "left", "left", "x", "delete", "left", "left", "delete")
        assert app.composer.text == f"x{character}"


DIFF = "--- a/calc.py\n+++ b/calc.py\n@@ -4 +4,21 @@\n-    return x\n+    return y\n" + "+ z\n" * 20


async def asked(pilot: Pilot[None], app: CockpitApp, source: ScriptedSource) -> None:
    await opened(pilot, app)
    edit = {"path": "calc.py"}
    source.say(h.AgentStart(goal="g", task_kind="edit"))
    source.say(asks("1", tool="str_replace", input=edit, preview=DIFF))
    await until(pilot, lambda: app.panel.is_lit)


@pytest.mark.parametrize("size", [(20, 5), (40, 10), (40, 15)])
async def test_f05_on_a_small_screen_a_question_shows_what_is_asked_and_its_answers(
    size: tuple[int, int],
) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(120, 40)) as pilot:
        await asked(pilot, app, source)
        await pilot.resize_terminal(*size)
        await sees(pilot, "change calc.py?", "y once", "n no", "v all")
        app.panel.press("pagedown")
        await pilot.resize_terminal(120, 40)
        await sees(pilot, "[y] once", "4 +     return y")
        assert app.focused is app.panel
        await pilot.resize_terminal(*size)
        await pilot.press("n")
        await until(pilot, lambda: ("resolve", "1", False, False, "") in source.calls)


@pytest.mark.parametrize("size", [(1, 1), (15, 5), (20, 3)])
async def test_f05_nobody_can_allow_what_no_screen_is_large_enough_to_show(
    size: tuple[int, int],
) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=size) as pilot:
        await asked(pilot, app, source)
        await pilot.press("y", "a", "v", "right", "enter", "n")
        await until(pilot, lambda: [call for call in source.calls if call[0] == "resolve"])
        assert ("resolve", "1", False, False, "") in source.calls
        assert not [call for call in source.calls if call[0] == "resolve" and call[2]]
        if size != (1, 1):
            assert "too small" in text_of(app)


@pytest.mark.parametrize("size", [(20, 6), (40, 10), (1, 1)])
async def test_f05_full_screens_live_and_close_at_any_size(size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.0)
    async with app.run_test(size=(120, 40)) as pilot:
        await opened(pilot, app)
        decided: list[object] = []
        app.show(PlanModal("1. Divide by the count\n2. Run the tests"), decided.append)
        await until(pilot, lambda: getattr(app.screen, "is_lit", False))
        await pilot.resize_terminal(*size)
        if size == (1, 1):
            await pilot.press("a", "A")
            assert not decided
        else:
            await sees(pilot, "1. Divide by", "a approve", "esc leave")
        await pilot.resize_terminal(120, 40)
        await sees(pilot, "1. Divide by the count", "[a] approve")
        await pilot.resize_terminal(*size)
        await pilot.press("escape")
        await until(pilot, lambda: decided == [None])
        app.show(DiffModal(DIFF))
        app.action_help()
        await pilot.press("pagedown", "escape", "pagedown", "escape")
        await until(pilot, lambda: len(app.screen_stack) == 1)


def test_f10_a_minified_file_of_one_line_is_cut_and_says_so() -> None:
    page = Page(width=80, palette=palette_of(DARK), console=Console(width=80))
    line = '{"a": "' + "x" * 1_000_000
    diff = f"--- a/a.json\n+++ b/a.json\n@@ -1 +1 @@\n-{line}\n+{line}1\n"
    edit = CallBlock(key=0, call_id="c", tool="str_replace", state="done", diff=diff)
    strips = block_lines(edit, page, "open")
    assert len(strips) < 200
    assert sum("996007 more characters" in strip.text for strip in strips) == 1
    assert sum("996008 more characters" in strip.text for strip in strips) == 1


@pytest.mark.parametrize("text", ["line of text\n" * 10_000, "@src/" * 500 + "x" * 200_000])
async def test_f04_a_long_paste_is_sent_letter_for_letter_and_shown_folded(text: str) -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await opened(pilot, app)
        app.post_message(events.Paste(text))
        await sees(pilot, "[paste 1")
        await pilot.press("!", "enter")
        await until(pilot, lambda: ("drive", f"{text}!", "steering") in source.calls)
        source.say(s.SittingMessage(message=Message.of("user", f"{text}!")))
        await sees(pilot, "more lines")
        await pilot.press("o", "k")
        await until(pilot, lambda: app.composer.text == "ok")


NAMES = ["zz e\u0301.md", "zz 漢 [/x].md", "zz it's.md", "zzü/👨\u200d👩.md"]


@pytest.mark.parametrize("name", NAMES)
async def test_f12_a_name_of_any_letters_is_offered_and_read_as_that_file(
    name: str, tmp_path: Path
) -> None:
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("found")
    source = Tree(tmp_path)
    app = CockpitApp(lambda: source)
    async with app.run_test() as pilot:
        await opened(pilot, app)
        await pilot.press(*"me@host", "space")
        assert labels(app) == []
        await pilot.press("@", "z", "z", "m", "d")
        await until(pilot, lambda: labels(app))
        await pilot.press("tab", "enter")
        await until(pilot, lambda: source.calls)
        (reference,) = references(source.calls[0][1])
        assert (tmp_path / reference.path).read_text() == "found"
