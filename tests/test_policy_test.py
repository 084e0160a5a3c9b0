"""`policy test`: the answer that a sitting would give, without running anything."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.cli import main
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import dump_event
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved, ToolEnd, ToolStart
from agent_cockpit.events.sitting import CallProposed, SittingStarted

RULES = """
consent = "ask"

[[rules]]
action = "deny"
command = "git push"
reason = "CI pushes"

[[rules]]
action = "ask"
tool = "read_file"
path = "private/**"
"""


class Shell:
    """A workspace with rules, and the command typed in it."""

    def __init__(self, root: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.root = root
        self.capsys = capsys
        self.err = ""

    def run(self, *words: str) -> str:
        assert main(["policy", "test", *words, "--workspace", str(self.root)]) == 0
        out, self.err = self.capsys.readouterr()
        return out

    def answer(self, command: str) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self.run(command, "--json"))
        return found

    def changes(self, *events: Event) -> list[dict[str, Any]]:
        journal = self.root / "j.jsonl"
        journal.write_text("".join(f"{dump_event(event)}\n" for event in events))
        found = json.loads(self.run("--journal", str(journal), "--json"))
        assert isinstance(found["calls"], int)
        changes: list[dict[str, Any]] = found["changes"]
        return changes


@pytest.fixture
def shell(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Shell:
    for folder in ("CONFIG", "STATE"):
        monkeypatch.setenv(f"XDG_{folder}_HOME", str(tmp_path / folder.lower()))
    root = tmp_path / "work"
    root.mkdir()
    (root / ".agent-cockpit.toml").write_text(RULES)
    return Shell(root, capsys)


def test_json_has_the_documented_shape(shell: Shell) -> None:
    answer = shell.answer("cp a.py b.py")
    assert answer == {
        "verdict": "ask",
        "tier": 3,
        "grantable": True,
        "grant": "every `cp …` in this sitting",
        "rule": None,
        "parts": [
            {
                "text": "cp a.py b.py",
                "program": "cp",
                "tier": 3,
                "reason": "copies files",
                "reads": ["a.py"],
                "writes": ["b.py"],
                "network": False,
            }
        ],
    }


def test_what_a_wrapper_runs_is_judged_under_the_same_words(shell: Shell) -> None:
    told = shell.run("sudo ls && ls")
    assert told.count("  sudo ls\n") == 1
    assert told.count("    tier 2 · reads only") == 2


@pytest.mark.parametrize(
    ("command", "verdict", "tier", "grantable"),
    [
        ("ls", "allow", 2, True),
        ("mkdir a", "ask", 3, True),
        ("mkdir $X", "ask", 3, False),
        ("rm a", "ask", 4, False),
        ("cat .env", "refuse", 3, False),
        ("git push", "refuse", 4, False),
        ("", "refuse", 4, False),
    ],
)
def test_the_verdict_is_that_of_a_sitting(
    shell: Shell, command: str, verdict: str, tier: int, grantable: bool
) -> None:
    answer = shell.answer(command)
    assert (answer["verdict"], answer["tier"], answer["grantable"]) == (verdict, tier, grantable)
    assert answer["grant"] is None or verdict == "ask"


def test_the_deciding_rule_is_named_with_file_and_line(shell: Shell) -> None:
    place = f"{shell.root / '.agent-cockpit.toml'}, line 4"
    assert shell.answer("ls; timeout 5 git push")["rule"] == f"deny run_command:git push ({place})"
    told = shell.run("git push")
    assert told.startswith("refuse: a configured rule denies this")
    assert "CI pushes" in told
    assert f"rule: deny run_command:git push ({place})" in told


def test_the_text_shows_every_part_and_hides_nothing(shell: Shell) -> None:
    told = shell.run("rm ./\u202egnp.elif && cp a b\x1b[2J")
    assert "rm ./<U+202E>gnp.elif" in told
    assert "tier 4 · deletes files" in told
    assert "[a] would cover nothing" in told
    assert "\x1b" not in told
    assert "\u202e" not in told
    assert "[a] would cover every `mkdir …` in this sitting" in shell.run("mkdir a")


def test_a_switched_off_rule_is_told_beside_the_answer(shell: Shell) -> None:
    (shell.root / ".agent-cockpit.toml").write_text('[[rules]]\naction = "deny"\n')
    assert shell.answer("ls")["verdict"] == "allow"
    assert "line 1: this rule is switched off" in shell.err


def command(call_id: str, text: str) -> CallProposed:
    return CallProposed(call_id=call_id, tool="run_command", input={"command": text})


def ran(call_id: str, tool: str = "run_command") -> ToolStart:
    return ToolStart(call_id=call_id, tool=tool)


def refused(call_id: str, content: str) -> ToolEnd:
    return ToolEnd(
        call_id=call_id, tool="run_command", success=False, content=content, refused=True
    )


def test_a_journal_shows_what_would_be_decided_in_another_way(shell: Shell) -> None:
    changes = shell.changes(
        SittingStarted(workspace=str(shell.root)),
        command("same", "ls"),
        ran("same"),
        command("pushed", "git push"),
        ApprovalRequested(approval_id="pushed", tool="run_command"),
        ApprovalResolved(approval_id="pushed", allowed=True),
        ran("pushed"),
        command("denied", "mkdir a"),
        refused("denied", "a configured rule denies this: deny run_command:mkdir (x)"),
        command("granted", "mkdir b"),
        ApprovalResolved(approval_id="granted", allowed=True, via="grant"),
        ran("granted"),
        CallProposed(call_id="read", tool="read_file", input={"path": "private/a"}),
        ran("read", "read_file"),
    )
    assert [(c["call_id"], c["was"], c["now"]) for c in changes] == [
        ("pushed", "ask", "refuse"),
        ("denied", "refuse", "ask"),
        ("read", "allow", "ask"),
    ]
    assert "line 4" in changes[0]["rule"]
    assert changes[1]["rule"] is None


def test_what_the_sitting_chose_or_could_not_decide_is_no_change(shell: Shell) -> None:
    assert not shell.changes(
        CallProposed(call_id="e", tool="write_file", input={"path": "a", "content": "x"}),
        ran("e", "write_file"),
        command("plan", "mkdir a"),
        refused("plan", "plan mode only reads"),
        CallProposed(call_id="odd", tool="gone", input={}),
        ran("odd", "gone"),
        CallProposed(call_id="bad", tool="read_file", input={"pfad": "x"}),
        refused("bad", "The input of read_file is wrong"),
        command("never", "git push"),
    )


def test_a_journal_in_words(shell: Shell) -> None:
    shell.changes(command("p", "git push\x1b[2J"), ran("p"))
    told = shell.run("--journal", str(shell.root / "j.jsonl"))
    assert "allow → refuse  run_command git push␛[2J\n" in told
    assert told.endswith("1 of 1 calls would be decided in another way\n")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ([], "name a command line, or a journal"),
        (["ls", "--journal", "x"], "name a command line, or a journal"),
        (["--journal", "nowhere"], "the journal nowhere does not exist"),
        (["--journal", "."], "is a folder"),
        (["--journal", "empty"], "holds no event"),
    ],
)
def test_wrong_use_is_told(
    shell: Shell, monkeypatch: pytest.MonkeyPatch, words: list[str], told: str
) -> None:
    monkeypatch.chdir(shell.root)
    (shell.root / "empty").touch()
    assert main(["policy", "test", *words]) == 2
    assert told in shell.capsys.readouterr().err
