"""What the README says is what there is."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import unquote

from agent_cockpit.cockpit.look.theme import theme_names
from agent_cockpit.rules.meta_commands import COMMANDS
from tests.house.readme_keys import README, with_keys

TEXT = README.read_text(encoding="utf-8")


def test_the_key_table_is_the_cockpits_own() -> None:
    assert with_keys(TEXT) == TEXT, "run `python -m tests.house.readme_keys`"


def test_every_command_is_named() -> None:
    names = {command.name for command in COMMANDS}
    assert {name for name in names if f"/{name.lstrip('/')}" not in TEXT} == set()


def test_every_link_into_the_repository_leads_somewhere() -> None:
    linked = re.findall(r"\]\(([^)#:]+)\)", TEXT)
    assert linked
    assert [path for path in linked if not (README.parent / unquote(path)).exists()] == []


def test_the_tour_shows_only_pictures_that_tests_hold_to_the_cockpit() -> None:
    shown = [unquote(path) for path in re.findall(r"!\[[^\]]*\]\(([^)]+)\)", TEXT)]
    tests = Path(README.parent, "tests/cockpit/test_tour.py").read_text(encoding="utf-8")
    held = {f"snapshots/look/test_tour/{name}.svg" for name in re.findall(r"def (test_\w+)", tests)}
    assert len(shown) == 5
    assert set(shown) == held


def test_the_number_of_themes_is_right() -> None:
    assert f"{len(theme_names())} themes" in TEXT
