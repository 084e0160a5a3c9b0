"""Which AGENTS.md files hold for a folder, in which order, and which are left out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agent_cockpit.rules.model.project_instructions import InstructionFile
from agent_cockpit.workspace.project.discovery import Sources, chain
from agent_cockpit.workspace.project.instructions import find_instructions
from tests.support.repositories import write


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A repository with a folder two levels down."""
    root = tmp_path / "project"
    (root / "sub" / "deep").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def found(cwd: Path, *added: Path, is_off: bool = False) -> tuple[InstructionFile, ...]:
    top = cwd
    while not (top.name == "project" or top == top.parent):
        top = top.parent
    config = (top if top != top.parent else cwd).parent / "config"
    globs = (".env", "*.pem")
    return find_instructions(
        Sources(cwd=cwd, config_dir=config, added=added, sensitive_globs=globs, is_off=is_off)
    )


def texts(files: tuple[InstructionFile, ...]) -> list[str]:
    return [file.text for file in files if not file.problem]


def problems(files: tuple[InstructionFile, ...]) -> list[str]:
    return [file.problem for file in files if file.problem]


def test_the_persons_own_come_first_then_from_the_top_down(project: Path) -> None:
    write(project.parent / "config", {"AGENTS.md": "mine\n"})
    write(project, {"AGENTS.md": "top\n", "sub/AGENTS.md": "sub\n", "sub/deep/AGENTS.md": "deep\n"})
    files = found(project / "sub" / "deep")
    assert texts(files) == ["mine", "top", "sub", "deep"]
    assert [file.scope for file in files] == ["yours", "project", "project", "project"]


def test_outside_a_project_only_the_folder_itself_counts(tmp_path: Path) -> None:
    write(tmp_path, {"AGENTS.md": "above\n", "here/AGENTS.md": "here\n"})
    assert texts(found(tmp_path / "here")) == ["here"]
    assert chain(tmp_path / "here") == ((tmp_path / "here").resolve(),)


def test_what_lies_above_the_project_does_not_count(project: Path) -> None:
    write(project.parent, {"AGENTS.md": "above\n"})
    write(project, {"AGENTS.md": "top\n"})
    assert texts(found(project)) == ["top"]


def test_a_worktrees_git_file_marks_a_top_too(tmp_path: Path) -> None:
    root = tmp_path / "project"
    write(root, {".git": "gitdir: elsewhere\n", "AGENTS.md": "top\n", "sub/x": ""})
    assert texts(found(root / "sub")) == ["top"]


def test_an_override_stands_in_for_its_own_folder_only(project: Path) -> None:
    write(project, {"AGENTS.md": "top\n", "AGENTS.override.md": "instead\n"})
    write(project, {"sub/AGENTS.md": "sub\n"})
    assert texts(found(project / "sub")) == ["instead", "sub"]


def test_an_empty_override_silences_its_folder(project: Path) -> None:
    write(project, {"AGENTS.md": "top\n", "AGENTS.override.md": "\n"})
    files = found(project)
    assert (texts(files), problems(files)) == ([], ["it is empty"])


@pytest.mark.parametrize("pattern", ["AGENTS.md", "sub/", "/sub/AGENTS.md", "sub/*"])
def test_what_git_ignores_does_not_count(project: Path, pattern: str) -> None:
    write(project, {".gitignore": f"{pattern}\n", "sub/AGENTS.md": "generated\n"})
    files = found(project / "sub")
    assert (texts(files), problems(files)) == ([], ["git ignores it"])


def test_an_ignored_override_counts(project: Path) -> None:
    write(project, {".gitignore": "*.override.md\n", "AGENTS.override.md": "only here\n"})
    assert texts(found(project)) == ["only here"]


def test_a_file_counts_once_however_it_is_reached(project: Path) -> None:
    write(project, {"AGENTS.md": "top\n"})
    (project / "sub" / "AGENTS.md").symlink_to("../AGENTS.md")
    assert texts(found(project / "sub", project, project / "sub")) == ["top"]


def test_added_folders_come_last_with_what_lies_above_them(project: Path) -> None:
    more = project.parent / "more"
    write(more, {"AGENTS.md": "more top\n", "in/AGENTS.md": "more in\n"})
    subprocess.run(["git", "init", "-q", str(more)], check=True)
    write(project, {"AGENTS.md": "top\n"})
    files = found(project, more / "in")
    assert texts(files) == ["top", "more top", "more in"]
    assert [file.scope for file in files] == ["project", "added", "added"]


def test_when_it_is_off_only_added_folders_count(project: Path) -> None:
    write(project.parent / "config", {"AGENTS.md": "mine\n"})
    write(project, {"AGENTS.md": "top\n"})
    write(project.parent / "more", {"AGENTS.md": "more\n"})
    assert texts(found(project, project.parent / "more", is_off=True)) == ["more"]


@pytest.mark.parametrize(
    ("target", "words"),
    [
        ("../../secret.txt", "leads out of its project"),
        ("/etc/hostname", "leads out of its project"),
        ("../.env", "may hold secrets"),
        ("../nowhere", "link to nothing"),
        ("../picture.bin", "binary"),
    ],
)
def test_a_link_is_followed_inside_the_project_only(project: Path, target: str, words: str) -> None:
    write(project.parent, {"secret.txt": "TOP SECRET\n"})
    write(project, {".env": "TOP SECRET\n"})
    (project / "picture.bin").write_bytes(b"\0\1\2\xff" * 50)
    (project / "sub" / "AGENTS.md").symlink_to(target)
    files = found(project / "sub")
    assert "SECRET" not in "".join(file.text for file in files)
    assert len(problems(files)) == 1
    assert words in problems(files)[0]


def test_a_folder_by_that_name_is_none(project: Path) -> None:
    (project / "AGENTS.md").mkdir()
    assert found(project) == ()


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_a_pipe_holds_nothing_up(project: Path) -> None:
    os.mkfifo(project / "AGENTS.md")
    assert len(problems(found(project))) == 1


def test_hidden_characters_do_not_reach_the_model(project: Path) -> None:
    write(project, {"AGENTS.md": "whis\u202eper\u200b\x1b[2J\n"})
    assert texts(found(project)) == ["whisper"]


def test_a_folder_that_is_not_there_is_harmless(tmp_path: Path) -> None:
    assert found(tmp_path / "nowhere", tmp_path / "nor here") == ()
