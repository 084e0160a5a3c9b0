"""What a claim of being done is worth: the verdict follows from facts, never from the claim.

Law: an edit passes only when something changed since the goal began, nothing failed, and at
least one command of the frozen plan really passed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from agent_cockpit.events.checks import CheckResult, PlannedCheck, VerifierResult
from agent_cockpit.rules.checks.hints import next_action
from agent_cockpit.rules.checks.smoke_floor import FLOOR_KINDS
from agent_cockpit.rules.diff_lines import changed_lines
from agent_cockpit.rules.secrets import added_secrets
from agent_cockpit.text import clean, clean_line, head_and_tail, shorten

Status = Literal["pass", "fail", "skip"]

PLAN_PROPOSED = "plan proposed"
"""A plan is no proof of anything: the person decides about it."""

NO_TESTS = "no test target exists in this repo"
"""The one reason for skipping a required check that does not spoil a verdict."""

ON_REQUEST = "on_request"
"""The kind of a claim that a person makes by asking for the checks: nothing but they count."""

EVIDENCE_CHARS = 6000
"""Of a failed check's output, head and tail: what a model needs to repair it, without
filling its window when several checks fail."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """What a goal says it has done, with the facts that it is measured by.

    `diff` and `changed` (paths relative to the workspace) are against the tree at the goal's
    start; `change_kinds` are those that a declaration froze, None without a declaration;
    `grounded` says whether the answer rests on anything that was inspected.
    """

    kind: str
    is_plan: bool = False
    answer: str = ""
    plan: tuple[PlannedCheck, ...] = ()
    diff: str = ""
    changed: tuple[str, ...] = ()
    change_kinds: tuple[str, ...] | None = None
    grounded: bool = False
    baseline_had_tests: bool = False

    @property
    def changed_anything(self) -> bool:
        """Whether the tree differs from the goal's start."""
        return bool(self.diff.strip() or self.changed)

    @property
    def touched(self) -> tuple[str, ...]:
        """Every file that differs from the goal's start, also one that only the diff names."""
        named = {line.path for line in changed_lines(self.diff) if line.path}
        return tuple(sorted(named | set(self.changed)))


class Ended(Protocol):
    """How a check's command ended, as a child process tells it."""

    @property
    def output(self) -> str: ...
    @property
    def exit_code(self) -> int | None: ...
    @property
    def timed_out(self) -> bool: ...
    @property
    def cancelled(self) -> bool: ...
    @property
    def duration_ms(self) -> int: ...


def checks_to_run(claim: Claim) -> tuple[PlannedCheck, ...]:
    """The commands that this claim is measured by, in order.

    None where nothing changed: they would measure the tree as the person left it.
    """
    if claim.kind == ON_REQUEST:
        return claim.plan
    if claim.is_plan or claim.kind == "investigate" or not claim.changed_anything:
        return ()
    return _relevant(claim)


def judge(check: PlannedCheck, ended: Ended, claim: Claim) -> CheckResult:
    """What the end of one command says about the claim."""
    output = clean(ended.output).strip("\n")

    def result(status: Status, reason: str = "", skip_reason: str | None = None) -> CheckResult:
        shown = _last_line(output) if status == "pass" else head_and_tail(output, EVIDENCE_CHARS)
        return CheckResult(
            name=check.name,
            status=status,
            evidence="\n".join(part for part in (reason, shown) if part),
            skip_reason=skip_reason,
            command=check.command,
            exit_code=ended.exit_code,
            duration_ms=ended.duration_ms,
        )

    if ended.cancelled:
        return result("skip", skip_reason="cancelled before it ended")
    if ended.timed_out:
        return result("fail", f"no end within its time ({ended.duration_ms / 1000:.0f} s)")
    code = ended.exit_code
    match code:
        case 0 | 5 if check.kind == "test" and _found_no_tests(check.command, code, output):
            if claim.kind == "edit" and not claim.baseline_had_tests:
                return result("skip", skip_reason=NO_TESTS)
            return result("fail", f"no test was found or run (exit {code})")
        case 0:
            return result("pass")
        case 126 | 127:
            return result("fail", f"a program of this command is missing or cannot run ({code})")
        case None:
            return result("fail", "it did not start, or its end is unknown")
        case _ if code < 0 or code > 128:
            return result("fail", f"killed by signal {-code if code < 0 else code - 128}")
        case _:
            return result("fail", f"exit {code}")


def not_run(check: PlannedCheck, *, after: str) -> CheckResult:
    """A later link of a chain whose check `after` failed: failed too, without running."""
    return CheckResult(
        name=check.name,
        status="fail",
        evidence=f"not run: `{after}`, which comes before it, failed",
        command=check.command,
    )


def settle(claim: Claim, results: Sequence[CheckResult]) -> VerifierResult:
    """The verdict; `results` are those of `checks_to_run(claim)`."""
    if claim.kind == ON_REQUEST:
        return _verdict(results, proof=tuple(result.name for result in results))
    if claim.is_plan:
        checks = [_present("plan_present", claim.answer, "plan"), _nothing_changed(claim)]
        return _verdict(checks, passed=PLAN_PROPOSED)
    if claim.kind == "investigate":
        answer = _present("answer_present", claim.answer, "answer")
        checks = [answer, _nothing_changed(claim), _grounding(claim)]
        return _verdict(checks, passed="" if claim.grounded else "ungrounded")
    first = _tests_changed(claim) if claim.kind == "test_only" else _diff_present(claim)
    checks = [first, _no_secrets(claim), *results]
    if not _relevant(claim):
        checks.append(_no_contract(claim))
    elif not claim.changed_anything:
        checks += map(_not_measured, _relevant(claim))
    if claim.kind != "test_only" and claim.change_kinds is not None:
        checks.append(_coverage(claim, claim.change_kinds))
    only_parses = all(check.kind in FLOOR_KINDS for check in _relevant(claim))
    return _verdict(
        checks,
        proof=tuple(result.name for result in results),
        passed="nothing more is known than that the changed files parse" if only_parses else "",
    )


def is_test_path(path: str) -> bool:
    """Whether a file is a test by its name or its folder, in the languages' usual ways."""
    *folders, name = path.replace("\\", "/").lower().split("/")
    stem = name.split(".", 1)[0]
    return (
        stem.startswith("test_")
        or stem.endswith(("_test", "_tests", "_spec"))
        or ".test." in name
        or ".spec." in name
        or any(folder in _TEST_FOLDERS for folder in folders)
    )


_TEST_FOLDERS = frozenset({"test", "tests", "__tests__", "spec"})


def change_kind(path: str) -> str:
    """`content` for prose, `code` for everything else, lists of requirements too."""
    name = path.replace("\\", "/").rsplit("/", 1)[-1].lower()
    if name.startswith(("requirements", "constraints", "cmakelists")) and name.endswith(".txt"):
        return "code"
    return "content" if name.endswith((".md", ".rst", ".txt", ".adoc")) else "code"


def _relevant(claim: Claim) -> tuple[PlannedCheck, ...]:
    if claim.kind == "test_only":
        return tuple(check for check in claim.plan if check.kind == "test")
    return claim.plan


def _found_no_tests(command: str, exit_code: int, output: str) -> bool:
    """Exit 5 of these two runners only: others count failures in it, and five is one count.

    Before Python 3.12, unittest calls a run of no tests a success.
    """
    if "pytest" not in command and "unittest" not in command:
        return False
    return exit_code == 5 or _NONE_RAN.search(output) is not None


_NONE_RAN = re.compile(r"^Ran 0 tests in ", re.MULTILINE)


def _verdict(
    checks: Sequence[CheckResult], *, proof: tuple[str, ...] | None = None, passed: str = ""
) -> VerifierResult:
    """`proof` names the checks of which one at least must have passed; None: none is needed."""
    failed = [check for check in checks if check.status == "fail"]
    skipped = [
        check
        for check in checks
        if check.status == "skip" and check.kind == "required" and check.skip_reason != NO_TESTS
    ]
    proven = proof is None or any(
        check.status == "pass" and check.name in proof for check in checks
    )
    names = ", ".join(check.name for check in failed or skipped)
    if failed:
        summary = f"verification failed: {names}"
    elif skipped:
        summary = f"verification incomplete, not run to the end: {names}"
    elif not proven:
        summary = "nothing proves the change: no check of the plan passed"
    else:
        return VerifierResult(
            passed=True, summary=passed or "verification passed", checks=tuple(checks)
        )
    return VerifierResult(
        passed=False,
        summary=summary,
        checks=tuple(checks),
        recommended_next_action=next_action([check.name for check in failed or skipped]),
        detail="\n\n".join(_told(check) for check in failed),
    )


def _told(check: CheckResult) -> str:
    command = f" `{check.command}`" if check.command else ""
    return f"{check.name}{command}: {check.evidence}"


def _check(name: str, failure: str) -> CheckResult:
    return CheckResult(name=name, status="fail" if failure else "pass", evidence=failure)


def _present(name: str, answer: str, word: str) -> CheckResult:
    return _check(name, "" if answer.strip() else f"the {word} is empty")


def _nothing_changed(claim: Claim) -> CheckResult:
    failure = f"files changed: {_some(claim.touched)}" if claim.changed_anything else ""
    return _check("no_unintended_diff", failure)


def _grounding(claim: Claim) -> CheckResult:
    if claim.grounded:
        return CheckResult(name="grounded_in_evidence", kind="optional", status="pass")
    reason = "the answer cites nothing that was looked at"
    return CheckResult(
        name="grounded_in_evidence", kind="optional", status="skip", skip_reason=reason
    )


def _diff_present(claim: Claim) -> CheckResult:
    failure = "" if claim.changed_anything else "nothing differs from the start of this goal"
    return _check("diff_present", failure)


def _tests_changed(claim: Claim) -> CheckResult:
    failure = "" if any(map(is_test_path, claim.touched)) else "no test file was added or changed"
    return _check("tests_changed", failure)


def _no_secrets(claim: Claim) -> CheckResult:
    return _check(
        "no_secrets", "\n".join(clean_line(str(one)) for one in added_secrets(claim.diff))
    )


def _no_contract(claim: Claim) -> CheckResult:
    what = "test" if claim.kind == "test_only" else "check"
    return _check("verification_contract", f"the verification plan has no {what} to run")


def _not_measured(check: PlannedCheck) -> CheckResult:
    return CheckResult(
        name=check.name, status="skip", skip_reason="nothing changed", command=check.command
    )


def _coverage(claim: Claim, declared: tuple[str, ...]) -> CheckResult:
    stray = [path for path in claim.touched if change_kind(path) not in declared]
    kinds = " and ".join(sorted({change_kind(path) for path in stray}))
    failure = f"{kinds} changed without being declared: {_some(stray)}" if stray else ""
    return _check("change_kind_coverage", failure)


def _some(paths: Sequence[str]) -> str:
    shown = ", ".join(clean_line(path) for path in paths[:5]) or "see the diff"
    return shown if len(paths) <= 5 else f"{shown} (+{len(paths) - 5} more)"


def _last_line(output: str) -> str:
    lines = output.rstrip().rsplit("\n", 1)
    return shorten(lines[-1].strip(), 200)
