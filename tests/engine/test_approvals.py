"""Questions to a person in a live run: exact ids, honest records, and no answer at all."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from agent_cockpit.check_trust import FolderCheckTrust
from agent_cockpit.engine.goals.session import Session
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved, TaskEscalated
from agent_cockpit.events.sitting import Notice
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.rule_entries import parse_allow
from tests.support.goals import (
    CHECK,
    Folder,
    ends,
    next_of,
    no,
    of,
    questions,
    run_with,
    runs,
    settled,
    started,
    told,
    writes,
    yes,
)
from tests.support.scripted_provider import calls, says


async def waiting(session: Session) -> tuple[ApprovalRequested, asyncio.Task[Any], Any]:
    """A run that stands at its first question."""
    stream = session.events()
    task = asyncio.create_task(session.run())
    return await next_of(stream, ApprovalRequested), task, stream


async def test_a_call_that_waits_has_not_begun(folder: Folder) -> None:
    session = folder.goal(runs("touch new"), says("ok"), max_repair_attempts=1)
    question, task, _ = await waiting(session)
    assert started(session) == []
    assert not (folder.root / "new").exists()
    await session.resolve_approval(question.approval_id, allow=True)
    await task
    assert [event.call_id for event in started(session)] == [question.approval_id]
    assert (folder.root / "new").exists()


async def test_an_id_that_was_never_issued_answers_the_one_that_waits(folder: Folder) -> None:
    session = folder.goal(runs("touch new"), says("ok"), max_repair_attempts=1)
    question, task, _ = await waiting(session)
    await session.resolve_approval("what was it again", allow=True, remember=True)
    await task
    assert session.grants == [ApprovalGrant(tool="run_command", prefix="touch", tier=3)]
    assert settled(session)[0].approval_id == question.approval_id


async def test_a_settled_id_decides_nothing_ever_again(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), runs("rm -rf notes.md"), says("ok"))
    first, task, stream = await waiting(session)
    await session.resolve_approval(first.approval_id, allow=True)
    second = await next_of(stream, ApprovalRequested)
    await session.resolve_approval(first.approval_id, allow=True, remember=True)
    await session.resolve_approval(first.approval_id, allow=True, scope="session")
    assert len(settled(session)) == 1
    assert session.grants == []
    await session.resolve_approval(second.approval_id, allow=False)
    await session.resolve_approval(second.approval_id, allow=True)
    await task
    assert [event.allowed for event in settled(session)] == [True, False]
    assert (folder.root / "notes.md").exists()


async def test_an_answer_after_the_end_is_harmless(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), says("ok"))
    question, task, _ = await waiting(session)
    await session.cancel()
    await task
    await session.resolve_approval(question.approval_id, allow=True, remember=True)
    await session.resolve_approval("never issued", allow=True, remember=True)
    assert session.grants == []
    assert len(settled(session)) == 1


async def test_calls_of_one_reply_are_asked_one_after_the_other(folder: Folder) -> None:
    batch = calls(
        ("run_command", {"command": "touch one"}),
        ("run_command", {"command": "touch two"}),
        ("run_command", {"command": "touch three"}),
    )
    session = folder.goal(batch, says("ok"), max_repair_attempts=1)

    async def not_the_second(question: ApprovalRequested) -> None:
        await session.resolve_approval(
            question.approval_id, allow="two" not in question.input["command"]
        )

    await run_with(session, not_the_second)
    order = [type(event) for event in session.history if isinstance(event, ASKING)]
    assert order == [ApprovalRequested, ApprovalResolved] * 3
    assert (folder.root / "one").exists()
    assert not (folder.root / "two").exists()
    assert (folder.root / "three").exists()
    blocks = folder.provider.requests[1].messages[-1].blocks
    assert [block.is_error for block in blocks] == [False, True, False]  # type: ignore[union-attr]


ASKING = (ApprovalRequested, ApprovalResolved)


async def test_a_no_and_its_reason_reach_the_model_and_the_record(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), says("ok"), max_repair_attempts=1)
    await run_with(session, no(session, "use the folder tmp"))
    assert "Denied by the person: use the folder tmp" in told(folder.provider.requests[1])
    assert session.report is not None
    (call,) = session.report.tool_calls
    assert (call.ok, call.denial_reason) == (False, "use the folder tmp")
    assert (ends(session)[0].refused, started(session)) == (True, [])


async def test_a_waiting_question_is_denied_when_its_time_is_up(folder: Folder) -> None:
    session = folder.goal(
        runs("touch a"), says("ok"), approval_timeout_seconds=0.05, max_repair_attempts=1
    )
    await session.run()
    (resolved,) = settled(session)
    assert (resolved.allowed, resolved.via) == (False, "auto")
    assert "0.05 s" in resolved.note
    await session.resolve_approval(resolved.approval_id, allow=True, remember=True)
    assert session.grants == []


async def test_a_cancel_denies_what_waits_in_the_engines_name(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), says("ok"))
    _, task, _ = await waiting(session)
    await session.cancel("esc")
    state = await task
    (resolved,) = settled(session)
    assert (resolved.allowed, resolved.via, resolved.scope) == (False, "auto", None)
    assert (state.status, state.outcome) == ("cancelled", "incomplete")
    assert session.report is not None
    assert [call for call in session.report.tool_calls if call.denial_reason] == []
    assert not (folder.root / "a").exists()


async def test_without_a_person_a_question_is_announced_and_denied_at_once(folder: Folder) -> None:
    session = folder.goal(
        runs("touch a"), says("ok"), unattended=True, max_repair_attempts=1, auto=True
    )
    state = await session.run()
    assert len(questions(session)) == 1
    assert [(event.allowed, event.via) for event in settled(session)] == [(False, "auto")]
    assert "nobody is here to ask" in told(folder.provider.requests[1])
    assert state.denied_for_want_of_person == 1
    assert state.iterations == 2


AMEND = (
    "alter_verification",
    {
        "checks": [{"command": "grep -q one notes.md"}],
        "change_kinds": ["content"],
        "rationale": "the notes are what counts",
    },
)


@pytest.mark.parametrize("policy", ["deny", "approve"])
async def test_an_amendment_without_a_person_follows_its_own_policy(
    folder: Folder, policy: str
) -> None:
    session = folder.goal(
        calls(AMEND, ("run_command", {"command": "touch a"})),
        says("ok"),
        unattended=True,
        autonomous_amendment_policy=policy,
        max_repair_attempts=1,
    )
    state = await session.run()
    approved = policy == "approve"
    assert [event.tool for event in questions(session)] == ["alter_verification", "run_command"]
    assert [(event.allowed, event.via) for event in settled(session)] == [
        (approved, "auto"),
        (False, "auto"),
    ]
    assert not (folder.root / "a").exists()
    commands = [check.command for check in state.verification_plan or ()]
    assert ("grep -q one notes.md" in commands) == approved
    assert CHECK in commands


@pytest.mark.parametrize("policy", ["deny", "approve"])
async def test_an_escalation_without_a_person_follows_its_own_policy(
    folder: Folder, policy: str
) -> None:
    session = folder.goal(
        calls(("switch_to_editing", {"reason": "it is one word"})),
        writes(),
        says("a.txt is good"),
        mode="investigate",
        unattended=True,
        autonomous_escalation_policy=policy,
        max_repair_attempts=1,
        auto=True,
    )
    state = await session.run()
    approved = policy == "approve"
    assert [event.allowed for event in settled(session)] == [approved]
    assert len(of(session.history, TaskEscalated)) == approved
    assert state.task_kind == ("edit" if approved else "investigate")
    assert state.outcome == ("success" if approved else "failed")


@pytest.mark.parametrize("word", ["", "yes", "ask", "APPROVE"])
def test_a_policy_of_another_word_is_refused(folder: Folder, word: str) -> None:
    good = folder.goal()
    with pytest.raises(ValueError, match="deny"):
        Session(good._runner, good.state, amendment_policy=word)
    with pytest.raises(ValueError, match="deny"):
        Session(good._runner, good.state, escalation_policy=word)


async def test_what_was_edited_by_hand_is_what_runs_and_the_model_is_told(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), says("ok"), max_repair_attempts=1)
    await run_with(session, yes(session, edited={"command": "touch b"}, remember=True))
    assert not (folder.root / "a").exists()
    assert (folder.root / "b").exists()
    assert settled(session)[0].edited == {"command": "touch b"}
    assert "The person changed this call" in told(folder.provider.requests[1])
    assert session.grants == []
    assert started(session)[0].input == {"command": "touch b"}


async def test_an_edited_answer_trusts_nothing(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), runs("touch a"), says("ok"), max_repair_attempts=1)
    await run_with(session, yes(session, edited={"command": "touch b"}, scope="session"))
    assert [event.scope for event in settled(session)] == ["once", "once"]
    assert not (folder.root / "a").exists()


async def test_a_width_of_trust_that_does_not_exist_is_once(folder: Folder) -> None:
    session = folder.goal(runs("touch a"), says("ok"), max_repair_attempts=1)
    await run_with(session, yes(session, scope="for ever"))
    assert [event.scope for event in settled(session)] == ["once"]


EDITED: dict[str, tuple[dict[str, Any], str]] = {
    "no such field": ({"command": "touch b", "shell": "zsh"}, "input of run_command is wrong"),
    "nothing left": ({}, "input of run_command is wrong"),
    "a hidden place": ({"command": "echo x > .git/config"}, ".git"),
    "a secret": ({"command": "cat .env"}, ".env"),
}


@pytest.mark.parametrize("name", EDITED)
async def test_what_was_edited_by_hand_is_judged_again(folder: Folder, name: str) -> None:
    edited, words = EDITED[name]
    (folder.root / ".env").write_text("SECRET=1\n")
    before = (folder.root / ".git/config").read_text()
    session = folder.goal(runs("touch a"), says("ok"), max_repair_attempts=1, allow_dirty=True)
    await run_with(session, yes(session, edited=edited))
    assert started(session) == []
    assert words in told(folder.provider.requests[1])
    assert (folder.root / ".git/config").read_text() == before


async def test_an_edited_call_is_shown_to_the_approver_as_it_would_run(folder: Folder) -> None:
    class NoB:
        async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
            return "not b" if "b" in str(tool_input) else None

    repl = folder.sitting(runs("touch a"), says("ok"), max_repair_attempts=1).with_approver(NoB())
    repl.set_mode("edit")
    session = repl.start("go")
    await run_with(session, yes(session, edited={"command": "touch b"}))
    assert not (folder.root / "b").exists()
    assert "not b" in told(folder.provider.requests[1])


async def test_an_approval_is_void_when_the_file_changed_meanwhile(folder: Folder) -> None:
    session = folder.goal(writes(), says("ok"), asks_edits=True, max_repair_attempts=1)
    question, task, _ = await waiting(session)
    assert "+good" in question.preview
    (folder.root / "a.txt").write_text("mine\n")
    await session.resolve_approval(question.approval_id, allow=True)
    await task
    assert folder.text() == "mine\n"
    assert "so their yes is void" in told(folder.provider.requests[1])
    (notice,) = of(session.history, Notice)
    assert "your yes is void: `a.txt` changed" in notice.text
    assert "-bad\n+mine" in notice.text


async def test_a_folders_own_check_is_asked_about_once(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    script = (writes("good\n"), says("done"), writes("good too\n"), says("done"))
    repl = folder.sitting(*script, check_trust=trust)
    repl.set_mode("edit")
    first = repl.start("one")
    repl.record(await run_with(first, yes(first, remember=True, scope="session")))
    (question,) = questions(first)
    assert question.input == {"command": CHECK}
    assert question.grant_scope is None
    second = repl.start("two")
    state = await run_with(second, no(second))
    assert (state.outcome, questions(second)) == ("success", [])
    assert FolderCheckTrust(folder.root, state=folder.state).is_trusted((CHECK,))
    assert not FolderCheckTrust(folder.root.parent, state=folder.state).is_trusted((CHECK,))


async def test_checks_that_may_not_run_leave_a_question(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    session = folder.goal(writes(), says("done"), check_trust=trust)
    state = await run_with(session, no(session))
    assert (state.outcome, state.status) == ("blocked", "completed")
    assert "not allowed to run" in state.open_questions[-1]
    assert not trust.is_trusted((CHECK,))


async def test_checks_that_a_person_edited_are_not_run_as_they_were(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    check = "grep -q good a.txt && touch ran"
    session = folder.goal(writes(), says("done"), check_trust=trust, test_command=check)
    state = await run_with(session, yes(session, edited={"command": "grep -q good a.txt"}))
    assert state.outcome == "blocked"
    assert not (folder.root / "ran").exists()
    assert not trust.is_trusted((check,))


async def test_a_check_call_that_a_person_edited_is_no_trust_in_the_check(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    session = folder.goal(
        calls(("run_tests", {})), says("ok"), mode="investigate", check_trust=trust
    )
    await run_with(session, yes(session, edited={"target": "a.txt"}))
    assert not trust.is_trusted((CHECK,))


async def test_a_cancel_while_checks_are_asked_about_is_a_cancel(folder: Folder) -> None:
    trust = FolderCheckTrust(folder.root, state=folder.state)
    session = folder.goal(writes(), says("done"), check_trust=trust)
    _, task, _ = await waiting(session)
    await session.cancel("esc")
    state = await task
    assert (state.status, state.outcome) == ("cancelled", "incomplete")
    assert state.open_questions == []


async def test_a_configured_rule_allows_without_a_question(folder: Folder) -> None:
    session = folder.goal(
        runs("touch a"),
        says("ok"),
        rules=(parse_allow("run_command:touch"),),
        max_repair_attempts=1,
    )
    await session.run()
    assert (questions(session), settled(session)) == ([], [])
    assert (folder.root / "a").exists()


# ── an investigation that wants to edit ──────────────────────────────────────────────────────────


async def test_an_edit_that_is_allowed_in_an_investigation_makes_it_an_edit(
    folder: Folder,
) -> None:
    session = folder.goal(writes(), says("a.txt is good"), mode="investigate", asks_edits=True)
    state = await run_with(session, yes(session, remember=True))
    (question,) = questions(session)
    assert (question.tier, question.grant_scope, session.grants) == (3, None, [])
    assert "turns this investigation into an edit" in question.reason
    assert (state.outcome, state.task_kind, state.escalated) == ("success", "edit", True)
    assert len(of(session.history, TaskEscalated)) == 1
    assert [check.command for check in state.verification_plan or ()] == [CHECK]


async def test_an_edit_that_is_denied_in_an_investigation_leaves_it_one(folder: Folder) -> None:
    session = folder.goal(writes(), says("a.txt"), mode="investigate", asks_edits=True)
    state = await run_with(session, no(session))
    assert (state.outcome, state.task_kind, state.escalated) == ("success", "investigate", False)
    assert started(session) == []


async def test_accepted_edits_do_not_make_an_investigation_an_edit_unasked(
    folder: Folder,
) -> None:
    repl = folder.sitting(writes(), says("a.txt"), asks_edits=True)
    repl.accept_edits()
    repl.set_mode("investigate")
    session = repl.start("what does a.txt say?")
    state = await run_with(session, no(session))
    assert [question.tier for question in questions(session)] == [3]
    assert (state.outcome, state.task_kind) == ("success", "investigate")


async def test_after_the_escalation_an_edit_is_judged_as_in_any_edit_goal(folder: Folder) -> None:
    script = (writes("tried\n"), writes(), says("a.txt is good"))
    session = folder.goal(*script, mode="investigate", asks_edits=True)
    await run_with(session, yes(session))
    assert [question.tier for question in questions(session)] == [3, 1]
    assert [event.tool for event in started(session)] == ["write_file", "write_file"]
