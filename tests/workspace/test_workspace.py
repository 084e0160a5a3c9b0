"""From a name to a place: links, secrets, git's own files, our own files, hostile names."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.errors import OutsideWorkspace, SensitivePath, ToolRefused, WorkspaceError
from agent_cockpit.workspace.workspace import Workspace


@pytest.fixture
def root(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "src").mkdir(parents=True)
    (root / "src" / "a.py").write_text("a")
    (tmp_path / "outside.txt").write_text("no")
    return root


@pytest.mark.parametrize(
    ("path", "relative"),
    [
        ("src/a.py", "src/a.py"),
        ("./src//a.py", "src/a.py"),
        ("src/../src/a.py", "src/a.py"),
        (".", "."),
        ("new/deep/file", "new/deep/file"),
        ("-rf", "-rf"),
        ("a b\tc", "a b\tc"),
        ("käse", "käse"),
    ],
)
def test_a_name_inside_is_located(root: Path, path: str, relative: str) -> None:
    located = Workspace(root).locate(path)
    assert located.relative == relative
    assert located.path == Path(os.path.normpath(root.resolve() / relative))


def test_an_absolute_name_inside_is_located(root: Path) -> None:
    assert Workspace(root).locate(str(root / "src" / "a.py")).relative == "src/a.py"


@pytest.mark.parametrize("path", ["..", "../outside.txt", "/etc/passwd", "src/../../x", "/"])
def test_a_name_outside_is_refused(root: Path, path: str) -> None:
    with pytest.raises(OutsideWorkspace, match="outside the workspace"):
        Workspace(root).locate(path)


def test_a_sibling_with_the_same_beginning_is_outside(root: Path) -> None:
    (root.parent / "project-2").mkdir()
    with pytest.raises(OutsideWorkspace):
        Workspace(root).locate("../project-2/a")


def test_links_are_followed_before_judging(root: Path) -> None:
    (root / "out").symlink_to(root.parent)
    (root / "dangling").symlink_to(root.parent / "not-there")
    (root / "in").symlink_to(root / "src")
    workspace = Workspace(root)
    assert workspace.locate("in/a.py").relative == "src/a.py"
    for path in ("out/outside.txt", "out", "dangling", "in/../../outside.txt"):
        with pytest.raises(OutsideWorkspace):
            workspace.locate(path)


def test_a_ring_of_links_is_not_followed_forever(root: Path) -> None:
    (root / "ring").symlink_to(root / "ring")
    located = Workspace(root).locate("ring")
    assert located.path.parent == root.resolve()


def test_a_workspace_opened_through_a_link_takes_names_of_both(root: Path) -> None:
    link = root.parent / "link"
    link.symlink_to(root)
    workspace = Workspace(link)
    assert workspace.root == root.resolve()
    assert workspace.locate(str(link / "src/a.py")).relative == "src/a.py"
    assert workspace.locate(str(root / "src/a.py")).relative == "src/a.py"


@pytest.mark.parametrize(
    "path", [".env", "SRC/.ENV", "deep/key.pem", ".ssh/config", "secrets/x", "Credentials.json"]
)
def test_files_that_may_hold_secrets_are_refused(root: Path, path: str) -> None:
    with pytest.raises(SensitivePath, match="may hold secrets"):
        Workspace(root).locate(path)


def test_a_link_to_a_secret_and_a_secret_name_for_a_plain_file_are_both_refused(root: Path) -> None:
    (root / ".env").write_text("KEY=1")
    (root / "notes.txt").symlink_to(root / ".env")
    (root / "id_rsa").symlink_to(root / "src" / "a.py")
    for path in ("notes.txt", "id_rsa"):
        with pytest.raises(SensitivePath):
            Workspace(root).locate(path)


def test_the_list_of_secrets_is_a_setting(root: Path) -> None:
    workspace = Workspace(root, sensitive_globs=("docs/*.md",))
    assert workspace.locate(".env").relative == ".env"
    with pytest.raises(SensitivePath):
        workspace.locate("docs/plan.md")


@pytest.mark.parametrize("path", [".git/config", ".GIT/hooks/x", "sub/.git/config", ".git"])
def test_git_is_read_but_never_written(root: Path, path: str) -> None:
    workspace = Workspace(root)
    workspace.locate(path)
    with pytest.raises(ToolRefused, match="git's own"):
        workspace.locate(path, write=True)


def test_our_own_record_is_neither_read_nor_listed(root: Path) -> None:
    workspace = Workspace(root, hidden=(root / "events",))
    assert not workspace.is_visible("events/1.jsonl")
    assert workspace.is_visible("events.txt")
    for path in ("events", "events/1.jsonl"):
        with pytest.raises(ToolRefused, match="own record"):
            workspace.locate(path)


@pytest.mark.parametrize(
    "path", ["", "  ", "a\0b", "x" * 256, "a/" * 3000, "\ud800", "é" * 200], ids=repr
)
def test_what_no_file_can_be_called_is_refused(root: Path, path: str) -> None:
    with pytest.raises(ToolRefused):
        Workspace(root).locate(path)


def test_a_refusal_shows_a_hostile_name_without_obeying_it(root: Path) -> None:
    with pytest.raises(OutsideWorkspace) as refused:
        Workspace(root).locate("../\x1b[2J\n\u202egpj")
    assert "\x1b" not in str(refused.value)
    assert "\n" not in str(refused.value)
    assert "<U+202E>" in str(refused.value)


@given(st.text(max_size=60))
@settings(max_examples=200)
def test_no_text_at_all_leads_outside(tmp_path_factory: pytest.TempPathFactory, path: str) -> None:
    workspace = Workspace(Path(tmp_path_factory.getbasetemp()))
    try:
        located = workspace.locate(path)
    except ToolRefused:
        return
    assert located.path.is_relative_to(workspace.root)


def test_opening_says_what_is_wrong_and_what_to_do(root: Path) -> None:
    for path, words in [
        (root / "gone", "create it first"),
        (root / "src" / "a.py", "it is a file"),
        (root / "src" / "a.py" / "below", "it is a file"),
    ]:
        with pytest.raises(WorkspaceError, match=words):
            Workspace(path)


@pytest.mark.skipif(getattr(os, "geteuid", int)() == 0, reason="root may read everything")
def test_an_unreadable_folder_is_told(root: Path) -> None:
    root.chmod(0)
    try:
        with pytest.raises(WorkspaceError, match="may not be read"):
            Workspace(root)
    finally:
        root.chmod(0o755)
