"""The demo: the scripted model on a copy of the sample project, no key and no network.

Law: nothing heavy is imported before it is opened, so that the screen paints first.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from agent_cockpit.errors import SettingsError

if TYPE_CHECKING:
    from agent_cockpit.engine.sitting.session_state import ReplSession
    from agent_cockpit.harness import Harness
    from agent_cockpit.prompt_files import PromptFiles

DEMO_GOAL = "Fix the failing test"
"""What the demo offers first: an edit, a test run and two commands of one kind."""


def open_demo(log: Path | None) -> ReplSession:
    """A sitting on a fresh copy of the sample project, whatever the person's settings are."""
    import tempfile

    from agent_cockpit.harness import open_sitting
    from agent_cockpit.providers.demo.project import copy_demo_project

    root = copy_demo_project(Path(tempfile.mkdtemp(prefix="agent-cockpit-demo-")) / "demo")
    return open_sitting(demo_harness(root, log))


def demo_memory() -> PromptFiles:
    """The prompts and drafts of all demos, whose folders are new each time."""
    from agent_cockpit.places import state_dir
    from agent_cockpit.prompt_files import PromptFiles

    return PromptFiles(state_dir() / "demo")


def demo_harness(root: Path, log: Path | None) -> Harness:
    """The scripted model on a copy that is there already; its one check is trusted."""
    import shutil

    from agent_cockpit.harness import Harness
    from agent_cockpit.settings import HarnessConfig

    shown = _how_it_is_shown(root)
    python = next(filter(shutil.which, ("python3", "python")), sys.executable)
    config = HarnessConfig(
        provider="demo",
        workspace_root=str(root),
        test_command=f"{python} -m unittest",
        max_wall_clock_seconds=None,
        **shown,
    )
    return Harness(config=config, asks_edits=True, log=log)


_SHOWN = (
    "theme",
    "reduced_motion",
    "vim_keys",
    "notify",
    "terminal_title",
    "terminal_progress",
    "leave_transcript",
)
"""Settings of the person that hold for the demo too: they are about their eyes and terminal."""


def _how_it_is_shown(root: Path) -> dict[str, Any]:
    """Those settings; none where they cannot be read, since nothing may keep the demo away."""
    import os

    from agent_cockpit.settings_files import load_settings, user_settings_file

    try:
        loaded = load_settings(
            flags={}, environ=os.environ, user_file=user_settings_file(), cwd=root
        )
    except SettingsError:
        return {}
    return {name: getattr(loaded.config, name) for name in _SHOWN if name in loaded.sources}
