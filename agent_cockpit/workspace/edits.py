"""Edits: first planned and shown, then done exactly as shown or not at all.

Law: what an edit does not name keeps its bytes: line ends, encoding, byte order mark,
permissions, and the link that leads to the file.
"""

from __future__ import annotations

import hashlib
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.edit_boundary import EditBoundary, span_words
from agent_cockpit.workspace.encodings import Encoding, FileText, LineEnds, decode
from agent_cockpit.workspace.files import FileBytes, read_file_bytes
from agent_cockpit.workspace.text_diff import binary_diff, changed_counts, unified_diff
from agent_cockpit.workspace.workspace import Located, Workspace, shown

Boundaries = Mapping[str, EditBoundary]


class OutsideBoundary(ToolRefused):
    """A person limited the lines of this file that may be edited."""


@dataclass(frozen=True, slots=True)
class LineShift:
    """The file became `delta` lines longer at `line`, counted from 0."""

    line: int
    delta: int


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedEdit:
    """One change of one file, not done yet.

    `before` and `after` are whole contents, None for no file. `fingerprint` stands for
    exactly this change of exactly this file. `places` counts what a replacement replaced,
    `shifts` says, in order of application, how it moved the lines below.
    """

    relative: str
    path: Path
    before: bytes | None
    after: bytes | None
    diff: str
    fingerprint: str
    mode: int | None = None
    owner: tuple[int, int] | None = None
    places: int = 1
    shifts: tuple[LineShift, ...] = ()

    @property
    def added(self) -> int:
        """Lines that the diff adds."""
        return changed_counts(self.diff)[0]

    @property
    def removed(self) -> int:
        """Lines that the diff removes."""
        return changed_counts(self.diff)[1]


def plan_replace(
    workspace: Workspace,
    path: str,
    old: str,
    new: str,
    *,
    replace_all: bool = False,
    boundaries: Boundaries | None = None,
) -> PlannedEdit:
    """Replace `old`, which must occur once (or, with `replace_all`, at least once).

    Line ends do not matter for finding it; the new text takes those of its place. Raises
    `ToolRefused` with what to do otherwise, `OutsideBoundary` for a match outside the
    lines that may be edited.
    """
    located = workspace.locate(path, write=True)
    wanted, written = old.replace("\r\n", "\n"), new.replace("\r\n", "\n")
    if not wanted:
        raise ToolRefused("old_string is empty; give the exact text to replace")
    if wanted == written:
        raise ToolRefused("old_string and new_string are the same; nothing would change")
    file = read_file_bytes(located)
    if file is None:
        raise ToolRefused(f"there is no file `{shown(path)}`; write_file creates one")
    content = _text_of(file, path)
    ends = LineEnds(content.text)
    found = _offsets(ends.text, wanted)
    if not found:
        raise ToolRefused(_not_found(path, wanted, ends.text))
    if len(found) > 1 and not replace_all:
        raise ToolRefused(
            f"old_string occurs {len(found)} times in `{shown(path)}`: give more of the lines "
            "around it so that it occurs once, or set replace_all"
        )
    boundary = boundary_of(located, boundaries or {})
    if boundary is not None:
        for offset in found:
            _check_boundary(boundary, path, ends.text, offset, wanted, written)
    after = content.with_text(_replaced(ends, found, wanted, written))
    return _planned(
        located,
        file,
        content,
        after,
        path,
        places=len(found),
        shifts=_shifts(ends.text, found, wanted, written),
    )


def plan_write(
    workspace: Workspace,
    path: str,
    content: str,
    *,
    overwrite: bool = False,
    boundaries: Boundaries | None = None,
) -> PlannedEdit:
    """Create a file, or with `overwrite` replace all of its content.

    A file that is replaced keeps its encoding and, unless `content` brings its own, its
    line ends.
    """
    located = workspace.locate(path, write=True)
    if path.endswith(("/", os.sep)):
        raise ToolRefused(f"`{shown(path)}` names a folder; name the file to write")
    file = read_file_bytes(located)
    if file is None:
        return _planned(located, None, None, FileText(content, Encoding()), path)
    if not overwrite:
        raise ToolRefused(
            f"`{shown(path)}` exists; change it with str_replace, or set overwrite to replace all"
        )
    _refuse_bounded(located, path, boundaries or {}, "replaced")
    before = decode(file.data)
    after = FileText(content, Encoding()) if before is None else _in_the_manner_of(before, content)
    planned = _planned(located, file, before, after, path)
    if planned.after == planned.before:
        raise ToolRefused(f"`{shown(path)}` holds exactly this content already")
    return planned


def plan_delete(
    workspace: Workspace, path: str, *, boundaries: Boundaries | None = None
) -> PlannedEdit:
    """Delete a regular file."""
    located = workspace.locate(path, write=True)
    if (workspace.root / path).is_symlink():
        raise ToolRefused(f"`{shown(path)}` is a link; only regular files are deleted")
    file = read_file_bytes(located)
    if file is None:
        raise ToolRefused(f"there is no file `{shown(path)}`")
    _refuse_bounded(located, path, boundaries or {}, "deleted")
    return _planned(located, file, decode(file.data), None, path)


def boundary_of(located: Located, boundaries: Boundaries) -> EditBoundary | None:
    """The boundary set for this file, under whatever name it was set."""
    for name, boundary in boundaries.items():
        if name == str(located.path) or Path(os.path.realpath(name)) == located.path:
            return boundary
    return None


def _planned(
    located: Located,
    file: FileBytes | None,
    before: FileText | None,
    after: FileText | None,
    asked: str,
    *,
    places: int = 1,
    shifts: tuple[LineShift, ...] = (),
) -> PlannedEdit:
    old = None if file is None else file.data
    new = None if after is None else _encoded(after, asked)
    is_binary = file is not None and before is None
    return PlannedEdit(
        relative=located.relative,
        path=located.path,
        before=old,
        after=new,
        diff=binary_diff(located.relative, deleted=new is None)
        if is_binary
        else unified_diff(
            located.relative,
            None if before is None else before.text,
            None if after is None else after.text,
        ),
        fingerprint=_fingerprint(located.relative, old, new),
        mode=None if file is None else file.mode,
        owner=None if file is None else file.owner,
        places=places,
        shifts=shifts,
    )


def _fingerprint(relative: str, before: bytes | None, after: bytes | None) -> str:
    digest = hashlib.sha256(relative.encode("utf-8", "surrogateescape"))
    for content in (before, after):
        digest.update(b"\0none" if content is None else b"\0" + hashlib.sha256(content).digest())
    return digest.hexdigest()


def _text_of(file: FileBytes, path: str) -> FileText:
    content = decode(file.data)
    if content is None:
        raise ToolRefused(f"`{shown(path)}` is binary; it cannot be edited as text")
    return content


def _encoded(content: FileText, path: str) -> bytes:
    try:
        return content.encoding.encode(content.text)
    except UnicodeEncodeError as error:
        bad = shown(content.text[error.start : error.start + 1])
        raise ToolRefused(
            f"`{shown(path)}` is written in {content.encoding.name}, which has no `{bad}`; "
            "use other characters"
        ) from None


def _in_the_manner_of(before: FileText, content: str) -> FileText:
    if before.line_end == "\r\n" and "\r\n" not in content:
        content = content.replace("\n", "\r\n")
    if before.encoding.mark and content.startswith("\ufeff"):
        content = content[1:]
    after = before.with_text(content)
    try:
        before.encoding.encode(content)
    except UnicodeEncodeError:
        return FileText(content, Encoding())
    return after


def _offsets(text: str, wanted: str) -> list[int]:
    found: list[int] = []
    at = text.find(wanted)
    while at >= 0:
        found.append(at)
        at = text.find(wanted, at + len(wanted))
    return found


def _replaced(ends: LineEnds, found: list[int], wanted: str, written: str) -> str:
    """The original with each place changed; what both texts share keeps its line ends."""
    lead = _shared(wanted, written)
    trail = _shared(wanted[lead:][::-1], written[lead:][::-1])
    middle = written[lead : len(written) - trail]
    pieces: list[str] = []
    done = 0
    for offset in found:
        start = ends.original_offset(offset + lead)
        pieces.append(ends.original[done:start])
        pieces.append(middle.replace("\n", ends.line_end_near(offset)))
        done = ends.original_offset(offset + len(wanted) - trail)
    pieces.append(ends.original[done:])
    return "".join(pieces)


def _shared(left: str, right: str) -> int:
    """How many characters both begin with."""
    pairs = zip(left, right, strict=False)
    return next((at for at, (a, b) in enumerate(pairs) if a != b), min(len(left), len(right)))


def _shifts(text: str, found: list[int], wanted: str, written: str) -> tuple[LineShift, ...]:
    delta = written.count("\n") - wanted.count("\n")
    if not delta:
        return ()
    return tuple(
        LineShift(text.count("\n", 0, offset) + done * delta, delta)
        for done, offset in enumerate(found)
    )


def _check_boundary(
    boundary: EditBoundary, path: str, text: str, offset: int, wanted: str, written: str
) -> None:
    first = text.count("\n", 0, offset)
    last = first + wanted.count("\n")
    # A match that ends with its last line's own line end does not reach into the next line,
    # unless the new text would join the two.
    if last > first and wanted.endswith("\n") and (not written or written.endswith("\n")):
        last -= 1
    if not boundary.contains_range(first, last):
        raise OutsideBoundary(
            f"the match in `{shown(path)}` spans {span_words(first, last)}, "
            f"but only {boundary.words} may be edited"
        )


def _refuse_bounded(located: Located, path: str, boundaries: Boundaries, done: str) -> None:
    boundary = boundary_of(located, boundaries)
    if boundary is not None:
        raise OutsideBoundary(
            f"only {boundary.words} of `{shown(path)}` may be edited; "
            f"it cannot be {done} as a whole"
        )


def _not_found(path: str, wanted: str, text: str) -> str:
    hint = "read it again; every space counts"
    if " ".join(wanted.split()) and " ".join(wanted.split()) in " ".join(text.split()):
        hint = "it is there with other spaces or line breaks; copy them exactly from read_file"
    return f"old_string was not found in `{shown(path)}`: {hint}"
