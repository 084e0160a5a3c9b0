"""`agent-cockpit doctor`: each finding is true, says what to do, and breaks nothing."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.cli import main
from agent_cockpit.doctor.findings import Finding
from agent_cockpit.doctor.terminal import look_at_terminal
from tests.support.chat_server import ChatServer, says

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX folders and terminals")


class Person:
    """Somebody with a home of their own, who calls the doctor."""

    def __init__(self, home: Path, capsys: pytest.CaptureFixture[str]) -> None:
        self.home = home
        self.project = home / "project"
        self.project.mkdir()
        self._capsys = capsys

    def asks(self, *words: str, code: int = 0) -> dict[str, dict[str, Any]]:
        """The findings by name."""
        assert main(["doctor", "--json", "--workspace", str(self.project), *words]) == code
        return {found["name"]: found for found in json.loads(self._capsys.readouterr().out)}

    def reads(self, *words: str) -> str:
        """The same as a person reads it."""
        main(["doctor", "--workspace", str(self.project), *words])
        return self._capsys.readouterr().out


@pytest.fixture
def person(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> Person:
    for name in [name for name in os.environ if name.startswith(("AGENT_COCKPIT_", "OPENAI_"))]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("HOME", str(tmp_path))
    for folder in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{folder}_HOME", str(tmp_path / folder.lower()))
    return Person(tmp_path, capsys)


def test_everything_is_looked_at_and_nothing_is_changed(person: Person) -> None:
    before = sorted(person.home.rglob("*"))
    found = person.asks()
    assert list(found) == [
        *("program", "terminal", "colours", "keys", "clipboard"),
        *("notifications", "git", "search", "settings"),
        *("sandbox", "journals", "state", "config", "model"),
    ]
    assert all(each["state"] in ("ok", "note") for each in found.values())
    assert all(each["advice"] for each in found.values() if each["state"] == "fault")
    assert sorted(person.home.rglob("*")) == before


def test_settings_are_shown_with_their_source_and_no_key(person: Person) -> None:
    config = person.home / "config" / "agent-cockpit" / "agent-cockpit.toml"
    config.parent.mkdir(parents=True)
    config.write_text('model = "m"\napi_key = "sk-very-secret-000"\n')
    (person.project / ".agent-cockpit.toml").write_text('test_command = "make \\u001b[31mx"\n')
    text = person.reads("--provider", "demo")
    assert f'model = "m" from {config}, line 1' in text
    assert 'provider = "demo" from --provider' in text
    assert "api_key = a key, not shown" in text
    assert "sk-very-secret" not in text
    assert "\x1b" not in text


def test_a_wrong_setting_is_a_fault_and_the_rest_is_looked_at(person: Person) -> None:
    (person.project / ".agent-cockpit.toml").write_text("sandbox = 7\n")
    found = person.asks(code=1)
    assert found["settings"]["state"] == "fault"
    assert "line 1" in found["settings"]["words"]
    assert "model" in found


def test_a_folder_that_cannot_be_written_is_a_fault(
    person: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    (person.home / "taken").write_text("a file")
    monkeypatch.setenv("XDG_STATE_HOME", str(person.home / "taken"))
    found = person.asks(code=1)
    assert found["state"]["state"] == found["journals"]["state"] == "fault"
    assert "no folder" in found["state"]["words"]


def test_the_sandbox_in_use_is_named(person: Person) -> None:
    assert person.asks("--sandbox", "none")["sandbox"]["words"].startswith("none, as `sandbox`")
    found = person.asks()["sandbox"]
    assert any(word in found["words"] for word in ("bwrap", "landlock", "sandbox-exec", "none"))


def test_the_model_is_asked_only_when_that_is_wished(person: Person) -> None:
    with ChatServer([says("ready")]) as server:
        words = ["--provider", "openai", "--model", "m", "--base-url", server.base_url]
        assert person.asks(*words)["online"]["words"].startswith("not tried")
        assert not server.requests
        assert person.asks(*words, "--online")["online"]["words"].startswith("it answers: ")
    found = person.asks(*words, "--online", code=1)["online"]
    assert found["state"] == "fault"
    assert "is the server running" in found["words"]


BARE = {"TERM": "xterm-256color"}


def looked(
    environ: Mapping[str, str],
    *,
    size: tuple[int, int] | None = (120, 40),
    answer: bytes | None = b"\x1b[?62c",
    tmux: Mapping[str, str] | None = None,
) -> dict[str, Finding]:
    options = tmux or {}
    found = look_at_terminal(
        environ, size, lambda _question, _ending: answer, lambda name: options.get(name, "")
    )
    return {each.name: each for each in found}


@pytest.mark.parametrize(
    ("environ", "name", "state", "words"),
    [
        ({}, "terminal", "fault", "no TERM"),
        ({"TERM": "dumb"}, "terminal", "fault", "dumb"),
        (BARE, "terminal", "ok", "120 x 40, xterm-256color"),
        ({**BARE, "TMUX": "/tmp/x"}, "terminal", "ok", "in tmux"),
        ({"TERM": "a\x1b[31mb"}, "terminal", "ok", "120 x 40"),
        (BARE, "colours", "note", "256"),
        ({**BARE, "COLORTERM": "truecolor"}, "colours", "ok", "16 million"),
        ({**BARE, "COLORTERM": "truecolor", "NO_COLOR": "1"}, "colours", "ok", "NO_COLOR"),
        (BARE, "keys", "note", "no kitty"),
        (BARE, "clipboard", "ok", "OSC 52"),
        ({**BARE, "TMUX": "x"}, "clipboard", "note", "not known"),
        ({**BARE, "STY": "x"}, "clipboard", "note", "screen"),
        ({**BARE, "TERM_PROGRAM": "Apple_Terminal"}, "clipboard", "note", "OSC 52"),
        (BARE, "notifications", "ok", "by the bell"),
        ({"TERM": "xterm-kitty"}, "notifications", "ok", "by OSC 99"),
        ({**BARE, "TMUX": "x"}, "notifications", "note", "tmux does not say"),
    ],
)
def test_a_terminal_is_known_by_what_it_says(
    environ: dict[str, str], name: str, state: str, words: str
) -> None:
    found = looked(environ)[name]
    assert (found.state, words in found.words) == (state, True), found
    assert "\x1b" not in found.words
    assert found.advice or found.state == "ok"


def test_what_a_terminal_answers_counts() -> None:
    assert looked(BARE, answer=b"\x1b[?1u\x1b[?62;22c")["keys"].state == "ok"
    assert looked(BARE, answer=b"")["keys"].state == "note"
    assert looked(BARE, answer=None, size=None)["terminal"].state == "note"
    assert looked(BARE, size=(30, 10))["terminal"].state == "note"


def test_tmux_is_asked_what_it_passes_on() -> None:
    kitty = {**BARE, "TMUX": "x", "KITTY_WINDOW_ID": "1"}
    focus = {"focus-events": "on"}
    assert looked(kitty, tmux=focus)["notifications"].state == "note"
    passing = {**focus, "allow-passthrough": "on"}
    assert looked(kitty, tmux=passing)["notifications"].words.startswith("by OSC 99")
    inside = {**BARE, "TMUX": "x"}
    assert looked(inside, tmux={"set-clipboard": "external"})["clipboard"].state == "ok"
    found = looked(inside, tmux={"set-clipboard": "off"})["clipboard"]
    assert (found.state, "off" in found.words) == ("note", True)
    assert "extended-keys" in looked(inside)["keys"].advice
    assert "extended-keys" not in looked(inside, tmux={"extended-keys": "on"})["keys"].advice
