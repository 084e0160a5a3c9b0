"""When a prompt goes on with the goal that asked, and when it is something new."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.answering import kind_of_answer
from agent_cockpit.rules.modes import TaskKind, default_mode


@pytest.mark.parametrize(
    "prompt",
    ["blue", "yes", "go on", "try again", "the second one", "with tabs, please", "use blue", "1"],
)
@pytest.mark.parametrize("asked", ["edit", "test_only"])
def test_an_answer_goes_on_as_the_goal_that_asked(prompt: str, asked: TaskKind) -> None:
    told = default_mode(prompt)
    expected = None if (told, asked) == ("edit", "test_only") else asked
    assert kind_of_answer(prompt, told=told, by_words=True, asked=asked) == expected


@pytest.mark.parametrize(
    "prompt",
    [
        "what does calc.py do?",
        "How is it tested",
        "it is odd, is it not?",
        "explain the failure",
        "Never mind.",
        "nevermind",
        "leave it as it is",
        "forget it",
        "stop",
        "no thanks",
    ],
)
def test_a_question_back_or_letting_go_is_a_new_goal(prompt: str) -> None:
    assert kind_of_answer(prompt, told="investigate", by_words=True, asked="edit") is None


@given(st.text(), st.booleans())
def test_an_investigation_always_begins_anew(prompt: str, by_words: bool) -> None:
    for told in ("edit", "investigate", "test_only"):
        found = kind_of_answer(prompt, told=told, by_words=by_words, asked="investigate")
        assert found is None


@given(st.text())
def test_a_pin_or_a_classifier_is_not_overruled(prompt: str) -> None:
    assert kind_of_answer(prompt, told="investigate", by_words=False, asked="edit") is None
    assert kind_of_answer(prompt, told="edit", by_words=False, asked="edit") == "edit"
