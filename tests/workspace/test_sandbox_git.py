"""Git inside a sandbox: it works, and nothing that it starts by itself can be planted."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent_cockpit.workspace.sandbox.places import git_places
from agent_cockpit.workspace.sandbox.protocol import Limits, Sandbox
from tests.support.repositories import git, make_repository
from tests.workspace.sandboxes import NAMES, Field, ground_in, working

pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux sandboxes")

FILES = {"a.txt": "one\n", "sub/b.txt": "two\n"}
CHANGING = Limits(changes_repository=True)


@pytest.fixture(params=NAMES)
def field(request: pytest.FixtureRequest, tmp_path: Path) -> Field:
    ground = ground_in(tmp_path)
    make_repository(ground.root, FILES)
    return Field(ground, tmp_path, working(request.param, ground))


def moved(field: Field, root: Path) -> Field:
    """The same, with another folder as the workspace."""
    ground = replace(field.ground, root=root)
    return Field(ground, field.elsewhere, working(field.sandbox.name, ground))


async def test_git_reads_in_a_view_that_cannot_be_written(field: Field) -> None:
    (field.root / "a.txt").write_text("changed\n")
    command = "git status --short && git log --format=%s && git diff --stat && git ls-files"
    result = await field.run(command, Limits(writes=False))
    assert result.exit_code == 0, result.output
    assert " M a.txt\nfirst\n" in result.output


async def test_git_commits_and_branches(field: Field) -> None:
    command = "echo new > c.txt && git add -A && git commit -qm second && git checkout -qb other"
    result = await field.run(f"export HOME={field.home}; {command}", CHANGING)
    assert (result.exit_code, result.output) == (0, "")
    assert git(field.root, "log", "--format=%s", "other") == "second\nfirst\n"


async def test_a_linked_work_tree_is_readable_and_changed_only_on_purpose(field: Field) -> None:
    git(field.root, "worktree", "add", "-q", "../linked")
    linked = moved(field, field.root.parent / "linked")
    looked = await linked.run("git status && git log --format=%s")
    assert looked.exit_code == 0, looked.output
    commit = f"export HOME={field.home}; echo x > c.txt; git add -A && git commit -qm linked"
    refused = await linked.run(commit)
    assert refused.exit_code != 0
    assert str(field.root / ".git") in linked.sandbox.describe(CHANGING)
    allowed = await linked.run(commit, CHANGING)
    assert allowed.exit_code == 0, allowed.output
    assert git(field.root, "log", "-1", "--format=%s", "linked") == "linked\n"


async def test_git_works_in_a_folder_below_the_top(field: Field) -> None:
    below = moved(field, field.root / "sub")
    result = await below.run("git status --short . && git log --format=%s -- b.txt")
    assert (result.exit_code, result.output) == (0, "first\n")


@pytest.mark.parametrize("limits", [Limits(), CHANGING, Limits(anywhere=True)])
async def test_no_hook_can_be_planted(field: Field, limits: Limits) -> None:
    guarded(field.sandbox)
    hooks = field.root / ".git" / "hooks"
    before = sorted(path.name for path in hooks.iterdir())
    await field.run(
        "echo 'touch owned' > .git/hooks/pre-commit; mv .git/hooks .git/old; "
        "rm -rf .git/hooks; mkdir -p .git/hooks; echo x > .git/hooks/post-checkout",
        limits,
    )
    assert sorted(path.name for path in hooks.iterdir()) == before


async def test_the_settings_change_only_by_what_was_allowed_to_change_them(field: Field) -> None:
    guarded(field.sandbox)
    settings = field.root / ".git" / "config"
    before = settings.read_bytes()
    result = await field.run(
        "git config core.fsmonitor 'touch owned'; echo x >> .git/config; "
        "cp .git/config c; mv c .git/config; rm -f .git/config; mv .git/config gone"
    )
    assert settings.read_bytes() == before, result.output
    await field.run("git config remote.origin.url https://example.org/x.git", CHANGING)
    assert b"example.org" in settings.read_bytes()


async def test_a_linked_work_tree_cannot_be_led_to_another_store(field: Field) -> None:
    guarded(field.sandbox)
    git(field.root, "worktree", "add", "-q", "../linked")
    linked = moved(field, field.root.parent / "linked")
    pointer = (linked.root / ".git").read_text()
    await linked.run("mkdir evil; rm -f .git; echo 'gitdir: evil' > .git", CHANGING)
    assert (linked.root / ".git").read_text() == pointer


def guarded(sandbox: Sandbox) -> None:
    if sandbox.name == "landlock":
        pytest.skip("Landlock cannot take rights away inside a folder that has them")


def test_pointers_of_git_that_lead_nowhere_are_no_places(tmp_path: Path) -> None:
    assert git_places(tmp_path).guarded == ()
    dot = tmp_path / ".git"
    (tmp_path / "home").mkdir()
    for text in (
        "",
        "gitdir:",
        "gitdir: home",
        "gitdir: ..",
        "gitdir: /nowhere/at/all",
        "gitdir: \0",
        "x" * 100_000,
        "\udcff",
    ):
        dot.write_text(text, errors="surrogateescape")
        assert git_places(tmp_path).folders == ()
    dot.unlink()
    dot.symlink_to(".git")
    assert git_places(tmp_path).folders == ()


def test_all_of_a_linked_work_trees_store_is_found(tmp_path: Path) -> None:
    main = make_repository(tmp_path / "main", FILES)
    git(main, "worktree", "add", "-q", "../linked")
    places = git_places(tmp_path / "linked" / "sub")
    assert places.folders == (main / ".git" / "worktrees" / "linked", main / ".git")
    assert main / ".git" / "hooks" in places.guarded
    assert tmp_path / "linked" / ".git" in places.guarded
    assert places.settings == (main / ".git" / "config",)
