"""The prompt in the person's own editor, while the engine goes on working."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from textual.app import App

from agent_cockpit.errors import PersonCanAct
from agent_cockpit.text import clean


async def edit_outside(app: App[Any], text: str) -> str:
    """The text as the editor left it; the terminal is the editor's meanwhile.

    Raises `PersonCanAct` when no editor is named or it ended with an error (nothing is
    changed then), and what `App.suspend` and the file system raise.
    """
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    if not command:
        raise PersonCanAct("set VISUAL or EDITOR to the editor that you want")
    with tempfile.TemporaryDirectory(prefix="agent-cockpit-") as folder:
        path = Path(folder) / "prompt.md"
        path.write_text(text, encoding="utf-8")
        with app.suspend(), app.batch_update():
            problem = await asyncio.to_thread(_run, [*command, str(path)])
        if problem:
            raise PersonCanAct(f"{command[0]} {problem}; nothing was changed")
        return clean(path.read_text(encoding="utf-8", errors="replace")).rstrip("\n")


def _run(command: list[str]) -> str:
    """What went wrong, or nothing; it never raises, for `App.suspend` would not come back."""
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        return f"could not be started: {error.strerror}"
    return f"ended with {code}" if code else ""
