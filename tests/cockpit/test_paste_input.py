"""What a terminal sends, cut at every place: a paste comes out whole, and no key of it."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual import events
from textual.message import Message

from agent_cockpit.cockpit.prompt.paste_input import BEGIN, END, PasteParser

COLOURED = "\x1b[31mred\x1b[0m\r\x1b]52;c;aGk=\x07\x1b\x1b[200~y"


class Parser(PasteParser):
    """Reads a clock that the test moves."""

    now_s = 0.0

    def clock(self) -> float:
        return self.now_s


def told(pieces: Iterable[str], *, apart_s: float = 0.0) -> list[str]:
    """What comes out of pieces that come so far apart: `paste …` and keys by name."""
    parser = Parser()
    messages: list[Message] = []
    for piece in pieces:
        messages += parser.feed(piece)
        parser.now_s += apart_s
        messages += parser.tick()
    return [
        f"paste {message.text}" if isinstance(message, events.Paste) else message.key
        for message in messages
        if isinstance(message, events.Paste | events.Key)
    ]


@pytest.mark.parametrize("place", range(1, len(f"{BEGIN}{COLOURED}{END}x")))
def test_a_paste_cut_anywhere_holds_its_escapes_and_types_nothing(place: int) -> None:
    sent = f"{BEGIN}{COLOURED}{END}x"
    assert told([sent[:place], sent[place:]]) == [f"paste {COLOURED}", "x"]


def test_keys_around_pastes_stay_keys() -> None:
    sent = f"a\x1b[D{BEGIN}one{END}\r{BEGIN}two\x1b{END}\x1b[A"
    assert told([sent]) == ["a", "left", "paste one", "enter", "paste two\x1b", "up"]


@given(st.text(alphabet="ab\x1b[201~\r", max_size=20), st.integers(1, 5))
def test_any_text_without_the_end_mark_is_one_paste(text: str, size: int) -> None:
    text = text.replace(END, "") or "a"
    if END in f"{text}{END}"[:-1]:
        return
    sent = f"{BEGIN}{text}{END}"
    pieces = [sent[at : at + size] for at in range(0, len(sent), size)]
    assert told(pieces) == [f"paste {text}"]


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b$", ["alt+dollar_sign"]),
        ("\x1b0", ["alt+0"]),
        ("\x1bx$", ["alt+x", "dollar_sign"]),
        ("\x1bX", ["alt+shift+x"]),
        ("\x1b.", ["alt+full_stop"]),
        ("\x1b\r", ["alt+enter"]),
        ("\x1b\x7f", ["alt+backspace"]),
        ("\x1bb\x1bfd", ["alt+b", "alt+f", "d"]),
        ("\x1b[27;2;13~\x1b[27;3;13~", ["shift+enter", "alt+enter"]),
        ("\x1b[27;5;114~", ["ctrl+r"]),
        ("\x1b[13;2u\x1b[98;3u", ["shift+enter", "alt+b"]),
        ("\x1b\x1b", ["escape", "escape"]),
    ],
)
def test_alt_is_a_part_of_a_keys_name_whatever_the_key(sent: str, keys: list[str]) -> None:
    assert told([sent, ""]) == keys


@pytest.mark.parametrize("sign", ["d", "t", "2", ".", "_", "]", "P", "^"])
def test_a_key_with_alt_that_repeats_stays_that_key(sign: str) -> None:
    keys = told([f"\x1b{sign}" * 2, f"\x1b{sign}", f"\x1b{sign}", ""])
    assert len(set(keys)) == 1
    assert len(keys) == 4
    assert keys[0].startswith("alt+")


@pytest.mark.parametrize("sent", ["\x1b\x1b[A", "\x1b\x1bOA"])
def test_an_arrow_behind_an_escape_in_one_piece_is_the_arrow_with_alt(sent: str) -> None:
    assert told([sent]) == ["alt+up"]
    assert told([sent[:1], sent[1:]]) == ["escape", "up"]


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[97;5:1u", ["ctrl+a"]),
        ("\x1b[97:65;2:2u", ["shift+a"]),
        ("\x1b[97;5:3u", []),
        ("\x1b[1;1:3A", []),
        ("\x1b[99999999999u\x1b[1;99999999999;99999999999u", []),
        ("\x1b[27;5;99999999999~", []),
        ("\x1b[<;;M\x1b[<9;9M", []),
    ],
)
def test_what_names_no_key_is_none_and_the_next_one_is(sent: str, keys: list[str]) -> None:
    assert told([f"{sent}x"]) == [*keys, "x"]


REPORTS = (
    *("\x1b[?64;1;2;6;9;15;22c", "\x1b[?1;2c", "\x1b[>41;390;0c", "\x1b[0n", "\x1b[?997;1n"),
    *("\x1b[?0u", "\x1b[?u", "\x1b[8;24;80t", "\x1b[4;600;800t", "\x1b]11;rgb:ffff/ffff/ffff\x07"),
    *("\x1b]4;1;rgb:00/00/00\x1b\\", "\x1b]52;c;aGk=\x07", "\x1bP>|XTerm(390)\x1b\\"),
    *("\x1bP1+r5463=31\x1b\\", "\x1bP!|00000000\x1b\\", "\x1b_Gi=31;OK\x1b\\"),
)


@pytest.mark.parametrize("report", [*REPORTS, "".join(REPORTS)])
def test_what_a_terminal_tells_about_itself_is_typed_nowhere(report: str) -> None:
    assert told([f"a{report}b"]) == ["a", "b"]
    assert told([report]) == []
    assert told([f"{BEGIN}{report}{END}{report}x"]) == [f"paste {report}", "x"]


@pytest.mark.parametrize(
    ("sent", "keys"),
    [
        ("\x1b[99;5u", ["ctrl+c"]),
        ("\x1b[13;2u", ["shift+enter"]),
    ],
)
def test_keys_that_begin_like_a_report_stay_keys(sent: str, keys: list[str]) -> None:
    assert told([sent]) == keys


FOCUS, CURSOR, MODE = "\x1b[I", "\x1b[12;40R", "\x1b[?2026;2$y"
CUT = [
    (report, place)
    for report in (*REPORTS, FOCUS, CURSOR, MODE, "\x1b[<35;12;40M")
    for place in range(1, len(report))
]


@pytest.mark.parametrize(("report", "place"), CUT)
def test_a_report_cut_over_two_reads_is_typed_nowhere(report: str, place: int) -> None:
    assert told([f"a{report[:place]}", f"{report[place:]}b"]) == ["a", "b"]


@pytest.mark.parametrize(("report", "place"), [each for each in CUT if each[1] > 2])
def test_a_report_whose_rest_is_slow_is_typed_nowhere(report: str, place: int) -> None:
    assert told([f"a{report[:place]}", f"{report[place:]}b"], apart_s=0.5) == ["a", "b"]


@pytest.mark.parametrize("begun", ["\x1b]11;rgb:ff", "\x1b[12;4", "\x1bP>|XT", "\x1b[<35;1"])
def test_what_a_report_that_broke_off_began_with_is_typed_nowhere(begun: str) -> None:
    assert told([f"a{begun}", "b", ""], apart_s=5.0) == ["a", "b"]
    assert told([f"a{begun}\x1b[A", "b"]) == ["a", "up", "b"]
    assert told([begun, ""]) == []


@pytest.mark.parametrize(
    ("sent", "key"),
    [
        ("\x1b", "escape"),
        ("\x1b[", "alt+left_square_bracket"),
        ("\x1b]", "alt+right_square_bracket"),
    ],
)
def test_a_key_that_a_report_may_begin_with_is_pressed_after_a_moment(sent: str, key: str) -> None:
    assert told([sent]) == []
    assert told([sent], apart_s=0.2) == [key]
    assert told([sent, "x"], apart_s=0.2) == [key, "x"]
    assert told([sent, sent, ""]) == [key, key]


@pytest.mark.parametrize("place", range(3, len(BEGIN)))
def test_a_paste_whose_mark_was_cut_is_one_however_slow_the_rest(place: int) -> None:
    sent = f"{BEGIN}rm -rf x\r{END}"
    assert told([sent[:place], sent[place:]], apart_s=60.0) == ["paste rm -rf x\r"]
