"""A path as a person writes it: `~` is their home."""

from __future__ import annotations

import os
from pathlib import Path


def at_home(path: str | Path) -> Path:
    """The path with `~` or `~name` at its begin resolved; where nobody is called so, as it is."""
    return Path(os.path.expanduser(path))  # noqa: PTH111 - Path's own raises for an unknown person
