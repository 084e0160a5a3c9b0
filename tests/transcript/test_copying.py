"""What a person takes away from a block: all of it, and in a form that fits where it goes."""

from __future__ import annotations

import pytest

from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    NoticeBlock,
    PromptBlock,
    ThoughtBlock,
)
from agent_cockpit.transcript.copying import (
    Place,
    as_code,
    as_markdown,
    as_text,
    fenced,
    place_of,
    quoted,
    why_allowed,
)
from tests.transcript.stories import EDIT_DIFF, EXPLANATION, PARSER_DIFF

RUN = CallBlock(
    key=0,
    call_id="c",
    tool="run_command",
    input={"command": "ls"},
    state="done",
    output="$ ls\n" + "line\n" * 9_000 + "[exit 0]",
    exit_code=0,
    decided="allowed once by you",
    why="allowed once by you · as asked",
    reason="lists files",
)
EDIT = CallBlock(key=0, call_id="e", tool="str_replace", input={"path": "x"}, diff=EDIT_DIFF)


def test_a_call_is_copied_with_all_that_it_printed() -> None:
    text = as_text(RUN)
    assert text.startswith("run ls  9000 lines · exit 0")
    assert text.count("\nline") == 9_000
    assert "[exit" not in text


def test_an_answer_is_copied_as_it_was_written() -> None:
    assert as_markdown(AnswerBlock(key=0, text=EXPLANATION)) == EXPLANATION.strip("\n")


@pytest.mark.parametrize(
    ("block", "markdown"),
    [
        (PromptBlock(key=0, text="do\n\nthis"), "> do\n>\n> this"),
        (ThoughtBlock(key=0, text="hm"), "*hm*"),
        (NoticeBlock(key=0, text="so"), "*so*"),
        (EDIT, f"**edit x** +0 -0\n\n```diff\n{EDIT_DIFF.strip()}\n```"),
    ],
)
def test_each_block_has_a_markdown(block: Block, markdown: str) -> None:
    shown = as_markdown(block)
    assert shown.replace("next · ", "") == markdown


def test_nothing_in_a_code_block_ends_it() -> None:
    assert fenced("a\n````\nb", "md") == "`````md\na\n````\nb\n`````"
    assert fenced("\n") == ""


@pytest.mark.parametrize(
    ("block", "code"),
    [
        (AnswerBlock(key=0, text="a\n```py\nx = 1\n```\nb\n~~~\ny\n~~~"), ("code", "x = 1\n\ny")),
        (AnswerBlock(key=0, text="no code, `only` words"), ("", "")),
        (RUN, ("command", "ls")),
        (EDIT, ("diff", EDIT_DIFF.strip("\n"))),
        (CallBlock(key=0, call_id="c", tool="read_file", output="a\n"), ("output", "a")),
    ],
)
def test_the_code_of_a_block(block: Block, code: tuple[str, str]) -> None:
    assert as_code(block) == code


@pytest.mark.parametrize(
    ("call", "place"),
    [
        (CallBlock(key=0, call_id="c", tool="t", diff=PARSER_DIFF), Place("src/shop/parse.py", 12)),
        (CallBlock(key=0, call_id="c", tool="t", input={"path": "a"}), Place("a", 1)),
        (
            CallBlock(
                key=0, call_id="c", tool="read_file", input={"path": "a", "line_range": [7, 9]}
            ),
            Place("a", 7),
        ),
        (CallBlock(key=0, call_id="c", tool="t", input={"path": 3}), None),
        (RUN, None),
    ],
)
def test_where_a_call_worked(call: CallBlock, place: Place | None) -> None:
    assert place_of(call) == place


def test_why_it_was_allowed_is_said_once() -> None:
    assert list(why_allowed(RUN)) == [
        "allowed once by you",
        "allowed once by you · as asked",
        "asked because it lists files",
    ]
    assert list(why_allowed(NoticeBlock(key=0, text="x"))) == []


def test_a_quotation_keeps_its_lines() -> None:
    assert quoted("a\n\nb") == "> a\n>\n> b"
