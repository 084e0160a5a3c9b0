"""Finds out whether a way of holding commands works, by starting one."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence

from agent_cockpit.text import clean_line, shorten

TRIAL_S = 5.0
"""A start takes 20 ms; what takes longer than this would hold up every command."""


def fault_of_start(words: Sequence[str]) -> str | None:
    """What went wrong when `words` were started, in one line; None when they ended well.

    Empty when they failed and said nothing.
    """
    try:
        done = subprocess.run(
            words, stdin=subprocess.DEVNULL, capture_output=True, timeout=TRIAL_S, check=False
        )
    except subprocess.TimeoutExpired:
        return f"it did not start within {TRIAL_S:g} s"
    except OSError as error:
        return f"it cannot be started: {error.strerror or error}"
    if done.returncode == 0:
        return None
    return shorten(clean_line(done.stderr.decode(errors="replace")), 200)
