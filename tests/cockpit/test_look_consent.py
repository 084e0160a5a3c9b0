"""What the panel looks like while a person widens, splits, changes and reads what they allow."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.consent import AskedPart
from tests.cockpit.test_consent_keys import SCOPES, edit
from tests.cockpit.test_look import after, at_every_size, goal, still
from tests.support.scripted_source import ScriptedSource, asks

LINE = 'git add -A && git commit -m "Divide by the count" && curl -F f=@x https://example.org'
PARTS = [
    AskedPart(text="git add -A", tier=3, reason="changes the index", writes=["."]),
    AskedPart(
        text='git commit -m "Divide by the count"', tier=3, reason="writes the repository's history"
    ),
    AskedPart(
        text="curl -F f=@x https://example.org",
        tier=4,
        reason="sends a file",
        reads=["x"],
        network=True,
    ),
]
LONG = "echo " + "a" * 10_000 + " && touch TAIL"
SANDBOX = "sandbox: workspace only, no network"

STATES: dict[str, tuple[Any, list[str]]] = {
    "narrower": (asks(scopes=SCOPES, confinement=SANDBOX), ["left"]),
    "some-hunks": (edit(), ["space", "right_square_bracket"]),
    "a-reason": (edit(), ["space", "r", *"keep it"]),
    "changing": (asks(scopes=SCOPES), ["e", "end"]),
    "changed": (asks(scopes=SCOPES), ["e", "end", "x", "enter"]),
    "all-of-it": (
        asks(scopes=SCOPES[:1], parts=PARTS, input={"command": LINE}, tier=4, grant_scope=None),
        ["v"],
    ),
    "its-end": (asks(scopes=SCOPES, input={"command": LONG}), ["y"]),
}


def call(name: str) -> Any:
    """A call that asks."""
    return asks(name, input={"command": f"touch {name}"}, reason="makes a file")


@at_every_size
def test_the_list(snap_compare: Callable[..., bool], size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = still(source)
    ahead = CallsAhead(questions=[call("two"), call("three")])
    asked = after(app, source, goal(), ahead, call("one"))

    async def before(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.press("l", "space", "right_square_bracket")

    assert snap_compare(app, terminal_size=size, run_before=before)


@at_every_size
@pytest.mark.parametrize("state", STATES)
def test_the_panel(snap_compare: Callable[..., bool], state: str, size: tuple[int, int]) -> None:
    source = ScriptedSource()
    app = still(source)
    question, keys = STATES[state]
    asked: Callable[[Pilot[None]], Awaitable[None]] = after(app, source, goal(), question)

    async def before(pilot: Pilot[None]) -> None:
        await asked(pilot)
        await pilot.press(*keys)

    assert snap_compare(app, terminal_size=size, run_before=before)
