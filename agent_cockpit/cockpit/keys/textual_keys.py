"""The key table for Textual: bindings, and the keys in force where a widget asks."""

from __future__ import annotations

from textual.binding import Binding
from textual.dom import DOMNode

from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.cockpit.keys.keymap import Keymap

_OWN = Keymap()


def bindings(*places: str) -> list[Binding]:
    """Textual bindings of all keys of these places that name an action."""
    return [
        Binding(",".join(line.keys), line.action, line.words, id=line.id, show=False)
        for line in KEYS
        if line.where in places and line.keys and line.action
    ]


def keymap_of(node: DOMNode) -> Keymap:
    """The keys in force; those of the table in an app that knows no others."""
    keymap = getattr(node.app, "keymap", _OWN)
    assert isinstance(keymap, Keymap)
    return keymap


def bound(node: DOMNode, key: str) -> list[Binding]:
    """What this key does in this node, the last word first, the person's keys included.

    Textual knows a moved key only on its own way through the screen; a node that runs its
    bindings itself asks here.
    """
    moved = keymap_of(node).moved
    if not moved:
        return list(node._bindings.key_to_bindings.get(key, ()))
    mine = [
        binding
        for each in node._bindings.key_to_bindings.values()
        for binding in each
        if key in moved.get(binding.id or "", ())
    ]
    usual = [
        binding
        for base in type(node).__mro__
        if issubclass(base, DOMNode)
        for binding in _own_bindings(base, key)
        if binding.id not in moved
    ]
    return [*mine[:1], *usual]


def _own_bindings(base: type[DOMNode], key: str) -> list[Binding]:
    made = Binding.make_bindings(base.__dict__.get("BINDINGS", ()))
    return [binding for binding in made if binding.key == key]
