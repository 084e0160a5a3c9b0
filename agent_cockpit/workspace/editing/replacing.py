"""One exact text for another, whatever the line ends: the pure part of `str_replace`."""

from __future__ import annotations

from dataclasses import dataclass

from agent_cockpit.errors import ToolRefused
from agent_cockpit.workspace.encodings import LineEnds
from agent_cockpit.workspace.workspace import shown


@dataclass(frozen=True, slots=True)
class LineShift:
    """The file became `delta` lines longer at `line`, counted from 0."""

    line: int
    delta: int


@dataclass(frozen=True, slots=True)
class Replacement:
    """The whole new `text`, and of each place the first and last line that it touches,
    counted from 0 in the old text."""

    text: str
    spans: tuple[tuple[int, int], ...]
    delta: int

    @property
    def shifts(self) -> tuple[LineShift, ...]:
        """How lines moved, in order of application."""
        if not self.delta:
            return ()
        return tuple(
            LineShift(first + done * self.delta, self.delta)
            for done, (first, _) in enumerate(self.spans)
        )


def replace_text(
    original: str, old: str, new: str, *, everywhere: bool = False, name: str
) -> Replacement:
    """Replace `old`, which must occur exactly once (`everywhere`: at least once).

    The new text takes the line ends of its place, and what both texts share keeps its own.
    Raises `ToolRefused` that names the file `name` and says what to do.
    """
    old, new = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if not old:
        raise ToolRefused("old_string is empty; give the exact text to replace")
    if old == new:
        raise ToolRefused("old_string and new_string are the same; nothing would change")
    ends = LineEnds(original)
    found = _offsets(ends.text, old)
    if not found:
        raise ToolRefused(f"old_string was not found in `{shown(name)}`: {_hint(old, ends.text)}")
    if len(found) > 1 and not everywhere:
        raise ToolRefused(
            f"old_string occurs {len(found)} times in `{shown(name)}`: give more of the lines "
            "around it so that it occurs once, or set replace_all"
        )
    return Replacement(
        text=_replaced(ends, found, old, new),
        spans=_spans(ends.text, found, old, new),
        delta=new.count("\n") - old.count("\n"),
    )


def _offsets(text: str, old: str) -> list[int]:
    found: list[int] = []
    at = text.find(old)
    while at >= 0:
        found.append(at)
        at = text.find(old, at + len(old))
    return found


def _replaced(ends: LineEnds, found: list[int], old: str, new: str) -> str:
    lead = _shared(old, new)
    trail = _shared(old[lead:][::-1], new[lead:][::-1])
    middle = new[lead : len(new) - trail]
    pieces: list[str] = []
    done = 0
    for offset in found:
        start = ends.original_offset(offset + lead)
        pieces.append(ends.original[done:start])
        pieces.append(middle.replace("\n", ends.line_end_near(offset)))
        done = ends.original_offset(offset + len(old) - trail)
    pieces.append(ends.original[done:])
    return "".join(pieces)


def _shared(left: str, right: str) -> int:
    """How many characters both begin with."""
    pairs = zip(left, right, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def _spans(text: str, found: list[int], old: str, new: str) -> tuple[tuple[int, int], ...]:
    height = old.count("\n")
    # A match that ends with its last line's own line end does not reach into the next line,
    # unless the new text would join the two.
    if height and old.endswith("\n") and (not new or new.endswith("\n")):
        height -= 1
    spans: list[tuple[int, int]] = []
    line = done = 0
    for offset in found:
        line += text.count("\n", done, offset)
        done = offset
        spans.append((line, line + height))
    return tuple(spans)


def _hint(old: str, text: str) -> str:
    words = " ".join(old.split())
    if words and words in " ".join(text.split()):
        return "it is there with other spaces or line breaks; copy them exactly from read_file"
    return "read it again; every space counts"
