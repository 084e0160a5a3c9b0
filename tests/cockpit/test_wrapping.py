"""Where lines break, and that nothing is lost there."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console
from rich.text import Text

from agent_cockpit.cockpit.render.wrapping import wrap

CONSOLE = Console(width=80)


def rows(text: str, width: int) -> list[str]:
    return [row.plain for row in wrap(Text(text), width, CONSOLE)]


@pytest.mark.parametrize(
    ("text", "width", "expected"),
    [
        ("average 関数は件数で割る", 16, ["average 関数は件", "数で割る"]),
        ("値が一つ。次も", 8, ["値が一", "つ。次も"]),
        ("値が「一つ」次も", 6, ["値が", "「一", "つ」次", "も"]),
        ("値は len(numbers) 個", 10, ["値は", "len(number", "s) 個"]),
        ("平均 average 値", 9, ["平均", "average", "値"]),
        ("データー", 4, ["デー", "ター"]),
        ("테스트 모두 통과했습니다", 12, ["테스트 모두", "통과했습니다"]),
    ],
)
def test_chinese_and_japanese_fill_their_rows(text: str, width: int, expected: list[str]) -> None:
    assert [row.rstrip() for row in rows(text, width)] == expected


@given(
    st.text(alphabet="a b(x)。、「」値ーテ🎉👩\u200d💻é각.\u0301\n", max_size=40),
    st.integers(2, 12),
)
def test_what_was_wrapped_reads_as_it_was_when_it_is_put_together(text: str, width: int) -> None:
    wrapped = wrap(Text(text), width, CONSOLE)
    assert all(row.cell_len <= width for row in wrapped)
    assert "".join("".join(rows(text, width)).split()) == "".join(text.split())
