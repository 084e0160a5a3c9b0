"""What the panel looks like while a person widens, splits, changes and reads what they allow."""

from __future__ import annotations

from typing import Any

from agent_cockpit.events.consent import AskedPart
from tests.cockpit.test_consent_keys import SCOPES, edit
from tests.support.scripted_source import asks

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
