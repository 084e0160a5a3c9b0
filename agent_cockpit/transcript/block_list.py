"""The blocks of a transcript and what changed in them since it was last asked."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, TypeVar

from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    NoticeBlock,
    ThoughtBlock,
)
from agent_cockpit.transcript.streaming import StreamedClean

_B = TypeVar("_B", bound=Block)


@dataclass(frozen=True, slots=True)
class Change:
    """The keys that one or more events added, and the older ones that they changed."""

    added: tuple[int, ...] = ()
    changed: tuple[int, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.added or self.changed)

    def __or__(self, later: Change) -> Change:
        """Both, in order; a key that was added stays added."""
        added = dict.fromkeys(self.added + later.added)
        changed = dict.fromkeys(self.changed + later.changed)
        return Change(tuple(added), tuple(key for key in changed if key not in added))

    @property
    def keys(self) -> tuple[int, ...]:
        """All of them, the changed ones first."""
        return self.changed + self.added


_NOTHING = Change()


class BlockList:
    """Owns the blocks. Text that streams in is joined when somebody looks, not per piece.

    Texts of the model are written one at a time: whatever comes next ends the open one.
    """

    def __init__(self) -> None:
        self.now: datetime | None = None
        self._blocks: list[Block] = []
        self._open: dict[int, None] = {}
        self._streams: dict[int, StreamedClean] = {}
        self._stale: set[int] = set()
        self._added: dict[int, None] = {}
        self._changed: dict[int, None] = {}

    def copy(self) -> BlockList:
        """Another one that goes on from here by itself; finished blocks are the same values."""
        twin = BlockList()
        twin.now = self.now
        twin._blocks, twin._open, twin._stale = self._blocks[:], dict(self._open), set(self._stale)
        twin._streams = {key: stream.copy() for key, stream in self._streams.items()}
        return twin

    def __len__(self) -> int:
        return len(self._blocks)

    def __getitem__(self, key: int) -> Block:
        if key in self._stale:
            self._stale.discard(key)
            text = self._streams[key].text
            block = self._blocks[key]
            if isinstance(block, CallBlock):
                self._blocks[key] = replace(block, output=text)
            elif isinstance(block, AnswerBlock | ThoughtBlock):
                self._blocks[key] = replace(block, text=text)
        return self._blocks[key]

    def __iter__(self) -> Iterator[Block]:
        return (self[key] for key in range(len(self._blocks)))

    def open_keys(self) -> tuple[int, ...]:
        """Keys of open blocks, oldest first."""
        return tuple(self._open)

    def last_open(self, *kinds: type[_B]) -> _B | None:
        """The newest open block of one of these kinds."""
        for key in reversed(self._open):
            if isinstance(self._blocks[key], kinds):
                return self[key]  # type: ignore[return-value]
        return None

    def add(self, kind: type[Block], **values: Any) -> int:
        """Append a block, which ends an open text; its key."""
        self.end_texts()
        return self.add_beside(kind, **values)

    def add_beside(self, kind: type[Block], **values: Any) -> int:
        """Append a block that has nothing to do with the text that is open, and leaves it so."""
        key = len(self._blocks)
        values.setdefault("at", self.now)
        self._blocks.append(kind(key=key, **values))
        self._added[key] = None
        if self._blocks[key].is_open:
            self._open[key] = None
        return key

    def write(self, key: int, piece: str, *, keep: int | None = None) -> None:
        """Append a piece of streaming text to an open block; with `keep` it is the output of a
        command, of which so many characters stay."""
        if key not in self._streams:
            self._streams[key] = StreamedClean(keep=keep, is_output=keep is not None)
        self._streams[key].add(piece)
        self._stale.add(key)
        self._changed[key] = None

    def change(self, key: int, **values: Any) -> None:
        """Give a block other values; `is_open` opens and closes it."""
        before = self[key]
        after = replace(before, **values)
        if after == before:
            return
        self._blocks[key] = after
        self._changed[key] = None
        if after.is_open:
            self._open[key] = None
        else:
            self._open.pop(key, None)
            self._streams.pop(key, None)

    def close(self, key: int) -> None:
        """The block is finished."""
        self.change(key, is_open=False)

    def end_texts(self) -> None:
        """No open text goes on."""
        for key in tuple(self._open):
            block = self._blocks[key]
            if isinstance(block, ThoughtBlock):
                self.change(key, is_open=False, until=self.now)
            elif isinstance(block, AnswerBlock | NoticeBlock):
                self.close(key)

    def turn_into(self, key: int, kind: type[Block], **values: Any) -> None:
        """Let a finished block be of another kind."""
        self._blocks[key] = kind(key=key, at=self._blocks[key].at, **values)
        self._changed[key] = None

    def take_change(self) -> Change:
        """What changed since the last call of this."""
        if not (self._added or self._changed):
            return _NOTHING
        change = Change(
            tuple(self._added), tuple(key for key in self._changed if key not in self._added)
        )
        self._added, self._changed = {}, {}
        return change
