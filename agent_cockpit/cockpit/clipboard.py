"""The clipboard: what the terminal keeps (OSC 52), and programs of this machine where some are.

Loaded with the first copy.
"""

from __future__ import annotations

import asyncio
import shutil
import subprocess
from collections.abc import Callable, Mapping

DEADLINE_S = 3.0
"""A clipboard program that takes longer is stopped."""


def clipboard_programs(
    env: Mapping[str, str], find: Callable[[str], str | None] = shutil.which
) -> list[list[str]]:
    """The commands that take a text on their input for this session's clipboard.

    tmux lets no OSC 52 of a program pass as it is usually set, but sends its own. Over a remote
    connection a program of the desktop would fill the clipboard of the wrong machine.
    """
    found: list[list[str]] = []
    if env.get("TMUX") and (tmux := find("tmux")):
        found.append([tmux, "load-buffer", "-w", "-"])
    if env.get("SSH_CONNECTION") or env.get("SSH_TTY"):
        return found
    wanted: list[list[str]] = [["pbcopy"]]
    if env.get("WAYLAND_DISPLAY"):
        wanted.append(["wl-copy"])
    if env.get("DISPLAY"):
        wanted += [["xclip", "-selection", "clipboard"], ["xsel", "--clipboard", "--input"]]
    wanted.append(["clip.exe"])
    for command in wanted:
        if path := find(command[0]):
            return [*found, [path, *command[1:]]]
    return found


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
