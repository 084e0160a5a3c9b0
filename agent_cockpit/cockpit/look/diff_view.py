"""How a person wants diffs: by the width, old and new beside each other, or under each other."""

from __future__ import annotations

from typing import Literal

from textual.dom import DOMNode

from agent_cockpit.cockpit.remembered import Remembered

DiffView = Literal["auto", "unified", "beside"]
SIDE_BY_SIDE_CELLS = 120
"""From this width on a diff shows old and new beside each other, if nothing else is wanted."""
_LEAST_SIDE_CELLS = 50
_NAME = "diffs"


def chosen_view(remembered: Remembered) -> DiffView:
    """What the person chose last."""
    view = remembered.text(_NAME)
    return "unified" if view == "unified" else "beside" if view == "beside" else "auto"


def choose_next_view(remembered: Remembered) -> DiffView:
    """Show diffs in the next way from now on; remembered."""
    following: dict[DiffView, DiffView]
    following = {"auto": "beside", "beside": "unified", "unified": "auto"}
    view = following[chosen_view(remembered)]
    remembered.keep(**{_NAME: view})
    return view


def view_of(node: DOMNode) -> DiffView:
    """The view in force where a widget asks; by the width in an app that remembers nothing."""
    remembered = getattr(node.app, "remembered", None)
    return chosen_view(remembered) if isinstance(remembered, Remembered) else "auto"


def stands_beside(view: DiffView, room: int) -> bool:
    """Whether old and new stand beside each other in so many cells."""
    wanted = SIDE_BY_SIDE_CELLS if view == "auto" else _LEAST_SIDE_CELLS
    return view != "unified" and room >= wanted
