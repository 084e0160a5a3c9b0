"""Commands of a person: carried out here, from the sitting's own state, never sent."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.harness import Harness
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.policy import ConfiguredRule
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.text import clean
from tests.support.goals import Folder, run_with, runs, writes, yes
from tests.support.scripted_provider import ScriptedProvider, calls, says
from tests.support.waiting import until


async def test_the_state_is_told_without_routing_anything(folder: Folder) -> None:
    class Never:
        async def classify(self, prompt: str, *, history: list[str]) -> str | None:
            raise AssertionError("asked")

    repl = folder.sitting(says("hello"), classifier=Never())
    assert repl.run_meta("/state").text == "mode: auto · goals: 0 · turns: 0"
    repl.set_mode("investigate")
    await repl.submit("what is it?")
    result = repl.run_meta("/STATE")
    assert (result.kind, result.text) == ("state", "mode: investigate · goals: 1 · turns: 2")


@pytest.mark.parametrize(
    ("typed", "mode"),
    [
        ("/mode edit", "edit"),
        ("/mode  Test-Only ", "test_only"),
        ("/mode investigate", "investigate"),
        ("/mode plan", "plan"),
        ("/mode auto", None),
    ],
)
async def test_a_mode_is_pinned(folder: Folder, typed: str, mode: str | None) -> None:
    repl = folder.sitting()
    repl.set_mode("edit")
    assert repl.run_meta(typed).kind == "mode_set"
    assert repl.mode == mode
    assert repl.execution.mode == "exec"


@pytest.mark.parametrize("typed", ["/mode", "/mode fast", "/mode edit now", "/mode \x1b[2J"])
async def test_an_unknown_mode_changes_nothing_and_names_the_known(
    folder: Folder, typed: str
) -> None:
    repl = folder.sitting()
    repl.set_mode("test_only")
    result = repl.run_meta(typed)
    assert (result.kind, repl.mode) == ("message", "test_only")
    assert "investigate" in result.text
    assert result.text == clean(result.text)


async def test_plan_and_exec_move_gate_and_pin_and_bring_the_former_pin_back(
    folder: Folder,
) -> None:
    repl = folder.sitting()
    repl.set_mode("edit")
    repl.run_meta("/plan")
    repl.run_meta("/plan")
    assert (repl.mode, repl.execution.mode) == ("plan", "plan")
    assert repl.run_meta("/exec").kind == "mode_set"
    assert (repl.mode, repl.execution.mode) == ("edit", "exec")
    assert repl.run_meta("/exec").kind == "message"
    assert repl.mode == "edit"


async def test_another_pin_contradicts_plan_mode(folder: Folder) -> None:
    repl = folder.sitting()
    repl.enter_plan()
    repl.run_meta("/mode investigate")
    assert (repl.mode, repl.execution.mode) == ("investigate", "exec")


async def test_consent_goes_round_ask_accept_plan(folder: Folder) -> None:
    repl = folder.sitting(asks_edits=True)
    repl.set_mode("edit")
    assert [repl.cycle_consent() for _ in range(4)] == [
        "accept edits",
        "plan",
        "ask",
        "accept edits",
    ]
    assert (repl.mode, repl.execution.mode) == ("edit", "exec")


async def test_a_mode_that_is_set_in_a_goal_counts_for_later_ones(folder: Folder) -> None:
    held = asyncio.Event()
    repl = folder.sitting([held, *writes()], says("done"))  # type: ignore[misc]
    repl.set_mode("edit")
    running = asyncio.create_task(repl.submit("go"))
    await until(lambda: folder.provider.requests)
    assert "after this one" in repl.run_meta("/mode test_only").text
    held.set()
    assert (await running).task_kind == "edit"


@pytest.mark.parametrize("typed", ["/quit", "/exit", "/QUIT now"])
async def test_quit_asks_for_the_end(folder: Folder, typed: str) -> None:
    assert folder.sitting().run_meta(typed).kind == "quit"


@pytest.mark.parametrize("typed", ["/help", "/"])
async def test_help_names_every_command(folder: Folder, typed: str) -> None:
    text = folder.sitting().run_meta(typed).text
    for name in ("help", "quit", "state", "mode", "plan", "exec", "diff", "permissions"):
        assert f"/{name}" in text


async def test_diffs_of_goal_sitting_and_head(folder: Folder) -> None:
    (folder.root / "notes.md").write_text("mine\n")
    repl = folder.sitting(
        writes("good\n"), says("done"), writes("good too\n"), says("done"), allow_dirty=True
    )
    repl.set_mode("edit")
    assert repl.run_meta("/diff").text == repl.run_meta("/diff goal").text == ""
    await repl.submit("one")
    await repl.submit("two")
    sitting = (await repl.arun_meta("/diff")).text
    goal = (await repl.arun_meta("/diff goal")).text
    head = (await repl.arun_meta("/diff head")).text
    assert repl.run_meta("/diff sitting").text == sitting
    assert ("-bad" in sitting, "+good too" in sitting, "mine" in sitting) == (True, True, False)
    assert ("-bad" in goal, "-good" in goal, "+good too" in goal) == (False, True, True)
    assert ("-bad" in head, "+mine" in head) == (True, True)
    unknown = repl.run_meta("/diff yesterday")
    assert unknown.kind == "message"


async def test_a_diff_that_cannot_be_made_is_an_answer(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"))
    repl.set_mode("edit")
    await repl.submit("go")
    shutil.rmtree(folder.state / "snapshots")
    for typed in ("/diff", "/diff goal"):
        assert repl.run_meta(typed).kind == "message"
        assert (await repl.arun_meta(typed)).kind == "message"


async def test_a_diff_against_head_without_a_repository_is_an_answer(tmp_path: Path) -> None:
    (tmp_path / "plain").mkdir()
    (tmp_path / "plain" / "a.txt").write_text("x\n")
    config = HarnessConfig(workspace_root=str(tmp_path / "plain"))
    harness = Harness(config=config, provider=ScriptedProvider([]), state=tmp_path / "state")
    repl = ReplSession(harness)
    result = await repl.arun_meta("/diff head")
    assert result.kind in ("diff", "message")
    await repl.aclose()


async def test_standing_approvals_are_listed_and_taken_back(folder: Folder) -> None:
    repl = folder.sitting(
        runs("touch a"),
        runs("mkdir b"),
        says("ok"),
        max_repair_attempts=1,
    )
    repl.set_mode("edit")
    assert "no standing approvals" in repl.run_meta("/permissions").text
    session = repl.start("go")

    async def person(question: ApprovalRequested) -> None:
        keeps = question.input["command"] == "touch a"
        scope = None if keeps else "session"
        await session.resolve_approval(
            question.approval_id, allow=True, remember=keeps, scope=scope
        )

    await run_with(session, person)
    listed = repl.run_meta("/permissions").text
    assert "1  every `touch …`" in listed
    assert "mkdir b" in listed
    for wrong in ("revoke", "revoke 0", "revoke 9", "revoke x", "revoke 1 2", "revoke -1"):
        assert "takes a number from 1 to 2" in repl.run_meta(f"/permissions {wrong}").text
    assert "mkdir b" in repl.run_meta("/permissions revoke 2").text
    assert "mkdir b" not in repl.run_meta("/permissions").text
    assert "takes 1 or all" in repl.run_meta("/permissions revoke 2").text
    assert repl.run_meta("/permissions revoke all").text.startswith("1 ")
    assert (repl.state.grants, dict(repl.execution.trust_levels)) == ([], {})


async def test_a_boundary_is_set_shown_and_lifted(folder: Folder) -> None:
    repl = folder.sitting()
    repl.run_meta("/boundary notes.md 2-3")
    assert repl.execution.boundary("notes.md", cwd=repl.state.workspace_root) == (1, 2)
    assert "notes.md only in lines 2-3" in repl.run_meta("/permissions").text
    for wrong in ("notes.md 3-2", "notes.md 0-1", "notes.md", "", "notes.md a-b"):
        assert repl.run_meta(f"/boundary {wrong}").kind == "message"
    assert len(repl.execution.boundaries) == 1
    repl.run_meta("/boundary clear notes.md")
    assert dict(repl.execution.boundaries) == {}


async def test_a_command_is_never_sent_to_the_model(folder: Folder) -> None:
    repl = folder.sitting(calls(("read_file", {"path": "a.txt"})))
    for typed in ("/help", "/nonsense", "/mode edit", "/diff", "/state"):
        assert repl.is_meta(typed)
        await repl.arun_meta(typed)
    assert not repl.is_meta(" /usr/bin is a folder")
    assert (folder.provider.requests, repl.state.history, repl.history()[1:]) == ([], [], ())


@settings(
    max_examples=150,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow],
)
@given(
    name=st.sampled_from(["mode", "permissions", "boundary", "diff", "plan", "exec", "state", "x"]),
    argument=st.text(max_size=30),
)
def test_whatever_is_typed_is_answered(quiet: ReplSession, name: str, argument: str) -> None:
    result = quiet.run_meta(f"/{name} {argument}")
    assert result.text == clean(result.text)


@pytest.fixture
async def quiet(folder: Folder) -> ReplSession:
    return folder.sitting()


async def test_nothing_hides_in_a_standing_approval(folder: Folder) -> None:
    repl = folder.sitting()
    prefix = "x\u202ey\n\x1b[2J"
    repl.state.grants.append(ApprovalGrant(tool="run_command", prefix=prefix, tier=3))
    listed = repl.run_meta("/permissions").text
    assert listed == clean(listed)
    assert "U+202E" in listed
    assert len(listed.splitlines()) == 2
    assert "U+202E" in repl.run_meta("/permissions revoke 1").text


async def test_a_command_with_something_hidden_is_asked_every_time(folder: Folder) -> None:
    repl = folder.sitting(runs("mkdir 'x\u202ey'"), says("ok"), max_repair_attempts=1)
    repl.set_mode("edit")
    session = repl.start("go")
    await run_with(session, yes(session, remember=True, scope="session"))
    assert (repl.state.grants, dict(repl.execution.trust_levels)) == ([], {})


async def test_permissions_names_the_configured_rules(folder: Folder) -> None:
    deny = ConfiguredRule("deny", "run_command", "git push", "a.toml, line 3", reason="CI does")
    many = tuple(ConfiguredRule("ask", "run_command", f"x{n}", "f") for n in range(60))
    listed = folder.sitting(rules=(deny, *many)).run_meta("/permissions").text
    assert "- deny run_command:git push (a.toml, line 3) - CI does" in listed
    assert listed.endswith("and 11 more rules")
    assert "configured" not in folder.sitting().run_meta("/permissions").text
