"""The window around the cockpit: its title, a notification, and what stays when it is left."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from pathlib import Path

from tests.e2e.cockpit import Cockpit
from tests.e2e.installed import clean_environment

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
