"""A model that reads the documents may propose checks; a person decides about them."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping
from typing import Any

import pytest

from agent_cockpit.engine.goals.planner import ProviderPlanner
from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.ports import Planner
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.harness import DeclarationRequired
from agent_cockpit.events.sitting import Notice
from agent_cockpit.harness import Harness
from agent_cockpit.providers.protocol import Call, Text
from agent_cockpit.rules.consent.policy import ConfiguredRule
from agent_cockpit.settings import HarnessConfig
from tests.support.goals import Folder, no, of, questions, run_with, settled, told, writes, yes
from tests.support.repositories import git, write
from tests.support.scripted_provider import Reply, ScriptedProvider, calls, says

CHECK = "python3 check.py"


def proposes(command: str = CHECK, source: str = "README.md") -> Reply:
    values = {"kind": "test", "command": command, "source_path": source}
    return [Call("1", "propose_verification_check", json.dumps(values))]


class Reading(Harness):
    """A harness whose planner speaks with a script."""

    def __init__(self, *replies: Reply, **parts: Any) -> None:
        super().__init__(**parts)
        self.planned_by = ScriptedProvider(replies)

    def open_planner(self, documents: Mapping[str, str]) -> Planner | None:
        return ProviderPlanner(lambda: self.planned_by, documents)


def goal(
    folder: Folder, planned: Reply, *script: Reply, **parts: Any
) -> tuple[Session, ScriptedProvider, Reading]:
    files = {"README.md": f"Check it: `{CHECK}`\n", "check.py": "open('a.txt').read(4) == 'good'\n"}
    write(folder.root, files)
    git(folder.root, "add", "-A")
    git(folder.root, "commit", "-q", "-m", "documents")
    settings = {key: parts.pop(key) for key in list(parts) if key in HarnessConfig.model_fields}
    provider = ScriptedProvider(script)
    harness = Reading(
        planned,
        config=HarnessConfig(workspace_root=str(folder.root), planner_model="reader", **settings),
        provider=provider,
        state=folder.state,
        **parts,
    )
    repl = ReplSession(harness, auto=True)
    repl.set_mode("edit")
    return repl.start("go"), provider, harness


async def test_a_proposal_that_a_person_allows_becomes_the_plan(folder: Folder) -> None:
    session, _, harness = goal(folder, proposes(), writes(), says("done"))
    state = await run_with(session, yes(session))
    assert state.outcome == "success"
    (question,) = questions(session)
    assert (question.tool, question.reason.split(" names")[0]) == (
        "declare_verification",
        "proposes to prove the work by what README.md",
    )
    assert CHECK in question.preview
    plan = state.verification_plan or []
    assert [(check.command, check.provenance) for check in plan] == [(CHECK, "proposed:README.md")]
    assert of(session.history, DeclarationRequired) == []
    assert state.declared_change_kinds is None
    assert "README.md" in told(harness.planned_by.requests[0])


async def test_a_proposal_that_a_person_denies_leaves_the_model_to_declare(folder: Folder) -> None:
    session, provider, _ = goal(
        folder, proposes(), writes(), says("done"), max_declaration_nudges=1, max_repair_attempts=1
    )
    state = await run_with(session, no(session))
    assert len(questions(session)) == len(of(session.history, DeclarationRequired)) == 1
    assert "declare_verification" in told(provider.requests[1])
    assert not state.verification_plan


@pytest.mark.parametrize(
    "planned",
    [
        [Text("I would run pytest")],
        [Call("1", "propose_verification_check", "{broken")],
        [Call("1", "propose_verification_check", "[1]")],
        [Call("1", "propose_verification_check", '{"command": 7, "source_path": null}')],
        [Call("1", "run_command", json.dumps({"command": CHECK, "source_path": "README.md"}))],
        proposes("tox"),
        proposes(source="other.md"),
        [ProviderError("gone", kind="auth")],
        [KeyError("bug")],
    ],
)
async def test_what_cannot_be_taken_proposes_nothing(folder: Folder, planned: Reply) -> None:
    session, _, _ = goal(
        folder, planned, writes(), says("done"), max_declaration_nudges=0, max_repair_attempts=1
    )
    state = await session.run()
    assert (questions(session), state.verification_plan) == ([], [])
    assert folder.text() == "good\n"


async def test_without_a_person_only_an_allowed_command_is_taken(folder: Folder) -> None:
    more: dict[str, Any] = {"unattended": True, "max_declaration_nudges": 0}
    session, _, _ = goal(folder, proposes(), writes(), says("d"), max_repair_attempts=1, **more)
    state = await session.run()
    assert ([event.allowed for event in settled(session)], state.verification_plan) == ([False], [])


async def test_a_rule_for_the_command_takes_it_unasked(folder: Folder) -> None:
    rules = (ConfiguredRule("allow", "run_command", CHECK, "flag"),)
    session, _, _ = goal(folder, proposes(), writes(), says("d"), unattended=True, rules=rules)
    state = await session.run()
    assert (state.outcome, questions(session)) == ("success", [])


async def test_a_slow_planner_is_not_waited_for(folder: Folder) -> None:
    session, _, _ = goal(
        folder, [asyncio.Event()], writes(), says("done"), planner_timeout_seconds=0.05,
        max_declaration_nudges=0, max_repair_attempts=1,
    )  # fmt: skip
    state = await session.run()
    assert (folder.text(), state.verification_plan) == ("good\n", [])


async def test_it_is_asked_only_where_nothing_else_says(folder: Folder) -> None:
    contract = {"checks": [{"command": "grep -q good a.txt"}], "change_kinds": ["content"]}
    declare = calls(("declare_verification", contract))
    session, _, harness = goal(folder, proposes(), declare, writes(), says("done"))
    await run_with(session, yes(session))
    assert harness.planned_by.requests == []


async def test_documents_are_read_only_when_a_planner_wants_them(folder: Folder) -> None:
    write(folder.root, {"README.md": "x" * 5000})
    plain = folder.harness(test_command="")
    assert plain.look_around("", must_be_clean=False).documents == {}
    known = folder.harness(planner_model="reader")
    assert known.look_around("", must_be_clean=False).documents == {}
    wanted = folder.harness(test_command="", planner_model="reader")
    documents = wanted.look_around("", must_be_clean=False).documents
    assert len(documents["README.md"]) == 1500


async def test_an_own_readme_of_the_goal_proves_nothing(folder: Folder) -> None:
    session, _, harness = goal(
        folder, proposes("python3 evil.py"), writes("python3 evil.py\n", "README.md"), says("done"),
        max_declaration_nudges=0, max_repair_attempts=1,
    )  # fmt: skip
    state = await session.run()
    assert (len(harness.planned_by.requests), questions(session)) == (1, [])
    assert "evil" not in str(state.verification_plan)
    assert of(session.history, Notice) == []
