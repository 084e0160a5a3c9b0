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
from agent_cockpit.rules.consent.edit_boundary import EditBoundary, span_words
from agent_cockpit.workspace.editing.replacing import LineShift, replace_text
from agent_cockpit.workspace.editing.text_diff import binary_diff, changed_counts, unified_diff
from agent_cockpit.workspace.encodings import Encoding, FileText, decode
from agent_cockpit.workspace.files import FileBytes, read_file_bytes
from agent_cockpit.workspace.workspace import Located, Workspace, shown

Boundaries = Mapping[str, EditBoundary]


class OutsideBoundary(ToolRefused):
    """A person limited the lines of this file that may be edited."""


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
    file = read_file_bytes(located)
    if file is None:
        raise ToolRefused(f"there is no file `{shown(path)}`; write_file creates one")
    content = decode(file.data)
    if content is None:
        raise ToolRefused(f"`{shown(path)}` is binary; it cannot be edited as text")
    replaced = replace_text(content.text, old, new, everywhere=replace_all, name=path)
    boundary = boundary_of(located, boundaries or {})
    for first, last in replaced.spans:
        if boundary is not None and not boundary.contains_range(first, last):
            raise OutsideBoundary(
                f"the match in `{shown(path)}` spans {span_words(first, last)}, "
                f"but only {boundary.words} may be edited"
            )
    return _planned(
        located,
        file,
        content,
        content.with_text(replaced.text),
        path,
        places=len(replaced.spans),
        shifts=replaced.shifts,
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
        if name == str(located.path) or _is_same_file(name, located.path):
            return boundary
    return None


def _is_same_file(name: str, path: Path) -> bool:
    """Through links, and through names that differ only for us (case on some systems)."""
    try:
        return path.samefile(name)
    except (OSError, ValueError):
        return Path(os.path.realpath(name)) == path  # one of them is not there yet


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


def _refuse_bounded(located: Located, path: str, boundaries: Boundaries, done: str) -> None:
    boundary = boundary_of(located, boundaries)
    if boundary is not None:
        raise OutsideBoundary(
            f"only {boundary.words} of `{shown(path)}` may be edited; "
            f"it cannot be {done} as a whole"
        )
