"""May this call run? One pipeline over the facts of a call; the first rule that hits decides.

Law: plan gate · deny rule · hard refusal · tier 4 or ungrantable: ask, always · ask rule ·
allow rule · below the threshold: allow · trust · grant · unattended: deny · ask. No grant,
trust or allow rule reaches past an earlier step, and every answer says what decided.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from agent_cockpit.rules.consent.grants import CEILING, ApprovalGrant, find_grant, grant_for
from agent_cockpit.rules.consent.policy import RuleBook
from agent_cockpit.rules.facts import UNGRANTABLE_TOOLS, CallFacts

ASK_EDITS = frozenset({1, 3, 4})
"""The cockpit's default: edits are asked for, with their diff."""
ACCEPT_EDITS = frozenset({3, 4})
"""Edits inside the workspace run; also the default without a cockpit."""

Scope = Literal["turn", "session"]


@dataclass(frozen=True, slots=True, kw_only=True)
class ConsentPolicy:
    """How a sitting asks. `unattended`: no person will answer; the two policies say what
    then happens to an amendment of the contract and to an escalation. `escalates_edits`: an
    edit in an investigation is no try that is taken back, a person decides what becomes of it."""

    asked_tiers: frozenset[int] = ACCEPT_EDITS
    rules: RuleBook = field(default_factory=RuleBook)
    unattended: bool = False
    escalates_edits: bool = False
    amendment_policy: Literal["deny", "approve"] = "deny"
    escalation_policy: Literal["deny", "approve"] = "deny"


@dataclass(frozen=True, slots=True)
class Allow:
    """Run it. `scope` is the width of the trust or the prefix of the grant behind it."""

    reason: str
    via: Literal["policy", "rule", "trust", "grant"] = "policy"
    scope: str | None = None
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Ask:
    """A person decides. `grant_scope` is what `[a]` would cover, None where it does not
    apply; `trustable` says whether the answer may be kept for this exact call."""

    reason: str
    grant_scope: str | None = None
    trustable: bool = False
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Refuse:
    """Never, as things stand; nobody is asked, and the reason goes to the model."""

    reason: str
    rule: str | None = None


@dataclass(frozen=True, slots=True)
class Decide:
    """What a person would have been asked, and nobody is there: announced, then settled."""

    allowed: bool
    reason: str
    rule: str | None = None


Verdict = Allow | Ask | Refuse | Decide


def judge(
    facts: CallFacts,
    policy: ConsentPolicy,
    *,
    plan_gate: bool,
    trusted: Scope | None,
    grants: Sequence[ApprovalGrant],
) -> Verdict:
    """Decide about one call; `trusted` is the width of an earlier approval of this very call."""
    if plan_gate and facts.mutates:
        return Refuse(
            f"plan mode only reads, and {_the_call(facts)}; put it in the plan instead "
            "(the person leaves plan mode with /exec)",
            rule="plan mode",
        )
    if denied := policy.rules.find("deny", facts):
        return Refuse(f"a configured rule denies this: {denied.told}", rule=str(denied))
    if facts.refusal is not None:
        return Refuse(facts.refusal, rule="hard refusal")
    if facts.later:
        found = _judge_later(facts, policy, grants)
        if isinstance(found, Allow) and (asked := policy.rules.find("ask", facts)):
            return _ask(facts, policy, f"a configured rule asks: {asked.told}", rule=str(asked))
        if isinstance(found, Refuse) or facts.tool not in UNGRANTABLE_TOOLS:
            return found
        if policy.unattended and not isinstance(found, Allow):
            return Decide(False, found.reason, found.rule)
    if not _may_be_kept(facts):
        return _ask(facts, policy, _always_reason(facts), rule="asked every time")
    if asked := policy.rules.find("ask", facts):
        return _ask(facts, policy, f"a configured rule asks: {asked.told}", rule=str(asked))
    if allowed := policy.rules.find("allow", facts):
        return Allow(f"a configured rule allows this: {allowed.told}", "rule", rule=str(allowed))
    if facts.tier not in policy.asked_tiers:
        return Allow(facts.reason or f"tier {facts.tier} is not asked for")
    if trusted is not None:
        width = "goal" if trusted == "turn" else "sitting"
        return Allow(f"approved before, for this {width}", "trust", scope=trusted)
    if (grant := find_grant(grants, facts)) is not None:
        reason = f"`{grant.prefix}` is granted for this sitting"
        return Allow(reason, "grant", scope=grant.prefix)
    return _ask(facts, policy, facts.reason or f"tier {facts.tier} is asked for")


def _judge_later(
    facts: CallFacts, policy: ConsentPolicy, grants: Sequence[ApprovalGrant]
) -> Verdict:
    """The hardest verdict on the commands that would run later; a yes to them is kept by the
    plan that they go into, so nothing else may keep it."""
    quiet = replace(policy, asked_tiers=policy.asked_tiers - {0, 2})
    found = [
        judge(each, quiet, plan_gate=False, trusted=None, grants=grants) for each in facts.later
    ]
    for verdict in found:
        if isinstance(verdict, Refuse | Decide):
            return verdict
    if asked := next((verdict for verdict in found if isinstance(verdict, Ask)), None):
        return Ask(facts.reason or asked.reason, rule=asked.rule)
    allowed = [verdict for verdict in found if isinstance(verdict, Allow)]
    return next((verdict for verdict in allowed if verdict.via == "grant"), allowed[0])


def _may_be_kept(facts: CallFacts) -> bool:
    return facts.grantable and facts.tier < CEILING and facts.tool not in UNGRANTABLE_TOOLS


def _always_reason(facts: CallFacts) -> str:
    if facts.tool in UNGRANTABLE_TOOLS:
        return facts.reason or "a person ratifies this every time"
    return facts.reason or f"tier {facts.tier} is asked every time"


def _ask(
    facts: CallFacts, policy: ConsentPolicy, reason: str, *, rule: str | None = None
) -> Ask | Decide:
    if policy.unattended:
        return _decide_alone(facts, policy, reason, rule)
    kept = _may_be_kept(facts)
    offered = kept and grant_for(facts) is not None and rule is None
    return Ask(
        reason, facts.scope_words if offered else None, trustable=kept and rule is None, rule=rule
    )


def _decide_alone(facts: CallFacts, policy: ConsentPolicy, reason: str, rule: str | None) -> Decide:
    own_policy = {
        "alter_verification": policy.amendment_policy,
        "switch_to_editing": policy.escalation_policy,
    }.get(facts.tool, "deny")
    if own_policy == "approve" and rule in (None, "asked every time"):
        return Decide(True, f"{facts.tool} is approved by the autonomous policy", rule)
    return Decide(False, f"nobody is here to ask: {reason}", rule)


def _the_call(facts: CallFacts) -> str:
    return f"`{facts.tool}` {facts.reason}" if facts.reason else f"`{facts.tool}` may change things"
