"""Some hunks of an edit, and not one byte of the others."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.diff_lines import split_hunks
from agent_cockpit.workspace.editing.diffs import take_hunks
from agent_cockpit.workspace.editing.edits import PlannedEdit, plan_write
from agent_cockpit.workspace.editing.edits_in_part import hunk_count, keep_hunks
from agent_cockpit.workspace.editing.text_diff import unified_diff
from agent_cockpit.workspace.workspace import Workspace

LINES = st.lists(
    st.sampled_from(["a\n", "b\n", "--- x\n", "@@ -1 +1 @@\n", "\n", "c\r\n"]), max_size=40
)
TEXTS = st.builds(lambda lines, end: "".join(lines) + end, LINES, st.sampled_from(["", "end"]))


@given(TEXTS, TEXTS)
def test_all_hunks_are_the_edit_and_none_is_the_file(before: str, after: str) -> None:
    count = len(split_hunks(unified_diff("f", before, after))[1])
    assert take_hunks(before, after, range(count))[0] == after
    assert take_hunks(before, after, ())[0] == before


@given(TEXTS, TEXTS, st.sets(st.integers(0, 5)))
def test_what_is_kept_and_what_is_not_are_the_whole(
    before: str, after: str, kept: set[int]
) -> None:
    count = len(split_hunks(unified_diff("f", before, after))[1])
    part, _ = take_hunks(before, after, kept)
    rest = set(range(count)) - kept
    again = unified_diff("f", part, after)
    assert len(split_hunks(again)[1]) <= max(1, len(rest)) if rest else again == ""


@given(TEXTS, TEXTS)
def test_a_split_diff_is_the_diff(before: str, after: str) -> None:
    diff = unified_diff("f", before, after)
    head, hunks = split_hunks(diff)
    assert "\n".join([head, *hunks] if hunks else [head]) == diff
    assert all(hunk.startswith("@@ ") for hunk in hunks)


def test_shifts_say_how_lines_move() -> None:
    before = "".join(f"{n}\n" for n in range(40))
    after = before.replace("2\n", "2\nx\ny\n", 1).replace("30\n", "", 1)
    assert take_hunks(before, after, {0, 1})[1] == ((3, 2), (32, -1))
    assert take_hunks(before, after, {1})[1] == ((30, -1),)


def edit(tmp_path: Path, before: bytes, after: str) -> PlannedEdit:
    (tmp_path / "f").write_bytes(before)
    return plan_write(Workspace(tmp_path), "f", after, overwrite=True)


def test_refused_hunks_keep_their_bytes(tmp_path: Path) -> None:
    lines = ["caf\xe9\r\n", *(f"{n}\n" for n in range(20)), "last\xe9"]
    before = "".join(lines).encode("latin-1")
    after = "".join(["CAFÉ\r\n", *lines[1:-1], "last €"])
    planned = edit(tmp_path, before, after)
    assert hunk_count(planned) == 2
    first = keep_hunks(planned, [0])
    assert first.after == "".join(["CAFÉ\r\n", *lines[1:]]).encode("latin-1")
    assert keep_hunks(planned, [1]).after == "".join([*lines[:-1], "last €"]).encode()
    assert keep_hunks(planned, [0, 1]).after == planned.after


def test_a_new_file_is_all_or_nothing(tmp_path: Path) -> None:
    planned = plan_write(Workspace(tmp_path), "new", "a\n")
    assert hunk_count(planned) == 0
    with pytest.raises(ToolRefused, match="in part"):
        keep_hunks(planned, [0])


def test_one_hunk_is_all_or_nothing(tmp_path: Path) -> None:
    assert hunk_count(edit(tmp_path, b"a\n", "b\n")) == 0
