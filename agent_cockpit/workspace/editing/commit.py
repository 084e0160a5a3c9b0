"""Putting a planned edit on the disk: whole or not at all, and only onto what was shown."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Callable
from pathlib import Path

from agent_cockpit.errors import ToolRefused
from agent_cockpit.workspace.cancellation import never
from agent_cockpit.workspace.editing.edits import PlannedEdit
from agent_cockpit.workspace.files import read_file_bytes
from agent_cockpit.workspace.workspace import Located, shown


def commit_edit(edit: PlannedEdit, *, cancelled: Callable[[], bool] = never) -> bool:
    """Do what was planned; False (and nothing done) when `cancelled` says so at the last step.

    The new content goes to a file beside the old one and takes its place in one step, so a
    reader sees either content and a crash leaves the old one. Raises `ToolRefused` when the
    file is not as it was planned from, or cannot be written; then nothing has changed.
    """
    name = shown(edit.relative)
    if edit.mode is not None and not edit.mode & 0o222:
        raise ToolRefused(f"`{name}` is write-protected; change its permissions first")
    try:
        if edit.after is None:
            return _delete(edit, cancelled)
        if cancelled():
            return False
        edit.path.parent.mkdir(parents=True, exist_ok=True)
        return _replace(edit, edit.after, cancelled)
    except (FileExistsError, NotADirectoryError) as error:
        raise ToolRefused(f"cannot write `{name}`: a part of the path is a file") from error
    except OSError as error:
        raise ToolRefused(f"cannot write `{name}`: {error.strerror or error}") from error


def _replace(edit: PlannedEdit, content: bytes, cancelled: Callable[[], bool]) -> bool:
    temporary = edit.path.with_name(f".agent-cockpit-{secrets.token_hex(8)}.tmp")
    fd = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    try:
        with os.fdopen(fd, "wb") as file:
            _keep_owner_and_mode(fd, edit)
            file.write(content)
            file.flush()
            os.fsync(fd)
        _check_unchanged(edit)
        if cancelled():
            return False
        if edit.before is None:
            _create(temporary, edit)
        else:
            temporary.replace(edit.path)
    finally:
        temporary.unlink(missing_ok=True)
    _sync_folder(edit.path.parent)
    return True


def _delete(edit: PlannedEdit, cancelled: Callable[[], bool]) -> bool:
    _check_unchanged(edit)
    if cancelled():
        return False
    edit.path.unlink()
    _sync_folder(edit.path.parent)
    return True


def _create(temporary: Path, edit: PlannedEdit) -> None:
    """Give the new file its name, unless somebody took that name meanwhile."""
    try:
        edit.path.hardlink_to(temporary)
    except FileExistsError:
        raise _changed(edit) from None
    except OSError:
        # A file system without hard links: the check and the rename are two steps there.
        _check_unchanged(edit)
        temporary.replace(edit.path)


def _check_unchanged(edit: PlannedEdit) -> None:
    if Path(os.path.realpath(edit.path)) != edit.path:
        raise _changed(edit)
    now = read_file_bytes(Located(edit.path, edit.relative))
    if (None if now is None else now.data) != edit.before:
        raise _changed(edit)


def _changed(edit: PlannedEdit) -> ToolRefused:
    return ToolRefused(
        f"`{shown(edit.relative)}` changed since it was shown; read it again and repeat the edit"
    )


def _keep_owner_and_mode(fd: int, edit: PlannedEdit) -> None:
    if edit.mode is None:
        return
    if edit.owner is not None and hasattr(os, "fchown"):
        # Only root may give files away; for everybody else the new file is theirs.
        with contextlib.suppress(PermissionError):
            os.fchown(fd, *edit.owner)
    if hasattr(os, "fchmod"):
        os.fchmod(fd, edit.mode)


def _sync_folder(folder: Path) -> None:
    """Make the new name last through a power cut, where folders can be synced at all."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
