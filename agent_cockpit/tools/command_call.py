"""What the tools that start a command share: its facts, the run, the result."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from functools import partial
from itertools import chain, islice

from agent_cockpit.errors import OutsideWorkspace, SensitivePath, ToolRefused
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.paths import is_sensitive
from agent_cockpit.rules.shell.command_line import CommandAnalysis, analyse
from agent_cockpit.text import clean_output, reveal_line, shorten
from agent_cockpit.tools.command_limits import (
    NO_MORE,
    More,
    asking_for,
    command_fingerprint,
    limits_of,
)
from agent_cockpit.tools.facts import asked_for_settings, parts_preview
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.workspace.finding.secret_files import sweeps_with_secrets
from agent_cockpit.workspace.processes import ChildResult, argv, run_child
from agent_cockpit.workspace.project.check_files import present_python
from agent_cockpit.workspace.sandbox.protocol import OF_A_CHECK, Limits, Sandbox
from agent_cockpit.workspace.workspace import shown

MOST_EXPANDED = 2000
"""Names that one pattern is looked up for; more are taken for harmless ones among many."""
MOST_OPEN_PARTS = 3
"""Of a pattern that is looked up: each one multiplies the folders to look into."""


def command_facts(tool: str, command: str, deps: RunDeps, *, more: More = NO_MORE) -> CallFacts:
    """What a shell line would do, from its parts and from where its paths lead on the disk."""
    return judged_command(tool, command, deps, more=more)[0]


def judged_command(
    tool: str, command: str, deps: RunDeps, *, more: More = NO_MORE
) -> tuple[CallFacts, Limits]:
    """As `command_facts`, with the limits that it runs within once these facts are allowed."""
    argv(command)
    seen = _analysed(command, deps)
    facts = CallFacts(
        tool=tool,
        tier=seen.tier,
        reason=seen.reason,
        mutates=seen.mutates,
        reads=seen.reads,
        writes=seen.writes,
        command=command,
        parts=seen.parts,
        network=seen.network,
        grantable=seen.grantable,
        prefix=seen.prefix,
        scope_words=seen.scope_words,
        refusal=seen.refusal,
        preview=parts_preview(seen.parts),
    )
    facts = asking_for(more, _with_links(facts, deps))
    limits = limits_of(facts, deps, more)
    facts = replace(
        _with_boundaries(facts, deps),
        fingerprint=command_fingerprint(command, limits),
        confinement=deps.workspace.sandbox.describe(limits),
    )
    if limits.network == "open" and facts.scope_words is not None:
        facts = replace(facts, scope_words=f"{facts.scope_words}, with network")
    return facts, limits


def _analysed(command: str, deps: RunDeps) -> CommandAnalysis:
    """The line judged; where it looks through folders, by what lies in them."""
    judge = partial(
        analyse,
        command,
        root=str(deps.workspace.root),
        test_commands=known_checks(deps),
        sensitive_globs=deps.workspace.sensitive_globs,
    )
    worst = judge(secrets_in=("all", "visible", "tracked"))
    if not worst.sweeps:
        return worst
    return judge(secrets_in=sweeps_with_secrets(deps.workspace, worst.sweeps))


def known_checks(deps: RunDeps) -> tuple[str, ...]:
    """The project's own test and lint commands; a declared check is the model's, not its."""
    known = [deps.config.test_command.strip(), deps.config.lint_command.strip()]
    known += [check.command for check in deps.frozen_checks or () if check.kind != "declared"]
    known += [present_python(command) for command in known]
    return tuple(dict.fromkeys(command for command in known if command))


async def run_shell(
    tool: str, command: str, deps: RunDeps, *, name: str, limits: Limits = OF_A_CHECK
) -> ToolResult:
    """Run it within `limits`; any exit code is a success of the call, only a stop is a failure.

    `name` is what the summary calls the command.
    """
    if deps.approved_fingerprint not in ("", command_fingerprint(command, limits)):
        raise ToolRefused("the command is not the one that was shown; propose it again")
    sandbox = deps.workspace.sandbox
    ended = await run_child(
        command,
        cwd=deps.workspace.root,
        timeout_s=deps.config.command_timeout_seconds,
        cancellation=deps.cancellation,
        output_budget=deps.config.command_output_budget,
        heard=deps.heard,
        held=await asyncio.to_thread(sandbox.hold, limits),
    )
    output = clean_output(ended.output).strip("\n") or "(no output)"
    if ended.timed_out or ended.cancelled:
        why = _why_stopped(ended, deps)
        return ToolResult(
            tool_name=tool,
            success=False,
            content=output,
            summary=f"{name} {why}",
            error=f"`{short_command(command)}` {why}; its output until then:",
            cancelled=ended.cancelled,
        )
    code = ended.exit_code if ended.exit_code is not None else -1
    end = f"exit {code}" if code >= 0 else f"ended by signal {-code}"
    return ToolResult(
        tool_name=tool,
        success=True,
        content=f"{output}\n[{end}{_hint(code, sandbox, limits)}]",
        summary=f"{name} {end}",
        exit_code=code,
    )


def _hint(code: int, sandbox: Sandbox, limits: Limits) -> str:
    """For the model, which cannot see whether the sandbox made the command fail."""
    if code == 0 or sandbox.name == "none":
        return ""
    return f" · {sandbox.describe(limits)}"


def short_command(command: str) -> str:
    """A command as a summary names it: one line, nothing hidden."""
    return shorten(reveal_line(command), 120)


def _why_stopped(ended: ChildResult, deps: RunDeps) -> str:
    if ended.timed_out:
        return f"timed out after {deps.config.command_timeout_seconds:g} s"
    return "was stopped"


def _with_links(facts: CallFacts, deps: RunDeps) -> CallFacts:
    """The command's paths are judged by their letters; here links are followed, and what the
    shell will make of wildcards."""
    if any(path.count("*") > MOST_OPEN_PARTS for path in (*facts.reads, *facts.writes)):
        reason = "has a pattern that may stand for any number of files"
        facts = replace(facts, tier=max(3, facts.tier), grantable=False, scope_words=None)
        facts = replace(facts, reason=reason if facts.tier == 3 else facts.reason)
    found: dict[str, list[str]] = {"reads": [], "writes": []}
    for kind, paths in (("reads", facts.reads), ("writes", facts.writes)):
        for path in chain.from_iterable((named, *_expanded(named, deps)) for named in paths):
            try:
                found[kind].append(deps.workspace.locate(path, write=kind == "writes").relative)
            except SensitivePath as secret:
                if not is_sensitive(path, deps.workspace.sensitive_globs):
                    return replace(facts, refusal=facts.refusal or str(secret))
            except OutsideWorkspace:
                facts = _leading_outside(facts, path, writes=kind == "writes")
            except ToolRefused as refused:
                if kind == "writes":
                    return replace(facts, refusal=facts.refusal or str(refused))
    facts = replace(
        facts,
        reads=tuple(dict.fromkeys((*facts.reads, *found["reads"]))),
        writes=tuple(dict.fromkeys((*facts.writes, *found["writes"]))),
    )
    return asked_for_settings(facts)


def _leading_outside(facts: CallFacts, path: str, *, writes: bool) -> CallFacts:
    tier = 4 if writes else 3
    if facts.tier >= tier and not facts.grantable:
        return facts
    reason = f"`{shown(path)}` leads outside the workspace"
    return replace(
        facts, tier=max(tier, facts.tier), reason=reason, grantable=False, scope_words=None
    )


def _expanded(path: str, deps: RunDeps) -> Iterator[str]:
    """The first names that a path with wildcards stands for now."""
    open_parts = sum(any(sign in part for sign in "*?[") for part in path.split("/"))
    if 0 < open_parts <= MOST_OPEN_PARTS and not path.startswith(("/", "~")):
        with suppress(ValueError, OSError):  # a pattern that this Python cannot read
            pattern = re.sub(r"\*+", "*", path)
            for found in islice(deps.workspace.root.glob(pattern), MOST_EXPANDED):
                yield found.relative_to(deps.workspace.root).as_posix()


def _with_boundaries(facts: CallFacts, deps: RunDeps) -> CallFacts:
    """No boundary can hold inside a program, so while one is set a person looks each time."""
    if not deps.boundaries or not facts.mutates:
        return facts
    reason = f"{facts.reason}; a command is not held to the lines that may be edited"
    return replace(facts, tier=max(3, facts.tier), reason=reason, grantable=False, scope_words=None)
