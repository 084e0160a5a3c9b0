"""Several calls of one reply on one list: some are allowed at once, the others stay."""

from __future__ import annotations

import pytest

from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.question import about_dirty_tree
from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal
from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.harness import ApprovalResolved
from tests.cockpit.screen import until
from tests.cockpit.test_approval_modal import Asking
from tests.support.scripted_source import asks

ONE = asks("call-1", input={"command": "touch one"}, reason="")
TWO = asks("call-2", input={"command": "touch two"}, reason="")
THREE = asks("call-3", input={"command": "touch three"}, reason="")
AHEAD = CallsAhead(questions=[TWO, THREE])


@pytest.mark.parametrize(
    ("keys", "allowed"),
    [
        (["space", "y"], ["call-1"]),
        (["space", "]", "space", "y"], ["call-2", "call-1"]),
        (["[", "space", "y"], ["call-3"]),
        (["space", "]", "space", "]", "space", "y"], ["call-3", "call-2", "call-1"]),
    ],
    ids=lambda value: "+".join(value),
)
async def test_the_marked_calls_are_allowed_once_each(keys: list[str], allowed: list[str]) -> None:
    asking = Asking(quiet_s=0.0)
    names = {"[": "left_square_bracket", "]": "right_square_bracket"}
    async with asking.app.run_test(size=(100, 40)) as pilot:
        await asking.asked(pilot, AHEAD, ONE)
        await until(pilot, lambda: "1 of 3 waiting" in asking.text)
        await pilot.press("l")
        await until(pilot, lambda: "3 calls wait" in asking.text and asking.app.panel.is_lit)
        for command in ("touch one", "touch two", "touch three"):
            assert command in asking.text
        await pilot.press(*(names.get(key, key) for key in keys))
        await until(pilot, lambda: len(asking.answers) == len(allowed))
        assert asking.answers == [(call_id, True, False, "") for call_id in allowed]


@pytest.mark.parametrize("key", ["y", "n", "escape"])
async def test_without_a_mark_the_list_answers_nothing(key: str) -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(100, 40)) as pilot:
        await asking.asked(pilot, AHEAD, ONE)
        await pilot.press("l")
        await until(pilot, lambda: "3 calls wait" in asking.text and asking.app.panel.is_lit)
        await pilot.press(key)
        await until(pilot, lambda: "run a command?" in asking.text and asking.app.panel.is_lit)
        assert asking.answers == []


async def test_a_list_that_is_not_so_any_more_is_closed() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(100, 40)) as pilot:
        await asking.asked(pilot, AHEAD, ONE)
        await pilot.press("l")
        await until(pilot, lambda: "3 calls wait" in asking.text and asking.app.panel.is_lit)
        await pilot.press("space")
        asking.source.say(ApprovalResolved(approval_id="call-1", allowed=False, via="auto"), TWO)
        await until(pilot, lambda: "1 of 2 waiting" in asking.text and asking.app.panel.is_lit)
        assert "touch two" in asking.text
        assert asking.answers == []


async def test_an_answer_that_comes_after_the_list_or_the_question_was_closed_is_no_calls() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(100, 40)) as pilot:
        asked = pilot.app.run_worker(asking.app.ask(about_dirty_tree("dirty", ("a.py",))))
        await until(pilot, lambda: asking.app.panel.is_lit)
        assert asking.app.panel.question is not None
        ids = [asking.app.panel.question.question_id]
        await pilot.press("n")
        await until(pilot, lambda: asked.is_finished)
        await asking.asked(pilot, AHEAD, ONE)
        await pilot.press("l")
        await until(pilot, lambda: "3 calls wait" in asking.text and asking.app.panel.is_lit)
        ids.append(asking.app.panel.question.question_id)
        asking.source.say(ApprovalResolved(approval_id="call-1", allowed=False, via="auto"), TWO)
        await until(pilot, lambda: "1 of 2 waiting" in asking.text and asking.app.panel.is_lit)
        for question_id in ids:
            answered = ApprovalModal.Answered(question_id, Given(answer="allow", kept=(0,)))
            asking.app.panel.post_message(answered)
        await pilot.press("y")
        await until(pilot, lambda: asking.answers)
        assert asking.answers == [("call-2", True, False, "")]


async def test_one_call_has_no_list() -> None:
    asking = Asking(quiet_s=0.0)
    async with asking.app.run_test(size=(100, 40)) as pilot:
        await asking.asked(pilot, ONE)
        await pilot.press("l")
        assert "[l]" not in asking.text
        assert asking.app.composer.text == "l"
