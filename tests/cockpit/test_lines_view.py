"""Wrapping loses no character and breaks no border."""

from __future__ import annotations

from itertools import accumulate

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from agent_cockpit.cockpit.consent.diff_body import diff_body
from agent_cockpit.cockpit.consent.plan_review import PlanReview
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.screens.plan_body import PlanBody
from agent_cockpit.cockpit.widgets.line_rows import wrapped
from agent_cockpit.cockpit.widgets.lines_view import LinesView
from tests.cockpit.screen import at_rest, until

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
    plan = PlanReview("- some words that wrap somewhere\nplain words that wrap too", ())
    body = PlanBody(plan.lines()[0])

    class Host(App[None]):
        def compose(self) -> ComposeResult:
            yield body

    async with Host().run_test(size=(20, 8)):
        rows = [body.render_line(y).text.rstrip() for y in range(5)]
    assert rows == [
        "▸ - some words that",
        "    wrap somewhere",
        "  plain words that",
        "  wrap too",
        "",
    ]


class DiffHost(App[None]):
    """Holds the lines of a diff."""

    def __init__(self, diff: str, *, wrap: bool, beside: bool = False) -> None:
        super().__init__()
        self.remembered = Remembered()
        self.remembered.keep(diffs="beside" if beside else "unified")
        self.view = LinesView(list(diff_body(diff.split("\n"))), wrap=wrap)

    def compose(self) -> ComposeResult:
        yield self.view

    def rows(self) -> list[str]:
        """The rows that hold something."""
        shown = (self.view.render_line(y).text.rstrip() for y in range(self.size.height))
        return [row for row in shown if row]


HUNKS = "@@ -9,2 +9,2 @@ def f():\n \tsame = 1\n-x = 1 + 1\n+x = 2 + 1\n@@ -40 +40 @@\n+last"


async def test_a_line_of_a_diff_has_its_number_and_its_sign() -> None:
    app = DiffHost(HUNKS, wrap=True)
    async with app.run_test(size=(40, 10)):
        assert app.rows() == [
            "    ⋯ def f():",
            "  9       same = 1",
            " 10 − x = 1 + 1",
            " 10 + x = 2 + 1",
            "    ⋯",
            " 40 + last",
        ]


async def test_a_long_line_of_a_diff_goes_on_under_its_code() -> None:
    app = DiffHost("@@ -1 +1 @@\n+one two three four", wrap=True)
    async with app.run_test(size=(20, 10)):
        assert app.rows() == ["  1 + one two three", "      four"]


async def test_numbers_and_signs_stay_while_code_is_scrolled_sideways() -> None:
    app = DiffHost("@@ -1 +1 @@\n-0123456789" + "x" * 40, wrap=False)
    async with app.run_test(size=(30, 10)) as pilot:
        await at_rest(pilot)
        app.view.scroll_to(x=4, animate=False)
        await until(pilot, lambda: app.view.scroll_x == 4)
        assert app.rows()[0].startswith("  1 − 456789x")


@pytest.mark.parametrize("width", [80, 14])
async def test_a_diff_is_copied_with_its_signs_and_without_its_numbers(width: int) -> None:
    app = DiffHost(HUNKS, wrap=True)
    async with app.run_test(size=(width, 20)) as pilot:
        app.view.text_select_all()
        await until(pilot, lambda: app.screen.get_selected_text())
        copied = app.screen.get_selected_text()
        assert copied is not None
        assert copied.split("\n")[1:4] == ["     same = 1", "-x = 1 + 1", "+x = 2 + 1"]
        marked = app.view.render_line(2)
        look = app.screen.get_component_rich_style("screen--selection").bgcolor
        chosen = [s.text for s in marked if s.style is not None and s.style.bgcolor == look]
        assert "".join(chosen).strip() in "x = 1 + 1"
        assert "".join(chosen).strip()


async def test_the_words_that_changed_have_a_ground_of_their_own() -> None:
    app = DiffHost(HUNKS, wrap=True)
    async with app.run_test(size=(40, 10)):
        segments = list(app.view.render_line(2))
        plain = list(app.view.render_line(1))
    grounds = {segment.style.bgcolor for segment in plain if segment.style is not None}
    assert len(grounds) == 1
    changed = next(segment for segment in segments if segment.text == "1")
    other = next(segment for segment in segments if "x = " in segment.text)
    assert changed.style is not None
    assert other.style is not None
    assert changed.style.bgcolor != other.style.bgcolor


async def test_the_words_that_changed_are_marked_where_a_newline_is_missing() -> None:
    app = DiffHost("@@ -1 +1 @@\n-x = 1\n\\ No newline at end of file\n+x = 2", wrap=True)
    async with app.run_test(size=(40, 10)):
        segments = list(app.view.render_line(2))
    changed = next(segment for segment in segments if segment.text == "2")
    other = next(segment for segment in segments if "x = " in segment.text)
    assert changed.style is not None
    assert other.style is not None
    assert changed.style.bgcolor != other.style.bgcolor


UNEVEN = """\
@@ -8,5 +9,4 @@ def f():
 same = 1
-one = 1
-two = 2
+one = 10
 漢字 = "👍🏽"
-gone
\\ No newline at end of file
+come
@@ -40,0 +41 @@
+only added"""


async def test_old_and_new_stand_beside_each_other() -> None:
    app = DiffHost(UNEVEN, wrap=True, beside=True)
    async with app.run_test(size=(60, 12)):
        assert app.rows() == [
            "    ⋯ def f():",
            "  8   same = 1               │   9   same = 1",
            "  9 − one = 1                │  10 + one = 10",
            " 10 − two = 2                │",
            ' 11   漢字 = "👍🏽"            │  11   漢字 = "👍🏽"',
            " 12 − gone                   │  12 + come",
            "      \\ No newline at end    │",
            "      of file                │",
            "    ⋯",
            " 41 + only added",
        ]


@pytest.mark.parametrize("width", [50, 51, 77])
async def test_the_border_between_old_and_new_is_straight(width: int) -> None:
    wide = "漢字 e\u0301 👨\u200d👩\u200d👧 " * 5
    app = DiffHost(f"@@ -1,2 +1,3 @@\n-{wide}\n+{wide} x\n+b\n {wide}", wrap=True, beside=True)
    async with app.run_test(size=(width, 40)):
        columns = {cell_len(row.partition("│")[0]) for row in app.rows()}
        assert len(app.rows()) > 4
    assert columns == {(width - 3) // 2 + 1}


async def test_a_narrow_view_has_no_room_for_two_sides() -> None:
    app = DiffHost(HUNKS, wrap=True, beside=True)
    async with app.run_test(size=(49, 12)):
        assert not any("│" in row for row in app.rows())


async def test_long_lines_are_scrolled_on_both_sides_to_their_ends() -> None:
    app = DiffHost(f"@@ -1 +1 @@\n-{'a' * 90}X\n+{'b' * 99}Y", wrap=False, beside=True)
    async with app.run_test(size=(60, 12)) as pilot:
        await at_rest(pilot)
        assert app.rows()[0].startswith("  1 − aaa")
        app.view.scroll_to(x=app.view.max_scroll_x, animate=False)
        await until(pilot, lambda: "Y" in app.rows()[0])
        assert app.rows()[0].endswith("bY")


async def test_of_two_sides_one_is_selected_and_copied_as_the_diff_has_it() -> None:
    app = DiffHost(UNEVEN, wrap=True, beside=True)
    async with app.run_test(size=(60, 12)) as pilot:
        await at_rest(pilot)
        await pilot.mouse_down(app.view, offset=(4, 2))
        await pilot.hover(app.view, offset=(12, 3))
        await pilot.mouse_up(app.view, offset=(12, 3))
        await until(pilot, lambda: app.screen.get_selected_text())
        assert app.screen.get_selected_text() == "-one = 1\n-two = 2"


def test_a_megabyte_is_wrapped_in_one_go() -> None:
    assert len(wrapped("y" * 1_000_000, 100)) == 10_000
