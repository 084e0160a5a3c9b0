"""What each part of a line says of itself: text, program, tier, reason, name, paths."""

from __future__ import annotations

import pytest

from agent_cockpit.rules.shell.command_line import DEEPEST, LONGEST_BYTES, CommandAnalysis, analyse
from agent_cockpit.rules.shell.wrappers import MOST_TRIED
from agent_cockpit.settings import SENSITIVE_PATHS

Part = tuple[str, str, int, str, str, tuple[str, ...], tuple[str, ...]]


def judged(command: str) -> CommandAnalysis:
    return analyse(
        command, root="/w/proj", test_commands=("pytest -q",), sensitive_globs=SENSITIVE_PATHS
    )


LINES: list[tuple[str, list[Part]]] = [
    (
        "ls > out.txt",
        [
            ("ls", "", 3, "writes `out.txt`", "", (), ("out.txt",)),
            ("ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "cat < in.txt",
        [
            ("cat", "", 2, "reads only", "", ("in.txt",), ()),
            ("cat", "cat", 2, "reads only", "cat", (), ()),
        ],
    ),
    (
        "ls > a*",
        [
            ("ls", "", 3, "reads or writes a file that is not known here", "", (), ()),
            ("ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "cat < a?.txt",
        [
            ("cat", "", 3, "reads or writes a file that is not known here", "", (), ()),
            ("cat", "cat", 2, "reads only", "cat", (), ()),
        ],
    ),
    (
        "echo x > /dev/tcp/h/80",
        [
            ("echo x", "", 4, "opens a connection", "", (), ()),
            ("echo x", "echo", 2, "reads only", "echo", (), ()),
        ],
    ),
    (
        "cat < /dev/udp/h/80",
        [
            ("cat", "", 4, "opens a connection", "", (), ()),
            ("cat", "cat", 2, "reads only", "cat", (), ()),
        ],
    ),
    (
        "r* x",
        [
            ("r* x", "", 3, "starts a program that is not known here", "", (), ()),
        ],
    ),
    (
        "$X rm d",
        [
            ("$X rm d", "", 3, "starts a program that is not known here", "", (), ()),
            ("$X rm d", "rm", 4, "deletes files", "rm", (), ()),
        ],
    ),
    (
        "PATH=/x ls",
        [
            ("PATH=/x ls", "", 4, "sets PATH, which can change what runs", "", (), ()),
            ("PATH=/x ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "A=$X ls",
        [
            ("A=$X ls", "", 3, "depends on values that are not known here", "", (), ()),
            ("A=$X ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "env PATH=/x ls",
        [
            ("env PATH=/x ls", "env", 2, "starts another program", "env", (), ()),
            ("env PATH=/x ls", "", 4, "sets PATH, which can change what runs", "", (), ()),
            ("env PATH=/x ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "command declare -x",
        [
            ("command declare -x", "command", 2, "starts another program", "command", (), ()),
            ("command declare -x", "", 3, "prints the environment, where keys may be", "", (), ()),
            ("command declare -x", "declare", 2, "reads only", "declare", (), ()),
        ],
    ),
    (
        "A=1",
        [
            ("A=1", "", 2, "reads only", "", (), ()),
        ],
    ),
    (
        "V=.env; ls",
        [
            ("V=.env", "", 2, "reads only", "", (), ()),
            ("V=.env", "", 3, "`.env` may hold secrets", "", (), ()),
            ("ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "export",
        [
            ("export", "", 3, "prints the environment, where keys may be", "", (), ()),
            ("export", "export", 2, "reads only", "export", (), ()),
        ],
    ),
    (
        "f() { ls; }",
        [
            ("f() { ls; }", "", 3, "defines a function", "", (), ()),
            ("ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        'echo "unterminated',
        [
            ('echo "unterminated', "", 3, "is not complete shell syntax", "", (), ()),
            ('echo "unterminated', "", 3, "uses shell syntax that is not judged", "", (), ()),
            ("echo", "echo", 2, "reads only", "echo", (), ()),
        ],
    ),
    (
        'echo "push',
        [
            ('echo "push', "", 4, "is not complete shell syntax", "", (), ()),
            ('echo "push', "", 4, "uses shell syntax that is not judged", "", (), ()),
            ("echo", "echo", 2, "reads only", "echo", (), ()),
        ],
    ),
    (
        "ls\0",
        [
            ("ls\0", "", 3, "holds characters that cannot be seen", "", (), ()),
            ("ls\0", "", 4, "is too long or broken to be judged", "", (), ()),
        ],
    ),
    (
        "ls\\\nx",
        [
            ("ls\\\nx", "", 4, "continues a line in the middle of something", "", (), ()),
            ("ls\\\nx", "ls", 2, "reads only", "ls", ("x",), ()),
        ],
    ),
    (
        "ls \u200b",
        [
            ("ls \u200b", "", 3, "holds characters that cannot be seen", "", (), ()),
            ("ls \u200b", "ls", 2, "reads only", "ls", ("\u200b",), ()),
        ],
    ),
    (
        "",
        [
            ("", "", 3, "is empty", "", (), ()),
        ],
    ),
    (
        "# says nothing",
        [
            ("", "", 3, "is empty", "", (), ()),
        ],
    ),
    (
        "> /dev/null",
        [
            ("", "", 3, "is empty", "", (), ()),
        ],
    ),
    (
        "cd a && cat b",
        [
            ("cd a", "cd", 2, "reads only", "cd", ("a",), ()),
            ("cat b", "cat", 2, "reads only", "cat", ("b", "a/b"), ()),
        ],
    ),
    (
        "timeout 5 mkdir x",
        [
            ("timeout 5 mkdir x", "timeout", 2, "starts another program", "timeout", (), ()),
            ("timeout 5 mkdir x", "mkdir", 3, "makes folders", "mkdir", (), ("x",)),
        ],
    ),
    (
        "sh -c 'mkdir x'",
        [
            ("sh -c 'mkdir x'", "sh", 3, "hands a line to another shell", "sh -c", (), ()),
            ("mkdir x", "mkdir", 3, "makes folders", "mkdir", (), ("x",)),
        ],
    ),
    (
        "echo a | sh",
        [
            ("echo a", "echo", 2, "reads only", "echo", (), ()),
            ("sh", "sh", 4, "runs whatever it is fed", "sh", (), ()),
        ],
    ),
    (
        "then ls",
        [
            ("then ls", "", 4, "uses shell syntax that is not judged", "", (), ()),
        ],
    ),
    (
        "xargs rm",
        [
            ("xargs rm", "xargs", 2, "starts another program", "xargs", (), ()),
            ("xargs rm", "rm", 4, "deletes files", "rm", (), ()),
        ],
    ),
    (
        "pytest -q",
        [
            ("pytest -q", "pytest", 2, "runs the project's own check", "pytest -q", (), ()),
        ],
    ),
    (
        "pytest -q && ls",
        [
            ("pytest -q", "pytest", 2, "runs the project's own check", "pytest -q", (), ()),
            ("ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "sudo mkdir x",
        [
            (
                "sudo mkdir x",
                "sudo",
                4,
                "runs as another user, who may do anything",
                "sudo",
                (),
                (),
            ),
            ("sudo mkdir x", "mkdir", 3, "makes folders", "mkdir", (), ("x",)),
        ],
    ),
    (
        "eval 'eval ls'",
        [
            ("eval 'eval ls'", "eval", 3, "runs text as shell commands", "eval", (), ()),
            ("eval ls", "eval", 3, "runs text as shell commands", "eval", (), ()),
            ("ls", "ls", 2, "reads only", "ls", (), ()),
        ],
    ),
    (
        "git fetch",
        [
            ("git fetch", "git", 3, "fetches from another machine", "git fetch", (), ()),
        ],
    ),
    (
        "mkdir a 2>/dev/null",
        [
            ("mkdir a", "mkdir", 3, "makes folders", "mkdir", (), ("a",)),
        ],
    ),
]


@pytest.mark.parametrize(("command", "parts"), LINES)
def test_each_part_says_what_it_is(command: str, parts: list[Part]) -> None:
    assert [
        (part.text, part.program, part.tier, part.reason, part.prefix, part.reads, part.writes)
        for part in judged(command).parts
    ] == parts


@pytest.mark.parametrize(
    ("command", "words", "opaque"),
    [
        ("git -C a push", [("git", "-C", "a", "push")], False),
        ("timeout 5 ls", [("timeout", "5", "ls"), ("ls",)], False),
        ("l's' \"-a\"", [("ls", "-a")], False),
        ("$X a", [()], True),
        ("git $X", [("git", "$X")], True),
        ("git log $X", [("git", "log", "$X")], False),
        ("watch ls", [("watch", "ls")], True),
        ("python -c 1", [("python", "-c", "1")], True),
        ("ls > f", [(), ("ls",)], False),
        ("PATH=x ls", [(), ("ls",)], True),
        ("pytest -q", [()], True),
    ],
)
def test_a_part_keeps_its_words_and_says_whether_they_are_all(
    command: str, words: list[tuple[str, ...]], opaque: bool
) -> None:
    parts = judged(command).parts
    assert [part.words for part in parts] == words
    assert any(part.opaque for part in parts) is opaque


def test_a_line_says_the_worst_of_its_parts() -> None:
    analysis = judged("ls && mkdir a && git fetch > /dev/null")
    assert (analysis.tier, analysis.reason, analysis.network) == (3, "makes folders", True)
    assert (analysis.grantable, analysis.prefix, analysis.scope_words) == (True, "", None)
    assert judged("mkdir a; mkdir b").prefix == "mkdir"
    assert judged("ls").network is False
    assert judged("mkdir a; touch b > c").reason == "writes `c`"
    assert judged("grep -r x .; rg y").sweeps == {"all", "visible"}


@pytest.mark.parametrize(("words", "tier"), [(MOST_TRIED, 3), (MOST_TRIED + 1, 4)])
def test_an_open_end_is_tried_so_far(words: int, tier: int) -> None:
    analysis = judged("watch" + " w" * words)
    assert analysis.tier == tier
    if tier == 4:
        assert analysis.parts[-1].reason == "starts something that is not known here"
        assert analysis.parts[-1].text.startswith("watch w")
    assert judged("watch $X a" + " w" * (words - 2)).tier == tier
    assert judged("$X" + " w" * words).tier == tier


@pytest.mark.parametrize(
    ("command", "mutates"),
    [("ls > f", True), ("ls >> f", True), ("> f", True), ("ls < f", False), ("< f", False)],
)
def test_a_redirection_changes_something_only_where_it_writes(command: str, mutates: bool) -> None:
    assert judged(command).mutates is mutates


def test_reading_a_file_by_a_redirection_takes_no_grant_away() -> None:
    analysis = judged("mkdir a < names.txt")
    assert (analysis.grantable, analysis.prefix) == (True, "mkdir")
    assert not judged("mkdir a > names.txt").grantable


def test_a_refused_line_gives_the_refusal_as_its_reason() -> None:
    analysis = judged("mkdir a; V=.env mkdir b")
    assert analysis.reason == analysis.refusal == "`.env` may hold secrets"


def test_depth_and_length_have_an_end() -> None:
    def nested(depth: int) -> str:
        return "time " * depth + "ls"

    assert judged(nested(DEEPEST)).tier == 2
    deeper = judged(nested(DEEPEST + 1))
    assert (deeper.tier, deeper.grantable, deeper.network) == (4, False, False)
    assert deeper.parts[-1].reason == "is nested too deeply to be judged"
    assert deeper.parts[-1].text == nested(DEEPEST + 1)
    assert (deeper.parts[-1].program, deeper.parts[-1].prefix) == ("", "")
    handed = judged("eval " * (DEEPEST + 1) + "ls").parts[-1]
    assert (handed.text, handed.program, handed.prefix) == ("ls", "", "")
    assert (handed.tier, handed.reason) == (4, "is nested too deeply to be judged")
    whole = "ls " + "x" * (LONGEST_BYTES - 3)
    assert judged(whole).tier == 2
    longer = judged(whole + "x")
    assert (longer.tier, longer.reason) == (4, "is too long or broken to be judged")
    assert judged("ls " + "é" * (LONGEST_BYTES // 2)).tier == 4


@pytest.mark.parametrize(
    ("command", "tier"),
    [
        ('echo "publish', 4),
        ("echo \"r''m x", 4),
        ('echo "say nothing', 3),
        ('echo "' + "w " * 999, 3),
        ('echo "' + "w " * 1000, 4),
    ],
    ids=["publish", "rm", "nothing", "1000 words", "1001 words"],
)
def test_text_that_is_no_shell_is_searched_for_the_worst(command: str, tier: int) -> None:
    assert judged(command).tier == tier


@pytest.mark.parametrize(
    ("command", "tier"),
    [
        ("watch sudo ls", 4),
        ("watch ls", 3),
        ("$X sh -c 'rm d'", 4),
        ("$X sh -c 'ls'", 3),
        ("watch sh -c 'sh -c \"rm d\"'", 4),
        ("watch $X rm d", 4),
        ("watch '' rm d", 4),
        ("$X '' ls", 3),
        ("echo a | watch sh", 4),
        ("echo a | $X sh", 4),
        ("echo a | watch python3", 4),
        ("echo a | $X python3", 4),
        ("echo a | timeout 5 sh", 4),
        ("timeout 5 sh", 3),
        ("eval " * DEEPEST + "ls", 3),
        ("eval " * (DEEPEST + 1) + "ls", 4),
    ],
)
def test_the_worst_that_an_open_end_may_start_counts(command: str, tier: int) -> None:
    assert judged(command).tier == tier


def test_what_an_open_end_may_start_is_named_with_its_words() -> None:
    found = judged("watch -n 1 rm d").parts[-1]
    assert (found.program, found.words, found.reason) == ("rm", ("rm", "d"), "deletes files")
    unknown = judged("watch" + " w" * (MOST_TRIED + 1)).parts[-1]
    assert (unknown.program, unknown.prefix, unknown.opaque) == ("", "", True)


def test_a_long_path_is_shortened_in_a_reason() -> None:
    reason = judged(f"echo x > {'a' * 59}b{'c' * 40}").reason
    assert len(reason) < 75
    assert reason.startswith("writes `aaa")
