"""What a sitting reads like, whichever way its events arrive."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.changes import LeftPath, PathChange
from agent_cockpit.events.checks import CheckResult
from agent_cockpit.events.messages import Message, TextBlock, ToolUseBlock
from agent_cockpit.transcript.block_list import Change
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    Check,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.figures import Figures
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.plain import check_words
from tests.transcript.stories import (
    EDIT_DIFF,
    assistant,
    bare,
    failing_check,
    fixed_test,
    journaled,
    pieces,
    stamped,
)

STORY = fixed_test()


def fold(*events: Event) -> tuple[Block, ...]:
    return Transcript.of(stamped(events)).blocks


def untimed(blocks: Sequence[Block]) -> list[Block]:
    """The blocks without their times, which a joined journal knows less exactly."""
    dateless = (replace(block, at=None) for block in blocks)
    return [
        replace(block, since=None, until=None) if isinstance(block, ThoughtBlock) else block
        for block in dateless
    ]


def kinds(blocks: Sequence[Block]) -> list[str]:
    return [type(block).__name__.removesuffix("Block") for block in blocks]


def call(blocks: Sequence[Block], call_id: str) -> CallBlock:
    return next(b for b in blocks if isinstance(b, CallBlock) and b.call_id == call_id)


def test_a_sitting_reads_in_the_order_it_happened() -> None:
    blocks = Transcript.of(STORY).blocks
    assert kinds(blocks) == [
        "Prompt",
        "Thought",
        "Answer",
        "Call",
        "Call",
        "Call",
        "Call",
        "Answer",
        "Verdict",
    ]
    assert [block.key for block in blocks] == list(range(len(blocks)))
    assert not any(block.is_open for block in blocks)


def test_a_journal_reads_like_the_sitting_that_wrote_it() -> None:
    live, replayed = Transcript.of(STORY), Transcript.of(journaled(STORY))
    assert untimed(live.blocks) == untimed(replayed.blocks)


@pytest.mark.parametrize("cut", range(0, len(STORY), 5))
def test_a_journal_that_ends_anywhere_reads_like_the_sitting_did(cut: int) -> None:
    live, replayed = Transcript.of(STORY[:cut]), Transcript.of(journaled(STORY[:cut]))
    assert untimed(live.blocks) == untimed(replayed.blocks)


def test_a_bare_session_reads_the_same() -> None:
    whole, session = Transcript.of(STORY).blocks, Transcript.of(bare(STORY)).blocks
    assert kinds(session) == kinds(whole)
    assert [b.text for b in session if isinstance(b, PromptBlock | AnswerBlock)] == [
        b.text for b in whole if isinstance(b, PromptBlock | AnswerBlock)
    ]
    for block in whole:
        if isinstance(block, CallBlock):
            other = call(session, block.call_id)
            assert replace(other, key=block.key, at=block.at) == block


def test_text_without_any_pieces_comes_from_the_decision() -> None:
    events = [event for event in bare(STORY) if not isinstance(event, h.ModelUpdate)]
    answers = [b.text for b in Transcript.of(events).blocks if isinstance(b, AnswerBlock)]
    assert answers == ["`average` divided by one too few; it divides by the count now."]


@given(st.sets(st.integers(0, len(STORY) - 1)))
def test_shed_pieces_cost_no_words(shed: set[int]) -> None:
    sheddable = (h.ModelUpdate, s.ToolProgress)
    left = [e for i, e in enumerate(STORY) if i not in shed or not isinstance(e, sheddable)]
    assert untimed(Transcript.of(left).blocks) == untimed(Transcript.of(STORY).blocks)


def test_each_event_says_what_it_changed() -> None:
    transcript = Transcript()
    seen: dict[int, Block] = {}
    for event in STORY:
        change = transcript.apply(event)
        for key in change.keys:
            seen[key] = transcript.block(key)
        assert [seen[key] for key in sorted(seen)] == list(transcript.blocks)


def test_changes_join_without_naming_a_key_twice() -> None:
    assert Change((1,), (0,)) | Change((2,), (1, 0)) == Change((1, 2), (0,))
    assert not Change()


def test_events_that_say_nothing_new_change_nothing() -> None:
    transcript = Transcript.of(STORY)
    assert not transcript.apply(s.ContextEstimated(tokens=5))
    assert not transcript.apply(h.ModelUpdate(delta=""))
    assert not transcript.apply(h.ApprovalResolved(approval_id="c3", allowed=False))


def test_a_call_carries_its_whole_history() -> None:
    edit = call(Transcript.of(STORY).blocks, "c3")
    assert (edit.state, edit.decided) == ("done", "allowed once by you")
    assert (edit.added, edit.removed, edit.diff) == (1, 1, EDIT_DIFF)
    tests = call(Transcript.of(STORY).blocks, "c4")
    assert (tests.exit_code, tests.duration_ms) == (0, 312)


def test_the_verdict_counts_what_the_goal_took() -> None:
    verdict = Transcript.of(STORY).blocks[-1]
    assert isinstance(verdict, VerdictBlock)
    assert (verdict.passed, verdict.figures) == (True, Figures(1, 4, 2100))
    assert [(c.command, c.state, c.exit_code) for c in verdict.checks] == [
        ("python -m unittest", "pass", 0)
    ]


def test_a_verification_is_open_until_its_verdict() -> None:
    transcript = Transcript.of(
        [h.VerificationStart(), s.CheckStarted(name="tests", command="make test")]
    )
    (running,) = transcript.blocks
    assert isinstance(running, VerdictBlock)
    assert running.is_open
    assert running.checks[0].state == "running"
    transcript.apply(h.VerificationEnd(passed=False, checks=[failing_check()]))
    (verdict,) = transcript.blocks
    assert isinstance(verdict, VerdictBlock)
    assert (verdict.passed, verdict.is_open, len(verdict.checks)) == (False, False, 1)
    assert verdict.checks[0].evidence.startswith("FAIL: test_mean")


DECISIONS = [
    ({"allowed": True, "scope": "once"}, "allowed once by you"),
    ({"allowed": True, "scope": "turn"}, "allowed by you for this goal"),
    ({"allowed": True, "scope": "session"}, "allowed by you for this sitting"),
    ({"allowed": True, "scope": "grant"}, "allowed by you: every `mkdir …` in this sitting"),
    ({"allowed": True, "edited": {"command": "ls"}}, "allowed once by you, as edited"),
    ({"allowed": False}, "denied by you"),
    ({"allowed": False, "note": "not\nnow"}, "denied by you: not now"),
    ({"allowed": True, "via": "grant"}, "not asked: every `mkdir …` in this sitting"),
    ({"allowed": True, "via": "auto", "note": "reads only"}, "not asked: reads only"),
    (
        {"allowed": False, "via": "auto", "note": "timed out"},
        "denied, nobody was asked: timed out",
    ),
]


@pytest.mark.parametrize(("answer", "words"), DECISIONS)
def test_who_decided_is_said_in_words(answer: dict[str, object], words: str) -> None:
    blocks = fold(
        h.ApprovalRequested(
            approval_id="c1",
            tool="run_command",
            input={"command": "mkdir x"},
            grant_scope="every `mkdir …` in this sitting",
        ),
        h.ApprovalResolved.model_validate({"approval_id": "c1", **answer}),
    )
    assert call(blocks, "c1").decided == words
    assert call(blocks, "c1").state == ("proposed" if answer["allowed"] else "denied")


def test_a_grant_that_was_never_asked_still_names_itself() -> None:
    blocks = fold(
        h.ApprovalResolved(approval_id="c1", allowed=True, via="grant", note="every `ls …`"),
        h.ToolStart(call_id="c1", tool="run_command", input={"command": "ls"}),
    )
    assert call(blocks, "c1").decided == "not asked: every `ls …`"


def test_a_denied_call_stays_denied_when_its_result_comes() -> None:
    blocks = fold(
        h.ApprovalRequested(approval_id="c1", tool="run_command"),
        h.ApprovalResolved(approval_id="c1", allowed=False),
        h.ToolEnd(call_id="c1", tool="run_command", success=False, refused=True),
    )
    assert call(blocks, "c1").state == "denied"


@pytest.mark.parametrize(
    ("end", "state"),
    [
        ({"success": True}, "done"),
        ({"success": True, "exit_code": 0}, "done"),
        ({"success": True, "exit_code": 1}, "failed"),
        ({"success": False}, "failed"),
        ({"success": False, "refused": True}, "refused"),
    ],
)
def test_a_result_settles_the_call(end: dict[str, object], state: str) -> None:
    blocks = fold(
        h.ToolStart(call_id="c1", tool="run_command"),
        h.ToolEnd.model_validate({"call_id": "c1", "tool": "run_command", **end}),
    )
    assert call(blocks, "c1").state == state


def test_the_end_of_a_goal_interrupts_what_has_no_result() -> None:
    blocks = fold(
        h.AgentStart(goal="g"),
        h.ModelUpdate(delta="half an ans"),
        h.ToolStart(call_id="c1", tool="run_command"),
        s.ToolProgress(call_id="c1", delta="working"),
        h.VerificationStart(),
        h.CancellationObserved(reason="run cancelled"),
        h.AgentEnd(outcome="incomplete", status="cancelled"),
    )
    assert not any(block.is_open for block in blocks)
    assert call(blocks, "c1").state == "interrupted"
    assert call(blocks, "c1").output == "working"
    end = blocks[-1]
    assert isinstance(end, OutcomeBlock)
    assert (end.outcome, end.text) == ("incomplete", "stopped")


def test_a_late_result_is_told_truthfully() -> None:
    blocks = fold(
        h.ToolStart(call_id="c1", tool="write_file"),
        h.AgentEnd(outcome="incomplete"),
        h.ToolEnd(call_id="c1", tool="write_file", success=True, summary="written"),
    )
    assert (call(blocks, "c1").state, call(blocks, "c1").summary) == ("done", "written")


def test_leave_to_run_the_checks_is_done_when_they_run() -> None:
    asked = h.ApprovalRequested(
        approval_id="checks-1-0", tool="run_tests", input={"command": "pytest"}
    )
    blocks = fold(
        asked,
        h.ApprovalResolved(approval_id="checks-1-0", allowed=True, via="human"),
        s.CheckStarted(name="tests", command="pytest"),
        h.VerificationEnd(passed=True),
        h.AgentEnd(outcome="success"),
    )
    leave = call(blocks, "checks-1-0")
    assert (leave.state, leave.is_open) == ("done", False)
    assert leave.decided


def test_checks_run_after_a_goal_do_not_claim_its_turns() -> None:
    blocks = fold(
        h.AgentStart(goal="g"),
        h.TurnStart(),
        h.ModelUsage(prompt_tokens=50, completion_tokens=10),
        h.VerificationEnd(passed=True),
        h.AgentEnd(outcome="success"),
        h.VerificationStart(),
        h.VerificationEnd(passed=True),
    )
    verdicts = [block for block in blocks if isinstance(block, VerdictBlock)]
    assert [each.figures for each in verdicts] == [Figures(turns=1, tokens=60), Figures()]


def test_a_retry_without_a_wait_says_at_once_and_which_attempt_comes() -> None:
    (notice,) = fold(s.RetryWaiting(attempt=1, attempts=3, wait_s=0.5, error="it broke"))
    assert isinstance(notice, NoticeBlock)
    assert notice.text == "it broke · again at once, attempt 2 of 3"


def test_a_retry_voids_what_the_failed_attempt_wrote() -> None:
    blocks = fold(
        h.TurnStart(iteration=1),
        *pieces("I think the"),
        s.RetryWaiting(attempt=1, attempts=5, wait_s=2, error="connection lost"),
        s.RetryWaiting(attempt=2, attempts=5, wait_s=4, error="connection lost"),
        *pieces("I think the divisor is wrong."),
        assistant(TextBlock(text="I think the divisor is wrong.")),
    )
    assert kinds(blocks) == ["Answer", "Notice", "Answer"]
    first, notice, second = blocks
    assert isinstance(first, AnswerBlock)
    assert first.is_void
    assert isinstance(notice, NoticeBlock)
    assert notice.text == "connection lost · again in 4 s, attempt 3 of 5"
    assert isinstance(second, AnswerBlock)
    assert (second.text, second.is_void) == ("I think the divisor is wrong.", False)


def test_a_question_takes_the_place_of_the_text_that_asks_it() -> None:
    blocks = fold(
        h.AgentStart(goal="g"),
        h.TurnStart(iteration=1),
        *pieces("Which database?"),
        h.ModelDecisionEvent(action_type="ask_user", action="Which database?"),
        h.AgentEnd(outcome="blocked"),
    )
    assert kinds(blocks) == ["Prompt", "Question"]
    assert isinstance(blocks[1], QuestionBlock)


def test_a_plan_is_shown_once_and_says_what_became_of_it() -> None:
    plan = "1. Divide by the count\n2. Run the tests"
    blocks = fold(
        h.AgentStart(goal="g"),
        h.TurnStart(iteration=1),
        *pieces(plan),
        h.ModelDecisionEvent(action_type="final_answer", action=plan),
        h.AgentEnd(outcome="success"),
        s.PlanProposed(text=plan, version=1),
        s.PlanDecided(decision="revised", text="also lint"),
        h.AgentStart(goal="g"),
        s.PlanProposed(text=plan + "\n3. Lint", version=2),
        s.PlanDecided(decision="approved", text=plan + "\n3. Lint, twice"),
        h.AgentStart(goal="g"),
    )
    assert kinds(blocks) == ["Prompt", "Answer", "Plan", "Prompt", "Plan", "Prompt"]
    first, second = blocks[2], blocks[4]
    assert isinstance(first, PlanBlock)
    assert (first.decision, first.note, first.is_shown_above) == ("revised", "also lint", True)
    assert isinstance(second, PlanBlock)
    assert (second.text, second.is_shown_above) == (plan + "\n3. Lint, twice", False)
    assert [b.origin for b in blocks if isinstance(b, PromptBlock)] == ["goal", "revise", "build"]


def test_steering_shows_where_it_reached_the_model() -> None:
    blocks = fold(
        h.AgentStart(goal="g"),
        s.PromptQueued(text="use floats"),
        *pieces("Working"),
        s.PromptDelivered(texts=["use floats"]),
        *pieces("With floats"),
        s.PromptsRecalled(texts=["too late"], to="dropped"),
    )
    assert kinds(blocks) == ["Prompt", "Answer", "Prompt", "Answer", "Notice"]


def test_messages_to_the_model_are_not_shown() -> None:
    assert fold(s.SittingMessage(message=Message.of("user", "<result>internal</result>"))) == ()


def test_damage_and_unknown_events_are_visible() -> None:
    blocks = fold(
        s.DamagedLines(count=2, first_line=7),
        s.UnknownEvent(raw={"type": "sitting.hologram\x1b[31m"}),
    )
    assert [b.text for b in blocks if isinstance(b, NoticeBlock)] == [
        "the journal has 2 unreadable lines from line 7",
        "something that only a newer version can show: sitting.hologram",
    ]


@pytest.mark.parametrize(
    ("state", "words"),
    [("pass", "pass  something changed"), ("fail", "fail  nothing changed")],
)
def test_a_check_without_a_command_says_what_it_found(state: Any, words: str) -> None:
    assert check_words(Check(name="diff_present", state=state)) == words


def test_unknown_events_behind_each_other_are_one_notice_that_names_each_kind_once() -> None:
    kinds = ["sitting.a", "sitting.b", "sitting.a"]
    blocks = fold(*(s.UnknownEvent(raw={"type": kind}) for kind in kinds))
    assert [block.text for block in blocks if isinstance(block, NoticeBlock)] == [
        "something that only a newer version can show: sitting.a, sitting.b"
    ]


@pytest.mark.parametrize(("by", "who"), [("model", "by the model"), ("rules", "without the model")])
def test_a_compaction_is_told_with_before_and_after(by: str, who: str) -> None:
    blocks = fold(
        s.ContextCompacted.model_validate(
            {
                "message": Message.of("user", "gist"),
                "summarised": 31,
                "by": by,
                "tokens_before": 48_100,
                "tokens_after": 12_000,
            }
        )
    )
    assert [block.text for block in blocks if isinstance(block, NoticeBlock)] == [
        f"context: 48k → 12k tokens, 31 messages summarised {who}, kept in the record"
    ]


def test_changes_taken_back_are_named_with_their_counts_and_those_that_stay() -> None:
    taken = s.ChangesMoved(
        goal="Fix the\ntest",
        files=[
            PathChange(path="calc.py", added=1, removed=2),
            PathChange(path="new.py", status="D", added=0, removed=3),
            PathChange(path="gone.bin", status="A", added=None, removed=None),
            PathChange(path="empty/", status="D", added=None, removed=None),
        ],
        left=[LeftPath(path="mine.py", why="changed since")],
    )
    made = taken.model_copy(update={"to": "after", "left": []})
    notices = [block for block in fold(taken, made) if isinstance(block, NoticeBlock)]
    assert [(notice.level, notice.text.split("\n")) for notice in notices] == [
        (
            "warning",
            [
                'taken back: "Fix the test" · 3 files and 1 folder · /redo makes it again',
                "changed back: calc.py +1 −2",
                "gone again: new.py −3",
                "there again: gone.bin",
                "gone again: empty/",
                "left as it is: mine.py (changed since)",
            ],
        ),
        (
            "info",
            [
                'made again: "Fix the test" · 3 files and 1 folder · /undo takes it back',
                "changed again: calc.py +1 −2",
                "removed again: new.py −3",
                "made again: gone.bin",
                "removed again: empty/",
            ],
        ),
    ]


def test_thousands_of_files_taken_back_are_told_in_a_few_lines() -> None:
    files = [PathChange(path=f"f{n}") for n in range(3_000)]
    (notice,) = (b for b in fold(s.ChangesMoved(files=files)) if isinstance(b, NoticeBlock))
    assert notice.text.endswith("changed back: f19\nand 2980 more files")


EVIL = "a\x1b]52;c;aGk=\x07b\x9b31mc\x00d\u202ee"


def test_no_text_of_a_block_holds_what_a_terminal_acts_on() -> None:
    blocks = fold(
        h.AgentStart(goal=EVIL, task_kind=EVIL),
        h.ModelUpdate(delta=EVIL),
        h.ModelUpdate(delta=EVIL, kind="thought"),
        h.ModelDecisionEvent(thought=EVIL, action_type="ask_user", action=EVIL),
        h.ApprovalRequested(approval_id="c", tool=EVIL, reason=EVIL, grant_scope=EVIL),
        h.ApprovalResolved(approval_id="c", allowed=True, scope="grant", note=EVIL),
        h.ToolStart(call_id="c", tool=EVIL),
        s.ToolProgress(call_id="c", delta=EVIL),
        h.ToolEnd(call_id="c", tool=EVIL, success=False, summary=EVIL, content=EVIL, diff=EVIL),
        s.CheckStarted(name=EVIL, command=EVIL),
        s.CheckFinished(result=failing_check().model_copy(update={"evidence": EVIL})),
        h.VerificationEnd(passed=False, summary=EVIL),
        s.Notice(text=EVIL),
        s.RetryWaiting(error=EVIL),
        h.DecisionError(error=EVIL),
        s.PlanProposed(text=EVIL),
        s.PlanDecided(decision="revised", text=EVIL),
        s.PromptDelivered(texts=[EVIL]),
        h.AgentEnd(outcome=EVIL, status=EVIL, error=EVIL),
    )
    shown = repr([replace(b, input={}) if isinstance(b, CallBlock) else b for b in blocks])
    assert not any(sign in shown for sign in ("\\x1b", "\\x07", "\\x9b", "\\x00", "\\u202e"))
    assert "aGk" not in shown


def test_output_of_a_long_command_keeps_its_end_only() -> None:
    transcript = Transcript.of([h.ToolStart(call_id="c", tool="run_command")])
    for number in range(20_000):
        transcript.apply(s.ToolProgress(call_id="c", delta=f"line {number}\n"))
    output = call(transcript.blocks, "c").output
    assert len(output) == 8_000
    assert output.endswith("line 19999\n")


def test_calls_without_ids_are_calls_of_their_own() -> None:
    blocks = fold(
        h.ToolStart(tool="read_file"),
        h.ToolEnd(tool="read_file", success=True),
        h.ToolStart(tool="read_file"),
        h.ToolEnd(tool="read_file", success=False),
    )
    assert [b.state for b in blocks if isinstance(b, CallBlock)] == ["done", "failed"]


def test_blocks_load_neither_pydantic_nor_the_screen() -> None:
    check = (
        "import sys, agent_cockpit.transcript.blocks, agent_cockpit.transcript.wording, "
        "agent_cockpit.transcript.diffs;"
        "print([m for m in ('pydantic', 'textual', 'rich', 'asyncio') if m in sys.modules])"
    )
    found = subprocess.run(
        [sys.executable, "-c", check], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"


def test_a_call_that_was_stopped_is_interrupted_and_not_failed() -> None:
    started = h.ToolStart(call_id="c", tool="run_command", input={"command": "sleep 30"})
    stopped = h.ToolEnd(call_id="c", tool="run_command", success=False, stopped=True)
    (block,) = Transcript.of([started, stopped]).blocks
    assert isinstance(block, CallBlock)
    assert block.state == "interrupted"


def test_a_question_is_shown_once_and_not_as_a_call() -> None:
    call = ToolUseBlock(call_id="q", name="ask_user", input={"question": "Which one?"})
    message = Message(role="assistant", blocks=(call,))
    decided = h.ModelDecisionEvent(action_type="ask_user", action="Which one?")
    blocks = Transcript.of([s.SittingMessage(message=message), decided]).blocks
    assert [type(block) for block in blocks] == [QuestionBlock]


def test_a_call_knows_why_it_was_allowed_and_when() -> None:
    transcript = Transcript()
    rule = "a configured rule allows this: allow run_command:ls (--allow)"
    asked = {"approval_id": "2", "tool": "run_command", "input": {"command": "touch a"}}
    resolved = h.ApprovalResolved(approval_id="2", allowed=True, scope="once", note="go on")
    for event in (
        h.ToolStart(call_id="1", tool="run_command", input={"command": "ls"}, allowed_by=rule),
        h.ApprovalRequested.model_validate(asked),
        resolved,
        h.ToolStart(call_id="2", tool="run_command", input={"command": "touch a"}),
    ):
        transcript.apply(event)
    first, second = [block for block in transcript.blocks if isinstance(block, CallBlock)]
    assert (first.why, first.decided_at) == (rule, None)
    assert (second.why, second.decided_at) == ("allowed once by you · go on", resolved.ts)


@pytest.mark.parametrize(
    ("summary", "words"),
    [
        ("verification failed: diff_present, tests", "nothing changed, tests"),
        ("verification failed: declared_1", "declared 1"),
        ("verification incomplete, not run to the end: lint", "not run to the end: lint"),
        ("nothing proves the change: no check of the plan passed", None),
    ],
)
def test_a_verdict_speaks_in_the_persons_words(summary: str, words: str | None) -> None:
    (block,) = Transcript.of([h.VerificationEnd(passed=False, summary=summary)]).blocks
    assert isinstance(block, VerdictBlock)
    assert block.summary == (words or summary)


def test_the_exit_code_of_a_check_is_said_once() -> None:
    result = CheckResult(
        name="tests", status="fail", command="x", exit_code=1, evidence="exit 1\nexit 1 was said"
    )
    (verdict,) = fold(h.VerificationEnd(passed=False, checks=[result]))
    assert isinstance(verdict, VerdictBlock)
    assert verdict.checks[0].evidence == "exit 1 was said"
