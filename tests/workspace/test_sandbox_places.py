"""What is hidden, what is put back, and what is chosen, on whatever machine this is."""

from __future__ import annotations

import json
import os
import shlex
import shutil
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from agent_cockpit.errors import SettingsError, ToolRefused
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.workspace.sandbox import landlock_child
from agent_cockpit.workspace.sandbox.bwrap import Bwrap, find_bwrap
from agent_cockpit.workspace.sandbox.choice import ground_of, open_sandbox, sandbox_for
from agent_cockpit.workspace.sandbox.landlock import Landlock
from agent_cockpit.workspace.sandbox.macos import SandboxExec
from agent_cockpit.workspace.sandbox.places import Scratch, nearest
from agent_cockpit.workspace.sandbox.protocol import Limits, NoSandbox, Sandbox, in_words
from agent_cockpit.workspace.sandbox.trial import fault_of_start
from tests.support.repositories import make_repository
from tests.workspace.sandboxes import Field, ground_in, working

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no sandbox there")
linux_only = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux sandboxes")


def bwrap_field(folder: Path) -> Field:
    ground = ground_in(folder)
    return Field(ground, folder, working("bwrap", ground))


# ── secrets ──────────────────────────────────────────────────────────────────────────────────


def test_secrets_are_found_by_place_and_by_name(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    (ground.home / "deploy.pem").write_text("x")
    (ground.home / "dotfiles").mkdir()
    (ground.home / "dotfiles" / "aws").mkdir()
    (ground.home / ".aws").symlink_to("dotfiles/aws")
    names = {
        path.relative_to(ground.home).as_posix()
        for path in ground.secrets()
        if path.is_relative_to(ground.home)
    }
    assert names == {".ssh", ".config/gh", ".netrc", "deploy.pem", "dotfiles/aws"}
    assert ground.home / ".ssh" not in ground.secrets((".ssh",))


def test_what_holds_the_workspace_is_never_hidden(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    inside = ground.home / ".docker" / "project"
    inside.mkdir(parents=True)
    ground = replace(ground, root=inside, hidden=(tmp_path, ground.home, inside / "log.jsonl"))
    (inside / "log.jsonl").write_text("{}")
    hidden = ground.secrets()
    assert not any(inside.is_relative_to(place) for place in hidden)
    assert inside / "log.jsonl" in hidden


def test_a_home_that_is_not_there_hides_nothing_of_it(tmp_path: Path) -> None:
    ground = replace(ground_in(tmp_path), home=tmp_path / "gone")
    assert not any(path.is_relative_to(tmp_path) for path in ground.secrets())


def test_a_place_to_be_made_is_opened_at_what_there_is(tmp_path: Path) -> None:
    assert nearest(tmp_path / "a" / "b" / "c") == tmp_path
    assert nearest(Path("/")) == Path("/")


def test_scratch_goes_with_its_owner_and_is_private() -> None:
    scratch = Scratch()
    folder = scratch.folder
    (scratch.temporary / "x").write_text("x")
    assert folder.stat().st_mode & 0o077 == 0
    del scratch
    assert not folder.exists()


def test_scratch_that_was_cleaned_away_is_made_anew(tmp_path: Path) -> None:
    scratch = Scratch()
    first = scratch.temporary
    shutil.rmtree(scratch.folder)
    assert scratch.temporary.is_dir()
    shutil.rmtree(scratch.folder)
    first.parent.symlink_to(tmp_path)
    assert not scratch.temporary.is_relative_to(tmp_path)
    first.parent.unlink()


def test_without_room_for_temporary_files_nothing_runs(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ground = ground_in(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    sandboxes: list[Sandbox] = [Bwrap("/usr/bin/bwrap", ground), Landlock(ground)]
    for sandbox in (*sandboxes, SandboxExec(ground)):
        with pytest.raises(ToolRefused, match="nothing ran"):
            sandbox.hold(Limits())
    assert open_sandbox("auto", ground).name == "none"


# ── bubblewrap ───────────────────────────────────────────────────────────────────────────────


def test_a_bwrap_of_the_workspace_is_not_taken(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    own = ground.root / "bin" / "bwrap"
    own.parent.mkdir()
    own.write_text("#!/bin/sh\nwhile [ $1 != -- ]; do shift; done; shift; exec $@\n")
    own.chmod(0o755)
    (tmp_path / "link").symlink_to(own.parent)
    for path in (own.parent, tmp_path / "link", Path("work/bin"), Path("bin")):
        found = find_bwrap(replace(ground, environ={"PATH": str(path)}))
        assert found is None or not Path(found).resolve().is_relative_to(ground.root)


@linux_only
@pytest.mark.parametrize("where", ["/tmp", "/var/tmp"])
async def test_what_is_put_there_for_the_call_is_seen(tmp_path: Path, where: str) -> None:
    field = bwrap_field(tmp_path)
    place = Path(tempfile.mkdtemp(dir=where))
    try:
        note = place / "note.txt"
        note.write_text("hello\n")
        result = await field.run(f"cat {note}; echo x > {note}", Limits(also_reads=(note,)))
        assert result.output.startswith("hello\n")
        assert note.read_text() == "hello\n"
    finally:
        shutil.rmtree(place)


@pytest.fixture
def door() -> Iterator[Path]:
    """A unix socket of another program, as a terminal multiplexer has one."""
    folder = Path(tempfile.mkdtemp(dir="/tmp"))
    with closing(socket.socket(socket.AF_UNIX)) as server:
        server.bind(str(folder / "default"))
        server.listen()
        yield folder / "default"
    shutil.rmtree(folder)


@linux_only
async def test_sockets_of_other_programs_cannot_be_reached(tmp_path: Path, door: Path) -> None:
    field = bwrap_field(tmp_path)
    code = f"import socket; socket.socket(socket.AF_UNIX).connect({str(door)!r})"
    held = await field.run(f'{shlex.quote(sys.executable)} -I -c "{code}"; ls -A /run')
    assert "FileNotFoundError" in held.output
    assert "docker.sock" not in held.output


@linux_only
async def test_the_record_is_out_of_reach_inside_the_workspace_too(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    record = ground.root / "log.jsonl"
    record.write_text('{"type": "agent_start"}\n')
    ground = replace(ground, hidden=(record,))
    field = Field(ground, tmp_path, working("bwrap", ground))
    result = await field.run("cat log.jsonl; echo x >> log.jsonl; rm -f log.jsonl; mv log.jsonl y")
    assert "agent_start" not in result.output
    assert record.read_text() == '{"type": "agent_start"}\n'


@linux_only
async def test_a_workspace_may_be_a_home_folder(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    ground = replace(ground, root=ground.home)
    field = Field(ground, tmp_path, working("bwrap", ground))
    result = await field.run("echo hi > new.txt && cat new.txt; cat .ssh/id_ed25519 .netrc")
    assert result.output.startswith("hi\n")
    assert "PRIVATE" not in result.output
    assert "hunter2" not in result.output


@linux_only
@pytest.mark.parametrize("name", ["bwrap", "landlock"])
async def test_settings_open_further_places(tmp_path: Path, name: str) -> None:
    ground = ground_in(tmp_path)
    config = HarnessConfig(sandbox_write=(str(ground.home / ".cache"), str(tmp_path / "gone")))
    ground = replace(ground, writable=ground_of(config, ground.root, hidden=()).writable)
    field = Field(ground, tmp_path, working(name, ground))
    await field.run(f"echo x > {ground.home}/.cache/made; echo x > {ground.home}/notes.txt")
    assert (ground.home / ".cache" / "made").exists()
    assert (ground.home / "notes.txt").read_text() == "plain\n"
    assert ".cache" in field.sandbox.describe(Limits())


@linux_only
async def test_odd_names_of_the_workspace_are_no_options(tmp_path: Path) -> None:
    ground = ground_in(tmp_path)
    for name in ("--bind", "a b", "ü\n$(x)", "'"):
        root = ground.root / name
        make_repository(root, {"a.txt": "one\n"})
        odd = replace(ground, root=root)
        for sandbox_name in ("bwrap", "landlock"):
            field = Field(odd, tmp_path, working(sandbox_name, odd))
            result = await field.run("echo x > made; git status --short")
            assert (result.exit_code, result.output) == (0, "?? made\n")


# ── the choice ───────────────────────────────────────────────────────────────────────────────


def test_none_is_none_and_starts_nothing(tmp_path: Path) -> None:
    opened = sandbox_for(HarnessConfig(sandbox="none"), hidden=())(tmp_path)
    assert opened.name == "none"
    assert opened.hold(Limits()).before == ()


@linux_only
def test_a_sandbox_asked_for_by_name_is_not_replaced(tmp_path: Path) -> None:
    # In a workspace that holds the program, the program is not taken.
    ground = replace(ground_in(tmp_path), root=Path("/usr"), environ={"PATH": ""})
    if find_bwrap(ground) is not None:
        pytest.skip("bwrap is installed outside /usr here")
    with pytest.raises(SettingsError, match="not installed"):
        open_sandbox("bwrap", ground)
    assert open_sandbox("auto", ground).name in ("landlock", "none")


@pytest.mark.parametrize(
    ("words", "fault"),
    [
        ((sys.executable, "-c", "pass"), None),
        ((sys.executable, "-c", "raise SystemExit(3)"), ""),
        ((sys.executable, "-c", "import sys; sys.exit('no\\033[31m way')"), "no way"),
        (("/no/such/program",), "it cannot be started: No such file or directory"),
    ],
)
def test_a_trial_says_what_went_wrong(words: tuple[str, ...], fault: str | None) -> None:
    assert fault_of_start(words) == fault


@pytest.mark.parametrize(
    ("limits", "words"),
    [
        (Limits(), "sandboxed · writes only in the workspace · no network"),
        (Limits(writes=False), "sandboxed · writes nothing · no network"),
        (Limits(network="local"), "sandboxed · writes only in the workspace · L"),
        (Limits(network="open"), "sandboxed · writes only in the workspace · with network"),
        (Limits(anywhere=True), "sandboxed · writes anywhere · no network"),
        (
            Limits(also_writes=(Path("/a"), Path("/b\n\x1b[0m"))),
            "sandboxed · writes in the workspace and outside: /a, /b␊␛[0m · no network",
        ),
    ],
)
def test_limits_have_words(limits: Limits, words: str) -> None:
    said = in_words(limits, local="L")
    assert said == words
    assert "\x1b" not in said
    assert "\n" not in said


def test_a_place_is_named_whole_and_once() -> None:
    long = Path("/" + "x" * 200)
    said = in_words(Limits(also_writes=(long, long / "inner", long)), local="")
    assert said.count(str(long)) == 1
    assert "inner" not in said


def test_without_a_sandbox_network_is_still_said() -> None:
    assert NoSandbox().describe(Limits()).startswith("no sandbox")
    assert "with network" in NoSandbox().describe(Limits(network="open"))


# ── the helper ───────────────────────────────────────────────────────────────────────────────


@linux_only
@pytest.mark.parametrize("spec", ["", "{", "[]", "{}", '{"write": [], "hide": []}'])
def test_a_helper_that_cannot_hold_runs_nothing(tmp_path: Path, spec: str) -> None:
    made = tmp_path / "made"
    words = [sys.executable, "-I", "-S", landlock_child.__file__, spec, "--", "touch", str(made)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, made.exists()) == (126, False)
    assert "nothing ran" in done.stderr


@linux_only
def test_a_command_that_is_not_there_is_named(tmp_path: Path) -> None:
    if not landlock_child.can_hold():
        pytest.skip("no Landlock here")
    spec = json.dumps({"write": [str(tmp_path)], "hide": [], "network": False})
    words = [sys.executable, "-I", "-S", landlock_child.__file__, spec, "--", "no-such-command"]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (127, "no-such-command: command not found\n")


@linux_only
def test_hiding_leaves_all_the_rest(tmp_path: Path) -> None:
    for name in ("a/b/c", "a/d", "e"):
        (tmp_path / name).mkdir(parents=True)
    (tmp_path / "f").symlink_to("a/b")
    base = str(tmp_path)
    parts = landlock_child.all_but([f"{base}/a/b"], base)
    assert sorted(parts) == [f"{base}/a/d", f"{base}/e"]
    assert list(landlock_child.all_but([f"{base}/x"], f"{base}/a")) == [f"{base}/a"]
    assert list(landlock_child.all_but([f"{base}/a"], f"{base}/a")) == []


# ── macOS, in words only ─────────────────────────────────────────────────────────────────────


def test_the_profile_for_macos_denies_first_and_opens_by_place(tmp_path: Path) -> None:
    ground = ground_in(tmp_path / 'odd "name" ü')
    make_repository(ground.root, {"a.txt": "one\n"})
    sandbox = SandboxExec(ground)
    rules = sandbox.profile(Limits()).split("\n")
    assert rules[:3] == ["(version 1)", "(allow default)", "(deny file-write*)"]
    assert '\\"name\\" ü/work")' in rules[3]
    assert rules.index("(deny network*)") > 3
    hidden = next(rule for rule in rules if rule.startswith("(deny file-read*"))
    assert ".ssh" in hidden
    guarded = next(rule for rule in rules[4:] if rule.startswith("(deny file-write*"))
    assert "/.git/hooks" in guarded
    for rule in rules:
        plain = rule.replace('\\"', "")
        outside = "".join(plain.split('"')[::2])
        assert outside.count("(") == outside.count(")"), rule
    assert "(deny network*)" not in sandbox.profile(Limits(network="open"))
    assert "(deny file-write*)\n" not in sandbox.profile(Limits(anywhere=True))
    assert "localhost" in sandbox.profile(Limits(network="local"))
    assert f'{ground.root}")' not in rules_of_writing(sandbox, Limits(writes=False))
    assert os.sep in sandbox.hold(Limits()).env["TMPDIR"]


def rules_of_writing(sandbox: SandboxExec, limits: Limits) -> str:
    rules = sandbox.profile(limits).split("\n")
    return next(rule for rule in rules if rule.startswith("(allow file-write* (subpath"))
