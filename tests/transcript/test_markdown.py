"""A sitting as one Markdown document."""

from __future__ import annotations

from agent_cockpit.transcript.blocks import AnswerBlock, CallBlock, PromptBlock, ThoughtBlock
from agent_cockpit.transcript.markdown import markdown


def test_a_document_has_a_title_and_a_heading_for_each_prompt() -> None:
    blocks = (
        PromptBlock(key=0, text="# fix\nit"),
        AnswerBlock(key=1, text="# Done\n\n- a"),
        PromptBlock(key=2, text="more", origin="steering"),
    )
    document = "# T\n\n## Prompt\n\n> # fix\n> it\n\n# Done\n\n- a\n\n## Said meanwhile\n\n> more\n"
    assert markdown(blocks, title="T") == document


def test_a_call_keeps_its_diff_and_a_thought_is_quoted() -> None:
    call = CallBlock(key=0, call_id="1", tool="x", state="done", diff="+a\n")
    text = markdown((call, ThoughtBlock(key=1, text="hm\nso")))
    assert "```diff\n+a\n```" in text
    assert "> hm\n> so" in text


def test_what_is_void_or_empty_leaves_nothing() -> None:
    void = AnswerBlock(key=0, text="half", is_void=True)
    assert markdown((void, ThoughtBlock(key=1, text=" "))) == "\n"
