"""What the scripted demo model finds in the files that it read: really, by looking."""

from __future__ import annotations

import re
from dataclasses import dataclass

from agent_cockpit.providers.demo.scene import Done, Scene

TEST_COMMAND = "python3 -m unittest"

_FAULT = re.compile(r"return (?P<total>\w+) / \(len\((?P<many>\w+)\) - 1\)")
_RIGHT = re.compile(r"return .+ / len\(\w+\)|return (statistics\.)?f?mean\(")
_HIT = re.compile(r"^(?:\./)?([^:\n]+\.py)[:-]\d+[:-]", re.MULTILINE)
_LISTED = re.compile(r"^(?:\./)?(\S*(?:calc|average|mean|stat)\S*\.py)$", re.MULTILINE)
_ANCHOR = re.compile(r"^ +self\.assertEqual\(spread\(\[[^\]\n]*\]\), [\w.]+\)$", re.MULTILINE)
_NUMBERED = re.compile(r"^\s*(\d+)\s?[\t|:│→]")
_FUNCTION = re.compile(r'^def (?P<name>\w+)\([^\n]*:\n\s+"""(?P<says>[^"]+)"""', re.MULTILINE)
_FILES_AT_MOST = 4


@dataclass(frozen=True, slots=True)
class Fault:
    """A mean that divides by one too few; `line` counts from 1."""

    path: str
    line: int
    old: str
    new: str
    many: str

    @classmethod
    def find(cls, path: str, content: str) -> Fault | None:
        """The first one in a file's text."""
        match = _FAULT.search(content)
        if match is None:
            return None
        new = f"return {match['total']} / len({match['many']})"
        return cls(path, line_at(content, match.start()), match[0], new, match["many"])


@dataclass(frozen=True, slots=True)
class Function:
    """A function with what its docstring says; `place` is `path:line`."""

    name: str
    place: str
    says: str


@dataclass(frozen=True, slots=True)
class Anchor:
    """A piece of text that stands once in a file."""

    path: str
    text: str


def files_to_read(scene: Scene) -> tuple[str, ...]:
    """Python files that looking around turned up, or that were read before."""
    found: dict[str, None] = {}
    for done in scene.all_calls:
        if done.ok:
            found.update(dict.fromkeys(_paths_in(done)))
    return tuple(sorted(found, key=lambda path: "report" in path))[:_FILES_AT_MOST]


def unread(scene: Scene) -> tuple[str, ...]:
    """Those of them whose present text is not known, without those that cannot be read."""
    hopeless = {c.field("path") for c in scene.calls if c.name == "read_file" and c.is_error}
    return tuple(
        path for path in files_to_read(scene) if path not in hopeless and scene.file(path) is None
    )


def fault_in(scene: Scene) -> Fault | None:
    """The fault in what was read, if it is still there."""
    for path in files_to_read(scene):
        fault = Fault.find(path, scene.file(path) or "")
        if fault:
            return fault
    return None


def right_line(scene: Scene) -> str:
    """`path:line` of a mean that is computed as it should be; empty when none was seen."""
    for path in files_to_read(scene):
        content = scene.file(path) or ""
        match = _RIGHT.search(content)
        if match and "test" not in path:
            return f"{path}:{line_at(content, match.start())}"
    return ""


def test_anchor(scene: Scene) -> Anchor | None:
    """The line of a test after which another one can stand."""
    for path in files_to_read(scene):
        matches = _ANCHOR.findall(scene.file(path) or "")
        if "test" in path and len(matches) == 1:
            return Anchor(path, matches[0])
    return None


def function_named(scene: Scene, words: str) -> Function | None:
    """The first function of the files that one of these words names."""
    named = set(re.findall(r"\w+", words))
    for path in files_to_read(scene):
        content = scene.file(path) or ""
        for match in _FUNCTION.finditer(content):
            if match["name"] in named:
                place = f"{path}:{line_at(content, match.start())}"
                return Function(match["name"], place, " ".join(match["says"].split()))
    return None


def line_at(content: str, position: int) -> int:
    """The number of the line at this position: the one written before it, else counted."""
    start = content.rfind("\n", 0, position) + 1
    written = _NUMBERED.match(content[start:position])
    return int(written[1]) if written else content.count("\n", 0, position) + 1


def _paths_in(done: Done) -> list[str]:
    if done.name == "read_file":
        path = done.field("path")
        return [path] if path.endswith(".py") else []
    if done.name == "search_repo":
        return _HIT.findall(done.content)
    return _LISTED.findall(done.content) if done.name == "list_files" else []
