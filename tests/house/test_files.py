"""The shape of the house: files of one idea, each introduced by a sentence."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[2] / "agent_cockpit"
FILES = sorted(
    path for path in PACKAGE.rglob("*.py") if "demo_project" not in path.relative_to(PACKAGE).parts
)
MOST_LINES = 350


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_a_file_has_one_idea_and_says_it(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    tree = ast.parse(text)
    assert ast.get_docstring(tree), "a module opens with what it is for"
    assert text.count("\n") <= MOST_LINES, "it has grown: look for its second idea"


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(PACKAGE)))
def test_nothing_is_left_for_later_and_no_error_is_swallowed(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert "TO" + "DO" not in text
    assert "FIX" + "ME" not in text
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.ExceptHandler):
            assert node.type is not None, f"line {node.lineno}: a bare except"
            silent = len(node.body) == 1 and isinstance(node.body[0], ast.Pass)
            assert not silent, f"line {node.lineno}: an error is swallowed"
