"""One goal without a screen, on a real folder, with a scripted model."""

from __future__ import annotations

import asyncio
import errno
import io
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.choices import OutputName
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import Report
from agent_cockpit.errors import DirtyWorkspaceError, ProviderError
from agent_cockpit.events.codec import parse_event
from agent_cockpit.harness import Harness, open_sitting
from agent_cockpit.headless import exit_code, run_goal
from agent_cockpit.rules.consent.rule_entries import parse_allow
from agent_cockpit.rules.modes import Mode
from agent_cockpit.settings import HarnessConfig
from tests.support.repositories import git
from tests.support.scripted_provider import Reply, ScriptedProvider, calls, says

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and processes")


class Headless:
    """A project folder, and runs in it; keeps what the last one wrote."""

    def __init__(self, home: Path) -> None:
        self.root = home / "project"
        self.root.mkdir()
        self.state = home / "state"
        self.journal = home / "journal.jsonl"
        self.out = io.StringIO()
        self.err = io.StringIO()

    def sitting(self, *replies: Reply, allow: tuple[str, ...] = (), **settings: Any) -> ReplSession:
        config = HarnessConfig(workspace_root=str(self.root), retry_backoff_seconds=0, **settings)
        harness = Harness(
            config=config,
            provider=ScriptedProvider(replies),
            rules=tuple(map(parse_allow, allow)),
            unattended=True,
            log=self.journal,
            state=self.state,
        )
        return open_sitting(harness, auto=True)

    async def run(
        self,
        *replies: Reply,
        goal: str = "what is it?",
        mode: Mode | None = "investigate",
        output: OutputName = "text",
        out: Any = None,
        **settings: Any,
    ) -> int:
        repl = self.sitting(*replies, **settings)
        try:
            return await run_goal(
                repl, goal, mode=mode, output=output, out=out or self.out, err=self.err
            )
        finally:
            await repl.aclose()

    @property
    def report(self) -> Report:
        return Report.model_validate_json(self.out.getvalue())


@pytest.fixture
def headless(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


EDIT = calls(("write_file", {"path": "a.txt", "content": "good\n"}))


async def test_text_is_the_final_message_and_nothing_else(headless: Headless) -> None:
    (headless.root / "a.txt").write_text("x")
    code = await headless.run(
        calls(("read_file", {"path": "a.txt"}), text="Let me look."),
        says("It is `x`, in a.txt.\x1b]52;c;aGk=\x07"),
    )
    assert (code, headless.out.getvalue()) == (0, "It is `x`, in a.txt.\n")
    progress = headless.err.getvalue()
    assert "Let me look." in progress
    assert "read a.txt" in progress
    assert "It is" not in progress
    assert "\x1b" not in progress


async def test_json_is_one_report(headless: Headless) -> None:
    assert await headless.run(says("An answer."), output="json") == 0
    assert headless.out.getvalue().count("\n") == 1
    report = headless.report
    assert (report.status, report.outcome) == ("completed", "success")
    assert report.final_message == "An answer."
    assert report.verification is not None
    assert report.verification.summary == "ungrounded"


async def test_stream_json_is_exactly_the_goals_events(headless: Headless) -> None:
    assert await headless.run(says("An answer."), output="stream-json") == 0
    events = [parse_event(line) for line in headless.out.getvalue().splitlines()]
    assert (events[0].type, events[-1].type) == ("agent_start", "agent_end")
    ids = [event.event_id for event in events]
    assert ids == sorted(set(ids))
    assert {event.session_id for event in events} == {events[0].session_id}
    last = headless.journal.read_text().splitlines()[-1]
    assert json.loads(last)["type"] == "agent_end"


async def test_an_edit_is_allowed_without_a_person_and_proven(headless: Headless) -> None:
    code = await headless.run(
        EDIT, says("Done."), goal="fix", mode="edit", output="json", test_command="grep good a.txt"
    )
    assert code == 0
    assert headless.report.files_changed == ["a.txt"]
    assert "pass  grep good a.txt" in headless.err.getvalue()


async def test_a_check_that_keeps_failing_is_exit_one(headless: Headless) -> None:
    code = await headless.run(
        EDIT,
        says("Done."),
        says("Really."),
        mode="edit",
        test_command="echo why-it-fails; false",
        max_repair_attempts=1,
    )
    assert code == 1
    assert "why-it-fails" in headless.err.getvalue()
    closing = headless.err.getvalue().splitlines()[-1]
    assert closing.startswith("agent-cockpit: failed")


async def test_what_needs_a_person_is_denied_and_named_with_the_flag_that_helps(
    headless: Headless,
) -> None:
    ask = calls(("run_command", {"command": "mkdir made"}))
    code = await headless.run(
        ask, says("I could not."), mode="edit", test_command="true", max_repair_attempts=0
    )
    assert code == 3
    assert not (headless.root / "made").exists()
    closing = headless.err.getvalue().splitlines()[-1]
    assert "nobody was there to allow `run_command mkdir made`" in closing
    assert "--allow 'run_command:mkdir'" in closing


async def test_a_flag_that_would_not_help_is_not_named(headless: Headless) -> None:
    ask = calls(("run_command", {"command": "rm -rf a"}))
    code = await headless.run(
        ask, says("I could not."), mode="edit", test_command="true", max_repair_attempts=0
    )
    assert code == 3
    closing = headless.err.getvalue().splitlines()[-1]
    assert "--allow" not in closing
    assert "only the cockpit can ask" in closing


async def test_what_was_allowed_ahead_runs(headless: Headless) -> None:
    ask = calls(("run_command", {"command": "mkdir made"}))
    await headless.run(ask, says("Made."), mode="edit", allow=("run_command:mkdir",))
    assert (headless.root / "made").is_dir()


async def test_a_model_server_that_fails_is_exit_five(headless: Headless) -> None:
    refused = ProviderError("the key was refused", kind="auth")
    assert await headless.run([refused], output="json") == 5
    assert headless.report.status == "model_error"
    told = headless.err.getvalue()
    assert "the key was refused" in told.splitlines()[-1]


async def test_why_it_is_no_success_is_told_once(headless: Headless) -> None:
    await headless.run([ProviderError("the key was refused", kind="auth")])
    assert headless.err.getvalue().count("the key was refused") == 1


async def test_a_budget_that_ends_the_goal_is_exit_four(headless: Headless) -> None:
    look = calls(("list_files", {"glob": "*"}))
    assert await headless.run(look, look, max_iterations=1) == 4


async def test_a_dirty_tree_stops_the_goal_with_nothing_on_stdout(headless: Headless) -> None:
    git(headless.root, "init", "-q")
    (headless.root / "a.txt").write_text("1")
    git(headless.root, "add", "a.txt")
    git(headless.root, "commit", "-qm", "one")
    (headless.root / "a.txt").write_text("2")
    with pytest.raises(DirtyWorkspaceError, match="--allow-dirty"):
        await headless.run(says("x"), goal="fix it", mode="edit")
    assert headless.out.getvalue() == ""


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
async def test_a_signal_cancels_the_goal_and_it_still_reports(
    headless: Headless, number: signal.Signals, code: int
) -> None:
    def model_waits(_: object) -> list[Any]:
        os.kill(os.getpid(), number)
        return [asyncio.Event()]

    assert await headless.run(model_waits, output="json") == code
    assert headless.report.status == "cancelled"
    assert json.loads(headless.journal.read_text().splitlines()[-1])["type"] == "agent_end"


async def test_a_second_signal_cuts_the_goal_off_and_it_still_reports(headless: Headless) -> None:
    def model_waits(_: object) -> list[Any]:
        os.kill(os.getpid(), signal.SIGINT)
        os.kill(os.getpid(), signal.SIGINT)
        return [asyncio.Event()]

    assert await headless.run(model_waits, output="json") == 130
    assert headless.report.status == "cancelled"


async def test_a_signal_before_the_goal_began_leaves_stdout_empty(headless: Headless) -> None:
    asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGTERM)
    assert await headless.run(says("x"), output="json") == 143
    assert headless.out.getvalue() == ""
    assert "before the goal began" in headless.err.getvalue()


async def test_a_signal_ends_a_running_check(headless: Headless) -> None:
    stop = f"kill -TERM {os.getpid()}; sleep 600"
    code = await headless.run(
        EDIT, says("Done."), mode="edit", output="json", test_command=stop, sandbox="none"
    )
    assert code == 143
    assert headless.report.status == "cancelled"


async def test_a_reader_that_leaves_does_not_stop_the_goal(headless: Headless) -> None:
    class Gone(io.StringIO):
        def write(self, text: str) -> int:
            raise BrokenPipeError(errno.EPIPE, "Broken pipe")

    code = await headless.run(
        EDIT, says("Done."), mode="edit", test_command="true", output="stream-json", out=Gone()
    )
    assert code == 0
    assert (headless.root / "a.txt").read_text() == "good\n"


async def test_a_full_disk_behind_stdout_is_told(headless: Headless) -> None:
    class Full(io.StringIO):
        def write(self, text: str) -> int:
            raise OSError(errno.ENOSPC, "No space left on device")

    assert await headless.run(says("An answer."), out=Full()) == 70
    assert "No space left on device" in headless.err.getvalue().splitlines()[-1]


@pytest.mark.parametrize("output", ["text", "json", "stream-json"])
async def test_a_journal_that_cannot_be_written_is_told(
    headless: Headless, output: OutputName
) -> None:
    headless.journal = headless.root
    assert await headless.run(says("An answer."), output=output) == 0
    assert "no longer recorded" in headless.err.getvalue()


async def test_json_is_ascii_and_holds_every_character(headless: Headless) -> None:
    answer = "naïve \x9b31m \u202e 🙂 \x7f"
    assert await headless.run(says(answer), output="json") == 0
    assert headless.out.getvalue().isascii()
    assert "\x7f" not in headless.out.getvalue()
    assert headless.report.final_message == answer


@pytest.mark.parametrize(
    ("status", "outcome", "unanswered", "stopped_by", "code"),
    [
        ("completed", "success", 0, None, 0),
        ("completed", "success", 2, None, 0),
        ("completed", "failed", 0, None, 1),
        ("completed", "failed", 1, None, 3),
        ("completed", "blocked", 0, None, 3),
        ("completed", "incomplete", 1, None, 3),
        ("max_turns", "incomplete", 0, None, 4),
        ("cancelled", "incomplete", 0, None, 4),
        ("cancelled", "incomplete", 0, 2, 130),
        ("completed", "success", 0, 15, 143),
        ("model_error", "incomplete", 1, None, 5),
        ("error", "incomplete", 1, None, 70),
        ("something new", None, 0, None, 4),
    ],
)
def test_the_first_match_gives_the_exit_code(
    status: str, outcome: str | None, unanswered: int, stopped_by: int | None, code: int
) -> None:
    report = Report(status=status, outcome=outcome)
    assert exit_code(report, unanswered=unanswered, stopped_by=stopped_by) == code


async def test_a_question_says_how_to_answer_it(headless: Headless) -> None:
    asked = calls(("ask_user", {"question": "Which one?"}))
    assert await headless.run(asked) == 3
    told = headless.err.getvalue().splitlines()
    assert f"answer it: agent-cockpit run ANSWER --resume {headless.journal}" in told
    assert "Which one?" in told[-1]
