"""The lines that may be edited, and how the range follows edits."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.consent.edit_boundary import EditBoundary, span_words

LINES = st.integers(0, 10_000)
DELTAS = st.integers(-20_000, 20_000)


@st.composite
def boundaries(draw: st.DrawFn) -> EditBoundary:
    start = draw(LINES)
    return EditBoundary.new(start, start + draw(LINES))


@pytest.mark.parametrize(("start", "end"), [(0, 0), (3, 3), (3, 9)])
def test_a_range_of_at_least_one_line_is_a_boundary(start: int, end: int) -> None:
    assert EditBoundary.new(start, end) == EditBoundary(start, end)


@pytest.mark.parametrize(
    ("start", "end", "reason"),
    [(9, 3, "start must not exceed end"), (-2, 5, "must be >= 0"), (-7, -9, "must be >= 0")],
)
def test_what_is_no_range_is_refused_with_both_numbers_and_the_reason(
    start: int, end: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=reason) as refusal:
        EditBoundary.new(start, end)
    assert str(start) in str(refusal.value)
    assert str(end) in str(refusal.value)


@pytest.mark.parametrize(
    ("line", "inside"), [(2, False), (3, True), (5, True), (7, True), (8, False)]
)
def test_both_ends_are_inside(line: int, inside: bool) -> None:
    assert EditBoundary(3, 7).contains_line(line) is inside


@pytest.mark.parametrize(
    ("first", "last", "inside"),
    [(3, 7, True), (4, 4, True), (2, 4, False), (6, 8, False), (0, 20, False), (6, 4, False)],
)
def test_a_range_is_inside_when_all_of_it_is(first: int, last: int, inside: bool) -> None:
    assert EditBoundary(3, 7).contains_range(first, last) is inside


@pytest.mark.parametrize(
    ("edit_line", "delta", "after"),
    [
        (8, 5, (3, 7)),
        (2, 4, (7, 11)),
        (2, -2, (1, 5)),
        (0, -5, (0, 2)),
        (0, -50, (0, 0)),
        (3, 2, (3, 9)),
        (7, -1, (3, 6)),
        (5, -50, (3, 3)),
        (2, 0, (3, 7)),
        (5, 0, (3, 7)),
    ],
)
def test_the_range_follows_an_edit(edit_line: int, delta: int, after: tuple[int, int]) -> None:
    assert EditBoundary(3, 7).adjust(edit_line, delta) == EditBoundary(*after)


@given(boundaries(), LINES, DELTAS)
def test_no_edit_turns_a_boundary_into_something_that_is_none(
    boundary: EditBoundary, edit_line: int, delta: int
) -> None:
    after = boundary.adjust(edit_line, delta)
    assert EditBoundary.new(after.start, after.end) == after


@given(boundaries(), LINES, DELTAS)
def test_an_edit_above_keeps_the_span_unless_the_file_ends_before_it(
    boundary: EditBoundary, edit_line: int, delta: int
) -> None:
    after = boundary.adjust(edit_line, delta)
    if edit_line < boundary.start and boundary.start + delta >= 0:
        assert after.end - after.start == boundary.end - boundary.start


@given(boundaries(), LINES)
def test_an_edit_that_adds_no_line_moves_nothing(boundary: EditBoundary, edit_line: int) -> None:
    assert boundary.adjust(edit_line, 0) == boundary


def test_people_count_lines_from_one() -> None:
    assert EditBoundary(0, 0).words == "line 1"
    assert span_words(2, 9) == "lines 3-10"
