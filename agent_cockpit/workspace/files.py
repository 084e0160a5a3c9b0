"""Reading files that may be anything: missing, folders, pipes, devices, huge, unreadable."""

from __future__ import annotations

import os
import stat
from dataclasses import dataclass

from agent_cockpit.errors import ToolRefused
from agent_cockpit.workspace.workspace import Located, shown

LARGEST_FILE_BYTES = 20_000_000
"""The largest file that is read or edited as a whole."""


@dataclass(frozen=True, slots=True)
class FileBytes:
    """A regular file's content and its permission bits and owner."""

    data: bytes
    mode: int
    owner: tuple[int, int]


def read_file_bytes(located: Located, *, limit_bytes: int = LARGEST_FILE_BYTES) -> FileBytes | None:
    """The file as it is now, None when there is none.

    Raises `ToolRefused` when it is no regular file (which is never waited on), too large,
    or unreadable.
    """
    name = shown(located.relative)
    # A named pipe would wait for its other end; and the path has no links left to follow, so
    # one that is there now was put there since it was judged.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        fd = os.open(located.path, flags)
    except FileNotFoundError:
        return None
    except NotADirectoryError:
        raise ToolRefused(f"`{name}`: a part of the path is a file, not a folder") from None
    except OSError as error:
        raise ToolRefused(f"cannot read `{name}`: {error.strerror or error}") from error
    try:
        status = os.fstat(fd)
        if stat.S_ISDIR(status.st_mode):
            raise ToolRefused(f"`{name}` is a folder; list_files shows what is in it")
        if not stat.S_ISREG(status.st_mode):
            raise ToolRefused(f"`{name}` is no regular file")
        if status.st_size > limit_bytes:
            raise too_large(name, status.st_size, limit_bytes)
        with os.fdopen(fd, "rb", closefd=False) as file:
            data = file.read(limit_bytes + 1)
    except OSError as error:
        raise ToolRefused(f"cannot read `{name}`: {error.strerror or error}") from error
    finally:
        os.close(fd)
    if len(data) > limit_bytes:
        raise too_large(name, len(data), limit_bytes)
    return FileBytes(data, stat.S_IMODE(status.st_mode), (status.st_uid, status.st_gid))


def too_large(name: str, size_bytes: int, limit_bytes: int) -> ToolRefused:
    """The refusal of a file above the limit, with the way around it."""
    return ToolRefused(
        f"`{name}` has {size_bytes} bytes, more than the {limit_bytes} that are handled at "
        "once; look at parts of it with search_repo or a command such as `head` or `sed -n`"
    )
