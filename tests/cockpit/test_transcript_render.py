"""Blocks as lines: what they say, and that they fit."""

from __future__ import annotations

import subprocess
import sys
import time
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from itertools import pairwise

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console
from rich.text import Text
from textual.strip import Strip
from textual.theme import BUILTIN_THEMES

from agent_cockpit.cockpit.look.diff_view import DiffView
from agent_cockpit.cockpit.look.theme import DARK, palette_of
from agent_cockpit.cockpit.render.answer import StreamingAnswer, answer_lines
from agent_cockpit.cockpit.render.blocks import block_lines
from agent_cockpit.cockpit.render.fold import Fold
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.transcript.unwrapped import Unwrapped
from agent_cockpit.text import clean, clean_line
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    CallState,
    Check,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.figures import Figures
from agent_cockpit.transcript.fold import Transcript
from tests.transcript.stories import EXPLANATION, PARSER_DIFF, START, fixed_test, hard_goal

CONSOLE = Console(width=500, color_system="truecolor", force_terminal=True)
BLOCKS = (*Transcript.of(fixed_test()).blocks, *Transcript.of(hard_goal()).blocks)
FOLDS: tuple[Fold, ...] = ("auto", "open", "closed")


def page(width: int = 100) -> Page:
    return Page(width=width, palette=palette_of(DARK), console=CONSOLE, zone=UTC)


def words(strips: list[Strip]) -> list[str]:
    return [strip.text.rstrip() for strip in strips]


@pytest.mark.parametrize("width", [1, 2, 7, 20, 40, 59, 60, 80, 120, 300])
@pytest.mark.parametrize("fold", FOLDS)
def test_no_line_is_wider_than_the_page(width: int, fold: Fold) -> None:
    for block in BLOCKS:
        for strip in block_lines(block, page(width), fold):
            assert strip.cell_length <= width
            assert "\n" not in strip.text


@pytest.mark.parametrize("text", ["a\tb", "\ta\tb\t", "a" * 80 + "\tb", "a\tb\nc\td", "a\t" * 60])
def test_a_tab_takes_its_cells_from_the_gap_and_not_from_the_time(text: str) -> None:
    strips = block_lines(PromptBlock(key=0, text=text, at=START), page(), "auto")
    assert words(strips)[0].endswith(" 09:41")
    (row,) = page().row(Text(text[:40].replace("\n", "")), Text("12 ms"))
    assert row.text.endswith(" 12 ms")
    assert row.cell_length == 99


HOSTILE = st.text(
    alphabet=st.sampled_from("ab [/]`*_#|-\n\t\x1b]52;c\x07\x9b\x00\u202e\u200b漢é👩\u200d💻<>"),
    max_size=80,
)


@settings(max_examples=25)
@given(HOSTILE, st.integers(3, 90))
def test_hostile_text_neither_breaks_out_nor_breaks_a_line(text: str, width: int) -> None:
    text, line = clean(text), clean_line(text)
    blocks: list[Block] = [
        PromptBlock(key=0, text=text),
        AnswerBlock(key=0, text=text),
        ThoughtBlock(key=0, text=text, is_open=True),
        CallBlock(key=0, call_id="c", tool=text, input={"command": text}, output=text),
        CallBlock(key=0, call_id="c", tool="x", state="failed", output=text, summary=line),
        CallBlock(key=0, call_id="c", tool="x", state="done", diff=PARSER_DIFF + text),
        NoticeBlock(key=0, text=text, level="error"),
        QuestionBlock(key=0, text=text),
        PlanBlock(key=0, text=text),
        OutcomeBlock(key=0, outcome="failed", text=line),
        VerdictBlock(key=0, passed=False, summary=line),
    ]
    for block in blocks:
        for fold in FOLDS:
            for strip in block_lines(block, page(width), fold):
                assert not any(ord(c) < 32 or 0x7F <= ord(c) < 0xA0 for c in strip.text)
                assert strip.cell_length <= width


@pytest.mark.parametrize("entity", ["&#x202e;", "&#x9b;", "&#27;", "&#0;", "&#x200b;", "&#7;"])
@pytest.mark.parametrize("shape", ["{}", "# {}", "| {} |\n|---|", "[{}](http://a)", "![{}](b)"])
def test_an_entity_is_no_way_around_cleaning(entity: str, shape: str) -> None:
    lines = words(answer_lines(AnswerBlock(key=0, text=shape.format(f"a{entity}b")), page()))
    text = "".join(lines)
    assert clean(text) == text
    assert "a" in text


def test_what_is_not_shown_is_not_drawn() -> None:
    output = "".join(f"line {n}\n" for n in range(15_000))
    added = "".join(f"+line {n}\n" for n in range(15_000))
    diff = f"--- /dev/null\n+++ b/x.py\n@@ -0,0 +1,15000 @@\n{added}"
    failed = CallBlock(key=0, call_id="c", tool="x", state="failed", output=output)
    edited = CallBlock(key=0, call_id="c", tool="x", state="done", diff=diff)
    began = time.process_time()
    for call in (failed, edited):
        lines = words(block_lines(call, page()))
        assert len(lines) < 50
        assert any(f"… {15_000 - len(lines) + 2} more lines" in line for line in lines)
        assert len(block_lines(call, page(), "open")) == 2_002
    assert time.process_time() - began < 4


@pytest.mark.parametrize(
    ("at", "hours"),
    [(datetime.min, -12), (datetime.max, 14)],
    ids=["before the first year", "after the last"],
)
def test_a_time_that_its_zone_cannot_hold_is_told_as_it_was_written(
    at: datetime, hours: int
) -> None:
    block = PromptBlock(key=0, text="fix it", at=at.replace(tzinfo=UTC))
    far = replace(page(), zone=timezone(timedelta(hours=hours)))
    assert f"{at:%H:%M}" in words(block_lines(block, far, "auto"))[0]


def test_square_brackets_are_no_markup() -> None:
    text = "[bold red]not markup[/] [@click=app.quit]nor a link[/]"
    for block in (
        PromptBlock(key=0, text=text),
        AnswerBlock(key=0, text=text),
        NoticeBlock(key=0, text=text),
        CallBlock(key=0, call_id="c", tool="run_command", input={"command": text}),
    ):
        (line,) = block_lines(block, page(120))
        assert text in line.text
        assert not any(segment.style and segment.style.meta for segment in line)


# fmt: off
PIECES = [
    "word ", "x", "`", "``", "`code`", "```", "```py", "~~~", "````", "**bold** ", "*", "_",
    "# head", "##", "-", "- ", "* ", "+ ", "1", "1. ", "2) ", "10. ", ">", "> ", "|", "||",
    "|-", "-|-", "|---|", ":-:", "| 1 | 2 |", "---", "===", "***", "* * *", "[l]: http://a",
    "[l] ", "[x](http://a.b)", "<div>", "<!--", "&amp;", "\\", "~~s~~ ", "!", " ", "  ", "    ",
    "\t", "\xa0", "\x0b", "\u2028", "两", "e\u0301", "🙂",
    "\n", "\n", "\n\n", "\n    ", "\n  ", "\n> ", "\n- ", "\n1. ", "\n```\n",
    "\n| a | b |\n|---|---|\n",
]
# fmt: on
TEXTS = st.lists(st.sampled_from(PIECES), max_size=24).map("".join)
CUTS = st.sets(st.floats(0, 1), max_size=6) | st.none()
"""Where a text is cut, as shares of it; None: at each letter."""


@settings(max_examples=120)
@given(TEXTS, CUTS, st.sampled_from([20, 60]))
@example("a||\n-|-\n\xa0a", None, 60)
@example("x\n```y`", None, 60)
@example("y\na||\n|-a", None, 60)
@example("  2) `\n    ---*", None, 20)
def test_an_answer_ends_the_same_however_it_was_streamed(
    text: str, cuts: set[float] | None, width: int
) -> None:
    streaming = StreamingAnswer(page(width))
    ends = range(len(text)) if cuts is None else sorted(int(cut * len(text)) for cut in cuts)
    for end in ends:
        streaming.lines(text[:end])
    whole = answer_lines(AnswerBlock(key=0, text=text), page(width))
    assert streaming.finished(text) == whole


def test_a_growing_code_block_never_changes_a_line_that_stands() -> None:
    streaming = StreamingAnswer(page(60))
    code = "".join(f"value_{n} = {n}  # {'long ' * (n % 9)}\n" for n in range(200))
    text, before = "Look:\n\n```python\n", [""]
    for line in code.splitlines(keepends=True):
        text += line
        lines = words(streaming.lines(text))
        assert lines[: len(before)] == before or len(before) < 4
        before = lines
    assert words(streaming.finished(text + "```\n")) == before


def test_streaming_draws_each_finished_piece_once() -> None:
    streaming = StreamingAnswer(page(80))
    text = "first paragraph\n\nsecond"
    first = streaming.lines(text)[0]
    again = streaming.lines(text + " paragraph\n\nthird")[0]
    assert again is first


def test_a_text_that_was_replaced_is_drawn_from_its_start() -> None:
    streaming = StreamingAnswer(page(80))
    streaming.lines("one\n\ntwo\n\nthree")
    assert words(streaming.finished("else"))[0].endswith("else")


def test_markdown_keeps_its_words_and_its_order() -> None:
    lines = words(answer_lines(AnswerBlock(key=0, text=EXPLANATION), page(80)))
    assert lines[0] == " ◆ What was wrong"
    assert "   1. names with a comma were cut in two," in lines
    assert "   input         before      now" in lines
    assert "   ▏ A quoted field may also hold a line break; that is not handled here." in lines
    assert "   • see the csv module (https://docs.python.org/3/library/csv.html)" in lines


@pytest.mark.parametrize(
    "deep",
    [
        "> " * 90 + "deepest",
        "\n".join("  " * level + f"- item {level}" for level in range(90)) + "\n\ndeepest",
        "- " * 59 + "deepest",
        "[" * 200 + "deepest",
        "*" * 150 + "deepest",
    ],
)
def test_what_is_nested_too_deeply_is_shown_as_it_was_written(deep: str) -> None:
    block = AnswerBlock(key=0, text=f"before *it*\n\n{deep}\n\nbehind **it**")
    shown = " ".join(words(answer_lines(block, page(200))))
    squeezed = "".join(shown.split())
    assert squeezed.startswith("◆beforeit")
    assert "deepest" in squeezed
    assert squeezed.endswith(("behindit", "behind**it**"))


def test_a_diff_in_an_answer_has_the_colours_of_one() -> None:
    diff = "```diff\n@@ -1 +1 @@\n-old\n+new\n same\n```\n"
    strips = answer_lines(AnswerBlock(key=0, text=diff), page())
    inks = {
        segment.text: segment.style.color for strip in strips for segment in strip if segment.style
    }
    ink = page().ink
    assert (inks["-old"], inks["+new"]) == (ink.error.color, ink.success.color)
    assert inks["@@ -1 +1 @@"] == ink.muted.color


def test_an_image_says_where_it_lies() -> None:
    block = AnswerBlock(key=0, text='![a chart](http://x.example/y.png "title") and ![](z.png)')
    (line,) = words(answer_lines(block, page()))
    assert line == " ◆ [image: a chart] (http://x.example/y.png) and [image] (z.png)"


def test_an_image_that_is_written_out_shows_only_what_it_is() -> None:
    block = AnswerBlock(key=0, text=f"![dot](data:image/png;base64,{'iVBORw0KGgo' * 1_000})")
    assert words(answer_lines(block, page())) == [" ◆ [image: dot] (data:image/png;base64,…)"]


def test_a_column_of_figures_ends_at_its_right_edge() -> None:
    table = "| file | lines |\n|:--|--:|\n| a.py | 7 |\n| b.py | 漢 |\n| c.py | 1,200 |\n"
    lines = words(answer_lines(AnswerBlock(key=0, text=table), page(40)))
    assert [line[2:] for line in lines[:1] + lines[2:]] == [
        "file  lines",
        "a.py      7",
        "b.py     漢",
        "c.py  1,200",
    ]


def test_a_table_that_is_too_wide_becomes_fields() -> None:
    table = "| a | b | c | d | e |\n|---|---|---|---|---|\n| 1 | 2 | 3 | 4 | 5 |\n"
    lines = words(answer_lines(AnswerBlock(key=0, text=table), page(20)))
    assert [line.strip(" ◆") for line in lines] == ["a: 1", "b: 2", "c: 3", "d: 4", "e: 5"]


def test_a_verdict_breaks_between_its_phrases_and_is_copied_as_one_line() -> None:
    proven = Check(name="tests", command="python -m unittest", state="pass", exit_code=0)
    strips = block_lines(
        VerdictBlock(key=0, passed=True, checks=(proven,), figures=Figures(files=1)), page(40)
    )
    assert words(strips)[:2] == [
        "✔ verified   python -m unittest · exit 0",
        "  after the last edit",
    ]
    assert Unwrapped(strips[:2], 2).text.endswith("exit 0 · after the last edit")


def test_a_verdict_without_commands_does_not_say_verified() -> None:
    verdict = VerdictBlock(key=0, passed=True, summary="ungrounded")
    (line,) = words(block_lines(verdict, page()))
    assert "verified" not in line
    assert "cites no file that was read" in line


def test_a_narrow_page_says_all_of_why_an_answer_was_let_pass() -> None:
    verdict = VerdictBlock(key=0, passed=True, summary="ungrounded", figures=Figures(0, 1, 900))
    lines = [line.strip() for line in words(block_lines(verdict, page(40)))]
    assert " ".join(lines[:-1]).endswith("it cites no file that was read for it")
    assert lines[-1] == "1 turn · 900 tokens"


def test_a_verdict_by_the_floor_alone_says_what_is_not_known() -> None:
    check = Check(name="smoke", command="bash -n x.sh", state="pass", exit_code=0)
    little = "nothing more is known than that the changed files parse"
    verdict = VerdictBlock(
        key=0, passed=True, summary=little, checks=(check,), figures=Figures(files=1)
    )
    line = " ".join(words(block_lines(verdict, page(140))))
    assert "verified   bash -n x.sh · exit 0 · after the last edit · nothing more is known" in line


@pytest.mark.parametrize(
    ("state", "sign"),
    [
        ("waiting", "? waits for you"),
        ("failed", "✘ failed"),
        ("refused", "✘ refused"),
        ("denied", "✘ not allowed"),
        ("interrupted", "■ interrupted"),
    ],
)
def test_every_state_has_a_sign_and_a_word(state: CallState, sign: str) -> None:
    call = CallBlock(key=0, call_id="c", tool="run_command", input={"command": "make"}, state=state)
    (line,) = words(block_lines(call, page()))
    assert line.endswith(sign)


def test_a_success_is_one_line_until_it_is_opened() -> None:
    call = CallBlock(
        key=0, call_id="c", tool="run_command", input={"command": "ls"}, state="done", output="a\nb"
    )
    assert len(block_lines(call, page())) == 1
    assert len(block_lines(call, page(), "open")) == 3


def test_a_running_call_shows_the_end_of_its_output() -> None:
    output = "".join(f"line {n}\n" for n in range(100))
    call = CallBlock(key=0, call_id="c", tool="x", state="running", output=output, is_open=True)
    assert [line.strip() for line in words(block_lines(call, page()))[1:]] == [
        f"line {n}" for n in range(95, 100)
    ]


def changed(width: int, view: DiffView = "auto", folded: frozenset[int] = frozenset()) -> list[str]:
    call = CallBlock(key=0, call_id="c", tool="t", state="done", diff=PARSER_DIFF)
    sheet = replace(page(width), diff_view=view)
    return [line.strip() for line in words(block_lines(call, sheet, "open", folded))]


def test_old_and_new_stand_beside_each_other_where_there_is_room() -> None:
    lines = changed(140)
    assert any("12 −         fields = text" in row and "12 +         # a q" in row for row in lines)
    assert any("13           if len" in row and "14           if len" in row for row in lines)
    assert "1 + def test_a_quoted_comma_stays() -> None:" in lines
    assert all("│" not in line for line in changed(110))


def test_how_a_diff_is_shown_can_be_chosen() -> None:
    assert any("│" in line for line in changed(90, "beside"))
    assert all("│" not in line for line in changed(140, "unified"))
    assert all("│" not in line for line in changed(40, "beside"))


@pytest.mark.parametrize("width", [61, 80, 130, 200])
def test_no_word_of_a_diff_is_lost_beside_each_other(width: int) -> None:
    letters = Counter("".join("".join(changed(width, "beside")).split()))
    for line in PARSER_DIFF.split("\n"):
        if line.startswith(("+", "-")) and not line.startswith(("+++", "---")):
            assert not Counter("".join(line[1:].split())) - letters


def test_a_folded_hunk_says_what_it_holds() -> None:
    lines = changed(100, folded=frozenset({0}))
    assert "⋯   10 lines from line 10   +3 −2" in lines
    assert not any("csv.reader" in line for line in lines)
    assert "1 + def test_a_quoted_comma_stays() -> None:" in lines


def linked(strips: list[Strip]) -> list[tuple[str, str]]:
    """(words, target) of all pieces that can be followed."""
    pieces = (segment for strip in strips for segment in strip)
    return [(text, style.link) for text, style, _ in pieces if style and style.link]


def test_an_address_can_be_followed_where_it_is_seen_and_nowhere_else() -> None:
    text = "a [guide](https://x.org/guide) and [https://good.org](https://evil.org)"
    links = linked(answer_lines(AnswerBlock(key=0, text=text), page(100)))
    assert links == [
        ("https://x.org/guide", "https://x.org/guide"),
        ("https://good.org", "https://good.org"),
        ("https://evil.org", "https://evil.org"),
    ]
    long = NoticeBlock(key=0, text="https://x.org/" + "path/" * 20)
    parts = linked(block_lines(long, page(40)))
    assert len(parts) > 2
    assert {target for _, target in parts} == {long.text}
    assert "".join(words for words, _ in parts) == long.text
    assert linked(block_lines(long, replace(page(40), has_links=False))) == []


def test_what_is_live_says_for_how_long_in_whole_seconds() -> None:
    later = page().at_beat(300, 75)
    call = CallBlock(key=0, call_id="c", tool="run_tests", state="running", is_open=True)
    assert words(block_lines(call, later))[0].endswith("1 m 15 s")
    assert words(block_lines(call, page().at_beat(3, 0)))[0].endswith("test")
    thought = ThoughtBlock(key=0, text="a\nb\nc\nd", is_open=True)
    assert [line.strip() for line in words(block_lines(thought, later))] == [
        "⠋ thinking 1 m 15 s",
        "b",
        "c",
        "d",
    ]


def test_a_thought_that_is_over_is_one_line_with_its_time_and_about_how_long_it_is() -> None:
    since = datetime(2026, 3, 2, 9, 41, tzinfo=UTC)
    thought = ThoughtBlock(
        key=0, text="four" * 310, since=since, until=since + timedelta(seconds=4)
    )
    (line,) = words(block_lines(thought, page()))
    assert line.strip().startswith("▹ thought 4.0 s · ~310 tokens   four")


def test_what_is_left_out_is_counted() -> None:
    output = "".join(f"line {n}\n" for n in range(100))
    call = CallBlock(key=0, call_id="c", tool="x", state="failed", output=output)
    assert words(block_lines(call, page()))[1].strip() == "… 88 more lines"
    assert len(block_lines(call, page(), "open")) == 101


@pytest.mark.parametrize("name", sorted(BUILTIN_THEMES))
def test_every_theme_of_textual_gives_a_palette(name: str) -> None:
    palette = palette_of(BUILTIN_THEMES[name])
    drawn = Page(width=80, palette=palette, console=CONSOLE, zone=UTC)
    assert all(block_lines(block, drawn) is not None for block in BLOCKS)


def test_the_widget_loads_no_markdown_and_no_schemas() -> None:
    check = (
        "import sys, textual.app; before = set(sys.modules);"
        "import agent_cockpit.cockpit.transcript.transcript;"
        "heavy = ('pydantic', 'markdown_it', 'pygments', 'rich.markdown', 'rich.syntax');"
        "print([m for m in heavy if m in sys.modules and m not in before])"
    )
    found = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


CLUSTERS = (
    *(
        "❤\ufe0f",
        "⚠\ufe0f",
        "⚠",
        "👨\u200d👩\u200d👧",
        "🏳\ufe0f\u200d🌈",
        "👍🏽",
        "1\ufe0f\u20e3",
        "🇩🇪",
    ),
    *("e\u0301", "한", "\u1112\u1161\u11ab", "漢", "﷽", "กำ", "क\u094dष", "ش", "±", "a", " ", "b"),
    *("\u200d", "\ufe0f", "\u0301", "`", "*", "|", "\t", "\n"),
)


@settings(max_examples=25, deadline=None)
@given(st.lists(st.sampled_from(CLUSTERS), max_size=40).map("".join), st.integers(1, 90))
def test_f02_wide_and_joined_characters_are_measured_and_never_cut_in_two(
    text: str, width: int
) -> None:
    text, line = clean(text), clean_line(text)
    code = text.replace("\n", "")
    blocks: list[Block] = [
        PromptBlock(key=0, text=text),
        AnswerBlock(
            key=0, text=f"{text}\n\n```python\nx = '{code}'\n```\n\n- {line}\n\n> {line}\n"
        ),
        AnswerBlock(key=0, text=f"| a | b |\n|---|---|\n| {line} | {line} |\n"),
        CallBlock(key=0, call_id="c", tool="x", state="failed", output=text, summary=line),
        CallBlock(key=0, call_id="c", tool="x", diff=f"@@ -1 +1 @@\n-{code}👩\n+{code}\u200d🔬\n"),
        NoticeBlock(key=0, text=text, level="error"),
        VerdictBlock(key=0, passed=False, summary=line),
    ]
    for block in blocks:
        for strip in block_lines(block, page(width), "open"):
            assert strip.cell_length == cell_len(strip.text) <= width
            for before, after in pairwise(segment.text for segment in strip if segment.text):
                assert not before.endswith("\u200d")
                assert not after.startswith(("\u200d", "\ufe0f", "🏽"))


def test_a_pasted_document_is_counted_and_not_drawn() -> None:
    block = PromptBlock(key=0, text="\n".join(f"line {n}" for n in range(10_000)))
    shown = words(block_lines(block, page(), "auto"))
    assert shown[0].endswith("line 0")
    assert shown[-1].endswith("… 9988 more lines")
    one_line = PromptBlock(key=0, text="x" * 200_000)
    assert "more lines" in words(block_lines(one_line, page(), "auto"))[-1]
