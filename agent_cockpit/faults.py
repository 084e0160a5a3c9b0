"""A fault of ours, written where the person can find it, told in one sentence."""

from __future__ import annotations

import os
import tempfile
import traceback
from pathlib import Path

from agent_cockpit.rules.secrets import redact


def record_fault(error: BaseException, folder: Path | None = None) -> str:
    """Write the traceback to a new file in `folder` (None: the user's state folder) that
    only the user can read; returns what happened and where the details are."""
    details = redact("".join(traceback.format_exception(error)))
    happened = f"internal fault ({type(error).__name__}: {redact(str(error))})"
    for place in (folder or _state_folder(), Path(tempfile.gettempdir())):
        try:
            place.mkdir(parents=True, exist_ok=True)
            handle, name = tempfile.mkstemp(".txt", "agent-cockpit-fault-", place)
            with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace") as file:
                file.write(details)
        except OSError:
            continue
        return f"{happened}; the details are in {name}"
    return f"{happened}; there was no place to write the details"


def _state_folder() -> Path:
    from platformdirs import user_state_path

    return user_state_path("agent-cockpit") / "faults"
