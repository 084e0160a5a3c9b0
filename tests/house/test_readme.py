"""What the README says is what there is."""

from __future__ import annotations

import re
from urllib.parse import unquote

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
