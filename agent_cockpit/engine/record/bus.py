"""One ordered stream of events: stamp, journal, fan out.

Laws: an event is in the journal's hands before any subscriber sees it; `event_id` only
grows; nobody who listens can delay, change or stop who speaks.
"""

from __future__ import annotations

import asyncio
import weakref
from collections import deque
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from uuid import uuid4

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import SHEDDABLE, event_type
from agent_cockpit.events.sitting import Notice
from agent_cockpit.transcript.wording import count

SOFT_CAP_EVENTS = 1024
"""A subscriber with this much unread loses sheddable events, and nothing else."""


class Subscription(AsyncIterator[Event]):
    """One observer's own stream, from the call that made it to the bus's close.

    Dropping it, or `aclose`, unsubscribes. A gap in `event_id` is text that was shed; the
    whole text follows with the message or decision that ends it.
    """

    def __init__(self, wants: Callable[[Event], bool]) -> None:
        self._wants = wants
        self._unread: deque[Event] = deque()
        self._ready = asyncio.Event()
        self._closed = False

    def offer(self, event: Event) -> None:
        """Take an event, unless it is shed or not wanted. The bus calls this."""
        if self._closed or not self._wants(event):
            return
        if len(self._unread) >= SOFT_CAP_EVENTS and event_type(event) in SHEDDABLE:
            return
        self._unread.append(event)
        self._ready.set()

    def end(self) -> None:
        """No more will come; what is unread stays readable. The bus calls this."""
        self._closed = True
        self._ready.set()

    def __aiter__(self) -> Subscription:
        return self

    async def __anext__(self) -> Event:
        while not self._unread:
            if self._closed:
                raise StopAsyncIteration
            self._ready.clear()
            await self._ready.wait()
        return self._unread.popleft()

    def take_unread(self) -> list[Event]:
        """All that waits, at once, without waiting; for a reader that joins frames."""
        events, self._unread = list(self._unread), deque()
        return events

    async def aclose(self) -> None:
        """Stop listening and forget what is unread."""
        self._unread.clear()
        self.end()


class EventBus:
    """Stamps and spreads the events of a sitting, or, with a `parent`, of one of its goals.

    A goal's bus lets the parent stamp and journal, so that ids grow over the whole sitting,
    and its own subscribers see only what was published here. Only the event loop may call
    it. The journal is not closed here: whoever opened it closes it.
    """

    def __init__(
        self,
        session_id: str | None = None,
        journal: JsonlEventJournal | None = None,
        *,
        parent: EventBus | None = None,
        keeps_history: bool = True,
    ) -> None:
        inherited = parent.session_id if parent is not None else ""
        self.session_id: str = inherited or session_id or uuid4().hex
        self.journal = journal
        self.history: list[Event] = []
        """Every event published here, in order (empty when told not to keep it)."""
        self._keeps_history = keeps_history
        self._parent = parent
        self._last_id = 0
        self._closed = False
        self._subscriptions: weakref.WeakSet[Subscription] = weakref.WeakSet()
        self._told_of_journal = False

    @property
    def closed(self) -> bool:
        """Whether `close` was called."""
        return self._closed

    @property
    def last_id(self) -> int:
        """The id of the newest event of the sitting."""
        return self._parent.last_id if self._parent else self._last_id

    def continue_after(self, event_id: int) -> None:
        """Let the next id follow `event_id`: for a journal that already holds events."""
        self._last_id = max(self._last_id, event_id)

    def publish(self, draft: Event) -> Event:
        """Stamp `draft`, journal it, hand it to everybody; returns the stamped event."""
        stamped = self._parent.publish(draft) if self._parent else self._stamp(draft)
        if self._parent is not None and self.journal is not None:
            self.journal.append(stamped)
        if self._keeps_history:
            self.history.append(stamped)
        for subscription in list(self._subscriptions):
            subscription.offer(stamped)
        if self._parent is None:
            self._tell_of_journal()
        return stamped

    def subscribe(self, wants: Callable[[Event], bool] = lambda _: True) -> Subscription:
        """A stream of all later events that `wants` says yes to; on a closed bus it is empty."""
        subscription = Subscription(wants)
        if self._closed:
            subscription.end()
        else:
            self._subscriptions.add(subscription)
        return subscription

    async def sync(self) -> None:
        """Return when all that was published is on the disk (as far as a disk tells)."""
        if self._parent is not None:
            await self._parent.sync()
        if self.journal is not None:
            await self.journal.sync()
        self._tell_of_journal()

    def close(self) -> None:
        """End every subscription after what it has unread; harmless when repeated."""
        self._closed = True
        for subscription in list(self._subscriptions):
            subscription.end()

    def _stamp(self, draft: Event) -> Event:
        self._last_id += 1
        stamped = draft.model_copy(
            update={
                "event_id": self._last_id,
                "session_id": self.session_id,
                "ts": datetime.now(UTC),
            }
        )
        if self.journal is not None:
            self.journal.append(stamped)
        return stamped

    def _tell_of_journal(self) -> None:
        """Say once that nothing is recorded any more, and once that it is again."""
        journal = self.journal
        if journal is None or (journal.failure is not None) == self._told_of_journal:
            return
        self._told_of_journal = not self._told_of_journal
        if journal.failure is not None:
            text = f"This sitting is no longer recorded: {journal.failure}"
            self.publish(Notice(level="error", text=text))
        else:
            lost = f"; {count(journal.missed, 'line')} of it lost" if journal.missed else ""
            self.publish(Notice(level="warning", text=f"This sitting is recorded again{lost}."))
