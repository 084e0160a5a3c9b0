"""What the first words of a prompt say about it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.modes import MODES, default_mode, parse_mode

EDITS = [
    "Fix: the bug",
    "fix the off-by-one in calc.py",
    "can you make it red?",
    "could you please add a test",
    "Now, then, please: refactor this!",
    "I want to add a flag",
    "I'd like you to rename the class",
    "I would like to migrate to httpx",
    "I need you to update the docs",
    "Let's refactor",
    "let’s build the parser",
    "lets wire it up",
    "go ahead and implement it",
    "Go ahead, implement it.",
    "ok, go ahead and do it",
    "hey! can you improve the error text?",
    "thanks, now remove the print",
    "we should replace that loop",
    "help me write a test",
    "try to simplify parse()",
    "**Fix** the failing test",
    "`create` a module",
    "- add a\n- add b",
    "1. fix a\n2. fix b",
    "@calc.py fix the add function",
    "FIX IT",
    "\n\n   delete the old folder",
]

INVESTIGATIONS = [
    "",
    "   \n\t ",
    "hello",
    "Hi!",
    "thanks, great",
    "please",
    "go ahead",
    "run the tests",
    "please run the linter",
    "explain the parser",
    "can you explain how to fix it?",
    "could you tell me why update fails?",
    "why does add return the wrong sum?",
    "what would we change to add a flag?",
    "how do I fix this",
    "should we add a cache?",
    "is there a way to remove it?",
    "do we have tests?",
    "does it build?",
    "I'd like to understand the loop",
    "I want to know what writes this file",
    "don't change anything, look at calc.py",
    "never edit the lockfile",
    "show me the diff",
    "calc.py is broken",
    "Fixing things is hard",
    "review my change",
    "?!… --- ***",
    "@calc.py",
    "3",
]


@pytest.mark.parametrize("prompt", EDITS)
def test_an_order_to_change_something_is_an_edit(prompt: str) -> None:
    assert default_mode(prompt) == "edit"


@pytest.mark.parametrize("prompt", INVESTIGATIONS)
def test_everything_else_is_an_investigation(prompt: str) -> None:
    assert default_mode(prompt) == "investigate"


@pytest.mark.parametrize("prompt", ["please " * 300_000, "fix " * 300_000, "x" * 2_000_000])
def test_a_huge_prompt_is_judged_by_its_beginning(prompt: str) -> None:
    assert default_mode(prompt) == ("edit" if prompt.startswith("fix") else "investigate")


WORDS = st.sampled_from(["i", "want", "to", "go", "ahead", "and", "let's", "fix"])


@given(st.text() | st.lists(WORDS, max_size=20).map(" ".join))
def test_every_prompt_has_a_kind_and_openers_change_nothing(prompt: str) -> None:
    kind = default_mode(prompt)
    assert kind in {"edit", "investigate"}
    assert default_mode("ok, " + prompt) == kind


@pytest.mark.parametrize(
    ("text", "mode"),
    [
        *((mode, mode) for mode in MODES),
        (" Edit ", "edit"),
        ("TEST-ONLY", "test_only"),
        ("test only", "test_only"),
        ("auto", None),
    ],
)
def test_a_mode_is_read_as_a_person_writes_it(text: str, mode: str | None) -> None:
    assert parse_mode(text) == mode


@pytest.mark.parametrize("text", ["fast", "", "edit investigate", "\x1b[31mplan\x1b[0m!"])
def test_another_word_is_answered_with_the_modes_there_are(text: str) -> None:
    with pytest.raises(ValueError, match="unknown mode") as refusal:
        parse_mode(text)
    assert "edit | investigate | test_only | plan | auto" in str(refusal.value)
    assert "\x1b" not in str(refusal.value)
