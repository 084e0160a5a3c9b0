"""Plain lines, installed, in a real terminal: what a screen reader would read."""

from __future__ import annotations

import shlex
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from pathlib import Path

from tests.e2e.cockpit import FIX
from tests.e2e.installed import COMMAND, clean_environment
from tests.support.terminal import Terminal

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60)]


def prompted(rows: list[str]) -> bool:
    """Whether the last line asks for the next prompt."""
    return [row.strip() for row in rows if row.strip()][-1:] == [">"]


@pytest.fixture
def environ(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "tmp").mkdir()
    return clean_environment(tmp_path / "home") | {"TMPDIR": str(tmp_path / "tmp")}


def test_a_dumb_terminal_gets_lines_and_half_a_line_typed_early_is_no_answer(
    environ: dict[str, str],
) -> None:
    with Terminal([COMMAND, "demo"], environ={**environ, "TERM": "dumb"}, rows=60) as paper:
        paper.wait_for("TERM is dumb")
        paper.wait_for(f"try: {FIX}")
        paper.send(f"{FIX}\r1")
        paper.wait_for("no answer: 1")
        rows = paper.rows_when("answer 1-7:")
        assert not any("not allowed" in row or "* edit" in row for row in rows)
        paper.send("\r")
        paper.wait_for("nothing is no answer here")
        paper.send("1\r")
        paper.wait_for("* edit calc.py  +1 -1")
        paper.wait_for("? run a command?")
        paper.wait_for("answer 1-8:")
        paper.press("ctrl+c")
        paper.wait_for("incomplete: interrupted by you")
        paper.wait_for(prompted)
        paper.press("ctrl+c")
        paper.wait_for("- ctrl+c again quits")
        paper.press("ctrl+c")
        paper.wait_for("go on: agent-cockpit --resume")
        paper.close()
        assert b"\x1b" not in paper.raw


@pytest.mark.parametrize("term", ["", "unknown"])
def test_a_terminal_of_which_nothing_is_known_gets_lines_and_no_screen(
    environ: dict[str, str], term: str
) -> None:
    with Terminal([COMMAND, "demo"], environ={**environ, "TERM": term}) as paper:
        paper.wait_for("so lines in place of the screen")
        paper.wait_for(f"try: {FIX}")
        paper.press("ctrl+d")
        paper.close()
        assert b"\x1b" not in paper.raw


def test_what_is_typed_while_a_goal_runs_joins_it_and_control_d_quits(
    environ: dict[str, str],
) -> None:
    with Terminal([COMMAND, "demo"], environ={**environ, "AGENT_COCKPIT_PLAIN": "1"}) as paper:
        paper.wait_for(f"try: {FIX}")
        paper.send("/mod\t auto\r")
        paper.wait_for("mode set to auto")
        paper.send("!echo $((6*7))\r")
        paper.wait_for(lambda rows: "42" in map(str.rstrip, rows))
        paper.wait_for("the model was not told of it")
        paper.send(f"{FIX}\rbe brief\r")
        paper.wait_for("- it joins the running goal")
        paper.wait_for("answer 1-7:")
        paper.send("4\r")
        paper.wait_for("denied by you")
        paper.wait_for("What shall I do now?")
        paper.wait_for(prompted)
        paper.press("ctrl+d")
        paper.close()


def test_a_call_is_edited_in_the_editor_which_has_the_terminal_to_itself(
    environ: dict[str, str], tmp_path: Path
) -> None:
    editor = tmp_path / "editor.sh"
    editor.write_text(
        """[ -e "$0.once" ] || { touch "$0.once"; echo the editor opens; exec sleep 600; }
        trap 'echo it was interrupted' INT
        echo the editor asks
        until read -r said </dev/tty; do :; done
        echo "the editor read $said"
        echo 'return total / max(1, len(numbers))' >"$1"
        """
    )
    plain = {**environ, "AGENT_COCKPIT_PLAIN": "1", "EDITOR": shlex.join(["sh", str(editor)])}
    with Terminal([COMMAND, "demo"], environ=plain, rows=80) as paper:
        paper.wait_for(f"try: {FIX}")
        paper.send(f"{FIX}\r")
        paper.wait_for("answer 1-7:")
        paper.send("e\r")
        paper.wait_for("the editor opens")
        paper.press("ctrl+c")
        paper.wait_for("nothing was changed")
        paper.send("e\r")
        paper.wait_for("the editor asks")
        paper.press("ctrl+c")
        paper.wait_for("it was interrupted")
        paper.send("1\r")
        paper.wait_for("as you changed it")
        rows = paper.rows_when("answer 1-5:")
        assert any("the editor read 1" in row for row in rows), rows
        paper.send("y\r")
        paper.wait_for("* edit calc.py  +1 -1")
        paper.press("ctrl+c")
        paper.wait_for("incomplete: interrupted by you")
        paper.wait_for(prompted)
        paper.press("ctrl+d")
        paper.close()


def test_an_output_that_goes_elsewhere_gets_lines_and_says_why(environ: dict[str, str]) -> None:
    with Terminal(
        ["sh", "-c", f"{shlex.quote(str(COMMAND))} demo | cat"], environ=environ
    ) as paper:
        paper.wait_for("the output goes into a file or a pipe, so lines in place of the screen")
        paper.wait_for(f"try: {FIX}")
        paper.wait_for(prompted)
        paper.press("ctrl+d")
        paper.wait_for("go on: agent-cockpit --resume")
        paper.close()
