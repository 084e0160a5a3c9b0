"""The rules asked on the command line: `agent-cockpit policy test`."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

from agent_cockpit.choices import TestPolicy
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.policy_test import show_command, show_journal, workspace_of
from agent_cockpit.settings_files import Loaded
from agent_cockpit.text import clean_line


def test_policy(choice: TestPolicy, root: Path, load: Callable[[Path], Loaded]) -> int:
    """Print the answer; what is wrong with rules goes to stderr first.

    A journal is judged in the folder that its sitting worked on, if it is there and no other
    one is named.
    """
    journal = choice.journal
    if journal is not None and not journal.is_file():
        why = "is a folder" if journal.is_dir() else "does not exist"
        raise PersonCanAct(f"the journal {journal} {why}")
    if journal is not None and choice.workspace is None:
        root = workspace_of(journal) or root
    loaded = load(root)
    for notice in loaded.notices:
        print(f"agent-cockpit: {clean_line(notice)}", file=sys.stderr)
    if journal is not None:
        return show_journal(loaded, journal, as_json=choice.json, out=sys.stdout)
    line = (choice.command or "").encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    return show_command(loaded, line, as_json=choice.json, out=sys.stdout)
