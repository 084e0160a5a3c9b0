"""What the present rules would decide: about one command line, or about a recorded sitting.

Law: nothing runs and nothing is written; the answer is the one that a sitting would give,
before any trust or grant of that sitting.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Literal, TextIO

from pydantic import ValidationError

from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.errors import PersonCanAct, ToolRefused
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved, ToolEnd, ToolStart
from agent_cockpit.events.sitting import CallProposed, SittingStarted
from agent_cockpit.rules.checks.check_detection import plan_checks
from agent_cockpit.rules.consent.permission import (
    ACCEPT_EDITS,
    ASK_EDITS,
    Allow,
    Ask,
    ConsentPolicy,
    Refuse,
    judge,
)
from agent_cockpit.rules.consent.policy import RuleBook
from agent_cockpit.rules.facts import CallFacts, CommandPart
from agent_cockpit.settings_files import Loaded
from agent_cockpit.text import clean_line, reveal_line, shorten
from agent_cockpit.tools.edit_call import EditCall
from agent_cockpit.tools.facts import never, wall
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.tools.registry import Registry
from agent_cockpit.workspace.project.check_files import find_checks
from agent_cockpit.workspace.workspace import Workspace

Word = Literal["allow", "ask", "refuse"]
DENIED_BY_RULE = "a configured rule denies this"
"""How the record begins to say so."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What would be decided about a call: the word, the reason, the configured rule behind it
    (None: none decided), what `[a]` would cover, and the facts that it was judged by."""

    verdict: Word
    reason: str
    rule: str | None
    grant: str | None
    facts: CallFacts


@dataclass(frozen=True, slots=True)
class Change:
    """A recorded call that would now be decided in another way."""

    call_id: str
    tool: str
    call: str
    was: Word
    answer: Answer


class PolicyTest:
    """Judges calls in one workspace by its settings and rules."""

    def __init__(self, loaded: Loaded) -> None:
        config = loaded.config
        workspace = Workspace(
            Path(config.workspace_root), sensitive_globs=config.sensitive_path_globs
        )
        self._tools = Registry()
        self._deps = RunDeps(
            workspace=workspace,
            config=config,
            frozen_checks=plan_checks(config, find_checks(workspace.root)) or None,
        )
        asked = ASK_EDITS if config.consent == "ask" else ACCEPT_EDITS
        self._policy = ConsentPolicy(asked_tiers=asked, rules=RuleBook(loaded.rules))
        self._rules = {str(rule) for rule in loaded.rules}

    def of_command(self, command: str) -> Answer:
        """The answer about a command line."""
        facts = asyncio.run(self._facts("run_command", {"command": command}))
        if facts is None:
            reason = "no process can be given this line"
            facts = CallFacts(tool="run_command", tier=4, reason=reason, refusal=reason)
        return self._answer(facts)

    def of_journal(self, path: Path) -> tuple[int, list[Change]]:
        """How many recorded calls could be judged, and those that would be decided anew."""
        changes: list[Change] = []
        judged = 0
        for call in _recorded(read_journal(path)):
            facts = asyncio.run(self._facts(call.tool, call.input))
            if facts is None or call.was is None:
                continue
            judged += 1
            answer = self._answer(facts)
            if answer.verdict != call.was and not self._depends_on_the_sitting(call, answer):
                changes.append(Change(call.call_id, call.tool, call.words, call.was, answer))
        return judged, changes

    async def _facts(self, name: str, given: dict[str, Any]) -> CallFacts | None:
        """The call's facts as of now; None where it is no call that could be judged."""
        tool = self._tools.get(name)
        if tool is None:
            return None
        try:
            args: Any = tool.input_model.model_validate(given)
            if not isinstance(tool, EditCall):
                return await tool.facts(args, self._deps)
        except (ValidationError, ToolRefused):
            return None
        # The file is not what it was when this was recorded, so only its place is judged.
        place = wall(args.path, self._deps, write=True)
        if isinstance(place, ToolRefused):
            return never(name, tool.tier, place, mutates=True)
        return CallFacts(tool=name, tier=tool.tier, prefix=name, writes=(place.relative,))

    def _answer(self, facts: CallFacts) -> Answer:
        verdict = judge(facts, self._policy, plan_gate=False, trusted=None, grants=())
        rule = verdict.rule if verdict.rule in self._rules else None
        match verdict:
            case Allow():
                return Answer("allow", verdict.reason, rule, None, facts)
            case Refuse():
                return Answer("refuse", verdict.reason, rule, None, facts)
            case Ask(grant_scope=scope):
                return Answer("ask", verdict.reason, rule, scope, facts)
            case _:
                return Answer("ask", verdict.reason, rule, None, facts)

    def _depends_on_the_sitting(self, call: _Call, answer: Answer) -> bool:
        """Edits are asked for or not as the person chose then, a folder's own checks until
        they were trusted once, and plan mode and approvers refuse by themselves."""
        if answer.rule is not None or call.was_by_rule:
            return False
        chosen = answer.facts.tier == 1 or call.tool in ("run_tests", "run_linter")
        return call.was == "refuse" or (chosen and answer.verdict != "refuse")


def show_command(loaded: Loaded, command: str, *, as_json: bool, out: TextIO) -> int:
    """Write what would be decided about a command line."""
    answer = PolicyTest(loaded).of_command(command)
    facts = answer.facts
    if as_json:
        told = {
            "verdict": answer.verdict,
            "tier": facts.tier,
            "grantable": facts.grantable and facts.tier < 4 and facts.refusal is None,
            "grant": answer.grant,
            "rule": answer.rule,
            "parts": [_part_values(part) for part in facts.parts],
        }
        out.write(json.dumps(told) + "\n")
        return 0
    lines = [f"{answer.verdict}: {_line(answer.reason)}", f"tier {facts.tier}"]
    if answer.rule is not None:
        lines.append(f"rule: {_line(answer.rule)}")
    if answer.verdict == "ask":
        covers = answer.grant or "nothing: this is asked every time"
        lines.append(f"[a] would cover {_line(covers)}")
    above = None
    for part in facts.parts:
        # What a wrapper runs is a part of its own, of the same words.
        heading = [] if part.text == above else ["", f"  {_line(part.text)}"]
        lines += [*heading, *_part_lines(part)]
        above = part.text
    out.write("\n".join(lines) + "\n")
    return 0


def show_journal(loaded: Loaded, path: Path, *, as_json: bool, out: TextIO) -> int:
    """Write which recorded decisions would be other ones now."""
    judged, changes = PolicyTest(loaded).of_journal(path)
    if as_json:
        told = [
            {
                "call_id": change.call_id,
                "tool": change.tool,
                "call": change.call,
                "was": change.was,
                "now": change.answer.verdict,
                "reason": change.answer.reason,
                "rule": change.answer.rule,
            }
            for change in changes
        ]
        out.write(json.dumps({"calls": judged, "changes": told}) + "\n")
        return 0
    for change in changes:
        what = shorten(_line(f"{change.tool} {change.call}"), 200)
        out.write(f"{change.was} → {change.answer.verdict}  {what}\n")
        out.write(f"    {_line(change.answer.reason)}\n")
    out.write(f"{len(changes)} of {judged} calls would be decided in another way\n")
    return 0


def workspace_of(path: Path) -> Path | None:
    """The folder that the journal's sitting worked on, if it still is there."""
    for event in read_journal(path):
        if isinstance(event, SittingStarted) and event.workspace:
            root = Path(event.workspace)
            return root if root.is_dir() else None
    return None


@dataclass(frozen=True, slots=True)
class _Call:
    call_id: str
    tool: str
    input: dict[str, Any]
    was: Word | None = None
    was_by_rule: bool = False

    @property
    def words(self) -> str:
        for name in ("command", "path", "query"):
            if isinstance(value := self.input.get(name), str):
                return value
        return "" if not self.input else str(self.input)


def _recorded(events: Iterator[Event]) -> list[_Call]:
    """The calls in order, each with how it was decided then (None: it never was)."""
    calls: dict[str, _Call] = {}
    heard = False
    for event in events:
        heard = True
        match event:
            case CallProposed():
                calls[event.call_id] = _Call(event.call_id, event.tool, dict(event.input))
            case ApprovalRequested() | ApprovalResolved() if event.approval_id in calls:
                calls[event.approval_id] = replace(calls[event.approval_id], was="ask")
            case ToolStart() if event.call_id in calls and calls[event.call_id].was is None:
                calls[event.call_id] = replace(calls[event.call_id], was="allow")
            case ToolEnd(refused=True) if event.call_id in calls:
                call = calls[event.call_id]
                by_rule = event.content.startswith(DENIED_BY_RULE)
                if call.was is None or by_rule:
                    calls[event.call_id] = replace(call, was="refuse", was_by_rule=by_rule)
    if not heard:
        raise PersonCanAct("the journal holds no event")
    return list(calls.values())


def _part_values(part: CommandPart) -> dict[str, Any]:
    return {
        "text": part.text,
        "program": part.program,
        "tier": part.tier,
        "reason": part.reason,
        "reads": list(part.reads),
        "writes": list(part.writes),
        "network": part.network,
    }


def _part_lines(part: CommandPart) -> Iterator[str]:
    network = " · network" if part.network else ""
    yield f"    tier {part.tier} · {_line(part.reason)}{network}"
    for name, paths in (("reads", part.reads), ("writes", part.writes)):
        if paths:
            yield f"    {name} {_line(', '.join(paths))}"


def _line(text: str) -> str:
    """Text of others on one line, with nothing in it that a terminal would hide or obey."""
    return clean_line(reveal_line(text))
