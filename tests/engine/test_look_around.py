"""What a harness reads before a goal: unasked, so nothing may come of it that was not allowed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from agent_cockpit.check_trust import FolderCheckTrust
from agent_cockpit.rules.model.project_instructions import BUDGET_BYTES
from tests.support.goals import Folder, told
from tests.support.repositories import write
from tests.support.scripted_provider import says


async def opening(folder: Folder, prompt: str = "what is it?", root: Path | None = None) -> str:
    repl = folder.sitting(says("hello"))
    if root is not None:
        repl.add_root(root)
    assert (await repl.submit(prompt)).outcome == "success"
    return told(folder.provider.requests[0])


async def test_instructions_of_the_project_are_told(folder: Folder) -> None:
    write(folder.root, {"AGENTS.md": "always whisper\x1b[2J\n"})
    said = await opening(folder)
    assert "always whisper" in said
    assert "\x1b" not in said


async def test_instructions_may_be_a_link_inside_the_project(folder: Folder) -> None:
    write(folder.root, {"docs/HOW.md": "always whisper\n"})
    (folder.root / "AGENTS.md").symlink_to("docs/HOW.md")
    assert "always whisper" in await opening(folder)


@pytest.mark.parametrize("where", ["the workspace", "an added folder"])
async def test_instructions_that_lead_elsewhere_are_not_followed(
    folder: Folder, where: str
) -> None:
    write(folder.root.parent, {"private/key.txt": "TOP SECRET\n"})
    root = folder.root if where == "the workspace" else folder.root.parent / "more"
    root.mkdir(exist_ok=True)
    (root / "AGENTS.md").symlink_to(folder.root.parent / "private" / "key.txt")
    said = await opening(folder, root=root)
    assert "TOP SECRET" not in said
    assert "not shown" in said


async def test_instructions_that_are_a_secret_are_not_shown(folder: Folder) -> None:
    write(folder.root, {".env": "TOP SECRET\n"})
    (folder.root / "AGENTS.md").symlink_to(".env")
    assert "TOP SECRET" not in await opening(folder)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
async def test_instructions_that_never_end_hold_nothing_up(folder: Folder) -> None:
    os.mkfifo(folder.root / "AGENTS.md")
    assert "not shown" in await opening(folder)
    (folder.root / "AGENTS.md").unlink()
    (folder.root / "AGENTS.md").symlink_to("/dev/zero")
    assert "not shown" in await opening(folder)


async def test_very_long_instructions_are_cut(folder: Folder) -> None:
    write(folder.root, {"AGENTS.md": "first\n" + "x" * 300_000 + "\nlast\n"})
    said = await opening(folder)
    assert len(said) < BUDGET_BYTES + 5_000
    assert ("first" in said, "last" in said) == (True, True)


async def test_an_added_folder_that_is_not_there_is_said_and_harmless(folder: Folder) -> None:
    assert "hello" not in await opening(folder, root=folder.root / "nowhere")


async def test_a_reference_names_lines_and_a_folder_is_none(folder: Folder) -> None:
    said = await opening(folder, "what is in @notes.md:2-2 and @. and @../x?")
    assert "two" in said
    assert "one\n" not in said


async def test_a_folder_that_the_prompt_names_is_told_by_its_files(folder: Folder) -> None:
    write(folder.root, {"src/a.py": "x", "src/deep/b.py": "x", "src/.env": "x", "other.py": "x"})
    said = await opening(folder, "what is in @src/ and in @src/deep?")
    assert "(a folder with 2 files)\nsrc/a.py\nsrc/deep/b.py" in said
    assert "(a folder with 1 file)\nsrc/deep/b.py" in said
    assert "src/.env" not in said


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs named pipes")
@pytest.mark.parametrize("name", ["package.json", "pyproject.toml", "Makefile", "go.mod"])
async def test_project_files_that_never_end_hold_nothing_up(folder: Folder, name: str) -> None:
    os.mkfifo(folder.root / name)
    await opening(folder)
    (folder.root / name).unlink()
    (folder.root / name).symlink_to("/dev/zero")
    await opening(folder)


DAMAGED = ["", "[]", "7", '{"%s": 7}', '{"%s": [["a"]]}', '{"%s": null}', "{", "\x00"]


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_memory_of_trust_trusts_nothing_and_is_mended(folder: Folder, text: str) -> None:
    folder.state.mkdir()
    memory = folder.state / "trusted-checks.json"
    memory.write_text(text.replace("%s", str(folder.root)))
    trust = FolderCheckTrust(folder.root, state=folder.state)
    assert not trust.is_trusted(("make test",))
    trust.trust(("make test",))
    assert trust.is_trusted(("make test",))
    assert FolderCheckTrust(folder.root, state=folder.state).is_trusted(("make test",))
