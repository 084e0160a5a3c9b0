"""Where only the model, or nobody, says what to run, changed code must at least parse."""

from __future__ import annotations

import pytest

from agent_cockpit.check_trust import FolderCheckTrust
from agent_cockpit.engine.state import TaskState
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.events.harness import VerificationEnd, VerificationPlanFrozen
from agent_cockpit.rules.consent.policy import ConfiguredRule
from tests.support.goals import Folder, of, questions, run_with, runs, settled, told, writes, yes
from tests.support.repositories import git, write
from tests.support.scripted_provider import Reply, calls, says

DONE = says("done")
BROKEN = writes("def f(:\n", "calc.py")
SOUND = writes("def f(): ...\n", "calc.py")


def declares(command: str, kind: str = "code") -> Reply:
    contract = {"checks": [{"command": command}], "change_kinds": [kind]}
    return calls(("declare_verification", contract))


async def test_code_that_does_not_parse_is_sent_back_and_mended(folder: Folder) -> None:
    session = folder.goal(BROKEN, DONE, SOUND, DONE, test_command="", max_declaration_nudges=0)
    state = await session.run()
    assert (state.outcome, state.repair_failures) == ("success", 1)
    assert "SyntaxError" in told(folder.provider.requests[2])
    assert state.verifier_results[-1].summary == (
        "nothing more is known than that the changed files parse"
    )
    (check,) = state.verification_plan or []
    assert (check.kind, check.provenance) == ("smoke", "floor:changed files must parse")


async def test_the_floor_lies_below_what_the_model_declared(folder: Folder) -> None:
    session = folder.goal(declares("python3 -c 'pass'"), BROKEN, DONE, SOUND, DONE, test_command="")
    state = await run_with(session, yes(session))
    assert (state.outcome, state.repair_failures) == ("success", 1)
    assert [check.kind for check in state.verification_plan or ()] == ["declared", "floor"]
    assert len(of(session.history, VerificationPlanFrozen)) == 2


async def test_an_amendment_does_not_take_the_floor_away(folder: Folder) -> None:
    amend = {
        "checks": [{"command": "python3 -c 'print(1)'"}],
        "change_kinds": ["code"],
        "rationale": "simpler",
    }
    session = folder.goal(
        declares("python3 -c 'pass'"), BROKEN, DONE, calls(("alter_verification", amend)), DONE,
        test_command="", max_repair_attempts=2, auto=True,
    )  # fmt: skip
    state = await run_with(session, yes(session))
    assert state.outcome == "failed"
    assert [check.kind for check in state.verification_plan or ()] == ["declared", "floor"]
    assert "floor" in state.verifier_results[-1].summary


async def test_the_floor_is_about_the_files_that_there_are(folder: Folder) -> None:
    session = folder.goal(
        BROKEN,
        DONE,
        calls(("delete_file", {"path": "calc.py"})),
        writes("x = 1\n", "new.py"),
        DONE,
        test_command="",
        max_declaration_nudges=0,
    )
    state = await run_with(session, yes(session))
    assert state.outcome == "success"
    (check,) = state.verification_plan or []
    assert "new.py" in check.command
    assert "calc.py" not in check.command


async def test_a_project_with_checks_of_its_own_needs_no_floor(folder: Folder) -> None:
    session = folder.goal(BROKEN, writes(), DONE)
    state = await session.run()
    assert state.outcome == "success"
    assert [check.kind for check in state.verification_plan or ()] == ["test"]


async def test_nobody_is_asked_before_the_floor_or_again_before_a_declared_check(
    folder: Folder,
) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    session = folder.goal(
        declares("python3 -c 'pass'"), BROKEN, DONE, SOUND, DONE, test_command="", check_trust=trust
    )
    state = await run_with(session, yes(session))
    assert state.outcome == "success"
    (question,) = questions(session)
    assert question.tool == "declare_verification"
    assert not trust.is_trusted(("python3 -c 'pass'",))


async def test_the_floor_runs_none_of_the_changed_code(folder: Folder) -> None:
    session = folder.goal(
        writes("open('ran', 'w')\n", "calc.py"), DONE, test_command="", max_declaration_nudges=0
    )
    state = await session.run()
    assert state.outcome == "success"
    assert sorted(path.name for path in folder.root.iterdir()) == [
        ".git", "a.txt", "calc.py", "notes.md",
    ]  # fmt: skip


async def test_what_a_command_wrote_is_parsed_too(folder: Folder) -> None:
    session = folder.goal(
        runs("echo 'def f(:' > calc.py"), DONE, test_command="", max_declaration_nudges=0,
        max_repair_attempts=1, auto=True,
    )  # fmt: skip
    state = await run_with(session, yes(session))
    assert state.outcome == "failed"
    (verdict,) = of(session.history, VerificationEnd)
    assert [check.name for check in verdict.checks if check.status == "fail"] == ["smoke"]


def test_a_floor_needs_a_frozen_plan_and_takes_the_place_of_the_last() -> None:
    state = TaskState(goal="x")
    one, two = (
        PlannedCheck(name="floor", command=command, kind="floor") for command in ("one", "two")
    )
    with pytest.raises(RuntimeError, match="frozen"):
        state.lay_floor(one)
    state.freeze_verification_plan([])
    assert state.lay_floor(one)
    assert not state.lay_floor(one)
    assert state.lay_floor(two)
    assert state.verification_plan == [two]
    assert state.lay_floor(None)
    assert state.verification_plan == []


# ── consent to what was declared ─────────────────────────────────────────────────────────────────


async def test_a_rule_for_the_command_lets_it_be_declared_without_a_person(folder: Folder) -> None:
    rules = (ConfiguredRule("allow", "run_command", "python3 check.py", "flag"),)
    write(folder.root, {"check.py": "open('ran', 'w')\n"})
    git(folder.root, "add", "-A")
    git(folder.root, "commit", "-q", "-m", "check")
    declare = declares("python3 check.py", "code")
    session = folder.goal(declare, writes(), DONE, test_command="", rules=rules, unattended=True)
    state = await session.run()
    commands = [check.command for check in state.verification_plan or ()]
    assert (questions(session), commands) == (
        [],
        ["python3 check.py"],
    )


async def test_without_a_person_no_unknown_command_becomes_a_check(folder: Folder) -> None:
    session = folder.goal(
        declares("python3 check.py"), writes(), DONE, test_command="", unattended=True,
        max_declaration_nudges=0, max_repair_attempts=1,
    )  # fmt: skip
    state = await session.run()
    assert [event.allowed for event in settled(session)] == [False]
    assert state.verification_plan == []


async def test_a_denied_command_cannot_be_declared(folder: Folder) -> None:
    rules = (ConfiguredRule("deny", "run_command", "python3", "flag"),)
    session = folder.goal(
        declares("python3 check.py"), writes(), DONE, test_command="", rules=rules,
        max_declaration_nudges=0, max_repair_attempts=1, auto=True,
    )  # fmt: skip
    state = await run_with(session, yes(session))
    assert (questions(session), state.verification_plan) == ([], [])
    assert "a configured rule denies this" in told(folder.provider.requests[1])
