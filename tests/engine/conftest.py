"""What the tests of the engine share."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.support.goals import Folder


@pytest.fixture
async def folder(tmp_path: Path) -> AsyncIterator[Folder]:
    """A project; its sittings are closed when the test is over."""
    made = Folder(tmp_path)
    yield made
    await made.close()
