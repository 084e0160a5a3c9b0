"""Where the program keeps what outlives it: outside every workspace, one folder a person."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from platformdirs import user_state_dir

if TYPE_CHECKING:
    from agent_cockpit.settings import HarnessConfig


def state_dir() -> Path:
    """Where journals, snapshots and remembered consents live."""
    return Path(user_state_dir("agent-cockpit"))


def keys_file() -> Path:
    """Where a person says which keys they moved, beside their settings."""
    from agent_cockpit.settings_files import user_settings_file

    return user_settings_file().with_name("keys.toml")


def journal_dir(config: HarnessConfig) -> Path:
    """Where the journals of sittings are kept, one file each. A folder of ours: no call may see
    it, so it is never the one that the person named, with what else is in that."""
    if not config.journal_dir:
        return state_dir() / "journals"
    from agent_cockpit.workspace.at_home import at_home

    return at_home(config.journal_dir) / "agent-cockpit-journals"
