"""The search of a transcript view: from words to the hit on the screen, and back again.

Laws: at most one block is open only because a hit stands in it, and it folds again when the
search leaves it. Until the person walks to a hit, leaving brings the reading position back.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any, Protocol

from textual.strip import Strip

from agent_cockpit.cockpit.render.fold import kept_beside
from agent_cockpit.cockpit.transcript.block_cursor import BlockCursor
from agent_cockpit.cockpit.transcript.finding import Finding
from agent_cockpit.cockpit.transcript.layout import Layout, Position
from agent_cockpit.cockpit.transcript.matching import Query, matcher_of
from agent_cockpit.cockpit.transcript.pattern_process import PatternError, PatternProcess
from agent_cockpit.cockpit.transcript.unwrapped import Mark, Unwrapped

__all__ = ["Query", "Search"]

_KEPT_MARKS = 500


class Searched(Protocol):
    """What a search needs of the view."""

    @property
    def placed(self) -> Layout | None:
        """Where its blocks stand."""

    def bring(self, key: int, line: int) -> None:
        """Have a line of a block in sight."""

    awaits_past: bool
    """Whether only the end of the transcript is there yet."""

    @property
    def cursor(self) -> BlockCursor:
        """What points at blocks."""

    def settle(self) -> None:
        """Put everything in its place, and draw it."""

    async def painted(self) -> None:
        """Return once what was drawn is on the screen."""

    def start(self, work: Coroutine[Any, Any, None]) -> object:
        """Let this run beside the screen."""


@dataclass(frozen=True, slots=True)
class _Marked:
    """Where the hits of a block stand that is drawn as these strips; of one that grows since
    then, those in the lines that are as they were."""

    strips: list[Strip]
    by_line: dict[int, list[Mark]]
    tops: tuple[int, ...]
    """For each hit the line on which it begins."""
    rest: int | None
    """The line that says how much is not drawn, where hits stand in that."""

    def drawn_number(self, place: int, count: int) -> int | None:
        """Which of the drawn hits the one of `count` at `place` is; None where it stands in what
        is too long to be drawn."""
        missing = max(0, count - len(self.tops))
        if missing and self.rest is not None:
            place -= missing if kept_beside(self.strips[self.rest]) == "tail" else 0
            return place if 0 <= place < len(self.tops) else None
        return min(place, len(self.tops) - 1) if self.tops else None

    def line_of(self, place: int, count: int) -> int:
        """The line of that hit, or of what says that there is more."""
        number = self.drawn_number(place, count)
        return (self.rest or 0) if number is None else self.tops[number]


class Search:
    """Owns the present finding and where it stands; `on_change` is told when either changed.

    Begun by `begin`, ended by `end`; between them `look_for` and `walk`.
    """

    def __init__(self, view: Searched) -> None:
        self.on_change: Callable[[], object] = lambda: None
        self.problem = ""
        """Why the query cannot be looked for."""
        self._view = view
        self.patterns = PatternProcess()
        """Runs what is looked for as a pattern, while the search is open."""
        self._finding: Finding | None = None
        self._before: Position | None = None
        self._at: tuple[int, int] | None = None
        self._stays = self._is_left = False
        self._marks: dict[int, _Marked] = {}
        self._asked: dict[int, list[Strip]] = {}

    @property
    def is_open(self) -> bool:
        """Whether the person searches."""
        return self._before is not None

    @property
    def total(self) -> int:
        """Hits found so far."""
        return self._finding.total if self._finding else 0

    @property
    def number(self) -> int:
        """Which of them is shown, from 1; 0: none."""
        if self._finding is None or self._at is None:
            return 0
        return min(self._finding.number(*self._at) + 1, self.total)

    @property
    def is_complete(self) -> bool:
        """Whether all blocks were looked through."""
        if self._finding is None or self.problem:
            return True
        return self._finding.is_complete and not self.awaits_past

    @property
    def awaits_past(self) -> bool:
        """Whether more is to be looked through than is there yet."""
        return self._view.awaits_past

    def begin(self) -> None:
        """Remember where the person reads."""
        if self._before is None and (layout := self._view.placed) is not None:
            self._before = layout.position
            self._stays = False

    def look_for(self, query: Query) -> None:
        """Look for this from now on; an empty query for nothing."""
        if self._finding is not None and self._finding.query == query:
            return
        before = self._drop_finding()
        layout = self._view.placed
        if layout is not None and query.text:
            start = self._before.key if self._before is not None else 0
            matcher = matcher_of(query, self.patterns)
            source = layout.drawn.source
            self._finding = Finding(query, source, start, before=before, matcher=matcher)
            self._view.start(self._scan(self._finding))
        self._view.settle()
        self.on_change()

    def walk(self, step: int) -> None:
        """To the next hit (1) or the one before (-1), around the ends."""
        if self.total:
            self._stays = True
            self._show((self.number - 1 + step) % self.total)

    def stay(self) -> None:
        """The person reads here: leaving the search changes nothing about it."""
        self._stays, self._is_left = True, True

    def laid_out(self) -> None:
        """The page has another width: the hit that is shown stays in sight, unless the person
        read on from it."""
        if self._finding is not None and self._at is not None and not self._is_left:
            self._view.start(self._go(self._finding, *self._at))

    def end(self) -> None:
        """No more search: stay where the person walked to, and let pointing begin there, else
        go back to before it."""
        layout = self._view.placed
        if layout is not None:
            if self._stays and layout.drawn.peeked is not None:
                layout.drawn.open(layout.drawn.peeked)
            if self._at is not None:
                self._view.cursor.begin_at(self._at[0])
            self._drop_finding()
            if not self._stays and self._before is not None:
                layout.position = self._before
        self._before = None
        self._view.start(self.patterns.close())
        self.patterns = PatternProcess()
        self._view.settle()
        self.on_change()

    async def close(self) -> None:
        """The view goes: let go of what the search holds."""
        if self._finding is not None:
            await self._finding.close()
        await self.patterns.close()

    def changed(self, keys: tuple[int, ...]) -> None:
        """These blocks were added or are not what they were."""
        if self._finding is not None and not self.problem:
            self._finding.changed(keys)
            self._view.start(self._scan(self._finding))

    def blocks_came_before(self, count: int) -> None:
        """So many blocks stand above all that there were: they are looked through as well, and
        what is shown stays so."""
        if self._before is not None:
            self._before = self._before._replace(key=self._before.key + count)
        if self._finding is None:
            return
        query, at, layout = self._finding.query, self._at, self._view.placed
        peeked = layout.drawn.peeked if layout is not None else None
        self._drop_finding()
        self.look_for(query)
        if at is not None:
            self._at = (at[0] + count, at[1])
            if layout is not None and peeked is not None:
                layout.peek(peeked)
        self.on_change()

    def marks(self, key: int, line: int) -> tuple[list[Mark], list[Mark]]:
        """The hits in a line of a block: those of the hit that is shown, and the others."""
        layout, finding = self._view.placed, self._finding
        if layout is None or finding is None or self.problem or not finding.count(key):
            return [], []
        strips = layout.drawn.lines(key)
        known = self._marks.get(key)
        if known is None or known.strips is not strips:
            if self._asked.get(key) is not strips:
                self._asked[key] = strips
                self._view.start(self._mark(finding, key))
            if known is None or known.strips[line : line + 1] != strips[line : line + 1]:
                return [], []
        marks = known.by_line.get(line, [])
        here = None
        if self._at is not None and self._at[0] == key:
            here = known.drawn_number(self._at[1], finding.count(key))
        return [m for m in marks if m.number == here], [m for m in marks if m.number != here]

    async def _scan(self, finding: Finding) -> None:
        async def found() -> None:
            if finding is not self._finding or self._at is not None:
                return
            if (number := finding.nearest()) is not None:
                self._at = finding.hit(number)
                self.on_change()
                await self._go(finding, *self._at)
                await self._view.painted()

        try:
            await finding.scan(found)
        except PatternError as problem:
            if finding is self._finding:
                self.problem = str(problem)
        if finding is self._finding:
            await found()
            self._view.settle()
            self.on_change()

    async def _mark(self, finding: Finding, key: int) -> None:
        if await self._marked(finding, key) is not None:
            self._view.settle()

    async def _marked(self, finding: Finding, key: int) -> _Marked | None:
        """Know where the hits of a block stand as it is drawn now; None when it is too late."""
        layout = self._view.placed
        if layout is None:
            return None
        strips = layout.drawn.lines(key)
        known = self._marks.get(key)
        if known is not None and known.strips is strips:
            return known
        drawn = Unwrapped(strips, layout.drawn.gutter)
        try:
            spans = await finding.matcher.spans(drawn.text)
        except PatternError:
            return None  # the scan says it
        if finding is not self._finding:
            return None
        if len(self._marks) >= _KEPT_MARKS:
            self._marks.clear()
        tops = tuple(drawn.line_of(start) for start, _ in spans)
        hides = len(tops) < finding.count(key)
        rest = next((n for n, s in enumerate(strips) if kept_beside(s)), None) if hides else None
        marked = self._marks[key] = _Marked(strips, drawn.ranges(spans), tops, rest)
        return marked

    def _show(self, number: int) -> None:
        assert self._finding is not None
        self._at, self._is_left = self._finding.hit(number), False
        self._view.start(self._go(self._finding, *self._at))
        self.on_change()

    async def _go(self, finding: Finding, key: int, place: int) -> None:
        """Have the line of a hit in sight; a block that hides it opens."""
        layout = self._view.placed
        if layout is None:
            return
        if layout.drawn.peeked != key:
            layout.peek(None)
        marked = await self._marked(finding, key)
        if marked is not None and len(marked.tops) < finding.count(key):
            layout.peek(key)
            marked = await self._marked(finding, key)
        if marked is not None and self._at == (key, place):
            self._view.bring(key, marked.line_of(place, finding.count(key)))

    def _drop_finding(self) -> Finding | None:
        """Look for nothing any more; what was looked for."""
        dropped = self._finding
        if dropped is not None:
            self._view.start(dropped.close())
        if (layout := self._view.placed) is not None:
            layout.peek(None)
        self._finding, self._at, self.problem = None, None, ""
        self._marks, self._asked = {}, {}
        return dropped
