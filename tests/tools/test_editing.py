"""str_replace, write_file, delete_file: shown first, then done exactly as shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.tools.delete_file import DeleteFile, DeleteFileInput
from agent_cockpit.tools.edit_call import EditCall
from agent_cockpit.tools.read_file import ReadFile, ReadFileInput
from agent_cockpit.tools.str_replace import StrReplace, StrReplaceInput
from agent_cockpit.tools.write_file import WriteFile, WriteFileInput
from agent_cockpit.workspace.cancellation import CancellationToken
from tests.tools.conftest import MakeDeps

CALLS: list[tuple[EditCall, Any]] = [
    (StrReplace(), StrReplaceInput(path="f", old_string="old", new_string="new")),
    (WriteFile(), WriteFileInput(path="f", content="new\n", overwrite=True)),
    (DeleteFile(), DeleteFileInput(path="f")),
]
EVERY = {
    "str_replace": "every edit in any file",
    "write_file": "every write of a whole file",
    "delete_file": "every `delete_file`",
}
every_edit = pytest.mark.parametrize(("tool", "args"), CALLS, ids=[t.name for t, _ in CALLS])


@every_edit
async def test_facts_show_the_diff_and_write_nothing(
    tmp_path: Path, make_deps: MakeDeps, tool: EditCall, args: Any
) -> None:
    (tmp_path / "f").write_text("old\n")
    facts = await tool.facts(args, make_deps())
    assert (tmp_path / "f").read_text() == "old\n"
    assert "-old\n" in facts.preview
    assert (facts.tier, facts.mutates, facts.grantable) == (1, True, True)
    assert (facts.reads, facts.writes) == (("f",), ("f",))
    assert facts.prefix == tool.name
    assert facts.scope_words == f"{EVERY[tool.name]} in this sitting"
    assert facts.fingerprint
    assert "f (+" in facts.reason


@every_edit
async def test_what_was_approved_is_what_is_done(
    tmp_path: Path, make_deps: MakeDeps, tool: EditCall, args: Any
) -> None:
    (tmp_path / "f").write_text("old\n")
    facts = await tool.facts(args, make_deps())
    result = await tool.run(args, make_deps(approved_fingerprint=facts.fingerprint))
    assert result.success
    assert result.files_changed == ("f",)
    assert result.diff == facts.preview
    assert facts.preview.strip() in result.content
    assert (tmp_path / "f").exists() == (tool.name != "delete_file")


@every_edit
async def test_an_approval_is_void_when_the_file_changed(
    tmp_path: Path, make_deps: MakeDeps, tool: EditCall, args: Any
) -> None:
    (tmp_path / "f").write_text("old\n")
    facts = await tool.facts(args, make_deps())
    (tmp_path / "f").write_text("old, and theirs\n")
    with pytest.raises(ToolRefused, match="changed since it was shown"):
        await tool.run(args, make_deps(approved_fingerprint=facts.fingerprint))
    assert (tmp_path / "f").read_text() == "old, and theirs\n"


@every_edit
async def test_a_cancelled_edit_reports_that_nothing_happened(
    tmp_path: Path, make_deps: MakeDeps, tool: EditCall, args: Any
) -> None:
    (tmp_path / "f").write_text("old\n")
    token = CancellationToken()
    token.cancel()
    result = await tool.run(args, make_deps(cancellation=token))
    assert (result.success, result.cancelled, result.files_changed) == (False, True, ())
    assert (tmp_path / "f").read_text() == "old\n"


@every_edit
@pytest.mark.parametrize("path", ["../x", ".env", ".git/config", ""])
async def test_walls_are_refusals_that_no_approval_lifts(
    make_deps: MakeDeps, tool: EditCall, args: Any, path: str
) -> None:
    args = args.model_copy(update={"path": path})
    facts = await tool.facts(args, make_deps())
    assert facts.refusal
    assert not facts.grantable
    with pytest.raises(ToolRefused):
        await tool.run(args, make_deps())


@every_edit
async def test_a_boundary_is_a_refusal_too(
    tmp_path: Path, make_deps: MakeDeps, tool: EditCall, args: Any
) -> None:
    (tmp_path / "f").write_text("old\nmine\n")
    deps = make_deps(boundaries={str(tmp_path / "f"): EditBoundary.new(1, 1)})
    facts = await tool.facts(args, deps)
    assert "line 2" in (facts.refusal or "")
    with pytest.raises(ToolRefused):
        await tool.run(args, deps)


async def test_an_edit_that_cannot_be_made_is_told_to_the_model_at_once(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / "f").write_text("old\n")
    args = StrReplaceInput(path="f", old_string="absent", new_string="x")
    with pytest.raises(ToolRefused, match="was not found"):
        await StrReplace().facts(args, make_deps())


async def test_words_and_shifts(tmp_path: Path, make_deps: MakeDeps) -> None:
    (tmp_path / "f").write_text("a\nb\na\n")
    args = StrReplaceInput(path="f", old_string="a", new_string="a\nc", replace_all=True)
    result = await StrReplace().run(args, make_deps())
    assert result.content.startswith("replaced 2 places in f\n--- a/f")
    assert result.summary == "changed f (+2 -0)"
    assert result.line_shifts == ((0, 1), (3, 1))
    result = await WriteFile().run(WriteFileInput(path="d/n", content="é\n"), make_deps())
    assert result.content.startswith("created d/n (3 bytes)\n")
    assert result.summary == "wrote d/n (+1 -0)"
    result = await DeleteFile().run(DeleteFileInput(path="d/n"), make_deps())
    assert result.summary == "deleted d/n (+0 -1)"


async def test_a_huge_diff_is_whole_for_the_record_and_short_for_the_model(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    args = WriteFileInput(path="big", content="line\n" * 20_000)
    result = await WriteFile().run(args, make_deps())
    assert result.diff.count("\n+line") == 20_000
    assert len(result.content) < 4300


@pytest.mark.parametrize(
    "data",
    [
        b"one\r\ntwo\r\nthree\r\n",
        b"\xef\xbb\xbfone\ntwo\nthree",
        b"one\ntwo\r\nthree\n",
        "one\ntwo é\nthree\n".encode("latin-1"),
        "\ufeffone\r\ntwo\r\nthree".encode("utf-16-le"),
        b"one\rtwo\x0btwo\nthree\n",
    ],
)
async def test_what_was_read_can_be_copied_into_a_replacement(
    tmp_path: Path, make_deps: MakeDeps, data: bytes
) -> None:
    path = tmp_path / "f"
    path.write_bytes(data)
    for line_range in ([1, 1], [1, 2], [1, 9]):
        args = ReadFileInput(path="f", line_range=line_range)
        text = (await ReadFile().run(args, make_deps())).content
        there = StrReplaceInput(path="f", old_string=text, new_string=f"#{text}")
        assert (await StrReplace().run(there, make_deps())).success
        back = StrReplaceInput(path="f", old_string=f"#{text}", new_string=text)
        assert (await StrReplace().run(back, make_deps())).success
        assert path.read_bytes() == data


@pytest.mark.parametrize("path", [".agent-cockpit.toml", "sub/.agent-cockpit.toml", "link.toml"])
async def test_the_programs_own_settings_are_asked_for_every_time(
    tmp_path: Path, make_deps: MakeDeps, path: str
) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "link.toml").symlink_to(".agent-cockpit.toml")
    args = WriteFileInput(path=path, content="rules = []\n", overwrite=True)
    facts = await WriteFile().facts(args, make_deps())
    assert (facts.tier, facts.grantable, facts.scope_words) == (3, False, None)
    assert "settings and rules" in facts.reason
