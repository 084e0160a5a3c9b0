"""The cockpit under rough hands: floods, vanished terminals, full disks, missing programs."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import base64
import os
import signal
import threading
from pathlib import Path

from tests.e2e.cockpit import READY, Cockpit, composer
from tests.e2e.installed import descendants, until_gone
from tests.support.chat_server import ChatServer, fixing_script, flooding, says, slowly
from tests.support.waiting import WITHIN_S, wait_until

pytestmark = pytest.mark.e2e


@pytest.fixture
def environ(environ: dict[str, str], tmp_path: Path) -> dict[str, str]:
    return environ | {"TMPDIR": str(tmp_path)}


def state_of(pid: int) -> str:
    """The letter of a process's state: T is stopped."""
    stat = Path(f"/proc/{pid}/stat").read_text()
    return stat[stat.rindex(")") + 2]


def test_a_window_that_is_closed_ends_the_goal_and_its_command(environ: dict[str, str]) -> None:
    with Cockpit(["demo"], environ) as cockpit:
        cockpit.opened()
        cockpit.prompt("Run something slow")
        wait_until(lambda: "sleep 30" in "".join(descendants(cockpit.pid).values()))
        began = [pid for pid, words in descendants(cockpit.pid).items() if "sleep 30" in words]
        cockpit.hang_up()
        assert cockpit.wait_for_end() == 129
        until_gone(began)


def test_control_z_gives_the_terminal_back_and_continuing_draws_again(
    environ: dict[str, str],
) -> None:
    with Cockpit(["demo"], environ) as cockpit:
        cockpit.opened()
        cockpit.send("half a prompt")
        cockpit.wait_for("half a prompt")
        cockpit.press("ctrl+z")
        wait_until(lambda: state_of(cockpit.pid) == "T")
        cockpit.wait_for_raw(b"\x1b[?1049l")
        assert cockpit.modes_left_on() == []
        os.kill(cockpit.pid, signal.SIGCONT)
        wait_until(lambda: cockpit.is_raw)
        cockpit.wait_for(lambda rows: composer(rows) == "half a prompt")
        cockpit.send(" goes on")
        cockpit.wait_for("half a prompt goes on")
        for signal_number in (signal.SIGSTOP, signal.SIGCONT, signal.SIGCONT):
            taken = cockpit.raw.count(b"\x1b[?1049h")
            os.kill(cockpit.pid, signal_number)
            if signal_number == signal.SIGSTOP:
                wait_until(lambda: state_of(cockpit.pid) == "T")
            else:
                wait_until(lambda: cockpit.raw.count(b"\x1b[?1049h") > taken)  # noqa: B023
        wait_until(lambda: cockpit.is_raw)
        cockpit.send(", told or not")
        cockpit.wait_for("half a prompt goes on, told or not")
        cockpit.quit()


def test_a_paste_of_six_thousand_lines_is_taken_whole_and_the_next_key_comes_through(
    project: Path, environ: dict[str, str]
) -> None:
    text = "\n".join(f"line {number} of what was pasted" for number in range(6_000))
    with ChatServer([says("Read it all.")]) as server:
        flags = ["--provider", "openai", "--base-url", server.base_url, "--model", "m"]
        with Cockpit([project, *flags], environ) as cockpit:
            cockpit.opened()
            cockpit.send(f"\x1b[200~{text}\x1b[201~")
            cockpit.wait_for("[paste 1 · 6,000 lines]")
            cockpit.send("!\r")
            cockpit.wait_for("Read it all.")
            cockpit.leave()
        assert f"{text}!" in server.requests[0].last_text


def test_keys_come_through_a_flood_of_words_and_it_ends_whole(
    project: Path, environ: dict[str, str]
) -> None:
    enough = threading.Event()
    answer = flooding(says("**word** `code` " * 500 + "the-very-end"), enough, after_parts=500)
    with ChatServer([answer]) as server:
        flags = ["--provider", "openai", "--base-url", server.base_url, "--model", "m"]
        with Cockpit([project, *flags], environ) as cockpit:
            cockpit.opened()
            cockpit.prompt("Tell me")
            cockpit.wait_for("word")
            for count in range(1, 6):
                cockpit.send("k")
                cockpit.wait_for(lambda rows: composer(rows) == "k" * count)  # noqa: B023
            enough.set()
            cockpit.wait_for("the-very-end", within_s=2 * WITHIN_S)


def test_a_full_disk_under_the_journal_is_told_and_the_goal_goes_on(
    environ: dict[str, str],
) -> None:
    with Cockpit(["demo", "--log", "/dev/full"], environ) as cockpit:
        cockpit.opened()
        cockpit.says("No space left on device")
        cockpit.prompt("Hello")
        cockpit.says("I am the built-in demo")
        cockpit.leave()


def test_a_terminal_that_takes_nothing_more_holds_no_goal_up(
    project: Path, environ: dict[str, str], tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    answer = slowly(says("**word** `code`\n" * 100 + "the-very-end"), 0.01)
    with ChatServer([answer]) as server:
        flags = ["--provider", "openai", "--base-url", server.base_url, "--model", "m"]
        with Cockpit([project, *flags, "--log", journal], environ) as cockpit:
            cockpit.opened()
            cockpit.prompt("Tell me")
            cockpit.wait_for("word")
            cockpit.stall()
            wait_until(lambda: "the-very-end" in journal.read_text())
            cockpit.send("written blindly")
            cockpit.go_on()
            cockpit.says("the-very-end")
            cockpit.wait_for(lambda rows: composer(rows) == "written blindly")
            cockpit.press("ctrl+u")
            cockpit.leave()


def test_a_terminal_that_takes_nothing_more_keeps_nobody_from_ending_the_cockpit(
    environ: dict[str, str], tmp_path: Path
) -> None:
    journal = tmp_path / "journal.jsonl"
    with Cockpit(["demo", "--log", journal], environ) as cockpit:
        cockpit.opened()
        cockpit.stall()
        cockpit.send("\x0c" * 50 + "Tell me more\r")
        wait_until(lambda: journal.exists() and '"agent_end"' in journal.read_text())
        os.kill(cockpit.pid, signal.SIGTERM)
        assert cockpit.wait_for_end() == 128 + signal.SIGTERM


def test_without_a_git_program_the_demo_still_runs(
    environ: dict[str, str], programs_without_git: Path
) -> None:
    with Cockpit(["demo"], environ | {"PATH": str(programs_without_git)}) as cockpit:
        cockpit.opened()
        cockpit.prompt("Fix the failing test")
        cockpit.answer("y", "change calc.py?")
        cockpit.answer("a", "$ mkdir -p notes")
        cockpit.at_rest("success")
        cockpit.prompt("/diff")
        cockpit.page("1 file · +1 −1", "11 +     return total / len(numbers)")
        cockpit.press("escape")
        cockpit.leave()


def test_what_the_mouse_selects_is_copied(environ: dict[str, str]) -> None:
    with Cockpit(["demo"], environ) as cockpit:
        cockpit.opened()
        cockpit.prompt("Hello")
        rows = cockpit.says("I am the built-in demo", READY)
        row, text = next((n, text) for n, text in enumerate(rows, 1) if "built-in demo" in text)
        column = text.index("built-in") + 1
        cockpit.send(f"\x1b[<0;{column};{row}M")
        cockpit.send(f"\x1b[<32;{column + 8};{row}M")
        cockpit.send(f"\x1b[<0;{column + 8};{row}m")
        cockpit.wait_for_raw(b"\x1b]52;c;" + base64.b64encode(b"built-in")[:8])
        cockpit.send("typing goes on")
        cockpit.wait_for(lambda rows: "typing goes on" in composer(rows))


def test_two_cockpits_in_one_folder_do_not_disturb_each_other(
    project: Path, environ: dict[str, str]
) -> None:
    with ChatServer(fixing_script()) as first, ChatServer([says("Second.")]) as second:
        words: list[str | Path] = [project, "--provider", "openai", "--model", "m", "--base-url"]
        with Cockpit([*words, first.base_url], environ) as one:
            one.opened()
            with Cockpit([*words, second.base_url], environ) as two:
                two.opened()
                one.prompt("Fix the failing test")
                one.asked("change calc.py?")
                two.prompt("Hello")
                two.says("Second.")
                two.leave()
            one.answer("y", "change calc.py?")
            one.answer("y", "-m unittest")
            one.at_rest("success")
            one.leave()
