"""Done is proven: the checks decide, what failed goes back, and the person has the last word."""

from __future__ import annotations

import pytest

from agent_cockpit.events.harness import (
    DeclarationRequired,
    PhaseChanged,
    TaskEscalated,
    VerificationEnd,
    VerificationPlanFrozen,
    VerificationStart,
)
from agent_cockpit.events.sitting import CheckFinished, CheckStarted
from tests.support.goals import (
    CHECK,
    Folder,
    ends,
    of,
    questions,
    run_with,
    runs,
    told,
    writes,
    yes,
)
from tests.support.repositories import git, write
from tests.support.scripted_provider import Reply, calls, says

DONE = says("it is done")
WRONG = writes("worse\n")


async def test_an_edit_that_passes_its_check_succeeds(folder: Folder) -> None:
    session = folder.goal(writes(), DONE)
    state = await session.run()
    assert (state.outcome, state.status) == ("success", "completed")
    (verdict,) = of(session.history, VerificationEnd)
    assert verdict.passed
    (frozen,) = of(session.history, VerificationPlanFrozen)
    assert [check.command for check in frozen.checks] == [CHECK]
    assert len(of(session.history, VerificationStart)) == 1
    assert [event.command for event in of(session.history, CheckStarted)] == [CHECK]
    assert [event.result.status for event in of(session.history, CheckFinished)] == ["pass"]
    phases = [(event.old, event.new) for event in of(session.history, PhaseChanged)]
    assert phases == [("investigating", "editing"), ("editing", "verifying")]


async def test_the_plan_is_frozen_before_the_first_edit(folder: Folder) -> None:
    session = folder.goal(writes("good\n"), writes("good too\n"), DONE)
    await session.run()
    order = [
        type(event).__name__
        for event in session.history
        if type(event).__name__ in ("VerificationPlanFrozen", "ToolStart")
    ]
    assert order == ["VerificationPlanFrozen", "ToolStart", "ToolStart"]


async def test_a_wrong_fix_comes_back_with_the_failing_output(folder: Folder) -> None:
    check = "cat a.txt && grep -q good a.txt"
    session = folder.goal(writes("0x5EED\n"), DONE, writes(), DONE, test_command=check)
    state = await session.run()
    assert (state.outcome, state.repair_failures) == ("success", 1)
    back = told(folder.provider.requests[2])
    assert "Not done yet" in back
    assert check in back
    assert "0x5EED" in back
    assert [event.passed for event in of(session.history, VerificationEnd)] == [False, True]


async def test_a_goal_that_stays_wrong_is_failed_where_nobody_is_asked(folder: Folder) -> None:
    session = folder.goal(*[WRONG, DONE], *[DONE] * 2, auto=True)
    state = await session.run()
    assert (state.outcome, state.status, state.repair_failures) == ("failed", "completed", 3)
    assert state.open_questions == []


async def test_a_goal_that_stays_wrong_is_a_question_in_a_conversation(folder: Folder) -> None:
    repl = folder.sitting(WRONG, DONE, DONE, DONE)
    repl.set_mode("edit")
    state = await repl.submit("go")
    assert (state.outcome, state.status) == ("blocked", "completed")
    assert "Still not proven after 3 attempts" in state.open_questions[-1]
    assert repl.state.history[-1].text == state.open_questions[-1]


@pytest.mark.parametrize(("allowed", "claims"), [(0, 1), (1, 1), (2, 2)])
async def test_as_many_claims_are_heard_as_the_setting_says(
    folder: Folder, allowed: int, claims: int
) -> None:
    session = folder.goal(WRONG, *[DONE] * claims, max_repair_attempts=allowed, auto=True)
    state = await session.run()
    assert (state.outcome, state.iterations) == ("failed", 1 + claims)


async def test_a_claim_about_nothing_is_no_success(folder: Folder) -> None:
    session = folder.goal(DONE, auto=True, max_repair_attempts=1)
    state = await session.run()
    assert state.outcome == "failed"
    assert "diff_present" in state.verifier_results[-1].summary
    assert of(session.history, CheckStarted) == []


async def test_earlier_work_is_no_proof_for_a_later_goal(folder: Folder) -> None:
    repl = folder.sitting(writes(), DONE, DONE, auto=True, max_repair_attempts=1)
    repl.set_mode("edit")
    assert (await repl.submit("one")).outcome == "success"
    assert (await repl.submit("two")).outcome == "failed"


async def test_a_question_after_an_edit_is_answered(folder: Folder) -> None:
    repl = folder.sitting(writes(), DONE, says("a.txt says good"))
    assert (await repl.drive("fix a.txt")).outcome == "success"  # type: ignore[union-attr]
    state = await repl.drive("why?")
    assert state is not None
    assert (state.outcome, state.task_kind) == ("success", "investigate")
    assert folder.text() == "good\n"


async def test_an_undone_edit_is_nothing_changed(folder: Folder) -> None:
    session = folder.goal(writes(), writes("bad\n"), DONE, auto=True, max_repair_attempts=1)
    state = await session.run()
    assert (state.outcome, state.files_modified) == ("failed", {"a.txt"})


async def test_what_a_command_changed_counts_too(folder: Folder) -> None:
    session = folder.goal(runs("echo good > a.txt"), says("done"))
    state = await run_with(session, yes(session))
    assert (state.outcome, state.files_modified) == ("success", {"a.txt"})
    assert session.report is not None
    assert session.report.files_changed == ["a.txt"]


# ── answers ──────────────────────────────────────────────────────────────────────────────────────


async def test_small_talk_succeeds_and_is_called_ungrounded(folder: Folder) -> None:
    session = folder.goal(says("hello to you"), mode="investigate")
    state = await session.run()
    assert (state.outcome, state.iterations) == ("success", 1)
    assert state.verifier_results[-1].summary == "ungrounded"


GROUNDS: dict[str, tuple[Reply, str]] = {
    "a file": (calls(("read_file", {"path": "notes.md"})), "notes.md says two"),
    "a search": (calls(("search_repo", {"query": "two"})), "see notes.md:2"),
    "a command": (runs("git log --oneline"), "`git log --oneline` shows one commit"),
}


@pytest.mark.parametrize("name", GROUNDS)
async def test_an_answer_that_names_what_was_looked_at_is_grounded(
    folder: Folder, name: str
) -> None:
    reply, answer = GROUNDS[name]
    session = folder.goal(reply, says(answer), mode="investigate")
    state = await run_with(session, yes(session))
    assert state.outcome == "success"
    assert state.verifier_results[-1].summary != "ungrounded"


async def test_an_investigation_leaves_the_tree_as_it_was(folder: Folder) -> None:
    session = folder.goal(
        writes("tried\n"), says("a.txt"), writes("bad\n"), says("a.txt"), mode="investigate"
    )
    state = await session.run()
    assert (state.outcome, state.repair_failures) == ("success", 1)
    assert [event.passed for event in of(session.history, VerificationEnd)] == [False, True]
    assert "a.txt" in told(folder.provider.requests[2])
    assert state.verification_plan is None


async def test_running_the_projects_tests_is_no_change(folder: Folder) -> None:
    write(
        folder.root,
        {
            "test_a.py": "import unittest, helper\n\nclass T(unittest.TestCase):\n"
            "    def test_it(self): self.assertTrue(helper.x)\n",
            "helper.py": "x = 1\n",
        },
    )
    git(folder.root, "add", "-A")
    git(folder.root, "commit", "-q", "-m", "tests")
    session = folder.goal(
        calls(("run_tests", {})),
        says("they pass"),
        mode="investigate",
        test_command="python3 -m unittest -q",
        max_repair_attempts=1,
        auto=True,
    )
    state = await run_with(session, yes(session))
    assert ends(session)[0].exit_code == 0
    assert (state.outcome, state.files_modified) == ("success", set())


async def test_an_escalated_investigation_is_held_to_the_checks(folder: Folder) -> None:
    script = (calls(("switch_to_editing", {"reason": "it is one word"})), writes(), DONE)
    session = folder.goal(*script, mode="investigate")
    state = await run_with(session, yes(session, remember=True))
    assert (state.outcome, state.task_kind, state.escalated) == ("success", "edit", True)
    assert len(of(session.history, TaskEscalated)) == 1
    assert session.grants == []
    assert [check.command for check in state.verification_plan or ()] == [CHECK]
    assert questions(session)[0].grant_scope is None


async def test_a_second_escalation_changes_nothing_more(folder: Folder) -> None:
    ask = calls(("switch_to_editing", {"reason": "again"}))
    session = folder.goal(ask, ask, writes(), DONE, mode="investigate")
    await run_with(session, yes(session))
    assert len(of(session.history, TaskEscalated)) == 1
    assert [question.tool for question in questions(session)] == ["switch_to_editing"]
    assert "may edit already" in told(folder.provider.requests[2])


# ── where no check is known ──────────────────────────────────────────────────────────────────────

DECLARE = calls(
    (
        "declare_verification",
        {"checks": [{"command": CHECK}], "change_kinds": ["content"]},
    )
)


async def test_an_edit_waits_for_a_declaration(folder: Folder) -> None:
    session = folder.goal(writes(), DECLARE, writes(), DONE, test_command="")
    state = await run_with(session, yes(session))
    assert state.outcome == "success"
    nudges = [(event.nudge, event.max_nudges) for event in of(session.history, DeclarationRequired)]
    assert nudges == [(1, 3)]
    assert "declare_verification" in told(folder.provider.requests[1])
    assert [end.refused for end in ends(session)] == [True, False, False]
    (frozen,) = of(session.history, VerificationPlanFrozen)
    assert frozen.change_kinds == ["content"]


async def test_the_last_declaration_before_the_edit_counts(folder: Folder) -> None:
    other = calls(
        (
            "declare_verification",
            {"checks": [{"command": "grep -q nothing a.txt"}], "change_kinds": ["content"]},
        )
    )
    session = folder.goal(other, DECLARE, writes(), other, DONE, test_command="")
    state = await run_with(session, yes(session))
    assert state.outcome == "success"
    assert [check.command for check in state.verification_plan or ()] == [CHECK]


async def test_after_the_last_nudge_the_edit_runs_and_cannot_be_proven(folder: Folder) -> None:
    session = folder.goal(
        *[writes()] * 3,
        DONE,
        test_command="",
        max_declaration_nudges=2,
        max_repair_attempts=1,
        auto=True,
    )
    state = await session.run()
    assert len(of(session.history, DeclarationRequired)) == 2
    assert (state.outcome, folder.text()) == ("failed", "good\n")
    assert "verification_contract" in state.verifier_results[-1].summary


async def test_a_command_that_edits_does_not_get_around_the_declaration(folder: Folder) -> None:
    session = folder.goal(runs("echo good > a.txt"), DONE, DECLARE, DONE, test_command="")
    state = await run_with(session, yes(session))
    assert len(of(session.history, DeclarationRequired)) == 1
    assert state.outcome == "success"


async def test_an_amendment_replaces_only_what_was_declared(folder: Folder) -> None:
    amend = calls(
        (
            "alter_verification",
            {
                "checks": [{"command": "grep -q goo a.txt"}],
                "change_kinds": ["content"],
                "rationale": "the other one is too strict",
            },
        )
    )
    session = folder.goal(DECLARE, writes("goo\n"), amend, DONE, test_command="")
    state = await run_with(session, yes(session))
    assert state.outcome == "success"
    assert [check.command for check in state.verification_plan or ()] == ["grep -q goo a.txt"]
    assert len(of(session.history, VerificationPlanFrozen)) == 2


async def test_a_secret_in_the_diff_spoils_the_proof(folder: Folder) -> None:
    secret = "AKIA" + "Q3EGRT5LPZX7WVN2"
    text = f"good\naws_access_key_id = {secret}\n"
    session = folder.goal(writes(text), DONE, max_repair_attempts=1, auto=True)
    state = await session.run()
    assert state.outcome == "failed"
    assert "no_secrets" in state.verifier_results[-1].summary


async def test_a_test_goal_must_change_a_test(folder: Folder) -> None:
    session = folder.goal(writes(), DONE, mode="test_only", max_repair_attempts=1, auto=True)
    assert (await session.run()).outcome == "failed"
    session = folder.goal(
        writes("assert True\n", "tests/test_x.py"),
        writes(),
        DONE,
        mode="test_only",
        allow_dirty=True,
        test_command="test -f tests/test_x.py",
        auto=True,
    )
    assert (await session.run()).outcome == "success"


async def test_tests_that_passed_before_the_last_edit_prove_nothing(folder: Folder) -> None:
    script = (writes(), calls(("run_tests", {})), WRONG, says("the tests passed, see above"))
    session = folder.goal(*script, max_repair_attempts=1, auto=True)
    state = await session.run()
    assert ends(session)[1].exit_code == 0
    assert state.outcome == "failed"
    assert [event.result.exit_code for event in of(session.history, CheckFinished)] == [1]


async def test_a_success_takes_an_earlier_error_off_the_record(folder: Folder) -> None:
    missing = calls(("read_file", {"path": "nowhere.txt"}))
    session = folder.goal(missing, calls(("read_file", {"path": "a.txt"})), says("a.txt"))
    state = await session.run()
    assert state.latest_error is None
