"""Vim's keys: what each does to a text."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from agent_cockpit.cockpit.vim.operators import MOST_PUT_CHARS
from agent_cockpit.cockpit.vim.state import (
    MOST_TIMES,
    Change,
    Edit,
    Order,
    Step,
    Vim,
    Written,
    Wrote,
)
from agent_cockpit.cockpit.vim.vim import press

_NAMES = {"\x1b": "escape", "\x12": "ctrl+r", "\x08": "backspace", "\r": "enter"}
CASES = json.loads((Path(__file__).parent / "vim_cases.json").read_text(encoding="utf-8"))


def typed(shown: str, keys: str) -> tuple[str, Vim]:
    """What a text with its cursor at `|` becomes by keys in normal mode."""
    text = shown.replace("|", "")
    written, vim = Written(text, shown.index("|")), Vim(mode="normal", seen=text)
    for key in keys:
        step = press(vim, _NAMES.get(key, key), written)
        vim, written = step.vim, step.applied(written)
        if step.taken or vim.mode != "insert":
            continue
        start = written.cursor - (key == "\x08")
        more = "" if key == "\x08" else "\n" if key == "\r" else key
        left = Edit(start, written.cursor, more).applied(written.text)
        written = Written(left, start + len(more))
    return f"{written.text[: written.cursor]}|{written.text[written.cursor :]}", vim


def test_keys_do_what_they_do_in_vim() -> None:
    """The table is vim's own: `tests.support.record_vim` records it."""
    others = []
    for shown, keys, after, register in CASES:
        text, vim = typed(shown, keys)
        held = vim.register + "\n" * vim.holds_lines
        if (text, held) != (after, register):
            others.append((shown, keys, after, register, text, held))
    assert not others, others[:5]
    assert len(CASES) > 1000


@pytest.mark.parametrize(
    ("shown", "keys", "after"),
    [
        ("ab|c", "h", "a|bc"),
        ("|abc", "h", "|abc"),
        ("|abc", "2l", "ab|c"),
        ("|abc", "9l", "ab|c"),
        ("|a\nb", "l", "|a\nb"),
        ("|e\u0301x", "l", "e\u0301|x"),
        ("|fix the bug", "w", "fix |the bug"),
        ("|fix the bug", "2w", "fix the |bug"),
        ("fix the |bug", "w", "fix the bu|g"),
        ("|f(x)", "w", "f|(x)"),
        ("|a\n\nb", "w", "a\n|\nb"),
        ("a\n|\n  b", "w", "a\n\n  |b"),
        ("fix the b|ug", "b", "fix the |bug"),
        ("fix the |bug", "2b", "|fix the bug"),
        ("a\n\n|b", "b", "a\n|\nb"),
        ("|fix the", "e", "fi|x the"),
        ("fi|x the", "e", "fix th|e"),
        ("|fix\n a_1", "2e", "fix\n a_|1"),
        ("a\n|", "e", "a\n|"),
        ("  ab|c", "0", "|  abc"),
        ("  ab|c", "^", "  |abc"),
        ("|abc\nd", "$", "ab|c\nd"),
        ("|abc\nde", "2$", "abc\nd|e"),
        ("|", "$wbeh", "|"),
        ("a\nb\n|c", "gg", "|a\nb\nc"),
        ("|a\nb\n  c", "G", "a\nb\n  |c"),
        ("|a\nb\nc", "2G", "a\n|b\nc"),
        ("a\nb\n|c", "2gg", "a\n|b\nc"),
        ("|10 x", "10l", "10 |x"),
    ],
)
def test_motions(shown: str, keys: str, after: str) -> None:
    text, vim = typed(shown, keys)
    assert (text, vim.mode, vim.is_pending, vim.past) == (after, "normal", False, ())


@pytest.mark.parametrize(
    ("shown", "keys", "after", "register"),
    [
        ("a|bc", "x", "a|c", "b"),
        ("ab|c", "x", "a|b", "c"),
        ("|abc", "2x", "|c", "ab"),
        ("|", "x", "|", ""),
        ("|e\u0301x", "x", "|x", "e\u0301"),
        ("ab|c", "X", "a|c", "b"),
        ("a\n|b\nc", "dd", "a\n|c", "b"),
        ("a\n|b", "dd", "|a", "b"),
        ("|a", "dd", "|", "a"),
        ("|a\nb\nc", "2dd", "|c", "a\nb"),
        ("|a\nb\nc", "d2d", "|c", "a\nb"),
        ("|a\nb", "9dd", "|", "a\nb"),
        ("|a\nb\nc", "dj", "|c", "a\nb"),
        ("a\nb\n|c", "dk", "|a", "b\nc"),
        ("a\n|b\nc", "dG", "|a", "b\nc"),
        ("a\n|b\nc", "dgg", "|c", "a\nb"),
        ("a|bc de", "D", "|a", "bc de"),
        ("|fix the bug", "dw", "|the bug", "fix "),
        ("|fix the bug", "2dw", "|bug", "fix the "),
        ("|fix\nbug", "dw", "|\nbug", "fix"),
        ("fix the |bug", "db", "fix |bug", "the "),
        ("|fix the", "de", "| the", "fix"),
        ("fi|x the", "d0", "|x the", "fi"),
        ("a |b\nc", "d$", "a| \nc", "b"),
        ("|a b c d e", "2d2w", "|e", "a b c d "),
    ],
)
def test_what_is_cut_is_held(shown: str, keys: str, after: str, register: str) -> None:
    text, vim = typed(shown, keys)
    assert (text, vim.register, vim.mode) == (after, register, "normal")


@pytest.mark.parametrize(
    ("shown", "keys", "after"),
    [
        ("|fix the", "cwmend", "mend| the"),
        ("|a b c", "c2wx", "x| c"),
        ("a| b", "cwx", "ax|b"),
        ("|f x", "cwgg", "gg| x"),
        ("a\n  |b\nc", "ccx", "a\nx|\nc"),
        ("ab|cd", "Cx", "abx|"),
        ("a|bc", "sx", "ax|c"),
        ("a|b", "ix", "ax|b"),
        ("a|b", "ax", "abx|"),
        ("|", "ax", "x|"),
        ("  a|b", "Ix", "  x|ab"),
        ("| ", "Ix", " x|"),
        ("|ab\nc", "Ax", "abx|\nc"),
        ("a|b\nc", "ox", "ab\nx|\nc"),
        ("a\n|b", "Ox", "a\nx|\nb"),
    ],
)
def test_what_begins_to_write(shown: str, keys: str, after: str) -> None:
    text, vim = typed(shown, keys)
    assert (text, vim.mode) == (after, "insert")


@pytest.mark.parametrize(
    ("shown", "keys", "after"),
    [
        ("|a\nb", "yyp", "a\n|a\nb"),
        ("a\n|b", "yyP", "a\n|b\nb"),
        ("|a\nb", "ddp", "b\n|a"),
        ("|a", "yy2p", "a\n|a\na"),
        ("|ab", "xp", "b|a"),
        ("|ab c", "ywP", "ab| ab c"),
        ("|ab c", "yw$p", "ab cab| "),
        ("a|b", "yhp", "a|ab"),
        ("|ab", "p", "|ab"),
    ],
)
def test_what_was_held_is_put(shown: str, keys: str, after: str) -> None:
    assert typed(shown, keys)[0] == after


@pytest.mark.parametrize(
    "keys",
    [
        *("d\x1b", "2\x1b", "g\x1b", "dz", "gz", "2d\x1b", "dgz", "zZ?:/", "dj", "dk", "di("),
        *("u", ".", "\x12", "v\x1b", "Vz\x1b", "viz\x1b", "r\x1b", "vr\x1b\x1b", "J", "2dd"),
        *("gU\x1b", "fz", "d\r", "f\r"),
    ],
)
def test_a_command_that_is_none_changes_nothing(keys: str) -> None:
    text, vim = typed("a|b", keys)
    assert text == "a|b"
    assert (vim.mode, vim.is_pending, vim.past, vim.change) == ("normal", False, (), None)


@pytest.mark.parametrize(
    ("keys", "before"),
    [
        ("xiab\x1b", ["b", ""]),
        ("cwnew\x1bA!\x1b", ["b", "new"]),
        ("i\x1bx", ["b"]),
        ("ofo\x08\x1b.u", ["b"]),
    ],
)
def test_a_command_with_what_was_typed_after_it_is_one_change(keys: str, before: list[str]) -> None:
    _, vim = typed("|b", keys)
    assert [moment.text for moment in vim.past] == before


def test_what_came_from_elsewhere_can_be_undone_as_well() -> None:
    vim = Vim(mode="normal", seen="my draft")
    step = press(vim, "u", Written("a recalled prompt", 3))
    assert step.applied(Written("a recalled prompt", 3)).text == "my draft"


def test_a_chip_is_cut_as_one() -> None:
    written = Written("a[chip]b", 1, ((1, 7),))
    step = press(Vim(mode="normal"), "x", written)
    assert (step.edit, step.vim.register) == (Edit(1, 7), "[chip]")
    selecting = press(Vim(mode="normal"), "v", written).vim
    assert press(selecting, "d", written).edit == Edit(1, 7)
    assert press(selecting, "p", written).edit == Edit(1, 7)


@pytest.mark.parametrize(
    ("keys", "text"),
    [
        ("V~", "A[chip]BSS"),
        ("VU", "A[chip]BSS"),
        ("9~", "A[chip]BSS"),
        ("lv~", "a[chip]bß"),
    ],
)
def test_a_chip_keeps_its_letters_whatever_case_is_wanted(keys: str, text: str) -> None:
    now = Written("a[chip]bß", 0, ((1, 7),))
    vim = Vim(mode="normal")
    for key in keys:
        step = press(vim, key, now)
        vim, now = step.vim, Written(step.applied(now).text, step.applied(now).cursor, now.wholes)
    assert now.text == text


def test_what_is_typed_again_takes_a_chip_away_whole_or_not_at_all() -> None:
    vim = Vim(mode="normal", change=Change(("i",), None, Wrote(1, "Z")))
    now = Written("a[chip] b", 7, ((1, 7),))
    assert press(vim, ".", now).applied(now).text == "aZ b"


def test_a_slip_on_the_digits_costs_nothing() -> None:
    vim = Vim(mode="normal", register="abc", count="9" * 500)
    put = press(vim, "p", Written("", 0)).edit
    assert put is not None
    assert len(put.text) <= MOST_PUT_CHARS
    text, _ = typed("|", f"{'9' * 500}ix\x1b")
    assert len(text) <= MOST_TIMES + 1


@pytest.mark.parametrize(("key", "order"), [("k", "up"), ("j", "down")])
def test_what_the_prompt_does_itself_is_ordered(key: str, order: Order) -> None:
    asked = press(Vim(mode="normal", count="3", seen="a"), key, Written("a", 0))
    assert asked == Step(vim=Vim(mode="normal", seen="a"), order=order, times=3)


@pytest.mark.parametrize("key", ["enter", "ctrl+g", "left", "escape"])
def test_other_keys_stay_what_they_are(key: str) -> None:
    assert not press(Vim(mode="normal"), key, Written("a", 0)).taken
