"""A workspace, a home with secrets and a place outside, and commands held between them."""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from agent_cockpit.settings import SENSITIVE_PATHS
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.processes import ChildResult, run_child
from agent_cockpit.workspace.sandbox.choice import try_all
from agent_cockpit.workspace.sandbox.places import Ground
from agent_cockpit.workspace.sandbox.protocol import Limits, Sandbox

NAMES = ("bwrap", "landlock")


@dataclass(frozen=True)
class Field:
    """`root` is the workspace, `home` a home folder, `elsewhere` neither."""

    ground: Ground
    elsewhere: Path
    sandbox: Sandbox

    @property
    def root(self) -> Path:
        return self.ground.root

    @property
    def home(self) -> Path:
        return self.ground.home

    async def run(
        self,
        command: str,
        limits: Limits | None = None,
        *,
        timeout_s: float = 8,
        token: CancellationToken | None = None,
        heard: Callable[[str], None] = lambda _: None,
    ) -> ChildResult:
        return await run_child(
            command,
            cwd=self.root,
            timeout_s=timeout_s,
            cancellation=token or CancellationToken(),
            output_budget=20_000,
            heard=heard,
            held=self.sandbox.hold(limits or Limits()),
        )


def ground_in(folder: Path, **more: object) -> Ground:
    """A new workspace and home below `folder`."""
    root, home = folder / "work", folder / "home"
    for place in (root, home / ".ssh", home / ".config" / "gh", home / ".cache"):
        place.mkdir(parents=True)
    (home / ".ssh" / "id_ed25519").write_text("PRIVATE KEY\n")
    (home / ".config" / "gh" / "hosts.yml").write_text("token: abc\n")
    (home / ".netrc").write_text("password hunter2\n")
    (home / ".gitconfig").write_text("[user]\n\tname = Ada\n\temail = ada@example.org\n")
    (home / "notes.txt").write_text("plain\n")
    ground = Ground(root=root, home=home, environ=os.environ, secret_globs=SENSITIVE_PATHS)
    return replace(ground, **more)  # type: ignore[arg-type]


def working(name: str, ground: Ground) -> Sandbox:
    """The sandbox of that name, or a skip that says why there is none."""
    for tried in try_all(ground):
        if tried.name == name:
            if tried.works is None:
                pytest.skip(f"{name}: {tried.fault}")
            return tried.works
    pytest.skip(f"{name} is for another system")
