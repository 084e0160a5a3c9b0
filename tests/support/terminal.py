"""A program in a real pseudo-terminal, seen as a person sees it: as rows of text.

    with Terminal(["agent-cockpit", "demo"], environ=environ) as terminal:
        terminal.wait_for("ask, or describe a change")
        terminal.send("hello")
        terminal.press("enter")

A thread reads, stamps and keeps every byte, and answers what a program may ask an xterm.
The screen model is slow, so it is fed in order by whoever looks at the screen.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import pty
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from types import TracebackType
from typing import Self

import pyte

from tests.support.waiting import WITHIN_S
from tests.support.xterm import Xterm

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "tab": "\t",
    "shift+tab": "\x1b[Z",
    "backspace": "\x7f",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "pageup": "\x1b[5~",
    "pagedown": "\x1b[6~",
    "f1": "\x1bOP",
    **{f"ctrl+{letter}": chr(ord(letter) - 96) for letter in "abcdefghijklmnopqrstuvwxyz"},
}

Fact = str | Callable[[list[str]], object]
"""Text that stands in some row, or what is true of the rows."""

_BEGIN = (
    "import fcntl, os, sys, termios\n"
    "fcntl.ioctl(0, termios.TIOCSCTTY, 0)\n"
    "os.write(1, b'\\0')\n"
    "os.execvp(sys.argv[1], sys.argv[1:])\n"
)
"""Makes the pseudo-terminal the child's own; the NUL, which terminals ignore, marks the moment
when the program itself begins."""

_QUERIES: tuple[tuple[re.Pattern[bytes], bytes], ...] = (
    (re.compile(rb"\x1b\[0?c"), b"\x1b[?64;1;2;6;9;15;22c"),
    (re.compile(rb"\x1b\[>0?c"), b"\x1b[>41;390;0c"),
    (re.compile(rb"\x1b\[5n"), b"\x1b[0n"),
    (re.compile(rb"\x1b\[\?(?!2026)(\d+)\$p"), b"\x1b[?%b;0$y"),
    (re.compile(rb"\x1b\[\?2026\$p"), b"\x1b[?2026;2$y"),
    (re.compile(rb"\x1b\]1([01]);\?(?:\x07|\x1b\\)"), b"\x1b]1%b;rgb:2020/2020/2020\x1b\\"),
)
"""What an xterm is asked and how it answers. Of the newer modes it knows one: pictures come
between two marks, so that nobody here looks at half of one."""
_PICTURE_BEGINS, _PICTURE_ENDS = b"\x1b[?2026h", b"\x1b[?2026l"
_CURSOR_QUERY = re.compile(rb"\x1b\[6n")

_CHANGES_NO_TEXT = re.compile(
    rb"\x1b\[[<>=][0-9;:]*[@-~]|\x1b\[[?0-9;]*[ -/]+[@-~]|\x1b\[[?0-9;:]*[mtu]"
    rb"|\x1b[PX^_\]].*?(?:\x1b\\|\x07)",
    re.DOTALL,
)
"""What pyte does not know, and colours, most of what it would read: no row tells them."""
_UNFINISHED = re.compile(rb"\x1b(?:\[[<>=?]?[0-9;:]*[ -/]*|[PX^_\]][^\x07\x1b]*\x1b?)?\Z")


class Terminal:
    """Owns the child, its pseudo-terminal and the reading thread, from `with` to its end."""

    def __init__(
        self,
        words: Sequence[str | Path],
        *,
        environ: dict[str, str],
        folder: Path | None = None,
        rows: int = 40,
        columns: int = 120,
    ) -> None:
        self.began_at = float("inf")
        """When the program itself began, by the monotonic clock; inf until it has."""
        self.raw = b""
        """Every byte that came."""
        self._screen = Xterm(columns, rows)
        self._stream = pyte.ByteStream(self._screen)
        self._unfinished = b""
        self._query_tail = b""
        self._in_picture = False
        self._unfed: list[tuple[float, bytes]] = []
        self._is_over = False
        self._is_gone = False
        self._changed = threading.Condition(threading.RLock())
        self._master, slave = pty.openpty()
        self.resize(rows, columns)
        self._child = subprocess.Popen(
            [sys.executable, "-I", "-S", "-c", _BEGIN, *map(str, words)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=folder,
            env={"TERM": "xterm-256color", "COLORTERM": "truecolor", **environ},
            start_new_session=True,
        )
        self._slave = slave
        os.set_blocking(self._master, False)
        self._stopping = threading.Event()
        self._takes = threading.Event()
        self._takes.set()
        self._reader = threading.Thread(target=self._read, name="terminal", daemon=True)
        self._reader.start()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._child.pid, signal.SIGKILL)
        self._child.wait(WITHIN_S)
        self._stopping.set()
        self._reader.join(WITHIN_S)
        if not self._is_gone:
            os.close(self._master)
            os.close(self._slave)

    # what a person does

    def send(self, text: str) -> None:
        """Type or paste all of this in one go."""
        waiting = text.encode()
        while waiting:
            select.select([], [self._master], [], WITHIN_S)
            with contextlib.suppress(BlockingIOError):
                waiting = waiting[os.write(self._master, waiting) :]

    def press(self, *keys: str) -> None:
        """Press keys by their names, or single characters."""
        for key in keys:
            self.send(KEYS.get(key, key))

    def resize(self, rows: int, columns: int) -> None:
        """Make the window another size."""
        with self._changed:
            self._screen.resize(rows, columns)
        size = struct.pack("HHHH", rows, columns, 0, 0)
        fcntl.ioctl(self._master, termios.TIOCSWINSZ, size)

    def stall(self) -> None:
        """Take nothing more that is written, as a line that is down, until `go_on`."""
        self._takes.clear()

    def go_on(self) -> None:
        """Take what is written again."""
        self._takes.set()

    def hang_up(self) -> None:
        """Close the window: the terminal is gone for everybody in it."""
        self._stopping.set()
        self._reader.join(WITHIN_S)
        os.close(self._slave)
        os.close(self._master)
        self._is_gone = True

    # what a person sees

    def screen(self) -> list[str]:
        """The rows as they are now, for what a failure tells: a test takes `rows_when`."""
        with self._changed:
            now = time.monotonic()
            while self._unfed or (self._in_picture and not self._is_over):
                if self._unfed and self._unfed[0][0] > now and not self._in_picture:
                    break
                if self._unfed:
                    self._feed_one()
                else:
                    self._changed.wait(WITHIN_S)
            return list(self._screen.display)

    def row_with(self, text: str) -> int:
        """The first row that holds the text, from 0."""
        rows = self.rows_when(text)
        return next(number for number, row in enumerate(rows) if text in row)

    def rows_when(self, fact: Fact, *, within_s: float = WITHIN_S) -> list[str]:
        """The rows of the first picture in which it is so, from the top."""
        seen: list[str] = []

        def holds(rows: list[str]) -> bool:
            seen[:] = rows
            return _holds(fact, rows)

        self.wait_for(holds, within_s=within_s)
        return seen

    def wait_for(self, fact: Fact, *, within_s: float = WITHIN_S) -> float:
        """Return once it is so; the moment when the byte came that made it so."""
        deadline = time.monotonic() + within_s
        stamp = time.monotonic()
        with self._changed:
            while self._in_picture or not _holds(fact, self._screen.display):
                if self._unfed:
                    stamp = self._feed_one()
                    continue
                left_s = deadline - time.monotonic()
                if left_s <= 0 or (self._is_over and not self._unfed):
                    why = "the program ended" if self._is_over else f"not within {within_s:g} s"
                    what = repr(fact) if isinstance(fact, str) else "what was waited for"
                    raise AssertionError(_told(f"{why}: {what}", self._screen.display))
                self._changed.wait(left_s)
        return stamp

    def wait_for_raw(self, sequence: bytes, *, within_s: float = WITHIN_S) -> None:
        """Return once these bytes were written."""
        with self._changed:
            if not self._changed.wait_for(lambda: sequence in self.raw, within_s):
                raise AssertionError(_told(f"never written: {sequence!r}", self.screen()))

    def wait_for_output(self, *, within_s: float = WITHIN_S) -> None:
        """Return once anything more was written."""
        with self._changed:
            before = len(self.raw)
            if not self._changed.wait_for(lambda: len(self.raw) > before, within_s):
                raise AssertionError(_told("nothing more was written", self.screen()))

    # how it ends

    @property
    def pid(self) -> int:
        """The process id of the program."""
        return self._child.pid

    @property
    def is_raw(self) -> bool:
        """Whether the program takes each key itself; before, the terminal echoes it, and what it
        holds is dropped when that ends."""
        return not termios.tcgetattr(self._slave)[3] & (termios.ECHO | termios.ICANON)

    @property
    def is_put_back(self) -> bool:
        """Whether the program has left the alternate screen."""
        return self.raw.rfind(b"\x1b[?1049l") > self.raw.rfind(b"\x1b[?1049h")

    def ends_within(self, seconds: float) -> bool:
        """Whether the program ends by then."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._child.wait(seconds)
        return self._child.returncode is not None

    def wait_for_end(self, *, within_s: float = WITHIN_S) -> int:
        """The exit code, once the program has ended and all it wrote was read."""
        try:
            code = self._child.wait(within_s)
        except subprocess.TimeoutExpired:
            words = f"the program still runs after {within_s:g} s"
            raise AssertionError(_told(words, self.screen())) from None
        self._stopping.set()
        self._reader.join(WITHIN_S)
        return code

    def close(self, *, code: int = 0, within_s: float = WITHIN_S) -> None:
        """The program ends with this exit code and leaves the terminal as it found it."""
        ended_with = self.wait_for_end(within_s=within_s)
        assert ended_with == code, _told(f"ended with {ended_with}, not {code}", self.screen())
        assert not self.modes_left_on(), _told(f"{self.modes_left_on()}", self.screen())
        echoes = termios.tcgetattr(self._slave)[3] & (termios.ECHO | termios.ICANON)
        assert echoes == termios.ECHO | termios.ICANON, "the terminal does not echo any more"

    def modes_left_on(self) -> list[str]:
        """The modes that the program changed and did not put back."""
        wrong = []
        for words, changed, restored in _MODES:
            if self.raw.rfind(changed) > self.raw.rfind(restored):
                wrong.append(f"{words} was not put back")
        return wrong

    def _read(self) -> None:
        """Stamp what comes when it comes, also while somebody feeds the screen model."""
        arrived: list[tuple[bytes, float]] = []
        while True:
            while not (self._takes.wait(0.05) or self._stopping.is_set()):
                pass
            ready, _, _ = select.select([self._master], [], [], 0.001 if arrived else 0.05)
            if self._stopping.is_set() and (not ready or self._child.returncode is None):
                break
            if ready:
                try:
                    chunk = os.read(self._master, 65536)
                except OSError:
                    break
                arrived.append((chunk, time.monotonic()))
            if arrived and self._changed.acquire(blocking=False):
                try:
                    self._take_all(arrived)
                finally:
                    self._changed.release()
        with self._changed:
            self._is_over = True
            self._take_all(arrived)

    def _take_all(self, arrived: list[tuple[bytes, float]]) -> None:
        for chunk, stamp in arrived:
            self._take(chunk, stamp)
        arrived.clear()
        self._changed.notify_all()

    def _take(self, chunk: bytes, stamp: float) -> None:
        if self.began_at == float("inf") and b"\0" in chunk:
            self.began_at = stamp
        self.raw += chunk
        self._unfed.append((stamp, chunk))
        self._answer(chunk)

    def _answer(self, chunk: bytes) -> None:
        seen, text = len(self._query_tail), self._query_tail + chunk
        answers = [
            (match.start(), reply % match.groups())
            for query, reply in _QUERIES
            for match in query.finditer(text)
            if match.end() > seen
        ]
        for match in _CURSOR_QUERY.finditer(text):
            while self._unfed:
                self._feed_one()
            place = f"\x1b[{self._screen.cursor.y + 1};{self._screen.cursor.x + 1}R"
            answers.append((match.start(), place.encode()))
        for _, reply in sorted(answers):
            os.write(self._master, reply)
        unfinished = _UNFINISHED.search(text)
        self._query_tail = text[unfinished.start() :] if unfinished else b""

    def _feed_one(self) -> float:
        """Let the screen take in the next bytes, at most to the end of a picture."""
        stamp, chunk = self._unfed.pop(0)
        chunk = self._unfinished + chunk
        unfinished = _UNFINISHED.search(chunk)
        at = unfinished.start() if unfinished else len(chunk)
        ends = chunk.find(_PICTURE_ENDS, 0, at)
        if ends >= 0:
            at = ends + len(_PICTURE_ENDS)
            self._in_picture, self._unfinished = False, b""
            if rest := chunk[at:]:
                self._unfed.insert(0, (stamp, rest))
        else:
            self._in_picture = self._in_picture or _PICTURE_BEGINS in chunk[:at]
            self._unfinished = chunk[at:]
        self._stream.feed(_CHANGES_NO_TEXT.sub(b"", chunk[:at]))
        return stamp


_MODES = (
    ("the alternate screen", b"\x1b[?1049h", b"\x1b[?1049l"),
    ("the hidden cursor", b"\x1b[?25l", b"\x1b[?25h"),
    ("mouse reporting", b"\x1b[?1000h", b"\x1b[?1000l"),
    ("mouse motion", b"\x1b[?1003h", b"\x1b[?1003l"),
    ("mouse coordinates", b"\x1b[?1006h", b"\x1b[?1006l"),
    ("focus reporting", b"\x1b[?1004h", b"\x1b[?1004l"),
    ("bracketed paste", b"\x1b[?2004h", b"\x1b[?2004l"),
    ("the switched-off line wrap", b"\x1b[?7l", b"\x1b[?7h"),
    ("the window's title", b"\x1b[22;0t", b"\x1b[23;0t"),
    ("the keyboard protocol", b"\x1b[>", b"\x1b[<u"),
)


def _holds(fact: Fact, rows: list[str]) -> bool:
    if isinstance(fact, str):
        return any(fact in row for row in rows)
    return bool(fact(rows))


def _told(words: str, rows: list[str]) -> str:
    return "\n".join([words, *(f"| {row.rstrip()}" for row in rows)])
