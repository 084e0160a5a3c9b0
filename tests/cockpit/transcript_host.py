"""The smallest app that holds a transcript, for tests and for looking at it."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Iterable
from contextlib import asynccontextmanager
from datetime import UTC
from typing import Any

from textual.app import ComposeResult
from textual.pilot import Pilot

from agent_cockpit.cockpit.look.in_sight import InSight
from agent_cockpit.cockpit.look.theme import drawn_theme
from agent_cockpit.cockpit.transcript.transcript import TranscriptView
from agent_cockpit.events.base import Event
from agent_cockpit.transcript.blocks import Block
from agent_cockpit.transcript.fold import Transcript
from tests.support.waiting import until


class Host(InSight):
    """Shows the events that it was given, and takes more by `feed`."""

    CSS = "Screen { background: $background; } TranscriptView { height: 1fr; }"

    def __init__(self, events: Iterable[Event] = (), *, theme: str = "cockpit-dark") -> None:
        super().__init__()
        for name in ("cockpit-dark", "cockpit-light", theme):
            drawn = drawn_theme(name)
            assert drawn is not None
            self.register_theme(drawn)
        self.theme = theme
        self.transcript = Transcript.of(events)

    @asynccontextmanager
    async def run_test(self, **how: Any) -> AsyncGenerator[Pilot[None], None]:
        """As Textual's, once the view has drawn all that it was given."""
        async with super().run_test(**how) as pilot:
            await until(lambda: not self.view.is_behind)
            yield pilot

    def compose(self) -> ComposeResult:
        yield TranscriptView(zone=UTC)

    def on_mount(self) -> None:
        self.animation_level = "none"
        self.view.attach(self.transcript)

    @property
    def view(self) -> TranscriptView:
        """The one widget."""
        return self.query_one(TranscriptView)

    def feed(self, *events: Event) -> None:
        """Apply more events, and tell the view."""
        for event in events:
            self.view.mark_changed(self.transcript.apply(event))


class Counting:
    """A source that counts how often blocks are looked at."""

    def __init__(self, transcript: Transcript) -> None:
        self.transcript = transcript
        self.looked_at = 0

    def __len__(self) -> int:
        return len(self.transcript)

    def block(self, key: int) -> Block:
        self.looked_at += 1
        return self.transcript.block(key)

    def open_keys(self) -> tuple[int, ...]:
        return self.transcript.open_keys()
