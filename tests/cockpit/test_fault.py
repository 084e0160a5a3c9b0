"""What becomes of the screen when something of ours breaks under it."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from tests.support.terminal import Terminal

ROOT = Path(__file__).parents[2]
BROKEN = """\
from agent_cockpit.cli.show import show_screen
from tests.support.scripted_source import ScriptedSource

def breaks():
    raise ValueError("a fault of ours")

try:
    show_screen(ScriptedSource, memory=breaks)
except ValueError as fault:
    print("told by the command:", fault)
"""


def test_a_fault_puts_the_terminal_back_and_is_told_by_the_command(tmp_path: Path) -> None:
    environ = {**os.environ, "XDG_STATE_HOME": str(tmp_path)}
    with Terminal([sys.executable, "-c", BROKEN], environ=environ, folder=ROOT) as terminal:
        rows = terminal.rows_when("told by the command: a fault of ours")
        assert not any("Traceback" in row for row in rows)
        terminal.close()
