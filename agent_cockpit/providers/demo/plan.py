"""The plans of the scripted demo model: proposed, changed by a note, and kept to."""

from __future__ import annotations

import re

from agent_cockpit.providers.demo.findings import (
    TEST_COMMAND,
    Fault,
    fault_in,
    right_line,
    test_anchor,
)
from agent_cockpit.providers.demo.reply import Reply
from agent_cockpit.providers.demo.scene import PLAN_HEAD, Scene

WHY_PATH = "notes/average.md"
TEST_STEP = "Add a test for a single number"
WHY_STEP = f"Write down what was wrong in `{WHY_PATH}`"
NOTES_STEP = "Make the folder `notes/fixes`"

_OPTIONAL = (
    (TEST_STEP, r"tests?|cover\w*|make it better", False),
    (WHY_STEP, r"readme|docs?|document\w*|write down|explain\w*|describe", False),
    (NOTES_STEP, r"folders?|notes|mkdir|commands?|director\w+", True),
)
"""Step, the words of a note that ask for it (or, after a no, against it), and whether a first
plan has it."""
_AGAINST = r"\b(no|not|without|don.?t|do not|drop|skip|remove|leave out|omit)\b[^.;\n]*?\b(?:{})\b"
_TESTS_FIRST = re.compile(r"\btests? first\b", re.IGNORECASE)


def propose(scene: Scene) -> Reply:
    """The plan for what was found; after a note, its next version."""
    fault = fault_in(scene)
    if fault is None:
        right = right_line(scene)
        seen = f"`{right}` divides by the number of values already. " if right else ""
        return Reply(f"{seen}I found nothing that a scripted demo could mend, so I have no plan.")
    version = _version(scene.last_plan) + 1 if scene.note else 1
    steps = _steps(scene, fault)
    title = PLAN_HEAD if version == 1 else f"{PLAN_HEAD}, version {version}"
    lines = [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
    text = f"{title}\n\n" + "\n".join(lines)
    if scene.note:
        text += f"\n\nChanged by your note: “{scene.note}”."
    return Reply(f"{text}\n\nTouches {_touched(scene, fault, steps)} and needs no network.")


def builds(scene: Scene, step: str) -> bool:
    """Whether the work includes this optional step: the approved plan decides where there is
    one, and the person may have edited it."""
    plan = _approved(scene)
    if plan:
        return step in plan
    return next(usual for name, _, usual in _OPTIONAL if name == step)


def _steps(scene: Scene, fault: Fault) -> list[str]:
    wanted = [step for step, words, usual in _OPTIONAL if _wants(scene, step, words, usual)]
    steps = [
        f"Divide by the number of values in `{fault.path}`, line {fault.line} (`average`); it "
        f"divides by one too few",
        *(_with_place(scene, step) for step in wanted if step != NOTES_STEP),
        f"Run the tests: `{TEST_COMMAND}`",
        *(step for step in wanted if step == NOTES_STEP),
    ]
    if _TESTS_FIRST.search(scene.note):
        steps.insert(0, "Run the tests once before, to see them fail")
    elif scene.note and not _understood(scene.note):
        steps.append(f"Keep to your note: {scene.note}")
    return steps


def _with_place(scene: Scene, step: str) -> str:
    anchor = test_anchor(scene) if step == TEST_STEP else None
    return f"{step} to `{anchor.path}`" if anchor else step


def _wants(scene: Scene, step: str, words: str, usual: bool) -> bool:
    if re.search(rf"\b(?:{words})\b", scene.note, re.IGNORECASE):
        against = re.search(_AGAINST.format(words), scene.note, re.IGNORECASE)
        return not against and not _TESTS_FIRST.search(scene.note)
    return step in scene.last_plan if scene.note and scene.last_plan else usual


def _touched(scene: Scene, fault: Fault, steps: list[str]) -> str:
    anchor = test_anchor(scene)
    paths = [fault.path]
    paths += [anchor.path] if anchor and TEST_STEP in steps else []
    paths += [WHY_PATH] if WHY_STEP in steps else []
    paths += ["notes/fixes"] if NOTES_STEP in steps else []
    return ", ".join(f"`{path}`" for path in paths)


def _understood(note: str) -> bool:
    return any(re.search(rf"\b(?:{words})\b", note, re.IGNORECASE) for _, words, _ in _OPTIONAL)


def _version(plan: str) -> int:
    match = re.match(rf"{PLAN_HEAD}, version (\d+)", plan)
    return int(match[1]) if match else 1


def _approved(scene: Scene) -> str:
    if scene.mode != "build":
        return ""
    return scene.rules if re.search(r"^\s*\d+[.)] ", scene.rules, re.MULTILINE) else ""
