"""Steps that several of the demo model's tables share: looking, reading, testing, ending."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from agent_cockpit.providers.demo.findings import TEST_COMMAND, files_to_read, unread
from agent_cockpit.providers.demo.reply import Reply, call
from agent_cockpit.providers.demo.scene import Done, Scene

Row = tuple[Callable[[Scene], Any], Callable[[Scene], Reply]]
Table = tuple[Row, ...]
"""Rows of (does it apply?, the reply); the first that applies counts, the last always does."""


def always(scene: Scene) -> bool:
    """For last rows."""
    return True


def must_look(scene: Scene) -> bool:
    """Whether no file is known yet."""
    return not files_to_read(scene) and not scene.tried("list_files", "search_repo")


def look(scene: Scene) -> Reply:
    """List and search, side by side."""
    return Reply(
        "I'll look at the test and at what it calls.",
        (call("list_files", glob="**/*"), call("search_repo", query="average")),
        thought="A failing test names a function. Find it and what calls it, then read both.",
    )


def read(scene: Scene) -> Reply:
    """Read what looking turned up."""
    calls = tuple(call("read_file", path=path) for path in unread(scene))
    return Reply("Now the files themselves.", calls)


def end(scene: Scene, text: str) -> Reply:
    """A final answer; where a change was wanted, and none was made or it was found wanting,
    it ends in a question (if the engine takes one): claiming once more proves nothing."""
    wanted = scene.mode in ("edit", "test_only", "build")
    proven = scene.edits and not scene.rejections
    if wanted and not proven and "ask_user" in scene.offered:
        return Reply(text, (call("ask_user", question="What shall I do now?"),))
    return Reply(text)


def say(text: str) -> Callable[[Scene], Reply]:
    """A row's reply that is always the same."""
    return lambda scene: end(scene, text)


def tests_not_run(scene: Scene) -> bool:
    """Whether the tests can be run and were not for this prompt."""
    return scene.can("run_tests") and not scene.tried("run_tests")


def run_tests(scene: Scene) -> Reply:
    """Run the project's tests."""
    return Reply("Now the tests.", (call("run_tests"),))


def tests_passed(scene: Scene) -> bool | None:
    """What the last test run said; None when there was none or it does not say."""
    run = _test_run(scene)
    if run is None:
        return None
    if re.search(r"\bFAILED\b|\bTraceback\b|exit(?:=| code |s? )[1-9]", run.content):
        return False
    return True if re.search(r"^OK\b|\bpassed\b|exit(?:=| code | )0", run.content, re.M) else None


def tests_said(scene: Scene) -> str:
    """A sentence to add to an answer, where the tests passed."""
    return " The tests pass." if tests_passed(scene) else ""


def last_lines(scene: Scene) -> str:
    """The end of the last test run's output."""
    run = _test_run(scene)
    lines = [line for line in run.content.splitlines() if line.strip()] if run else []
    return "\n".join(line.replace("```", "'''") for line in lines[-6:])


def _test_run(scene: Scene) -> Done | None:
    runs = [c for c in scene.calls if c.name == "run_tests" or c.field("command") == TEST_COMMAND]
    return next((c for c in reversed(runs) if c.ok), None)
