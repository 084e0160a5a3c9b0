"""What a configured rule means, under every spelling that a call can have."""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from agent_cockpit.rules.consent.policy import Action, ConfiguredRule, RuleBook, rules_without_tool
from agent_cockpit.rules.consent.rule_entries import parse_entry
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.rules.shell.command_line import analyse
from agent_cockpit.settings import SENSITIVE_PATHS
from tests.support.steps import steps_of


def command(text: str) -> CallFacts:
    seen = analyse(text, root="/w/proj", sensitive_globs=SENSITIVE_PATHS)
    return CallFacts(
        tool="run_command",
        tier=seen.tier,
        command=text,
        parts=seen.parts,
        reads=seen.reads,
        writes=seen.writes,
        grantable=seen.grantable,
        prefix=seen.prefix,
    )


def edit(path: str, tool: str = "str_replace") -> CallFacts:
    return CallFacts(tool=tool, tier=1, writes=(path,))


def entry(**table: Any) -> tuple[ConfiguredRule, ...]:
    return parse_entry(table, origin="a.toml, line 3")


def means(facts: CallFacts, action: Action = "deny", **table: Any) -> bool:
    book = RuleBook(entry(action=action, **table))
    return book.find(action, facts) is not None


@pytest.mark.parametrize(
    ("pattern", "line", "met"),
    [
        ("git push", "git push", True),
        ("git push", "git push origin main", True),
        ("git push", "git -C sub push", True),
        ("git push", "git --no-pager -c color.ui=never push", True),
        ("git push", "git --unheard-of push", True),
        ("git push", "/usr/bin/git push", True),
        ("git push", "./git push", True),
        ("git push", "GIT push", True),
        ("git push", "g\"i\"t 'pu'sh", True),
        ("git push", "git \\\n  push", True),
        ("git push", "$'\\x67it' push", True),
        ("git push", "ls\ngit push", True),
        ("git push", "ls && (cd src; git push)", True),
        ("git push", "FOO=1 git push", True),
        ("git push", "FOO=1 BAR=2 timeout 5 nice git push", True),
        ("git push", "sudo -u me git push", True),
        ("git push", "sh -c 'git push'", True),
        ("git push", "bash -c \"bash -c 'git push'\"", True),
        ("git push", "eval git push", True),
        ("git push", "echo x | xargs git push", True),
        ("git push", "echo push | xargs git", True),
        ("git push", "echo 'git push' | sh", True),
        ("git push", "sh <<'EOF'\ngit push\nEOF", True),
        ("git push", "g=git; $g push", True),
        ("git push", "git {push,--force}", True),
        ("git push", "git `echo push`", True),
        ("git push", "alias x='git push'; x", True),
        ("git push", "watch git push", True),
        ("git push", "uv run git push", True),
        ("git push", "find . -exec git push ;", True),
        ("git push", "python -c \"import os; os.system('git push')\"", True),
        ("git push", "git -c alias.x=push x", True),
        ("git push", "g\u0456t push", True),
        ("git push", "\uff47\uff49\uff54 push", True),
        ("git push", "git\u200b push", True),
        ("git push", "git push\x1b[2J", True),
        ("git push", "git pu\x08sh", True),
        ("git push", "git pull", False),
        ("git push", "git commit -m push", False),
        ("git push", "git log --grep 'git push'", False),
        ("git push", "echo git push", False),
        ("git push", "gitx push", False),
        ("git push", 'git commit -m "$MSG about push"', False),
        ("git", "git status", True),
        ("git", "echo git", False),
        ("git push --force", "git push origin main --force", True),
        ("git push --force", "git push --forc origin", True),
        ("git push --force", "git push --force=yes", True),
        ("git push --force", "git push --force-with-lease", False),
        ("git push --force", "git push", False),
        ("git push --force*", "git push --force-with-lease", True),
        ("rm -rf", "rm -rf build", True),
        ("rm -rf", "rm -fr build", True),
        ("rm -rf", "rm build -r -f", True),
        ("rm -rf", "rm -r build", False),
        ("rm -rf", "timeout 5 rm -rf build", True),
        ("rm", "busybox rm x", True),
        ("mkdir", "watch mkdir x", True),
        ("mkdir", "env --unheard-of mkdir x", True),
        ("npm run deploy*", "npm run deploy:prod", True),
        ("npm run deploy*", "npm run build", False),
        ("pip install", "python -m pip install x", True),
        ("pip install", ".venv/bin/pip install x", True),
        ("docker compose down", "docker compose down -v", True),
        ("git stash", "git stash", True),
        ("kubectl*", "kubectl-x get pods", True),
        ("timeout", "timeout 5 ls", True),
        ("sudo", "sudo ls", True),
        ("*", "ls", True),
    ],
)
def test_a_deny_rule_meets_every_spelling_of_what_it_names(
    pattern: str, line: str, met: bool
) -> None:
    assert means(command(line), command=pattern) is met
    assert means(command(line), "ask", command=pattern) is met


@pytest.mark.parametrize(
    ("pattern", "line", "met"),
    [
        ("npm run build", "npm run build", True),
        ("npm run build", "npm run build -- --watch", True),
        ("npm run build", "npm run build:all", False),
        ("npm run test:*", "npm run test:unit", True),
        ("npm run test:*", "npm run tests", False),
        ("mkdir", "mkdir a && mkdir b | cat", True),
        ("mkdir", "mkdir a && touch b", False),
        ("mkdir", "MKDIR a", False),
        ("mkdir", "./mkdir a", False),
        ("mkdir", "m\u03bakdir a", False),
        ("mkdir", "ls && mkdir a", True),
        ("git commit -m", "git commit -m x", True),
        ("git commit -m", "git commit -a -m x", False),
        ("git status", "git status", True),
    ],
)
def test_an_allow_rule_goes_by_its_letters(pattern: str, line: str, met: bool) -> None:
    assert means(command(line), "allow", command=pattern) is met


@pytest.mark.parametrize(
    ("path", "touched", "met"),
    [
        ("migrations/**", "migrations/1.sql", True),
        ("migrations/**", "migrations/old/1.sql", True),
        ("migrations", "app/migrations/1.sql", True),
        ("migrations/", "./app/../migrations/1.sql", True),
        ("app/migrations", "app/migrations/1.sql", True),
        ("app/migrations", "migrations/1.sql", False),
        ("app/migrations", "/w/proj-old/app/migrations/1.sql", True),
        ("*.lock", "a/uv.lock", True),
        ("src/*.py", "src/a.py", True),
        ("src/*.py", "src/x/a.py", False),
        ("src/**/*.py", "src/x/y/a.py", True),
        ("src/**/*.py", "src/a.py", True),
        ("SRC/A.py", "src/a.PY", True),
        ("src/a.py", "src/\uff41.py", True),
        ("src/a.py", "src/b.py", False),
    ],
)
def test_a_path_is_met_under_every_name(path: str, touched: str, met: bool) -> None:
    assert means(edit(touched), path=path) is met


@pytest.mark.parametrize(
    "line",
    [
        "cat migrations/1.sql",
        "sed -i s/a/b/ migrations/1.sql",
        "echo x > migrations/1.sql",
        "cd migrations && cat 1.sql",
        "python x.py migrations/1.sql",
        "python x.py --file=migrations/1.sql",
        "cat ./a/../migrations//1.sql",
        "cat migrations/?.sql",
        "timeout 5 cat migrations/1.sql",
        "sh -c 'cat migrations/1.sql'",
        "cp a.sql migrations/",
        "python -c \"open('migrations/1.sql', 'w')\"",
        'sh -c "x=migrations/1.sql; rm $x"',
        "make -C migrations clean",
    ],
)
def test_a_command_touches_every_path_that_it_names(line: str) -> None:
    assert means(command(line), path="migrations/**")
    assert not means(command(line), path="other/**")
    assert not means(command(line), path="migrations/**", tool="str_replace")


@pytest.mark.parametrize(
    "line",
    [
        "cd app && python x.py db/1.sql",
        "cd app; cd db; python x.py 1.sql",
        "(cd ./app && make db/all)",
        "git -C app checkout db/1.sql",
        "cd app && cat db/*.sql",
        "cd app/lib && touch ../db/1.sql",
        "python x.py /w/proj/app/db/1.sql",
    ],
)
def test_a_path_is_met_from_every_folder_that_a_line_goes_to(line: str) -> None:
    assert means(command(line), path="app/db")
    assert not means(command(line), path="app/other")


def test_a_pattern_of_the_shell_touches_all_that_it_may_become() -> None:
    assert means(command("cat migr*/1.sql"), path="migrations/**")
    assert means(command("cat */1.sql"), path="migrations/**")
    assert not means(command("cat migr*/1.sql"), path="src")
    assert not means(command("cat src/*.py"), path="*.sql")
    assert means(command("cat **/1.sql"), path="migrations/**")
    assert means(command(f"cat {'**/' * 400}1.sql"), path="migrations/**")


def test_command_and_path_must_both_fit() -> None:
    rule: dict[str, Any] = {"command": "rm", "path": "data/**"}
    assert means(command("rm data/x"), **rule)
    assert not means(command("rm other/x"), **rule)
    assert not means(command("cat data/x"), **rule)


def test_lists_mean_any_of_their_texts() -> None:
    rule: dict[str, Any] = {"command": ["git push", "npm publish"]}
    assert means(command("npm publish"), **rule)
    assert means(command("git push"), **rule)
    both: dict[str, Any] = {"tool": ["write_file", "delete_file"], "path": ["a", "b"]}
    assert means(edit("b", "delete_file"), **both)
    assert not means(edit("c", "delete_file"), **both)
    assert not means(edit("a", "str_replace"), **both)


def test_a_rule_about_commands_means_every_tool_that_leads_to_one() -> None:
    push = command("git push").parts
    declared = CallFacts(tool="declare_verification", tier=3, parts=push)
    assert means(declared, command="git push")
    assert not means(declared, "allow", command="git status")
    check = CallFacts(tool="run_tests", tier=2, command="timeout 60 pytest -q", prefix="run_tests")
    assert means(check, command="pytest")
    assert means(check, tool="run_tests")
    assert not means(check, command="ruff")
    assert not means(check, "allow", command="pytest")


def test_an_allow_rule_for_a_place_wants_all_that_is_touched_there() -> None:
    inside = CallFacts(tool="write_file", tier=1, writes=("docs/a.md",))
    both = CallFacts(tool="write_file", tier=1, writes=("docs/a.md", "src/a.py"))
    assert means(inside, "allow", path="docs/**")
    assert not means(both, "allow", path="docs/**")
    assert not means(CallFacts(tool="write_file", tier=1), "allow", path="docs/**")
    assert not means(edit("docs/[a.md", "x"), "allow", path="docs/?a.md", tool="write_file")
    assert not means(edit("Docs/a.md"), "allow", path="docs/**")
    assert not means(command("touch docs/a.md"), "allow", path="docs/**")


def test_a_rule_is_named_with_its_place_and_reason() -> None:
    (rule,) = entry(action="deny", command="git push", reason="releases go through  CI")
    assert str(rule) == "deny run_command:git push (a.toml, line 3)"
    assert rule.told.endswith("(a.toml, line 3) - releases go through CI")
    (rule,) = entry(action="ask", path="migrations/**")
    assert str(rule) == "ask every call in migrations/** (a.toml, line 3)"


@pytest.mark.parametrize(
    ("table", "says"),
    [
        ({}, "`action` is"),
        ({"action": "refuse", "tool": "x"}, "not 'refuse'"),
        ({"action": ["deny"], "tool": "x"}, "`action` is"),
        ({"action": "deny"}, "would mean nothing"),
        ({"action": "deny", "comand": "x"}, "did you mean `command`"),
        ({"action": "deny", "\x1b[2J": "x"}, "it has action, tool"),
        ({"action": "deny", "command": 3}, "a text or a list of texts"),
        ({"action": "deny", "command": ["x", 3]}, "a text or a list of texts"),
        ({"action": "deny", "command": ""}, "`command` is empty"),
        ({"action": "deny", "command": []}, "`command` is empty"),
        ({"action": "deny", "command": "git push; ls"}, "shell signs"),
        ({"action": "deny", "command": "git 'push'"}, "shell signs"),
        ({"action": "deny", "command": "git\npush"}, "shell signs"),
        ({"action": "deny", "command": "x", "tool": "read_file"}, 'is "run_command" or left out'),
        ({"action": "deny", "tool": "run command"}, "no name of a tool"),
        ({"action": "deny", "path": "../x"}, "leads out of the workspace"),
        ({"action": "deny", "path": "~/x"}, "leads out of the workspace"),
        ({"action": "deny", "path": "**"}, "means every file"),
        ({"action": "allow", "command": "rm"}, "asked every time"),
        ({"action": "allow", "command": "git push"}, "asked every time"),
        ({"action": "allow", "command": "ls", "path": "x"}, "`command` or `path`"),
        ({"action": "allow", "tool": "run_command", "path": "x"}, "for file tools"),
        ({"action": "deny", "command": "git push", "match": ["git pull"]}, "does not mean"),
        ({"action": "deny", "command": "git", "not_match": ["git pull"]}, "means 'git pull'"),
        ({"action": "allow", "command": "mkdir", "match": ["mkdir a; rm b"]}, "does not mean"),
        ({"action": "allow", "command": "mkdir", "match": ["mkdir $X"]}, "can never be allowed"),
        ({"action": "deny", "path": "a/**", "match": ["b/c"]}, "does not mean 'b/c'"),
        ({"action": "deny", "tool": "write_*", "match": ["str_replace"]}, "does not mean"),
        ("deny git push", "a rule is a table"),
        (None, "a rule is a table"),
    ],
)
def test_an_entry_that_cannot_work_says_what_to_write(table: Any, says: str) -> None:
    with pytest.raises(ValueError, match=re.escape(says)) as raised:
        parse_entry(table, origin="a.toml, line 3")
    assert "\x1b" not in str(raised.value)
    assert "\n" not in str(raised.value)


def test_examples_that_hold_leave_the_rule_as_it_is() -> None:
    (rule,) = entry(
        action="deny",
        command="git push",
        match=["git push origin main", "sudo git -C sub push"],
        not_match="git pull",
    )
    assert rule.pattern == "git push"
    assert entry(action="deny", path="a/**", match="a/b", not_match="c")
    assert entry(action="deny", tool="write_*", match="write_file", not_match="read_file")
    assert entry(action="allow", command="ls", match="ls -la")


def test_a_project_may_only_deny_and_ask() -> None:
    with pytest.raises(ValueError, match="a project may only deny or ask"):
        parse_entry({"action": "allow", "command": "ls"}, origin="x", may_allow=False)
    assert parse_entry({"action": "ask", "command": "ls"}, origin="x", may_allow=False)


def test_a_rule_for_a_tool_that_there_is_not_is_told() -> None:
    rules = [*entry(action="deny", tool="Bash"), *entry(action="deny", tool="mcp_x")]
    rules += [*entry(action="deny", tool="write_*"), *entry(action="deny", path="x")]
    told = list(rules_without_tool(rules, ["write_file"]))
    assert told == ["a.toml, line 3: there is no tool `Bash`, so this rule means nothing now"]


@pytest.mark.parametrize(
    "line",
    [
        "cd a;" * 3000,
        "cat " + "*/" * 5000,
        "cat " + "**/" * 5000 + "x",
        "echo '" + "x " * 8000,
        "$x " + "git " * 4000,
        "x" * 200_000,
        "sh -c '" + "a=b;" * 3000 + "'",
        "cd a; cd b; $x " + " ".join(f"w{at}/*" for at in range(1000)),
    ],
    ids=range(8),
)
def test_hostile_lines_are_looked_up_at_once(line: str) -> None:
    rules = [ConfiguredRule("deny", "run_command", f"git p{at}", "") for at in range(300)]
    rules += [ConfiguredRule("ask", "", "", "", path=f"d{at}/*/x") for at in range(100)]
    book, facts = RuleBook(rules), command(line)
    began_s = time.process_time()
    for action in ("deny", "ask", "allow"):
        book.find(action, facts)
    assert time.process_time() - began_s < 3


PROGRAMS = ("git push --opt{0}", "git c{0}", "npm run s{0}", "prog{0} sub --opt", "p{0}*", "x -{0}")
LINES = (
    *("git commit -m x{0}", "mkdir -p a/b{0}", "npm run build{0} --x y", "pytest -q tests/t{0}.py"),
    *("git push --force origin x{0}", "cp src/a{0}.py src/b.py", "timeout 5 npm run s{0}"),
)


def test_twenty_parts_meet_five_hundred_rules_in_a_step_or_two_each() -> None:
    actions: tuple[Action, ...] = ("deny", "ask", "allow")
    rules = []
    for at in range(500):
        pattern = PROGRAMS[at % len(PROGRAMS)].format(at)
        place = f"dir{at}/**" if at % 9 == 0 else ""
        rules.append(ConfiguredRule(actions[at % 3], "run_command", pattern, "", path=place))
    rules += [ConfiguredRule("deny", "", "", "", path=f"d{at}/*.py") for at in range(50)]
    book = RuleBook(rules)
    facts = command(" && ".join(LINES[at % len(LINES)].format(at) for at in range(20)))
    assert len(facts.parts) >= 20
    steps = steps_of(lambda: [book.find(action, facts) for action in actions])
    assert steps < 20 * 500 * 2
