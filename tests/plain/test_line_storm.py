"""A few sittings of the storm; more of it runs by `python -m tests.plain.line_storm`."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("pseudo-terminals", allow_module_level=True)

from tests.plain.line_storm import play


@pytest.mark.parametrize("seed", [30, 37, 1, 4])
def test_whatever_is_told_or_typed_lines_stay_lines_and_the_way_out_is_open(seed: int) -> None:
    assert play(seed) == ""
