"""What loading costs, seen in `sys.modules` of a fresh process, and that nothing needs itself."""

from __future__ import annotations

import ast
import json
import subprocess
import sys
from graphlib import TopologicalSorter
from pathlib import Path

import pytest

SCREEN = ("textual", "rich")
HEAVY = (*SCREEN, "httpx", "pydantic", "tree_sitter")


def loaded_by(code: str, home: Path) -> set[str]:
    """Top-level modules in `sys.modules` after a fresh interpreter ran `code`."""
    return {name.partition(".")[0] for name in all_loaded_by(code, home)}


def all_loaded_by(code: str, home: Path) -> set[str]:
    """Modules in `sys.modules` after a fresh interpreter ran `code`."""
    program = f"""
import json, sys
try:
    exec({code!r})
except SystemExit:
    pass
sys.stderr.write("\\nLOADED " + json.dumps(sorted(sys.modules)))
"""
    done = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        check=True,
        env={
            "PATH": "/usr/bin:/bin",
            "HOME": str(home),
            "PYTHONPATH": str(Path(__file__).parents[2]),
        },
    )
    return set(json.loads(done.stderr.rpartition("LOADED ")[2]))


def command(*words: str) -> str:
    return f"from agent_cockpit.cli import main; sys.exit(main({list(words)!r}))"


@pytest.mark.parametrize(
    "code",
    [
        "import agent_cockpit",
        "import agent_cockpit; dir(agent_cockpit); agent_cockpit.__version__",
        command("--version"),
        command("--help"),
        command("run", "--help"),
        command("demo", "--help"),
        command("nowhere-at-all"),
    ],
)
def test_a_light_use_loads_nothing_heavy(code: str, tmp_path: Path) -> None:
    assert loaded_by(code, tmp_path).isdisjoint(HEAVY)


def test_importing_the_package_imports_none_of_its_modules(tmp_path: Path) -> None:
    code = (
        "import agent_cockpit; "
        "assert [name for name in sys.modules if name.startswith('agent_cockpit.')] == []"
    )
    loaded_by(code, tmp_path)


def test_a_headless_run_never_loads_the_screen(tmp_path: Path) -> None:
    workspace = tmp_path / "project"
    workspace.mkdir()
    (workspace / "calc.py").write_text("x = 1\n")
    ran = command("run", "hello", "--provider", "demo", "--workspace", str(workspace))
    loaded = loaded_by(ran, tmp_path)
    assert "pydantic" in loaded
    assert loaded.isdisjoint({*SCREEN, "httpx"})


def test_plain_lines_never_load_the_screen(tmp_path: Path) -> None:
    loaded = loaded_by(f"sys.stdin.close(); {command('demo', '--plain')}", tmp_path)
    assert "pydantic" in loaded
    assert loaded.isdisjoint(SCREEN)


def test_replay_as_text_never_loads_the_screen(tmp_path: Path) -> None:
    journal = tmp_path / "a.jsonl"
    journal.write_text('{"type": "agent_start", "goal": "hello"}\n')
    assert loaded_by(command("replay", str(journal), "--print"), tmp_path).isdisjoint(SCREEN)


def test_the_screen_paints_before_the_engine_loads(tmp_path: Path) -> None:
    loaded = loaded_by("import agent_cockpit.cockpit.app", tmp_path)
    assert "textual" in loaded
    assert loaded.isdisjoint({"pydantic", "httpx"})


FIRST_PICTURE = {
    "": "choices cli cockpit errors exit_codes farewell text",
    "cli.": "command endings quick show",
    "cockpit.": "actions app consenting driving opening prompting quitting remembered situating "
    "consent keys look prompt widgets",
    "cockpit.consent.": "answers",
    "cockpit.keys.": "alt_keys key key_table keymap page_keys panel_keys reading_keys "
    "replay_keys reports roles textual_keys writing_keys",
    "cockpit.look.": "cells contrast echo edges few_rows in_sight looks patient patient_output "
    "selecting steady styled_once theme",
    "cockpit.prompt.": "chip_field clearing composer history paste_input pastes prompt_keeper "
    "shell",
    "cockpit.widgets.": "field readline status_line welcome",
}
"""All of ours that may be loaded when a person first sees the screen; each costs them time. What
the picture does not show is imported where it is wanted; what it does show is named here."""

UNTIL_THE_FIRST_PICTURE = """
import agent_cockpit.cli
from agent_cockpit.cockpit.app import CockpitApp

CockpitApp.start = lambda app, work: work.close()
CockpitApp.on_ready = lambda app: app.exit()
CockpitApp(list).run(headless=True)
"""


def test_the_first_picture_waits_for_nothing_that_it_does_not_show(tmp_path: Path) -> None:
    loaded = all_loaded_by(UNTIL_THE_FIRST_PICTURE, tmp_path)
    ours = {name for name in loaded if name.startswith("agent_cockpit.")}
    shown = {
        f"agent_cockpit.{room}{name}"
        for room, names in FIRST_PICTURE.items()
        for name in names.split()
    }
    assert (ours - shown, shown - ours) == (set(), set())


def test_no_file_needs_itself_not_even_for_a_type() -> None:
    package = Path(__file__).parents[2] / "agent_cockpit"
    files = {_module(path, package): path for path in package.rglob("*.py")}
    needs = {name: _imported(path) & files.keys() for name, path in files.items()}
    assert list(TopologicalSorter(needs).static_order())


def _module(path: Path, package: Path) -> str:
    return ".".join(path.relative_to(package.parent).with_suffix("").parts)


def _imported(path: Path) -> set[str]:
    """Modules that a file names in any of its imports, also those under `TYPE_CHECKING`."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.module:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
    return found
