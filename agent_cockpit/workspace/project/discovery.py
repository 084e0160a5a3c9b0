"""Where words for the model are looked for, and how they are read.

Laws: a project's link never leads out of the project; a file that may hold secrets is not
read; whatever cannot be read is a reason in words, never a failure.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.paths import is_sensitive
from agent_cockpit.text import clean
from agent_cockpit.workspace.encodings import decode
from agent_cockpit.workspace.files import read_file_bytes
from agent_cockpit.workspace.workspace import Located, check_name

ROOT_MARKERS = (".git",)
"""What the top folder of a project holds."""


@dataclass(frozen=True, slots=True)
class Sources:
    """Where to look: `cwd` and what lies above it in its project, the folders that were
    `added`, the person's own `config_dir`. With `is_off` only what was added counts."""

    cwd: Path
    config_dir: Path
    added: tuple[Path, ...] = ()
    sensitive_globs: tuple[str, ...] = ()
    is_off: bool = False


def chain(folder: Path) -> tuple[Path, ...]:
    """The folders from the project's top down to `folder`; it alone outside a project."""
    real = Path(os.path.realpath(folder))
    for count, above in enumerate((real, *real.parents)):
        if any(_exists(above / marker) for marker in ROOT_MARKERS):
            return (real, *real.parents)[: count + 1][::-1]
    return (real,)


def read_words(
    path: Path, *, within: Path | None, sensitive_globs: tuple[str, ...], limit_bytes: int
) -> str | None:
    """A file's text, cleaned; None when there is none.

    Raises `ToolRefused` for a link that leads out of `within`, a name that may hold secrets,
    what is longer than the limit, and whatever is no text.
    """
    check_name(str(path))
    real = Path(os.path.realpath(path))
    if within is not None and not real.is_relative_to(within):
        raise ToolRefused("it is a link that leads out of its project")
    relative = real.relative_to(within).as_posix() if within is not None else real.name
    if is_sensitive(relative, sensitive_globs):
        raise ToolRefused("it may hold secrets (setting sensitive_path_globs)")
    file = read_file_bytes(Located(real, path.name), limit_bytes=limit_bytes)
    if file is None:
        return None
    decoded = decode(file.data)
    if decoded is None:
        raise ToolRefused("it is binary, not text")
    return clean(decoded.text)


def is_file(path: Path) -> bool:
    """Whether there is anything by that name that is no folder; what it is shows in reading."""
    try:
        return _exists(path) and not path.is_dir()
    except OSError:
        return False


def _exists(path: Path) -> bool:
    return os.path.lexists(path)
