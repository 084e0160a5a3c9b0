"""One file's change in git's words, made without a git program."""

from __future__ import annotations

import os

from agent_cockpit.workspace.text_diff import binary_diff, changed_counts, unified_diff


def file_diff(
    path: str,
    before: bytes | None,
    after: bytes | None,
    *,
    before_mode: int = 0o100644,
    after_mode: int = 0o100644,
) -> str:
    """The unified diff with git's header; empty when nothing changed.

    None for a content means that the file is not there.
    """
    if before == after and (before is None or before_mode == after_mode):
        return ""
    parts = [f"diff --git {quoted(f'a/{path}')} {quoted(f'b/{path}')}\n"]
    if before is None:
        parts.append(f"new file mode {after_mode:o}\n")
    elif after is None:
        parts.append(f"deleted file mode {before_mode:o}\n")
    elif before_mode != after_mode:
        parts.append(f"old mode {before_mode:o}\nnew mode {after_mode:o}\n")
    if is_binary(before) or is_binary(after):
        if before != after:
            parts.append(binary_diff(path, created=before is None, deleted=after is None))
    elif before or after:
        parts.append(unified_diff(path, _text(before), _text(after)))
    return "".join(parts).encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def line_counts(before: bytes | None, after: bytes | None) -> tuple[int, int] | None:
    """How many lines were added and removed; None where a content is binary."""
    if is_binary(before) or is_binary(after):
        return None
    return changed_counts(unified_diff("", _text(before), _text(after)))


def is_binary(content: bytes | None) -> bool:
    """Whether git would take it for binary: a NUL among the first 8,000 bytes."""
    return content is not None and b"\0" in content[:8000]


def quoted(name: str) -> str:
    """A name for a diff's header: as it is, or in C quotes when it holds a special character."""
    if not any(char in '"\\\x7f' or char < " " for char in name):
        return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")
    escapes = {0x22: '\\"', 0x5C: "\\\\", 0x0A: "\\n", 0x09: "\\t", 0x0D: "\\r"}
    return '"' + "".join(escapes.get(byte) or _plain(byte) for byte in os.fsencode(name)) + '"'


def _plain(byte: int) -> str:
    return chr(byte) if 0x20 <= byte < 0x7F else f"\\{byte:03o}"


def _text(content: bytes | None) -> str | None:
    return None if content is None else content.decode("utf-8", "replace")
