"""The child process that runs a person's patterns for as long as they search.

Law: a person's pattern never runs in this process, where it could hold the screen up for ever.
"""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

DEADLINE_S = 4.0
"""A pattern that works longer on one slice of a transcript is given up."""
GRACE_S = 0.3
"""So long who asks next waits for an answer that nobody wants any more."""
_LONGEST_ANSWER = 2**26


class PatternError(Exception):
    """The query cannot be looked for; the text says why."""


class PatternProcess:
    """Owns the child. It starts with the first question; one that was killed, because it took too
    long or its answer is not wanted, is followed by another with the next question."""

    def __init__(self, *, deadline_s: float = DEADLINE_S) -> None:
        self.turn = asyncio.Lock()
        """Held by who asks, until the answer is there."""
        self.started = 0
        """How many children there were."""
        self._deadline_s = deadline_s
        self._child: asyncio.subprocess.Process | None = None
        self._is_over = False

    async def answer(self, request: dict[str, Any]) -> dict[str, Any]:
        """The child's answer; for who holds the turn. Raises `PatternError`."""
        try:
            async with asyncio.timeout(self._deadline_s):
                answer = await self._exchange(json.dumps(request).encode() + b"\n")
        except TimeoutError:
            await self._kill()
            raise PatternError("this pattern takes too long") from None
        except (OSError, ValueError) as error:
            await self._kill()
            raise PatternError(f"the search broke off: {error}") from error
        except asyncio.CancelledError:
            await self._kill()  # its answer would be taken for that of the next question
            raise
        if "error" in answer:
            raise PatternError(str(answer["error"]))
        return answer

    async def make_free(self) -> None:
        """What is being answered is not wanted any more: let nobody wait for it for long."""
        try:
            async with asyncio.timeout(GRACE_S), self.turn:
                return
        except TimeoutError:
            await self._kill()

    async def close(self) -> None:
        """Answer no more."""
        self._is_over = True
        await self._kill()

    async def _kill(self) -> None:
        child, self._child = self._child, None
        if child is not None:
            if child.returncode is None:
                child.kill()
            await child.wait()

    async def _exchange(self, request: bytes) -> dict[str, Any]:
        if self._is_over:
            raise OSError("it was closed")
        if self._child is None:
            self.started += 1
            self._child = await asyncio.create_subprocess_exec(
                *(sys.executable, "-I", str(Path(__file__).with_name("pattern_child.py"))),
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                limit=_LONGEST_ANSWER,
            )
        if self._is_over:  # closed while it was being started
            await self._kill()
            raise OSError("it was closed")
        reading, writing = self._child.stdout, self._child.stdin
        assert reading is not None
        assert writing is not None
        writing.write(request)
        await writing.drain()
        line = await reading.readline()
        if not line:
            raise OSError("its process ended")
        answer: dict[str, Any] = json.loads(line)
        return answer
