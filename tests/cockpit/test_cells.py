"""Where a row is full: never within a character, and the same however it is counted."""

from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from agent_cockpit.cockpit.look.cells import end_of_character, end_of_row

_SIGNS = [*"ab é─של字\u200b", "🇩🇪", "🇩", "e\u0301", "☀\ufe0f", "👩\u200d🔧", "\u200d"]
_TEXT = st.lists(st.sampled_from(_SIGNS), max_size=12).map("".join)


@example("a🇩🇪", 0, 2).via("a flag, of two letters that each take one cell")
@given(_TEXT, st.integers(0, 20), st.integers(1, 12))
def test_a_row_ends_where_the_next_character_has_no_room(text: str, start: int, width: int) -> None:
    at, used = start, 0
    while at < len(text):
        end = end_of_character(text, at)
        used += cell_len(text[at:end])
        if used > width and at > start:
            break
        at = end
    assert end_of_row(text, start, width) == (at if start < len(text) else min(len(text), start))
