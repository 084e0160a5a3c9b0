"""The search of a child process where ripgrep is missing; stands alone, standard library only.

Arguments: `regex` or `literal`, the query, a file of NUL-separated names. Prints
`name NUL line-number:text` for each line that matches; exit 2 for a wrong regex.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from pathlib import Path

LONGEST_LINE = 400
LARGEST_FILE_BYTES = 20_000_000


def main(kind: str, query: str, names_file: str) -> int:
    """Search all files, printing as it goes, so that what was found survives a kill."""
    try:
        pattern = re.compile(re.escape(query) if kind == "literal" else query)
    except (re.error, RecursionError, OverflowError) as error:
        print(f"regex parse error: {error}")
        return 2
    found = False
    for name in Path(names_file).read_bytes().split(b"\0"):
        for number, line in _matches(name, pattern):
            found = True
            sys.stdout.buffer.write(name + b"\0" + f"{number}:{line[:LONGEST_LINE]}\n".encode())
        sys.stdout.buffer.flush()
    return 0 if found else 1


def _matches(name: bytes, pattern: re.Pattern[str]) -> list[tuple[int, str]]:
    # A link could lead to a secret, a named pipe would wait for its other end.
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
    try:
        fd = os.open(name, flags)
        with os.fdopen(fd, "rb") as file:
            status = os.fstat(fd)
            if not stat.S_ISREG(status.st_mode) or status.st_size > LARGEST_FILE_BYTES:
                return []
            data = file.read(LARGEST_FILE_BYTES)
    except OSError:
        return []  # gone or unreadable meanwhile
    if b"\0" in data[:8192]:
        return []
    lines = data.decode("utf-8", "replace").split("\n")
    if lines[-1] == "":
        lines.pop()
    return [(at, line) for at, line in enumerate(lines, 1) if pattern.search(line)]


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
