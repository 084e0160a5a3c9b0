"""Chooses what holds the commands of a workspace: the best that works, or what was asked for.

Law: a sandbox that was asked for by name is never silently replaced by a weaker one.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from agent_cockpit.errors import SettingsError, ToolRefused
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.workspace.at_home import at_home
from agent_cockpit.workspace.sandbox.bwrap import Bwrap, find_bwrap
from agent_cockpit.workspace.sandbox.landlock import Landlock
from agent_cockpit.workspace.sandbox.macos import SandboxExec
from agent_cockpit.workspace.sandbox.places import Ground
from agent_cockpit.workspace.sandbox.protocol import NoSandbox, Sandbox

Choice = Literal["auto", "bwrap", "landlock", "none"]


@dataclass(frozen=True, slots=True)
class Tried:
    """One way of holding commands: itself where it works, else what is wrong."""

    name: str
    works: Sandbox | None
    fault: str = ""


def sandbox_for(config: HarnessConfig, *, hidden: tuple[Path, ...]) -> Callable[[Path], Sandbox]:
    """What opens the settings' sandbox for a workspace; no command may see `hidden`."""

    def open_for(root: Path) -> Sandbox:
        return open_sandbox(config.sandbox, ground_of(config, root, hidden=hidden))

    return open_for


def ground_of(config: HarnessConfig, root: Path, *, hidden: tuple[Path, ...]) -> Ground:
    """The workspace `root` among this person's own places."""
    return Ground(
        root=root,
        home=Path.home(),
        hidden=hidden,
        writable=tuple(root / at_home(place) for place in config.sandbox_write),
        secret_globs=config.sensitive_path_globs,
        environ=os.environ,
    )


def open_sandbox(choice: Choice, ground: Ground) -> Sandbox:
    """What holds commands from now on; starts a process or two to find out.

    Raises `SettingsError` where the one that was named does not work.
    """
    if choice == "none":
        return NoSandbox()
    for tried in try_all(ground):
        if tried.works is not None and choice in ("auto", tried.name):
            return tried.works
        if tried.name == choice:
            raise SettingsError(
                f'sandbox = "{choice}" does not work here: {tried.fault}; set it to "auto" '
                "(see `agent-cockpit doctor`)"
            )
    if choice == "auto":
        return NoSandbox()
    raise SettingsError(f'sandbox = "{choice}" is for Linux only; set it to "auto"')


def try_all(ground: Ground) -> Iterator[Tried]:
    """Each way that this system might have, best first, tried when it is asked for."""
    if sys.platform.startswith("linux"):
        program = find_bwrap(ground)
        if program is None:
            yield Tried("bwrap", None, "the program bwrap is not installed")
        else:
            yield _tried(Bwrap(program, ground))
        yield _tried(Landlock(ground))
    elif sys.platform == "darwin":
        yield _tried(SandboxExec(ground))


def _tried(sandbox: Bwrap | Landlock | SandboxExec) -> Tried:
    try:
        fault = sandbox.fault()
    except ToolRefused as refused:
        fault = str(refused)
    if fault is None:
        return Tried(sandbox.name, sandbox)
    return Tried(sandbox.name, None, fault or "it failed without a word")
