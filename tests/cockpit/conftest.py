"""Where the pictures of the screen live: `snapshots/look/<test file>/<test>.svg`."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import pytest_textual_snapshot  # type: ignore[import-untyped]
from textual.pilot import Pilot

from tests.cockpit.screen import at_rest_and_measured

_LOOK = Path(__file__).parents[2] / "snapshots" / "look"


def _dirname(cls: type, *, test_location: Any) -> str:
    return str(_LOOK / Path(test_location.filepath).stem)


pytest_textual_snapshot.SVGImageExtension.dirname = classmethod(_dirname)


@pytest.fixture
def snap_compare(snap_compare: Callable[..., bool]) -> Callable[..., bool]:
    """Compares a picture that is taken once the app has come to rest, not at some moment."""

    def compare(
        app: Any, *, run_before: Callable[[Pilot[Any]], Any] | None = None, **how: Any
    ) -> bool:
        async def before(pilot: Pilot[Any]) -> None:
            work = run_before(pilot) if run_before is not None else None
            if inspect.isawaitable(work):
                await work
            await at_rest_and_measured(pilot)

        return snap_compare(app, run_before=before, **how)

    return compare
