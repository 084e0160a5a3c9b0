"""The folder that a sitting works on, and the one way from a name to a file in it.

Law: nobody opens a file that a model or a person named except through `Workspace.locate`.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from agent_cockpit.errors import OutsideWorkspace, SensitivePath, ToolRefused, WorkspaceError
from agent_cockpit.rules.paths import is_git_internal, is_sensitive
from agent_cockpit.settings import SENSITIVE_PATHS
from agent_cockpit.text import reveal_line, shorten
from agent_cockpit.workspace.sandbox.protocol import NoSandbox, Sandbox

LONGEST_NAME_BYTES = 255
"""What the common file systems take for one part of a path."""
LONGEST_PATH_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Located:
    """A name that may be used: `path` is absolute with every link followed, `relative` is
    the same place as seen from the workspace, with `/` between its parts."""

    path: Path
    relative: str


class Workspace:
    """A folder, and what of it may be touched; nothing in here changes after it is made.

    `readable` are folders elsewhere whose files may be read one by one, as a person put them
    there for the model. `hidden` are files or folders of our own (the journal) that no call
    may see; `open_sandbox` makes what holds commands in `root`. Raises `WorkspaceError` when
    `root` cannot be worked on.
    """

    def __init__(
        self,
        root: Path,
        *,
        sensitive_globs: tuple[str, ...] = SENSITIVE_PATHS,
        readable: tuple[Path, ...] = (),
        hidden: tuple[Path, ...] = (),
        open_sandbox: Callable[[Path], Sandbox] | None = None,
    ) -> None:
        self._asked_root = Path(os.path.normpath(Path.cwd() / root))
        self.root = _open_folder(root)
        self.sensitive_globs = sensitive_globs
        self._readable = tuple(Path(os.path.realpath(path)) for path in readable)
        self.hidden = tuple(Path(os.path.realpath(path)) for path in hidden)
        self._open_sandbox = open_sandbox
        self._path_globs = tuple(glob for glob in sensitive_globs if "/" in glob)
        names = tuple(glob for glob in sensitive_globs if "/" not in glob)
        # A walk asks about every name of a tree, and most names come again and again.
        self._is_secret_name = lru_cache(maxsize=65_536)(lambda name: is_sensitive(name, names))

    @cached_property
    def sandbox(self) -> Sandbox:
        """What holds the commands that run here; found out when first asked for, which may
        start a process and raise `SettingsError`."""
        return NoSandbox() if self._open_sandbox is None else self._open_sandbox(self.root)

    def locate(self, path: str, *, write: bool = False) -> Located:
        """The place that `path` (relative to the workspace, or absolute) names.

        It need not exist. Raises `OutsideWorkspace`, `SensitivePath`, or `ToolRefused` for
        a name that no file can have, for our own files and, with `write`, for git's.
        """
        check_name(path)
        resolved = Path(os.path.realpath(self.root / path))
        if not resolved.is_relative_to(self.root):
            raise OutsideWorkspace(f"`{shown(path)}` is outside the workspace")
        relative = resolved.relative_to(self.root).as_posix()
        for name in dict.fromkeys((self._as_asked(path), relative)):
            self._refuse(name, write=write, asked=path)
        if self.is_hidden(resolved):
            raise ToolRefused(f"`{shown(path)}` belongs to agent-cockpit's own record")
        return Located(resolved, relative)

    def locate_to_read(self, path: str) -> Located:
        """As `locate`, for a call that only reads this one file: it may also lie in one of
        the `readable` folders, and is then named by its whole path."""
        try:
            return self.locate(path)
        except OutsideWorkspace:
            resolved = Path(os.path.realpath(self.root / path))
            if not any(resolved.is_relative_to(place) for place in self._readable):
                raise
        self._refuse(resolved.as_posix(), write=False, asked=path)
        return Located(resolved, resolved.as_posix())

    def is_visible(self, relative: str) -> bool:
        """Whether listings and search results may show this file; follows no links."""
        if any(self._is_secret_name(name) for name in relative.split("/")):
            return False
        if self._path_globs and is_sensitive(relative, self._path_globs):
            return False
        return not self.hidden or not self.is_hidden(self.root / relative)

    def is_hidden(self, path: Path) -> bool:
        """Whether the absolute `path` is one of our own files, or inside such a folder."""
        return any(path.is_relative_to(own) for own in self.hidden)

    def _as_asked(self, path: str) -> str:
        """`path` from the workspace, with no link followed; its last part if it came from
        elsewhere (through a link that leads into the workspace)."""
        lexical = Path(os.path.normpath(self.root / path))
        for root in (self.root, self._asked_root):
            if lexical.is_relative_to(root):
                return lexical.relative_to(root).as_posix()
        return lexical.name

    def _refuse(self, relative: str, *, write: bool, asked: str) -> None:
        if is_sensitive(relative, self.sensitive_globs):
            raise SensitivePath(
                f"`{shown(asked)}` may hold secrets (setting sensitive_path_globs); "
                "it is neither read nor written"
            )
        if write and is_git_internal(relative):
            raise ToolRefused(f"`{shown(asked)}` is git's own; use git commands instead")


def check_name(path: str) -> None:
    """Raise `ToolRefused` for a text that cannot be the name of a file."""
    if not path.strip():
        raise ToolRefused("the path is empty; name a file relative to the workspace")
    if "\0" in path:
        raise ToolRefused(f"`{shown(path)}` holds a NUL character; no file can be named so")
    try:
        encoded = os.fsencode(path)
    except UnicodeEncodeError:
        raise ToolRefused(f"`{shown(path)}` holds characters that no file name can") from None
    longest_part = max(len(part) for part in encoded.replace(b"\\", b"/").split(b"/"))
    if longest_part > LONGEST_NAME_BYTES or len(encoded) > LONGEST_PATH_BYTES:
        raise ToolRefused(f"`{shown(path)}` is too long for a file name")


def shown(path: str) -> str:
    """A name as a message may hold it: one line, nothing hidden, not too long."""
    return shorten(reveal_line(path), 200)


def _open_folder(root: Path) -> Path:
    try:
        resolved = root.resolve(strict=True)
        with os.scandir(resolved):
            return resolved
    except FileNotFoundError:
        problem = "there is no such folder; create it first, or name another"
    except NotADirectoryError:
        problem = "it is a file; name the folder that it is in"
    except PermissionError:
        problem = "it may not be read; change its permissions, or name another"
    except (OSError, ValueError, RuntimeError) as error:
        problem = f"{getattr(error, 'strerror', None) or error}; name another folder"
    raise WorkspaceError(f"cannot work on `{shown(str(root))}`: {problem}")
