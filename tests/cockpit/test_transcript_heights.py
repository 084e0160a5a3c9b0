"""Sums of heights, held against a plain list."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.cockpit.transcript.heights import Heights

LISTS = st.lists(st.integers(0, 9), max_size=70)
CHANGES = st.lists(st.tuples(st.integers(0, 200), st.integers(0, 9)), max_size=20)


@given(LISTS, CHANGES, LISTS)
def test_offsets_are_the_sums_of_what_is_above(
    first: list[int], changes: list[tuple[int, int]], later: list[int]
) -> None:
    heights, plain = Heights(), list(first)
    for height in first:
        heights.append(height)
    for at, height in changes:
        if plain:
            assert heights.set(at % len(plain), height) == (plain[at % len(plain)] != height)
            plain[at % len(plain)] = height
    for height in later:
        heights.append(height)
        plain.append(height)
    assert heights.total == sum(plain)
    assert [heights.offset(key) for key in range(len(plain) + 1)] == [
        sum(plain[:key]) for key in range(len(plain) + 1)
    ]


@given(LISTS)
def test_every_line_is_found_in_its_block(plain: list[int]) -> None:
    heights = Heights()
    for height in plain:
        heights.append(height)
    expected = [(key, line) for key, height in enumerate(plain) for line in range(height)]
    assert [heights.find(line) for line in range(heights.total)] == expected


def test_beyond_the_end_is_the_last_line() -> None:
    heights = Heights()
    assert heights.find(5) == (0, 0)
    heights.append(3)
    assert heights.find(99) == (0, 2)
