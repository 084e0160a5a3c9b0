"""The verdict follows from facts."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.events.checks import CheckKind, CheckResult, PlannedCheck, VerifierResult
from agent_cockpit.rules.checks.verification import (
    EVIDENCE_CHARS,
    NO_TESTS,
    Claim,
    change_kind,
    checks_to_run,
    is_test_path,
    judge,
    not_run,
    settle,
)

DIFF = "--- a/calc.py\n+++ b/calc.py\n@@ -1 +1 @@\n-a\n+b\n"


@dataclass(frozen=True)
class End:
    exit_code: int | None = 0
    output: str = ""
    timed_out: bool = False
    cancelled: bool = False
    duration_ms: int = 7


def planned(name: str = "tests", kind: CheckKind = "test", command: str = "pytest") -> PlannedCheck:
    return PlannedCheck(name=name, command=command, kind=kind, provenance="ci:x")


TESTS, LINT = planned(), planned("lint", "lint", "ruff check")
EDIT = Claim(kind="edit", answer="done", plan=(TESTS,), diff=DIFF, changed=("calc.py",))


def verdict(claim: Claim, *ends: End) -> VerifierResult:
    checks = checks_to_run(claim)
    return settle(
        claim, [judge(check, end, claim) for check, end in zip(checks, ends, strict=True)]
    )


def statuses(result: VerifierResult) -> dict[str, str]:
    return {check.name: check.status for check in result.checks}


def test_an_edit_whose_check_passes_is_verified() -> None:
    result = verdict(EDIT, End(output="collected 2 items\n\n2 passed in 0.01s\n"))
    assert (result.passed, result.summary) == (True, "verification passed")
    assert statuses(result) == {"diff_present": "pass", "no_secrets": "pass", "tests": "pass"}
    tests = result.checks[-1]
    assert (tests.evidence, tests.exit_code, tests.duration_ms) == ("2 passed in 0.01s", 0, 7)
    assert tests.command == "pytest"


def test_an_edit_that_changed_nothing_fails_without_running_a_check() -> None:
    claim = replace(EDIT, diff="", changed=())
    assert checks_to_run(claim) == ()
    result = settle(claim, [])
    assert not result.passed
    assert statuses(result)["diff_present"] == "fail"
    assert statuses(result)["tests"] == "skip"
    assert result.summary == "verification failed: diff_present"
    assert "change" in str(result.recommended_next_action)


def test_an_empty_plan_proves_nothing() -> None:
    result = settle(replace(EDIT, plan=()), [])
    assert not result.passed
    assert statuses(result)["verification_contract"] == "fail"
    assert "Declare" in str(result.recommended_next_action)


def test_the_model_reads_head_and_tail_of_every_failed_check() -> None:
    output = "FIRST\n" + "x" * 50_000 + "\nLAST"
    claim = replace(EDIT, plan=(TESTS, LINT))
    result = verdict(claim, End(1, output), End(2, "calc.py:1:1: F401"))
    assert result.summary == "verification failed: tests, lint"
    assert "tests `pytest`: exit 1" in result.detail
    assert "FIRST" in result.detail
    assert "LAST" in result.detail
    assert "lint `ruff check`: exit 2\ncalc.py:1:1: F401" in result.detail
    assert len(result.detail) < EVIDENCE_CHARS + 1000
    assert "failing tests" in str(result.recommended_next_action)


@pytest.mark.parametrize(
    ("end", "words"),
    [
        (End(1, "boom"), "exit 1\nboom"),
        (End(127, "sh: nope: not found"), "missing or cannot run (127)"),
        (End(126), "missing or cannot run (126)"),
        (End(None), "did not start"),
        (End(None, "half", timed_out=True, duration_ms=120_000), "no end within its time (120 s)"),
        (End(-9), "killed by signal 9"),
        (End(139), "killed by signal 11"),
    ],
)
def test_every_bad_end_fails_with_words(end: End, words: str) -> None:
    result = judge(TESTS, end, EDIT)
    assert result.status == "fail"
    assert words in result.evidence


def test_evidence_is_safe_to_show() -> None:
    assert judge(TESTS, End(1, "\x1b]52;c;aGk=\x07red\x1b[31m"), EDIT).evidence == "exit 1\nred"


@pytest.mark.parametrize(
    ("claim", "check", "end", "status"),
    [
        (EDIT, TESTS, End(5), "skip"),
        (EDIT, planned(command="python -m unittest"), End(5), "skip"),
        (EDIT, planned(command="python -m unittest"), End(0, "Ran 0 tests in 0.000s\nOK"), "skip"),
        (EDIT, planned(command="python -m unittest"), End(0, "Ran 10 tests in 0.1s\nOK"), "pass"),
        (replace(EDIT, baseline_had_tests=True), TESTS, End(5), "fail"),
        (replace(EDIT, kind="test_only"), TESTS, End(5), "fail"),
        (EDIT, planned(command="npm test"), End(5), "fail"),
        (EDIT, planned("lint", "lint", "pytest --lint"), End(5), "fail"),
    ],
)
def test_a_run_without_tests_is_a_skip_only_where_there_never_were_any(
    claim: Claim, check: PlannedCheck, end: End, status: str
) -> None:
    result = judge(check, end, claim)
    assert result.status == status
    assert (result.skip_reason == NO_TESTS) == (status == "skip")


def test_a_skip_for_want_of_tests_is_no_proof_but_spoils_none() -> None:
    alone = verdict(EDIT, End(5))
    assert not alone.passed
    assert "nothing proves" in alone.summary
    assert "Add a check" in str(alone.recommended_next_action)
    assert verdict(replace(EDIT, plan=(TESTS, LINT)), End(5), End(0)).passed


def test_a_cancelled_check_never_lets_a_verdict_pass() -> None:
    result = verdict(replace(EDIT, plan=(TESTS, LINT)), End(0), End(None, cancelled=True))
    assert not result.passed
    assert result.summary == "verification incomplete, not run to the end: lint"


def test_a_chain_that_broke_is_failed_unrun() -> None:
    result = settle(EDIT, [judge(TESTS, End(1), EDIT), not_run(LINT, after="tests")])
    assert statuses(result)["lint"] == "fail"
    assert "not run: `tests`" in result.detail


@pytest.mark.parametrize(
    ("answer", "grounded", "diff", "passed", "summary"),
    [
        ("It is in calc.py:3.", True, "", True, "verification passed"),
        ("Hello!", False, "", True, "ungrounded"),
        ("  \n", True, "", False, "verification failed: answer_present"),
        ("It is.", True, DIFF, False, "verification failed: no_unintended_diff"),
    ],
)
def test_an_investigation_is_judged_by_its_answer_and_the_untouched_tree(
    answer: str, grounded: bool, diff: str, passed: bool, summary: str
) -> None:
    claim = Claim(kind="investigate", answer=answer, grounded=grounded, diff=diff, plan=(TESTS,))
    assert checks_to_run(claim) == ()
    result = settle(claim, [])
    assert (result.passed, result.summary) == (passed, summary)


@pytest.mark.parametrize("kind", ["edit", "investigate", "test_only"])
def test_a_plan_needs_words_and_an_untouched_tree_and_nothing_else(kind: str) -> None:
    plan = Claim(kind=kind, is_plan=True, answer="1. Read\n2. Fix", plan=(TESTS,))
    assert settle(plan, []).passed
    assert settle(plan, []).summary == "plan proposed"
    assert checks_to_run(plan) == ()
    assert settle(replace(plan, answer=""), []).summary == "verification failed: plan_present"
    leaked = settle(replace(plan, changed=("calc.py",)), [])
    assert leaked.summary == "verification failed: no_unintended_diff"
    assert "calc.py" in leaked.detail


def test_a_test_goal_runs_tests_only_and_must_change_one() -> None:
    claim = replace(EDIT, kind="test_only", plan=(TESTS, LINT), changed=("tests/test_a.py",))
    assert checks_to_run(claim) == (TESTS,)
    assert verdict(claim, End(0)).passed
    stray = replace(claim, changed=("calc.py",))
    assert verdict(stray, End(0)).summary == "verification failed: tests_changed"
    only_lint = settle(replace(claim, plan=(LINT,)), [])
    assert statuses(only_lint)["verification_contract"] == "fail"


def test_a_change_of_an_undeclared_kind_fails_and_overdeclaring_does_not() -> None:
    declared = replace(EDIT, change_kinds=("content",), changed=("docs/a.md", "calc.py"))
    result = verdict(declared, End(0))
    assert result.summary == "verification failed: change_kind_coverage"
    assert "code changed without being declared: calc.py" in result.detail
    assert verdict(replace(declared, change_kinds=("code", "content")), End(0)).passed
    assert verdict(replace(EDIT, change_kinds=("code", "content")), End(0)).passed


def test_a_file_that_only_the_diff_names_is_audited_too() -> None:
    quoted = DIFF.replace("b/calc.py", '"b/caf\\303\\251.py"')
    result = verdict(replace(EDIT, diff=quoted, changed=(), change_kinds=("content",)), End(0))
    assert "café.py" in result.detail


def test_a_secret_fails_the_verdict_without_being_told() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    result = verdict(replace(EDIT, diff=DIFF.replace("+b", f"+{secret}")), End(0))
    assert result.summary == "verification failed: no_secrets"
    assert "calc.py:1: github-token" in result.detail
    assert secret not in result.model_dump_json()


@pytest.mark.parametrize(
    ("name", "word"),
    [
        ("declared_2", "declared"),
        ("floor", "parse"),
        ("smoke", "parse"),
        ("change_kind_coverage", "Amend"),
        ("something", "something"),
    ],
)
def test_every_check_has_its_own_hint(name: str, word: str) -> None:
    failed = CheckResult(name=name, status="fail")
    assert word in str(settle(EDIT, [failed]).recommended_next_action)


@pytest.mark.parametrize(
    ("path", "is_test"),
    [
        ("test_calc.py", True),
        ("pkg/calc_test.go", True),
        ("tests/data.json", True),
        ("src/__tests__/a.js", True),
        ("a.spec.ts", True),
        ("Tests\\A.cs", True),
        ("calc.py", False),
        ("latest/contest.py", False),
        ("attest.py", False),
    ],
)
def test_tests_are_known_by_name_or_folder(path: str, is_test: bool) -> None:
    assert is_test_path(path) is is_test


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("README.md", "content"),
        ("a/B.RST", "content"),
        ("requirements-dev.txt", "code"),
        ("CMakeLists.txt", "code"),
        ("notes.txt", "content"),
        ("x.py", "code"),
    ],
)
def test_prose_is_content_and_all_else_is_code(path: str, kind: str) -> None:
    assert change_kind(path) == kind


ENDS: st.SearchStrategy[End] = st.builds(
    End,
    exit_code=st.sampled_from([0, 0, 0, 1, 5, 127, -9, None]),
    output=st.text(max_size=40),
    timed_out=st.booleans(),
    cancelled=st.booleans(),
)
KINDS: st.SearchStrategy[Literal["test", "lint", "declared", "floor"]] = st.sampled_from(
    ["test", "lint", "declared", "floor"]
)


@given(st.data(), st.sampled_from(["edit", "test_only"]), st.booleans(), st.booleans())
def test_no_edit_ever_passes_without_a_change_and_a_real_pass(
    data: st.DataObject, kind: str, changed: bool, had_tests: bool
) -> None:
    kinds: list[Any] = data.draw(st.lists(KINDS, max_size=4))
    plan = tuple(planned(f"c{number}", kind) for number, kind in enumerate(kinds))
    claim = Claim(
        kind=kind,
        plan=plan,
        diff=DIFF if changed else "",
        changed=("test_calc.py",) if changed else (),
        baseline_had_tests=had_tests,
    )
    ends = [data.draw(ENDS) for _ in checks_to_run(claim)]
    result = verdict(claim, *ends)
    if result.passed:
        assert changed
        assert any(end.exit_code == 0 for end in ends)
        assert all(end.exit_code in (0, 5) for end in ends)
        assert not any(end.timed_out or end.cancelled for end in ends)
    else:
        assert result.recommended_next_action
