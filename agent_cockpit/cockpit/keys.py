"""The key table, read for those who need it: bindings, footer and help."""

from __future__ import annotations

from textual.binding import Binding

from agent_cockpit.cockpit.key import Key, Situation
from agent_cockpit.cockpit.key_table import KEYS, PLACES


def key(key_id: str) -> Key:
    """The line of the table with this id."""
    return next(line for line in KEYS if line.id == key_id)


def bindings(*places: str) -> list[Binding]:
    """Textual bindings of all keys of these places that name an action."""
    return [
        Binding(",".join(line.keys), line.action, line.words, id=line.id, show=False)
        for line in KEYS
        if line.where in places and line.keys and line.action
    ]


def footer(now: Situation) -> list[tuple[str, str]]:
    """(label, words) of the keys that work now and are worth naming, most telling first."""
    lines = [line for line in KEYS if line.shown is not None and line.shown(now)]
    return [(line.label, line.brief or line.words) for line in lines]


def key_help() -> list[tuple[str, list[tuple[str, str]]]]:
    """For each place its heading and its (label, words) lines, as the help page shows them."""
    return [
        (heading, [(line.label, line.words) for line in KEYS if line.where == place])
        for place, heading in PLACES.items()
    ]
