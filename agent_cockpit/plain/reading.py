"""Lines that a person types, or a program writes, into stdin.

Laws: nothing is read ahead of its time: a prompt and an answer are read when they are due;
what came before its time can be thrown away, down to half a line.
"""

from __future__ import annotations

import asyncio
import os
import select
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress

from agent_cockpit.rules.meta_commands import COMMANDS
from agent_cockpit.text import clean_line

_CHUNK = 65536


class Lines:
    """Owns stdin by its file descriptor. `None` stands for its end, and for Ctrl+D."""

    def __init__(self, number: int = 0, *, edits: bool = False) -> None:
        self.is_terminal = os.isatty(number)
        self._number = number
        self._edits = edits and self.is_terminal and _has_readline()
        self._held = b""
        self._is_over = False
        self._ready: asyncio.Event | None = None
        """Set when there is something to read, while somebody waits for it."""
        self.is_lent = False
        """Whether another program has the terminal."""

    def learn(self, prompts: Iterable[str]) -> None:
        """Earlier prompts, oldest first, for ↑; nothing where lines are not edited."""
        if self._edits:
            import readline

            for prompt in prompts:
                readline.add_history(clean_line(prompt))

    def prompt(self, words: str, *, draft: str = "") -> str | None:
        """One line, asked for with these words; blocks, outside of the event loop.

        `draft` stands in the line already, where lines can be edited. Raises
        `KeyboardInterrupt` for Ctrl+C.
        """
        if self._edits and b"\n" not in self._held:
            return None if self._has_ended() else _edited(words, draft)
        if self.is_terminal:
            print(words, end="", flush=True)
        while (line := self._taken()) is None:
            if self._is_over:
                return None
            if not self._take(os.read(self._number, _CHUNK)):
                return None
        return line

    async def next(self) -> str | None:
        """The next line, on the event loop."""
        while (line := self._taken()) is None:
            if self._is_over:
                return None
            if not self._take(await self._read_soon()):
                return None
        return line

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Another program has the terminal meanwhile: nothing is read, whoever waits for it."""
        loop = asyncio.get_running_loop()
        self.is_lent = True
        if self._ready is not None:
            loop.remove_reader(self._number)
        try:
            yield
        finally:
            self.is_lent = False
            if self._ready is not None:
                loop.add_reader(self._number, self._ready.set)

    def drain(self) -> str:
        """Throw away all that came until now, half a line too; what it was, on one line."""
        found, self._held = self._held, b""
        try:
            found += self._drained_terminal() if self.is_terminal else self._at_hand()
        except OSError:
            self._is_over = True
        return clean_line(found.decode("utf-8", "replace"))

    def _taken(self) -> str | None:
        """The first whole line that is held; the last one may lack its end."""
        line, end, rest = self._held.partition(b"\n")
        if not end and not (self._is_over and line):
            return None
        self._held = rest
        return line.decode("utf-8", "replace").rstrip("\r")

    def _take(self, data: bytes) -> bool:
        """Hold what was read; False when that was Ctrl+D, which at a terminal is a key and
        ends no more than this line."""
        # What was typed while a line was edited kept the Enter key's own sign.
        self._held += data.replace(b"\r", b"\n") if self.is_terminal else data
        self._is_over = not data and not self.is_terminal
        return bool(data) or self._is_over

    async def _read_soon(self) -> bytes:
        """What comes next; nothing from a terminal that is gone."""
        try:
            return await self._read_when_ready()
        except OSError:
            return b""

    async def _read_when_ready(self) -> bytes:
        loop = asyncio.get_running_loop()
        ready = asyncio.Event()
        try:
            loop.add_reader(self._number, ready.set)
        except PermissionError:  # a file: always ready
            return os.read(self._number, _CHUNK)
        except NotImplementedError:
            return await asyncio.to_thread(os.read, self._number, _CHUNK)
        self._ready = ready
        try:
            await ready.wait()
            while self.is_lent or not select.select([self._number], [], [], 0)[0]:
                ready.clear()
                await ready.wait()
            return os.read(self._number, _CHUNK)
        finally:
            self._ready = None
            loop.remove_reader(self._number)

    def _has_ended(self) -> bool:
        """Whether a Ctrl+D came that the terminal took in itself: who edits a line would not
        hear it. What stands before it is left to them."""
        if sys.platform == "win32":
            return False
        import fcntl
        import termios

        if not select.select([self._number], [], [], 0)[0]:
            return False
        try:
            waiting = fcntl.ioctl(self._number, termios.FIONREAD, bytes(4))
            return not any(waiting) and not os.read(self._number, _CHUNK)
        except OSError:  # the terminal is gone
            return True

    def _at_hand(self) -> bytes:
        found = b""
        with suppress(ValueError):
            while select.select([self._number], [], [], 0)[0]:
                data = os.read(self._number, _CHUNK)
                self._is_over = not data
                if not data:
                    break
                found += data
        return found

    def _drained_terminal(self) -> bytes:
        """A terminal keeps half a line to itself until it is told to give every byte."""
        if sys.platform == "win32":
            return b""
        import termios

        before = termios.tcgetattr(self._number)
        raw = termios.tcgetattr(self._number)
        raw[3] &= ~termios.ICANON
        raw[6][termios.VMIN], raw[6][termios.VTIME] = 0, 0
        found = b""
        termios.tcsetattr(self._number, termios.TCSANOW, raw)
        try:
            while data := os.read(self._number, _CHUNK):
                found += data
        finally:
            termios.tcsetattr(self._number, termios.TCSANOW, before)
        return found


def _command(begun: str, number: int) -> str | None:
    """The commands that begin so, one by one, as readline asks for them."""
    names = [f"/{each.name}" for each in COMMANDS] if begun.startswith("/") else []
    found = [name for name in dict.fromkeys(names) if name.startswith(begun)]
    return found[number] if number < len(found) else None


def _has_readline() -> bool:
    if os.environ.get("TERM", "dumb") in ("", "dumb"):
        return False  # it would move the cursor within the line
    try:
        import readline  # noqa: F401 - `input` uses it from now on
    except ImportError:
        return False
    return sys.stdin is not None and sys.stdin.isatty() and sys.stdout.isatty()


def _edited(words: str, draft: str) -> str | None:
    import readline

    readline.set_completer_delims(" ")
    readline.set_completer(_command)
    readline.parse_and_bind("tab: complete")
    if sys.platform != "win32":
        readline.set_startup_hook(lambda: readline.insert_text(draft))
    try:
        return input(words)
    except EOFError:
        return None
    finally:
        if sys.platform != "win32":
            readline.set_startup_hook(None)
