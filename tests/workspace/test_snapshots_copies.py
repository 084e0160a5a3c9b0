"""Snapshots where there is no git program: the files that edits named, and no others."""

from __future__ import annotations

from pathlib import Path

import pytest

from agent_cockpit.errors import RestoreFailed, SnapshotFailed
from agent_cockpit.workspace.time_machine.snapshot_store import ChangedPath
from agent_cockpit.workspace.time_machine.snapshots import Snapshots


@pytest.fixture
def work(tmp_path: Path) -> Path:
    folder = tmp_path / "work"
    folder.mkdir()
    (folder / "a.txt").write_text("one\ntwo\n")
    (folder / "run.sh").write_text("#!/bin/sh\n")
    (folder / "run.sh").chmod(0o755)
    return folder


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "private"


@pytest.mark.parametrize("program", [None, "no-such-git-program"])
def test_without_git_named_files_are_compared_and_undone(
    work: Path, store: Path, program: str | None
) -> None:
    snapshots = Snapshots(work, store, git=program)
    assert snapshots.kind == "copies"
    before = snapshots.take()
    for path in ("a.txt", "run.sh", "new/b.txt"):
        snapshots.remember(path)
    (work / "a.txt").write_text("one\n2\n")
    (work / "run.sh").unlink()
    (work / "new").mkdir()
    (work / "new/b.txt").write_text("b")

    assert snapshots.changed_paths(before) == (
        ChangedPath("a.txt", "M", 1, 1),
        ChangedPath("new/b.txt", "A", 1, 0),
        ChangedPath("run.sh", "D", 0, 1),
    )
    diff = snapshots.diff(before)
    assert "diff --git a/a.txt b/a.txt\n" in diff
    assert "@@ -1,2 +1,2 @@\n one\n-two\n+2\n" in diff
    assert "new file mode 100644\n--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+b\n" in diff
    assert "deleted file mode 100755\n" in diff
    assert snapshots.diff_head() == ""

    changed = ("a.txt", "new/b.txt", "run.sh")
    assert snapshots.restore(before, changed) == changed
    assert (work / "a.txt").read_text() == "one\ntwo\n"
    assert (work / "run.sh").stat().st_mode & 0o777 == 0o755
    assert not (work / "new").exists()
    assert snapshots.diff(before) == ""


def test_each_goal_has_its_own_start(work: Path, store: Path) -> None:
    snapshots = Snapshots(work, store, git=None)
    first = snapshots.take("goal 1")
    snapshots.remember("a.txt")
    (work / "a.txt").write_text("after goal 1\n")
    second = snapshots.take("goal 2")
    snapshots.remember("a.txt")
    (work / "a.txt").write_text("after goal 2\n")
    assert snapshots.read(first, "a.txt") == b"one\ntwo\n"
    assert snapshots.read(second, "a.txt") == b"after goal 1\n"
    assert "-after goal 1\n+after goal 2\n" in snapshots.diff(second)
    assert "-one\n-two\n+after goal 1\n" in snapshots.diff(first, second)


def test_what_no_edit_named_is_not_known(work: Path, store: Path) -> None:
    snapshots = Snapshots(work, store, git=None)
    before = snapshots.take()
    (work / "a.txt").write_text("by a command\n")
    assert snapshots.changed_paths(before) == ()
    assert snapshots.read(before, "a.txt") is None


def test_restoring_what_was_never_kept_is_refused_and_removes_nothing(
    work: Path, store: Path
) -> None:
    snapshots = Snapshots(work, store, git=None)
    before = snapshots.take()
    with pytest.raises(RestoreFailed, match=r"`a\.txt`"):
        snapshots.restore(before, ["a.txt"])
    assert (work / "a.txt").read_text() == "one\ntwo\n"


def test_binary_links_and_large_files(work: Path, store: Path) -> None:
    (work / "b.bin").write_bytes(b"\0\1")
    (work / "link").symlink_to("a.txt")
    (work / "big").write_text("x" * 101)
    snapshots = Snapshots(work, store, git=None, max_file_bytes=100)
    before = snapshots.take()
    for path in ("b.bin", "link", "big"):
        snapshots.remember(path)
    (work / "b.bin").write_bytes(b"\0\2")
    (work / "link").unlink()
    (work / "link").symlink_to("run.sh")
    (work / "big").write_text("y" * 102)
    assert snapshots.changed_paths(before) == (
        ChangedPath("b.bin", "M", None, None),
        ChangedPath("big", "M", None, None),
        ChangedPath("link", "M", 1, 1),
    )
    with pytest.raises(RestoreFailed, match="too large"):
        snapshots.restore(before, ["big"])
    assert (work / "big").exists()
    assert snapshots.restore(before, ["b.bin", "link"]) == ("b.bin", "link")
    assert (work / "link").readlink() == Path("a.txt")
    assert (work / "b.bin").read_bytes() == b"\0\1"


def test_a_lost_copy_is_an_error(work: Path, store: Path) -> None:
    snapshots = Snapshots(work, store, git=None)
    before = snapshots.take()
    snapshots.remember("a.txt")
    for path in (store / "copies").iterdir():
        path.unlink()
    with pytest.raises(SnapshotFailed):
        snapshots.read(before, "a.txt")
