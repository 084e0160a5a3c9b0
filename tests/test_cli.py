"""The words of the command line, and what every end of it looks like to a shell."""

from __future__ import annotations

import asyncio
import gc
import os
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from agent_cockpit.choices import (
    Choice,
    Examine,
    OpenCockpit,
    OpenDemo,
    Replay,
    RunGoal,
    SittingChoice,
)
from agent_cockpit.cli.command import choice_of, main
from agent_cockpit.cli.endings import Ending, Terminated
from agent_cockpit.cli.show import collect_garbage_shortly
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.faults import record_fault
from tests.support.waiting import WITHIN_S


@pytest.fixture(autouse=True)
def _own_home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for folder in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{folder}_HOME", str(tmp_path / folder.lower()))


@pytest.mark.parametrize(
    ("words", "choice"),
    [
        ([], OpenCockpit()),
        (["."], OpenCockpit(SittingChoice(workspace="."))),
        (["./run"], OpenCockpit(SittingChoice(workspace="./run"))),
        (["--", "run"], OpenCockpit(SittingChoice(workspace="run"))),
        (["--sandbox", "none", "."], OpenCockpit(SittingChoice(workspace=".", sandbox="none"))),
        (["run", "x", "--sandbox", "bwrap"], RunGoal("x", SittingChoice(sandbox="bwrap"))),
        (["doctor"], Examine()),
        (
            ["doctor", "--json", "--online", "--workspace", "w", "--sandbox", "landlock"],
            Examine(SittingChoice(workspace="w", sandbox="landlock"), json=True, online=True),
        ),
        (["demo"], OpenDemo()),
        (["demo", "--log", "j"], OpenDemo(log=Path("j"))),
        (["demo", "--plain"], OpenDemo(plain=True)),
        (["--plain", "-c"], OpenCockpit(SittingChoice(go_on=True), plain=True)),
        (["replay", "a.jsonl"], Replay(journal=Path("a.jsonl"))),
        (["replay", "a.jsonl", "--print"], Replay(journal=Path("a.jsonl"), as_text=True)),
        (["run", "fix it"], RunGoal(goal="fix it")),
        (["run", "--", "--odd goal"], RunGoal(goal="--odd goal")),
        (
            ["--provider", "demo", "--model", "m", "--mode", "plan", "--auto", "sub"],
            OpenCockpit(
                SittingChoice(workspace="sub", provider="demo", model="m", auto=True), mode="plan"
            ),
        ),
        (
            [
                *("run", "x", "--workspace", "w", "--mode", "test_only", "--provider", "openai"),
                *("--base-url", "u", "--model", "m", "--output", "stream-json", "--log", "l"),
                *("--allow-dirty", "--auto", "--allow", "a", "--allow", "b:c"),
            ],
            RunGoal(
                goal="x",
                sitting=SittingChoice(
                    workspace="w",
                    provider="openai",
                    base_url="u",
                    model="m",
                    log=Path("l"),
                    allow_dirty=True,
                    auto=True,
                ),
                mode="test_only",
                output="stream-json",
                allow=("a", "b:c"),
            ),
        ),
    ],
)
def test_words_become_a_choice(words: list[str], choice: Choice) -> None:
    chosen = choice_of(words)
    assert (type(chosen), chosen) == (type(choice), choice)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--nope"], "--nope"),
        (["a", "b"], "extra argument"),
        (["run"], "GOAL"),
        (["run", " "], "the goal is empty"),
        (["run", "x", "--mode", "fast"], "'edit'"),
        (["run", "x", "--mode", "plan"], "'investigate'"),
        (["run", "x", "--output", "xml"], "'stream-json'"),
        (["--provider", "other"], "'openai'"),
        (["replay"], "JOURNAL"),
    ],
)
def test_words_that_make_no_sense_are_told_with_where_to_look(words: list[str], told: str) -> None:
    with pytest.raises(PersonCanAct) as caught:
        choice_of(words)
    assert told in str(caught.value)
    assert "--help`" in str(caught.value)
    assert "Value error" not in str(caught.value)


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["nowhere"], "there is no folder `nowhere`"),
        (["~who-is-that"], "there is no folder `~who-is-that`"),
        (["replya"], "did you mean the command `replay`?"),
        (["a-file"], "`a-file` is a file"),
        (["run", "x", "--workspace", "nowhere"], "there is no folder `nowhere`"),
        (["run", "x", "--allow", "run_command:"], "nothing after the colon"),
        (["replay", "nowhere.jsonl"], "the journal nowhere.jsonl does not exist"),
        (["replay", "."], "is a folder"),
        (["replay", "--print", "a-file"], "is no journal"),
        (["demo"], "needs a terminal"),
        ([], "needs a terminal"),
        (["run", "x", "--bad"], "--bad"),
        (["\x1b[31mred"], "there is no folder `red`"),
    ],
)
def test_what_a_person_can_mend_is_one_sentence_and_exit_two(
    words: list[str],
    told: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    (tmp_path / "a-file").write_text("not a journal\n")
    monkeypatch.chdir(tmp_path)
    assert main(words) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert told in printed.err
    assert printed.err.startswith("agent-cockpit: ")
    assert printed.err.count("\n") == 1


def test_broken_settings_stop_a_run_before_it_begins(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / ".agent-cockpit.toml").write_text('\nprovider = "openai"\n')
    assert main(["run", "x", "--workspace", str(tmp_path)]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert ".agent-cockpit.toml, line 2: a project may not decide" in printed.err


def command(*words: str, **settings: str) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-m", "agent_cockpit", *words],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, **settings},
    )


def test_version_and_help_go_to_stdout() -> None:
    with command("--version") as version, command("--help") as help_text:
        assert version.communicate() == ("agent-cockpit 0.1.0\n", "")
        out, err = help_text.communicate()
        assert (version.returncode, help_text.returncode, err) == (0, 0, "")
        for word in ("demo", "run", "replay", "--allow-dirty", "WORKSPACE"):
            assert word in out


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130), (signal.SIGHUP, 129)]
)
def test_a_signal_before_the_goal_ends_quietly_with_its_code(
    number: signal.Signals, code: int
) -> None:
    with command("run", "-") as waiting:
        assert waiting.stdin is not None
        wait_until_it_reads(waiting)
        waiting.send_signal(number)
        out, err = waiting.communicate()
    assert (waiting.returncode, out, err) == (code, "", "")


def wait_until_it_reads(process: subprocess.Popen[str]) -> None:
    """Until the kernel says that the process sleeps in a read of its stdin."""
    system_call = Path(f"/proc/{process.pid}/syscall")
    if not system_call.exists():
        pytest.skip("needs /proc to see that the command waits")
    try:
        while not system_call.read_text().startswith("0 0x0 "):
            if process.poll() is not None:
                pytest.fail(f"it ended: {process.communicate()}")
    except PermissionError:
        pytest.skip("needs /proc to see that the command waits")


def test_a_reader_that_leaves_is_no_error(tmp_path: Path) -> None:
    read_end, write_end = os.pipe()
    os.close(read_end)
    process = subprocess.run(
        [sys.executable, "-m", "agent_cockpit", "--help"],
        stdout=write_end,
        stderr=subprocess.PIPE,
        text=True,
        check=False,
    )
    os.close(write_end)
    assert process.stderr == ""


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&-", ">&- 2>&- <&-"])
def test_a_closed_stream_is_survived(closed: str, tmp_path: Path) -> None:
    (tmp_path / "project").mkdir()
    words = ["-m", "agent_cockpit", "run", "hello", "--provider", "demo", "--workspace"]
    line = f"{shlex.join([sys.executable, *words, str(tmp_path / 'project')])} {closed}"
    process = subprocess.run(["sh", "-c", line], capture_output=True, text=True, check=False)
    assert process.returncode == 0
    assert "Traceback" not in process.stderr


def test_a_goal_that_is_no_utf8_is_run_all_the_same(tmp_path: Path) -> None:
    project = tmp_path / "project"
    project.mkdir()
    process = subprocess.run(
        [
            *(sys.executable, "-m", "agent_cockpit", "run", b"caf\xe9 hello"),
            *("--provider", "demo", "--workspace", str(project), "--output", "stream-json"),
        ],
        capture_output=True,
        text=True,
        check=False,
    )
    assert process.returncode == 0
    assert "caf\\ufffd hello" in process.stdout.splitlines()[0]


def test_a_folder_that_is_gone_is_told(tmp_path: Path) -> None:
    program = shlex.quote(sys.executable)
    line = f"mkdir gone; cd gone; rmdir ../gone; {program} -m agent_cockpit run x"
    process = subprocess.run(
        ["sh", "-c", line],
        cwd=tmp_path,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[1])},
    )
    assert process.returncode == 2
    assert "the current folder is gone" in process.stderr


def test_a_fault_of_ours_is_written_down_and_told_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    class Broken(str):
        def startswith(self, *_: object) -> bool:
            raise RuntimeError("the sk-a1B2c3D4e5F6g7H8i9J0k1L2m3N4 broke")

    assert main([Broken("x")]) == 70
    printed = capsys.readouterr()
    assert printed.out == ""
    assert printed.err.startswith("agent-cockpit: internal fault (RuntimeError: the [redacted:")
    assert printed.err.count("\n") == 1
    details = Path(printed.err.strip().rpartition(" ")[2])
    assert details.is_relative_to(tmp_path)
    assert "Traceback" in details.read_text()
    assert "sk-a1B2" not in details.read_text()
    assert details.stat().st_mode & 0o777 == 0o600


def test_a_fault_without_a_place_to_write_goes_to_the_temporary_folder(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    told = record_fault(ValueError("x"), tmp_path / "file" / "faults")
    details = Path(told.rpartition(" ")[2])
    assert details.is_file()
    details.unlink()


def test_a_journal_is_printed_as_text(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    journal = tmp_path / "a.jsonl"
    journal.write_text(
        '{"type": "agent_start", "goal": "say\\u001b[2J hello"}\n'
        '{"type": "model_update", "delta": "Hello."}\n'
        '{"type": "agent_end", "outcome": "success", "status": "completed"}\n'
        '{"torn'
    )
    assert main(["replay", str(journal), "--print"]) == 0
    printed = capsys.readouterr()
    assert "> say hello" in printed.out
    assert "Hello." in printed.out
    assert "\x1b" not in printed.out
    assert printed.err == ""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
def test_a_signal_that_comes_inside_a_callback_of_the_loop_ends_it() -> None:
    async def main() -> None:
        asyncio.get_running_loop().call_soon(os.kill, os.getpid(), signal.SIGTERM)
        await asyncio.Event().wait()

    with pytest.raises(Terminated), Ending().heard():
        asyncio.run(main())


def test_a_reader_at_a_dead_terminal_does_not_keep_the_process() -> None:
    program = (
        "import threading\n"
        "from agent_cockpit.cli.endings import leave_the_terminals_reader\n"
        "leave_the_terminals_reader(1)\n"
        "threading.Thread(target=threading.Event().wait, name='textual-input').start()\n"
        "leave_the_terminals_reader(129)\n"
    )
    done = subprocess.run([sys.executable, "-c", program], check=False, timeout=WITHIN_S)
    assert done.returncode == 129


def test_what_is_loaded_is_not_looked_through_for_garbage() -> None:
    thresholds = gc.get_threshold()
    gc.disable()
    gc.unfreeze()
    try:
        collect_garbage_shortly()
        loaded = gc.get_freeze_count()
        assert loaded > 0
        assert gc.isenabled()
        sitting = [[number] for number in range(1_000)]
        collect_garbage_shortly()
        assert gc.get_freeze_count() < loaded + len(sitting)
    finally:
        gc.enable()
        gc.set_threshold(*thresholds)
        gc.unfreeze()
        gc.collect()
        gc.freeze()  # as the run of the tests had it
