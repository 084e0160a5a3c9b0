"""What `.gitignore` files leave out, without a git program."""

from __future__ import annotations

import os
import re
from dataclasses import dataclass, field
from pathlib import Path

from pathspec import GitIgnoreSpec

LARGEST_IGNORE_FILE_BYTES = 256_000
MOST_STARS = 6
MOST_STARS_IN_A_PART = 3
"""A line with more is left out: each star multiplies what one long name can cost, and the
files come from the workspace, which may be hostile."""


@dataclass(frozen=True)
class Ignores:
    """The rules that hold in one folder: its own, then those of the folders above."""

    folder: str
    spec: GitIgnoreSpec
    above: Ignores | None = field(default=None, repr=False)

    def ignores(self, path: str, *, is_folder: bool) -> bool:
        """Whether the absolute `path` below this folder is left out; the nearest rule wins."""
        level: Ignores | None = self
        while level is not None:
            name = path[len(level.folder) + 1 :] + ("/" if is_folder else "")
            verdict = level.spec.check_file(name).include
            if verdict is not None:
                return verdict
            level = level.above
        return False


def ignores_of(folder: Path, above: Ignores | None) -> Ignores | None:
    """The rules in `folder`, with its own `.gitignore` where there is one."""
    lines = _ignore_lines(folder / ".gitignore")
    if not lines:
        return above
    return Ignores(str(folder).rstrip(os.sep), GitIgnoreSpec.from_lines(lines), above)


def ignores_around(folder: Path) -> Ignores | None:
    """The rules that the folders above `folder` make for it, up to its repository's top."""
    if (folder / ".git").exists():
        return _excludes(folder)
    tops = [above for above in folder.parents if (above / ".git").exists()]
    if not tops:
        return None
    ignores = _excludes(tops[0])
    between = [above for above in folder.parents if above.is_relative_to(tops[0])]
    for above in reversed(between):
        ignores = ignores_of(above, ignores)
    return ignores


def _excludes(top: Path) -> Ignores | None:
    lines = _ignore_lines(top / ".git" / "info" / "exclude")
    return Ignores(str(top), GitIgnoreSpec.from_lines(lines)) if lines else None


def _ignore_lines(path: Path) -> list[str]:
    try:
        status = path.stat()
        if not path.is_file() or status.st_size > LARGEST_IGNORE_FILE_BYTES:
            return []
        text = path.read_text("utf-8", "replace")
    except OSError:
        return []  # unreadable rules leave nothing out
    return [line for line in text.splitlines() if _is_usable(line)]


def _is_usable(line: str) -> bool:
    line = line.rstrip()
    if not line or line.startswith("#") or len(line) > 1000:
        return False
    stars = [len(re.findall(r"\*+", part)) for part in line.split("/")]
    if sum(stars) > MOST_STARS or max(stars) > MOST_STARS_IN_A_PART:
        return False
    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False  # git leaves out what it cannot read, too
    return True
