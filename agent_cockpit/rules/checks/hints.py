"""What a model should do next when a check fails: one sentence a check."""

from __future__ import annotations

from collections.abc import Iterable

_HINTS = {
    "diff_present": "Make the change that the goal asks for; if none is needed, say why and stop.",
    "no_unintended_diff": (
        "This goal may change nothing: undo what this goal changed, or ask to switch to editing."
    ),
    "tests_changed": "Add or change a test file; this goal is about tests.",
    "no_secrets": "Take the secret out of the change and read it from the environment instead.",
    "change_kind_coverage": (
        "Amend the declared contract so that it names this kind of change and a check for it."
    ),
    "verification_contract": (
        "Declare how this change is to be checked: a command that fails while it is wrong."
    ),
    "tests": "Read the failing tests' output below, fix the cause, and run the tests again.",
    "lint": "Fix what the linter reports below, and run it again.",
    "smoke": "The changed file does not even parse or compile: fix that first.",
    "floor": "The changed file does not even parse or compile: fix that first.",
    "declared": (
        "A check that you declared fails: fix the work, or ask to amend the check if it is wrong."
    ),
    "plan_present": "Write the plan as your final answer: numbered steps, with files named.",
    "answer_present": "Answer the question in words; the last answer was empty.",
    "grounded_in_evidence": "Look at the files in question and name them in the answer.",
}
"""In order of what to repair first."""


def next_action(names: Iterable[str]) -> str:
    """The hint for the most urgent of the failed (or unfinished) checks."""
    names = list(names)
    for known, hint in _HINTS.items():
        if any(name == known or name.startswith(f"{known}_") for name in names):
            return hint
    if names:
        return f"Make the check {names[0]} pass; its output is below."
    return "Add a check that really runs: a test that covers the change."
