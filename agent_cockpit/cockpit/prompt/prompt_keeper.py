"""What is written outlives the cockpit: sent prompts as the project's history, the rest as a
draft, written down a moment after it changed.

Laws: the files are used in a thread, one use after the other, and only after the first paint;
no timer lives while nothing is written. Where they cannot be used that is said once, and the
prompt works without them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Protocol

from textual.timer import Timer

from agent_cockpit.cockpit.prompt.composer import Composer

if TYPE_CHECKING:
    from agent_cockpit.prompt_files import Draft

DRAFT_AFTER_S = 1.0
"""A kill loses what was written within this, no more."""


class Memory(Protocol):
    """`PromptFiles`, by shape."""

    def earlier(self) -> list[str]: ...
    def remember(self, prompt: str) -> None: ...
    def keep(self, draft: Draft) -> None: ...
    def put_by(self, draft: Draft) -> None: ...
    def take_drafts(self) -> list[Draft]: ...
    def close(self) -> None: ...


class Desk(Protocol):
    """What it needs of the app."""

    composer: Composer

    def start(self, work: Coroutine[Any, Any, None]) -> object: ...
    def note(self, text: str) -> None: ...
    def set_timer(self, delay: float, callback: Callable[[], None]) -> Timer: ...


class PromptKeeper:
    """Owns the memory once it is open; `open_memory` is called in a thread."""

    def __init__(self, desk: Desk, open_memory: Callable[[], Memory] | None) -> None:
        self._desk = desk
        self._open_memory = open_memory
        self._memory: Memory | None = None
        self._turn = asyncio.Lock()
        self._timer: Timer | None = None
        self._kept: tuple[str, Mapping[str, str]] = ("", {})
        self._sent: list[str] = []
        self._put_by: list[Draft] = []
        """Drafts that the person does not go on with, to be kept all the same."""
        self._is_touched = False
        self._came_back = ""
        """What was put into the prompt at the start."""

    async def open(self) -> None:
        """Bring back what earlier sittings of this project left."""
        opener = self._open_memory
        if opener is None:
            return
        try:
            async with self._turn:
                memory, prompts, drafts = await asyncio.to_thread(_opened, opener)
        except OSError as problem:
            self._give_up(problem)
            return
        self._memory = memory
        composer = self._desk.composer
        composer.prompts.add_older(prompts)
        if drafts:
            newest = drafts[-1]
            self._kept = (newest.text, newest.pastes)
            if self._is_touched or composer.text:  # a key may be ahead of the word that it came
                self._put_by.append(newest)
                composer.remember_draft(newest.text, newest.pastes)
                self._desk.note("↑ brings back a draft of yours")
            else:
                composer.put_draft(newest.text, newest.pastes)
                self._came_back = composer.text
                more = f", ↑ has {len(drafts) - 1} more" if len(drafts) > 1 else ""
                self._desk.note(f"your draft is back{more}")
        await self._write()

    def changed(self) -> None:
        """The prompt changed; it is written down soon."""
        if not self._is_touched and not self._desk.composer.text:
            return
        self._is_touched = True
        if self._timer is None and self._open_memory is not None:
            self._timer = self._desk.set_timer(DRAFT_AFTER_S, self._write_soon)

    def sent(self, prompt: str) -> None:
        """A prompt was sent; it is history now, and no draft any more."""
        self._is_touched = True
        if self._open_memory is not None:
            self._sent.append(prompt)
        if self._memory is not None:
            self._desk.start(self._write())

    def put_aside(self, text: str, pastes: Mapping[str, str]) -> None:
        """Something else took the place of what was written; it is kept beside what was sent.
        What is too long to stand there comes back once, and no more when it is put aside again
        as it was."""
        from agent_cockpit.prompt_files import LONGEST_CHARS, Draft

        draft = Draft(text, pastes)
        came_back = text == self._came_back and len(draft.whole) > LONGEST_CHARS
        if self._open_memory is not None and not came_back:
            self._put_by.append(draft)
        if self._memory is not None:
            self._desk.start(self._write())

    async def close(self, waiting: Sequence[str] = ()) -> None:
        """Write down what is written, and prompts that were `waiting`, for the next sitting."""
        await self._write(waiting)
        if self._memory is not None:
            memory, self._open_memory, self._memory = self._memory, None, None
            try:
                await asyncio.to_thread(memory.close)
            except OSError as problem:
                self._give_up(problem)

    def _write_soon(self) -> None:
        self._timer = None
        self._desk.start(self._write())

    async def _write(self, waiting: Sequence[str] = ()) -> None:
        async with self._turn:
            memory = self._memory
            if memory is None:
                return
            text, pastes = self._desk.composer.draft()
            draft = ("\n".join([*waiting, text]) if waiting else text, pastes)
            sent, self._sent = self._sent, []
            put_by, self._put_by = self._put_by, []
            news = None if draft == self._kept else draft
            try:
                await asyncio.to_thread(_written, memory, sent, put_by, news)
            except OSError as problem:
                self._give_up(problem)
            self._kept = draft

    def _give_up(self, problem: OSError) -> None:
        self._open_memory = self._memory = None
        self._desk.note(f"prompts cannot be kept: {problem.strerror or problem}")


def _opened(opener: Callable[[], Memory]) -> tuple[Memory, list[str], list[Draft]]:
    memory = opener()
    drafts = memory.take_drafts()
    return memory, memory.earlier(), drafts


def _written(
    memory: Memory,
    sent: Sequence[str],
    put_by: Sequence[Draft],
    draft: tuple[str, Mapping[str, str]] | None,
) -> None:
    from agent_cockpit.prompt_files import Draft

    for prompt in sent:
        memory.remember(prompt)
    for left in put_by:
        memory.put_by(left)
    if draft is not None:
        memory.keep(Draft(*draft))
