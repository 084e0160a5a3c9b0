"""The file under a journal: whole lines at its end, one writer, and what goes wrong with it.

Laws: a line is in the file whole or not at all, as far as the system lets us; no failure of
the file rises from here, and the next line is tried again.
"""

from __future__ import annotations

import asyncio
import errno
import os
from contextlib import suppress
from pathlib import Path

from agent_cockpit.engine.record.journal_lock import holder_of, take_lock
from agent_cockpit.errors import SittingLocked, WorkspaceError


class JournalFile:
    """Owns the descriptor and the lock of one file, which is made, private, when first needed."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.missed = 0
        """Lines that were not written since the file failed, or, once it works again, while
        it had failed."""
        self._unwritten: str | None = None
        self._unsynced: str | None = None
        self._descriptor: int | None = None
        self._locked = False
        self._torn = False

    @property
    def failure(self) -> str | None:
        """Why the file does not hold, or does not keep, what was written; None while it does."""
        return self._unwritten or self._unsynced

    @property
    def is_locked(self) -> bool:
        """Whether this process is the one that may write."""
        return self._locked

    def write(self, line: str) -> None:
        """Append a line, given without its end; after a torn one on a line of its own."""
        data = f"{line}\n".encode("utf-8", "replace")
        try:
            self._append(b"\n" + data if self._is_torn() else data)
        except OSError as error:
            self.missed = self.missed + 1 if self._unwritten else 1
            self._unwritten = self._words(error)
        else:
            self._unwritten, self._torn = None, False

    async def sync(self) -> None:
        """Wait until the file is on the disk; does its waiting in a worker thread."""
        descriptor = self._descriptor
        if descriptor is None:
            return
        try:
            if os.fstat(descriptor).st_nlink == 0:
                self._let_go()
                gone = FileNotFoundError(errno.ENOENT, "it was deleted while it was written")
                self.missed, self._unwritten = 0, self._words(gone)
                return
            await asyncio.to_thread(os.fsync, descriptor)
        except OSError as error:
            self._unsynced = self._words(error)
        else:
            self._unsynced = None

    def lock(self, *, create: bool = True) -> None:
        """Keep other processes from writing until `close`.

        Raises `SittingLocked` when another one does, and, without `create`, `WorkspaceError`
        when there is no such file or it cannot be written. Nothing is written.
        """
        if self._locked:
            return
        try:
            descriptor = self._open(create=create)
        except OSError as error:
            if not create:
                why = error.strerror or error
                raise WorkspaceError(f"cannot go on with {self.path}: {why}") from error
            self._unwritten = self._words(error)
            return
        try:
            take_lock(descriptor)
        except BlockingIOError as error:
            self.close()
            holder = holder_of(self.path)
            by = f" (process {holder})" if holder else ""
            raise SittingLocked(
                f"{self.path} is written by another running cockpit{by}; close that one first, "
                "or start a new sitting"
            ) from error
        self._locked, self._torn = True, _ends_torn(self.path)

    def close(self) -> None:
        """Close the file and give the lock back; `write` opens it again."""
        self._let_go()
        self._locked = False

    def _append(self, data: bytes) -> None:
        """Write all of it; what was written of a part is taken back, if nobody else writes."""
        descriptor, written = self._open(), 0
        try:
            while written < len(data):
                written += os.write(descriptor, data[written:])
        except OSError:
            self._torn = self._torn or written > 0
            if written and self._locked:
                with suppress(OSError):
                    os.ftruncate(descriptor, os.fstat(descriptor).st_size - written)
                    self._torn = False
            raise

    def _is_torn(self) -> bool:
        self._open()
        return self._torn

    def _open(self, *, create: bool = True) -> int:
        if self._descriptor is not None:
            return self._descriptor
        if create:
            self.path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        flags = os.O_WRONLY | os.O_APPEND | (os.O_CREAT if create else 0)
        descriptor = os.open(self.path, flags | getattr(os, "O_BINARY", 0), 0o600)
        try:
            if self._locked:
                take_lock(descriptor)
            self._torn = _ends_torn(self.path)
        except BaseException:
            os.close(descriptor)
            raise
        self._descriptor = descriptor
        return descriptor

    def _let_go(self) -> None:
        descriptor, self._descriptor = self._descriptor, None
        if descriptor is not None:
            try:
                os.close(descriptor)
            except OSError as error:
                self._unwritten = self._words(error)

    def _words(self, error: OSError) -> str:
        return f"cannot write {self.path} ({error.strerror or error})"


def _ends_torn(path: Path) -> bool:
    """Whether the file ends inside a line, as after a kill."""
    try:
        with path.open("rb") as file:
            if file.seek(0, os.SEEK_END) == 0:
                return False
            file.seek(-1, os.SEEK_END)
            return file.read(1) != b"\n"
    except FileNotFoundError:
        return False
