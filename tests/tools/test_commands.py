"""run_command, run_tests, run_linter: what they are judged as, and what comes back."""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.errors import OutsideWorkspace, ToolRefused
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.tools.run_command import RunCommand, RunCommandInput
from agent_cockpit.tools.run_linter import RunLinter, RunLinterInput
from agent_cockpit.tools.run_tests import RunTests, RunTestsInput
from agent_cockpit.workspace.cancellation import CancellationToken
from tests.support.repositories import make_repository
from tests.tools.conftest import MakeDeps

PYTEST = f"{shlex.quote(sys.executable)} -m pytest -p no:cacheprovider -q"


async def facts_of(make_deps: MakeDeps, command: str, **deps: Any) -> CallFacts:
    return await RunCommand().facts(RunCommandInput(command=command), make_deps(**deps))


async def test_a_command_is_judged_by_its_parts(make_deps: MakeDeps) -> None:
    facts = await facts_of(make_deps, "mkdir -p notes")
    assert (facts.tier, facts.grantable, facts.prefix) == (3, True, "mkdir")
    assert facts.scope_words == "every `mkdir …` in this sitting"
    facts = await facts_of(make_deps, "ls && rm -rf build")
    assert (facts.tier, facts.grantable) == (4, False)
    assert [part.program for part in facts.parts] == ["ls", "rm"]
    assert "rm -rf build\n    tier 4 · " in facts.preview
    facts = await facts_of(make_deps, "git status")
    assert (facts.tier, facts.mutates) == (2, False)


async def test_the_projects_own_check_is_tier_two_but_not_the_models(make_deps: MakeDeps) -> None:
    own = PlannedCheck(name="tests", command="make check-all", kind="test")
    declared = PlannedCheck(name="declared_1", command="./prove.sh", kind="declared")
    checks = (own, declared)
    assert (await facts_of(make_deps, "make check-all", frozen_checks=checks)).tier == 2
    assert (await facts_of(make_deps, "./prove.sh", frozen_checks=checks)).tier == 3


@pytest.mark.parametrize("command", ["", "  \n ", "a\0b"])
async def test_what_cannot_run_is_told_before_anybody_is_asked(
    make_deps: MakeDeps, command: str
) -> None:
    with pytest.raises(ToolRefused):
        await facts_of(make_deps, command)


async def test_links_are_followed_before_a_command_is_trusted(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    (tmp_path / "notes.txt").symlink_to(".env")
    (tmp_path / "passwords").symlink_to("/etc/passwd")
    assert "secrets" in ((await facts_of(make_deps, "cat notes.txt")).refusal or "")
    facts = await facts_of(make_deps, "cat passwords")
    assert (facts.tier, facts.grantable) == (3, False)
    assert "outside the workspace" in facts.reason


async def test_what_the_letters_already_say_is_left_to_the_analysis(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    assert (await facts_of(make_deps, "ls -l .env")).refusal is None
    assert (await facts_of(make_deps, "cat .env")).refusal


async def test_while_a_boundary_is_set_every_changing_command_is_asked(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    boundaries = {str(tmp_path / "f"): EditBoundary.new(1, 1)}
    facts = await facts_of(make_deps, "mkdir x", boundaries=boundaries)
    assert (facts.tier, facts.grantable, facts.scope_words) == (3, False, None)
    assert "not held to the lines" in facts.reason
    assert (await facts_of(make_deps, "ls", boundaries=boundaries)).tier == 2


async def test_any_exit_code_is_a_success_of_the_call(make_deps: MakeDeps) -> None:
    heard: list[str] = []
    args = RunCommandInput(command="echo out; echo err >&2; exit 3")
    result = await RunCommand().run(args, make_deps(heard=heard.append))
    assert (result.success, result.exit_code) == (True, 3)
    assert result.content == "out\nerr\n[exit 3]"
    assert result.summary == "`echo out; echo err >&2; exit 3` exit 3"
    assert "".join(heard) == "out\nerr\n"


async def test_only_the_command_that_was_shown_runs(tmp_path: Path, make_deps: MakeDeps) -> None:
    shown = await facts_of(make_deps, "touch a")
    deps = make_deps(approved_fingerprint=shown.fingerprint)
    with pytest.raises(ToolRefused, match="not the one that was shown"):
        await RunCommand().run(RunCommandInput(command="touch b"), deps)
    assert (await RunCommand().run(RunCommandInput(command="touch a"), deps)).success
    assert (tmp_path / "a").exists()
    assert not (tmp_path / "b").exists()


async def test_silence_and_colours_and_signals(make_deps: MakeDeps) -> None:
    run = RunCommand().run
    assert (await run(RunCommandInput(command="true"), make_deps())).content == (
        "(no output)\n[exit 0]"
    )
    result = await run(RunCommandInput(command=r"printf '\033[31mred\033[0m\n'"), make_deps())
    assert result.content == "red\n[exit 0]"
    bar = r"for n in 1 50 99; do printf '\r%s %%' $n; done; printf '\rdone \r\nnext'"
    result = await run(RunCommandInput(command=bar), make_deps())
    assert result.content == "done \nnext\n[exit 0]"
    result = await run(RunCommandInput(command="kill -15 $$"), make_deps())
    assert result.summary.endswith("ended by signal 15")


async def test_a_timeout_is_a_failure_that_has_the_output(make_deps: MakeDeps) -> None:
    config = HarnessConfig(command_timeout_seconds=2)
    args = RunCommandInput(command="echo begun; sleep 600")
    result = await RunCommand().run(args, make_deps(config=config))
    assert (result.success, result.cancelled, result.content) == (False, False, "begun")
    assert "timed out after 2 s" in (result.error or "")


async def test_a_stopped_command_says_so(make_deps: MakeDeps) -> None:
    token = CancellationToken()
    args = RunCommandInput(command="echo begun; sleep 600")
    deps = make_deps(cancellation=token, heard=lambda _: token.cancel())
    result = await RunCommand().run(args, deps)
    assert (result.success, result.cancelled, result.content) == (False, True, "begun")


async def test_long_output_keeps_head_and_tail(make_deps: MakeDeps) -> None:
    config = HarnessConfig(command_output_budget=256)
    args = RunCommandInput(command="echo head; seq 10000; echo tail")
    result = await RunCommand().run(args, make_deps(config=config))
    assert result.content.startswith("head\n1\n")
    assert result.content.endswith("\ntail\n[exit 0]")
    assert "bytes left out" in result.content
    assert len(result.content) < 400


async def test_tests_run_by_the_setting_else_by_the_frozen_check(make_deps: MakeDeps) -> None:
    frozen = (
        PlannedCheck(name="lint", command="echo lint", kind="lint"),
        PlannedCheck(name="tests", command="echo frozen", kind="test"),
    )
    deps = make_deps(frozen_checks=frozen)
    assert (await RunTests().run(RunTestsInput(), deps)).content == (
        "$ echo frozen\nfrozen\n[exit 0]"
    )
    assert (await RunLinter().run(RunLinterInput(), deps)).summary == "linter exit 0"
    config = HarnessConfig(test_command="echo set", lint_command="false")
    deps = make_deps(config=config, frozen_checks=frozen)
    facts = await RunTests().facts(RunTestsInput(), deps)
    assert (facts.tier, facts.command, facts.mutates) == (2, "echo set", True)
    assert facts.reason == "runs the project's tests: `echo set`"
    assert (await RunLinter().run(RunLinterInput(), deps)).exit_code == 1


async def test_without_a_command_the_model_learns_what_else_it_can_do(make_deps: MakeDeps) -> None:
    with pytest.raises(ToolRefused, match=r"AGENT_COCKPIT_TEST_COMMAND.*run_command"):
        await RunTests().facts(RunTestsInput(), make_deps())
    with pytest.raises(ToolRefused, match="AGENT_COCKPIT_LINT_COMMAND"):
        await RunLinter().facts(RunLinterInput(), make_deps())


async def test_a_target_runs_some_tests(tmp_path: Path, make_deps: MakeDeps) -> None:
    (tmp_path / "test_a.py").write_text("def test_one(): pass\ndef test_two(): assert False\n")
    deps = make_deps(config=HarnessConfig(test_command=PYTEST))
    result = await RunTests().run(RunTestsInput(target="test_a.py::test_one"), deps)
    assert (result.success, result.exit_code) == (True, 0)
    assert "1 passed" in result.content
    result = await RunTests().run(RunTestsInput(target="test_b.py"), deps)
    assert (result.success, result.exit_code) == (False, 4)
    assert "`test_b.py` was not found" in (result.error or "")


async def test_a_target_cannot_smuggle_anything_in(make_deps: MakeDeps) -> None:
    deps = make_deps(config=HarnessConfig(test_command="pytest"))
    facts = await RunTests().facts(RunTestsInput(target="a.py;rm 'b c'::x"), deps)
    assert facts.command == "pytest 'a.py;rm' 'b c::x'"
    for target in ("-p evil", "--rootdir=/", "'"):
        with pytest.raises(ToolRefused):
            await RunTests().facts(RunTestsInput(target=target), deps)
    with pytest.raises(OutsideWorkspace):
        await RunTests().facts(RunTestsInput(target="../other/test_x.py"), deps)


@pytest.mark.parametrize(
    ("command", "takes_targets"),
    [
        ("pytest -q", True),
        ("FOO=1 uv run pytest", True),
        ("python3 -m pytest", True),
        ("make test", False),
        ("python -m unittest", False),
        ("tox", False),
    ],
)
async def test_a_target_is_for_pytest_alone(
    make_deps: MakeDeps, command: str, takes_targets: bool
) -> None:
    deps = make_deps(config=HarnessConfig(test_command=command))
    args = RunTestsInput(target="t.py")
    if takes_targets:
        assert ((await RunTests().facts(args, deps)).command or "").endswith("pytest t.py") or (
            "-q t.py" in ((await RunTests().facts(args, deps)).command or "")
        )
    else:
        with pytest.raises(ToolRefused, match="pytest only"):
            await RunTests().facts(args, deps)


async def test_a_link_that_leads_outside_is_never_covered_by_a_grant(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / "out").symlink_to("/etc")
    written = await facts_of(make_deps, "touch out/x")
    assert (written.tier, written.grantable, written.scope_words) == (4, False, None)
    read = await facts_of(make_deps, "cp out/hosts b")
    assert (read.tier, read.grantable) == (3, False)
    assert "outside the workspace" in read.reason


async def test_links_are_followed_behind_folders_and_wildcards(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / ".env").write_text("KEY=1")
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "plain.txt").symlink_to("../.env")
    (tmp_path / "db").mkdir()
    (tmp_path / "to_db").symlink_to("db")
    for command in ("cd sub && cat plain.txt", "cat sub/*.txt", "cat */p*.txt", "head sub/plain*"):
        assert "secrets" in ((await facts_of(make_deps, command)).refusal or ""), command
    facts = await facts_of(make_deps, "cat to_db/a.sql")
    assert "db/a.sql" in facts.reads
    assert not (await facts_of(make_deps, "cat */*/*/*/x")).grantable


@pytest.mark.parametrize(
    ("files", "command", "tier"),
    [
        ([], "rg foo", 2),
        ([], "grep -r foo .", 2),
        ([".env"], "grep -r foo .", 3),
        ([".env"], "rg foo", 2),
        ([".env"], "rg --hidden foo", 3),
        (["a/credentials.json"], "rg foo", 3),
        (["a/credentials.json"], "rg -t py foo", 2),
        (["build/server.pem"], "rg foo", 2),
        (["build/server.pem"], "rg -u foo", 3),
        ([".env"], "git diff", 2),
    ],
)
async def test_a_search_through_folders_is_asked_where_secrets_lie(
    tmp_path: Path, make_deps: MakeDeps, files: list[str], command: str, tier: int
) -> None:
    (tmp_path / ".gitignore").write_text("build/\n")
    for name in files:
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("KEY=1")
    facts = await facts_of(make_deps, command)
    assert (facts.tier, facts.grantable) == (tier, tier == 2), facts.reason


async def test_a_tracked_secret_makes_diffs_be_asked_about(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    root = make_repository(tmp_path, {".env": "KEY=1\n", "a.py": "x\n"})
    assert root == tmp_path
    for command in ("git diff", "git show", "git log -p", "git grep KEY"):
        assert (await facts_of(make_deps, command)).tier == 3, command
    for command in ("git diff --stat", "git diff -- a.py", "git log", "git status"):
        assert (await facts_of(make_deps, command)).tier == 2, command


async def test_a_recursive_search_sees_links_to_elsewhere(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / "a.txt").symlink_to("/etc/hostname")
    assert (await facts_of(make_deps, "grep -R foo .")).tier == 3
    assert (await facts_of(make_deps, "rg foo")).tier == 2


async def test_a_command_that_changes_the_programs_own_settings_is_asked_every_time(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / "link.toml").symlink_to(".agent-cockpit.toml")
    for command in ("touch .agent-cockpit.toml", "cp a .agent-cockpit.toml", "tee link.toml"):
        facts = await facts_of(make_deps, command)
        assert (facts.tier, facts.grantable) == (3, False), command
        assert "settings and rules" in facts.reason
