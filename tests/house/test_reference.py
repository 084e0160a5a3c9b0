"""What the reference taught is held here by tests that exist."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from tests.house.reference_behaviours import TURNS
from tests.house.reference_faults import FAULTS, Because, Shown
from tests.house.reference_headings import HEADINGS

TESTS = Path(__file__).parent.parent


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of a file's tests; of a test class, its own."""
    tree = ast.parse((TESTS / f"{file}.py").read_text(encoding="utf-8"))
    names: set[str] = set()
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
                names.add(name.removeprefix("test_") if name.startswith("test_") else "")
            case ast.ClassDef(name=name):
                names.add(name)
            case ast.Assign(targets=[ast.Name(id=name)]) | ast.AnnAssign(target=ast.Name(id=name)):
                names.add(name)
            case _:
                pass
    return frozenset(names)


def test_every_fault_of_the_reference_has_its_answer() -> None:
    assert set(FAULTS) == set(range(1, 76))


def test_every_behaviour_that_the_documents_name_has_its_answer() -> None:
    counts = {"T": 30, "B": 9, "P": 9, "A": 14, "Q": 13, "R": 21, "J": 5, "D": 4}
    named = {f"{part}{number:02}" for part, last in counts.items() for number in range(1, last + 1)}
    assert set(TURNS) == named


@pytest.mark.parametrize("shown", [*FAULTS.values(), *TURNS.values()], ids=[*FAULTS, *TURNS])
def test_it_is_held_by_tests_that_exist(shown: Shown) -> None:
    if isinstance(shown, Because):
        assert shown.reason
        return
    assert shown
    missing = [name for name in shown if name.split(":")[1] not in names_in(name.split(":")[0])]
    assert missing == []


@pytest.mark.parametrize("heading", HEADINGS)
def test_a_heading_leads_to_files_with_tests(heading: str) -> None:
    files = HEADINGS[heading]
    if isinstance(files, Because):
        assert files.reason
    else:
        assert all(names_in(file) for file in files)
