"""The table of command lines, and laws that hold for every line."""

from __future__ import annotations

import shlex
import time
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.rules.shell.command_line import CommandAnalysis, analyse
from agent_cockpit.settings import SENSITIVE_PATHS

ROOT = "/w/proj"
CORPUS = Path(__file__).with_name("command_corpus.txt")


def judged(command: str) -> CommandAnalysis:
    return analyse(
        command,
        root=ROOT,
        test_commands=("pytest -q", "make check"),
        sensitive_globs=SENSITIVE_PATHS,
    )


def rows() -> list[tuple[str, ...]]:
    found = []
    for line in CORPUS.read_text(encoding="utf-8").splitlines():
        if line and not line.startswith("#"):
            *facts, command = (part.strip() for part in line.split("|", 4))
            found.append((*facts, command.replace("⏎", "\n")))
    return found


def cases() -> list[tuple[str, str, str, str]]:
    return [(tier, mark, prefix, command) for tier, mark, prefix, _, command in rows()]


@pytest.mark.parametrize(("tier", "mark", "prefix", "command"), cases())
def test_a_line_is_judged_as_the_table_says(
    tier: str, mark: str, prefix: str, command: str
) -> None:
    analysis = judged(command)
    found = "g" if analysis.grantable else "-"
    found = "x" if analysis.refusal else "r" if not analysis.mutates and found == "g" else found
    if mark == "x":
        assert (found, analysis.grantable) == ("x", False), analysis
    else:
        assert (str(analysis.tier), found, analysis.prefix) == (tier, mark, prefix), analysis
    assert analysis.reason


@pytest.mark.parametrize(("parts", "command"), [row[3:] for row in rows()])
def test_a_line_has_the_parts_that_the_table_says(parts: str, command: str) -> None:
    assert " ".join(part.program or "·" for part in judged(command).parts) == parts


def test_the_table_is_a_large_one() -> None:
    assert len(cases()) > 400
    assert len({case[3] for case in cases()}) == len(cases())


WORST = [command for tier, mark, _, command in cases() if tier == "4" and mark == "-"]
PLAIN = [command for *_, command in cases() if not any(c in command for c in "\n#") and command]
WHOLE = [
    command
    for command in PLAIN
    if not any(p.reason.startswith("is not complete") for p in judged(command).parts)
]
WRAPS = (
    "sudo {}",
    "env A=1 {}",
    "timeout 5 {}",
    "nice -n 5 {}",
    "nohup {}",
    "command {}",
    "exec {}",
    "xargs {}",
    "busybox {}",
    "time -p {}",
    "stdbuf -oL {}",
    "uv run {}",
    "find . -exec {} \\;",
)
"""Start one simple command."""
CHAINS = (
    "ls && {}",
    "ls; {}",
    "{}; ls",
    "ls\n{}",
    "{}\nls",
    "ls | {}",
    "( {} )",
    "{{ {}; }}",
    "! {}",
    "if true; then {}; fi",
    "for x in 1 2; do {}; done",
    "f() {{ {}; }}; f",
    "echo $({})",
    'echo "$({})"',
    "cat <({})",
    "X=$({}) ls",
    "   {}   ",
    "ls \\\n  -la; {}",
)
"""Take any whole line."""


@given(st.sampled_from(WORST), st.lists(st.sampled_from(CHAINS), max_size=3), st.booleans())
def test_chaining_never_lowers_the_worst_tier(
    command: str, chains: list[str], handed: bool
) -> None:
    for chain in chains:
        if not command.rstrip().endswith("&") and "<<" not in command and "\\\n" not in command:
            command = chain.format(command)
    if handed:
        command = f"sh -c {shlex.quote(command)}"
    analysis = judged(command)
    assert analysis.tier == 4
    assert not analysis.grantable
    assert analysis.mutates


@given(
    st.sampled_from(["rm -rf d", "git push", "dd if=a of=b", "npm publish", "git reset --hard"]),
    st.lists(st.sampled_from(WRAPS), min_size=1, max_size=4),
)
def test_wrapping_never_lowers_the_worst_tier(command: str, wraps: list[str]) -> None:
    for wrap in wraps:
        command = wrap.replace("{}", command) if "\\;" not in command else command
    assert (judged(command).tier, judged(command).grantable) == (4, False), command


@given(st.data())
def test_quoting_a_program_name_hides_nothing(data: st.DataObject) -> None:
    spelled = ""
    for char in data.draw(st.sampled_from(["rm", "shred", "unlink", "kill"])):
        style = data.draw(st.sampled_from(["{}", "'{}'", '"{}"', "\\{}", "$'{}'", "{}''", '""{}']))
        spelled += style.format(char)
    assert judged(f"{spelled} x").tier == 4, spelled


@given(st.sampled_from(WHOLE), st.sampled_from(WHOLE), st.sampled_from(["\n", "; ", " && "]))
def test_a_line_is_at_least_as_bad_as_each_of_its_commands(a: str, b: str, between: str) -> None:
    if between != "\n" and (a.endswith((";", "&")) or not a.strip()):
        return
    whole, first, second = judged(a + between + b), judged(a), judged(b)
    assert whole.tier >= max(first.tier, second.tier)
    if whole.grantable:
        assert first.grantable
        assert second.grantable
    assert whole.mutates >= max(first.mutates, second.mutates)


PIECES = (
    *"  \n;|(){}`\"'\\#$<>=!*~é\0\x1b\u202e\ud800\r\u3000",
    *("rm", "ls", "&&", "$(", "${", "<<E", "\nE\n", "[[", "]]", "if", "then", "fi", "case"),
    *("esac", "xargs", "sh -c"),
)
SHELL_TEXT = st.lists(st.sampled_from(PIECES), max_size=40).map("".join) | st.text(max_size=60)


@given(SHELL_TEXT)
@settings(max_examples=300)
def test_no_text_breaks_the_judge(text: str) -> None:
    analysis = judged(text)
    assert analysis.tier in (2, 3, 4)
    assert analysis.reason
    assert analysis.parts
    assert bool(analysis.scope_words) == bool(analysis.prefix)
    if analysis.tier == 4 or analysis.refusal:
        assert not analysis.grantable
    if analysis.grantable and analysis.tier == 3:
        assert all(part.prefix for part in analysis.parts if part.tier == 3)


@pytest.mark.parametrize(
    "command",
    [
        "ls \u202ecod.exe",
        "ls \u200b",
        "\ufeffls",
        "ls \x1b[2K",
        "ls \r\n",
        "ls\u00a0x",
        "ls \u3000x",
        "ls \U000e0061",
        "ls \ud800",
    ],
)
def test_what_cannot_be_seen_is_asked_every_time(command: str) -> None:
    analysis = judged(command)
    assert analysis.tier >= 3
    assert not analysis.grantable


def test_look_alike_letters_are_not_the_program() -> None:
    assert not judged("g\u0456t status").grantable
    assert judged("g\u0456t status").tier == 3


@pytest.mark.parametrize(
    "command",
    ["ls " + "x" * 17_000, "ls\0", "(" * 4000 + "ls" + ")" * 4000, "$(" * 3000 + "ls" + ")" * 3000],
    ids=["long", "nul", "deep subshells", "deep substitutions"],
)
def test_what_nobody_can_read_counts_as_the_worst(command: str) -> None:
    analysis = judged(command)
    assert (analysis.tier, analysis.grantable) == (4, False)


@pytest.mark.parametrize(
    "command",
    [
        "rm\n" * 5000,
        "ls;" * 5000,
        "a " * 8000,
        "sudo " * 3000 + "rm",
        '"$(' * 5000,
        "{" * 16000,
        "cat " + "*" * 16000,
        "sh -c '" * 2000,
        "if ls; then " * 1300,
        "cat <<A\n" * 1900,
    ],
    ids=range(10),
)
def test_hostile_lines_are_judged_at_once(command: str) -> None:
    started_s = time.process_time()
    judged(command)
    assert time.process_time() - started_s < 3


def test_the_deciding_part_gives_the_reason() -> None:
    assert judged("ls && rm x && mkdir y").reason == "deletes files"
    assert judged("cat a.py").reason == "reads only"
    assert judged("echo x > ../y").reason == "writes outside the workspace: `../y`"


def test_a_grant_is_offered_in_words() -> None:
    assert judged("git commit -m x").scope_words == "every `git commit …` in this sitting"
    assert judged("mkdir demo_a").scope_words == "every `mkdir …` in this sitting"
    assert judged("mkdir a && touch b").scope_words is None
    assert judged("ls").scope_words is None
    assert judged("rm x").scope_words is None


def test_a_line_names_what_it_reads_and_writes() -> None:
    analysis = judged("cd src && cat a.py ./b/../c.py > out.txt && cp x y")
    assert analysis.reads == ("src", "a.py", "src/a.py", "c.py", "src/c.py", "x", "src/x")
    assert analysis.writes == ("out.txt", "src/out.txt", "y", "src/y")


def test_a_check_of_the_project_is_known_by_its_exact_text() -> None:
    assert judged("pytest -q").tier == 2
    assert judged("  pytest -q ").tier == 2
    assert judged("pytest  -q").tier == 3
    assert judged("pytest -q --lf").tier == 3
    assert judged("pytest -q \u200b").tier == 3
    assert judged("PYTHONPATH=x pytest -q").tier == 4
    assert analyse("pytest -q", root=ROOT).tier == 3


def test_a_check_of_several_commands_is_one_check() -> None:
    check = "./build.sh && ./try.sh"
    analysis = analyse(check, root=ROOT, test_commands=(check,))
    assert [(part.text, part.tier) for part in analysis.parts] == [(check, 2)]
    assert analyse(f"{check}\r", root=ROOT, test_commands=(check,)).tier == 3
    assert analyse(f"{check}; ls", root=ROOT, test_commands=(check,)).tier == 3


def test_a_line_without_a_command_is_not_granted() -> None:
    for line in ("", "# says nothing", "> /dev/null"):
        assert not judged(line).grantable


def test_a_check_without_a_word_is_no_check() -> None:
    for line in ("", " ", "0|", "ls"):
        assert analyse(line, root=ROOT, test_commands=("", " ")) == analyse(line, root=ROOT)


def test_without_secret_patterns_a_search_through_folders_is_a_read() -> None:
    assert analyse("grep -r foo .", root=ROOT).tier == 2
    assert analyse("cat .env", root=ROOT).refusal is None


def test_the_workspace_may_be_the_root_of_the_disk() -> None:
    assert analyse("touch /etc/x", root="/").tier == 3
    assert analyse("cat /etc/x", root="/").tier == 2
