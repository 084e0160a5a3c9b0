"""The plans of the scripted demo model: proposed, changed by a note, and kept to."""

from __future__ import annotations

import re

from agent_cockpit.providers.demo_findings import fault_in, right_line
from agent_cockpit.providers.demo_reply import Reply
from agent_cockpit.providers.demo_scene import PLAN_HEAD, Scene

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


def propose(scene: Scene) -> Reply:
    """The plan for what was found; after a note, its next version."""
    fault = fault_in(scene)
    if fault is None:
        right = right_line(scene)
        seen = f"`{right}` divides by the number of values already. " if right else ""
        return Reply(f"{seen}I found nothing that a scripted demo could mend, so I have no plan.")
    version = _version(scene.last_plan) + 1 if scene.note else 1
    mend = (
        f"Divide by the number of values in `{fault.path}`, line {fault.line} (`average`); it "
        f"divides by one too few"
    )
    steps = [mend, *_optional_steps(scene), "Run the tests: `python3 -m unittest`"]
    if re.search(r"tests? first", scene.note, re.IGNORECASE):
        steps.insert(0, "Run the tests once before, to see them fail")
    title = PLAN_HEAD if version == 1 else f"{PLAN_HEAD}, version {version}"
    lines = [f"{number}. {step}" for number, step in enumerate(steps, start=1)]
    text = f"{title}\n\n" + "\n".join(lines)
    if scene.note:
        text += f"\n\nChanged by your note: “{scene.note}”."
    return Reply(f"{text}\n\nTouches `{fault.path}` and needs no network.")


def builds(scene: Scene, step: str) -> bool:
    """Whether the work includes this optional step: the approved plan decides where there is
    one, and the person may have edited it."""
    plan = _approved(scene)
    if plan:
        return step in plan
    return next(usual for name, _, usual in _OPTIONAL if name == step)


def _optional_steps(scene: Scene) -> list[str]:
    steps = []
    for step, words, usual in _OPTIONAL:
        wanted = step in scene.last_plan if scene.note and scene.last_plan else usual
        if re.search(rf"\b(?:{words})\b", scene.note, re.IGNORECASE):
            against = re.search(_AGAINST.format(words), scene.note, re.IGNORECASE)
            wanted = not against and not re.search("tests? first", scene.note, re.IGNORECASE)
        if wanted:
            steps.append(step)
    if scene.note and not _understood(scene.note):
        steps.append(f"Keep to your note: {scene.note}")
    return steps


def _understood(note: str) -> bool:
    return any(re.search(rf"\b(?:{words})\b", note, re.IGNORECASE) for _, words, _ in _OPTIONAL)


def _version(plan: str) -> int:
    match = re.match(rf"{PLAN_HEAD}, version (\d+)", plan)
    return int(match[1]) if match else 1


def _approved(scene: Scene) -> str:
    if scene.mode != "build":
        return ""
    return scene.rules if re.search(r"^\s*\d+[.)] ", scene.rules, re.MULTILINE) else ""
