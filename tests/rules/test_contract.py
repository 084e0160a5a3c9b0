"""Which declared checks count as a proof."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.checks.contract import contract_checks
from agent_cockpit.rules.shell.real_program import program_of


def commands(*declared: str, kinds: tuple[str, ...] = ("code",)) -> list[str]:
    return [check.command for check in contract_checks(declared, kinds)]


def test_a_chain_becomes_checks_that_stand_and_fall_together() -> None:
    checks = contract_checks(["make build && ./run 'a && b'", "pytest -q"], ["code"])
    assert [(check.name, check.command, check.chain) for check in checks] == [
        ("declared_1", "make build", "declared:1"),
        ("declared_2", "./run 'a && b'", "declared:1"),
        ("declared_3", "pytest -q", None),
    ]
    assert {(check.kind, check.provenance) for check in checks} == {("declared", "model-declared")}


@pytest.mark.parametrize(
    "command",
    [
        "pytest | tail",
        "pytest || true",
        "pytest; true",
        "pytest &",
        "pytest > log",
        "pytest 2>&1",
        "python - <<EOF",
        "pytest $(cat args)",
        'pytest "`cat args`"',
        "pytest\nrm x",
        "(pytest)",
        "! pytest",
        "make && ! pytest",
        "pytest # really",
        "pytest && ",
        "&& pytest",
        "pytest 'a",
        "  ",
        "x" * 4001,
    ],
)
def test_syntax_that_hides_an_exit_code_is_refused(command: str) -> None:
    with pytest.raises(ToolRefused):
        contract_checks([command], ["code"])


@pytest.mark.parametrize(
    "command",
    [
        "pytest tests/*.py",
        "pytest -k 'a or b|c'",
        'python -c "import a; assert a.x > 1"',
        "FOO=1 uv run python -m pytest",
        "grep -q foo#bar src/a.c && cc -c src/a.c",
        r"./check a\;b",
        "test ! -f old.py && make",
        "./say hello! && make",
        "cargo test $FLAGS",
    ],
)
def test_real_commands_are_taken_as_they_are(command: str) -> None:
    assert " && ".join(commands(command)) == command


@pytest.mark.parametrize(
    "command",
    [
        *("true", "echo ok", "ls", "grep -q x a.py", "test -f a.py", "FOO=1", "env true"),
        *("timeout 5 true", "nice true"),
        *("pytest --version", "pytest --collect-only", "cat a.py && wc -l a.py", "/bin/true"),
    ],
)
def test_what_cannot_notice_broken_code_is_no_proof_of_code(command: str) -> None:
    with pytest.raises(ToolRefused, match="no check would notice"):
        contract_checks([command], ["code"])


def test_a_companion_that_proves_nothing_is_fine_beside_a_proof() -> None:
    assert commands("true", "pytest") == ["true", "pytest"]
    assert commands("mkdir -p out && pytest") == ["mkdir -p out", "pytest"]


@pytest.mark.parametrize("command", ["cd src && pytest", "export A=1 && pytest", "set -e && x"])
def test_what_only_changes_the_shell_is_refused_as_each_part_has_its_own(command: str) -> None:
    with pytest.raises(ToolRefused, match="does nothing for the next part"):
        contract_checks([command], ["code"])


@pytest.mark.parametrize(
    ("command", "covers"),
    [
        ("grep -q 'Install' README.md", True),
        ("test -s docs/guide.rst", True),
        ("mdl README.md", True),
        ("pytest", False),
        ("echo README.md", False),
        ("grep -q x requirements.txt", False),
        ("grep -q README.md list", True),
        ("grep --file=README.md", False),
    ],
)
def test_content_needs_a_check_that_names_a_prose_file(command: str, covers: bool) -> None:
    if covers:
        assert commands(command, kinds=("content",)) == [command]
    else:
        with pytest.raises(ToolRefused, match="prose"):
            contract_checks([command], ["content"])


def test_each_kind_needs_its_own_proof() -> None:
    assert len(commands("pytest", "grep -q x README.md", kinds=("code", "content"))) == 2
    with pytest.raises(ToolRefused, match="prose"):
        contract_checks(["pytest"], ["code", "content"])


@pytest.mark.parametrize("kinds", [(), ("prose",), ("code", "x")])
def test_kinds_are_a_closed_set(kinds: tuple[str, ...]) -> None:
    with pytest.raises(ToolRefused, match="change_kinds"):
        contract_checks(["pytest"], kinds)


def test_there_is_at_least_one_check_and_not_hundreds() -> None:
    for declared in ([], ["pytest"] * 21):
        with pytest.raises(ToolRefused):
            contract_checks(declared, ["code"])


@pytest.mark.parametrize(
    ("words", "program"),
    [
        (["pytest"], "pytest"),
        (["/usr/bin/pytest"], "pytest"),
        (["A=1", "sudo", "uv", "run", "python3.12", "-m", "pytest", "-q"], "pytest"),
        (["npx", "jest"], "jest"),
        (["time", "timeout", "60", "pytest"], "pytest"),
        (["python", "a.py"], "python"),
        (["A=1"], ""),
        ([], ""),
    ],
)
def test_the_program_behind_its_wrappers(words: list[str], program: str) -> None:
    assert program_of(words) == program


@given(st.text(alphabet="ab '\"\\&|;$(`#!\n", max_size=25))
def test_any_text_is_taken_or_refused(command: str) -> None:
    try:
        checks = contract_checks([command], ["code"])
    except ToolRefused:
        return
    assert all(check.command.strip() == check.command for check in checks)
