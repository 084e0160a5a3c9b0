"""Snapshots of real folders, with and without a repository around them."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_cockpit.errors import OutsideWorkspace, RestoreFailed, SnapshotFailed
from agent_cockpit.workspace.time_machine.snapshot_store import ChangedPath
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from tests.support.repositories import git, make_repository, private_parts, write


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "private" / "snapshots"


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """A workspace without a repository."""
    folder = tmp_path / "work"
    folder.mkdir()
    return folder


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    """A workspace that is a repository with one commit and an ignore file."""
    files = {"a.py": "one\ntwo\n", "lib/b.py": "b\n", ".gitignore": "*.log\nbuild/\n"}
    return make_repository(tmp_path / "repo", files)


def letters(snapshots: Snapshots, before: object, after: object = None) -> dict[str, str]:
    changed = snapshots.changed_paths(before, after)  # type: ignore[arg-type]
    return {change.path: change.status for change in changed}


def test_a_folder_without_a_repository_is_recorded_and_compared(work: Path, store: Path) -> None:
    write(work, {"a.txt": "one\ntwo\n", "gone.txt": "x\n"})
    snapshots = Snapshots(work, store)
    before = snapshots.take("goal 1")
    write(work, {"a.txt": "one\n2\n", "new/b.txt": "b\n"})
    (work / "gone.txt").unlink()
    after = snapshots.take()

    assert snapshots.kind == "git"
    assert snapshots.changed_paths(before, after) == (
        ChangedPath("a.txt", "M", 1, 1),
        ChangedPath("gone.txt", "D", 0, 1),
        ChangedPath("new/b.txt", "A", 1, 0),
    )
    diff = snapshots.diff(before, after)
    assert "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" in diff
    assert "--- /dev/null\n+++ b/new/b.txt\n" in diff
    assert "--- a/gone.txt\n+++ /dev/null\n" in diff
    assert list(work.glob(".git*")) == []


def test_comparing_with_now_needs_no_second_snapshot(work: Path, store: Path) -> None:
    write(work, {"a.txt": "one\n"})
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    assert snapshots.diff(before) == ""
    assert snapshots.changed_paths(before) == ()
    write(work, {"a.txt": "two\n"})
    assert "-one\n+two\n" in snapshots.diff(before)


def test_restoring_puts_back_only_what_it_is_told(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"a.py": "changed\n", "lib/b.py": "changed\n", "new.py": "new\n", "mine.py": "m\n"})

    assert snapshots.restore(before, ["a.py", "new.py"]) == ("a.py", "new.py")

    assert (repo / "a.py").read_text() == "one\ntwo\n"
    assert (repo / "lib/b.py").read_text() == "changed\n"
    assert not (repo / "new.py").exists()
    assert (repo / "mine.py").read_text() == "m\n"


def test_restoring_what_is_as_it_was_changes_nothing(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    inode = (repo / "a.py").stat().st_ino
    assert snapshots.restore(before, ["a.py", "never-there.py"]) == ()
    assert (repo / "a.py").stat().st_ino == inode


def test_an_undo_can_be_undone(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"a.py": "changed\n", "new.py": "new\n"})
    changed = [change.path for change in snapshots.changed_paths(before)]
    undone_from = snapshots.take("before undo")
    snapshots.restore(before, changed)
    assert snapshots.diff(before) == ""
    snapshots.restore(undone_from, changed)
    assert snapshots.diff(undone_from) == ""
    assert (repo / "new.py").read_text() == "new\n"


def test_the_users_repository_is_not_touched(repo: Path, store: Path) -> None:
    write(repo, {"a.py": "unstaged\n", "staged.py": "s\n", "untracked.py": "u\n"})
    git(repo, "add", "staged.py")
    os.utime(repo / "lib/b.py", (1, 1))
    untouched = private_parts(repo)

    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"a.py": "x\n", "z/y.py": "y\n"})
    snapshots.remember("debug.log")
    snapshots.diff(before)
    snapshots.diff_head()
    snapshots.restore(before, ["a.py", "z/y.py"])

    assert private_parts(repo) == untouched


def test_a_repository_without_a_commit_has_diffs(tmp_path: Path, store: Path) -> None:
    repo = make_repository(tmp_path / "repo")
    write(repo, {"a.py": "a\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"a.py": "b\n"})
    assert letters(snapshots, before) == {"a.py": "M"}
    assert snapshots.diff_head() == ""


def test_an_empty_folder_has_a_snapshot_too(work: Path, store: Path) -> None:
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    assert snapshots.diff(before) == ""
    write(work, {"a": "a"})
    assert letters(snapshots, before) == {"a": "A"}


def test_a_sub_directory_is_limited_to_itself(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo / "lib", store)
    before = snapshots.take()
    write(repo, {"a.py": "outside\n", "lib/b.py": "inside\n", "lib/x.log": "ignored\n"})
    assert letters(snapshots, before) == {"b.py": "M"}
    assert "--- a/b.py\n" in snapshots.diff(before)
    assert snapshots.read(before, "b.py") == b"b\n"
    assert "--- a/b.py\n" in snapshots.diff_head()
    assert "a.py" not in snapshots.diff_head()
    assert snapshots.restore(before, ["b.py"]) == ("b.py",)
    assert (repo / "lib/b.py").read_text() == "b\n"


@pytest.mark.parametrize("name", [":(odd) [x]", "lib*", "-rf", "é"])
def test_the_folders_own_name_may_be_odd(repo: Path, store: Path, name: str) -> None:
    write(repo, {f"{name}/in.py": "in\n"})
    snapshots = Snapshots(repo / name, store)
    before = snapshots.take()
    write(repo, {f"{name}/in.py": "changed\n", "lib/b.py": "changed\n"})
    assert letters(snapshots, before) == {"in.py": "M"}
    assert "+changed\n" in snapshots.diff(before)
    assert snapshots.restore(before, ["in.py"]) == ("in.py",)


def test_an_empty_sub_directory_is_a_workspace(repo: Path, store: Path) -> None:
    (repo / "empty").mkdir()
    snapshots = Snapshots(repo / "empty", store)
    before = snapshots.take()
    write(repo, {"empty/a": "a\n"})
    assert letters(snapshots, before) == {"a": "A"}


ODD_NAMES = (
    "with space.txt",
    "-dash.txt",
    "--option",
    "new\nline.txt",
    'quo"te.txt',
    "tab\tname",
    "back\\slash",
    "größe.txt",
    "日本/語.txt",
    ":(top)magic",
    "*.glob",
    "[x].txt",
    ":1",
    "git~1",
    "trailing ",
)


@pytest.mark.parametrize("name", ODD_NAMES)
def test_odd_names_are_recorded_and_restored(repo: Path, store: Path, name: str) -> None:
    write(repo, {name: "before\n", "x.txt": "x\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    (repo / name).unlink()
    assert letters(snapshots, before) == {name: "D"}
    assert snapshots.read(before, name) == b"before\n"
    assert snapshots.restore(before, [name]) == (name,)
    assert (repo / name).read_text() == "before\n"
    assert (repo / "x.txt").exists()


def test_names_that_are_not_text_survive(work: Path, store: Path) -> None:
    name = os.fsdecode(b"caf\xe9.txt")
    (work / name).write_text("before\n")
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    (work / name).write_text("after\n")
    assert letters(snapshots, before) == {name: "M"}
    snapshots.diff(before).encode()
    assert snapshots.load(before.id) == before
    assert snapshots.restore(before, [name]) == (name,)


def test_names_beyond_ascii_are_readable_in_a_diff(work: Path, store: Path) -> None:
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    write(work, {"größe.txt": "a\n"})
    assert "+++ b/größe.txt\n" in snapshots.diff(before)


def test_a_binary_file_is_noted_and_restored(work: Path, store: Path) -> None:
    (work / "b.bin").write_bytes(bytes(range(256)))
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    (work / "b.bin").write_bytes(b"\0\1")
    assert snapshots.changed_paths(before) == (ChangedPath("b.bin", "M", None, None),)
    assert "Binary files a/b.bin and b/b.bin differ\n" in snapshots.diff(before)
    snapshots.restore(before, ["b.bin"])
    assert (work / "b.bin").read_bytes() == bytes(range(256))


def test_links_are_links_and_are_never_followed(work: Path, store: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside.txt"
    outside.write_text("outside\n")
    (work / "link").symlink_to("here")
    (work / "out").symlink_to(outside)
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    (work / "link").unlink()
    (work / "link").symlink_to("there")
    (work / "out").unlink()
    (work / "out").write_text("a file now\n")
    assert letters(snapshots, before) == {"link": "M", "out": "M"}
    snapshots.restore(before, ["link", "out"])
    assert (work / "link").readlink() == Path("here")
    assert (work / "out").readlink() == outside
    assert outside.read_text() == "outside\n"


@pytest.mark.parametrize("umask", [0o022, 0o077], ids=oct)
def test_permissions_come_back(work: Path, store: Path, umask: int) -> None:
    write(work, {"run.sh": "#!/bin/sh\n", "key": "secret\n", "plain": "p\n"})
    (work / "run.sh").chmod(0o755)
    (work / "key").chmod(0o600)
    (work / "plain").chmod(0o644)
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    (work / "run.sh").chmod(0o644)
    (work / "key").chmod(0o640)
    (work / "plain").chmod(0o400)
    assert letters(snapshots, before) == {"run.sh": "M", "key": "M", "plain": "M"}
    diff = snapshots.diff(before)
    assert "diff --git a/run.sh b/run.sh\nold mode 100755\nnew mode 100644\n" in diff
    assert "diff --git a/key b/key\nold mode 100600\nnew mode 100640\n" in diff
    usual = os.umask(umask)
    try:
        snapshots.restore(before, ["run.sh", "key", "plain"])
    finally:
        os.umask(usual)
    modes = {path.name: path.stat().st_mode & 0o777 for path in work.iterdir()}
    assert modes == {"run.sh": 0o755, "key": 0o600, "plain": 0o644}


def test_an_ignored_file_that_an_edit_names_can_be_undone(repo: Path, store: Path) -> None:
    write(repo, {"debug.log": "before\n", "build/out.log": "never named\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    snapshots.remember("debug.log")
    snapshots.remember("build/made.log")
    write(repo, {"debug.log": "after\n", "build/made.log": "made\n", "build/out.log": "x\n"})
    assert letters(snapshots, before) == {"debug.log": "M", "build/made.log": "A"}
    assert "-before\n+after\n" in snapshots.diff(before)
    assert snapshots.read(before, "debug.log") == b"before\n"
    snapshots.restore(before, ["debug.log", "build/made.log"])
    assert (repo / "debug.log").read_text() == "before\n"
    assert not (repo / "build/made.log").exists()
    assert (repo / "build/out.log").read_text() == "x\n"


def test_remembering_a_new_file_that_is_not_ignored_keeps_its_making(
    repo: Path, store: Path
) -> None:
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"made.py": "by a command\n"})
    snapshots.remember("made.py")
    write(repo, {"made.py": "then edited\n"})
    assert letters(snapshots, before) == {"made.py": "A"}


def test_a_file_above_the_size_cap_is_noticed_but_not_kept(work: Path, store: Path) -> None:
    write(work, {"big": "x" * 101, "grows": "g\n", "same": "y" * 101, "small": "s\n"})
    snapshots = Snapshots(work, store, max_file_bytes=100)
    before = snapshots.take()
    write(work, {"big": "z" * 102, "grows": "g" * 200, "new-big": "n" * 101})
    assert snapshots.changed_paths(before) == (
        ChangedPath("big", "M", None, None),
        ChangedPath("grows", "M", None, None),
        ChangedPath("new-big", "A", None, None),
    )
    assert "Binary files a/big and b/big differ\n" in snapshots.diff(before)
    with pytest.raises(RestoreFailed, match="`big`") as caught:
        snapshots.restore(before, ["big", "grows", "new-big"])
    assert caught.value.restored == ("grows", "new-big")
    assert caught.value.failed == ("big",)
    assert (work / "grows").read_text() == "g\n"
    assert (work / "big").read_text() == "z" * 102


@pytest.mark.parametrize("path", ["../x", "/etc/passwd", ".", "", ".git/config", "a/.GIT/x"])
def test_nothing_outside_or_in_a_repositorys_own_folder_is_restored(
    repo: Path, store: Path, path: str
) -> None:
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    with pytest.raises(OutsideWorkspace):
        snapshots.restore(before, [path])


def test_a_store_inside_the_workspace_is_refused(work: Path) -> None:
    with pytest.raises(SnapshotFailed, match="must not lie inside"):
        Snapshots(work, work / "store")


def test_a_store_is_carried_on_by_the_next_process(repo: Path, store: Path) -> None:
    write(repo, {"x.log": "before\n"})
    first = Snapshots(repo, store)
    before = first.take("goal")
    first.remember("x.log")
    write(repo, {"a.py": "changed\n", "x.log": "after\n"})

    second = Snapshots(repo, store)
    again = second.load(before.id)
    assert again == before
    assert letters(second, again) == {"a.py": "M", "x.log": "M"}
    assert second.take().number > before.number


def test_an_ignored_file_that_nobody_named_is_never_removed(repo: Path, store: Path) -> None:
    write(repo, {"data.log": "mine\n", "build/mine": "mine\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    for path in ("data.log", "build/mine"):
        with pytest.raises(RestoreFailed, match="no snapshot looked at it"):
            snapshots.restore(before, [path])
        assert (repo / path).read_text() == "mine\n"


def test_files_that_a_changed_ignore_rule_reveals_are_not_taken_for_new(
    repo: Path, store: Path
) -> None:
    write(repo, {"data.log": "mine\n", "build/mine": "mine\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {".gitignore": "", "new.log": "n\n"})
    assert letters(snapshots, before) == {".gitignore": "M", "new.log": "A"}
    assert "mine" not in snapshots.diff(before)
    with pytest.raises(RestoreFailed):
        snapshots.restore(before, ["new.log", "data.log", "build/mine"])
    assert not (repo / "new.log").exists()
    assert (repo / "data.log").read_text() == "mine\n"


def test_a_remembered_files_permissions_come_back(repo: Path, store: Path) -> None:
    write(repo, {"secret.log": "s\n"})
    (repo / "secret.log").chmod(0o600)
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    snapshots.remember("secret.log")
    (repo / "secret.log").unlink()
    snapshots.restore(before, ["secret.log"])
    assert (repo / "secret.log").stat().st_mode & 0o777 == 0o600


def test_what_cannot_be_undone_is_known_beforehand(repo: Path, store: Path) -> None:
    write(repo, {"x.log": "x\n", "y.log": "y\n"})
    snapshots = Snapshots(repo, store)
    snapshots.take()
    snapshots.remember("y.log")
    assert snapshots.left_out(["a.py", "new.py", "x.log", "y.log", "build/o"]) == (
        "build/o",
        "x.log",
    )


@pytest.mark.parametrize("name", ["7", "../1", "", "one"])
def test_an_unknown_snapshot_is_an_error(repo: Path, store: Path, name: str) -> None:
    snapshots = Snapshots(repo, store)
    snapshots.take()
    with pytest.raises(SnapshotFailed, match="no readable snapshot"):
        snapshots.load(name)


def test_many_revealed_files_hide_no_change(repo: Path, store: Path) -> None:
    write(repo, {f"build/{number % 9}/{number}.txt": "x\n" for number in range(300)})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {".gitignore": "", "a.py": "changed\n"})
    assert letters(snapshots, before) == {".gitignore": "M", "a.py": "M"}
    assert "build" not in snapshots.diff(before).replace("-build/", "")


def test_two_snapshots_are_compared_once_however_often_somebody_asks(
    work: Path, store: Path, tmp_path: Path
) -> None:
    asked = tmp_path / "asked"
    program = tmp_path / "git"
    program.write_text(f'#!/bin/sh\necho "$2" >> "{asked}"\nexec git "$@"\n')
    program.chmod(0o755)
    write(work, {"a.txt": "one\n"})
    snapshots = Snapshots(work, store, git=str(program))
    before = snapshots.take()
    write(work, {"a.txt": "two\n"})
    after = snapshots.take()
    for _ in range(2):
        assert snapshots.changed_paths(before, after) == (ChangedPath("a.txt", "M", 1, 1),)
        assert "+two" in snapshots.diff(before, after)
    assert asked.read_text().split().count("diff-tree") == 2

    write(work, {"a.txt": "three\n"})
    later = snapshots.take()
    assert "+three" in snapshots.diff(before, later)
    assert "+two" in snapshots.diff(before, after)
