"""What a standing approval covers, and what it never does."""

from __future__ import annotations

import pytest
from pydantic import ValidationError

from agent_cockpit.rules.consent.grants import ApprovalGrant, find_grant, grant_for, needs_cover
from agent_cockpit.rules.facts import CallFacts, CommandPart
from agent_cockpit.rules.shell.command_line import analyse


def command(text: str) -> CallFacts:
    analysis = analyse(text, root="/w/proj")
    return CallFacts(
        tool="run_command",
        tier=analysis.tier,
        command=text,
        parts=analysis.parts,
        mutates=analysis.mutates,
        grantable=analysis.grantable,
        prefix=analysis.prefix,
        scope_words=analysis.scope_words,
        refusal=analysis.refusal,
    )


def grant(prefix: str, *, tool: str = "run_command", tier: int = 3) -> ApprovalGrant:
    return ApprovalGrant(tool=tool, prefix=prefix, tier=tier)


@pytest.mark.parametrize(
    ("held", "call", "covered"),
    [
        (("run_command", "pytest", 3), ("run_command", "pytest", 3), True),
        (("run_command", "pytest", 3), ("run_command", "pytest", 2), True),
        (("run_command", "pytest", 2), ("run_command", "pytest", 3), False),
        (("run_command", "pytest", 3), ("run_command", "pytes", 3), False),
        (("run_command", "pytest", 3), ("run_command", "pytest-x", 3), False),
        (("run_command", "git", 3), ("run_command", "git commit", 3), False),
        (("run_command", "pytest", 3), ("write_file", "pytest", 3), False),
        (("run_command", "", 3), ("run_command", "", 3), False),
        (("run_command", " ", 3), ("run_command", " ", 3), False),
        (("run_command", "rm", 4), ("run_command", "rm", 4), False),
        (("run_command", "rm", 9), ("run_command", "rm", 4), False),
        (("alter_verification", "x", 3), ("alter_verification", "x", 3), False),
        (("switch_to_editing", "x", 3), ("switch_to_editing", "x", 3), False),
        (("str_replace", "str_replace", 1), ("str_replace", "str_replace", 1), True),
    ],
)
def test_a_grant_matches_one_tool_prefix_and_tier(
    held: tuple[str, str, int], call: tuple[str, str, int], covered: bool
) -> None:
    tool, prefix, tier = held
    assert ApprovalGrant(tool=tool, prefix=prefix, tier=tier).matches(*call) is covered


def test_a_grant_is_a_keyword_only_value() -> None:
    with pytest.raises(TypeError):
        ApprovalGrant("run_command", "pytest", 3)  # type: ignore[call-arg]
    with pytest.raises(ValidationError):
        grant("pytest").tier = 4
    assert ApprovalGrant.model_validate_json(grant("x").model_dump_json()) == grant("x")


@pytest.mark.parametrize(
    ("text", "prefix"),
    [("pytest -q", "pytest"), ("FOO=1 git commit -m x", "git commit"), ("mkdir a", "mkdir")],
)
def test_always_is_stored_for_the_program(text: str, prefix: str) -> None:
    assert grant_for(command(text)) == grant(prefix)


@pytest.mark.parametrize(
    "text",
    ["rm x", "ls", "python -c 1", "bash x.sh", "mkdir a && touch b", "echo x > f", "$X", ""],
)
def test_where_always_does_not_apply_nothing_is_stored(text: str) -> None:
    assert grant_for(command(text)) is None


def test_always_on_an_edit_is_for_that_tool() -> None:
    edit = CallFacts(tool="str_replace", tier=1, prefix="str_replace")
    assert grant_for(edit) == grant("str_replace", tool="str_replace", tier=1)
    ratified = CallFacts(tool="alter_verification", tier=3, prefix="alter_verification")
    assert grant_for(ratified) is None


@pytest.mark.parametrize(
    ("prefixes", "text", "covered"),
    [
        (["mkdir"], "mkdir a", True),
        (["mkdir"], "mkdir a && mkdir b", True),
        (["mkdir"], "ls && mkdir a", True),
        (["mkdir"], "cd src && mkdir a | cat", True),
        (["mkdir"], "mkdir a && touch b", False),
        (["mkdir", "touch"], "mkdir a && touch b", True),
        (["git status"], "git status && touch p1", False),
        (["git status"], "git log | tee p3", False),
        (["git"], "git commit -m x", False),
        (["echo"], "echo $(touch s1)", False),
        (["mkdir"], "mkdir a > f", False),
        (["mkdir"], "mkdir a && rm b", False),
        (["mkdir", "rm"], "mkdir a && rm b", False),
        (["env"], "env mkdir a", False),
        (["mkdir"], "env mkdir a", False),
        (["mkdir"], "mkdir $X", False),
        (["python3 -m pytest"], "python3 -m pytest -q", True),
        (["python3 -m pytest"], "python3 -c 1", False),
        (["npm test"], "npm publish", False),
        (["npm run build"], "npm run build:all", False),
        ([], "mkdir a", False),
    ],
)
def test_a_line_is_covered_when_each_part_is(prefixes: list[str], text: str, covered: bool) -> None:
    found = find_grant([grant(prefix) for prefix in prefixes], command(text))
    assert (found is not None) is covered


def test_an_ungrantable_call_is_not_covered_by_a_grant_made_by_hand() -> None:
    facts = CallFacts(tool="run_command", tier=3, prefix="x", grantable=False)
    assert find_grant([grant("x")], facts) is None


def part(tier: int, *, mutates: bool = True, prefix: str = "x") -> CommandPart:
    return CommandPart(text="x", program="x", tier=tier, reason="", mutates=mutates, prefix=prefix)


@pytest.mark.parametrize(
    ("line", "parts", "needed"),
    [
        (3, [part(3)], 1),
        (3, [part(3, mutates=False)], 1),
        (3, [part(3), part(2)], 1),
        (3, [part(3), part(2, mutates=False)], 1),
        (4, [part(4), part(3), part(2)], 2),
        (2, [part(2)], 1),
        (2, [part(2, mutates=False)], 0),
        (2, [part(2), part(2, mutates=False)], 1),
    ],
)
def test_a_part_needs_a_grant_of_its_own(line: int, parts: list[CommandPart], needed: int) -> None:
    facts = CallFacts(tool="run_command", tier=line, parts=tuple(parts))
    assert len(needs_cover(facts)) == needed


def test_a_call_that_is_worse_than_its_parts_is_not_covered_by_grants_for_them() -> None:
    facts = CallFacts(tool="run_command", tier=4, prefix="x", parts=(part(3),))
    assert find_grant([grant("x")], facts) is None
    assert grant_for(facts) is None
    assert grant_for(CallFacts(tool="run_command", tier=3, prefix="x", refusal="no")) is None
