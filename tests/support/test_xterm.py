"""The quick screen shows what a slow one shows, whatever is written."""

from __future__ import annotations

import unicodedata

import pyte
from hypothesis import example, given, settings
from hypothesis import strategies as st
from wcwidth import wcwidth

from tests.support.xterm import Xterm, whole_characters

_SIZES = st.tuples(st.integers(1, 4), st.integers(1, 9))
_TEXT = st.text("ab ─é字🙂☀\ufe0f\u0301\u200d\x01\r\n\t\b\v", min_size=1, max_size=12)
_NUMBER = st.integers(0, 7)
_ONE = st.builds(lambda n, final: f"\x1b[{n}{final}", _NUMBER, st.sampled_from("@ABCDEFGLMPXd"))
_TWO = st.builds(
    lambda n, m, final: f"\x1b[{n};{m}{final}", _NUMBER, _NUMBER, st.sampled_from("Hr")
)
_ERASING = st.builds(
    lambda how, final: f"\x1b[{how}{final}", st.integers(0, 2), st.sampled_from("JK")
)
_MODES = st.sampled_from(
    [f"\x1b[{mode}{to}" for mode in ("4", "20", "?7", "?5", "?3") for to in "hl"]
)
_ESCAPES = st.sampled_from([f"\x1b{final}" for final in ("7", "8", "c", "D", "E", "M", "#8")])
_WRITTEN = st.one_of(_TEXT, _TEXT, _ONE, _TWO, _ERASING, _MODES, _ESCAPES)


class _Slow(pyte.Screen):
    """Writes each character by itself, and reads every cell each time."""

    def draw(self, data: str) -> None:
        super().draw("".join(char for char in data if wcwidth(char) or unicodedata.combining(char)))

    @property
    def display(self) -> list[str]:
        return [
            "".join(whole_characters([self.buffer[y][x].data for x in range(self.columns)]))
            for y in range(self.lines)
        ]


@settings(max_examples=400)
@example((1, 5), ["字b", "\r", "a"]).via("half of a wide character is left")
@example((1, 5), ["abc", "\r", "\x1b[4h", "d"]).via("what is inserted moves the rest")
@given(_SIZES, st.lists(st.one_of(_WRITTEN, _WRITTEN, _WRITTEN, _SIZES), max_size=25))
def test_the_rows_are_those_of_a_screen_that_remembers_nothing(
    size: tuple[int, int], acts: list[str | tuple[int, int]]
) -> None:
    lines, columns = size
    quick, slow = Xterm(columns, lines), _Slow(columns, lines)
    for act in acts:
        for screen in (quick, slow):
            if isinstance(act, str):
                pyte.Stream(screen).feed(act)
            else:
                screen.resize(*act)
        assert quick.display == slow.display
        assert (quick.cursor.x, quick.cursor.y) == (slow.cursor.x, slow.cursor.y)
