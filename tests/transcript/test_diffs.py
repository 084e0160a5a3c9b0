"""Unified diffs read back as values."""

from __future__ import annotations

import difflib

from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.transcript.diffs import diff_counts, diff_paths, parse_diff, with_marks
from tests.transcript.stories import EDIT_DIFF


def test_lines_carry_the_numbers_of_their_side() -> None:
    (file,) = parse_diff(EDIT_DIFF)
    assert file.path == "calc.py"
    assert [(line.kind, line.number) for line in file.hunks[0].lines] == [
        ("context", 2),
        ("context", 3),
        ("context", 4),
        ("removed", 5),
        ("added", 5),
    ]
    assert file.hunks[0].heading == "def average(numbers):"


def test_a_changed_line_marks_only_the_words_that_differ() -> None:
    (file,) = parse_diff(EDIT_DIFF)
    removed = with_marks(file.hunks[0].lines)[3]
    marked = [removed.text[start:end] for start, end in removed.marks]
    assert marked == ["(", " - 1)"]


def test_only_lines_that_are_wanted_are_marked_and_as_they_would_be_among_all() -> None:
    before, after = (
        "".join(f"{sign}word {number} {sign * 2}\n" for number in range(90)) for sign in "-+"
    )
    (file,) = parse_diff(f"--- a/x\n+++ b/x\n@@ -1,90 +1,90 @@\n{before}{after}")
    lines = file.hunks[0].lines
    whole = with_marks(lines)
    assert all(line.marks for line in whole)
    for most in (0, 1, 40, 90, 100, 180, 200):
        assert with_marks(lines, most) == whole[:most]
    assert not any(line.marks for line in lines)


def test_a_made_and_a_deleted_file_keep_their_one_name() -> None:
    made = "--- /dev/null\n+++ b/new.py\n@@ -0,0 +1,2 @@\n+a\n+b\n"
    gone = "--- a/old.py\n+++ /dev/null\n@@ -1 +0,0 @@\n-a\n"
    assert diff_paths(made + gone) == ("new.py", "old.py")
    assert diff_counts(made + gone) == (2, 1)


def test_a_removed_line_of_dashes_is_no_new_file() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1,2 +1,2 @@\n--- old\n+++ new\n same\n"
    (file,) = parse_diff(text)
    assert [line.text for line in file.hunks[0].lines] == ["-- old", "++ new", "same"]


def test_a_missing_newline_is_a_note() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+b\n"
    (file,) = parse_diff(text)
    assert [line.kind for line in file.hunks[0].lines] == ["removed", "note", "added"]


def test_words_that_differ_are_marked_across_a_missing_newline() -> None:
    text = "--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a = 1\n\\ No newline at end of file\n+a = 2\n"
    (file,) = parse_diff(text)
    old, note, new = with_marks(file.hunks[0].lines)
    assert (old.marks, note.marks, new.marks) == (((4, 5),), (), ((4, 5),))


def test_what_git_says_beside_the_lines_is_kept() -> None:
    text = "diff --git a/a.bin b/a.bin\nnew file mode 100644\nBinary files differ\n"
    (file,) = parse_diff(text)
    assert file.path == "a.bin"
    assert file.notes == ("new file mode 100644", "Binary files differ")


@given(st.text(alphabet="@-+ 01,\n\\abdifg/", max_size=200))
def test_any_text_is_accepted(text: str) -> None:
    diff_counts(text)


LINES = st.lists(st.text(alphabet="ab c-+", max_size=6), max_size=12)


@given(LINES, LINES)
def test_counts_agree_with_what_was_written(old: list[str], new: list[str]) -> None:
    lines = list(difflib.unified_diff(old, new, "a/x", "b/x", lineterm=""))
    plus = sum(line.startswith("+") for line in lines[2:])
    minus = sum(line.startswith("-") for line in lines[2:])
    assert diff_counts("\n".join(lines) + "\n") == (plus, minus)
