"""The cockpit, installed, in a real terminal of 120 x 40: the demo from prompt to verdict."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import os
import re
import signal
from collections.abc import Iterator
from pathlib import Path

from agent_cockpit.cockpit.consent.quiet import QUIET_S
from tests.e2e.cockpit import CONSENT, FIX, READY, Cockpit, composer, is_lit, panel
from tests.e2e.installed import clean_environment, descendants, run, until_gone
from tests.support.typist import Typist
from tests.support.waiting import wait_until

pytestmark = pytest.mark.e2e

EDIT = "change calc.py?"
COMMAND = "$ mkdir -p notes"


def _person(folder: Path) -> dict[str, str]:
    """The environment of somebody who has opened nothing yet."""
    temporary = folder / "tmp"
    temporary.mkdir(parents=True)
    return clean_environment(folder / "home") | {"TMPDIR": str(temporary)}


@pytest.fixture
def home(tmp_path: Path) -> dict[str, str]:
    """The environment of a person of this test's own: what is left in a prompt comes back."""
    return _person(tmp_path)


@pytest.fixture
def demo(home: dict[str, str]) -> Iterator[Cockpit]:
    with Cockpit(["demo"], home) as cockpit:
        yield cockpit.opened()


class Finished:
    """A sitting that is over: the fix, `/undo`, `/redo`, `/diff`, and the way out."""

    def __init__(self, environ: dict[str, str]) -> None:
        with Cockpit(["demo"], environ) as cockpit:
            cockpit.opened()
            cockpit.prompt(FIX)
            self.asked_edit = cockpit.asked(EDIT)
            cockpit.answer("y", EDIT)
            self.asked_command = cockpit.asked(COMMAND)
            cockpit.press("a")
            self.verdict = cockpit.at_rest("success")
            cockpit.prompt("/undo")
            self.undone = cockpit.says("changed back: calc.py +1 −1")
            cockpit.prompt("/redo")
            self.redone = cockpit.says("changed again: calc.py +1 −1")
            cockpit.prompt("/diff")
            self.diff = cockpit.page("1 file · +1 −1", "11 +     return total /")
            cockpit.press("escape")
            cockpit.wait_for(READY)
            cockpit.leave()
            self.farewell = "".join(row.rstrip() for row in cockpit.screen())
        journals = Path(environ["HOME"]).rglob("journals/*.jsonl")
        self.journal = max(journals, key=lambda path: path.stat().st_mtime)


@pytest.fixture(scope="module")
def finished(tmp_path_factory: pytest.TempPathFactory) -> Finished:
    return Finished(_person(tmp_path_factory.mktemp("person")))


def test_the_edit_asks_with_its_diff_and_what_always_covers(finished: Finished) -> None:
    text = "\n".join(finished.asked_edit)
    assert "11 −     return total / (len(numbers) - 1)" in text
    assert "11 +     return total / len(numbers)" in text
    assert "[a] every edit in any file in this sitting" in text
    assert "[a] every `mkdir …` in this sitting" in "\n".join(finished.asked_command)


def test_the_goal_ends_verified_and_the_second_command_was_not_asked(finished: Finished) -> None:
    text = "\n".join(finished.verdict)
    assert "verified" in text
    assert "exit 0" in text
    assert re.search(r"mkdir -p notes/fixes .*granted", text)


def test_the_diff_shows_the_fix(finished: Finished) -> None:
    text = "\n".join(finished.diff)
    assert "11 −     return total / (len(numbers) - 1)" in text
    assert "11 +     return total / len(numbers)" in text


def test_the_fix_is_taken_back_and_made_again(finished: Finished) -> None:
    assert f'taken back: "{FIX}" · 1 file and 1 folder · /redo makes it again' in "\n".join(
        finished.undone
    )
    assert f'made again: "{FIX}" · 1 file and 1 folder · /undo takes it back' in "\n".join(
        finished.redone
    )


def test_the_last_line_says_how_to_open_the_sitting_again(finished: Finished) -> None:
    found = re.search(r"agent-cockpit --resume (\S+)", finished.farewell)
    assert found, finished.farewell
    assert found[1] in str(finished.journal)


def test_the_journal_replays_as_text(finished: Finished, home: dict[str, str]) -> None:
    done = run(["replay", finished.journal, "--print"], Path("/"), home)
    assert done.code == 0
    assert f"> {FIX}" in done.out
    assert "allowed once by you" in done.out
    assert "verified" in done.out
    assert f'- taken back: "{FIX}" · 1 file' in done.out
    assert "\x1b" not in done.out


def test_the_journal_replays_in_the_real_screen(finished: Finished, home: dict[str, str]) -> None:
    with Cockpit(["replay", finished.journal], home) as replay:
        shown = replay.says("verified", "mkdir -p notes/fixes")
        assert READY not in "\n".join(shown)
        replay.press("y")
        replay.press("A")
        replay.says("paused", "as it was asked", "mkdir")
        replay.press("right")
        replay.rows_when(lambda rows: not any("as it was asked" in row for row in rows))
        replay.press("ctrl+q")
        replay.close()


def test_keys_typed_before_the_first_paint_are_kept(home: dict[str, str]) -> None:
    with Cockpit(["demo"], home) as cockpit:
        cockpit.send("Hel")
        cockpit.send("lo\r")
        cockpit.says("▌ Hello", "I am the built-in demo")
        cockpit.at_rest("success")
        cockpit.leave()


@pytest.mark.parametrize("ready", [b"\0", b"\x1b[?2004h", CONSENT.encode()])
def test_a_command_and_the_goal_after_it_keep_their_order(
    home: dict[str, str], ready: bytes
) -> None:
    with Cockpit(["demo"], home) as cockpit:
        cockpit.wait_for_raw(ready)
        cockpit.send(f"/plan\r{FIX}\r")
        cockpit.says("plan · version 1")


def test_a_plan_is_revised_approved_and_built(demo: Cockpit) -> None:
    demo.prompt("/plan")
    demo.says("mode set to plan")
    demo.prompt(FIX)
    demo.proposed("plan · version 1")
    demo.press("r")
    demo.wait_for("what should change?")
    demo.send("add a test\r")
    demo.proposed("plan · version 2")
    demo.says("+ 2. Add a test for a single number")
    demo.press("a")
    demo.answer("y", EDIT)
    demo.answer("y", "change test_calc.py?")
    demo.answer("a", COMMAND)
    demo.at_rest("success")
    demo.says("verified", "2 files")
    demo.leave()


def test_a_no_changes_nothing_and_is_taken_into_account(demo: Cockpit) -> None:
    demo.prompt(FIX)
    demo.answer("n", EDIT)
    demo.says("denied by you", "You said no to the edit")
    demo.at_rest("blocked")
    demo.prompt("What did you change?")
    demo.says("Nothing so far")
    demo.leave()


def test_escape_stops_a_running_command_and_leaves_no_process(demo: Cockpit) -> None:
    def sleeping() -> list[int]:
        return [pid for pid, words in descendants(demo.pid).items() if words.endswith("sleep 30")]

    demo.prompt("Run something slow")
    demo.wait_for(lambda rows: sleeping())
    began = sleeping()
    demo.press("escape")
    demo.at_rest("incomplete")
    until_gone(began)
    demo.leave()


def test_a_burst_in_one_write_sends_what_was_corrected(demo: Cockpit) -> None:
    demo.send("Hellp\x7fo\r")
    demo.wait_for("▌ Hello ")
    demo.leave()


def test_fifteen_keys_a_second_while_a_call_asks_are_all_for_the_prompt(
    tmp_path: Path,
) -> None:
    words = "yes and always run any new yaml, never ask a nurse in vain, says ray, nay and aye, "
    for number in range(6):
        with Cockpit(["demo"], _person(tmp_path / str(number))) as demo:
            demo.prompt(FIX)
            with Typist(demo, words, keys_per_s=15) as typist:
                demo.wait_for(lambda rows: EDIT in "\n".join(panel(rows)))
                seen = len(typist.typed)
                wait_until(lambda: len(typist.typed) > seen + 12)  # noqa: B023
            if typist.longest_pause_s(since=seen - 30) > QUIET_S / 2:
                continue  # whoever rests may answer then
            typed = typist.typed.split()
            demo.wait_for(lambda rows: composer(rows).split() == typed)  # noqa: B023
            demo.asked(EDIT)
            demo.says("waits for you")
            demo.press("y")
            shown = demo.says("allowed once by you")
            assert composer(shown).split() == typed
            return
    raise AssertionError("this machine is too busy to type on it like a person")


@pytest.mark.parametrize(("rows", "columns"), [(24, 80), (15, 40)])
def test_a_small_terminal_is_enough(home: dict[str, str], rows: int, columns: int) -> None:
    with Cockpit(["demo"], home, rows=rows, columns=columns) as cockpit:
        cockpit.prompt(FIX)
        cockpit.answer("y", "calc.py")
        cockpit.answer("a", "mkdir")
        cockpit.wait_for(lambda seen: "success" in seen[-1])
        cockpit.resize(40, 120)
        cockpit.says("verified", "exit 0")
        cockpit.leave()


@pytest.mark.parametrize(
    ("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129)], ids=["term", "hup"]
)
def test_a_signal_leaves_the_terminal_and_no_process_behind(
    demo: Cockpit, number: signal.Signals, code: int
) -> None:
    demo.prompt("Run something slow")
    demo.wait_for(lambda rows: "sleep 30" in "".join(descendants(demo.pid).values()))
    began = [pid for pid, words in descendants(demo.pid).items() if "sleep 30" in words]
    os.kill(demo.pid, number)
    demo.close(code=code)
    until_gone(began)


def test_without_a_model_it_says_what_to_set_and_enter_opens_the_demo(
    home: dict[str, str], tmp_path: Path
) -> None:
    with Cockpit([tmp_path], home) as cockpit:
        cockpit.says("cannot begin yet", "--provider", "enter opens the demo")
        cockpit.press("enter")
        cockpit.opened()
        cockpit.prompt("Hello")
        cockpit.says("I am the built-in demo")
        cockpit.leave()


def test_shift_tab_cycles_the_way_of_consent(demo: Cockpit) -> None:
    demo.press("shift+tab")
    demo.wait_for(lambda rows: "accept" in rows[-1])
    demo.prompt(FIX)
    shown = demo.rows_when(lambda rows: COMMAND in "\n".join(panel(rows)) and is_lit(rows))
    assert "allowed once by you" not in "\n".join(shown)
    demo.press("n")
    demo.wait_for(lambda rows: READY in composer(rows))
    demo.leave()
