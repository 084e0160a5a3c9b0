"""The floor: which changed files are parsed, by what, and that it only parses."""

from __future__ import annotations

import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.checks.smoke_floor import MOST_FILES, PROGRAMS, floor_check, takes


def command(*changed: str, programs: tuple[str, ...] = PROGRAMS, is_package: bool = False) -> str:
    check = floor_check(changed, programs, is_package=is_package)
    return "" if check is None else check.command


@pytest.mark.parametrize(
    ("changed", "begin", "end"),
    [
        ("a.py", "python3 -c ", " a.py"),
        ("A.PY", "python3 -c ", " A.PY"),
        ("lib/x.js", "node --check ", "lib/x.js"),
        ("x.mjs", "node --check ", "x.mjs"),
        ("m.go", "gofmt -l ", "m.go"),
        ("s.sh", "bash -n ", "s.sh"),
        ("s.rb", "ruby -c ", "s.rb"),
        ("s.php", "php -l ", "s.php"),
        ("-rf.sh", "bash -n ", "./-rf.sh"),
        ("a b; rm x.sh", "bash -n ", "'a b; rm x.sh'"),
    ],
)
def test_a_changed_file_is_parsed_by_its_language(changed: str, begin: str, end: str) -> None:
    assert command(changed).startswith(begin)
    assert command(changed).endswith(end)


@pytest.mark.parametrize("changed", ["a.txt", "README.md", "data.json", "py", "x.tsx", ""])
def test_what_no_program_here_can_parse_has_no_floor(changed: str) -> None:
    assert command(changed) == ""


def test_a_missing_program_parses_nothing() -> None:
    assert command("a.py", "b.go", programs=("node",)) == ""
    assert command("a.py", programs=("python",)).startswith("python -c ")


def test_scripts_of_a_package_may_be_of_a_dialect() -> None:
    assert command("a.js", is_package=True) == ""
    assert command("a.mjs", is_package=True) == "node --check a.mjs"


def test_several_languages_make_one_check() -> None:
    check = floor_check(["b.go", "a.py", "c.js", "d.js"], PROGRAMS)
    assert check is not None
    assert check.command.count(" && ") == 3
    assert (check.name, check.kind) == ("floor", "floor")
    alone = floor_check(["a.py"], PROGRAMS, alone=True)
    assert alone is not None
    assert (alone.name, alone.kind) == ("smoke", "smoke")


def test_a_huge_change_stays_a_command() -> None:
    assert command(*[f"{n}.py" for n in range(5000)]).count(".py") == MOST_FILES


@given(st.lists(st.text(st.characters(exclude_characters="\0"), max_size=8), max_size=5))
def test_no_name_becomes_an_option_or_another_command(names: list[str]) -> None:
    files = [f"{name}.go" for name in names]
    said = command(*files)
    words = shlex.split(said) if said else ["gofmt", "-l"]
    assert words[:2] == ["gofmt", "-l"]
    assert not any(word.startswith("-") for word in words[2:])
    assert {word.removeprefix("./") for word in words[2:]} == {
        name.removeprefix("./") for name in files
    }


@pytest.mark.parametrize(
    ("text", "code"), [("x = 1\n", 0), ("def f(:\n", 1), ("return 1\n", 1), ("x\0y", 1)]
)
def test_the_python_floor_reads_a_file_and_runs_none_of_it(
    tmp_path: Path, text: str, code: int
) -> None:
    (tmp_path / "a.py").write_text(f"open('ran', 'w')\n{text}")
    said = command("a.py", programs=("python3",)).replace("python3", sys.executable, 1)
    ended = subprocess.run(said, shell=True, cwd=tmp_path, capture_output=True, check=False)
    assert ended.returncode == code
    assert [path.name for path in tmp_path.iterdir()] == ["a.py"]


def planned(kind: str) -> PlannedCheck:
    return PlannedCheck.model_validate({"name": kind, "command": "x", "kind": kind})


@pytest.mark.parametrize(
    ("kinds", "needed"),
    [
        ((), True),
        (("declared",), True),
        (("declared", "floor"), True),
        (("smoke",), True),
        (("test",), False),
        (("declared", "lint"), False),
    ],
)
def test_only_a_plan_without_the_projects_own_checks_needs_a_floor(
    kinds: tuple[str, ...], needed: bool
) -> None:
    assert takes(map(planned, kinds)) is needed
