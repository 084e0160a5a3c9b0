"""How far a yes may reach, from narrow to wide, and what each width would have covered so far.

Law: what is offered is what the verdict allows to be kept; nothing wider is ever listed.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from agent_cockpit.rules.consent.grants import find_grant, grant_for
from agent_cockpit.rules.facts import CallFacts

Scope = Literal["once", "turn", "session", "grant"]


@dataclass(frozen=True, slots=True)
class SeenCall:
    """A call that was asked about or let through: its goal, its trust key, its facts."""

    goal: str
    trust_key: str
    facts: CallFacts


@dataclass(frozen=True, slots=True)
class Width:
    """One width of a yes. `seen` counts the earlier calls that it would have covered."""

    scope: Scope
    covers: str
    seen: int = 0


def widths(
    call: SeenCall, *, trustable: bool, grantable: bool, seen: Iterable[SeenCall]
) -> tuple[Width, ...]:
    """All widths that a yes to `call` may have; once is always among them."""
    earlier = tuple(seen)
    found = [Width("once", "this call, once")]
    same = [each for each in earlier if each.trust_key == call.trust_key]
    is_exact = call.trust_key != call.facts.tool
    what = "exactly this call" if call.facts.command is None else "exactly this command"
    if not is_exact:
        what = every(call.facts.tool)
    if trustable:
        count = sum(each.goal == call.goal for each in same)
        found.append(Width("turn", f"{what}, in this goal", count))
    grant = grant_for(call.facts) if grantable else None
    if trustable and (is_exact or grant is None):
        found.append(Width("session", f"{what}, in this sitting", len(same)))
    if grant is not None:
        count = sum(find_grant((grant,), each.facts) is not None for each in earlier)
        found.append(Width("grant", call.facts.scope_words or grant.prefix, count))
    return tuple(found)


_EVERY = {
    "str_replace": "every edit in any file",
    "apply_patch": "every patch of files",
    "write_file": "every write of a whole file",
    "run_tests": "every run of the project's tests",
    "run_linter": "every run of the project's linter",
}


def every(tool: str) -> str:
    """Every call of a tool, in a person's words where there are some."""
    return _EVERY.get(tool, f"every `{tool}`")
