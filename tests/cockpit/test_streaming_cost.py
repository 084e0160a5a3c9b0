"""Case F03: whatever a model streams, a frame costs what is new in it, and Esc gets through."""

from __future__ import annotations

from datetime import UTC
from itertools import pairwise

import pytest
from markdown_it.token import Token
from rich.console import Console
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.look.theme import DARK, palette_of
from agent_cockpit.cockpit.render.answer import StreamingAnswer, answer_lines
from agent_cockpit.cockpit.render.markdown import parsed
from agent_cockpit.cockpit.render.open_piece import STEP_LINES, OpenPiece
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.events.harness import ModelUpdate
from agent_cockpit.transcript.blocks import AnswerBlock
from tests.bench.answer import answer_tokens
from tests.cockpit.screen import until
from tests.support.scripted_source import ScriptedSource
from tests.support.steps import steps_of

PAGE = Page(width=80, palette=palette_of(DARK), console=Console(width=80), zone=UTC)
LINES_OF_A_PIECE = 8
"""With the blank before it; of the answers that the bench asks for."""
ENDLESS = {
    "a list": "- an item of the list\n",
    "a table": "| one cell | another one |\n|---|---|\n| a | b |\n",
    "code with its fence in it": "print('```')\n",
}
HEAD = {"code with its fence in it": "~~~py\n", "a table": "| a | b |\n|---|---|\n"}


def parsed_characters(text: str, *, frames: int) -> int:
    """How much was parsed while `text` grew over so many frames."""
    read = 0

    def parse(piece: str) -> list[Token]:
        nonlocal read
        read += len(piece)
        return parsed(piece)

    answer = StreamingAnswer(PAGE, parse=parse)
    for frame in range(1, frames + 1):
        answer.lines(text[: len(text) * frame // frames])
    return read


@pytest.mark.parametrize("what", ENDLESS)
def test_four_times_the_text_costs_little_more_than_four_times(what: str) -> None:
    short, long = (
        HEAD.get(what, "") + ENDLESS[what] * (size // len(ENDLESS[what]))
        for size in (9_000, 36_000)
    )
    first = parsed_characters(short, frames=30)
    assert parsed_characters(long, frames=120) < 6 * max(first, len(short))


def test_a_long_line_without_end_is_not_parsed_for_what_may_follow_it() -> None:
    assert parsed_characters("**some** words of `it` " * 2_600, frames=100) < 60_000


def test_each_step_of_an_open_piece_is_drawn_once() -> None:
    drawn: list[str] = []

    def draw(lines: list[str]) -> list[Text]:
        drawn.extend(lines)
        return [Text(line) for line in lines]

    lines = [f"line {number}" for number in range(1_000)]
    piece = OpenPiece(PAGE, draw, mark="◆")
    strips = []
    for count in range(10, 1_001, 10):
        strips = piece.strips("\n".join(lines[:count]))
    assert len(drawn) < 1_000 + 100 * STEP_LINES
    assert [strip.text.strip(" ◆") for strip in strips] == lines


def test_a_finished_piece_is_drawn_once_and_a_late_frame_costs_what_an_early_one_did() -> None:
    text = "".join(answer_tokens(4_000, "x"))
    answer, steps = StreamingAnswer(PAGE), []
    strips: list[list[Strip]] = [[]]
    for end in range(len(text) // 100, len(text), len(text) // 100):
        steps.append(steps_of(lambda: strips.append(answer.lines(text[:end]))))  # noqa: B023
    for before, after in pairwise(strips):
        kept = sum(old is new for old, new in zip(before, after, strict=False))
        assert len(before) - kept <= LINES_OF_A_PIECE
    assert sum(steps[-20:]) < 1.2 * sum(steps[:20])


def test_a_line_without_end_is_shown_whole_in_rows() -> None:
    word = "x" * 300_000
    answer = StreamingAnswer(PAGE)
    for end in range(100_000, 300_001, 100_000):
        strips = answer.lines(word[:end])
    assert sum(strip.text.count("x") for strip in strips) == 300_000
    assert all(strip.cell_length <= 80 for strip in strips)


@pytest.mark.parametrize(
    "text",
    [
        "```\na\n" * 61,
        "```py\na = 1\n```\n" * 30,
        "- a\n\n```\nopen",
        "| a | b |\n|---|---|\n| 1 | 2 |\n\nend",
        "See [a].\n\n- one\n- [a]: http://example.org\n",
        "See [a].\n\n> [a]: http://example.org\n",
        "See [a\\]b].\n\n1. x\n\n   [a\\]b]: http://example.org\n",
        "It mends\n#12 and more\n",
        "- one\n-> two\n",
        "> said\n**loudly**\n",
        "1. one\n-->\n",
        "- one\n1.5 and more\n",
        "1. one\n\n1. two\n\n1. three\n",
        "Some words\n\n-",
    ],
)
def test_a_streamed_answer_reads_as_if_it_had_come_at_once(text: str) -> None:
    answer = StreamingAnswer(PAGE)
    for end in range(len(text) + 1):
        answer.lines(text[:end])
    whole = answer_lines(AnswerBlock(key=0, text=text), PAGE)
    assert [strip.text for strip in answer.finished(text)] == [strip.text for strip in whole]


@pytest.mark.parametrize("text", ["Para\n#hash\n", "> q\n-x\n", "- a\n#b\n"])
def test_the_begin_of_a_line_ends_no_piece_that_the_whole_line_goes_on_with(text: str) -> None:
    answer = StreamingAnswer(PAGE)
    for end in range(len(text) + 1):
        answer.lines(text[:end])
    assert answer.finished(text) == answer_lines(AnswerBlock(key=0, text=text), PAGE)


LISTS = {
    "tight": "- **one**\n- two\n  more\n- three `code`\n- four\n",
    "loose": "1. one\n\n   more\n\n2. two\n\n3. three\n\n",
    "loose at last": "- one\n- two\n- three\n\n- four\n- five\n",
    "loose by a paragraph": "- one\n- two\n- three\n\n  more\n",
    "nested": "- one\n  - in\n  - in too\n    1. deep\n- two\n\n  - in\n- three\n",
    "beyond nine": "".join(f"{number}. item\n" for number in range(7, 13)),
    "one number": "1. one\n1. two\n1. three\n1. four\n",
    "empty at first": "- \n\n- one\n- two\n- ```\n\n- three\n- four\n",
    "code alone": "- ```\n  a\n  ```\n\n- ```\n  b\n  ```\n",
    "ended by a rule": "- one\n  1. in\n\n---\n",
    "another sign": "- one\n- two\n* three\n* four\n",
    "ended": "- one\n- two\n- three\nlazy\n\nA paragraph.\n\n- again\n- twice\n",
    "with code": "- one\n  ```py\n  x = 1\n  - y\n  ```\n- two\n\t- tab\n- three\n",
    "after words": "Words:\n- one\n- two\n- three\n## Head\n",
    "a rule": "- one\n- two\n- - -\n- three\n",
}


@pytest.mark.parametrize("what", LISTS)
def test_a_list_that_grows_reads_at_each_letter_as_the_whole_of_it(what: str) -> None:
    answer, text = StreamingAnswer(PAGE), LISTS[what]
    for end in range(len(text) + 1):
        whole = StreamingAnswer(PAGE).lines(text[:end])
        assert answer.lines(text[:end]) == whole, text[:end]


def test_an_item_that_another_one_follows_is_read_once() -> None:
    item = "- an item of the list, of some words\n"
    first, second = (parsed_characters(item * count, frames=4 * count) for count in (20, 40))
    assert second < 2.5 * first


@pytest.mark.parametrize(
    "piece", ["```py\nx = 1\n```", "| a | b |\n|---|---|\n| 1 | 2 |", "Some words.", "## Head"]
)
def test_a_piece_that_has_ended_is_drawn_once(piece: str) -> None:
    answer, text = StreamingAnswer(PAGE), f"Before.\n\n{piece}\n\nBehind.\n"
    end = text.index("\n\nBehind")
    drawn = answer.lines(text[:end])[-1]
    for further in range(1, len("\n\nBehind.\n")):
        assert any(strip is drawn for strip in answer.lines(text[: end + further]))
    assert any(strip is drawn for strip in answer.finished(text))


@pytest.mark.parametrize("text", ["Hi.\n\nHi.\n\nHi.", "```\nx ```\n\n", "> ```\n> a\n>\n\n"])
def test_what_reads_the_same_is_drawn_where_it_stands(text: str) -> None:
    answer = StreamingAnswer(PAGE)
    for end in range(len(text) + 1):
        assert answer.lines(text[:end]) == StreamingAnswer(PAGE).lines(text[:end])
    assert answer.finished(text) == answer_lines(AnswerBlock(key=0, text=text), PAGE)


HEAD_OF_TWO = "| a | b |\n|---|---|\n"
TABLES = {
    "words that wrap": HEAD_OF_TWO
    + "| one **bold** | two |\n"
    + f"| `c` | {'word ' * 30}|\n| x |\n",
    "too few and too many cells": HEAD_OF_TWO + "|\n|||\nx\na|b|c|d\n| a \\| b | c |\n",
    "ended by a list": HEAD_OF_TWO + "| 1 | 2 |\n- item\n- another\n",
    "a row that begins like a list": HEAD_OF_TWO + "| 1 | 2 |\n-|3|\n#|4|\n1.5|6|\n",
    "ended by code": HEAD_OF_TWO + "| 1 | 2 |\n```\n| 3 | 4 |\n```\n",
    "ended by a blank line": f"Before.\n{HEAD_OF_TWO}| 1 | 2 |\n\n| 3 |\n\n{HEAD_OF_TWO}| 5 |\n",
    "figures": "| a | b |\n|--:|--:|\n| 1 | 2 |\n| 1234 | 12345 |\n| 1 |\n",
    "fields": "|" + "h|" * 12 + "\n|" + "-|" * 12 + "\n" + ("|" + "c|" * 12 + "\n") * 2,
    "fields and then a list": "|" + "h|" * 12 + "\n|" + "-|" * 12 + "\n1. one\n",
    "an address": HEAD_OF_TWO + "| [x](http://a.b/c) | https://e.fg/h |\n| 两个字 | a\tb |\n",
}


@pytest.mark.parametrize("what", TABLES)
def test_a_table_that_grows_reads_at_each_letter_as_the_whole_of_it(what: str) -> None:
    answer, text = StreamingAnswer(PAGE), TABLES[what]
    for end in range(len(text) + 1):
        assert answer.lines(text[:end]) == StreamingAnswer(PAGE).lines(text[:end]), text[:end]
    assert answer.finished(text) == answer_lines(AnswerBlock(key=0, text=text), PAGE)


@pytest.mark.parametrize("columns", [3, 40])
def test_a_long_table_is_read_once_and_reads_as_the_whole_of_it(columns: int) -> None:
    rows = [
        "|" + f"{'w' * (number % 9)} {number} |" * columns + "\n"
        for number in range(120 // columns + 30)
    ]
    text = f"|{'h|' * columns}\n|{'-|' * columns}\n" + "".join(rows)
    answer = StreamingAnswer(PAGE)
    for end in range(0, len(text), len(text) // 40):
        answer.lines(text[:end])
    assert answer.finished(text) == answer_lines(AnswerBlock(key=0, text=text), PAGE)
    assert parsed_characters(text, frames=40) < 5 * len(text) + 40 * 2 * columns * 8


def test_a_row_of_a_very_wide_table_shows_letter_by_letter() -> None:
    answer = StreamingAnswer(PAGE)
    text = "|" + "h|" * 40 + "\n|" + "-|" * 40 + "\n" + ("|" + "c|" * 40 + "\n") * 30
    above = len(answer.lines(text))
    shown = [strip.text.strip() for strip in answer.lines(text + "|new|and")]
    assert shown[above:] == ["|new|and"]


def test_a_row_costs_the_same_in_a_long_table_as_in_a_short_one() -> None:
    answer, steps, text = StreamingAnswer(PAGE), [], HEAD_OF_TWO
    for number in range(120):
        text += f"| cell {number % 7} | words {'w' * (number % 5)} |\n"
        steps.append(steps_of(lambda: answer.lines(text)))  # noqa: B023
    assert sum(steps[-20:]) < 2 * sum(steps[10:30])


def test_a_wider_column_draws_a_long_table_in_parts() -> None:
    answer, text = StreamingAnswer(PAGE), HEAD_OF_TWO + "| a | b |\n" * 500
    for end in range(0, len(text) + 1, 500):
        answer.lines(text[:end])
    text += "| a wide cell | b |\n"
    assert 2 * steps_of(lambda: answer.lines(text)) < steps_of(lambda: answer.finished(text))
    assert answer.finished(text) == answer_lines(AnswerBlock(key=0, text=text), PAGE)


async def test_escape_ends_a_stream_of_anything() -> None:
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    rows = "|" + "cell|" * 50 + "\n"
    async with app.run_test() as pilot:
        await until(pilot, lambda: app.driving.source is not None)
        app.driving.send("go", "steering")
        await until(pilot, lambda: ("drive", "go", "steering") in source.calls)
        source.say(*(ModelUpdate(delta=text) for text in (rows, "|-" * 50 + "|\n", *[rows] * 30)))
        source.say(*(ModelUpdate(delta=text) for text in ("\n\n", "> " * 99, "\n\n", "```\n" * 99)))
        await pilot.press("escape")
        await until(pilot, lambda: [call for call in source.calls if call[0] == "cancel"])
