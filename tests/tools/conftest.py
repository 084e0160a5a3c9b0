"""A real folder and what the runner would hand to a call."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Protocol

import pytest

from agent_cockpit.settings import HarnessConfig
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.workspace.workspace import Workspace


class MakeDeps(Protocol):
    def __call__(self, *, config: HarnessConfig = ..., **more: Any) -> RunDeps: ...


@pytest.fixture
def make_deps(tmp_path: Path) -> MakeDeps:
    def make(*, config: HarnessConfig | None = None, **more: Any) -> RunDeps:
        return RunDeps(workspace=Workspace(tmp_path), config=config or HarnessConfig(), **more)

    return make
