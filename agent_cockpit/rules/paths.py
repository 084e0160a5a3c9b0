"""Names of files, judged without looking at a disk: inside or outside, secret or not.

Law: every answer is lexical. A link can still lead elsewhere; who opens a file resolves it
first (`workspace`) and asks again.
"""

from __future__ import annotations

import os.path
import unicodedata
from collections.abc import Iterable
from fnmatch import fnmatchcase

from agent_cockpit.text import has_hidden

MOST_PARTS, MOST_OPEN = 40, 4
"""Of a pattern: parts, and parts that stand for any number; nobody writes more."""

_EXAMPLES = frozenset({".env.example", ".env.sample", ".env.template", ".env.dist"})
"""Made to be read and committed; only a pattern without wildcards makes one of them secret."""


def normalise(root: str, cwd: str, path: str) -> str:
    """The absolute path that `path` names from `cwd`, which is itself relative to `root`.

    `.`, `..` and doubled slashes are taken out by their letters alone.
    """
    joined = os.path.normpath(os.path.join(root, cwd, path))  # noqa: PTH118 (pathlib is barred)
    return joined[1:] if joined.startswith("//") else joined


def is_inside(root: str, path: str) -> bool:
    """Whether `path` (absolute, or relative to `root`) is `root` or lies below it."""
    if "\0" in path:
        return False
    top = normalise(root, "", "")
    whole = normalise(root, "", path)
    return whole == top or whole.startswith(top.rstrip(os.path.sep) + os.path.sep)


def relative(root: str, path: str) -> str:
    """`path` as seen from `root`, or the whole path where it lies outside."""
    whole = normalise(root, "", path)
    return os.path.relpath(whole, normalise(root, "", "")) if is_inside(root, whole) else whole


def is_sensitive(relative_or_absolute: str, globs: Iterable[str]) -> bool:
    """Whether a path may hold secrets by its name.

    A pattern without a slash matches any component, one with a slash the whole relative
    path (of an absolute path: any of its tails); letter case never matters.
    """
    parts = _components(relative_or_absolute)
    absolute = relative_or_absolute.startswith(("/", "\\", "~"))
    absolute = absolute or relative_or_absolute[1:2] == ":"
    tails = ["/".join(parts[start:]) for start in range(len(parts) if absolute else 1)]
    for glob in globs:
        pattern = _fold(glob)
        if "/" in pattern:
            pattern = pattern.strip("/")
            if any(fnmatchcase(tail, pattern) for tail in tails):
                return True
        elif any(_component_matches(part, pattern) for part in parts):
            return True
    return False


def is_git_internal(relative_path: str) -> bool:
    """Whether a path lies in a repository's own store, also by a name that only some file
    systems take for `.git` (`.GIT`, `.git.`, `.git ::$INDEX_ALLOCATION`, `git~1`)."""
    for part in _components(relative_path):
        name = "".join(char for char in part if not has_hidden(char))
        if name.split(":", 1)[0].rstrip(". ") in (".git", "git~1"):
            return True
    return False


def may_match_sensitive(glob: str, globs: Iterable[str]) -> bool:
    """Whether a shell pattern could expand to a path that `is_sensitive`.

    As in a shell, `*` and `?` do not match a leading dot. Of `credentials*` and its like
    only the bare name counts against `*.py`: else every pattern by ending would be one.
    """
    patterns = [_fold(each) for each in globs]
    for part in _components(glob):
        for pattern in patterns:
            if part[:1] in ("*", "?") and pattern.startswith("."):
                continue
            if part[:1] in ("*", "?", "[") and part[-1:] not in ("*", "?", "]"):
                pattern = pattern.rstrip("*") or pattern
            if "/" not in pattern and overlap(part, pattern):
                return True
    parts = _components(glob)
    heads = ["**"] if glob.startswith(("/", "~")) else []
    whole = (pattern.split("/") for pattern in patterns if "/" in pattern)
    return any(may_meet(parts, [*heads, *pattern]) for pattern in whole)


def may_meet(left: list[str], right: list[str]) -> bool:
    """Whether some path fits two patterns, given by their parts; `**` is any number of parts.

    Where that would take too long to find out, it may.
    """
    if len(left) > MOST_PARTS or [*left, *right].count("**") > MOST_OPEN:
        return True
    if not left or not right:
        return all(part == "**" for part in (*left, *right))
    if left[0] == "**" or right[0] == "**":
        one, other = (left, right) if left[0] == "**" else (right, left)
        return may_meet(one[1:], other) or (bool(other) and may_meet(one, other[1:]))
    return overlap(left[0], right[0]) and may_meet(left[1:], right[1:])


def _component_matches(part: str, pattern: str) -> bool:
    if part in _EXAMPLES and part != pattern:
        return False
    return fnmatchcase(part, pattern) or fnmatchcase(part.rstrip(". "), pattern)


def _components(path: str) -> list[str]:
    parts = _fold(path).replace("\\", "/").split("/")
    return [part for part in parts if part not in ("", ".")]


def _fold(name: str) -> str:
    return unicodedata.normalize("NFKC", name).casefold()


def overlap(left: str, right: str) -> bool:
    """Whether some text matches both patterns; `[...]` counts as any one character."""
    left, right = _plain_pattern(left), _plain_pattern(right)
    reached = {(0, 0)}
    seen: set[tuple[int, int]] = set()
    while reached:
        at = reached.pop()
        if at in seen:
            continue
        seen.add(at)
        i, j = at
        if i == len(left) and j == len(right):
            return True
        a, b = left[i : i + 1], right[j : j + 1]
        if a == "*":
            reached.add((i + 1, j))
            if b:
                reached.add((i, j + 1))
        if b == "*":
            reached.add((i, j + 1))
            if a:
                reached.add((i + 1, j))
        if a and b and (a == b or a == "?" or b == "?"):
            reached.add((i + 1, j + 1))
    return False


def _plain_pattern(pattern: str) -> str:
    plain, rest = "", pattern
    while rest:
        end = rest.find("]", 2) if rest[0] == "[" else -1
        plain += "?" if end > 0 else rest[0]
        rest = rest[end + 1 :] if end > 0 else rest[1:]
    return plain
