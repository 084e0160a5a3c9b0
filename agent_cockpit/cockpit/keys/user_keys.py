"""Keys that the person moved: keys.toml read, judged line by line, and made a `Keymap`.

Laws: no file says what a terminal cannot send or the prompt needs as text; esc and ctrl+c
stay; what is wrong switches itself off, says so with file and line, and takes no other along.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from agent_cockpit.cockpit.keys.key import Key
from agent_cockpit.cockpit.keys.key_names import NoKey, key_named, types_text
from agent_cockpit.cockpit.keys.key_table import KEYS, PANELS
from agent_cockpit.cockpit.keys.keymap import RESERVED, Keymap, shown_key
from agent_cockpit.text import clean_line, shorten

MAX_BYTES = 100_000
TEXT_PLACES = ("composer", "anywhere", "search", "palette", "writing")
"""Where what a key types is text."""
_BY_ID = {line.id: line for line in KEYS}


@dataclass(frozen=True, slots=True)
class UserKeys:
    """What a file came to: the keys in force, and a sentence for each entry that is off."""

    keymap: Keymap
    problems: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Entry:
    line: Key
    keys: tuple[str, ...]
    where: str


def read_keys(path: Path) -> UserKeys:
    """The keys of this file; those of the table where there is none."""
    try:
        with path.open("rb") as file:
            data = file.read(MAX_BYTES + 1)
        if len(data) > MAX_BYTES:
            return UserKeys(Keymap(), (f"cannot read {path}: it is larger than {MAX_BYTES} bytes",))
        text = data.decode("utf-8-sig")
    except FileNotFoundError:
        return UserKeys(Keymap())
    except OSError as error:
        return UserKeys(Keymap(), (f"cannot read {path}: {error.strerror or error}",))
    except UnicodeDecodeError as error:
        return UserKeys(Keymap(), (f"cannot read {path}: byte {error.start} is not UTF-8",))
    return keys_of(text, str(path))


def keys_of(text: str, name: str) -> UserKeys:
    """The keys that a file of this text and name comes to."""
    try:
        # The newline lets the parser name the last line instead of "end of document".
        values = tomllib.loads(text + "\n")
    except (ValueError, RecursionError) as error:  # a number too long is no TOMLDecodeError
        reason, _, line = str(error).partition(" (at line ")
        place = f", line {line.split(',')[0]}" if line else ""
        words = f"cannot read {name}{place}: {clean_line(reason)}; no key is moved"
        return UserKeys(Keymap(), (words,))
    problems: list[str] = []
    entries: dict[str, _Entry] = {}
    for written, value in values.items():
        where = f"{name}{_line_of(written, text)}"
        try:
            entry = _entry(written, value, where)
            if entry.line.id in entries:
                raise NoKey(f"`{entry.line.id}` stands there twice; the first one counts")
            entries[entry.line.id] = entry
        except NoKey as wrong:
            problems.append(f"{where}: {wrong}")
    problems += _drop_conflicts(entries)
    moved = {entry.line.id: entry.keys for entry in entries.values()}
    return UserKeys(Keymap(moved), tuple(problems))


def _entry(written: str, value: Any, where: str) -> _Entry:
    line = _BY_ID.get(written.replace("-", "_"))
    if line is None:
        alike = get_close_matches(written.replace("-", "_"), _BY_ID, n=2)
        meant = "; did you mean " + " or ".join(f"`{each}`" for each in alike) if alike else ""
        raise NoKey(
            f"there is no action `{shorten(clean_line(written), 60)}`"
            f"{meant or '; `/keys` lists them'}"
        )
    if line.of:
        raise NoKey(f"`{line.id}` is what the key of `{line.of}` does then; move `{line.of}`")
    if line.stays:
        raise NoKey(f"`{line.id}` stays on {line.label}")
    names = [value] if isinstance(value, str) else value
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise NoKey(f'`{line.id}` needs a key as text, or a list of them: {line.id} = "ctrl+x"')
    keys = tuple(dict.fromkeys(key_named(each) for each in names))
    for key in keys:
        _check(line, key)
    kept = tuple(key for key in line.keys if key in RESERVED and key not in keys)
    return _Entry(line, (*keys, *kept), where)


def _check(line: Key, key: str) -> None:
    """Raise `NoKey` where this key cannot be this line's."""
    if key in RESERVED and key not in line.keys:
        raise NoKey(f"{shown_key(key)} stays what it is, in every panel")
    if line.where in TEXT_PLACES and types_text(key):
        raise NoKey(f"`{line.id}` works while you type, and {shown_key(key)} is text there")
    if line.consents and key in _EVERYDAY:
        raise NoKey(
            f"`{line.id}` lets something happen, and {shown_key(key)} is pressed without "
            "thinking of it; choose a letter, or a key with ctrl or alt"
        )


_MOVING = ("up", "down", "left", "right", "home", "end", "pageup", "pagedown")
_WRITING = ("enter", "shift+enter", "alt+enter", "ctrl+j", "space", "backspace", "delete")
_EVERYDAY = frozenset([*_MOVING, *_WRITING, "tab", "shift+tab"])


def _drop_conflicts(entries: dict[str, _Entry]) -> Iterator[str]:
    """Take out what collides, the later entry first; a sentence for each."""
    while True:
        keymap = Keymap({entry.line.id: entry.keys for entry in entries.values()})
        collision = next(_collisions(keymap, entries), None)
        if collision is None:
            return
        entry, other, key = collision
        del entries[entry.line.id]
        yield (
            f"{entry.where}: {shown_key(key)} is `{other.id}` already ({other.words}); "
            f"move that too, or choose another key for `{entry.line.id}`"
        )


def _collisions(keymap: Keymap, entries: Mapping[str, _Entry]) -> Iterator[tuple[_Entry, Key, str]]:
    order = list(entries)
    for places in PANELS.values():
        holders: dict[str, Key] = {}
        lines = [line for line in keymap.lines if line.where in places]
        for line in sorted(lines, key=lambda each: _rank(each, order)):
            for key in line.keys:
                other = holders.setdefault(key, line)
                if other is not line and line.id in entries and key not in RESERVED:
                    yield entries[line.id], other, key


def _rank(line: Key, order: list[str]) -> int:
    """What was not moved keeps its key before what was, an earlier entry before a later."""
    return order.index(line.id) if line.id in order else -1


def _line_of(name: str, text: str) -> str:
    """`, line 4` for a key of the file; nothing for one that is written unusually."""
    key = rf"(?:{re.escape(name)}|\"{re.escape(name)}\"|'{re.escape(name)}')"
    match = re.search(rf"^[ \t]*\[{{0,2}}[ \t]*{key}[ \t]*[.=\]]", text, re.MULTILINE)
    return f", line {text.count(chr(10), 0, match.start()) + 1}" if match else ""
