"""From the source's events to the screen: folds what happened, and tells the app once a frame.

Laws: the source never waits for the screen, and a slow screen gets fewer frames, not more to
do; a frame is posted at most forty times a second, and none while nothing happens.

Loaded after the first paint: it brings the fold, and with it the events' schemas.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Callable, Sequence
from dataclasses import dataclass, field
from time import monotonic
from typing import Literal

from textual.message import Message

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.transcript.advancing import advance
from agent_cockpit.transcript.block_list import Change
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.status import Status

FRAME_S = 1 / 40
EVENTS_A_FRAME = 2_000
"""A replayed journal arrives at once: keys get their turn between slices of it."""
SLICE_S = 0.004
"""Of a past so much is folded before keys get their turn; an echo needs several."""
TELL_S = 0.2
"""How far the past is read is said no more often than this."""


class Frame(Message):
    """Something changed; `Bridge.take` says what, also what changed since this was posted."""


@dataclass(frozen=True, slots=True)
class News:
    """What changed since it was last taken; `recalled` are texts that left the queue for the
    composer."""

    change: Change = field(default_factory=Change)
    recalled: tuple[str, ...] = ()
    is_new_page: bool = False
    """Whether the transcript is another one, and everything in it new."""
    before: int | None = None
    """How many blocks stand now before those that were shown: the past of an ending."""


@dataclass
class SourceOver(Message):
    """The source has no more events; `error` when it broke."""

    error: BaseException | None = None


class Bridge:
    """Owns the transcript and the status of one source."""

    def __init__(
        self,
        post: Callable[[Message], object],
        *,
        frame_s: float = FRAME_S,
        clock: Callable[[], float] = monotonic,
    ) -> None:
        self.transcript = Transcript()
        self.status = Status()
        self.prompts_seen = 0
        """Prompts that the engine took: goals begun and prompts queued."""
        self.past_read: float | None = None
        """How much of a past is read, of 1; None while none is being read."""
        self._post = post
        self._frame_s, self._clock = frame_s, clock
        self._waiting: deque[Event] = deque()
        self._news = News()
        self._is_posted = False
        self._ending: Event | None = None
        """The first event of an ending that is shown before its past is read."""
        self._wake = asyncio.Event()

    async def run(self, events: AsyncIterator[Event], past: Sequence[Event] = ()) -> None:
        """Read `events` to their end, painting as they come; cancelled with its app.

        `past` was recorded by an earlier process. It is folded first, at one go: what waited
        or ran at some time in it is never on the screen as if it did now. Nothing of it is kept
        here, event by event: it takes several times what its blocks take.
        """
        waiting, past = deque(past), ()
        await self._recall(waiting)
        painter = asyncio.create_task(self._paint())
        error: BaseException | None = None
        try:
            await self._read(events)
        except Exception as problem:
            error = problem
        finally:
            painter.cancel()
        self.flush()
        self._post(SourceOver(error))

    def expect_past(self) -> None:
        """A past will be given to `run`: what is told from now on stands behind it."""
        self.past_read = self.past_read or 0.0

    def show_ending(self, ending: Sequence[Event]) -> None:
        """Show this, the end of a past that is still to be read and given to `run`; what happens
        until then waits."""
        self.past_read = 0.0
        for event in ending:
            self._ending = self._ending or event
            self.transcript.apply(event)
        self._tell(News(Change(tuple(range(len(self.transcript))))))

    def forget_ending(self) -> None:
        """There will be no past: show nothing of it."""
        if self._ending is not None:
            self._ending, self.past_read, self.transcript = None, None, Transcript()
            self._tell(News(is_new_page=True))

    def tell(self, text: str, level: Literal["info", "warning", "error"] = "info") -> None:
        """Say something of the cockpit's own in the transcript; it is in no journal."""
        self._waiting.append(s.Notice(text=text, level=level))
        self.flush()

    def feed(self, events: Sequence[Event]) -> None:
        """These happen now, as far as the screen is concerned: a recording is played."""
        self._waiting.extend(events)
        self.flush()

    def stand(self, transcript: Transcript, status: Status) -> None:
        """Another moment of a recording is shown in place of this one."""
        self._waiting.clear()
        self._ending = self.past_read = None
        self.transcript, self.status = transcript, status
        self._tell(News(is_new_page=True))

    def take(self) -> News:
        """What changed since the last call; the app's answer to a `Frame`."""
        news, self._news, self._is_posted = self._news, News(), False
        return news

    def flush(self) -> None:
        """Fold all that waits, now."""
        self._fold(len(self._waiting))

    async def _recall(self, past: deque[Event]) -> None:
        ending, total = self._ending, len(past)
        if not total:
            self.forget_ending()
            return
        self.past_read = 0.0
        status, transcript = self.status, Transcript() if ending else self.transcript
        before = 0
        ends_at = self._clock() + SLICE_S
        tells_at = ends_at + TELL_S
        while past:
            event = past.popleft()
            if ending is not None and event.event_id == ending.event_id:
                before = len(transcript)
            status = advance(status, event)
            transcript.apply(event)
            if (now := self._clock()) >= ends_at:
                self.past_read = 1 - len(past) / total
                if now >= tells_at:
                    self._tell(News())
                    tells_at = now + TELL_S
                await asyncio.sleep(0)
                ends_at = self._clock() + SLICE_S
        self.status, self.transcript = status, transcript
        self._ending = self.past_read = None
        self._tell(News(before=before))
        self._wake.set()

    async def _read(self, events: AsyncIterator[Event]) -> None:
        count = 0
        async for event in events:
            self._waiting.append(event)
            self._wake.set()
            count += 1
            if count % EVENTS_A_FRAME == 0:
                await asyncio.sleep(0)

    async def _paint(self) -> None:
        while True:
            await self._wake.wait()
            self._wake.clear()
            self._fold(EVENTS_A_FRAME)
            if self._waiting:
                self._wake.set()
            await asyncio.sleep(self._frame_s)

    def _fold(self, limit: int) -> None:
        if self.past_read is not None:
            return
        before = self.status
        added: dict[int, None] = {}
        changed: dict[int, None] = {}
        recalled: list[str] = []
        is_new_page = False
        for _ in range(min(limit, len(self._waiting))):
            event = self._waiting.popleft()
            self.status = advance(self.status, event)
            if isinstance(event, s.ContextCompacted) and event.cause == "page":
                self.transcript, is_new_page = Transcript(), True
                added, changed = {}, {}
            change = self.transcript.apply(event)
            added.update(dict.fromkeys(change.added))
            changed.update(dict.fromkeys(change.changed))
            if isinstance(event, h.AgentStart | s.PromptQueued):
                self.prompts_seen += 1
            elif isinstance(event, s.PromptsRecalled) and event.to == "composer":
                recalled += event.texts
        if not (added or changed or recalled or self.status is not before):
            return
        whole = Change(tuple(added), tuple(key for key in changed if key not in added))
        self._tell(News(whole, tuple(recalled), is_new_page))

    def _tell(self, more: News) -> None:
        news = self._news
        is_other = more.is_new_page or more.before is not None
        change = more.change if is_other else news.change | more.change
        is_new_page = news.is_new_page or more.is_new_page
        before = news.before if more.before is None else more.before
        self._news = News(change, news.recalled + more.recalled, is_new_page, before)
        if not self._is_posted:
            self._is_posted = True
            self._post(Frame())
