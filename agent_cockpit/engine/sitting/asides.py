"""What a person asks for beside the goals: a summary of what was said, the checks, what the
project tells its agents, commands of their own.

Law: one summary and one round of checks at a time, and none while a goal runs.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property

from agent_cockpit.engine.model.compaction import Compaction
from agent_cockpit.engine.sitting.checking import BUSY, Checking
from agent_cockpit.engine.sitting.person_commands import CommandOutput, PersonCommands
from agent_cockpit.engine.sitting.undo_desk import UndoDesk
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.engine.stopping import RunCancelled
from agent_cockpit.engine.surroundings import Discovered
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import ContextCompacted, SittingRenamed
from agent_cockpit.providers.protocol import Provider
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.workspace.cancellation import CancellationToken

LONGEST_NAME = 60
PAGE_MARK = "[The person began a new page here: what was said before it is not shown to you.]"
COMPACTED = "compacted"
"""What a compaction says that was done."""


class Asides(UndoDesk):
    """The commands of a sitting that take their time; `cancel` stops what can be stopped."""

    _name: str | None = None
    _checking: CancellationToken | None = None
    """Stops the checks that a person asked for."""
    _compacting: CancellationToken | None = None
    """Stops the compaction that a person asked for."""

    @cached_property
    def person_commands(self) -> PersonCommands:
        """The commands that the person types for themselves."""
        return PersonCommands(self.harness.workspace, self._publish)

    async def run_for_person(self, command: str) -> CommandOutput:
        """Run a command that a person typed, to its end; the model is not told."""
        self._refuse_when_closed()
        return await self.person_commands.run(command)

    async def aclose(self) -> None:
        """Stop all that runs, and close the record; nothing can be started afterwards."""
        await self.person_commands.close()
        await super().aclose()

    def discover(self) -> Discovered:
        """The project instructions and skills that there are now; blocks."""
        return self._openings.discover()

    async def compact(self, keep: str = "") -> str:
        """Summarise older messages now, or before the next step of a goal that runs; says
        what came of it. `cancel` stops it, and then nothing is changed."""
        if self.execution.is_active or self._compacting is not None:
            return self.compact_plainly(keep)
        self._compacting = CancellationToken()
        try:
            why_not = await self._compaction(keep, self._provider, self._compacting).run()
        except RunCancelled:
            why_not = "you stopped it"
        finally:
            self._compacting = None
        return f"not compacted: {why_not}" if why_not else COMPACTED

    def compact_plainly(self, keep: str = "") -> str:
        """As `compact`, inline: without the model when no goal runs."""
        if self.execution.is_active:
            self.conversation.asked_to_compact = keep
            return "the context is compacted before the next step of this goal"
        if self._compacting is not None:
            return "not compacted: it is being compacted already"
        why_not = self._compaction(keep, None, CancellationToken()).run_plainly()
        return f"not compacted: {why_not}" if why_not else COMPACTED

    @property
    def name(self) -> str:
        """What the person called the sitting; empty when nothing."""
        return self.past.name if self._name is None else self._name

    def rename(self, name: str) -> str:
        """Call the sitting so in the list of sittings, empty: by its first prompt; what came
        of it, in words."""
        had = self.name
        self._name = shorten(clean_line(name), LONGEST_NAME)
        self._publish(SittingRenamed(name=self._name))
        if self._name:
            return f"this sitting is called {self._name!r}"
        return f"this sitting has no name of its own{' any more' if had else ''}"

    @property
    def context_use(self) -> tuple[int, int]:
        """Tokens that the conversation takes in the model's window, and the window's size."""
        window = self.conversation.window
        size = window.size(self.harness.config, self._provider)
        return window.used(self.conversation.shown()), size

    def begin_page(self) -> MetaResult:
        """Let the model begin afresh: nothing said until now is shown to it again. The journal
        keeps it; what was allowed, the mode and the boundaries stay. Not while a goal runs."""
        if self.execution.is_active or self._compacting is not None:
            return MetaResult("message", "not now: /clear begins a new page between two goals")
        before, size = self.context_use
        shown = self.conversation.shown()
        if len(shown) == 1:
            return MetaResult("message", "this page is new")
        message = Message.of("user", PAGE_MARK)
        stands_for = self.conversation.compact(message, len(shown) - 1)
        self._page_begun = len(self.state.tasks)
        self._publish(
            ContextCompacted(
                message=message,
                stands_for=stands_for,
                kept=0,
                summarised=len(shown) - 1,
                cause="page",
                tokens_before=before,
                tokens_after=self.context_use[0],
                window=size,
            )
        )
        return MetaResult("told", "a new page")

    async def verify(self, argument: str = "") -> MetaResult:
        """Run the checks that decide now, for the person who asks; what came of it. Not
        while a goal runs, which does it itself. `cancel` stops it."""
        if self.execution.is_active or self._checking is not None:
            return MetaResult("message", BUSY)
        self._checking = CancellationToken()
        try:
            return await self._checks(self._publish, self._checking).run(argument)
        finally:
            self._checking = None

    def verify_blocking(self, argument: str = "") -> MetaResult:
        """As `verify`, for callers that cannot await; its events come when it is over."""
        if self.execution.is_active or self._checking is not None:
            return MetaResult("message", BUSY)
        told: list[Event] = []

        def keep(event: Event) -> Event:
            told.append(event)
            return event

        result = self._checks(keep, CancellationToken()).run_blocking(argument)
        for event in told:
            self._publish(event)
        return result

    async def cancel(self, reason: str = "cancelled") -> None:
        """Stop the running goal, also while it is being prepared, or the compaction or
        checks that were asked for; else nothing."""
        for aside in (self._compacting, self._checking):
            if aside is not None:
                aside.cancel(reason)
        await super().cancel(reason)

    @property
    def is_at_work(self) -> bool:
        """Whether a goal runs, or checks do that a person asked for."""
        return super().is_at_work or self._checking is not None

    @property
    def is_compacting(self) -> bool:
        """Whether a summary is being written that `cancel` would stop."""
        return self._compacting is not None

    @property
    def is_checking(self) -> bool:
        """Whether checks run that a person asked for, and that `cancel` would stop."""
        return self._checking is not None

    def _checks(self, publish: Callable[[Event], Event], stop: CancellationToken) -> Checking:
        look = self.harness.look_around
        return Checking(
            tasks=tuple(self.state.tasks),
            resolve=lambda: look("", must_be_clean=False).checks,
            trust=self.harness.check_trust,
            verifier=self.harness.verifier(),
            publish=publish,
            cancellation=stop,
        )

    def _compaction(
        self, keep: str, provider: Provider | None, cancellation: CancellationToken
    ) -> Compaction:
        return Compaction(
            conversation=self.conversation,
            config=self.harness.config,
            window=self.conversation.window.size(self.harness.config, self._provider),
            publish=self._publish,
            state=self.state.tasks[-1] if self.state.tasks else None,
            provider=provider,
            cause="asked",
            keep=keep,
            cancellation=cancellation,
        )
