"""`agent-cockpit run`, installed, on a real repository, with a real server on 127.0.0.1."""

from __future__ import annotations

import json
import os
import shutil
import signal
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from agent_cockpit.events.codec import parse_any, parse_event
from agent_cockpit.events.sitting import UnknownEvent
from tests.e2e.installed import Done, Started, events, processes_of, run, until_gone
from tests.support.chat_server import (
    Answer,
    ChatServer,
    ScriptItem,
    calls,
    failure,
    fixing_script,
    hang,
    html,
    says,
    silent,
)
from tests.support.chat_server import (
    events as chunks,
)
from tests.support.repositories import git, private_parts, write
from tests.support.waiting import wait_until

pytestmark = [
    pytest.mark.e2e,
    pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals and processes"),
]

RIGHT = "return total / len(numbers)"
WRONG = "return total / (len(numbers) + 1)"
ASK = calls(("run_command", {"command": "mkdir made"}))


class Runner:
    """Runs goals in a project; each time with a server that follows a script."""

    def __init__(self, project: Path, environ: dict[str, str]) -> None:
        self.project = project
        self.environ = environ
        self.journal = project.parent / "journal.jsonl"

    def words(
        self, base_url: str, *flags: str | Path, goal: str = "Fix the failing test"
    ) -> list[str]:
        named = ["--provider", "openai", "--base-url", base_url, "--model", "test-model"]
        log = [] if "--log" in flags else ["--log", str(self.journal)]
        return ["run", goal, *named, *log, *map(str, flags)]

    def run(
        self, script: list[ScriptItem], *flags: str | Path, goal: str = "Fix the failing test"
    ) -> Done:
        with ChatServer(script, repeat_last=True) as server:
            return run(self.words(server.base_url, *flags, goal=goal), self.project, self.environ)


@pytest.fixture
def runner(project: Path, environ: dict[str, str]) -> Runner:
    return Runner(project, environ)


def test_a_failing_test_is_fixed_and_proven(runner: Runner) -> None:
    before = private_parts(runner.project)
    done = runner.run(fixing_script(), "--output", "json")
    assert (done.code, done.out.count("\n")) == (0, 1), done.err
    assert (done.report["status"], done.report["outcome"]) == ("completed", "success")
    assert done.report["files_changed"] == ["calc.py"]
    assert RIGHT in (runner.project / "calc.py").read_text()
    assert git(runner.project, "status", "--porcelain") == " M calc.py\n"
    assert private_parts(runner.project) == before


def test_the_journal_holds_the_whole_stream_and_ends_with_agent_end(runner: Runner) -> None:
    runner.run([ASK, *fixing_script()])
    lines = events(runner.journal)
    types = [line["type"] for line in lines]
    assert types[-1] == "agent_end"
    assert types[0] == "sitting.started"
    expected = (
        "agent_start phase_changed turn_start model_usage model_decision approval_requested "
        "approval_resolved tool_start tool_end turn_end verification_plan_frozen "
        "verification_start verification_end agent_end sitting.message sitting.streamed_text"
    )
    assert set(expected.split()) <= set(types)
    assert not [event for event in map(parse_any, lines) if isinstance(event, UnknownEvent)]
    assert runner.journal.stat().st_mode & 0o777 == 0o600
    said = [line for line in lines if line["type"] == "sitting.message"]
    assert "See calc.py." in json.dumps(said[-1])


def test_a_wrong_fix_is_sent_back_with_the_failing_output(runner: Runner) -> None:
    with ChatServer(fixing_script(new=WRONG), repeat_last=True) as server:
        words = runner.words(server.base_url, "--auto", "--output", "json")
        done = run(words, runner.project, runner.environ)
        sent_back = server.requests[4].last_text
    assert done.code == 1
    assert done.report["outcome"] == "failed"
    assert "the mean of 2, 4 and 6" in sent_back
    assert "the mean of 2, 4 and 6" in done.err


def test_a_repair_after_the_failing_output_is_a_success(runner: Runner) -> None:
    mend = calls(("str_replace", {"path": "calc.py", "old_string": WRONG, "new_string": RIGHT}))
    done = runner.run([*fixing_script(new=WRONG), mend, says("Now. See calc.py.")], "--auto")
    assert done.code == 0, done.err
    assert done.out == "Now. See calc.py.\n"


@pytest.mark.parametrize(
    ("script", "code", "told"),
    [
        ([failure(401, "bad key")], 5, "OPENAI_API_KEY"),
        ([html()], 5, "base_url"),
        ([html(404)], 5, "base_url"),
        ([failure(404, "model not found")], 5, "test-model"),
        ([failure(500, "oops")], 5, "in trouble (500)"),
        ([Answer(headers=(("Content-Type", "application/json"),))], 5, "model server"),
        ([ASK, says("I could not.")], 3, "--allow 'run_command:mkdir'"),
        (fixing_script(new=WRONG), 1, "failed"),
    ],
    ids=["401", "html", "html 404", "unknown model", "500", "no stream", "denied", "failed"],
)
def test_each_end_has_its_exit_code_and_says_why(
    runner: Runner, script: list[ScriptItem], code: int, told: str
) -> None:
    done = runner.run(script, "--auto")
    assert done.code == code, done.err
    assert told in done.last_words
    assert not crashed(done)


def test_a_question_that_nobody_can_answer_is_exit_three(runner: Runner) -> None:
    question = calls(("ask_user", {"question": "Which average do you mean?"}))
    done = runner.run([question], "--output", "json")
    assert done.code == 3, done.err
    assert done.report["outcome"] == "blocked"
    assert "Which average do you mean?" in done.last_words


def test_a_budget_that_runs_out_is_exit_four(runner: Runner) -> None:
    runner.environ["AGENT_COCKPIT_MAX_ITERATIONS"] = "2"
    look = calls(("list_files", {"glob": "*"}))
    done = runner.run([look], "--output", "json")
    assert done.code == 4
    assert done.report["status"] == "max_turns"


def test_a_server_that_is_down_is_exit_five(runner: Runner) -> None:
    done = run(runner.words("http://127.0.0.1:9/v1"), runner.project, runner.environ)
    assert done.code == 5
    assert "127.0.0.1:9" in done.last_words


def test_without_a_provider_nothing_is_written_to_stdout(runner: Runner) -> None:
    done = run(["run", "Fix it", "--output", "json"], runner.project, runner.environ)
    assert (done.code, done.out) == (2, "")
    assert "--provider" in done.last_words


def test_a_dirty_tree_is_refused_with_what_to_do(runner: Runner) -> None:
    write(runner.project, {"calc.py": "mine\n"})
    done = runner.run([], "--output", "json")
    assert (done.code, done.out) == (2, "")
    assert "--allow-dirty" in done.last_words
    assert (runner.project / "calc.py").read_text() == "mine\n"


def test_stream_json_is_one_event_a_line_and_nothing_else(runner: Runner) -> None:
    done = runner.run(fixing_script(), "--output", "stream-json")
    assert done.code == 0
    streamed = [parse_event(line) for line in done.out.splitlines()]
    assert (streamed[0].type, streamed[-1].type) == ("agent_start", "agent_end")
    assert not [event for event in streamed if event.type.startswith("sitting.")]
    ids = [event.event_id for event in streamed]
    assert ids == sorted(set(ids))


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_signal_ends_the_goal_and_it_still_reports(
    runner: Runner, number: signal.Signals, code: int
) -> None:
    with ChatServer([silent()]) as server:
        started = Started(
            runner.words(server.base_url, "--output", "json"), runner.project, runner.environ
        )
        server.wait_for_requests(1)
        started.signal(number)
        done = started.end()
    assert done.code == code
    assert done.report["status"] == "cancelled"
    assert events(runner.journal)[-1]["type"] == "agent_end"


def test_a_hanging_command_dies_with_its_children(runner: Runner) -> None:
    began = runner.project / "began"
    marker = f"86.{os.getpid()}"
    command = f"(sleep {marker} & sleep {marker} & touch began; sleep {marker}; wait)"
    runner.environ["AGENT_COCKPIT_TEST_COMMAND"] = command
    with ChatServer([calls(("run_tests", {})), says("x")]) as server:
        started = Started(runner.words(server.base_url), runner.project, runner.environ)
        wait_until(began.exists)
        assert processes_of(marker)
        started.signal(signal.SIGINT)
        done = started.end()
    assert done.code == 130
    until_gone(processes_of(marker))


def test_a_command_that_takes_too_long_is_stopped_and_told_to_the_model(runner: Runner) -> None:
    marker = f"87.{os.getpid()}"
    runner.environ["AGENT_COCKPIT_COMMAND_TIMEOUT_SECONDS"] = "0.5"
    script = [calls(("run_command", {"command": f"sleep {marker}"})), says("It hangs.")]
    with ChatServer(script) as server:
        words = runner.words(server.base_url, "--allow", "run_command:sleep", "--mode", "edit")
        run(words, runner.project, runner.environ)
        told = server.requests[1].last_text
    assert "0.5" in told
    until_gone(processes_of(marker))


def test_a_gigabyte_of_output_is_bounded(runner: Runner) -> None:
    runner.environ["AGENT_COCKPIT_TEST_COMMAND"] = "yes | head -c 1G; echo the-end"
    with ChatServer([calls(("run_tests", {})), says("Long.")]) as server:
        done = run(runner.words(server.base_url), runner.project, runner.environ)
        told = server.requests[1].last_text
    assert len(told) < 100_000
    assert "the-end" in told
    assert not crashed(done)
    assert runner.journal.stat().st_size < 10_000_000


def test_output_that_is_no_text_is_shown_safely(runner: Runner) -> None:
    runner.environ["AGENT_COCKPIT_TEST_COMMAND"] = r"printf 'b\377\000d \033]52;c;aGk=\007\n'"
    with ChatServer([calls(("run_tests", {})), says("\x1b]52;c;aGk=\x07Odd.")]) as server:
        words = runner.words(server.base_url, "--mode", "investigate")
        done = run(words, runner.project, runner.environ)
        told = server.requests[1].last_text
    assert "b" in told
    assert "d" in told
    assert "\x1b" not in done.out + done.err
    assert "Odd." in done.out


@pytest.mark.parametrize(
    "bad",
    [
        {"name": "read_file", "arguments": '{"path": "calc.py"'},
        {"name": "read_file", "arguments": "no json at all"},
        {"name": "read_file", "arguments": "[1]"},
        {"name": "no_such_tool", "arguments": "{}"},
        {"name": "", "arguments": "{}"},
    ],
    ids=["cut", "words", "list", "unknown", "nameless"],
)
def test_a_broken_tool_call_is_answered_and_the_goal_goes_on(
    runner: Runner, bad: dict[str, str]
) -> None:
    call = {"index": 0, "id": "c1", "type": "function", "function": bad}
    broken = chunks(
        {"choices": [{"index": 0, "delta": {"role": "assistant", "tool_calls": [call]}}]},
        {"choices": [{"index": 0, "delta": {}, "finish_reason": "tool_calls"}]},
    )
    done = runner.run([broken, *fixing_script()], "--output", "json")
    assert done.code == 0, done.err
    assert done.report["outcome"] == "success"


def test_an_answer_that_breaks_off_is_asked_for_again(runner: Runner) -> None:
    cut = Answer((b'data: {"choices": [{"index": 0, "delta": {"content": "It i',), ends="cut")
    done = runner.run([cut, *fixing_script()], "--output", "json")
    assert done.code == 0, done.err


def test_without_a_git_program_the_goal_is_done_all_the_same(
    runner: Runner, programs_without_git: Path
) -> None:
    runner.environ["PATH"] = str(programs_without_git)
    runner.environ["AGENT_COCKPIT_TEST_COMMAND"] = "python3 -m unittest"
    done = runner.run(fixing_script(), "--output", "json")
    assert done.code == 0, done.err
    assert done.report["files_changed"] == ["calc.py"]


@pytest.mark.parametrize(
    ("make", "told"),
    [
        (lambda path: None, "there is no folder"),
        (lambda path: path.write_text("x"), "is a file"),
    ],
    ids=["missing", "a file"],
)
def test_a_workspace_that_is_none_is_exit_two(
    runner: Runner, make: Callable[[Path], object], told: str
) -> None:
    workspace = runner.project.parent / "workspace"
    make(workspace)
    done = runner.run([], "--workspace", workspace)
    assert (done.code, done.out) == (2, "")
    assert told in done.last_words


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_workspace_is_exit_two(runner: Runner) -> None:
    workspace = runner.project.parent / "locked"
    workspace.mkdir(mode=0)
    done = runner.run([], "--workspace", workspace)
    workspace.chmod(0o700)
    assert (done.code, done.out) == (2, "")


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs /dev/full")
def test_a_full_disk_under_the_journal_is_told_and_the_goal_goes_on(runner: Runner) -> None:
    done = runner.run(fixing_script(), "--output", "json", "--log", "/dev/full")
    assert done.code == 0, done.err
    assert done.report["outcome"] == "success"
    assert "No space left on device" in done.err


def test_a_folder_without_a_repository_and_odd_names_is_worked_on(
    runner: Runner, tmp_path: Path
) -> None:
    plain = tmp_path / "no repository"
    shutil.copytree(runner.project, plain, ignore=shutil.ignore_patterns(".git"))
    (plain / "a\n\x1b[31mname \u202e.txt").write_text("x")
    done = runner.run(
        [calls(("list_files", {"glob": "**/*"})), *fixing_script()],
        "--workspace",
        plain,
    )
    assert done.code == 0, done.err
    assert "\x1b" not in done.out + done.err


def test_a_server_that_hangs_in_the_middle_is_given_up(runner: Runner) -> None:
    runner.environ["AGENT_COCKPIT_REQUEST_IDLE_TIMEOUT_SECONDS"] = "0.3"
    done = runner.run([hang(says("one two three"), after_parts=2)])
    assert done.code == 5
    assert not crashed(done)


def crashed(done: Done) -> bool:
    """Whether a fault of ours was shown; the tests of a project may well print tracebacks."""
    return "agent_cockpit/" in done.err or done.code == 70
