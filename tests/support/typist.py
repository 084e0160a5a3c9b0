"""A person who types on, whatever the screen does meanwhile."""

from __future__ import annotations

import threading
import time
from itertools import cycle
from types import TracebackType
from typing import Self

from tests.support.terminal import Terminal
from tests.support.waiting import WITHIN_S


class Typist:
    """Types the words again and again at this pace, in a thread of its own, inside `with`."""

    def __init__(self, terminal: Terminal, words: str, *, keys_per_s: float) -> None:
        self.typed = ""
        self._pauses_s: list[float] = []
        self._terminal = terminal
        self._words = words
        self._gap_s = 1 / keys_per_s
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._type, name="typist", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopping.set()
        self._thread.join(WITHIN_S)

    def longest_pause_s(self, *, since: int) -> float:
        """Before any key from this one on: a machine that has much else to do may hold the typist
        up."""
        return max(self._pauses_s[max(0, since) :], default=0.0)

    def _type(self) -> None:
        before_s = time.monotonic()
        for key in cycle(self._words):
            self._terminal.send(key)
            now_s = time.monotonic()
            self._pauses_s.append(now_s - before_s)
            before_s, self.typed = now_s, self.typed + key
            if self._stopping.wait(self._gap_s):
                return
