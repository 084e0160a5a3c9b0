"""Edits: what they refuse, and that they touch nothing but what they name."""

from __future__ import annotations

import os
import resource
import stat
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.errors import OutsideWorkspace, SensitivePath, ToolRefused
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.workspace.editing.commit import commit_edit
from agent_cockpit.workspace.editing.edits import (
    OutsideBoundary,
    plan_delete,
    plan_replace,
    plan_write,
)
from agent_cockpit.workspace.editing.replacing import LineShift
from agent_cockpit.workspace.encodings import LineEnds, decode
from agent_cockpit.workspace.workspace import Workspace


@pytest.fixture
def workspace(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path)


def put(workspace: Workspace, name: str, data: bytes | str) -> Path:
    path = workspace.root / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize(
    ("before", "old", "new", "after"),
    [
        (b"a\nb\nc\n", "b", "B", b"a\nB\nc\n"),
        (b"a\r\nb\r\nc\r\n", "a\nb\n", "a\nx\ny\n", b"a\r\nx\r\ny\r\nc\r\n"),
        (b"a\r\nb\r\nc\r\n", "a\r\nb", "a\r\nB", b"a\r\nB\r\nc\r\n"),
        (b"a\nb\r\nc\nd", "b\nc", "b\nC", b"a\nb\r\nC\nd"),
        (b"a\nb\r\nc\n", "b", "b\nb2", b"a\nb\r\nb2\r\nc\n"),
        (b"a\r\nlast", "last", "last\nmore", b"a\r\nlast\r\nmore"),
        (b"gone\nstays\n", "gone\n", "", b"stays\n"),
        (b"\xef\xbb\xbfa\xc3\xa9\n", "aé", "bé", b"\xef\xbb\xbfb\xc3\xa9\n"),
        ("é=1\n".encode("latin-1"), "1", "ü", "é=ü\n".encode("latin-1")),
        (
            "\ufeffname\r\n".encode("utf-16-le"),
            "name",
            "Name",
            "\ufeffName\r\n".encode("utf-16-le"),
        ),
        ("\ufeffx\n".encode("utf-16-be"), "x", "y\nz", "\ufeffy\nz\n".encode("utf-16-be")),
        (b"a\rb\x0cc\n", "c", "d", b"a\rb\x0cd\n"),
        (b"no end", "end", "newline", b"no newline"),
    ],
)
def test_a_replacement_keeps_every_other_byte(
    workspace: Workspace, before: bytes, old: str, new: str, after: bytes
) -> None:
    path = put(workspace, "f", before)
    assert commit_edit(plan_replace(workspace, "f", old, new))
    assert path.read_bytes() == after


@given(
    st.lists(st.sampled_from(["a", "b", "é", "\n", "\r\n", "\r", " "]), max_size=30),
    st.sampled_from(["X", "X\n", "\nX", "X\nY", ""]),
)
def test_what_surrounds_a_match_is_never_touched(pieces: list[str], new: str) -> None:
    head, tail = "".join(pieces[::2]), "".join(pieces[1::2])
    ends = LineEnds(head + "@@" + tail)
    start = ends.original_offset(ends.text.index("@@"))
    assert ends.original[:start] == head
    assert ends.original[start + 2 :] == tail


@given(st.binary(max_size=60))
def test_text_that_is_read_is_written_back_byte_for_byte(data: bytes) -> None:
    content = decode(data)
    if content is not None:
        assert content.encoding.encode(content.text) == data


def test_planning_writes_nothing_and_shows_the_change(workspace: Workspace) -> None:
    path = put(workspace, "calc.py", "def add(a, b):\n    return a - b\n")
    edit = plan_replace(workspace, "calc.py", "a - b", "a + b")
    assert path.read_text() == "def add(a, b):\n    return a - b\n"
    assert edit.diff == (
        "--- a/calc.py\n+++ b/calc.py\n@@ -1,2 +1,2 @@\n def add(a, b):\n"
        "-    return a - b\n+    return a + b\n"
    )
    assert (edit.added, edit.removed, edit.places) == (1, 1, 1)


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ("same", "same", "nothing would change"),
        ("same\n", "same\r\n", "nothing would change"),
        ("", "x", "old_string is empty"),
        ("zz", "x", "every space counts"),
        ("one   two", "x", "other spaces"),
        ("dup", "x", "occurs 3 times"),
    ],
)
def test_a_replacement_that_is_not_clear_is_refused(
    workspace: Workspace, old: str, new: str, words: str
) -> None:
    put(workspace, "f", "dup dup dup\none two\nsame\n")
    with pytest.raises(ToolRefused, match=words):
        plan_replace(workspace, "f", old, new)


def test_all_places_are_replaced_on_request(workspace: Workspace) -> None:
    path = put(workspace, "f", "x=1\ny\nx=1\n")
    edit = plan_replace(workspace, "f", "x=1\n", "x=2\nz\n", replace_all=True)
    assert edit.places == 2
    assert edit.shifts == (LineShift(0, 1), LineShift(3, 1))
    commit_edit(edit)
    assert path.read_text() == "x=2\nz\ny\nx=2\nz\n"


def test_same_text_with_other_line_ends_is_ambiguous(workspace: Workspace) -> None:
    put(workspace, "f", b"a\nb\na\r\nb\n")
    with pytest.raises(ToolRefused, match="occurs 2 times"):
        plan_replace(workspace, "f", "a\nb", "c")


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("gone", "write_file creates one"),
        ("d", "is a folder"),
        ("f/x", "is a file"),
        ("b", "binary"),
    ],
)
def test_what_cannot_be_edited_says_why(workspace: Workspace, name: str, words: str) -> None:
    put(workspace, "f", "x")
    put(workspace, "b", b"\0\1\2")
    (workspace.root / "d").mkdir()
    with pytest.raises(ToolRefused, match=words):
        plan_replace(workspace, name, "x", "y")


def test_a_named_pipe_is_refused_and_not_waited_on(workspace: Workspace) -> None:
    os.mkfifo(workspace.root / "pipe")
    with pytest.raises(ToolRefused, match="no regular file"):
        plan_replace(workspace, "pipe", "x", "y")
    with pytest.raises(ToolRefused, match="no regular file"):
        plan_write(workspace, "pipe", "x", overwrite=True)
    with pytest.raises(ToolRefused, match="no regular file"):
        plan_delete(workspace, "pipe")


def test_a_character_that_the_file_cannot_hold_is_refused(workspace: Workspace) -> None:
    put(workspace, "f", b"caf\xe9\n")
    with pytest.raises(ToolRefused, match="latin-1, which has no `€`"):
        plan_replace(workspace, "f", "caf", "€")
    with pytest.raises(ToolRefused):
        plan_write(workspace, "new", "\ud800")


def test_walls_hold_for_every_kind_of_edit(workspace: Workspace) -> None:
    (workspace.root / ".git").mkdir()
    for path, error in [
        ("../x", OutsideWorkspace),
        (".env", SensitivePath),
        (".git/config", ToolRefused),
    ]:
        with pytest.raises(error):
            plan_replace(workspace, path, "a", "b")
        with pytest.raises(error):
            plan_write(workspace, path, "a", overwrite=True)
        with pytest.raises(error):
            plan_delete(workspace, path)


def test_a_new_file_gets_its_folders_and_the_usual_mode(workspace: Workspace) -> None:
    edit = plan_write(workspace, "a/b/c.txt", "x\ny")
    assert edit.diff == (
        "--- /dev/null\n+++ b/a/b/c.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n\\ No newline at end of file\n"
    )
    commit_edit(edit)
    path = workspace.root / "a/b/c.txt"
    assert path.read_text() == "x\ny"
    plain = put(workspace, "plain", "")
    assert path.stat().st_mode == plain.stat().st_mode
    assert [each.name for each in path.parent.iterdir()] == ["c.txt"]


def test_an_existing_file_is_only_replaced_on_request(workspace: Workspace) -> None:
    path = put(workspace, "f", b"\xef\xbb\xbfold\r\n")
    with pytest.raises(ToolRefused, match="str_replace"):
        plan_write(workspace, "f", "new\n")
    commit_edit(plan_write(workspace, "f", "new\nlines\n", overwrite=True))
    assert path.read_bytes() == b"\xef\xbb\xbfnew\r\nlines\r\n"
    with pytest.raises(ToolRefused, match="exactly this content"):
        plan_write(workspace, "f", "new\nlines\n", overwrite=True)
    commit_edit(plan_write(workspace, "f", "a\nb\r\n", overwrite=True))
    assert path.read_bytes() == b"\xef\xbb\xbfa\nb\r\n"


def test_writing_over_binary_and_foreign_encodings(workspace: Workspace) -> None:
    put(workspace, "b", b"\0\1")
    edit = plan_write(workspace, "b", "text", overwrite=True)
    assert edit.diff == "Binary files a/b and b/b differ\n"
    assert edit.after == b"text"
    put(workspace, "l", b"caf\xe9\n")
    assert plan_write(workspace, "l", "ü\n", overwrite=True).after == b"\xfc\n"
    assert plan_write(workspace, "l", "€\n", overwrite=True).after == "€\n".encode()


@pytest.mark.parametrize("name", ["", "d", "d/", "f/x", "new/"])
def test_what_cannot_be_written_is_refused(workspace: Workspace, name: str) -> None:
    put(workspace, "f", "x")
    (workspace.root / "d").mkdir()
    with pytest.raises(ToolRefused):
        plan_write(workspace, name, "x", overwrite=True)


def test_mode_and_link_are_kept(workspace: Workspace) -> None:
    path = put(workspace, "run.sh", "echo 1\n")
    path.chmod(0o754)
    (workspace.root / "link").symlink_to("run.sh")
    edit = plan_replace(workspace, "link", "1", "2")
    assert edit.relative == "run.sh"
    commit_edit(edit)
    assert (workspace.root / "link").is_symlink()
    assert path.read_text() == "echo 2\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o754


def test_a_write_protected_file_stays(workspace: Workspace) -> None:
    path = put(workspace, "f", "x\n")
    path.chmod(0o444)
    with pytest.raises(ToolRefused, match="write-protected"):
        commit_edit(plan_replace(workspace, "f", "x", "y"))
    with pytest.raises(ToolRefused, match="write-protected"):
        commit_edit(plan_delete(workspace, "f"))
    assert path.read_text() == "x\n"


def test_another_name_of_the_same_content_is_not_written_through(workspace: Workspace) -> None:
    path = put(workspace, "f", "x\n")
    (workspace.root / "other").hardlink_to(path)
    commit_edit(plan_replace(workspace, "f", "x", "y"))
    assert (workspace.root / "other").read_text() == "x\n"


def test_deleting(workspace: Workspace) -> None:
    path = put(workspace, "f", "x\n")
    edit = plan_delete(workspace, "f")
    assert edit.diff == "--- a/f\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n"
    commit_edit(edit)
    assert not path.exists()
    (workspace.root / "d").mkdir()
    put(workspace, "g", "")
    (workspace.root / "link").symlink_to("g")
    for name in ("f", "d", "link"):
        with pytest.raises(ToolRefused):
            plan_delete(workspace, name)


def test_a_file_that_changed_since_is_left_alone(workspace: Workspace) -> None:
    path = put(workspace, "f", "x\n")
    replace = plan_replace(workspace, "f", "x", "y")
    delete = plan_delete(workspace, "f")
    create = plan_write(workspace, "new", "1")
    path.write_text("x, and more\n")
    put(workspace, "new", "theirs")
    for edit in (replace, delete, create):
        with pytest.raises(ToolRefused, match="changed since it was shown"):
            commit_edit(edit)
    path.unlink()
    with pytest.raises(ToolRefused, match="changed since it was shown"):
        commit_edit(replace)
    assert (workspace.root / "new").read_text() == "theirs"
    assert [each.name for each in workspace.root.iterdir()] == ["new"]


def test_a_name_that_became_a_link_is_left_alone(workspace: Workspace) -> None:
    path = put(workspace, "f", "x\n")
    edit = plan_replace(workspace, "f", "x", "y")
    path.rename(workspace.root / "real")
    path.symlink_to("real")
    with pytest.raises(ToolRefused, match="changed since"):
        commit_edit(edit)


def test_a_cancelled_edit_does_nothing(workspace: Workspace) -> None:
    path = put(workspace, "f", "x\n")
    answers = iter([False, True])
    assert not commit_edit(plan_replace(workspace, "f", "x", "y"), cancelled=lambda: next(answers))
    assert not commit_edit(plan_delete(workspace, "f"), cancelled=lambda: True)
    assert not commit_edit(plan_write(workspace, "d/new", "y"), cancelled=lambda: True)
    assert path.read_text() == "x\n"
    assert [each.name for each in workspace.root.iterdir()] == ["f"]


@pytest.mark.skipif(sys.platform == "win32", reason="no file size limit to set there")
def test_a_full_disk_leaves_the_old_content_and_no_litter(workspace: Workspace) -> None:
    path = put(workspace, "f", "old\n")
    edit = plan_write(workspace, "f", "new\n" * 10_000, overwrite=True)
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (4096, hard))
    try:
        with pytest.raises(ToolRefused, match="cannot write `f`"):
            commit_edit(edit)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
    assert path.read_text() == "old\n"
    assert [each.name for each in workspace.root.iterdir()] == ["f"]


def test_a_fingerprint_stands_for_file_and_change(workspace: Workspace) -> None:
    put(workspace, "f", "x\n")
    put(workspace, "g", "x\n")
    edits = [
        plan_replace(workspace, "f", "x", "y"),
        plan_replace(workspace, "g", "x", "y"),
        plan_replace(workspace, "f", "x", "z"),
        plan_delete(workspace, "f"),
        plan_write(workspace, "h", ""),
    ]
    assert len({edit.fingerprint for edit in edits}) == len(edits)
    assert plan_replace(workspace, "f", "x", "y").fingerprint == edits[0].fingerprint


@pytest.mark.parametrize(
    ("old", "new", "allowed"),
    [
        ("l1", "L1", True),
        ("l1\nl2", "x", True),
        ("l1\nl2\n", "x\n", True),
        ("l1\nl2\n", "", True),
        ("l1\nl2\n", "joined ", False),
        ("l0", "x", False),
        ("l0\nl1", "x", False),
        ("l2\nl3", "x", False),
    ],
)
def test_only_lines_inside_the_boundary_are_edited(
    workspace: Workspace, old: str, new: str, allowed: bool
) -> None:
    path = put(workspace, "f", "l0\nl1\nl2\nl3\n")
    boundaries = {str(path): EditBoundary.new(1, 2)}
    if allowed:
        plan_replace(workspace, "f", old, new, boundaries=boundaries)
        return
    with pytest.raises(OutsideBoundary, match="only lines 2-3 may be edited"):
        plan_replace(workspace, "f", old, new, boundaries=boundaries)


def test_a_boundary_holds_under_every_name_and_against_whole_file_edits(
    workspace: Workspace,
) -> None:
    put(workspace, "f", "x\nx\n")
    (workspace.root / "link").symlink_to("f")
    (workspace.root / "other").hardlink_to(workspace.root / "f")
    boundaries = {str(workspace.root / "link"): EditBoundary.new(0, 0)}
    with pytest.raises(OutsideBoundary):
        plan_delete(workspace, "other", boundaries=boundaries)
    with pytest.raises(OutsideBoundary):
        plan_replace(workspace, "f", "x", "y", replace_all=True, boundaries=boundaries)
    with pytest.raises(OutsideBoundary, match="cannot be replaced as a whole"):
        plan_write(workspace, "f", "y", overwrite=True, boundaries=boundaries)
    with pytest.raises(OutsideBoundary, match="cannot be deleted as a whole"):
        plan_delete(workspace, "f", boundaries=boundaries)


def test_a_huge_file_is_refused_before_it_is_read(workspace: Workspace) -> None:
    with (workspace.root / "huge").open("wb") as file:
        file.truncate(1_000_000_000)
    with pytest.raises(ToolRefused, match="1000000000 bytes"):
        plan_replace(workspace, "huge", "a", "b")


@pytest.mark.parametrize("unit", ["ab", "a\n", "a\r\nx\n"])
def test_a_great_many_places_are_replaced_in_no_time(workspace: Workspace, unit: str) -> None:
    put(workspace, "many", unit * 100_000)
    edit = plan_replace(workspace, "many", "a", "c\nd", replace_all=True)
    assert edit.places == len(edit.shifts) == 100_000
    assert decode(edit.after or b"")
