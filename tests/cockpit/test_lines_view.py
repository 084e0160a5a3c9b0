"""Wrapping loses no character and breaks no border."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from agent_cockpit.cockpit.widgets.lines_view import wrapped

texts = st.text(alphabet=st.characters(exclude_categories=["Cc", "Cs"]), max_size=300)


@given(texts, st.integers(2, 40))
def test_the_pieces_joined_are_the_text_and_each_fits(text: str, width: int) -> None:
    pieces = wrapped(text, width)
    assert "".join(pieces) == text
    assert all(cell_len(piece) <= width for piece in pieces if len(piece) > 1)


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


def test_a_megabyte_is_wrapped_in_one_go() -> None:
    assert len(wrapped("y" * 1_000_000, 100)) == 10_000
