"""A sitting as Markdown: what others wrote stays in its place."""

from __future__ import annotations

from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    CallBlock,
    Check,
    NoticeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.markdown import OUTPUT_CHARS, code_of, fenced, markdown, markdown_of

ANSWER = "Try this:\n\n```python\nx = 1\n```\n\nor\n\n~~~\ny\n~~~\n"


def test_a_document_has_a_title_and_a_heading_for_each_prompt() -> None:
    blocks = (PromptBlock(key=0, text="# fix\nit"), AnswerBlock(key=1, text="# Done\n\n- a"))
    assert markdown(blocks, title="T") == "# T\n\n## Prompt\n\n> # fix\n> it\n\n# Done\n\n- a\n"


def test_a_fence_is_longer_than_any_in_it() -> None:
    assert fenced("a\n````\nb", "text").split("\n")[0] == "`````text"


def test_a_call_keeps_its_diff_or_its_output() -> None:
    edit = CallBlock(key=0, call_id="1", tool="write_file", input={"path": "_a_"}, state="done")
    text = markdown_of(edit)
    assert text.startswith("**write \\_a\\_**")
    long = CallBlock(key=0, call_id="1", tool="x", state="done", output="y" * (OUTPUT_CHARS + 5))
    assert "5 more characters" in markdown_of(long)
    diff = CallBlock(key=0, call_id="1", tool="x", state="done", diff="+a\n", output="b")
    assert "```diff\n+a\n```" in markdown_of(diff)


def test_a_verdict_lists_its_checks_and_why_one_failed() -> None:
    checks = (
        Check(name="tests", command="make t", state="fail", exit_code=2, evidence="E\n"),
        Check(name="plan_present", state="pass"),
    )
    text = markdown_of(VerdictBlock(key=0, passed=False, summary="x", checks=checks))
    assert "- fail  make t · exit 2" not in text
    assert "- fail make t · exit 2" in text
    assert "```\nE\n```" in text
    assert "plan" not in text


def test_what_is_void_or_empty_leaves_nothing() -> None:
    void = AnswerBlock(key=0, text="half", is_void=True)
    assert markdown_of(void) == markdown_of(ThoughtBlock(key=0, text=" ")) == ""


def test_questions_plans_notices_and_thoughts_are_quoted() -> None:
    for block in (
        QuestionBlock(key=0, text="red?\ngreen?"),
        PlanBlock(key=0, text="red?\ngreen?"),
        NoticeBlock(key=0, text="red?\ngreen?"),
        ThoughtBlock(key=0, text="red?\ngreen?"),
    ):
        assert "green?" in markdown_of(block)
        assert not any(line.startswith("green?") for line in markdown_of(block).split("\n"))


def test_the_code_of_an_answer_is_what_stands_in_its_fences() -> None:
    assert code_of(ANSWER) == ["x = 1", "y"]
    assert code_of("no code, `x` only") == []
    assert code_of("```\nnever closed") == []
