"""How the scripted demo model mends the one fault that it can find, and adds a test."""

from __future__ import annotations

import re
from typing import Any

from agent_cockpit.providers.demo import plan as planning
from agent_cockpit.providers.demo.findings import (
    Fault,
    fault_in,
    right_line,
    test_anchor,
    unread,
)
from agent_cockpit.providers.demo.reply import Reply, call
from agent_cockpit.providers.demo.scene import EDITS, Scene
from agent_cockpit.providers.demo.steps import (
    Table,
    always,
    end,
    last_lines,
    look,
    must_look,
    read,
    run_tests,
    tests_not_run,
    tests_passed,
    tests_said,
)
from agent_cockpit.providers.demo.talk import tell_tests, where
from agent_cockpit.providers.demo.texts import ONE_NUMBER_TEST, WHY_FILE
from agent_cockpit.text import clean_line, shorten

FOLDERS = ("mkdir -p notes", "mkdir -p notes/fixes")

_STOP = re.compile(r"\W*(please )?(stop|halt|never mind)\b", re.IGNORECASE)
_COULD_BE_DENIED = (
    ("an edit", EDITS),
    ("a command", ("run_command",)),
    ("a test run", ("run_tests",)),
)


def _edit_lost(scene: Scene) -> bool:
    """The last edit failed by itself (the file had changed) and was not looked at again."""
    last = next((c for c in reversed(scene.calls) if c.name in (*EDITS, "read_file")), None)
    return last is not None and last.name in EDITS and last.is_error and not last.denied


def _failed_edits(scene: Scene) -> int:
    return sum(c.name in EDITS and c.is_error and not c.denied for c in scene.calls)


def _read_again(scene: Scene) -> Reply:
    path = next(c.field("path") for c in reversed(scene.calls) if c.name in EDITS)
    return Reply(
        "That edit did not fit the file any more. I read it again.", (call("read_file", path=path),)
    )


def _give_up_editing(scene: Scene) -> Reply:
    return end(scene, "The edit failed twice, so I stop here. Nothing was changed by me.")


def _other_way(scene: Scene) -> bool:
    """The edit was denied with a reason that names another way, which was not tried yet."""
    denied = scene.denied(*EDITS)
    tried = sum(c.name == "str_replace" for c in scene.calls)
    return bool(denied and "sum" in denied.reason.lower() and tried == 1 and fault_in(scene))


def _edit_with_sum(scene: Scene) -> Reply:
    fault = _fault(scene)
    return Reply(
        "Understood, not like that. With `sum` then, as you say.",
        (_replace(fault, f"return sum({fault.many}) / len({fault.many})"),),
    )


def _edit_was_denied(scene: Scene) -> bool:
    fault, denied = fault_in(scene), scene.denied(*EDITS)
    return bool(denied and fault and denied.field("path") == fault.path and not scene.edits)


def _after_denied_edit(scene: Scene) -> Reply:
    fault = _fault(scene)
    denied = scene.denied(*EDITS)
    why = f" Your reason: “{denied.reason}”." if denied and denied.reason else ""
    return end(
        scene,
        f"You said no to the edit, so nothing is changed and I will not propose it again by "
        f"myself.{why}\n\nThe finding stays: `{fault.path}:{fault.line}` divides by one too few, "
        f"and the test still fails. You can change `{fault.old}` to `{fault.new}` by hand, say "
        f"*try again*, or switch to plan mode and have a plan first.",
    )


def _fault(scene: Scene) -> Fault:
    fault = fault_in(scene)
    if fault is None:
        raise AssertionError("rows that name the fault stand below the row that found none")
    return fault


def _replace(fault: Fault, new: str) -> tuple[str, dict[str, Any]]:
    return call("str_replace", path=fault.path, old_string=fault.old, new_string=new)


def _nothing_to_fix(scene: Scene) -> Reply:
    right = right_line(scene)
    if right:
        seen = f"`{right}` divides by the number of values already."
        return end(scene, f"There is nothing to fix: {seen}{tests_said(scene)}")
    return end(
        scene,
        "I read what the tests and the code say about averages and found no fault that I know. "
        "I am a scripted demo: the one mistake that I can find is a mean that divides by one too "
        "few.",
    )


def _cannot_edit(scene: Scene) -> bool:
    return scene.mode == "investigate" or not scene.can("str_replace")


def _ask_to_edit(scene: Scene) -> Reply:
    fault = _fault(scene)
    reason = f"{fault.path}:{fault.line} divides by one too few; one line has to change"
    return Reply(
        f"`{fault.path}:{fault.line}` divides by one too few. To fix it I have to edit.",
        (call("switch_to_editing", reason=reason),),
    )


def _edit(scene: Scene) -> Reply:
    fault = _fault(scene)
    return Reply(
        f"`average` in `{fault.path}`, line {fault.line}, divides by one too few: the sum of three "
        f"numbers is divided by two. I divide by the number of values instead.",
        (_replace(fault, fault.new),),
    )


def _wants_test(scene: Scene) -> bool:
    anchor = test_anchor(scene)
    return bool(
        planning.builds(scene, planning.TEST_STEP) and anchor and not scene.touched(anchor.path)
    )


def _add_test(scene: Scene) -> Reply:
    anchor = test_anchor(scene)
    if anchor is None:
        return end(scene, "I found no test to put another one beside.")
    new = f"{anchor.text}\n\n{ONE_NUMBER_TEST.rstrip()}"
    return Reply(
        f"A test for a single number, in `{anchor.path}`.",
        (call("str_replace", path=anchor.path, old_string=anchor.text, new_string=new),),
    )


def _wants_why(scene: Scene) -> bool:
    return planning.builds(scene, planning.WHY_STEP) and not scene.touched(planning.WHY_PATH)


def _write_why(scene: Scene) -> Reply:
    return Reply(
        f"What was wrong, in `{planning.WHY_PATH}`.",
        (call("write_file", path=planning.WHY_PATH, content=WHY_FILE),),
    )


def _tests_red(scene: Scene) -> bool:
    return tests_passed(scene) is False


def _still_red(scene: Scene) -> Reply:
    places = ", ".join(f"`{c.field('path')}`" for c in scene.edits) or "nothing"
    return end(
        scene,
        f"The tests still fail:\n\n```\n{last_lines(scene)}\n```\n\nChanged so far: {places}. The "
        f"one fault that I know is mended, so this is something else, and beyond a scripted demo.",
    )


def _next_folder(scene: Scene) -> str | None:
    if (
        any(c.name == "run_command" and c.is_error for c in scene.calls)
        or not scene.can("run_command")
        or not planning.builds(scene, planning.NOTES_STEP)
    ):
        return None
    return next((command for command in FOLDERS if not scene.ran(command)), None)


def _make_folder(scene: Scene) -> Reply:
    command = _next_folder(scene) or FOLDERS[0]
    words = (
        "A folder for notes. Two small commands of one kind follow: answer `always` here, and "
        "the second one is not asked about."
        if command == FOLDERS[0]
        else "And one in it, for notes about fixes."
    )
    return Reply(words, (call("run_command", command=command),))


def _fixed(scene: Scene) -> Reply:
    edit = scene.edits[0]
    line = _line_of_edit(scene)
    text = (
        f"`average` divided by one too few; it divides by the count now "
        f"(`{edit.field('path')}{line}`).{tests_said(scene)}"
    )
    for what, names in _COULD_BE_DENIED:
        denied = scene.denied(*names)
        if denied and denied.field("path") not in {done.field("path") for done in scene.edits}:
            why = f" (“{denied.reason}”)" if denied.reason else ""
            text += f"\n\nYou said no to {what}{why}, so I left that out."
    return end(scene, text)


def _line_of_edit(scene: Scene) -> str:
    """`:12`, from what the file held before the edit."""
    edit = scene.edits[0]
    for done in reversed(scene.all_calls):
        if done.name == "read_file" and done.field("path") == edit.field("path"):
            fault = Fault.find(edit.field("path"), done.content)
            return f":{fault.line}" if fault else ""
    return ""


def _test_added(scene: Scene) -> Reply:
    if not scene.edits:
        return end(scene, "The test was not added, so nothing is changed.")
    added = f"`{scene.edits[0].field('path')}` has a test for a single number now."
    return end(scene, f"{added}{tests_said(scene)}")


def _rejected(scene: Scene) -> Reply:
    first = shorten(clean_line(scene.rejections[-1]), 240)
    made = ", ".join(f"`{c.field('path')}`" for c in scene.edits)
    state = f"My change in {made} is in place" if made else "I have changed nothing"
    return end(
        scene,
        f"The check is not satisfied: “{first}”\n\n{state}, and I have no other idea: I am a "
        f"scripted demo. Say *try again*, or look at the output above.",
    )


def _told_to_stop(scene: Scene) -> bool:
    return any(_STOP.match(said) for said in scene.remarks)


def _stopped(scene: Scene) -> Reply:
    made = ", ".join(f"`{c.field('path')}`" for c in scene.edits)
    return end(scene, f"I stop here, as you said. Changed so far: {made or 'nothing'}.")


ADD_TEST: Table = (
    (lambda scene: bool(scene.rejections), _rejected),
    (must_look, look),
    (lambda scene: not scene.tried(*EDITS) and unread(scene), read),
    (lambda scene: not scene.tried(*EDITS), _add_test),
    (lambda scene: scene.edits and tests_not_run(scene), run_tests),
    (_tests_red, tell_tests),
    (always, _test_added),
)
FIX: Table = (
    (_told_to_stop, _stopped),
    (lambda scene: bool(scene.rejections), _rejected),
    (lambda scene: _failed_edits(scene) >= 2, _give_up_editing),
    (_edit_lost, _read_again),
    (must_look, look),
    (lambda scene: not scene.edits and unread(scene), read),
    (_other_way, _edit_with_sum),
    (_edit_was_denied, _after_denied_edit),
    (lambda scene: not scene.edits and not fault_in(scene) and tests_not_run(scene), run_tests),
    (lambda scene: not scene.edits and not fault_in(scene), _nothing_to_fix),
    (
        lambda scene: (
            not scene.edits
            and _cannot_edit(scene)
            and "switch_to_editing" in scene.offered
            and not scene.tried("switch_to_editing")
        ),
        _ask_to_edit,
    ),
    (lambda scene: not scene.edits and _cannot_edit(scene), where),
    (lambda scene: not scene.edits, _edit),
    (_wants_test, _add_test),
    (_wants_why, _write_why),
    (tests_not_run, run_tests),
    (_tests_red, _still_red),
    (_next_folder, _make_folder),
    (always, _fixed),
)
