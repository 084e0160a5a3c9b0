"""Wider, in part, as changed, and all of it: every key of the panel beyond yes and no."""

from __future__ import annotations

import random
from typing import Any

import pytest
from textual import events

from agent_cockpit.events.consent import AskedPart, ConsentScope
from agent_cockpit.events.harness import AgentStart, ApprovalResolved
from tests.cockpit.screen import until
from tests.cockpit.test_approval_modal import Asking
from tests.support.scripted_source import WatchedSource, asks

SCOPES = [
    ConsentScope(scope="once", covers="this call, once"),
    ConsentScope(scope="turn", covers="exactly this command, in this goal", seen=1),
    ConsentScope(scope="session", covers="exactly this command, in this sitting", seen=2),
    ConsentScope(scope="grant", covers="every `git commit …` in this sitting", seen=4),
]
TWO_HUNKS = (
    "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n-one\n+ONE\n two\n"
    "@@ -40,2 +40,2 @@\n forty\n-last\n+LAST\n"
)


def edit(**values: Any) -> Any:
    given: dict[str, Any] = {
        "tool": "write_file",
        "input": {"path": "calc.py", "content": "ONE\n", "overwrite": True},
        "tier": 1,
        "preview": TWO_HUNKS,
        "hunks": 2,
        "reason": "writes calc.py (+2 -2)",
        "grant_scope": None,
    }
    return asks(**(given | values))


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["a"], (True, True, "")),
        (["left", "a"], (True, False, "", {"scope": "session"})),
        (["left", "left", "a"], (True, False, "", {"scope": "turn"})),
        (["left", "left", "left", "left", "a"], (True, False, "", {"scope": "turn"})),
        (["left", "left", "right", "a"], (True, False, "", {"scope": "session"})),
        (["right", "a"], (True, True, "")),
        (["left", "y"], (True, False, "")),
        (["left", "v", "a"], (True, False, "", {"scope": "session"})),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
async def test_arrows_widen_and_narrow_the_wide_answer(
    keys: list[str], answer: tuple[Any, ...]
) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks(scopes=SCOPES))
        await pilot.press(*keys)
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", *answer)]


async def test_each_width_is_spelled_out_with_what_it_would_have_covered() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks(scopes=SCOPES))
        for width in reversed(SCOPES[1:]):
            calls = "call" if width.seen == 1 else "calls"
            assert f"[a] {width.covers} · {width.seen} such {calls} so far" in asking.text
            await pilot.press("left")


async def test_there_is_no_wide_answer_where_only_once_may_be() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks(scopes=SCOPES[:1]))
        assert "[a]" not in asking.text
        await pilot.press("left", "right", "a", "enter")
        assert asking.answers == []


@pytest.mark.parametrize(
    ("keys", "answer"),
    [
        (["y"], (True, False, "")),
        (["space", "y"], (True, False, "", {"kept": (1,)})),
        (["]", "space", "y"], (True, False, "", {"kept": (0,)})),
        (["[", "space", "y"], (True, False, "", {"kept": (0,)})),
        (["space", "space", "y"], (True, False, "")),
        (["space", "]", "space", "y"], (False, False, "")),
        (["space", "n"], (False, False, "")),
        (["space", "r", "o", "k", "enter"], (True, False, "ok", {"kept": (1,)})),
        (["r", "o", "k", "enter"], (False, False, "ok")),
        (["v", "]", "space", "v", "y"], (True, False, "", {"kept": (0,)})),
    ],
    ids=lambda value: "+".join(value) if isinstance(value, list) else "",
)
async def test_space_drops_the_marked_hunk(keys: list[str], answer: tuple[Any, ...]) -> None:
    asking = Asking(quiet_s=0.0)
    names = {"[": "left_square_bracket", "]": "right_square_bracket"}
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, edit())
        await pilot.press(*(names.get(key, key) for key in keys))
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", *answer)]


async def test_what_is_taken_of_an_edit_is_on_the_screen() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, edit(scopes=SCOPES[:2]))
        assert "▸[x] hunk 1" in asking.text
        await pilot.press("space")
        await until(pilot, lambda: "▸[ ] hunk 1" in asking.text)
        assert " [x] hunk 2" in asking.text
        assert "[y] 1 of 2 hunks" in asking.text
        assert "[r] these, because…" in asking.text
        assert "[a]" not in asking.text
        assert "[e]" not in asking.text


async def test_a_call_changed_by_hand_is_shown_anew_before_it_is_allowed() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks())
        await pilot.press("e", "end", "x", "enter")
        await until(pilot, lambda: "as you changed it" in asking.text)
        changed = {"command": 'git commit -m "Divide by the count"x'}
        assert asking.source.calls[-1] == ("reconsider", "call-1", changed)
        assert "tier 4" in asking.text
        assert asking.answers == []
        await until(pilot, lambda: asking.app.panel.is_lit)
        await pilot.press("y")
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", True, False, "", {"edited": changed})]


async def test_the_keys_of_a_changed_call_count_only_after_its_own_quiet() -> None:
    asking = Asking(quiet_s=0.1)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks())
        await pilot.press("e")
        await until(pilot, lambda: asking.app.panel.is_writing)
        asking.app.panel.quiet.quiet_s = 600
        await pilot.press("x", "enter")
        await until(pilot, lambda: "as you changed it" in asking.text)
        await pilot.press("y")
        assert asking.answers == []
        assert asking.app.composer.text == "y"


async def test_a_change_that_cannot_run_is_said_and_can_be_changed_further() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks())
        await pilot.press("e", *"wrong", "enter")
        await until(pilot, lambda: "that is wrong" in asking.text)
        assert asking.app.panel.is_writing
        await pilot.press("escape")
        assert not asking.app.panel.is_writing
        assert "as you changed it" not in asking.text
        await pilot.press("y")
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", True, False, "")]


@pytest.mark.parametrize("leave", ["escape", "ctrl+c", "enter"])
async def test_a_change_that_changes_nothing_is_no_change(leave: str) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks())
        await pilot.press("e", leave)
        assert not asking.app.panel.is_writing
        assert [call[0] for call in asking.source.calls] == []


async def test_the_text_of_an_edit_has_many_lines() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, edit())
        await pilot.press("e", "x", "enter", "y", "ctrl+s")
        await until(pilot, lambda: any(call[0] == "reconsider" for call in asking.source.calls))
        assert asking.source.calls[-1][2]["content"] == "x\nyONE\n"


async def test_a_bare_session_takes_calls_only_as_they_are() -> None:
    class Bare(WatchedSource):
        reconsider: Any = None

    asking = Asking(Bare(), quiet_s=0.0)
    async with asking.app.run_test(size=(120, 40)) as pilot:
        await asking.asked(pilot, asks())
        await pilot.press("e", "x", "enter")
        await until(pilot, lambda: "takes calls only as they are" in asking.text)


async def test_all_of_it_has_the_whole_screen_and_gives_it_back() -> None:
    asking = Asking(quiet_s=0.0)
    part = AskedPart(text="git push", tier=4, reason="sends", writes=["x"], network=True)
    async with asking.app.run_test(size=(100, 40)) as pilot:
        await asking.asked(pilot, asks(scopes=SCOPES, parts=[part]))
        assert asking.app.transcript_view.display
        await pilot.press("v")
        await until(pilot, lambda: not asking.app.transcript_view.display)
        for words in ("part by part", "tier 4", "sends", "writes x", "uses the network"):
            assert words in asking.text
        assert "would have covered 4 calls so far" in asking.text
        assert "letter for letter" in asking.text
        await pilot.press("v")
        await until(pilot, lambda: asking.app.transcript_view.display)
        assert "letter for letter" not in asking.text


async def test_esc_leaves_all_of_it_before_it_refuses() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(100, 40)) as pilot:
        await asking.asked(pilot, asks(scopes=SCOPES))
        await pilot.press("v")
        await until(pilot, lambda: "[v] less (also esc)" in asking.text)
        await pilot.press("escape")
        await until(pilot, lambda: "[v] all of it" in asking.text)
        assert "letter for letter" not in asking.text
        assert asking.answers == []
        await pilot.press("escape")
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", False, False, "")]


def panel_text(asking: Asking) -> str:
    region = asking.app.panel.region
    return "\n".join(asking.text.split("\n")[region.y : region.bottom])


@pytest.mark.parametrize("size", [(120, 40), (80, 24), (40, 15), (40, 10)])
@pytest.mark.parametrize(
    "command",
    [
        "echo " + "a" * 10_000 + " && touch TAIL",
        "echo ok" + "\n" * 600 + "touch TAIL",
        "echo ok" + " " * 6_000 + "; touch TAIL",
    ],
    ids=["long", "tall", "wide"],
)
async def test_a_yes_counts_once_the_end_of_a_command_was_in_sight(
    command: str, size: tuple[int, int]
) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=size) as pilot:
        await asking.asked(pilot, asks(input={"command": command}, reason="", scopes=SCOPES))
        assert "TAIL" not in panel_text(asking)
        await pilot.press("y")
        await until(pilot, lambda: "TAIL" in panel_text(asking))
        assert asking.answers == []
        await pilot.press("y")
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-1", True, False, "")]


@pytest.mark.parametrize("seed", range(4))
async def test_no_key_settles_a_call_that_was_not_painted_when_it_was_pressed(seed: int) -> None:
    dice = random.Random(seed)
    asking = Asking(quiet_s=0.1)
    app = asking.app
    painted: dict[str, float] = {}
    pressed: dict[str, float] = {}
    async with app.run_test(size=(100, 30)) as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        asking.source.say(AgentStart(goal="g", task_kind="edit"))
        waiting: list[str] = []
        now = 0.0
        for step in range(40):
            if dice.random() < 0.3 and len(waiting) < 3:
                waiting.append(f"call-{step}")
                asking.source.say(asks(waiting[-1], scopes=SCOPES))
            if waiting and dice.random() < 0.2:
                gone = waiting.pop(dice.randrange(len(waiting)))
                asking.source.say(ApprovalResolved(approval_id=gone, allowed=False, via="auto"))
            letter = dice.choice("yyaanrve xol")
            key = events.Key(letter if letter != " " else "space", letter)
            before = len(asking.answers)
            asked = app.panel.question
            if asked is not None and app.panel.quiet.painted_at is not None:
                painted[asked.question_id] = app.panel.quiet.painted_at
            now = key.time
            app.post_message(key)
            await pilot.pause(1 / 15 if dice.random() < 0.6 else 0.15)
            for answer in asking.answers[before:]:
                pressed[answer[0]] = now
                assert answer[0] in painted, f"{answer} was never seen"
                assert painted[answer[0]] + 0.1 <= now
                if answer[0] in waiting:
                    waiting.remove(answer[0])
                    resolved = ApprovalResolved(approval_id=answer[0], allowed=answer[1])
                    asking.source.say(resolved)
        assert set(painted) >= set(pressed)
