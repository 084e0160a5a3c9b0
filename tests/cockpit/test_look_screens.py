"""What the other screens, lists and states of the cockpit look like."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from tests.cockpit.screen import until
from tests.cockpit.test_look import still
from tests.support.scripted_source import ScriptedSource
from tests.transcript.stories import fixed_test

Compare = Callable[..., bool]


@pytest.mark.parametrize("size", [(120, 40), (40, 15)], ids=["120x40", "40x15"])
def test_the_list_of_themes(snap_compare: Compare, size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = still(source)

    async def before(pilot: Pilot[Any]) -> None:
        await until(pilot, lambda: app.driving.source is not None)
        source.say(*fixed_test())
        await until(pilot, lambda: app.transcript_view.display)
        app.composer.text = "/theme"
        await pilot.press("enter")
        await until(pilot, lambda: not app.is_main)
        await pilot.press("down")
        await until(pilot, lambda: app.theme == "cockpit-light")

    assert snap_compare(app, terminal_size=size, run_before=before)
