"""What trusting a call covers."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.consent.approval import ToolApproval, trust_key

JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)
ARGS = st.dictionaries(st.text(), JSON, max_size=4)


@pytest.mark.parametrize(
    ("name", "args", "key"),
    [
        ("run_command", {"command": "git status"}, "run_command:git status"),
        ("run_command", {"command": "git  status"}, "run_command:git  status"),
        ("run_command", {"command": ""}, "run_command:"),
        ("shell", {"command": "ls", "cwd": "/p"}, "shell:ls"),
        ("str_replace", {"path": "calc.py"}, "str_replace"),
        ("read_file", {}, "read_file"),
        ("commander", {"command": "ls"}, "commander"),
    ],
)
def test_a_command_is_trusted_by_its_text_and_a_plain_tool_by_its_name(
    name: str, args: dict[str, Any], key: str
) -> None:
    assert trust_key(name, args) == key


@pytest.mark.parametrize("name", ["call_mcp_tool", "list_mcp_tools", "mcp_web", "run_command"])
def test_other_arguments_are_another_call_and_their_order_is_not(name: str) -> None:
    one = trust_key(name, {"tool": "fetch", "options": {"a": 1, "b": [1, 2]}})
    same = trust_key(name, {"options": {"b": [1, 2], "a": 1}, "tool": "fetch"})
    other = trust_key(name, {"options": {"b": [2, 1], "a": 1}, "tool": "fetch"})
    assert one == same
    assert one.startswith(f"{name}:")
    assert one != other


def test_a_command_that_is_no_text_is_no_command() -> None:
    assert trust_key("run_command", {"command": ["ls"]}) != trust_key("run_command", {})
    assert "ls" not in trust_key("run_command", {"command": ["ls"]})


@given(name=st.sampled_from(["run_command", "mcp_x", "read_file"]), args=ARGS)
def test_every_call_has_a_key_that_begins_with_its_tool(name: str, args: dict[str, Any]) -> None:
    assert trust_key(name, args).split(":")[0] == name
    assert ToolApproval("id", name, args).trust_key == trust_key(name, args)


def test_an_approval_does_not_follow_what_it_was_made_of() -> None:
    args = {"command": "ls"}
    asked = ToolApproval("id", "run_command", args)
    args["command"] = "rm -r ."
    assert asked.trust_key == "run_command:ls"
    with pytest.raises(TypeError):
        asked.args["command"] = "rm -r ."  # type: ignore[index]
    with pytest.raises(FrozenInstanceError):
        asked.name = "shell"  # type: ignore[misc]
    assert asked == ToolApproval("id", "run_command", {"command": "ls"})
