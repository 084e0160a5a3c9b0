"""A sitting of the storm; more of it runs by `python -m tests.cockpit.file_storm`."""

from __future__ import annotations

import pytest

from tests.cockpit.file_storm import play


@pytest.mark.timeout(300)  # a busy machine is no fault
async def test_what_somebody_else_writes_meanwhile_is_lost_to_no_yes() -> None:
    assert await play(0) == ""
