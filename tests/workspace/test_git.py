"""What is read from the user's repository, and that it is only read."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

from agent_cockpit.errors import GitFailed
from agent_cockpit.workspace.branch import Branch
from agent_cockpit.workspace.git import Git, dirty_paths
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from tests.support.repositories import git, make_repository, private_parts, write


@pytest.fixture
def repo(tmp_path: Path) -> Path:
    files = {
        "a.py": "one\ntwo\n",
        "lib/b.py": "b\n",
        "lib/größe.py": "g\n",
        ".gitignore": "*.log\n",
    }
    return make_repository(tmp_path / "repo", files)


def head_diff(root: Path, tmp_path: Path) -> str:
    return Snapshots(root, tmp_path / "private").diff_head()


def test_a_clean_tree_has_no_dirty_paths(repo: Path) -> None:
    write(repo, {"untracked.py": "u\n"})
    assert dirty_paths(repo) == ()


def test_dirty_paths_are_relative_to_the_workspace_and_limited_to_it(repo: Path) -> None:
    write(repo, {"a.py": "x\n", "lib/größe.py": "x\n", "lib/new\nline.py": "n\n"})
    git(repo, "add", "lib/new\nline.py")
    (repo / "lib/b.py").unlink()
    assert set(dirty_paths(repo / "lib")) == {"b.py", "größe.py", "new\nline.py"}
    assert "a.py" in dirty_paths(repo)


def test_a_renamed_file_is_dirty_under_both_names(repo: Path) -> None:
    git(repo, "mv", "a.py", "c.py")
    assert set(dirty_paths(repo)) == {"a.py", "c.py"}


def test_a_folder_without_a_repository_is_never_dirty(tmp_path: Path) -> None:
    assert dirty_paths(tmp_path) == ()
    assert Branch(tmp_path).name() == ""


def test_without_a_git_program_nothing_is_known(repo: Path) -> None:
    missing = Git("no-such-git-program")
    assert not missing.works()
    assert dirty_paths(repo, missing) == ()
    assert Branch(repo, missing).name() == ""


def test_asking_leaves_the_repository_untouched(repo: Path, tmp_path: Path) -> None:
    os.utime(repo / "a.py", (1, 1))
    write(repo, {"lib/b.py": "changed\n", "new.py": "n\n"})
    untouched = private_parts(repo)
    dirty_paths(repo)
    Branch(repo).name()
    head_diff(repo, tmp_path)
    assert private_parts(repo) == untouched


def test_the_branch_has_its_name_even_before_the_first_commit(repo: Path, tmp_path: Path) -> None:
    assert Branch(make_repository(tmp_path / "fresh")).name() == "main"
    git(repo, "checkout", "-q", "-b", "feature/größe")
    assert Branch(repo / "lib").name() == "feature/größe"


def test_without_a_branch_the_commit_is_named(repo: Path) -> None:
    git(repo, "checkout", "-q", "--detach")
    assert Branch(repo).name() == git(repo, "rev-parse", "--short", "HEAD").strip()


def test_the_branch_is_read_anew_each_time(tmp_path: Path) -> None:
    branch = Branch(tmp_path)
    assert branch.name() == ""
    make_repository(tmp_path)
    assert branch.name() == "main"
    git(tmp_path, "checkout", "-q", "-b", "next")
    assert branch.name() == "next"
    shutil.rmtree(tmp_path / ".git")
    assert branch.name() == ""


def test_where_refs_are_kept_in_another_form_git_is_asked(tmp_path: Path) -> None:
    command = ["git", "init", "-q", "-b", "other", "--ref-format=reftable", str(tmp_path)]
    if subprocess.run(command, capture_output=True, check=False).returncode != 0:
        pytest.skip("this git keeps refs as files only")
    assert Branch(tmp_path).name() == "other"


def test_a_branch_that_would_act_in_a_terminal_is_made_safe(repo: Path) -> None:
    branch = Branch(repo)
    assert branch.name() == "main"
    (repo / ".git" / "HEAD").write_bytes(b"ref: refs/heads/a\x1b]0;x\x07b\xff\n")
    assert "\x1b" not in branch.name()


def test_a_work_tree_of_a_repository_is_a_repository(repo: Path, tmp_path: Path) -> None:
    tree = tmp_path / "tree"
    git(repo, "worktree", "add", "-q", "-b", "other", str(tree))
    write(tree, {"a.py": "changed\n", "new.py": "n\n"})
    assert Branch(tree).name() == "other"
    assert dirty_paths(tree) == ("a.py",)
    diff = head_diff(tree, tmp_path)
    assert "-two\n+changed\n" in diff
    assert "+++ b/new.py\n" in diff


def test_variables_of_another_git_are_not_inherited(
    repo: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_repository(tmp_path / "other", {"o.py": "o\n"})
    monkeypatch.setenv("GIT_DIR", str(other / ".git"))
    monkeypatch.setenv("GIT_INDEX_FILE", str(other / ".git/index"))
    monkeypatch.setenv("GIT_WORK_TREE", str(other))
    monkeypatch.setenv("GIT_EXTERNAL_DIFF", "/nonexistent")
    write(repo, {"a.py": "x\n"})
    assert dirty_paths(repo) == ("a.py",)
    assert "--- a/a.py\n" in head_diff(repo, tmp_path)


def test_filters_of_a_repository_are_not_started_to_see_what_is_dirty(
    repo: Path, tmp_path: Path
) -> None:
    write(repo, {".gitattributes": "*.py filter=a=b\n"})
    git(repo, "config", "filter.a=b.clean", f"touch {tmp_path}/ran; cat")
    git(repo, "config", "filter.a=b.required", "true")
    write(repo, {"a.py": "x\n"})
    assert dirty_paths(repo) == ("a.py",)
    assert not (tmp_path / "ran").exists()


def test_a_git_that_hangs_is_stopped(tmp_path: Path) -> None:
    program = tmp_path / "slow-git"
    program.write_text("#!/bin/sh\nexec sleep 600\n")
    program.chmod(0o755)
    with pytest.raises(GitFailed, match=r"did not end within 0\.1 s"):
        Git(str(program)).run("status", cwd=tmp_path, deadline_s=0.1)


def test_what_a_failing_git_says_cannot_reach_the_terminal_raw(tmp_path: Path) -> None:
    program = tmp_path / "rude-git"
    program.write_text("#!/bin/sh\nprintf '\\033]0;title\\007bad\\033[2J' >&2\nexit 3\n")
    program.chmod(0o755)
    with pytest.raises(GitFailed, match=r"exited with 3: bad$"):
        Git(str(program)).run("status", cwd=tmp_path)


def test_the_diff_against_head_has_staged_unstaged_new_and_gone(repo: Path, tmp_path: Path) -> None:
    write(repo, {"a.py": "one\n2\n", "new.py": "n\n", "staged.py": "s\n", "x.log": "ignored\n"})
    git(repo, "add", "staged.py")
    (repo / "lib/b.py").unlink()
    os.utime(repo / "lib/größe.py", (1, 1))
    diff = head_diff(repo, tmp_path)
    assert "--- a/a.py\n+++ b/a.py\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n" in diff
    assert "+++ b/new.py\n" in diff
    assert "+++ b/staged.py\n" in diff
    assert "--- a/lib/b.py\n+++ /dev/null\n" in diff
    assert "x.log" not in diff
    assert "größe" not in diff


def test_the_diff_against_head_does_not_see_line_endings_that_git_converts(
    repo: Path, tmp_path: Path
) -> None:
    git(repo, "config", "core.autocrlf", "true")
    (repo / "a.py").write_bytes(b"one\r\ntwo\r\n")
    assert head_diff(repo, tmp_path) == ""


def test_the_diff_against_head_of_a_folder_stays_in_it(repo: Path, tmp_path: Path) -> None:
    write(repo, {"a.py": "x\n", "lib/b.py": "changed\n", "lib/:odd": "o\n"})
    diff = head_diff(repo / "lib", tmp_path)
    assert "--- a/b.py\n+++ b/b.py\n" in diff
    assert "+++ b/:odd\n" in diff
    assert "a/a.py" not in diff


def test_a_merge_in_progress_has_a_diff(repo: Path, tmp_path: Path) -> None:
    git(repo, "checkout", "-q", "-b", "other")
    write(repo, {"a.py": "theirs\n"})
    git(repo, "commit", "-q", "-am", "theirs")
    git(repo, "checkout", "-q", "main")
    write(repo, {"a.py": "ours\n"})
    git(repo, "commit", "-q", "-am", "ours")
    with pytest.raises(Exception, match="merge"):
        git(repo, "merge", "other")
    assert dirty_paths(repo) == ("a.py",)
    snapshots = Snapshots(repo, tmp_path / "private")
    before = snapshots.take()
    write(repo, {"a.py": "settled\n"})
    assert [change.path for change in snapshots.changed_paths(before)] == ["a.py"]
    assert "+settled\n" in snapshots.diff_head()


def test_a_split_index_is_left_as_it_is(repo: Path, tmp_path: Path) -> None:
    git(repo, "update-index", "--split-index")
    write(repo, {"a.py": "x\n", "new.py": "n\n"})
    untouched = private_parts(repo)
    assert dirty_paths(repo) == ("a.py",)
    assert "+++ b/new.py\n" in head_diff(repo, tmp_path)
    assert private_parts(repo) == untouched


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give a folder away")
def test_a_repository_of_another_owner_is_read(repo: Path) -> None:
    os.chown(repo, 12345, 12345)
    os.chown(repo / ".git", 12345, 12345)
    write(repo, {"a.py": "x\n"})
    assert dirty_paths(repo) == ("a.py",)
    assert Branch(repo).name() == "main"
