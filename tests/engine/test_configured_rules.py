"""Configured rules in live goals: they decide before grants, and say so to person and model."""

from __future__ import annotations

import pytest

from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.events.sitting import Notice, SittingStarted
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.policy import ConfiguredRule
from tests.support.goals import (
    Folder,
    ends,
    next_of,
    questions,
    run_with,
    runs,
    settled,
    started,
    told,
    writes,
    yes,
)
from tests.support.scripted_provider import calls, says

OK = [says("ok")] * 6


async def test_a_denied_command_is_told_to_the_model_with_rule_and_reason(folder: Folder) -> None:
    deny = ConfiguredRule("deny", "run_command", "touch", "a.toml, line 3", reason="use the tool")
    session = folder.goal(runs("env touch x"), *OK, rules=(deny,))
    await session.run()
    assert not questions(session)
    assert not started(session)
    said = told(folder.provider.requests[1])
    assert "deny run_command:touch (a.toml, line 3) - use the tool" in said


async def test_a_denied_place_is_kept_by_every_tool(folder: Folder) -> None:
    deny = ConfiguredRule("deny", "", "", "f", path="a.txt")
    (folder.root / "alias.txt").symlink_to("a.txt")
    batch = calls(
        ("write_file", {"path": "a.txt", "content": "good\n", "overwrite": True}),
        ("write_file", {"path": "alias.txt", "content": "good\n", "overwrite": True}),
        ("str_replace", {"path": "a.txt", "old_string": "bad", "new_string": "good"}),
        ("delete_file", {"path": "a.txt"}),
        ("read_file", {"path": "a.txt"}),
        ("run_command", {"command": "cat alias.txt"}),
        ("run_command", {"command": "cat A.TXT"}),
        ("run_command", {"command": "cat *.txt"}),
    )
    session = folder.goal(batch, *OK, rules=(deny,), max_refusals=50)
    await session.run()
    assert not questions(session)
    assert not started(session)
    assert len(ends(session)) >= 8
    assert folder.text() == "bad\n"


async def test_an_ask_rule_asks_whatever_was_granted_and_names_itself(folder: Folder) -> None:
    ask = ConfiguredRule("ask", "run_command", "touch", "a.toml, line 3")
    session = folder.goal(runs("touch x"), *OK, rules=(ask,))
    session.grants.append(ApprovalGrant(tool="run_command", prefix="touch", tier=3))
    await run_with(session, yes(session, remember=True))
    (question,) = questions(session)
    assert "ask run_command:touch (a.toml, line 3)" in question.reason
    assert question.grant_scope is None
    assert settled(session)[0].via == "human"
    assert len(session.grants) == 1


async def test_an_ask_rule_makes_a_read_be_asked_for(folder: Folder) -> None:
    ask = ConfiguredRule("ask", "read_file", "", "f", path="notes.md")
    read = calls(("read_file", {"path": "notes.md"}), ("read_file", {"path": "a.txt"}))
    session = folder.goal(read, *OK, rules=(ask,), mode="investigate")
    await run_with(session, yes(session))
    assert [question.input["path"] for question in questions(session)] == ["notes.md"]


async def test_an_allow_rule_spares_the_question(folder: Folder) -> None:
    allow = ConfiguredRule("allow", "run_command", "touch", "f")
    session = folder.goal(runs("touch x && touch y"), *OK, rules=(allow,))
    await session.run()
    assert not questions(session)
    assert (folder.root / "y").exists()


async def test_an_allow_rule_for_a_place_spares_edits_there_alone(folder: Folder) -> None:
    allow = ConfiguredRule("allow", "", "", "f", path="docs/**")
    batch = calls(
        ("write_file", {"path": "docs/a.md", "content": "x\n"}),
        ("write_file", {"path": "b.md", "content": "x\n"}),
    )
    session = folder.goal(batch, *OK, rules=(allow,), asks_edits=True)
    await run_with(session, yes(session))
    assert [question.input["path"] for question in questions(session)] == ["b.md"]
    assert (folder.root / "docs" / "a.md").exists()


@pytest.mark.parametrize("unattended", [False, True])
async def test_presence_changes_only_who_answers(folder: Folder, unattended: bool) -> None:
    rules = (
        ConfiguredRule("deny", "run_command", "mkdir", "f"),
        ConfiguredRule("ask", "run_command", "touch", "f"),
        ConfiguredRule("allow", "run_command", "cp", "f"),
    )
    lines = ("mkdir d", "touch t", "cp a.txt b.txt", "rm a.txt", "ls", "ln -s a b")
    batch = calls(*(("run_command", {"command": line}) for line in lines))
    session = folder.goal(batch, *OK, rules=rules, unattended=unattended, auto=True)

    async def nothing(question: ApprovalRequested) -> None:
        if not unattended:
            await session.resolve_approval(question.approval_id, allow=False)

    await run_with(session, nothing)
    asked = {question.input["command"] for question in questions(session)}
    assert asked == {"touch t", "rm a.txt", "ln -s a b"}
    assert len(started(session)) == 2
    assert folder.text("b.txt") == "bad\n"


async def test_what_does_not_hold_is_said_before_anything_else(folder: Folder) -> None:
    harness = folder.harness(*OK, rules=(ConfiguredRule("deny", "Bash", "", "a.toml, line 1"),))
    assert harness.notices == (
        "a.toml, line 1: there is no tool `Bash`, so this rule means nothing now",
    )
    repl = folder.sitting(*OK, rules=(ConfiguredRule("deny", "Bash", "", "a.toml, line 1"),))
    stream = repl.events()
    await next_of(stream, SittingStarted)
    notice = await next_of(stream, Notice)
    assert notice.level == "warning"
    assert "there is no tool `Bash`" in notice.text


async def test_a_rule_that_nothing_meets_changes_nothing(folder: Folder) -> None:
    deny = ConfiguredRule("deny", "run_command", "touch", "f")
    session = folder.goal(writes(), says("done"), rules=(deny,))
    state = await session.run()
    assert state.outcome == "success"
