"""Consent by keypress: exact, never by accident, never twice, always visible."""

from __future__ import annotations

from typing import Any

import pytest
from textual import events
from textual.pilot import Pilot

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.harness import (
    AgentEnd,
    AgentStart,
    ApprovalResolved,
    CancellationObserved,
)
from tests.cockpit.screen import at_rest, text_of, until
from tests.support.scripted_source import ScriptedSource, WatchedSource, asks

DIFF = "--- a/calc.py\n+++ b/calc.py\n@@ -4 +4 @@\n-    return [/]\n+    return [b]x[/b]\n"


class Asking:
    """An app on a source in which a goal runs."""

    def __init__(self, source: WatchedSource | None = None, **options: Any) -> None:
        self.source = source if source is not None else ScriptedSource()
        self.app = CockpitApp(lambda: self.source, **options)

    @property
    def answers(self) -> list[tuple[Any, ...]]:
        return [call[1:] for call in self.source.calls if call[0] == "resolve"]

    @property
    def text(self) -> str:
        return text_of(self.app)

    async def asked(self, pilot: Pilot[None], *requests: Any, lit: bool = True) -> None:
        """Let calls ask, and wait until keys count."""
        await until(pilot, lambda: self.app.driving.source is not None)
        self.source.say(AgentStart(goal="g", task_kind="edit"), *requests)
        await until(pilot, lambda: self.app.panel.is_open)
        if lit:
            await until(pilot, lambda: self.app.panel.is_lit)


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["y"], (True, False, "")),
        (["a"], (True, True, "")),
        (["n"], (False, False, "")),
        (["escape"], (False, False, "")),
        (["ctrl+c"], (False, False, "")),
        (["r", "u", "s", "e", "space", "m", "enter"], (False, False, "use m")),
        (["r", "enter"], (False, False, "")),
        (["r", "y", "escape", "n"], (False, False, "")),
        (["v", "y"], (True, False, "")),
        (["down", "pagedown", "y"], (True, False, "")),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
async def test_each_key_gives_its_answer(keys: list[str], answer: tuple[Any, ...]) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        await pilot.press(*keys)
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", *answer)]


async def test_the_field_for_a_reason_says_what_it_is_for() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        assert "why?" not in asking.text
        await pilot.press("r")
        await until(pilot, lambda: "why? the model is told" in asking.text)
        await pilot.press("x")
        await until(pilot, lambda: "why?" not in asking.text)


async def test_a_reason_written_in_one_burst_with_its_key_is_whole() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        for letter in "rkeep it":
            key = "space" if letter == " " else letter
            asking.app.post_message(events.Key(key, letter))
        asking.app.post_message(events.Key("enter", "\r"))
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", False, False, "keep it")]


@pytest.mark.parametrize("keys", [["enter"], ["x"], ["space"], ["tab"], ["q", "backspace"]])
async def test_no_other_key_is_an_answer(keys: list[str]) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        await pilot.press(*keys)
        assert asking.answers == []
        assert asking.app.panel.is_open


async def test_always_is_not_there_where_it_does_not_apply() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks(grant_scope=None))
        assert "[a]" not in asking.text
        await pilot.press("a")
        assert asking.answers == []


async def test_what_was_typed_before_the_paint_goes_to_the_prompt() -> None:
    asking = Asking()
    async with asking.app.run_test() as pilot:
        await pilot.press("a", "l")
        await asking.asked(pilot, asks(), lit=False)
        await pilot.press("w", "a", "y", "s")
        assert asking.app.composer.text == "always"
        assert asking.answers == []


@pytest.mark.parametrize("late_s", [-0.2, -0.05, 0.0, 0.1, 0.3, 0.39])
async def test_a_key_stamped_inside_the_quiet_never_decides(late_s: float) -> None:
    asking = Asking()
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        painted_at = asking.app.panel.quiet.painted_at
        assert painted_at is not None
        for letter in "yan":
            key = events.Key(letter, letter)
            key.time = painted_at + late_s
            asking.app.post_message(key)
        await pilot.pause()
        assert asking.answers == []
        assert asking.app.composer.text == "yan"


async def test_typing_on_puts_the_panel_off_and_the_keys_show_it() -> None:
    asking = Asking()
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        await until(pilot, lambda: asking.app.panel.has_focus)
        quiet = asking.app.panel.quiet
        assert quiet.painted_at is not None
        quiet.quiet_s, quiet.painted_at = 60.0, quiet.painted_at - 60.0
        await pilot.press("x")
        assert not asking.app.panel.is_lit
        assert asking.app.composer.has_focus
        await pilot.press("y")
        assert asking.app.composer.text == "xy"
        quiet.quiet_s = 0.0
        await pilot.press("backspace")
        await until(pilot, lambda: asking.app.panel.is_lit)
        await pilot.press("y")
        await until(pilot, lambda: asking.answers)


async def test_a_paste_never_answers() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        asking.app.post_message(events.Paste("y"))
        await pilot.pause()
        assert asking.answers == []
        assert asking.app.composer.text == "y"


async def test_one_key_answers_one_request_only() -> None:
    asking = Asking()
    async with asking.app.run_test(size=(120, 30)) as pilot:
        await asking.asked(pilot, asks("call-1"), asks("call-2", input={"command": "make two"}))
        assert "1 of 2 waiting" in asking.text
        await pilot.press("y", "y", "y")
        assert asking.answers == [("call-1", True, False, "")]
        asking.source.say(ApprovalResolved(approval_id="call-1", allowed=True))
        await until(pilot, lambda: "make two" in asking.text)
        await pilot.press("y")
        assert len(asking.answers) == 1
        await until(pilot, lambda: asking.app.panel.is_lit)
        await pilot.press("n")
        await until(pilot, lambda: len(asking.answers) == 2)
        assert asking.answers[1] == ("call-2", False, False, "")


@pytest.mark.parametrize(
    "end",
    [
        ApprovalResolved(approval_id="call-1", allowed=False, via="auto"),
        AgentEnd(outcome="incomplete", status="cancelled"),
        CancellationObserved(),
    ],
    ids=lambda event: event.type,
)
async def test_the_panel_closes_with_its_request_and_late_keys_are_typing(end: Any) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        asking.source.say(end)
        await until(pilot, lambda: not asking.app.panel.is_open)
        await until(pilot, lambda: asking.app.focused is asking.app.composer)
        await pilot.press("y")
        assert asking.answers == []
        assert asking.app.composer.text == "y"


async def test_a_failing_answer_leaves_the_app_alive() -> None:
    class Refusing(ScriptedSource):
        async def resolve_approval(self, approval_id: str, **_: Any) -> None:
            raise OSError("[/] no")

    asking = Asking(Refusing(), quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        await pilot.press("y")
        await until(pilot, lambda: asking.app.panel.is_lit)
        await pilot.press("h", "i")
        assert asking.app.composer.text == "hi"


async def test_enter_sends_what_is_written_while_nothing_is_chosen() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await pilot.press("g", "o")
        await asking.asked(pilot, asks())
        await pilot.press("enter")
        await until(pilot, lambda: ("drive", "go", "steering") in asking.source.calls)
        assert asking.answers == []


async def test_the_command_is_shown_letter_for_letter() -> None:
    command = "rm -r [build] '[/]' \u202etxt.exe\u200b \x1b[2J\nsecond line"
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(100, 30)) as pilot:
        await asking.asked(pilot, asks(input={"command": command}, tool="run_command"))
        assert "rm -r [build] '[/]' <U+202E>txt.exe<U+200B> ␛[2J" in asking.text
        assert "second line" in asking.text
        assert "hidden characters" in asking.text


async def test_an_edit_shows_its_diff_and_never_reads_it_as_markup() -> None:
    asking = Asking(quiet_s=0.0)
    request = asks(tool="str_replace", input={"path": "[/x].py"}, preview=DIFF, tier=1)
    async with asking.app.run_test(size=(100, 30)) as pilot:
        await asking.asked(pilot, request)
        assert "change [/x].py?" in asking.text
        assert "  4 +     return [b]x[/b]" in asking.text


@pytest.mark.parametrize(
    "values",
    [
        {"tool": "[/]", "input": {"[b]": "[/x]"}},
        {"tool": "t", "input": {}, "reason": "[link='x"},
        {"tool": "t", "input": {"a": {"b": [1, None, "\x9b31m"]}}, "grant_scope": "[/dim]"},
        {"tool": "run_command", "input": {"command": "x" * 300_000}},
        {"tool": "write_file", "input": {"path": "a", "content": "l\n" * 100_000}, "tier": 9},
        {"tool": "run_command", "input": {"command": 7}, "tier": None},
        {"tool": "str_replace", "input": {"path": "p"}, "preview": DIFF + "+x\n" * 50_000},
    ],
)
async def test_hostile_and_huge_calls_can_be_answered(values: dict[str, Any]) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks(**values))
        await pilot.press("v", "end", "v", "y")
        await until(pilot, lambda: asking.answers)
        assert "\x1b" not in asking.text


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 15), (40, 10), (20, 5)])
async def test_what_is_asked_and_how_to_answer_fit_any_screen(size: tuple[int, int]) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=size) as pilot:
        await asking.asked(pilot, asks(preview="part\n" * 60))
        words = asking.text.replace("[", "").replace("]", "")
        assert "y once" in words
        assert "n no" in words
        assert "a command" in words
        await pilot.press("n")
        await until(pilot, lambda: asking.answers)


@pytest.mark.parametrize(("size", "is_offered"), [((20, 6), False), ((40, 10), True)])
async def test_a_standing_yes_is_offered_only_where_its_reach_is_spelled_out(
    size: tuple[int, int], is_offered: bool
) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=size) as pilot:
        await asking.asked(pilot, asks(grant_scope="every `git commit …` in this sitting"))
        words = " ".join(asking.text.split())
        assert ("a every `git commit …` in this sitting" in words) == is_offered
        assert "a always" not in words
        await pilot.press("a", "n")
        await until(pilot, lambda: asking.answers)
        assert asking.answers[0][1:3] == (is_offered, is_offered)


async def test_the_panel_survives_shrinking_and_growing() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks(preview="part\n" * 60))
        for size in [(20, 5), (1, 1), (120, 40)]:
            await pilot.resize_terminal(*size)
            await pilot.pause()
        assert "git commit" in asking.text
        assert "[y] once" in asking.text


@pytest.mark.parametrize("rows", [13, 10, 5])
async def test_the_keys_stay_in_sight_when_the_terminal_loses_rows(rows: int) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks(preview="part\n" * 60))
        await pilot.resize_terminal(120, rows)
        await until(pilot, lambda: "y once" in asking.text.replace("[y]", "y"))
        assert asking.app.panel.region.bottom <= rows
        await pilot.resize_terminal(120, 40)
        await until(pilot, lambda: "[y] once" in asking.text)
        assert asking.app.status_line.display


async def test_a_short_call_seen_whole_leaves_the_prompt_at_the_bottom() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks())
        before = asking.app.composer.region
        await pilot.press("v")
        await at_rest(pilot)
        assert asking.app.composer.region.bottom == 40
        await pilot.press("v")
        await until(pilot, lambda: asking.app.composer.region == before)


async def test_the_panel_takes_two_thirds_at_most_and_scrolls() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(100, 30)) as pilot:
        preview = "\n".join(f"part {number}" for number in range(200))
        await asking.asked(pilot, asks(preview=preview))
        assert asking.app.panel.outer_size.height <= 20
        await pilot.press("end")
        await until(pilot, lambda: "part 199" in asking.text)


async def test_the_scope_of_always_is_spelled_out() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 30)) as pilot:
        await asking.asked(pilot, asks())
        assert "[a] every `git commit …` in this sitting" in asking.text


async def test_a_click_on_an_answer_gives_it() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 30)) as pilot:
        await asking.asked(pilot, asks())
        await pilot.click("#panel-options", offset=(1, 0))
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", True, False, "")]


async def test_a_call_that_asks_under_a_full_screen_waits_unanswered() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await until(pilot, lambda: asking.app.driving.source is not None)
        await pilot.press("f1")
        await asking.asked(pilot, asks(), lit=False)
        await pilot.press("y", "a")
        assert asking.answers == []
        await pilot.press("escape")
        await until(pilot, lambda: asking.app.panel.is_lit)
        await pilot.press("y")
        await until(pilot, lambda: asking.answers)


async def test_in_a_replay_the_panel_only_shows() -> None:
    asking = Asking(WatchedSource(), quiet_s=0.0, read_only=True)
    async with asking.app.run_test(size=(100, 30)) as pilot:
        await asking.asked(pilot, asks(), lit=False)
        await pilot.press("y", "a", "n", "escape")
        assert asking.answers == []
        assert "git commit" in asking.text
        asking.source.say(ApprovalResolved(approval_id="call-1", allowed=True))
        await until(pilot, lambda: not asking.app.panel.is_open)


async def test_on_a_bare_session_a_call_can_be_answered() -> None:
    asking = Asking(WatchedSource(), quiet_s=0.0)
    async with asking.app.run_test() as pilot:
        await asking.asked(pilot, asks())
        await pilot.press("y")
        await until(pilot, lambda: asking.answers)


async def test_a_command_can_be_copied_from_the_panel_as_it_was_written() -> None:
    command = "echo one two three four five six seven eight nine ten eleven twelve"
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(40, 30)) as pilot:
        await asking.asked(pilot, asks(input={"command": command}))
        assert "twelve" in asking.text
        await pilot.mouse_down("#panel-body", offset=(2, 0))
        await pilot.hover("#panel-body", offset=(30, 1))
        await pilot.mouse_up("#panel-body", offset=(30, 1))
        await until(pilot, lambda: asking.app.clipboard)
        assert asking.app.clipboard in f"$ {command}"
        assert len(asking.app.clipboard) > 40
        assert asking.answers == []
