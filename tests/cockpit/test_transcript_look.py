"""What the transcript looks like, at the sizes that people have."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from textual.pilot import Pilot

from agent_cockpit.events.changes import ChangesMoved, LeftPath, PathChange
from tests.cockpit.transcript_host import Host
from tests.transcript.stories import fixed_test, hard_goal

Compare = Callable[..., bool]
SIZES = [(120, 40), (80, 24), (40, 15)]


async def to_the_top(pilot: Pilot[None]) -> None:
    host = pilot.app
    assert isinstance(host, Host)
    host.view.jump_to(0)
    await pilot.pause()


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_goal_that_went_well(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(Host(fixed_test()), terminal_size=size, run_before=to_the_top)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_hard_goal_from_its_start(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(Host(hard_goal()), terminal_size=size, run_before=to_the_top)


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
def test_a_hard_goal_at_its_end(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert snap_compare(Host(hard_goal()), terminal_size=size)


def test_a_hard_goal_in_the_light(snap_compare: Compare) -> None:
    host = Host(hard_goal(), theme="cockpit-light")
    assert snap_compare(host, terminal_size=(100, 70), run_before=to_the_top)


def test_changes_that_were_taken_back_and_made_again(snap_compare: Compare) -> None:
    moved = ChangesMoved(
        goal="Fix the failing test",
        files=[
            PathChange(path="calc.py", added=1, removed=1),
            PathChange(path="notes/", status="D", added=None, removed=None),
        ],
        left=[LeftPath(path="report.py", why="changed since")],
        unseen=["build/ (ignored)"],
    )
    again = moved.model_copy(update={"to": "after", "left": [], "unseen": []})
    assert snap_compare(Host([*fixed_test(), moved, again]), terminal_size=(80, 24))
