"""What the window is told: when it changes, and never while the person looks."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from agent_cockpit.cockpit.outside import Outside
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.terminal_signals import POP_TITLE, PUSH_TITLE
from agent_cockpit.transcript.approval_view import ApprovalView
from agent_cockpit.transcript.status import Status

RESTS = Status(workspace="/src/parser", task_kind="test_only")
RUNS = replace(RESTS, is_running=True)
ENDED = replace(RESTS, outcome="success")
ASKS = replace(RUNS, approvals=(ApprovalView(approval_id="1", tool="x"),))


class Window:
    """What was written to a terminal."""

    def __init__(self, *, focus: bool = False, **environ: str) -> None:
        self.told: list[str] = []
        self.focus = focus
        environ = {"TERM": "xterm", "TERM_PROGRAM": "WezTerm", **environ}
        self.outside = Outside(self.told.append, lambda: self.focus, environ)

    def follow(self, *course: Status, **settings: Any) -> list[str]:
        self.told.clear()
        for status in course:
            config = HarnessConfig(**settings)
            self.outside.follow(status, config, asks=bool(status.approvals))
        return self.told


QUIET = {"terminal_title": False, "terminal_progress": False}


def test_the_title_says_project_mode_and_state_once_each() -> None:
    told = Window().follow(
        RESTS, RESTS, RUNS, RUNS, ASKS, ENDED, terminal_progress=False, notify="off"
    )
    assert told == [
        f"{PUSH_TITLE}\x1b]2;parser · test only · ready\x07",
        "\x1b]2;parser · test only · working\x07",
        "\x1b]2;! parser · test only · waits for you\x07",
        "\x1b]2;parser · test only · success\x07",
    ]


def test_progress_is_shown_and_taken_back() -> None:
    window = Window()
    told = window.follow(RESTS, RUNS, ASKS, RUNS, ENDED, terminal_title=False, notify="off")
    assert told == [f"\x1b]9;4;{state}\x07" for state in ("3", "4;100", "3", "0")]


def test_who_looks_elsewhere_is_told_of_a_question_and_of_the_end() -> None:
    told = Window().follow(RESTS, RUNS, ASKS, ASKS, RUNS, ENDED, ENDED, **QUIET)
    assert told == ["\x1b]9;parser: waits for your answer\x07", "\x1b]9;parser: done\x07"]


def test_who_looks_is_told_nothing_not_even_later() -> None:
    window = Window(focus=True)
    assert window.follow(RESTS, RUNS, ASKS, **QUIET) == []
    window.focus = False
    assert window.follow(ASKS, **QUIET) == []


def test_a_plan_waits_too() -> None:
    assert len(Window().follow(RUNS, replace(RUNS, plan="1. Look"), **QUIET)) == 1


@pytest.mark.parametrize("setting", [{"notify": "off"}, {"notify": "bell"}])
def test_the_setting_decides_how(setting: dict[str, Any]) -> None:
    told = Window().follow(RUNS, ENDED, **QUIET, **setting)
    assert told == ([] if setting["notify"] == "off" else ["\x07"])


def test_leaving_puts_the_window_back_and_coming_back_tells_it_again() -> None:
    window = Window()
    window.follow(RUNS)
    assert window.outside.leave() == f"{POP_TITLE}\x1b]9;4;0\x07"
    assert window.outside.leave() == ""
    window.told.clear()
    window.outside.come_back()
    assert window.told == [f"{PUSH_TITLE}\x1b]2;parser · test only · working\x07", "\x1b]9;4;3\x07"]


def test_a_terminal_without_a_window_is_told_nothing_but_the_bell() -> None:
    assert Window(TERM="linux", TERM_PROGRAM="").follow(RUNS, ENDED) == ["\x07"]
