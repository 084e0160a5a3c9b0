"""Snapshots where a repository, its settings or the moment work against them."""

from __future__ import annotations

import os
import stat
import threading
from pathlib import Path

import pytest

from agent_cockpit.errors import RestoreFailed, SnapshotFailed
from agent_cockpit.workspace.time_machine.snapshot_records import Snapshot
from agent_cockpit.workspace.time_machine.snapshot_store import ChangedPath
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from tests.support.repositories import git, make_repository, private_parts, write


@pytest.fixture
def store(tmp_path: Path) -> Path:
    return tmp_path / "private" / "snapshots"


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    files = {"a.py": "one\ntwo\n", "lib/b.py": "b\n", ".gitignore": "*.log\n"}
    return make_repository(tmp_path / "repo", files)


def letters(snapshots: Snapshots, before: Snapshot) -> dict[str, str]:
    return {change.path: change.status for change in snapshots.changed_paths(before)}


def make_program(path: Path, text: str) -> Path:
    path.write_text(f"#!/bin/sh\n{text}\n")
    path.chmod(0o755)
    return path


def test_no_setting_of_a_repository_changes_a_diff_or_starts_a_program(
    repo: Path, store: Path, tmp_path: Path
) -> None:
    ran = tmp_path / "ran"
    trap = str(make_program(tmp_path / "trap", f"echo $0 >> {ran}; cat"))
    for name, value in {
        "color.ui": "always",
        "diff.noprefix": "true",
        "diff.mnemonicPrefix": "true",
        "diff.external": trap,
        "diff.evil.textconv": trap,
        "diff.evil.command": trap,
        "diff.orderFile": "/nonexistent",
        "filter.evil.clean": trap,
        "filter.evil.smudge": trap,
        "filter.evil.required": "true",
        "core.fsmonitor": trap,
        "core.hooksPath": str(tmp_path),
        "core.pager": trap,
        "core.quotePath": "true",
        "status.showUntrackedFiles": "no",
        "core.fileMode": "false",
    }.items():
        git(repo, "config", name, value)
    for hook in ("post-index-change", "pre-commit", "fsmonitor-watchman"):
        make_program(
            repo / ".git/hooks" / hook if (repo / ".git/hooks").is_dir() else repo / hook, trap
        )
    write(repo, {".gitattributes": "*.py diff=evil filter=evil -text\n*.secret -diff\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"a.py": "one\n2\n", "hidden.secret": "shown\n"})

    diff = snapshots.diff(before)

    assert "\x1b" not in diff
    assert "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" in diff
    assert "+shown\n" in diff
    assert "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" in snapshots.diff_head()
    assert not ran.exists()


def test_line_endings_are_kept_as_they_are_on_disk(repo: Path, store: Path) -> None:
    git(repo, "config", "core.autocrlf", "true")
    write(
        repo,
        {
            ".gitattributes": "*.txt text eol=crlf\n*.id ident\n"
            "utf16.txt working-tree-encoding=UTF-16\n",
            "w.txt": "a\r\nb\r\n",
        },
    )
    write(repo, {"mixed.txt": "a\r\nb\n", "u.id": "$Id: keep$\n"})
    (repo / "utf16.txt").write_bytes("Grüße\r\n".encode("utf-16"))
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    kept = {
        name: (repo / name).read_bytes() for name in ("w.txt", "mixed.txt", "u.id", "utf16.txt")
    }
    for name in kept:
        (repo / name).write_bytes(b"a\nb\n")
    assert set(kept) <= letters(snapshots, before).keys()
    snapshots.restore(before, kept)
    assert {name: (repo / name).read_bytes() for name in kept} == kept
    assert snapshots.diff(before) == ""


def test_files_of_nested_repositories_are_recorded_and_restored(repo: Path, store: Path) -> None:
    make_repository(repo / "vendor", {"v.py": "v\n", "kept.log": "forced\n"})
    make_repository(repo / "fresh")
    write(repo, {"fresh/f.py": "f\n", "fresh/.gitignore": "*.tmp\n", "fresh/x.tmp": "ignored\n"})
    make_repository(repo / "fresh/deep", {"d.py": "d\n"})
    make_repository(repo / "nothing")
    untouched = private_parts(repo / "vendor")
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"vendor/v.py": "changed\n", "vendor/kept.log": "changed\n"})
    write(repo, {"fresh/f.py": "changed\n", "fresh/deep/d.py": "changed\n", "fresh/x.tmp": "t\n"})
    (repo / "fresh/new.py").write_text("n\n")
    assert letters(snapshots, before) == {
        "vendor/v.py": "M",
        "vendor/kept.log": "M",
        "fresh/f.py": "M",
        "fresh/deep/d.py": "M",
        "fresh/new.py": "A",
    }
    snapshots.restore(before, letters(snapshots, before))
    assert snapshots.changed_paths(before) == ()
    assert private_parts(repo / "vendor") == untouched


def test_a_submodule_is_recorded_like_any_folder(repo: Path, store: Path, tmp_path: Path) -> None:
    origin = make_repository(tmp_path / "origin", {"s.py": "s\n"})
    git(repo, "-c", "protocol.file.allow=always", "submodule", "--quiet", "add", str(origin), "sub")
    git(repo, "commit", "-q", "-m", "submodule")
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"sub/s.py": "changed\n", "sub/new.py": "n\n"})
    assert letters(snapshots, before) == {"sub/s.py": "M", "sub/new.py": "A"}
    snapshots.restore(before, ["sub/s.py"])
    assert (repo / "sub/s.py").read_text() == "s\n"
    inside = Snapshots(repo / "sub", tmp_path / "other-store")
    start = inside.take()
    (repo / "sub/s.py").write_text("again\n")
    assert letters(inside, start) == {"s.py": "M"}


def test_a_repository_made_during_the_sitting_changes_nothing(tmp_path: Path, store: Path) -> None:
    work = tmp_path / "work"
    write(work, {"a.py": "a\n", "pkg/b.py": "b\n"})
    snapshots = Snapshots(work, store)
    before = snapshots.take()
    make_repository(work, {"a.py": "changed\n"})
    make_repository(work / "pkg", {"b.py": "changed\n"})
    assert letters(snapshots, before) == {"a.py": "M", "pkg/b.py": "M"}


def test_flags_in_the_users_index_hide_nothing(repo: Path, store: Path) -> None:
    git(repo, "update-index", "--assume-unchanged", "a.py")
    git(repo, "update-index", "--skip-worktree", "lib/b.py")
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"a.py": "changed\n", "lib/b.py": "changed\n"})
    assert letters(snapshots, before) == {"a.py": "M", "lib/b.py": "M"}


def test_a_tracked_file_that_an_ignore_rule_names_is_recorded(repo: Path, store: Path) -> None:
    write(repo, {"forced.log": "f\n"})
    git(repo, "add", "-f", "forced.log")
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"forced.log": "changed\n"})
    assert letters(snapshots, before) == {"forced.log": "M"}


def test_the_users_own_ignore_rules_hold(
    repo: Path, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    home = tmp_path / "home"
    write(home, {".gitconfig": "[core]\n\texcludesFile = ~/mine\n", "mine": "*.own\n"})
    monkeypatch.setenv("HOME", str(home))
    (repo / ".git/info").mkdir(exist_ok=True)
    (repo / ".git/info/exclude").write_text("*.here\n")
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"a.own": "o\n", "b.here": "h\n", "c.txt": "c\n"})
    assert letters(snapshots, before) == {"c.txt": "A"}


def test_a_workspace_that_its_repository_ignores_is_its_own(tmp_path: Path, store: Path) -> None:
    home = make_repository(tmp_path / "home", {".gitignore": "*\n", ".profile": "p\n"})
    write(home, {"project/a.py": "a\n"})
    snapshots = Snapshots(home / "project", store)
    before = snapshots.take()
    write(home, {"project/a.py": "changed\n"})
    assert letters(snapshots, before) == {"a.py": "M"}
    assert snapshots.diff_head() == ""


def test_files_and_folders_may_take_each_others_place(repo: Path, store: Path) -> None:
    write(repo, {"was-file": "f\n", "was-folder/x": "x\n", "was-folder/y/z": "z\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    (repo / "was-file").unlink()
    (repo / "was-folder/x").unlink()
    (repo / "was-folder/y/z").unlink()
    (repo / "was-folder/y").rmdir()
    (repo / "was-folder").rmdir()
    write(repo, {"was-file/inside": "i\n", "was-folder": "now a file\n"})
    changed = letters(snapshots, before)
    assert changed == {
        "was-file": "D",
        "was-file/inside": "A",
        "was-folder": "A",
        "was-folder/x": "D",
        "was-folder/y/z": "D",
    }
    snapshots.restore(before, changed)
    assert snapshots.changed_paths(before) == ()


def test_a_folder_that_became_a_link_is_seen_and_never_written_through(
    repo: Path, store: Path, tmp_path: Path
) -> None:
    elsewhere = tmp_path / "elsewhere"
    write(elsewhere, {"b.py": "b\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    (repo / "lib/b.py").unlink()
    (repo / "lib").rmdir()
    (repo / "lib").symlink_to(elsewhere)
    assert letters(snapshots, before) == {"lib": "A", "lib/b.py": "D"}
    (elsewhere / "b.py").write_text("theirs\n")

    with pytest.raises(RestoreFailed, match="is a link now"):
        snapshots.restore(before, ["lib/b.py"])
    assert (elsewhere / "b.py").read_text() == "theirs\n"

    assert snapshots.restore(before, ["lib", "lib/b.py"]) == ("lib", "lib/b.py")
    assert (repo / "lib/b.py").read_text() == "b\n"
    assert (elsewhere / "b.py").read_text() == "theirs\n"


def test_a_folder_with_strangers_in_it_is_left_alone(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    (repo / "a.py").unlink()
    write(repo, {"a.py/mine.txt": "mine\n"})
    with pytest.raises(RestoreFailed, match="a folder with files in it"):
        snapshots.restore(before, ["a.py"])
    assert (repo / "a.py/mine.txt").read_text() == "mine\n"


def test_folders_that_an_undo_leaves_empty_go_and_earlier_ones_stay(
    repo: Path, store: Path
) -> None:
    (repo / "empty/inner").mkdir(parents=True)
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"made/deep/x.py": "x\n", "empty/inner/y.py": "y\n"})
    snapshots.restore(before, ["made/deep/x.py", "empty/inner/y.py"])
    assert not (repo / "made").exists()
    assert (repo / "empty/inner").is_dir()


def test_a_change_that_keeps_size_and_time_is_seen(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    seconds = []
    for text in ("ONE\ntwo\n", "one\nTWO\n") * 10:
        os.utime(repo / "a.py", (1_000_000_000, 1_000_000_000))
        before = snapshots.take()
        seconds = [int((repo / "a.py").stat().st_ctime)]
        write(repo, {"a.py": text})
        os.utime(repo / "a.py", (1_000_000_000, 1_000_000_000))
        seconds.append(int((repo / "a.py").stat().st_ctime))
        assert letters(snapshots, before) == {"a.py": "M"}
        if seconds[0] == seconds[1]:
            return
    pytest.skip("this machine is too slow to change a file within the second of a snapshot")


def test_a_change_within_the_clocks_grain_is_seen(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    for text in "abcdefgh":
        before = snapshots.take()
        write(repo, {"a.py": f"{text * 7}\n"})
        assert letters(snapshots, before) == {"a.py": "M"}


def test_pipes_and_sockets_are_passed_over(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    os.mkfifo(repo / "pipe")
    (repo / "a.py").unlink()
    os.mkfifo(repo / "a.py")
    assert letters(snapshots, before) == {"a.py": "D"}
    snapshots.restore(before, ["a.py"])
    assert stat.S_ISREG((repo / "a.py").stat().st_mode)


@pytest.mark.skipif(os.geteuid() == 0, reason="root reads everything")
def test_an_unreadable_file_is_noticed_but_not_kept(repo: Path, store: Path) -> None:
    write(repo, {"closed": "c\n"})
    (repo / "closed").chmod(0)
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    (repo / "closed").unlink()
    assert snapshots.changed_paths(before) == (ChangedPath("closed", "D", None, None),)


def test_thousands_of_files_go_in_as_a_pack(repo: Path, store: Path) -> None:
    for number in range(2_000):
        write(repo, {f"many/{number % 50}/{number}.txt": f"{number}\n"})
    snapshots = Snapshots(repo, store)
    before = snapshots.take()
    write(repo, {"many/7/7.txt": "changed\n"})
    assert letters(snapshots, before) == {"many/7/7.txt": "M"}
    assert list(store.rglob("objects.git/objects/pack/*.pack"))
    assert len(list(store.glob("git/objects.git/objects/??/*"))) < 200
    assert snapshots.read(before, "many/7/7.txt") == b"7\n"


def test_a_tree_that_changes_meanwhile_still_gives_whole_snapshots(repo: Path, store: Path) -> None:
    stop = threading.Event()

    def churn() -> None:
        number = 0
        while not stop.is_set():
            number = (number + 1) % 40
            path = repo / f"churn/{number}/x.txt"
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"{number}\n" * number)
            (repo / f"churn/{(number + 20) % 40}/x.txt").unlink(missing_ok=True)

    writer = threading.Thread(target=churn)
    writer.start()
    try:
        snapshots = Snapshots(repo, store)
        taken = [snapshots.take() for _ in range(8)]
    finally:
        stop.set()
        writer.join()
    assert [snapshots.read(each, "a.py") for each in taken] == [b"one\ntwo\n"] * 8
    last = snapshots.take()
    assert snapshots.changed_paths(last) == ()


def test_many_threads_may_ask_at_once(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    taken: list[Snapshot] = []
    threads = [threading.Thread(target=lambda: taken.append(snapshots.take())) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(each.number for each in taken) == [1, 2, 3, 4]
    assert len({each.capture.tree for each in taken}) == 1


def test_what_a_killed_git_leaves_behind_is_cleared(repo: Path, store: Path) -> None:
    first = Snapshots(repo, store)
    before = first.take()
    (index,) = store.rglob("index-*")
    Path(f"{index}.lock").touch()
    write(repo, {"a.py": "changed\n"})
    assert letters(Snapshots(repo, store), before) == {"a.py": "M"}
    index.write_bytes(b"torn")
    assert letters(Snapshots(repo, store), before) == {"a.py": "M"}


def test_a_git_that_fails_is_an_error_and_no_stale_tree(
    repo: Path, store: Path, tmp_path: Path
) -> None:
    broken = make_program(
        tmp_path / "git-broken",
        'case "$*" in *update-index*) echo "disk full" >&2; exit 128;; esac; exec git "$@"',
    )
    snapshots = Snapshots(repo, store, git=str(broken))
    with pytest.raises(SnapshotFailed, match="disk full"):
        snapshots.take()


def test_a_cancelled_snapshot_leaves_nothing(repo: Path, store: Path) -> None:
    snapshots = Snapshots(repo, store)
    with pytest.raises(SnapshotFailed, match="cancelled"):
        snapshots.take(cancelled=lambda: True)
    assert snapshots.take().number == 1


def test_a_store_that_cannot_be_written_is_an_error(repo: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way\n")
    snapshots = Snapshots(repo, tmp_path / "file" / "store")
    with pytest.raises(SnapshotFailed, match="store of snapshots"):
        snapshots.take()


def test_the_store_is_closed_to_others(repo: Path, store: Path) -> None:
    Snapshots(repo, store).take()
    assert stat.S_IMODE(store.stat().st_mode) == 0o700
