"""The clipboard: what the terminal keeps (OSC 52), and a program of this machine where one is.

Loaded with the first copy.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Callable, Mapping

DEADLINE_S = 3.0
"""A clipboard program that takes longer is stopped."""


def clipboard_program(
    env: Mapping[str, str], find: Callable[[str], str | None] = shutil.which
) -> list[str]:
    """The command that takes a text on its input for this session's clipboard; empty: none.

    Over a remote connection a program would fill the clipboard of the wrong machine.
    """
    if env.get("SSH_CONNECTION") or env.get("SSH_TTY"):
        return []
    wanted: list[list[str]] = [["pbcopy"]]
    if env.get("WAYLAND_DISPLAY"):
        wanted.append(["wl-copy"])
    if env.get("DISPLAY"):
        wanted += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
    wanted.append(["clip.exe"])
    for command in wanted:
        if path := find(command[0]):
            return [path, *command[1:]]
    return []


async def copy_by_program(text: str, command: list[str]) -> bool:
    """Hand the text to a clipboard program; whether it took it."""
    return await asyncio.to_thread(_hand_over, text, command)


def copied_words(text: str) -> str:
    """`copied 3 lines, 120 characters`."""
    lines = text.count("\n") + 1
    size = f"{len(text):,} character{'' if len(text) == 1 else 's'}"
    return f"copied {size}" if lines == 1 else f"copied {lines:,} lines, {size}"


def _hand_over(text: str, command: list[str]) -> bool:
    try:
        done = subprocess.run(
            command,
            input=text.encode("utf-8", "replace"),
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=DEADLINE_S,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False  # the terminal has it all the same
    return done.returncode == 0
