"""Laws of configured rules, for random command lines: no deny is evaded, by whatever spelling,
and nobody's presence changes a verdict."""

from __future__ import annotations

import shlex

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.permission import (
    Allow,
    Ask,
    ConsentPolicy,
    Decide,
    Refuse,
    Verdict,
    judge,
)
from agent_cockpit.rules.consent.policy import ConfiguredRule, RuleBook
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.shell.command_line import analyse
from agent_cockpit.settings import SENSITIVE_PATHS
from tests.rules.test_command_line import CHAINS, SHELL_TEXT, WRAPS, cases

DENIED = {
    "git push": ("git", "push", "origin"),
    "rm": ("rm", "-r", "d"),
    "mkdir": ("mkdir", "d"),
    "npm run deploy*": ("npm", "run", "deploy:prod"),
    "docker compose down": ("docker", "compose", "down"),
    "pytest -x": ("pytest", "-q", "-x"),
    "ls": ("ls", "-la"),
}
BEFORE_THE_SUB_COMMAND = {"git": ("-C sub", "--no-pager", "-c color.ui=never", "--unheard-of")}
QUOTES = ("{}", "'{}'", '"{}"', "\\{}", "$'{}'", "{}''", '""{}', "\\\n{}")
PLACES = ("", "/bin/", "/usr/bin/", "./", "/opt/x/")
LOOK_ALIKES = {"i": "\u0456", "o": "\u043e", "e": "\u0435", "m": "\uff4d", "p": "\u0440"}
HIDDEN = ("\u200b", "\u202e", "\ufeff", "\u00ad", "\u2066")
GAPS = (" ", "  ", "\t", " \\\n ")
HANDED = (
    "sh -c {}",
    "bash -lc {}",
    "eval {}",
    "echo {} | sh",
    "bash <<< {}",
    "trap {} EXIT",
    "env -S {}",
    "sudo sh -c {}",
    "x={}; eval $x",
    "python3 -c {}",
    "find . -exec sh -c {} \\;",
    "xargs -I@ sh -c {}",
    "watch {}",
    "parallel {} ::: a",
    "git -c alias.x='!'{} x",
)
"""Take a whole line as one word, and start it."""

EVERYTHING = tuple(
    ApprovalGrant(tool="run_command", prefix=prefix, tier=3)
    for prefix in (
        "git push",
        "rm",
        "mkdir",
        "npm run deploy:prod",
        "docker compose down",
        "pytest",
    )
)


def facts_of(command: str) -> CallFacts:
    seen = analyse(command, root="/w/proj", sensitive_globs=SENSITIVE_PATHS)
    return CallFacts(
        tool="run_command",
        tier=seen.tier,
        reason=seen.reason,
        mutates=seen.mutates,
        command=command,
        parts=seen.parts,
        reads=seen.reads,
        writes=seen.writes,
        grantable=seen.grantable,
        prefix=seen.prefix,
        scope_words=seen.scope_words,
        refusal=seen.refusal,
    )


def verdict_on(facts: CallFacts, *rules: ConfiguredRule, unattended: bool = False) -> Verdict:
    """With everything allowed, trusted and granted that can be."""
    allow_all = ConfiguredRule("allow", "run_command", "", "flag")
    policy = ConsentPolicy(
        rules=RuleBook([allow_all, *rules]), asked_tiers=frozenset(), unattended=unattended
    )
    return judge(facts, policy, plan_gate=False, trusted="session", grants=EVERYTHING)


@st.composite
def spellings(draw: st.DrawFn) -> tuple[str, str]:
    """A denied command's pattern, and a line that starts it under another look."""
    pattern, words = draw(st.sampled_from(sorted(DENIED.items())))
    shown = [_spelled(draw, word) for word in words]
    if draw(st.integers(0, 4)) == 0:
        shown[0] = draw(st.sampled_from(PLACES)) + words[0]
    if (options := BEFORE_THE_SUB_COMMAND.get(words[0])) and draw(st.booleans()):
        shown.insert(1, draw(st.sampled_from(options)))
    line = draw(st.sampled_from(GAPS)).join(shown)
    for _ in range(draw(st.integers(0, 2))):
        line = f"{draw(st.sampled_from(['A=1', 'B=', 'C=x/y']))} {line}"
    for wrap in draw(st.lists(st.sampled_from(WRAPS), max_size=2)):
        if "\\;" not in line:
            line = wrap.replace("{}", line if "=" not in line else f"env {line}")
    return pattern, _placed(draw, line)


def _spelled(draw: st.DrawFn, word: str) -> str:
    how = draw(st.integers(0, 5))
    if how == 0:
        return "".join(draw(st.sampled_from(QUOTES)).format(char) for char in word)
    if how == 1:
        return "".join(LOOK_ALIKES.get(char, char) for char in word)
    if how == 2:
        at = draw(st.integers(0, len(word)))
        return word[:at] + draw(st.sampled_from(HIDDEN)) + word[at:]
    return word


def _placed(draw: st.DrawFn, line: str) -> str:
    for chain in draw(st.lists(st.sampled_from(CHAINS), max_size=2)):
        if "\\\n" not in line:
            line = chain.format(line)
    if draw(st.booleans()):
        line = draw(st.sampled_from(HANDED)).format(shlex.quote(line))
    return line


@given(spellings())
@settings(max_examples=80)
def test_no_deny_is_evaded_by_another_spelling(case: tuple[str, str]) -> None:
    pattern, line = case
    rule = ConfiguredRule("deny", "run_command", pattern, "file")
    facts = facts_of(line)
    for unattended in (False, True):
        verdict = verdict_on(facts, rule, unattended=unattended)
        assert isinstance(verdict, Refuse), (pattern, line)
        assert verdict.rule == str(rule)


@given(spellings())
@settings(max_examples=50)
def test_no_grant_trust_or_allow_rule_beats_an_ask_rule(case: tuple[str, str]) -> None:
    pattern, line = case
    rule = ConfiguredRule("ask", "run_command", pattern, "file")
    facts = facts_of(line)
    assert isinstance(verdict_on(facts, rule), Ask)
    alone = verdict_on(facts, rule, unattended=True)
    assert isinstance(alone, Decide)
    assert not alone.allowed


NAMED = {"git": "git push", "rm": "rm x", "mkdir": "mkdir x"}


@given(
    st.sampled_from(sorted(NAMED)),
    st.lists(
        st.sampled_from(
            [
                *("x={name}; $x {rest}", "x='{line}'; $x", "{{{name},{rest}}}", "`echo {line}`"),
                *("$(echo {name}) {rest}", "alias q='{line}'; q", "f() {{ {line}; }}; f"),
                *("echo {rest} | xargs {name}", "cat <<E | sh\n{line}\nE", "{name} $(echo {rest})"),
                *("perl -e 'system(\"{line}\")'", "make SHELL='{line}'", "vim -c '!{line}'"),
                *("awk 'BEGIN{{system(\"{line}\")}}'", "declare -x q='{line}'; $q"),
                *(
                    "printf '{line}' > a; . a; $(printf '{line}')",
                    "env $X {line}",
                    "nice $X {line}",
                ),
            ]
        ),
        min_size=1,
        max_size=2,
    ),
)
def test_a_line_that_hides_what_it_starts_is_searched_for_what_is_denied(
    name: str, frames: list[str]
) -> None:
    line = NAMED[name]
    rest = line.removeprefix(f"{name} ")
    shown = "; ".join(frame.format(name=name, line=line, rest=rest) for frame in frames)
    rule = ConfiguredRule("deny", "run_command", name, "file")
    assert isinstance(verdict_on(facts_of(shown), rule), Refuse), shown


@given(st.sampled_from([command for *_, command in cases()]) | SHELL_TEXT)
@settings(max_examples=100)
def test_with_and_without_a_person_the_verdict_is_the_same(command: str) -> None:
    rules = (
        ConfiguredRule("deny", "run_command", "git push", "file"),
        ConfiguredRule("ask", "run_command", "npm", "file"),
        ConfiguredRule("allow", "run_command", "mkdir", "file"),
        ConfiguredRule("deny", "", "", "file", path="src/**"),
    )
    facts = facts_of(command)
    for policy in (ConsentPolicy(), ConsentPolicy(rules=RuleBook(rules))):
        alone = ConsentPolicy(rules=policy.rules, unattended=True)
        here = judge(facts, policy, plan_gate=False, trusted=None, grants=())
        away = judge(facts, alone, plan_gate=False, trusted=None, grants=())
        if isinstance(here, Ask):
            assert isinstance(away, Decide)
            assert not away.allowed
            assert away.rule == here.rule
        else:
            assert isinstance(here, Allow | Refuse)
            assert away == here


@given(SHELL_TEXT, st.sampled_from(["*", "ls", "rm", "git push", "x*y", "-"]))
@settings(max_examples=100)
def test_no_text_breaks_the_look_up(text: str, pattern: str) -> None:
    rules = [ConfiguredRule(action, "run_command", pattern, "") for action in ("deny", "ask")]
    rules += [ConfiguredRule("deny", "", "", "", path=path) for path in ("a/**", "*.py", "b/*/c")]
    book = RuleBook(rules)
    facts = facts_of(text)
    for action in ("deny", "ask", "allow"):
        found = book.find(action, facts)
        assert found is None or found in rules
