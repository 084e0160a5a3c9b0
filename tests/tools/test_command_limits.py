"""What a command may do while it runs: no more than what was said when it was allowed."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import pytest

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.consent.edit_boundary import EditBoundary
from agent_cockpit.rules.consent.permission import Allow, ConsentPolicy, Refuse, judge
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.tools.command_call import judged_command
from agent_cockpit.tools.command_limits import NO_MORE, More
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.tools.run_command import RunCommand, RunCommandInput
from agent_cockpit.tools.run_tests import RunTests, RunTestsInput
from agent_cockpit.workspace.sandbox.protocol import Limits, NoSandbox, Sandbox
from agent_cockpit.workspace.workspace import Workspace
from tests.tools.conftest import MakeDeps
from tests.workspace.sandboxes import NAMES, ground_in, working

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no commands there yet")

CHECK = "python -m pytest -q"


def judged(deps: RunDeps, command: str, more: More = NO_MORE) -> tuple[CallFacts, Limits]:
    return judged_command("run_command", command, deps, more=more)


@pytest.fixture
def deps(make_deps: MakeDeps) -> RunDeps:
    return make_deps(config=HarnessConfig(test_command=CHECK))


@pytest.mark.parametrize(
    ("command", "writes", "network"),
    [
        ("ls -l", False, "none"),
        ("git status && git log --oneline", False, "none"),
        (CHECK, True, "local"),
        ("python build.py", True, "none"),
        ("mkdir -p out", True, "none"),
        ("pip install requests", True, "open"),
        ("git fetch origin", True, "open"),
        ("npm install", True, "open"),
        ("git push", True, "open"),
        ("make && curl -s https://example.org/", True, "open"),
    ],
)
def test_the_words_of_a_command_say_what_it_needs(
    deps: RunDeps, command: str, writes: bool, network: str
) -> None:
    facts, limits = judged(deps, command)
    assert (limits.writes, limits.network) == (writes, network)
    if network == "open":
        assert facts.tier >= 3, "a person, or a rule of theirs, is between"
    assert not limits.anywhere


def test_network_is_part_of_what_always_covers(deps: RunDeps) -> None:
    facts, _ = judged(deps, "git fetch origin")
    assert facts.scope_words == "every `git fetch …` in this sitting, with network"
    assert "with network" in facts.confinement
    facts, _ = judged(deps, "mkdir x")
    assert "with network" not in f"{facts.scope_words}{facts.confinement}"


def test_places_outside_are_opened_by_name(deps: RunDeps, tmp_path: Path) -> None:
    there = tmp_path.parent
    (there / "here.txt").write_text("x")
    _, limits = judged(deps, f"cp a.txt {there}/here.txt")
    assert limits.also_writes == (there / "here.txt",)
    _, limits = judged(deps, f"cp a.txt {there}/new/b.txt")
    assert limits.also_writes == (there,), "the folder in which it would be made"
    assert judged(deps, "cp a.txt /new-of-all/b.txt")[1].also_writes == ()
    _, limits = judged(deps, f"cat {there}/b.txt inside.txt ../c.txt")
    assert limits.also_reads == (there / "b.txt", there / "c.txt")
    assert limits.also_writes == ()
    (tmp_path / "link").symlink_to(there)
    _, limits = judged(deps, "touch link/new.txt")
    assert limits.also_writes == (there,)


@pytest.mark.parametrize("path", ["~no-such-user/x", "~", "'a b'", "''", "$HOME/x"])
def test_odd_names_are_no_fault(deps: RunDeps, path: str) -> None:
    judged(deps, f"cp a.txt {path}")


def test_more_than_the_words_say_is_asked_for_every_time(deps: RunDeps) -> None:
    facts, limits = judged(deps, "make", More(network=True))
    assert (limits.network, facts.tier, facts.grantable) == ("open", 3, False)
    assert facts.scope_words is None
    assert facts.reason.endswith(", with network")
    facts, limits = judged(deps, "ls", More(outside=True))
    assert (limits.anywhere, facts.tier, facts.grantable) == (True, 4, False)
    assert "writing anywhere outside the workspace" in facts.reason
    assert isinstance(judge_while_planning(facts), Refuse)


def judge_while_planning(facts: CallFacts) -> object:
    return judge(facts, ConsentPolicy(), plan_gate=True, trusted=None, grants=())


def test_asking_for_what_is_given_anyway_changes_nothing(deps: RunDeps) -> None:
    assert judged(deps, "git fetch", More(network=True)) == judged(deps, "git fetch")


def test_a_boundary_takes_no_server_from_a_check(deps: RunDeps, tmp_path: Path) -> None:
    bounded = replace(deps, boundaries={str(tmp_path / "f"): EditBoundary.new(1, 1)})
    assert judged(bounded, CHECK)[1].network == "local"


@pytest.mark.parametrize(
    ("command", "secrets"),
    [
        ("git fetch", True),
        ("git fetch && git log", True),
        ("cd sub && git pull", True),
        ("pip install x && git fetch", False),
        ("git push && gh pr create", True),
        ("git fetch && ./script.sh", False),
        ("git status", False),
        ("ls", False),
        ("python x.py", False),
    ],
)
def test_keys_are_shown_only_where_nothing_else_can_take_them(
    deps: RunDeps, command: str, secrets: bool
) -> None:
    assert (".ssh" in judged(deps, command)[1].secrets) == secrets


@pytest.mark.parametrize(
    ("command", "changes"),
    [
        ("git commit -m x", True),
        ("git add -A && git commit -m x", True),
        ("git log && git checkout -b new", True),
        ("git commit -m x && ./after.sh", False),
        ("make && git commit -m x", False),
        ("git log", False),
        ("make", False),
    ],
)
def test_settings_of_git_are_changed_by_git_alone(
    deps: RunDeps, command: str, changes: bool
) -> None:
    assert judged(deps, command)[1].changes_repository == changes


async def test_a_wider_run_is_not_the_one_that_was_shown(make_deps: MakeDeps) -> None:
    shown = await RunCommand().facts(RunCommandInput(command="true"), make_deps())
    wider = RunCommandInput(command="true", network=True)
    with pytest.raises(ToolRefused, match="not the one that was shown"):
        await RunCommand().run(wider, make_deps(approved_fingerprint=shown.fingerprint))


async def test_a_link_that_came_to_lead_outside_is_not_what_was_shown(
    make_deps: MakeDeps, tmp_path: Path
) -> None:
    (tmp_path / "out").mkdir()
    args = RunCommandInput(command="cp a out/b")
    shown = await RunCommand().facts(args, make_deps())
    (tmp_path / "out").rmdir()
    (tmp_path / "out").symlink_to(tmp_path.parent)
    with pytest.raises(ToolRefused, match="not the one that was shown"):
        await RunCommand().run(args, make_deps(approved_fingerprint=shown.fingerprint))


class Recording(NoSandbox):
    """Holds nothing, under a name of its own, and keeps what it was asked for."""

    name = "recording"

    def __init__(self) -> None:
        self.asked: list[Limits] = []

    def describe(self, limits: Limits) -> str:
        self.asked.append(limits)
        return "sandboxed"


COMMANDS = ["ls", CHECK, "mkdir x", "git push", "rm -rf x", "pip install x", "cat /etc/passwd"]


@pytest.mark.parametrize("command", COMMANDS)
def test_whether_a_command_may_run_is_the_same_with_and_without_a_sandbox(
    make_deps: MakeDeps, tmp_path: Path, command: str
) -> None:
    def facts_in(sandbox: Sandbox) -> CallFacts:
        deps = replace(make_deps(), workspace=Workspace(tmp_path, open_sandbox=lambda _: sandbox))
        return replace(judged(deps, command)[0], confinement="")

    assert facts_in(NoSandbox()) == facts_in(Recording())


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="Linux sandboxes")
@pytest.mark.parametrize("name", NAMES)
async def test_the_tools_run_held_and_tell_the_model_when_it_failed(
    make_deps: MakeDeps, tmp_path: Path, name: str
) -> None:
    ground = ground_in(tmp_path)
    sandbox = working(name, ground)
    workspace = Workspace(ground.root, open_sandbox=lambda _: sandbox)
    check = "touch ../escaped; echo x > here; cat ~/.ssh/*; false"
    deps = make_deps(config=HarnessConfig(test_command=check))
    deps = replace(deps, workspace=workspace)
    facts = await RunTests().facts(RunTestsInput(), deps)
    assert facts.confinement.startswith("sandboxed · writes only in the workspace · ")
    assert isinstance(
        judge(facts, ConsentPolicy(), plan_gate=False, trusted=None, grants=()), Allow
    )
    result = await RunTests().run(RunTestsInput(), deps)
    assert result.exit_code == 1
    assert "\n[exit 1 · sandboxed · writes only in the workspace" in result.content
    assert (ground.root / "here").exists()
    assert not (tmp_path / "escaped").exists()
    looking = RunCommandInput(command="ls here && git status")
    result = await RunCommand().run(looking, deps)
    assert result.content.startswith("here\n")


def test_without_a_sandbox_the_card_says_so(deps: RunDeps) -> None:
    assert judged(deps, "ls")[0].confinement == "no sandbox: it can do whatever you can"
