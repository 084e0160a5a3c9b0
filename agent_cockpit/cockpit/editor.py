"""The person's own editor, while the engine goes on working: for a prompt, a file, an output."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import tempfile
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Protocol

from agent_cockpit.errors import PersonCanAct
from agent_cockpit.text import clean

_PLUS_LINE = frozenset(
    {
        *("vi", "vim", "nvim", "view", "nano", "pico", "emacs", "emacsclient", "micro"),
        *("kak", "joe", "ne", "jed", "mg", "mcedit", "ed"),
    }
)
_COLON_LINE = frozenset(["hx", "helix", "zed", "subl", "sublime_text", "mate"])
_GOTO_LINE = frozenset(["code", "code-insiders", "codium", "cursor", "windsurf"])

_SIGNALS_BEHIND = 3
"""Turns of the loop that a signal may come later than the end of what it ended: a ctrl+c in the
editor is the editor's."""


class Terminal(Protocol):
    """What an editor needs of the app: its terminal."""

    def suspend(self) -> AbstractContextManager[None]: ...
    def batch_update(self) -> AbstractContextManager[None]: ...


async def edit_outside(app: Terminal, text: str) -> str:
    """The text as the editor left it; the terminal is the editor's meanwhile.

    Raises `PersonCanAct` when no editor is named or it ended with an error (nothing is
    changed then), and what `App.suspend` and the file system raise.
    """
    command = _editor()
    with tempfile.TemporaryDirectory(prefix="agent-cockpit-") as folder:
        path = Path(folder) / "prompt.md"
        path.write_text(text, encoding="utf-8")
        await _use(app, [*command, str(path)], "; nothing was changed")
        return clean(path.read_text(encoding="utf-8", errors="replace")).rstrip("\n")


async def open_file(app: Terminal, path: Path, line: int) -> None:
    """Open a file at a line, from 1; raises as `edit_outside` does."""
    if not await asyncio.to_thread(path.is_file):
        raise PersonCanAct(f"there is no file {path.name} any more")
    await _use(app, at_line(_editor(), path, line))


async def read_outside(app: Terminal, text: str, name: str) -> None:
    """Show a text in the editor; what is changed there is lost. Raises as `edit_outside`."""
    command = _editor()
    with tempfile.TemporaryDirectory(prefix="agent-cockpit-") as folder:
        path = Path(folder) / name
        path.write_text(text, encoding="utf-8")
        await _use(app, [*command, str(path)])


def at_line(command: list[str], path: Path, line: int) -> list[str]:
    """The command that opens a file at a line, as this editor wants to be told; an editor that
    is not known opens it at its beginning."""
    name = Path(command[0]).name
    if name in _PLUS_LINE:
        return [*command, f"+{line}", str(path)]
    if name in _GOTO_LINE:
        return [*command, "--goto", f"{path}:{line}"]
    if name in _COLON_LINE:
        return [*command, f"{path}:{line}"]
    return [*command, str(path)]


def has_editor() -> bool:
    """Whether the person named one."""
    return bool((os.environ.get("VISUAL") or os.environ.get("EDITOR") or "").strip())


def _editor() -> list[str]:
    try:
        command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "")
    except ValueError as problem:
        raise PersonCanAct(f"VISUAL or EDITOR is no command: {problem}") from problem
    if not command:
        raise PersonCanAct("set VISUAL or EDITOR to the editor that you want")
    return command


async def _use(app: Terminal, command: list[str], after_problem: str = "") -> None:
    with app.suspend(), app.batch_update():
        problem = await asyncio.to_thread(_run, command)
        for _ in range(_SIGNALS_BEHIND):
            await asyncio.sleep(0)
    if problem:
        raise PersonCanAct(f"{command[0]} {problem}{after_problem}")


def _run(command: list[str]) -> str:
    """What went wrong, or nothing; it never raises, for `App.suspend` would not come back."""
    try:
        code = subprocess.run(command, check=False).returncode
    except OSError as error:
        return f"could not be started: {error.strerror}"
    return f"ended with {code}" if code else ""
