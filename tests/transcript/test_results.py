"""What a call's line adds to its subject."""

from __future__ import annotations

from typing import Any

import pytest

from agent_cockpit.transcript.blocks import CallBlock
from agent_cockpit.transcript.results import output_text, result_words

PYTEST = "$ pytest -q\n..F.\n1 failed, 3 passed in 0.41s\n[exit 1]"


@pytest.mark.parametrize(
    ("tool", "given", "result", "words"),
    [
        ("read_file", {"path": "a.py"}, {"summary": "read a.py", "output": "x\ny\n"}, "2 lines"),
        ("read_file", {"path": "a.py"}, {"summary": "read a.py", "output": ""}, "0 lines"),
        (
            "read_file",
            {"path": "a.py"},
            {"summary": "read a.py, lines 1-40 of 900", "output": "x"},
            "lines 1-40 of 900",
        ),
        ("search_repo", {"query": "x"}, {"summary": "1 match(es) for 'x'"}, "1 hit"),
        ("search_repo", {"query": "x"}, {"summary": "8 matches in 2 files"}, "8 hits in 2 files"),
        ("list_files", {"glob": "*"}, {"summary": "at least 40 file(s) match *"}, "40 files"),
        (
            "run_command",
            {"command": "ls"},
            {"summary": "`ls` exit 0", "exit_code": 0, "output": "$ ls\na\nb\n[exit 0]"},
            "2 lines",
        ),
        (
            "run_command",
            {"command": "yes"},
            {
                "exit_code": 0,
                "output": "$ yes\na\n[… 1200000 of 1234567 bytes left out …]\nb\n[exit 0]",
            },
            "more than 2 lines, 1.2M bytes in all",
        ),
        (
            "run_command",
            {"command": "mkdir x"},
            {"summary": "`mkdir x` exit 0", "exit_code": 0, "output": "(no output)\n[exit 0]"},
            "",
        ),
        (
            "run_tests",
            {},
            {"summary": "tests exit 1", "exit_code": 1, "output": PYTEST},
            "pytest -q · 1 failed, 3 passed in 0.41s",
        ),
        (
            "run_tests",
            {},
            {"exit_code": 0, "output": "Ran 3 tests in 0.1s\n\nOK\n[exit 0]"},
            "Ran 3 tests in 0.1s · OK",
        ),
        ("run_tests", {}, {"summary": "no test command is known"}, "no test command is known"),
        ("write_file", {"path": "a.py"}, {"summary": "wrote a.py"}, ""),
        ("mcp__mail", {"name": "inbox"}, {"summary": "4 new letters"}, "4 new letters"),
    ],
)
def test_the_line_says_what_it_does_not_say_yet(
    tool: str, given: dict[str, Any], result: dict[str, Any], words: str
) -> None:
    call = CallBlock(key=0, call_id="c", tool=tool, input=given, state="done", **result)
    assert result_words(call) == words


def test_output_of_a_command_comes_without_its_frame() -> None:
    call = CallBlock(key=0, call_id="c", tool="run_tests", output=PYTEST, state="failed")
    assert output_text(call) == "..F.\n1 failed, 3 passed in 0.41s"


def test_output_of_other_tools_is_left_alone() -> None:
    call = CallBlock(key=0, call_id="c", tool="read_file", output="$ x\n[exit 0]")
    assert output_text(call) == "$ x\n[exit 0]"
