"""A sitting as one HTML page: all of it is there, nothing in it acts."""

from __future__ import annotations

import re
from html.parser import HTMLParser

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.color import Color

from agent_cockpit.cockpit.look.contrast import contrast
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    Check,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.html import html
from agent_cockpit.transcript.html_style import STYLE
from tests.transcript.stories import fixed_test, hard_goal

OURS = {"html", "head", "meta", "title", "style", "body", "main", "section", "details"}
OURS |= {"summary", "p", "h1", "time", "b", "code", "span", "pre", "i", "ul", "li", "br"}
MARKDOWN = {"h2", "h3", "h4", "h5", "h6", "em", "strong", "s", "a", "ol", "blockquote", "hr"}
MARKDOWN |= {"table", "thead", "tbody", "tr", "th", "td"}
EMPTY = {"meta", "br", "hr"}
DIFF = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n same\n--- gone\n+<b>new\n"


class Tags(HTMLParser):
    """What a browser finds: tags that are closed in order, their attributes, the text."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.names: set[str] = set()
        self.attributes: set[tuple[str, str]] = set()
        self.text = ""
        self._open: list[str] = []
        self.feed(page)
        self.close()
        assert not self._open

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {(name, value or "") for name, value in attrs}
        if tag not in EMPTY:
            self._open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self._open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.text += data


@pytest.mark.parametrize("story", [fixed_test, hard_goal])
def test_a_whole_sitting_is_on_the_page(story: object) -> None:
    blocks = Transcript.of(story()).blocks  # type: ignore[operator]
    page = Tags(html(blocks, title="A sitting"))
    for block in blocks:
        if isinstance(block, PromptBlock):
            assert block.text.split("\n")[0] in page.text
        if isinstance(block, CallBlock) and block.exit_code is not None:
            assert f"exit {block.exit_code}" in page.text


def test_a_line_that_looks_like_a_head_is_a_line_of_the_diff() -> None:
    call = CallBlock(key=0, call_id="1", tool="write_file", state="done", diff=DIFF)
    page = html([call], title="T")
    assert '<span class="del"><i>    2</i> − -- gone\n</span>' in page
    assert '<span class="add"><i>    2</i> + &lt;b&gt;new\n</span>' in page


def test_what_failed_is_open_and_what_is_void_is_left_out() -> None:
    failed = CallBlock(key=0, call_id="1", tool="x", state="failed", output="broken\n")
    done = CallBlock(key=1, call_id="2", tool="x", state="done", output="fine\n")
    void = AnswerBlock(key=2, text="half of it", is_void=True)
    page = html([failed, done, void], title="T")
    assert page.count("<details") == 2
    assert page.count('<details class="call failed" open>') == 1
    assert "half of it" not in page


def test_links_and_pictures_of_an_answer_load_and_run_nothing() -> None:
    text = (
        "[a](javascript:alert(1)) ![p](http://x/y.png) <img src=x onerror=alert(1)> [b](http://b)"
    )
    page = Tags(html([AnswerBlock(key=0, text=text)], title="T"))
    assert "img" not in page.names
    assert {value for name, value in page.attributes if name == "href"} == {
        "http://x/y.png",
        "http://b",
    }


@given(st.text())
def test_no_text_becomes_anything_but_text(text: str) -> None:
    blocks: list[Block] = [
        PromptBlock(key=0, text=text),
        ThoughtBlock(key=1, text=text),
        CallBlock(key=2, call_id="1", tool=text, input={text: text}, output=text, why=text),
        CallBlock(key=3, call_id="2", tool="write_file", diff=DIFF + text, decided=text),
        VerdictBlock(key=4, passed=False, summary=text, checks=(Check(name=text, state="fail"),)),
        NoticeBlock(key=5, text=text),
        OutcomeBlock(key=6, outcome="failed", text=text),
    ]
    page = Tags(html(blocks, title=text))
    assert page.names <= OURS


@given(st.text())
def test_markdown_brings_nothing_but_its_own_marks(text: str) -> None:
    blocks = [
        AnswerBlock(key=0, text=text),
        QuestionBlock(key=1, text=text),
        PlanBlock(key=2, text=text),
    ]
    page = Tags(html(blocks, title="T"))
    assert page.names <= OURS | MARKDOWN
    assert {name for name, _ in page.attributes} <= {
        *("class", "lang", "charset", "http-equiv", "content", "name", "open"),
        *("href", "title", "start", "style"),
    }


@pytest.mark.parametrize("scheme", [0, 1])
def test_every_colour_of_the_page_can_be_read(scheme: int) -> None:
    def colour(name: str) -> Color:
        return Color.parse(re.findall(rf"--{name}: (#[0-9a-f]+)", STYLE)[scheme])

    for text in ("text", "quiet", "accent", "good", "bad", "wait"):
        assert contrast(colour(text), colour("page")) >= 4.5
    for ground in ("add", "del", "code"):
        assert contrast(colour("text"), colour(ground)) >= 4.5
        assert contrast(colour("quiet"), colour(ground)) >= 4.5
