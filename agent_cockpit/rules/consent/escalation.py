"""An edit in an investigation is more than its tier says: it makes the goal another one."""

from __future__ import annotations

from dataclasses import replace

from agent_cockpit.rules.consent.permission import ConsentPolicy
from agent_cockpit.rules.facts import CallFacts

ESCALATES = "turns this investigation into an edit"
_EDITS = 1


def as_escalation(facts: CallFacts, policy: ConsentPolicy, *, task_kind: str) -> CallFacts:
    """The facts of an edit as a person has to decide about them: tier 3 and every time while the
    goal is an investigation, as they are everywhere else."""
    escalates = policy.escalates_edits and task_kind == "investigate"
    if not escalates or facts.tier != _EDITS or not facts.mutates or facts.refusal is not None:
        return facts
    reason = f"{ESCALATES}: {facts.reason}" if facts.reason else ESCALATES
    return replace(facts, tier=3, reason=reason, grantable=False, prefix="", scope_words=None)
