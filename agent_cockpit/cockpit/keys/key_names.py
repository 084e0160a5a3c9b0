"""How a person writes a key: `ctrl+x`, `Alt-Up`, `?`, `pgdn`; and whether it types text."""

from __future__ import annotations

from textual.keys import Keys, _character_to_key, key_to_character

from agent_cockpit.text import clean_line, shorten

_MODIFIERS = ("alt", "ctrl", "hyper", "meta", "shift", "super")
"""In the order in which a key's name has them."""
_WRITTEN = {
    "control": "ctrl",
    "option": "alt",
    "cmd": "super",
    "esc": "escape",
    "return": "enter",
    "pgup": "pageup",
    "page_up": "pageup",
    "pgdn": "pagedown",
    "pgdown": "pagedown",
    "page_down": "pagedown",
    "del": "delete",
    "ins": "insert",
    "back": "backspace",
    "spacebar": "space",
    "↑": "up",
    "↓": "down",
    "←": "left",
    "→": "right",
}
_THE_SAME = {
    "ctrl+m": "enter",
    "ctrl+i": "tab",
    "ctrl+left_square_bracket": "escape",
    "ctrl+h": "backspace",
}
"""What a terminal sends as the other key."""
_NAMED = frozenset(key.value for key in Keys if "+" not in key.value and "<" not in key.value)


class NoKey(Exception):
    """What was written names no key that could be used; its words say why."""


def key_named(written: str) -> str:
    """Textual's name of the key that a person wrote; raises `NoKey`."""
    name = written if len(written) == 1 else written.strip()
    if not name:
        raise NoKey("an empty text is no key; an empty list takes the key away")
    *marks, last = [name] if len(name) == 1 else _parts(name)
    modifiers = {_WRITTEN.get(mark.lower(), mark.lower()) for mark in marks}
    shown = shorten(clean_line(written), 40)
    if unknown := sorted(modifiers - set(_MODIFIERS)):
        raise NoKey(f"`{shown}` is no key: `{unknown[0]}` is not one of {', '.join(_MODIFIERS)}")
    base = _base(last, modifiers)
    if base is None:
        raise NoKey(
            f"`{shown}` is no key known here; write for example `ctrl+x`, `f5`, `alt+up`, `?`"
        )
    key = "+".join([*(mark for mark in _MODIFIERS if mark in modifiers), base])
    if key in _THE_SAME:
        raise NoKey(f"a terminal sends {key} as {_THE_SAME[key]}; choose another key")
    return key


def types_text(key: str) -> bool:
    """Whether pressing this key while one writes puts something there, or takes it away."""
    return "+" not in key and (key not in _NAMED or key in ("space", "backspace", "delete"))


def _parts(name: str) -> list[str]:
    """`Ctrl-Shift-x` and `ctrl++` in their parts, the key itself last."""
    marks, last = name[:-1], name[-1]
    if last in "+-" and marks.endswith(("+", "-")):
        return [*marks[:-1].replace("-", "+").split("+"), last]
    return name.replace("-", "+").split("+")


def _base(last: str, modifiers: set[str]) -> str | None:
    """The key itself; with shift a letter is its capital, where nothing else is held."""
    if len(last) == 1:
        if "shift" in modifiers and len(modifiers) == 1 and last.isalpha():
            modifiers.clear()
            return last.upper()
        if modifiers and "ctrl" not in modifiers and last.isupper():
            modifiers.add("shift")
        sign = last.lower() if modifiers else last
        return _character_to_key(sign) if sign.isprintable() else None
    name = _WRITTEN.get(last.lower(), last.lower())
    if name in _NAMED:
        return name
    character = key_to_character(name)
    return name if character is not None and character.isprintable() else None
