"""The window around the cockpit: its title, a notification, and what stays when it is left."""

from __future__ import annotations

import os
import signal
import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from pathlib import Path

from tests.e2e.cockpit import Cockpit
from tests.e2e.installed import clean_environment
from tests.e2e.test_cockpit_rough import state_of
from tests.support.waiting import wait_until

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60)]


def test_the_window_is_named_called_and_put_back_and_the_goal_stays_as_text(
    tmp_path: Path,
) -> None:
    environ = clean_environment(tmp_path / "home") | {
        "TERM_PROGRAM": "WezTerm",
        "AGENT_COCKPIT_LEAVE_TRANSCRIPT": "goal",
    }
    with Cockpit(["demo"], environ) as cockpit:
        cockpit.opened()
        cockpit.wait_for_raw(b"\x1b[22;0t\x1b]2;demo \xc2\xb7 ready\x07")
        cockpit.prompt("hello")
        cockpit.send("\x1b[O")
        cockpit.wait_for_raw(b"\x1b]9;demo: done\x07")
        assert b"\x1b]9;4;3\x07" in cockpit.raw
        cockpit.at_rest("success")
        cockpit.leave()
        assert cockpit.raw.rfind(b"\x1b]9;4;0\x07") > cockpit.raw.rfind(b"\x1b]9;4;3\x07")
        stays = cockpit.raw[cockpit.raw.rfind(b"\x1b[?1049l") :]
        assert b"> hello" in stays
        assert b"Hello! I am the built-in demo" in stays
        assert b"go on: agent-cockpit --resume" in stays


def test_the_window_is_put_back_while_the_cockpit_is_stopped_from_outside(tmp_path: Path) -> None:
    environ = clean_environment(tmp_path / "home") | {"TERM_PROGRAM": "WezTerm"}
    with Cockpit(["demo"], environ) as cockpit:
        cockpit.opened()
        named = b"\x1b[22;0t\x1b]2;demo \xc2\xb7 ready\x07"
        cockpit.wait_for_raw(named)
        os.kill(cockpit.pid, signal.SIGTSTP)
        wait_until(lambda: state_of(cockpit.pid) == "T")
        cockpit.wait_for_raw(b"\x1b[23;0t")
        os.kill(cockpit.pid, signal.SIGCONT)
        cockpit.wait_for(lambda _: cockpit.raw.count(named) == 2)
        cockpit.leave()
