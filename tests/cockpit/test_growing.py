"""Whatever comes at once: a frame shows so much of it, and the frames together all of it."""

from __future__ import annotations

from datetime import UTC
from itertools import count, pairwise

import pytest
from markdown_it.token import Token
from rich.console import Console
from textual.strip import Strip

from agent_cockpit.cockpit.look.theme import DARK, palette_of
from agent_cockpit.cockpit.render.answer import StreamingAnswer, answer_lines
from agent_cockpit.cockpit.render.code import highlighted, lexer_for_path
from agent_cockpit.cockpit.render.fence import fence_of
from agent_cockpit.cockpit.render.markdown import parsed
from agent_cockpit.cockpit.render.open_piece import STEP_LINES
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.cockpit.transcript.growing import SLICE_CHARS, GrowingAnswer
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelUpdate, TurnStart
from agent_cockpit.transcript.blocks import AnswerBlock
from tests.cockpit.transcript_host import Host
from tests.support.waiting import until

PAGE = Page(width=80, palette=palette_of(DARK), console=Console(width=80), zone=UTC)
CODE = "".join(f'x{number} = f"{number}"  # {number}\n' for number in range(400))
QUOTED = 'text = """\n' + "not = 1  # a comment\n" * 100 + '"""\nx = 1\n'
"""What it is only known from its first line on, and a step does not begin there."""


def frames(text: str) -> list[list[Strip]]:
    """All frames of an answer that came at once, on a machine that reads a slice a frame."""
    seconds = count()
    answer = GrowingAnswer(PAGE, clock=lambda: next(seconds))
    drawn = [answer.lines(text, is_open=False)]
    while answer.is_behind:
        drawn.append(answer.lines(text, is_open=False))
    return drawn


def whole(text: str) -> list[Strip]:
    return answer_lines(AnswerBlock(key=0, text=text), PAGE)


def differing(one: list[Strip], other: list[Strip]) -> int:
    return sum(a is not b for a, b in zip(one, other, strict=False))


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"Paragraph {number}, **of some** words.\n\n" for number in range(900)),
        "".join(f"- item {number}\n" for number in range(900)),
        f"Before.\n\n```py\n{CODE}```\n\nBehind.\n",
        f"~~~py\n{QUOTED}~~~",
        f"```py\n{CODE}",
        "| a | b |\n|---|--:|\n" + "".join(f"| {n} | word {n} |\n" for n in range(500)),
    ],
    ids=["paragraphs", "a list", "code", "code that ends", "code without end", "a table"],
)
def test_frame_by_frame_it_becomes_what_it_is_as_a_whole(text: str) -> None:
    drawn = frames(text)
    assert len(drawn) > len(text) // SLICE_CHARS
    assert drawn[-1] == whole(text)
    assert len(drawn[0]) < len(drawn[-1]) // 2 or len(text) < 4 * SLICE_CHARS
    for before, after in pairwise(drawn):
        assert len(after) >= len(before) - STEP_LINES


def test_a_machine_that_is_quick_shows_all_of_it_in_one_frame() -> None:
    answer = GrowingAnswer(PAGE, clock=lambda: 0.0)
    text = "Words.\n\n" * 2_000
    assert answer.lines(text, is_open=True) == StreamingAnswer(PAGE).lines(text)
    assert not answer.is_behind


def test_code_whose_end_comes_is_coloured_a_step_a_frame() -> None:
    answer = StreamingAnswer(PAGE)
    text = f"Before.\n\n```py\n{QUOTED}{CODE[:9_000]}"
    for end in range(0, len(text), 700):
        answer.lines(text[:end])
    before = answer.lines(text)
    ended = f"{text}\n```\n"
    after = answer.lines(ended)
    assert differing(before, after) <= 2 * STEP_LINES
    steps = 0
    while answer.is_behind:
        before, after, steps = after, answer.lines(ended), steps + 1
        assert differing(before, after) <= STEP_LINES
    assert steps >= text.count("\n") // STEP_LINES - 1
    assert after == whole(ended)


def test_code_of_any_length_stays_as_it_was_drawn_when_its_end_comes() -> None:
    answer, code = StreamingAnswer(PAGE), CODE * 16
    assert len(code) > 100_000
    for end in range(0, len(code), len(code) // 20):
        answer.lines(f"```py\n{code[:end]}")
    before = answer.lines(f"```py\n{code}")
    after = answer.lines(f"```py\n{code}```\n\nBehind.")
    assert differing(before, after) <= STEP_LINES
    assert [strip.text.strip() for strip in after[-2:]] == ["", "Behind."]
    assert answer.finished(f"```py\n{code}```\n\nBehind.") == after


@pytest.mark.parametrize(
    ("text", "code", "is_open", "rest"),
    [
        ("```py\na\n```\nb", "a", False, "b"),
        ("~~~~\na\n~~~\n```\n~~~~~ \nb", "a\n~~~\n```", False, "b"),
        ("```\na\n```", "a", False, None),
        ("```\na\n```x", "a\n```x", True, None),
        ("```\n", "", True, None),
        ("```\n```\n", "", False, ""),
    ],
)
def test_the_end_of_a_code_block(text: str, code: str, is_open: bool, rest: str | None) -> None:
    fence = fence_of(text)
    assert fence is not None
    assert (fence.code, fence.is_open) == (code, is_open)
    assert (None if fence.end is None else text[fence.end :]) == rest


@pytest.mark.parametrize("text", ["a", "```a`\nb", "``\na", "```"])
def test_what_begins_no_code_block(text: str) -> None:
    assert fence_of(text) is None


@pytest.mark.parametrize("code", ["", "\n", "x = 1", 'a = """\nb\n\n"""\n\nc\n', "\tif x:\n  # y"])
def test_coloured_lines_have_the_letters_of_the_code(code: str) -> None:
    lexer = lexer_for_path("a.py")
    assert [line.plain for line in highlighted(code, lexer, PAGE.ink)] == code.split("\n")
    inks = [line.spans for line in highlighted("x = 1  # c\ny", lexer, PAGE.ink)]
    assert [bool(spans) for spans in inks] == [True, False]


def seen(host: Host) -> str:
    return "\n".join(host.view.render_line(y).text for y in range(host.view.size.height))


async def test_an_answer_that_comes_at_once_is_seen_before_all_of_it_is_read() -> None:
    host = Host()
    text = "".join(f"Paragraph {number} of **many**.\n\n" for number in range(1_500))
    async with host.run_test(size=(80, 24)) as pilot:
        host.feed(AgentStart(goal="g"), TurnStart(iteration=1), ModelUpdate(delta=text))
        host.feed(AgentEnd(outcome="success"))
        await until(lambda: "Paragraph" in seen(host))
        assert host.view.is_behind
        assert "Paragraph 1499" not in seen(host)
        await until(lambda: not host.view.is_behind)
        await pilot.pause()
        assert "Paragraph 1499 of many." in seen(host)


def test_rows_of_hundreds_of_columns_are_read_once() -> None:
    read = 0

    def parse(piece: str) -> list[Token]:
        nonlocal read
        read += len(piece)
        return parsed(piece)

    row, head = "|" + "a cell more|" * 400 + "\n", "|" + "h|" * 400 + "\n|" + "-|" * 400 + "\n"
    answer, text = StreamingAnswer(PAGE, parse=parse), head + row * 10
    for end in range(0, len(text), SLICE_CHARS):
        answer.lines(text[:end])
    assert read < 2 * len(text) + 10 * len(head)


LINES = "".join(f"x{number}\n" for number in range(3 * STEP_LINES))


@pytest.mark.parametrize(
    "text",
    [
        f"```\n{LINES} ",
        f"```\n{LINES}\n  \n\n\n ",
        f"```\n{LINES}```",
        f"~~~\n{LINES}~~~~ \n\nbehind",
        f"```\n{'x' * 6_000}",
        f"```\n{'ab cde ' * 1_000}\n```\nbehind",
        f"```py\n{'ab cde ' * 1_000}",
    ],
    ids=lambda text: f"{text[:8]}…{text[-12:]}",
)
@pytest.mark.parametrize("left", [None, 1, 2, 3])
def test_a_long_code_block_reads_as_the_whole_wherever_it_was_cut(
    text: str, left: int | None
) -> None:
    answer = StreamingAnswer(PAGE)
    for end in range(0, len(text), 97) if left is None else [len(text) - left]:
        answer.lines(text[:end])
    strips = answer.finished(text)
    while answer.is_behind:
        strips = answer.finished(text)
    assert strips == answer_lines(AnswerBlock(key=0, text=text), PAGE)
