"""Which tools there are, to whom they are offered, and what a model is told of them."""

from __future__ import annotations

import json
from typing import Any

import pytest

from agent_cockpit.tools.protocol import Tool
from agent_cockpit.tools.registry import Registry, all_tools

READS = {"read_file", "list_files", "search_repo"}
EDITS = {"str_replace", "write_file", "delete_file"}
RUNS = {"run_tests", "run_linter", "run_command"}


def names(phase: str, kind: str, *, plan: bool = False) -> set[str]:
    return {tool.name for tool in Registry().admitted_for(phase, kind, plan=plan)}


def test_there_are_twelve_tools_with_these_tiers() -> None:
    assert {tool.name: tool.tier for tool in all_tools()} == {
        "read_file": 0,
        "list_files": 0,
        "search_repo": 0,
        "str_replace": 1,
        "write_file": 1,
        "delete_file": 1,
        "run_tests": 2,
        "run_linter": 2,
        "run_command": 3,
        "declare_verification": 0,
        "alter_verification": 3,
        "switch_to_editing": 3,
    }


@pytest.mark.parametrize("kind", ["edit", "test_only", "investigate"])
@pytest.mark.parametrize("phase", ["investigating", "editing", "verifying"])
def test_what_is_offered(phase: str, kind: str) -> None:
    offered = names(phase, kind)
    assert offered >= READS | EDITS | RUNS | {"declare_verification"}
    assert ("switch_to_editing" in offered) == (kind == "investigate")
    assert ("alter_verification" in offered) == (phase != "verifying")
    assert names(phase, kind, plan=True) == READS | {"run_command"}


def test_a_tool_of_the_same_name_takes_the_place() -> None:
    registry = Registry()
    own = next(tool for tool in all_tools() if tool.name == "read_file")
    registry.register(own)
    assert registry.get("read_file") is own
    assert registry.get("no_such_tool") is None
    assert len(registry.admitted_for("editing", "edit")) == 11


@pytest.mark.parametrize("tool", all_tools(), ids=lambda tool: tool.name)
def test_schemas_are_plain(tool: Tool) -> None:
    schema = Registry().input_schema(tool)
    text = json.dumps(schema)
    for word in ('"title"', "$ref", "$defs", "anyOf"):
        assert word not in text
    assert schema["type"] == "object"
    assert schema["additionalProperties"] is False
    assert tool.description
    for array in arrays(schema):
        assert array["items"]


def test_required_fields_are_those_without_a_default() -> None:
    registry = Registry()
    required = {
        tool.name: sorted(registry.input_schema(tool).get("required", [])) for tool in all_tools()
    }
    assert required == {
        "read_file": ["path"],
        "list_files": [],
        "search_repo": ["query"],
        "str_replace": ["new_string", "old_string", "path"],
        "write_file": ["content", "path"],
        "delete_file": ["path"],
        "run_tests": [],
        "run_linter": [],
        "run_command": ["command"],
        "declare_verification": ["checks"],
        "alter_verification": ["checks", "rationale"],
        "switch_to_editing": ["reason"],
    }


def arrays(schema: Any) -> list[dict[str, Any]]:
    if isinstance(schema, list):
        return [found for each in schema for found in arrays(each)]
    if not isinstance(schema, dict):
        return []
    own = [schema] if schema.get("type") == "array" else []
    return own + [found for each in schema.values() for found in arrays(each)]
