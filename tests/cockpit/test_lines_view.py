"""Wrapping loses no character and breaks no border."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.widgets.lines_view import wrapped
from agent_cockpit.cockpit.widgets.plan_body import PlanBody

CLUSTERS = (
    "👨\u200d👩\u200d👧",
    "❤\ufe0f",
    "👍🏽",
    "🇩🇪",
    "e\u0301",
    "漢",
    "\u1112\u1161\u11ab",
    "a",
    " ",
)
clusters = st.lists(st.sampled_from(CLUSTERS), max_size=60)
texts = st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"]), max_size=300)


@given(texts, st.integers(2, 40))
def test_the_pieces_joined_are_the_text_and_each_fits(text: str, width: int) -> None:
    pieces = wrapped(text, width)
    assert "".join(pieces) == text
    assert all(cell_len(piece) <= width for piece in pieces if len(piece) > 1)


@given(clusters, st.integers(2, 40))
def test_a_character_of_many_parts_stays_in_one_piece(parts: list[str], width: int) -> None:
    pieces = wrapped("".join(parts), width)
    assert all(cell_len(piece) <= width for piece in pieces)
    ends = {0, *accumulate(map(len, parts))}
    assert set(accumulate(map(len, pieces))) <= ends


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", [""]),
        ("short", ["short"]),
        ("git commit -m words", ["git commit ", "-m words"]),
        ("x" * 25, ["x" * 12, "x" * 12, "x"]),
        ("한글한글한글한글", ["한글한글한글", "한글"]),
    ],
)
def test_it_breaks_behind_words_where_it_can(text: str, pieces: list[str]) -> None:
    assert wrapped(text, 12) == pieces


def test_further_rows_leave_room_for_their_indent() -> None:
    assert wrapped("1. some words that wrap", 12, 3) == ["1. some ", "words ", "that wrap"]


async def test_a_step_of_a_plan_wraps_to_where_its_words_begin() -> None:
    body = PlanBody([Line("- some words that wrap somewhere"), Line("plain words that wrap too")])

    class Host(App[None]):
        def compose(self) -> ComposeResult:
            yield body

    async with Host().run_test(size=(20, 8)):
        rows = [body.render_line(y).text.rstrip() for y in range(5)]
    assert rows == [
        "- some words that",
        "  wrap somewhere",
        "plain words that",
        "wrap too",
        "",
    ]


def test_a_megabyte_is_wrapped_in_one_go() -> None:
    assert len(wrapped("y" * 1_000_000, 100)) == 10_000
