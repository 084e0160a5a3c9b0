"""Which skills there are, from where, and which are left out."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from agent_cockpit.errors import OutsideWorkspace
from agent_cockpit.workspace.project.discovery import Sources
from agent_cockpit.workspace.project.skills import FoundSkills, find_skills, own_skills
from agent_cockpit.workspace.workspace import Workspace
from tests.support.repositories import write


@pytest.fixture
def project(tmp_path: Path) -> Path:
    root = tmp_path / "project"
    (root / "sub").mkdir(parents=True)
    subprocess.run(["git", "init", "-q", str(root)], check=True)
    return root


def workspace_of(project: Path) -> Workspace:
    return Workspace(project, readable=(own_skills(project.parent / "config"),))


def found(
    project: Path, *added: Path, is_off: bool = False, cwd: Path | None = None
) -> FoundSkills:
    sources = Sources(
        cwd=cwd or project,
        config_dir=project.parent / "config",
        added=added,
        sensitive_globs=(".env",),
        is_off=is_off,
    )
    return find_skills(sources, workspace_of(project))


def names(skills: FoundSkills) -> list[str]:
    return [skill.name for skill in skills.skills]


def skill(text: str = "Do it.", name: str = "") -> str:
    return f"---\nname: {name}\ndescription: d\n---\n{text}\n" if name else text


def test_a_folder_with_its_file_is_a_skill_and_a_bare_file_is_none(project: Path) -> None:
    write(
        project,
        {
            ".agents/skills/review/SKILL.md": skill(),
            ".agents/skills/loose.md": skill(),
            ".agents/skills/empty/README.md": "no",
            ".agents/skills/deep/er/SKILL.md": skill(),
        },
    )
    assert names(found(project)) == ["review"]


def test_nearer_folders_win_and_the_persons_own_stay_beside(project: Path) -> None:
    write(project, {".agents/skills/review/SKILL.md": skill("far")})
    write(project, {"sub/.agents/skills/review/SKILL.md": skill("near")})
    write(project.parent / "config", {"skills/review/SKILL.md": skill("mine")})
    skills = found(project, cwd=project / "sub")
    assert [(each.name, each.body) for each in skills.skills] == [
        ("project:review", "near"),
        ("yours:review", "mine"),
    ]


def test_a_broken_file_is_left_out_with_its_reason(project: Path) -> None:
    write(
        project,
        {
            ".agents/skills/one/SKILL.md": "---\nname: x\n",
            ".agents/skills/two/SKILL.md": skill(),
            ".agents/skills/three/SKILL.md": "---\nuser-invocable: maybe\n---\n",
        },
    )
    skills = found(project)
    assert names(skills) == ["two"]
    assert [broken.problem.split(",")[0] for broken in skills.broken] == [
        "its frontmatter has no closing ---",
        "user-invocable is true or false",
    ]


def test_a_projects_link_does_not_lead_out_of_it(project: Path) -> None:
    write(project.parent, {"elsewhere/SKILL.md": skill("SECRET")})
    (project / ".agents" / "skills").mkdir(parents=True)
    (project / ".agents" / "skills" / "x").symlink_to(project.parent / "elsewhere")
    skills = found(project)
    assert names(skills) == []
    assert "leads out" in skills.broken[0].problem


def test_the_persons_own_may_be_read_by_the_model_and_never_written(project: Path) -> None:
    config = project.parent / "config"
    write(config, {"skills/mine/SKILL.md": skill(), "agent-cockpit.toml": "x"})
    (one,) = found(project).skills
    assert one.is_listed
    workspace = workspace_of(project)
    located = workspace.locate_to_read(one.path)
    assert located.path.read_text() == skill()
    for is_write in (False, True):
        with pytest.raises(OutsideWorkspace):
            workspace.locate(one.path, write=is_write)
    for other in ("agent-cockpit.toml", "skills/../agent-cockpit.toml", "skills-2/x"):
        with pytest.raises(OutsideWorkspace):
            workspace.locate_to_read(str(config / other))


def test_what_the_model_cannot_read_is_for_the_person_alone(project: Path) -> None:
    write(project.parent / "more", {".agents/skills/x/SKILL.md": skill()})
    (one,) = found(project, project.parent / "more").skills
    assert (one.scope, one.is_listed, one.is_command) == ("added", False, True)


def test_when_it_is_off_only_added_folders_count(project: Path) -> None:
    write(project, {".agents/skills/a/SKILL.md": skill()})
    write(project.parent / "config", {"skills/b/SKILL.md": skill()})
    write(project.parent / "more", {".agents/skills/c/SKILL.md": skill()})
    assert names(found(project, project.parent / "more", is_off=True)) == ["c"]


def test_a_hostile_number_of_skills_is_bounded(project: Path) -> None:
    write(project, {f".agents/skills/s{n:03}/SKILL.md": skill() for n in range(260)})
    assert len(found(project).skills) <= 200


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
def test_pipes_and_giants_are_left_out(project: Path) -> None:
    write(project, {".agents/skills/big/SKILL.md": "x" * 300_000, ".agents/skills/p/x": ""})
    os.mkfifo(project / ".agents" / "skills" / "p" / "SKILL.md")
    skills = found(project)
    assert names(skills) == []
    assert len(skills.broken) == 2


def test_nothing_there_is_nothing_found(project: Path) -> None:
    assert found(project) == FoundSkills()
