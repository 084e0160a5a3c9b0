"""Which proposals hold: those that a document of the project really names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.checks.proposals import MOST_PROPOSALS, Proposal, accepted

README = "# App\n\nRun `just check` and then pytest. Build with cargo build.\n"


def commands(*proposals: tuple[str, str]) -> list[str]:
    documents = {"README.md": README, "justfile": "check:\n  ruff check\n"}
    documents["setup.md"] = "Run ./python3 check.py"
    return [check.command for check in accepted([Proposal(*one) for one in proposals], documents)]


@pytest.mark.parametrize(
    ("command", "source", "holds"),
    [
        ("just check", "README.md", True),
        ("just deploy", "README.md", False),
        ("just", "README.md", False),
        ("python3 evil.py", "setup.md", False),
        ("python3 check.py -v", "setup.md", True),
        ("pytest -q", "README.md", True),
        ("python -m pytest tests", "README.md", True),
        ("ruff check .", "justfile", True),
        ("ruff check .", "README.md", False),
        ("tox", "README.md", False),
        ("est -q", "README.md", False),
        ("pytest", "docs/none.md", False),
        ("pytest", "/etc/passwd", False),
        ("pytest | tee out", "README.md", False),
        ("pytest; rm -rf /", "README.md", False),
        ("true", "README.md", False),
        ("", "README.md", False),
        ("'", "README.md", False),
    ],
)
def test_a_proposal_holds_only_if_its_document_names_the_program(
    command: str, source: str, holds: bool
) -> None:
    assert commands((command, source)) == ([command] if holds else [])


def test_the_parts_of_a_chain_stand_and_fall_together() -> None:
    first, second = accepted([Proposal("cargo build && pytest", "R")], {"R": README})
    assert (first.command, second.command) == ("cargo build", "pytest")
    assert first.chain == second.chain == "proposed:1"
    assert {(check.kind, check.provenance) for check in (first, second)} == {
        ("declared", "proposed:R")
    }
    assert commands(("cargo build && tox", "README.md")) == []


def test_names_are_unlike_and_nothing_is_run_twice() -> None:
    same = [("pytest", "README.md"), ("pytest", "README.md"), ("just check", "README.md")]
    assert commands(*same) == ["pytest", "just check"]
    assert len(commands(*[(f"pytest {n}", "README.md") for n in range(50)])) == MOST_PROPOSALS


@given(st.lists(st.tuples(st.text(), st.sampled_from(["README.md", "x"])), max_size=6))
def test_whatever_is_proposed_is_accepted_or_left(proposals: list[tuple[str, str]]) -> None:
    commands(*proposals)
