"""Listings: patterns, ignore rules, links, and trees that try to keep us busy."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.errors import OutsideWorkspace, ToolRefused
from agent_cockpit.workspace.finding.globs import parse_glob
from agent_cockpit.workspace.finding.listing import list_files
from agent_cockpit.workspace.workspace import Workspace


def tree(root: Path, *names: str, **contents: str) -> Workspace:
    for name in names:
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text("x")
    return Workspace(root)


def listed(workspace: Workspace, pattern: str = "**/*") -> list[str]:
    return list(list_files(workspace, pattern).paths)


NAMES = ("a.py", "b.md", "src/c.py", "src/deep/d.py", "src/deep/e.ts", ".dot", ".github/ci.yml")


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        ("**/*", ["a.py", "b.md", "src/c.py", "src/deep/d.py", "src/deep/e.ts"]),
        ("", ["a.py", "b.md", "src/c.py", "src/deep/d.py", "src/deep/e.ts"]),
        (".", ["a.py", "b.md", "src/c.py", "src/deep/d.py", "src/deep/e.ts"]),
        ("**", ["a.py", "b.md", "src/c.py", "src/deep/d.py", "src/deep/e.ts"]),
        ("*.py", ["a.py"]),
        ("./*.py", ["a.py"]),
        ("**/*.py", ["a.py", "src/c.py", "src/deep/d.py"]),
        ("src/**/*.py", ["src/c.py", "src/deep/d.py"]),
        ("src", ["src/c.py", "src/deep/d.py", "src/deep/e.ts"]),
        ("src/", ["src/c.py", "src/deep/d.py", "src/deep/e.ts"]),
        ("src/*", ["src/c.py", "src/deep/d.py", "src/deep/e.ts"]),
        ("**/deep", ["src/deep/d.py", "src/deep/e.ts"]),
        ("**/*.{md,ts}", ["b.md", "src/deep/e.ts"]),
        ("**/?.p[xy]", ["a.py", "src/c.py", "src/deep/d.py"]),
        ("src/c.py", ["src/c.py"]),
        (".*", [".dot", ".github/ci.yml"]),
        (".github/**", [".github/ci.yml"]),
        ("none/*", []),
    ],
)
def test_patterns(tmp_path: Path, pattern: str, expected: list[str]) -> None:
    assert listed(tree(tmp_path, *NAMES), pattern) == expected


@pytest.mark.parametrize("pattern", ["../*", "a/../../b", "x" * 1001, "a\0", "{a,b}" * 8, "*a" * 9])
def test_patterns_that_lead_out_or_cost_too_much_are_refused(tmp_path: Path, pattern: str) -> None:
    with pytest.raises(ToolRefused):
        list_files(Workspace(tmp_path), pattern)


def test_an_absolute_pattern_inside_is_taken(tmp_path: Path) -> None:
    workspace = tree(tmp_path, *NAMES)
    assert listed(workspace, f"{workspace.root}/*.py") == ["a.py"]
    assert len(listed(workspace, str(workspace.root))) == 5
    with pytest.raises(OutsideWorkspace):
        listed(workspace, "/etc/*")


def test_ignore_rules_hold_and_the_nearest_one_wins(tmp_path: Path) -> None:
    workspace = tree(
        tmp_path, "a.log", "keep.log", "out/x", "src/out/y", "src/b.log", "src/n/c.log"
    )
    (tmp_path / ".gitignore").write_text("# logs\n*.log\n!keep.log\n/out/\n\n")
    (tmp_path / "src" / ".gitignore").write_text("!b.log\n")
    assert listed(workspace) == ["keep.log", "src/b.log", "src/out/y"]


def test_an_ignored_folder_is_looked_into_when_it_is_named(tmp_path: Path) -> None:
    workspace = tree(tmp_path, "node_modules/p/index.js", "src/gen/x.py", "src/y.py")
    (tmp_path / ".gitignore").write_text("node_modules\ngen\n")
    assert listed(workspace) == ["src/y.py"]
    assert listed(workspace, "src/**/*.py") == ["src/y.py"]
    assert listed(workspace, "node_modules/p/*") == ["node_modules/p/index.js"]
    assert listed(workspace, "src/gen/x.py") == ["src/gen/x.py"]


def test_rules_of_the_repository_around_the_workspace_hold(tmp_path: Path) -> None:
    (tmp_path / ".git" / "info").mkdir(parents=True)
    (tmp_path / ".git" / "info" / "exclude").write_text("*.tmp\n")
    (tmp_path / ".gitignore").write_text("pkg/build\n")
    (tmp_path / "pkg").mkdir()
    workspace = tree(tmp_path / "pkg", "build/x", "a.tmp", "b.py")
    assert listed(workspace) == ["b.py"]


def test_git_secrets_and_our_own_record_are_never_listed(tmp_path: Path) -> None:
    tree(tmp_path, ".git/config", ".env", "id_rsa", "secrets/x", "events/1.jsonl", "a/.git")
    workspace = Workspace(tmp_path, hidden=(tmp_path / "events",))
    assert listed(workspace) == []
    assert listed(workspace, ".*") == []
    assert listed(workspace, "events/*") == []


def test_links_to_files_are_listed_links_to_folders_are_not_followed(tmp_path: Path) -> None:
    workspace = tree(tmp_path, "src/a.py")
    (tmp_path / "link.py").symlink_to("src/a.py")
    (tmp_path / "loop").symlink_to(tmp_path)
    (tmp_path / "src" / "up").symlink_to("..")
    (tmp_path / "gone").symlink_to("nowhere")
    os.mkfifo(tmp_path / "pipe")
    assert listed(workspace) == ["link.py", "src/a.py"]


def test_many_files_are_counted_and_the_first_are_shown(tmp_path: Path) -> None:
    workspace = tree(tmp_path, *(f"d{n % 7}/f{n:04}" for n in range(1100)))
    listing = list_files(workspace)
    assert (len(listing.paths), listing.total, listing.complete) == (1000, 1100, True)
    assert list(listing.paths) == sorted(listing.paths)


def test_a_walk_can_be_stopped(tmp_path: Path) -> None:
    workspace = tree(tmp_path, "a", "b", "c")
    assert not list_files(workspace, cancelled=lambda: True).complete
    assert not list_files(workspace, deadline_s=-1).complete


def test_a_very_deep_tree_is_walked(tmp_path: Path) -> None:
    folder = tmp_path
    for _ in range(150):
        folder = folder / "d"
    folder.mkdir(parents=True)
    (folder / "leaf").write_text("x")
    assert len(listed(Workspace(tmp_path))) == 1


def test_hostile_patterns_and_rules_are_quick(tmp_path: Path) -> None:
    workspace = tree(tmp_path, "a" * 200, *("/".join("a" * 40) + f"/f{n}" for n in range(2)))
    (tmp_path / ".gitignore").write_text("*a" * 40 + "b\n" + "**/a/" * 30 + "b\n[\n" + "x" * 5000)
    started = time.process_time()
    assert len(listed(workspace)) == 3
    assert listed(workspace, "**/a/" * 30 + "b") == []
    assert listed(workspace, "*a" * 8 + "b") == []
    assert time.process_time() - started < 2


@given(st.text(alphabet="ab*?[]{},/.!-", max_size=20), st.text(alphabet="ab.", max_size=5))
def test_any_pattern_is_matched_or_refused(pattern: str, name: str) -> None:
    try:
        globs = parse_glob(pattern)
    except ToolRefused:
        return
    for glob in globs:
        glob.accepts(glob.step(glob.start, name))
