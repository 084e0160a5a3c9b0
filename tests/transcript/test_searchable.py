"""What a search looks through is what a reader of the unfolded block sees."""

from __future__ import annotations

import pytest

from agent_cockpit.transcript.blocks import AnswerBlock, CallBlock, ThoughtBlock
from agent_cockpit.transcript.searchable import searchable, without_marks
from tests.transcript.stories import EDIT_DIFF


@pytest.mark.parametrize(
    ("markdown", "seen"),
    [
        ("# Head\nbody", "Head body"),
        ("two **bold** words", "two bold words"),
        ("*one* and `*two*`", "one and *two*"),
        ("2*3*4 and snake_case_name", "2*3*4 and snake_case_name"),
        ("never *args alone", "never *args alone"),
        ("a [link](http://x.org/y)", "a link (http://x.org/y)"),
        ("one line\nand the next", "one line and the next"),
        ("> said\n> so", "said\nso"),
        ("~~gone~~ and __kept__", "gone and kept"),
        ("before\n```py\n**x** = `y`\n# z\n```\nafter", "before\n**x** = `y`\n# z\n\nafter"),
        ("```\nopen **still**", "open **still**"),
        ("", ""),
    ],
)
def test_marks_are_gone_and_words_are_not(markdown: str, seen: str) -> None:
    assert without_marks(markdown) == seen


def test_a_call_is_searched_with_its_arguments_its_output_and_why_it_ran() -> None:
    call = CallBlock(
        key=0,
        call_id="c",
        tool="run_command",
        input={"command": "ls -l", "env": {"LANG": "C"}},
        state="done",
        output="$ ls -l\ntotal 4\n[exit 0]",
        exit_code=0,
        why="allowed once by you",
    )
    text = searchable(call)
    assert text.startswith("run ls -l")
    assert "env {'LANG': 'C'}" in text
    assert "total 4" in text
    assert "allowed once by you" in text
    assert "[exit" not in text


def test_of_a_diff_its_lines_are_searched_and_not_its_headers() -> None:
    text = searchable(CallBlock(key=0, call_id="c", tool="str_replace", diff=EDIT_DIFF))
    assert "    return total / len(numbers)" in text.split("\n")
    assert "@@" not in text
    assert "+++" not in text


def test_what_is_void_is_not_searched() -> None:
    assert searchable(ThoughtBlock(key=0, text="gone", is_void=True)) == ""
    assert "gone" not in searchable(AnswerBlock(key=0, text="gone", is_void=True))
