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


def journal_dir(config: HarnessConfig) -> Path:
    """Where the journals of sittings are kept, one file each."""
    return Path(config.journal_dir).expanduser() if config.journal_dir else state_dir() / "journals"
