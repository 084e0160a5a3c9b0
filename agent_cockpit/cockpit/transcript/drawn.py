"""Blocks as strips: drawn when somebody looks, kept until the block or the page changes."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, MutableMapping
from dataclasses import replace
from time import monotonic
from typing import TYPE_CHECKING, Protocol, TypeVar

from rich.segment import Segment
from textual.strip import Strip

from agent_cockpit.cockpit.render.blocks import (
    block_lines,
    guessed_height,
    has_failed,
    kind_of,
    may_fold,
    space_before,
)
from agent_cockpit.cockpit.render.fold import Fold
from agent_cockpit.cockpit.render.page import Page
from agent_cockpit.transcript.blocks import AnswerBlock, Block, CallBlock, ThoughtBlock

if TYPE_CHECKING:
    from agent_cockpit.cockpit.transcript.growing import GrowingAnswer
_Known = TypeVar("_Known")
TIME_CELLS = 7
"""` 09:41 `."""
_NO_TIME = Strip([Segment(" " * TIME_CELLS)])
LONG_CHARS = 10_000
"""An answer that is longer is not drawn in one frame."""
_KEPT_BLOCKS = 1_000
"""So many blocks keep their strips: some twenty screens around where one reads."""


class BlockSource(Protocol):
    """What the view reads; met by `transcript.fold.Transcript`."""

    def __len__(self) -> int: ...

    def block(self, key: int) -> Block: ...

    def open_keys(self) -> tuple[int, ...]: ...


class Drawn:
    """Owns the strips, and what each block is folded to."""

    def __init__(
        self, source: BlockSource, page: Page, fold_of_kind: Callable[[str], Fold]
    ) -> None:
        """`fold_of_kind` says what blocks of a kind are folded to, where nothing else does."""
        self.source = source
        self._fold_of_kind = fold_of_kind
        self._page = page
        self._beat = 0
        self._live_since: dict[int, float] = {}
        self._lines: OrderedDict[int, list[Strip]] = OrderedDict()
        self._growing: dict[int, GrowingAnswer] = {}
        self._ended: set[int] = set()
        """Long answers that ended before they were drawn: they grow as if they came now."""
        self._folds: dict[int, Fold] = {}
        self._folded_hunks: dict[int, frozenset[int]] = {}
        self._fold_of_all: Fold = "auto"
        self.shows_times = False
        """Whether each block begins with its time; the page is that much narrower then."""
        self.peeked: int | None = None
        """A block that is shown whole for now, whatever it is folded to."""
        self.is_still = False
        """Whether no block shows the passing of time: a recording rests."""

    @property
    def page(self) -> Page:
        """The page that everything is drawn on."""
        return self._page

    @page.setter
    def page(self, page: Page) -> None:
        if page != self._page:
            self._page = page
            self._lines.clear()
            self._growing.clear()
            self._ended.clear()

    @property
    def gutter(self) -> int:
        """The column where text starts."""
        return self._page.gutter + (TIME_CELLS if self.shows_times else 0)

    def lines(self, key: int) -> list[Strip]:
        """The block's lines with the space before it."""
        kept = self._lines.get(key)
        if kept is not None:
            self._lines.move_to_end(key)
            return kept
        lines = self._draw(key)
        self._lines[key] = lines
        if len(self._lines) > _KEPT_BLOCKS:
            self._lines.popitem(last=False)
        return lines

    def behind(self) -> list[int]:
        """The blocks that were drawn and would look otherwise if they were drawn again: one frame
        draws so much of a text and no more."""
        return [
            key
            for key, growing in self._growing.items()
            if growing.is_behind and key in self._lines
        ]

    def space_above(self, key: int) -> int:
        """How many of its lines are the space before it."""
        return next((n for n, strip in enumerate(self.lines(key)) if strip.text), 0)

    def forget(self, key: int) -> None:
        """The block changed: draw it again when it is next looked at."""
        self._lines.pop(key, None)
        block = self.source.block(key)
        if isinstance(block, CallBlock) and block.state != "running" and self._page.files:
            self._page.files.look_again()

    def changed(self, key: int) -> None:
        """The block was added, or is not what it was."""
        self.forget(key)
        block = self.source.block(key)
        if isinstance(block, AnswerBlock) and not block.is_open and len(block.text) > LONG_CHARS:
            self._ended.add(key)

    def take(self, source: BlockSource, count: int) -> list[int]:
        """Draw another transcript from now on; which of the first `count` blocks are others."""
        before, self.source = self.source, source
        others = [key for key in range(count) if before.block(key) is not source.block(key)]
        kept = set(range(count)).difference(others, (key + 1 for key in others))
        for known in (self._lines, self._growing, self._live_since):
            for key in known.keys() - kept:
                del known[key]
        self._ended &= kept
        self.peeked = None
        return others

    def put_before(self, source: BlockSource, count: int) -> None:
        """Draw another transcript from now on, whose blocks from `count` on are those of this
        one. All that is known of these stays so; what stands above the first is known only now."""
        before, self.source = self.source, source
        _move_on(self._folds, count)
        _move_on(self._folded_hunks, count)
        _move_on(self._live_since, count)
        _move_on(self._growing, count)
        self._ended = {key + count for key in self._ended}
        _move_on(self._lines, count)
        for key in tuple(self._lines):
            if key == count or not _is_same(before, source, key, count):
                del self._lines[key]
        if self.peeked is not None:
            self.peeked += count

    def guess(self, key: int) -> int:
        """About how high the block will be."""
        return guessed_height(self.source.block(key), self._page)

    def turn(self, beat: int) -> tuple[int, ...]:
        """Let a quarter second pass; the keys of blocks that show it."""
        self._beat = beat
        live = tuple(key for key in self.source.open_keys() if self._is_live(key))
        now = monotonic()
        self._live_since = {key: self._live_since.get(key, now) for key in live}
        for key in live:
            self.forget(key)
        return live

    def has_live(self) -> bool:
        """Whether any block shows the passing of time."""
        return not self.is_still and any(map(self._is_live, self.source.open_keys()))

    def may_fold(self, key: int) -> bool:
        """Whether the block can show more or less."""
        return may_fold(self.source.block(key))

    def toggle(self, key: int) -> None:
        """Show all of the block, or a line of it; whichever it does not show now."""
        self._folds[key] = "closed" if self.is_open(key) else "open"
        if key == self.peeked:
            self.peeked = None
        self.forget(key)

    def toggle_hunks(self, key: int, *numbers: int) -> None:
        """Fold these hunks of a block's diff, or unfold them when the first one is folded."""
        folded = self._folded_hunks.get(key, frozenset())
        change = frozenset(numbers)
        is_folded = bool(numbers) and numbers[0] in folded
        self._folded_hunks[key] = folded - change if is_folded else folded | change
        self.forget(key)

    def is_open(self, key: int) -> bool:
        """Whether the block shows all of itself."""
        if self._fold(key) == "auto" and self.may_fold(key):
            return self._draw(key, "open") == self._draw(key, "auto")
        return self._fold(key) != "closed"

    def is_closed(self, key: int) -> bool:
        """Whether the block shows as little of itself as it can."""
        return self.lines(key) == self._draw(key, "closed")

    def redraw_all(self) -> None:
        """What a kind is folded to has changed."""
        self._lines.clear()

    def open(self, key: int) -> None:
        """Show all of the block."""
        self._folds[key] = "open"
        self.forget(key)

    def peek(self, key: int | None) -> None:
        """Show all of this block for now, and of the one before what it is folded to."""
        before, self.peeked = self.peeked, key
        for changed in (before, key):
            if changed is not None:
                self.forget(changed)

    def cycle_all(self) -> Fold:
        """All blocks to the next of: as they are by themselves, open, closed."""
        following: dict[Fold, Fold] = {"auto": "open", "open": "closed", "closed": "auto"}
        self._fold_of_all = following[self._fold_of_all]
        self._folds.clear()
        self._lines.clear()
        return self._fold_of_all

    def _fold(self, key: int) -> Fold:
        if key == self.peeked:
            return "open"
        if (fold := self._folds.get(key, self._fold_of_all)) != "auto":
            return fold
        block = self.source.block(key)
        return "auto" if has_failed(block) else self._fold_of_kind(kind_of(block))

    def _is_live(self, key: int) -> bool:
        block = self.source.block(key)
        if isinstance(block, CallBlock):
            return block.state == "running"
        return not isinstance(block, AnswerBlock) and block.is_open

    def _draw(self, key: int, fold: Fold | None = None) -> list[Strip]:
        block = self.source.block(key)
        page = self._page
        if isinstance(block, AnswerBlock) and not block.is_void and self._is_growing(block):
            lines = self._grow(block)
        else:
            if block.is_open and not isinstance(block, AnswerBlock):
                since = self._live_since.get(key)
                live_s = 0 if since is None else int(monotonic() - since)
                page = page.at_beat(self._beat, live_s)
            hunks = self._folded_hunks.get(key, frozenset())
            lines = block_lines(block, page, fold or self._fold(key), hunks)
        if not lines:
            return []
        if self.shows_times:
            lines = self._timed(block, lines)
        return [Strip([])] * space_before(block, self._previous(key)) + lines

    def _timed(self, block: Block, lines: list[Strip]) -> list[Strip]:
        """The lines behind a column with the time at which the block began."""
        clock = self._page.clock(block.at) if block.at is not None else ""
        leads = (Strip([Segment(f" {clock:<{TIME_CELLS - 1}}", self._page.ink.muted)]), _NO_TIME)
        return [Strip.join([leads[number > 0], line]) for number, line in enumerate(lines)]

    def _is_growing(self, block: AnswerBlock) -> bool:
        return block.is_open or block.key in self._growing or block.key in self._ended

    def _grow(self, block: AnswerBlock) -> list[Strip]:
        from agent_cockpit.cockpit.transcript.growing import GrowingAnswer

        growing = self._growing.get(block.key)
        if growing is None:
            growing = self._growing[block.key] = GrowingAnswer(self._page)
        lines = growing.lines(block.text, is_open=block.is_open)
        if not (block.is_open or growing.is_behind):
            del self._growing[block.key]
            self._ended.discard(block.key)
        return lines

    def _previous(self, key: int) -> Block | None:
        """The block above; what draws nothing does not count."""
        for above in range(key - 1, max(-1, key - 9), -1):
            block = self.source.block(above)
            if not (isinstance(block, ThoughtBlock) and block.is_void):
                return block
        return None


def _is_same(before: BlockSource, source: BlockSource, key: int, count: int) -> bool:
    """Whether block `key` reads as the one `count` places above it did before."""
    return replace(before.block(key - count), key=key) == source.block(key)


def _move_on(known: MutableMapping[int, _Known], count: int) -> None:
    """Let what is known of each block be known of the one so many places below."""
    moved = {key + count: what for key, what in known.items()}
    known.clear()
    known.update(moved)
