"""Lines on a terminal that is narrower than they are."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from typing import TextIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.plain.page import Page, Verbatim, folded
from agent_cockpit.text import cell_width
from tests.plain.paper import Paper

LONG = "- the words of a line that is much longer than the terminal is wide go on below"


@pytest.fixture
def terminal() -> Iterator[tuple[TextIO, int]]:
    """A terminal of 40 columns, as a stream and where what is written there can be read."""
    if sys.platform == "win32":
        pytest.skip("no pseudo-terminals")
    import fcntl
    import struct
    import termios

    shows, number = os.openpty()
    fcntl.ioctl(number, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 40, 0, 0))
    with os.fdopen(number, "w", encoding="utf-8") as out:
        yield out, shows
    os.close(shows)


def test_a_terminal_is_given_rows_that_end_between_words(terminal: tuple[TextIO, int]) -> None:
    out, shows = terminal
    code = "return total / (len(numbers) - 1)  # a line of code that is long"
    Page(out).say([LONG, Verbatim(code), f"    {code}", f"| {code} |"])
    rows = os.read(shows, 10_000).decode().split("\r\n")
    assert rows == [
        "- the words of a line that is much",
        "  longer than the terminal is wide go on",
        "  below",
        code,
        f"    {code}",
        f"| {code} |",
        "",
    ]


def test_a_paper_is_given_every_line_as_it_is() -> None:
    paper = Paper()
    Page(paper).say([LONG])
    assert paper.getvalue() == f"{LONG}\n"


@given(
    st.text(alphabet="ab 漢-12.>*", max_size=120).map(lambda text: text.rstrip(" ")),
    st.integers(20, 60),
)
def test_folding_loses_no_word_and_is_too_wide_for_none_but_one_word(line: str, width: int) -> None:
    rows = list(folded(line, width))
    assert " ".join(rows).split() == line.split()
    for row in rows:
        assert cell_width(row) <= width or len(row.split()) <= 2
