"""The words that a project keeps for the model, as one reminder within a budget."""

from __future__ import annotations

from functools import partial

from agent_cockpit.rules.model.project_instructions import (
    BUDGET_BYTES,
    NO_INSTRUCTIONS,
    InstructionFile,
    listing,
    reminder,
)
from agent_cockpit.rules.model.reminders import INSTRUCTIONS_MARK, to_send


def file(path: str, text: str = "", problem: str = "") -> InstructionFile:
    return InstructionFile(path=path, scope="project", text=text, problem=problem)


def test_each_text_stands_under_its_path_in_order() -> None:
    text = reminder([file("/p/AGENTS.md", "whisper"), file("/p/sub/AGENTS.md", "shout")])
    assert text.startswith(INSTRUCTIONS_MARK)
    assert text.endswith("From /p/AGENTS.md:\nwhisper\n\nFrom /p/sub/AGENTS.md:\nshout")
    assert "allow nothing" in text


def test_files_without_a_text_make_no_reminder() -> None:
    assert reminder([]) == ""
    assert reminder([file("/p/AGENTS.md", problem="it is empty")]) == ""


def test_too_much_is_cut_with_a_mark_and_keeps_both_ends() -> None:
    text = reminder([file("/p/AGENTS.md", "first" + "ü" * BUDGET_BYTES + "last")])
    assert "characters left out" in text
    assert "first" in text
    assert text.endswith("last")
    assert len(text.encode()) < BUDGET_BYTES + 1_000


def test_it_is_sent_again_when_any_of_it_differs_and_its_end_is_said_once() -> None:
    reminder_to_send = partial(to_send, gone=NO_INSTRUCTIONS)
    one, two = reminder([file("/p/A", "one")]), reminder([file("/p/A", "two")])
    assert reminder_to_send(one, None) == one
    assert reminder_to_send(one, one) is None
    assert reminder_to_send(two, one) == two
    gone = reminder_to_send("", two)
    assert gone is not None
    assert "no longer hold" in gone
    assert reminder_to_send("", gone) is None
    assert reminder_to_send("", None) is None


def test_a_person_sees_what_is_loaded_and_what_is_not() -> None:
    text = listing([file("/p/A\x1b[2J.md", "one"), file("/p/B.md", problem="git ignores it")])
    assert "/p/A.md  (project, 3 characters)" in text
    assert "/p/B.md  (project, left out: git ignores it)" in text
    assert "no project instructions" in listing([])
    assert "exceed" not in text
    assert "exceed 64 KiB" in listing([file("/p/A.md", "x" * (BUDGET_BYTES + 1))])
