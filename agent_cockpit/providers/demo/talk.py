"""What the scripted demo model says and shows when nothing is to be mended."""

from __future__ import annotations

from agent_cockpit.providers.demo.findings import (
    TEST_COMMAND,
    fault_in,
    function_named,
    right_line,
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
    say,
    tests_passed,
)
from agent_cockpit.providers.demo.texts import LONG_ANSWER, TRY, WHO
from agent_cockpit.text import clean_line

_NAMES_AT_MOST = 8


def where(scene: Scene) -> Reply:
    """Where the fault is, from what was read."""
    fault, right = fault_in(scene), right_line(scene)
    if fault:
        text = (
            f"In `{fault.path}:{fault.line}`, in `average`:\n\n```python\n{fault.old}\n```\n\nIt "
            f"divides by one too few, so the mean of 2, 4 and 6 comes out as 6 and not as 4. Say "
            f"*fix the failing test* and I propose the change."
        )
    elif right:
        text = f"There is none that I know of: `{right}` divides by the number of values."
    else:
        text = "I read what I found about averages and saw no fault that a scripted demo knows."
    return end(scene, text)


def _explain(scene: Scene) -> Reply:
    """A question that names a function of the code; any other is beyond a script."""
    function = function_named(scene, scene.asked)
    if function is None:
        return _unknown(scene)
    fault = fault_in(scene)
    text = f"`{function.name}` (`{function.place}`) says of itself: {clean_line(function.says)}"
    if fault and function.place.startswith(f"{fault.path}:") and function.name == "average":
        text += f" It does not: `{fault.path}:{fault.line}` divides by one too few."
    return end(scene, text)


def _changes(scene: Scene) -> Reply:
    done = [c for c in scene.all_calls if c.ok and c.name in (*EDITS, "run_command")]
    if not done:
        return end(scene, "Nothing so far: no file was edited and no command was run.")
    lines = [
        f"- edited `{c.field('path')}`" if c.name in EDITS else f"- ran `{c.field('command')}`"
        for c in done
    ]
    return end(scene, "In this conversation I\n\n" + "\n".join(lines))


def _run_slow(scene: Scene) -> Reply:
    return Reply(
        "A command that only waits, for 30 seconds. Press Esc to stop it.",
        (call("run_command", command="sleep 30"),),
    )


def _slow_is_over(scene: Scene) -> Reply:
    done = scene.calls[-1]
    if done.denied:
        return end(scene, "You said no, so nothing was run.")
    words = "did not get to its end" if done.is_error else "ran to its end"
    return end(scene, f"`sleep 30` {words}. Nothing was changed.")


def _tests_by_hand(scene: Scene) -> Reply:
    if scene.can("run_tests"):
        return Reply("I run the tests.", (call("run_tests"),))
    return Reply("I run the tests.", (call("run_command", command=TEST_COMMAND),))


def tell_tests(scene: Scene) -> Reply:
    """What the tests said, with the end of their output."""
    if scene.calls[-1].denied:
        return end(scene, "You said no, so the tests were not run.")
    passed = tests_passed(scene)
    head = {True: "The tests pass.", False: "The tests fail.", None: "The tests ended."}[passed]
    more = "\n\nSay *fix the failing test* and I look for the reason." if passed is False else ""
    return end(scene, f"{head}\n\n```\n{last_lines(scene)}\n```{more}")


def _unknown(scene: Scene) -> Reply:
    seen = ", ".join(f"`{name}`" for name in _listed(scene))
    return end(
        scene,
        f"I am a scripted demo, made for this sample project, and I cannot do that. "
        f"I did look: the folder holds {seen or 'nothing that I may see'}.\n\n{TRY}",
    )


def _about(scene: Scene) -> Reply:
    readme = scene.file("README.md")
    if not readme:
        return _unknown(scene)
    lines = [line for line in readme.splitlines() if line.strip()]
    said = next((line for line in lines if not line.startswith("#")), lines[0] if lines else "")
    files = ", ".join(f"`{name}`" for name in _listed(scene))
    return end(scene, f"`README.md` says: {clean_line(said)} The files are {files}.")


def _listed(scene: Scene) -> list[str]:
    """The first names that were listed, cleaned."""
    lists = [c.content for c in scene.all_calls if c.name == "list_files" and c.ok]
    names = [clean_line(line) for line in lists[-1].splitlines()] if lists else []
    return [name for name in names if name][:_NAMES_AT_MOST]


def _look_at_readme(scene: Scene) -> Reply:
    return Reply(
        "I look at what is here.",
        (call("list_files", glob="**/*"), call("read_file", path="README.md")),
    )


def _list_only(scene: Scene) -> Reply:
    return Reply("I look at what is here.", (call("list_files", glob="**/*"),))


HELLO: Table = ((always, say(f"Hello! {WHO}\n\n{TRY}")),)
HELP: Table = ((always, say(f"{WHO}\n\n{TRY}")),)
THANKS: Table = ((always, say("You are welcome.")),)
LONG: Table = ((always, say(LONG_ANSWER)),)
CHANGES: Table = ((always, _changes),)
CHATS = (HELLO, HELP, THANKS, LONG, CHANGES)

SLOW: Table = (
    (lambda scene: not scene.calls, _run_slow),
    (always, _slow_is_over),
)
TESTS: Table = (
    (lambda scene: not scene.calls, _tests_by_hand),
    (always, tell_tests),
)
WHERE: Table = (
    (must_look, look),
    (unread, read),
    (always, where),
)
QUESTION: Table = (
    (must_look, look),
    (unread, read),
    (always, _explain),
)
ABOUT: Table = (
    (lambda scene: not scene.calls and scene.file("README.md") is None, _look_at_readme),
    (always, _about),
)
UNKNOWN: Table = (
    (lambda scene: not scene.calls, _list_only),
    (always, _unknown),
)
