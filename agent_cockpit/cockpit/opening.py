"""From the first paint to an open source: its engine is loaded in a thread, and the demo is
offered when a person must set something first."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from textual.message import Message

from agent_cockpit.cockpit.consent.answers import Level, words_of
from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.farewell import how_to_resume
from agent_cockpit.text import clean

if TYPE_CHECKING:
    from agent_cockpit.cockpit.bridge import Bridge
    from agent_cockpit.engine.ports import SittingSource
    from agent_cockpit.events.base import Event

OpenSource = Callable[[], "SittingSource"]
ReadEnding = Callable[[], "Sequence[Event]"]


class Offer(NamedTuple):
    """A source to open in place of the person's own, its title, and a prompt to begin with."""

    open_source: OpenSource
    title: str
    suggestion: str = ""


class Past(NamedTuple):
    """A sitting to take up again; its ending is shown until all of it is read."""

    open_source: OpenSource
    read_ending: ReadEnding


class Others(NamedTuple):
    """The other sittings of the folder: one by its id or name, and the newest of them in lines.
    Both block; `PersonCanAct` says why not."""

    find: Callable[[str], Past]
    listed: Callable[[], str]


class Threshold(Protocol):
    """What opening needs of the app."""

    driving: Driving

    def post_message(self, message: Message) -> bool: ...
    def start(self, work: Coroutine[Any, Any, None]) -> object: ...
    def loaded(self, bridge: Bridge) -> None: ...
    async def painted(self) -> None: ...
    def ready(self) -> None: ...
    def took(self, offer: Offer) -> None: ...
    def not_ready(self, problem: str, *, demo: bool) -> None: ...
    def tell(self, text: str, level: Level = "info") -> None: ...


class Opening:
    """Owns the bridge; `open_source` and `offer_demo` are called in worker threads, and before
    them `read_ending`: the end of a long past, to be shown until all of it is read."""

    def __init__(
        self,
        app: Threshold,
        open_source: OpenSource,
        offer_demo: Callable[[], Offer] | None,
        open_new: OpenSource | None = None,
        read_ending: ReadEnding | None = None,
        others: Callable[[], Others] | None = None,
    ) -> None:
        self.bridge: Bridge | None = None
        self.offers_demo = False
        self._app = app
        self._open_source = open_source
        self._offer_demo = offer_demo
        self._open_new = open_new
        self._read_ending = read_ending
        self._others = others
        self._is_changing = False
        self._early: list[tuple[str, Level]] = []

    def tell(self, text: str, level: Level) -> bool:
        """Say it in the transcript; False: there is none yet, it will be said then."""
        if self.bridge is None:
            self._early.append((text, level))
            return False
        self.bridge.tell(clean(text), level)
        return True

    async def open(self) -> None:
        """Open the person's own source."""
        await self._open(self._open_source)

    async def open_demo(self) -> None:
        """Open what was offered in its place."""
        offer_demo, self.offers_demo = self._offer_demo, False
        if offer_demo is not None:
            offer = await asyncio.to_thread(offer_demo)
            self._app.took(offer)
            await self._open(offer.open_source)

    def change_sitting(self, opener: OpenSource | None = None) -> str:
        """Close the sitting and open that one, or a new one; why not, if not."""
        opener = opener or self._open_new
        if opener is None:
            return "there is no new sitting to be had here"
        if self._is_changing or not self._app.driving.is_at_rest:
            return "not now: a goal runs; esc stops it"
        self._is_changing = True
        self._app.start(self._change(opener))
        return ""

    def resume(self, name: str) -> str:
        """Go on with the sitting of this id or name, or, without one, say which there are; why
        not, if not. The one that is open is closed only for one that there is."""
        if self._others is None:
            return "there is no other sitting to be had here"
        self._app.start(self._find(self._others, name))
        return ""

    async def _find(self, others_of: Callable[[], Others], name: str) -> None:
        try:
            others = await asyncio.to_thread(others_of)
            if not name:
                self._app.tell(await asyncio.to_thread(others.listed))
                return
            past = await asyncio.to_thread(others.find, name)
        except PersonCanAct as problem:
            self._app.tell(str(problem), "warning")
            return
        if why_not := self.change_sitting(past.open_source):
            self._app.tell(why_not, "warning")
        else:
            self._read_ending = past.read_ending

    async def _change(self, opener: OpenSource) -> None:
        again = how_to_resume(self._app.driving.source)
        problem = await self._app.driving.close()
        before = f"the sitting before goes on with {again}" if again else ""
        self.bridge = None
        await self._open(opener, before=". ".join(filter(None, (before, problem))))
        self._is_changing = False

    async def _open(self, opener: OpenSource, *, before: str = "") -> None:
        """Open a source; `before` is what is to be said about the one that it follows."""
        app = self._app
        app.driving.is_blocked = self.offers_demo = False
        try:
            if self.bridge is None:
                self.bridge = (await asyncio.to_thread(_load_bridge))(app.post_message)
                app.loaded(self.bridge)
            await self._show_ending(self.bridge)
            source = await asyncio.to_thread(opener)
            stream = source.events()
            past: tuple[Event, ...] = getattr(source, "take_past", tuple)()
        except PersonCanAct as problem:
            self._failed(str(problem), before)
            return
        except Exception as problem:
            self._failed(f"the engine could not be loaded: {words_of(problem)}", before)
            return
        if past:
            self.bridge.expect_past()
        app.start(self.bridge.run(stream, past))
        app.driving.opened(source, self.bridge)
        early, self._early = self._early, []
        for text, level in early:
            app.tell(text, level)
        if before:
            app.tell(before)
        app.ready()

    async def _show_ending(self, bridge: Bridge) -> None:
        """Have the end of the past in sight before the rest of it is read, which takes seconds."""
        read, self._read_ending = self._read_ending, None
        if read is not None and (ending := await asyncio.to_thread(read)):
            bridge.show_ending(ending)
            await self._app.painted()

    def _failed(self, problem: str, before: str) -> None:
        self.offers_demo = self._offer_demo is not None
        if self.bridge is not None:
            self.bridge.forget_ending()
        self._app.driving.is_blocked = True
        self._app.driving.take_back()
        self._app.not_ready(f"{problem}. {before}" if before else problem, demo=self.offers_demo)


def _load_bridge() -> type[Bridge]:
    import agent_cockpit.cockpit.transcript.layout  # noqa: F401  for the transcript's first frame
    from agent_cockpit.cockpit.bridge import Bridge

    return Bridge
