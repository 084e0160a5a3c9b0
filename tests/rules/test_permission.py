"""The order of the pipeline, and what each step says."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Literal

import pytest

from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.permission import (
    ASK_EDITS,
    Allow,
    Ask,
    ConsentPolicy,
    Decide,
    Refuse,
    Verdict,
    judge,
)
from agent_cockpit.rules.consent.policy import ConfiguredRule, RuleBook
from agent_cockpit.rules.consent.rule_entries import parse_allow, parse_rule
from agent_cockpit.rules.facts import CallFacts, CommandPart

MKDIR = CallFacts(
    tool="run_command",
    tier=3,
    reason="makes folders",
    command="mkdir a",
    prefix="mkdir",
    scope_words="every `mkdir …` in this sitting",
    parts=(
        CommandPart(
            text="mkdir a", program="mkdir", tier=3, reason="makes folders", prefix="mkdir"
        ),
    ),
)
REMOVE = replace(
    MKDIR,
    tier=4,
    reason="deletes files",
    command="rm a",
    grantable=False,
    prefix="",
    scope_words=None,
    parts=(CommandPart(text="rm a", program="rm", tier=4, reason="deletes files", prefix="rm"),),
)
LOOK = CallFacts(
    tool="run_command", tier=2, reason="reads only", mutates=False, command="ls", parts=()
)
EDIT = CallFacts(
    tool="str_replace",
    tier=1,
    reason="edits a.py",
    prefix="str_replace",
    scope_words="every `str_replace` in this sitting",
)
READ = CallFacts(tool="read_file", tier=0, mutates=False)
GRANT = ApprovalGrant(tool="run_command", prefix="mkdir", tier=3)


def rule(action: Literal["allow", "ask", "deny"], text: str) -> ConfiguredRule:
    return parse_rule(text, action=action, origin="cockpit.toml:4")


def decide(facts: CallFacts, policy: ConsentPolicy | None = None, **more: Any) -> Verdict:
    told = {"plan_gate": False, "trusted": None, "grants": ()} | more
    return judge(facts, policy or ConsentPolicy(), **told)


EVERYTHING: dict[str, Any] = {"plan_gate": True, "trusted": "session", "grants": (GRANT,)}
"""Every step has something to say; the steps are then taken away one by one."""


def test_the_first_step_that_hits_decides() -> None:
    deny, ask, allow = (rule(a, "run_command:mkdir") for a in ("deny", "ask", "allow"))
    facts = replace(MKDIR, refusal="leaves the workspace")
    policy = ConsentPolicy(rules=RuleBook([allow, ask, deny]))
    verdict = decide(facts, policy, **EVERYTHING)
    assert isinstance(verdict, Refuse)
    assert "/exec" in verdict.reason
    gate_open = EVERYTHING | {"plan_gate": False}
    verdict = decide(facts, policy, **gate_open)
    assert isinstance(verdict, Refuse)
    assert verdict.rule == "deny run_command:mkdir (cockpit.toml:4)"
    policy = ConsentPolicy(rules=RuleBook([allow, ask]))
    assert decide(facts, policy, **gate_open) == Refuse("leaves the workspace", "hard refusal")
    facts = MKDIR
    ungrantable = decide(replace(facts, grantable=False), policy, **gate_open)
    assert isinstance(ungrantable, Ask)
    assert (ungrantable.trustable, ungrantable.grant_scope) == (False, None)
    verdict = decide(facts, policy, **gate_open)
    assert isinstance(verdict, Ask)
    assert verdict.rule == "ask run_command:mkdir (cockpit.toml:4)"
    verdict = decide(facts, ConsentPolicy(rules=RuleBook([allow])), **gate_open)
    assert isinstance(verdict, Allow)
    assert verdict.via == "rule"
    below = ConsentPolicy(asked_tiers=frozenset({4}))
    assert decide(facts, below, **gate_open) == Allow("makes folders", "policy")
    verdict = decide(facts, **gate_open)
    assert isinstance(verdict, Allow)
    assert (verdict.via, verdict.scope) == ("trust", "session")
    verdict = decide(facts, **gate_open | {"trusted": None})
    assert isinstance(verdict, Allow)
    assert (verdict.via, verdict.scope) == ("grant", "mkdir")
    verdict = decide(facts, ConsentPolicy(unattended=True))
    assert isinstance(verdict, Decide)
    assert verdict.allowed is False
    assert decide(facts) == Ask("makes folders", MKDIR.scope_words, trustable=True)


@pytest.mark.parametrize("trusted", [None, "turn", "session"])
@pytest.mark.parametrize("unattended", [False, True])
def test_the_worst_tier_is_never_allowed_ahead(trusted: str | None, unattended: bool) -> None:
    policy = ConsentPolicy(
        rules=RuleBook([rule("allow", "run_command")]),
        unattended=unattended,
        asked_tiers=frozenset(),
    )
    held = (ApprovalGrant(tool="run_command", prefix="rm", tier=4),)
    verdict = decide(REMOVE, policy, trusted=trusted, grants=held)
    if unattended:
        assert isinstance(verdict, Decide)
        assert not verdict.allowed
        assert "deletes files" in verdict.reason
    else:
        assert verdict == Ask("deletes files", None, trustable=False, rule="asked every time")


def test_plan_mode_stops_what_changes_and_nothing_else() -> None:
    assert isinstance(decide(EDIT, plan_gate=True), Refuse)
    assert isinstance(decide(REMOVE, plan_gate=True), Refuse)
    assert isinstance(decide(READ, plan_gate=True), Allow)
    assert isinstance(decide(LOOK, plan_gate=True), Allow)


def test_plan_mode_lets_a_doubtful_read_be_asked_for() -> None:
    outside = replace(LOOK, tier=3, grantable=False, reason="reaches outside the workspace")
    assert isinstance(decide(outside, plan_gate=True), Ask)


def test_edits_are_asked_for_only_where_the_policy_says_so() -> None:
    assert decide(EDIT) == Allow("edits a.py", "policy")
    asked = decide(EDIT, ConsentPolicy(asked_tiers=ASK_EDITS))
    assert asked == Ask("edits a.py", EDIT.scope_words, trustable=True)
    held = (ApprovalGrant(tool="str_replace", prefix="str_replace", tier=1),)
    granted = decide(EDIT, ConsentPolicy(asked_tiers=ASK_EDITS), grants=held)
    assert isinstance(granted, Allow)
    assert granted.via == "grant"


@pytest.mark.parametrize("facts", [READ, LOOK])
def test_looking_is_not_asked_for(facts: CallFacts) -> None:
    assert isinstance(decide(facts, ConsentPolicy(asked_tiers=ASK_EDITS)), Allow)


@pytest.mark.parametrize(
    ("tool", "setting"),
    [("alter_verification", "amendment_policy"), ("switch_to_editing", "escalation_policy")],
)
def test_an_autonomous_policy_answers_for_its_own_tool_alone(tool: str, setting: str) -> None:
    facts = CallFacts(tool=tool, tier=3, reason="changes the contract", prefix=tool)
    alone = ConsentPolicy(unattended=True)
    approving = replace(alone, **{setting: "approve"})  # type: ignore[arg-type]
    assert decide(facts) == Ask("changes the contract", rule="asked every time")
    assert decide(facts, alone) == Decide(
        False, "nobody is here to ask: changes the contract", "asked every time"
    )
    verdict = decide(facts, approving)
    assert isinstance(verdict, Decide)
    assert verdict.allowed
    other = decide(replace(facts, tool="delete_file"), approving)
    assert isinstance(other, Decide)
    assert not other.allowed
    assert decide(facts, replace(approving, unattended=False)) == decide(facts)


def test_a_deny_rule_reaches_into_every_part_and_wrapper() -> None:
    parts = (
        CommandPart(text="ls", program="ls", tier=2, reason="", prefix="ls", mutates=False),
        CommandPart(
            text='git "push" -f',
            program="git",
            tier=4,
            reason="",
            prefix="git push",
            words=("git", "push", "-f"),
        ),
    )
    line = replace(MKDIR, parts=parts)
    for pattern in ("git", "git push", "git push -f", "ls"):
        denied = decide(
            line, ConsentPolicy(rules=RuleBook([rule("deny", f"run_command:{pattern}")]))
        )
        assert isinstance(denied, Refuse), pattern
    for pattern in ("gi", "git pus", "git pull"):
        passed = decide(
            line, ConsentPolicy(rules=RuleBook([rule("deny", f"run_command:{pattern}")]))
        )
        assert not isinstance(passed, Refuse), pattern


def test_an_allow_rule_must_meet_every_part() -> None:
    both = replace(
        MKDIR,
        prefix="",
        parts=(
            *MKDIR.parts,
            CommandPart(text="touch b", program="touch", tier=3, reason="", prefix="touch"),
        ),
    )
    one = (rule("allow", "run_command:mkdir"),)
    assert isinstance(decide(both, ConsentPolicy(rules=RuleBook(one))), Ask)
    two = (*one, rule("allow", "run_command:touch"))
    assert isinstance(decide(both, ConsentPolicy(rules=RuleBook(two))), Allow)
    assert isinstance(
        decide(both, ConsentPolicy(rules=RuleBook([rule("allow", "run_command")]))), Allow
    )


def test_a_rule_for_one_tool_leaves_the_others_alone() -> None:
    policy = ConsentPolicy(rules=RuleBook([rule("deny", "delete_file")]), asked_tiers=ASK_EDITS)
    assert isinstance(decide(EDIT, policy), Ask)
    assert isinstance(decide(replace(EDIT, tool="delete_file"), policy), Refuse)


def test_an_allow_flag_is_read_into_a_rule() -> None:
    assert parse_allow("run_command:git status") == ConfiguredRule(
        "allow", "run_command", "git status", "--allow"
    )
    assert parse_allow(" str_replace ") == ConfiguredRule("allow", "str_replace", "", "--allow")
    assert str(parse_allow("run_command: mkdir  ")) == "allow run_command:mkdir (--allow)"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("", "names no tool"),
        (":git", "names no tool"),
        ("git status", "names no tool"),
        ("run_command:", "nothing after the colon"),
        ("run_command:git status; ls", "shell signs"),
        ("run_command:git *", "shell signs"),
        ("run_command:$(x)", "shell signs"),
        ("read_file:src", "only commands"),
        ("run_command:rm", "deletes files"),
        ("run_command:git push", "asked every time"),
        ("run_command:sudo", "asked every time"),
    ],
)
def test_a_flag_that_cannot_work_says_what_to_write(text: str, says: str) -> None:
    with pytest.raises(ValueError, match=r"^--allow: ") as raised:
        parse_allow(text)
    assert says in str(raised.value)


def test_a_deny_rule_may_name_what_an_allow_rule_cannot() -> None:
    assert rule("deny", "run_command:rm").pattern == "rm"


def test_every_verdict_says_what_decided_and_why() -> None:
    deny, ask, allow = (rule(action, "run_command:mkdir") for action in ("deny", "ask", "allow"))
    assert decide(MKDIR, plan_gate=True) == Refuse(
        "plan mode only reads, and `run_command` makes folders; put it in the plan instead "
        "(the person leaves plan mode with /exec)",
        rule="plan mode",
    )
    silent = decide(replace(MKDIR, reason=""), plan_gate=True)
    assert isinstance(silent, Refuse)
    assert "and `run_command` may change things;" in silent.reason
    assert decide(MKDIR, ConsentPolicy(rules=RuleBook([deny]))) == Refuse(
        f"a configured rule denies this: {deny}", rule=str(deny)
    )
    assert decide(MKDIR, ConsentPolicy(rules=RuleBook([ask]))) == Ask(
        f"a configured rule asks: {ask}", None, trustable=False, rule=str(ask)
    )
    assert decide(MKDIR, ConsentPolicy(rules=RuleBook([allow]))) == Allow(
        f"a configured rule allows this: {allow}", "rule", rule=str(allow)
    )
    assert decide(MKDIR, trusted="turn") == Allow(
        "approved before, for this goal", "trust", scope="turn"
    )
    assert decide(MKDIR, trusted="session") == Allow(
        "approved before, for this sitting", "trust", scope="session"
    )
    assert decide(MKDIR, grants=(GRANT,)) == Allow(
        "`mkdir` is granted for this sitting", "grant", scope="mkdir"
    )
    bare = CallFacts(tool="run_command", tier=3)
    assert decide(bare) == Ask("tier 3 is asked for", trustable=True)


@pytest.mark.parametrize("trusted", [None, "session"])
def test_the_ceiling_holds_for_facts_that_say_otherwise(trusted: str | None) -> None:
    kept = replace(REMOVE, grantable=True, prefix="rm", scope_words="every `rm …`", reason="")
    held = (ApprovalGrant(tool="run_command", prefix="rm", tier=4),)
    assert decide(kept, trusted=trusted, grants=held) == Ask(
        "tier 4 is asked every time", None, trustable=False, rule="asked every time"
    )
    ratified = CallFacts(tool="alter_verification", tier=3)
    assert decide(ratified) == Ask("a person ratifies this every time", rule="asked every time")


def test_always_is_offered_only_where_it_would_store_something() -> None:
    nameless = replace(MKDIR, prefix="", scope_words="every `mkdir …`")
    assert decide(nameless) == Ask("makes folders", None, trustable=True)


def test_an_autonomous_policy_is_recorded_as_what_it_is() -> None:
    facts = CallFacts(tool="alter_verification", tier=3, reason="changes the contract")
    policy = ConsentPolicy(unattended=True, amendment_policy="approve")
    assert decide(facts, policy) == Decide(
        True, "alter_verification is approved by the autonomous policy", "asked every time"
    )
    asked = ConsentPolicy(
        unattended=True,
        amendment_policy="approve",
        rules=RuleBook([rule("ask", "alter_verification")]),
    )
    verdict = decide(facts, asked)
    assert isinstance(verdict, Decide)


# ── commands that would run later ────────────────────────────────────────────────────────────────


def contract(*later: CallFacts, tool: str = "declare_verification") -> CallFacts:
    worst = max(each.tier for each in later)
    return CallFacts(
        tool=tool,
        tier=0 if worst < 3 and tool == "declare_verification" else 3,
        reason="declares",
        mutates=False,
        parts=tuple(part for each in later for part in each.parts),
        grantable=worst < 3,
        later=later,
    )


ALLOW_MKDIR = RuleBook([ConfiguredRule("allow", "run_command", "mkdir", "flag")])
DENY_MKDIR = RuleBook([ConfiguredRule("deny", "run_command", "mkdir", "flag")])
ASK_LS = RuleBook([ConfiguredRule("ask", "run_command", "", "flag")])


@pytest.mark.parametrize(
    ("facts", "policy", "grants", "expected"),
    [
        (contract(LOOK), ConsentPolicy(), (), Allow),
        (contract(LOOK), ConsentPolicy(asked_tiers=frozenset(range(5))), (), Allow),
        (contract(replace(LOOK, tier=0)), ConsentPolicy(asked_tiers=frozenset({0, 2})), (), Allow),
        (contract(LOOK), ConsentPolicy(rules=ASK_LS), (), Ask),
        (contract(LOOK, MKDIR), ConsentPolicy(), (), Ask),
        (contract(LOOK, MKDIR), ConsentPolicy(), (GRANT,), Allow),
        (contract(LOOK, MKDIR), ConsentPolicy(rules=ALLOW_MKDIR), (), Allow),
        (contract(LOOK, MKDIR), ConsentPolicy(rules=DENY_MKDIR), (GRANT,), Refuse),
        (contract(MKDIR, REMOVE), ConsentPolicy(rules=ALLOW_MKDIR), (GRANT,), Ask),
        (contract(MKDIR), ConsentPolicy(unattended=True), (), Decide),
        (contract(MKDIR), ConsentPolicy(unattended=True, rules=ALLOW_MKDIR), (), Allow),
    ],
)
def test_a_contract_is_judged_by_the_commands_that_it_will_run(
    facts: CallFacts, policy: ConsentPolicy, grants: tuple[ApprovalGrant, ...], expected: type
) -> None:
    verdict = judge(facts, policy, plan_gate=False, trusted="session", grants=grants)
    assert isinstance(verdict, expected)
    if isinstance(verdict, Ask):
        assert (verdict.grant_scope, verdict.trustable) == (None, False)
    if isinstance(verdict, Decide):
        assert not verdict.allowed


@pytest.mark.parametrize("rules", [RuleBook(), ALLOW_MKDIR])
def test_an_amendment_is_ratified_whatever_its_commands_may_do(rules: RuleBook) -> None:
    facts = contract(MKDIR, tool="alter_verification")
    verdict = judge(
        facts, ConsentPolicy(rules=rules), plan_gate=False, trusted="session", grants=(GRANT,)
    )
    assert isinstance(verdict, Ask)
    assert (verdict.grant_scope, verdict.trustable) == (None, False)


@pytest.mark.parametrize(
    ("facts", "rules", "allowed"),
    [(LOOK, RuleBook(), True), (MKDIR, RuleBook(), False), (MKDIR, ALLOW_MKDIR, True)],
)
def test_alone_an_amendment_brings_no_command_that_a_person_would_be_asked_about(
    facts: CallFacts, rules: RuleBook, allowed: bool
) -> None:
    policy = ConsentPolicy(unattended=True, amendment_policy="approve", rules=rules)
    amended = contract(facts, tool="alter_verification")
    verdict = judge(amended, policy, plan_gate=False, trusted=None, grants=())
    assert isinstance(verdict, Decide)
    assert verdict.allowed is allowed


def test_a_contract_says_what_decided_about_its_commands() -> None:
    asked = decide(contract(LOOK, MKDIR), ConsentPolicy(rules=ASK_LS))
    assert asked == Ask("declares", rule="ask run_command (flag)")
    silent = replace(contract(MKDIR), reason="")
    assert decide(silent) == Ask("makes folders")
    assert decide(contract(LOOK, MKDIR), grants=(GRANT,)) == Allow(
        "`mkdir` is granted for this sitting", "grant", scope="mkdir"
    )
    amended = contract(MKDIR, tool="alter_verification")
    alone = ConsentPolicy(unattended=True, amendment_policy="approve")
    assert decide(amended, alone) == Decide(False, "nobody is here to ask: makes folders", None)
    ruled = replace(alone, rules=ASK_LS)
    assert decide(contract(LOOK, tool="alter_verification"), ruled) == Decide(
        False,
        "nobody is here to ask: a configured rule asks: ask run_command (flag)",
        "ask run_command (flag)",
    )


@pytest.mark.parametrize("unattended", [False, True])
def test_a_rule_for_declaring_itself_is_asked_though_its_commands_are_allowed(
    unattended: bool,
) -> None:
    rules = RuleBook([rule("ask", "declare_verification"), *ALLOW_MKDIR.rules])
    policy = ConsentPolicy(unattended=unattended, rules=rules)
    for facts in (contract(LOOK), contract(MKDIR)):
        verdict = decide(facts, policy, grants=(GRANT,))
        assert isinstance(verdict, Decide if unattended else Ask)
        assert verdict.rule == "ask declare_verification (cockpit.toml:4)"
        assert f"a configured rule asks: {verdict.rule}" in verdict.reason
