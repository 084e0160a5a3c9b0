"""Where the pictures of the screen live: `snapshots/look/<test file>/<test>.svg`."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest_textual_snapshot  # type: ignore[import-untyped]

_LOOK = Path(__file__).parents[2] / "snapshots" / "look"


def _dirname(cls: type, *, test_location: Any) -> str:
    return str(_LOOK / Path(test_location.filepath).stem)


pytest_textual_snapshot.SVGImageExtension.dirname = classmethod(_dirname)
