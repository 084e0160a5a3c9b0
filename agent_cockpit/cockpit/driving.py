"""What the cockpit does to its source: send, steer, answer, cancel, close.

Laws: the source decides, the cockpit asks it; a prompt that was not taken comes back to the
composer; no failure of a goal leaves this file.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import TYPE_CHECKING, Any

from agent_cockpit.cockpit.consent.answers import Answers, Desk, Level, words_of
from agent_cockpit.errors import DirtyWorkspaceError, PersonCanAct

if TYPE_CHECKING:
    from agent_cockpit.cockpit.feed import Feed
    from agent_cockpit.engine.ports import SittingSource
    from agent_cockpit.engine.state import PlanDecision
    from agent_cockpit.settings import HarnessConfig

CLOSING_S = 5.0
"""How long quitting waits for the engine to stop its goal and close its journal."""
COMMAND = "command"
"""The kind of a local command that waits among the prompts."""
OWN = "own"
"""The kind of a line that the person wants to run themselves."""
_SETTLE_S = 0.1
"""Events that were sent before a failure reach the bridge within this."""


class Driving(Answers):
    """Owns the source, once it is open, and the prompts that it has not taken yet."""

    def __init__(self, desk: Desk, start: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        super().__init__(desk, start)
        self.bridge: Feed | None = None
        self.unsent: list[tuple[str, str]] = []
        """(kind, text) of what waits for the source to open, or for a command before it."""
        self.run_own: Callable[[str], None] = desk.give_back
        """Runs a line of the person's own that waited for the source."""
        self.is_blocked = False
        """Whether opening failed: until it is tried again nothing can be sent."""
        self._is_handing_over = False
        self._consent_steps = 0
        """How often the way of consent was changed before there was a source."""
        self._sending: list[str] = []
        self._taken = 0
        self._interrupted = -1
        """How many prompts were taken when the running goal was told to stop."""
        self._active = 0

    @property
    def can_send(self) -> bool:
        """Whether the source takes goals; a replay or a bare session only shows one."""
        return hasattr(self.source, "drive")

    @property
    def is_busy(self) -> bool:
        """Whether a goal runs, or is about to."""
        return self._active > 0

    @property
    def is_at_rest(self) -> bool:
        """Whether nothing runs and nothing waits to be sent."""
        return not (self.is_busy or self.unsent or self._is_handing_over)

    @property
    def unfinished(self) -> str:
        """The prompt that would go on with what an earlier process was interrupted in."""
        return "" if self.is_busy or self.unsent else str(getattr(self.source, "unfinished", ""))

    @property
    def config(self) -> HarnessConfig | None:
        """The settings of the sitting; None where the source has none."""
        return getattr(getattr(self.source, "harness", None), "config", None)

    def earlier_prompts(self) -> list[str]:
        """What was asked in this sitting before it was taken up again."""
        history = getattr(getattr(self.source, "state", None), "history", ())
        return [turn.text for turn in history if turn.role == "user"]

    def waiting(self) -> list[tuple[str, str]]:
        """(kind, text) of all prompts that the model has not read, oldest first."""
        queued = list(self.bridge.status.queued) if self.bridge else []
        sending = [("sending", text) for text in self._sending]
        return queued + sending + [("opening", text) for _, text in self.unsent]

    def opened(self, source: SittingSource, bridge: Feed) -> None:
        """Take the source over and send what waited for it."""
        self.source, self.bridge = source, bridge
        self._taken, self._interrupted = bridge.prompts_seen, -1
        for _ in range(self._consent_steps):
            self.cycle_consent()
        self._consent_steps = 0
        self._hand_over_soon()

    def taken(self) -> None:
        """A frame came: prompts that the engine took since are no longer on their way."""
        if self.bridge is not None:
            count = self.bridge.prompts_seen - self._taken
            self._taken += count
            del self._sending[:count]

    def send(self, text: str, kind: str) -> None:
        """Send a prompt, or keep it until the source is open."""
        if self.is_blocked:
            self._desk.give_back(text)
            self._desk.note("there is no model to send it to yet")
        elif self.source is None or self._is_handing_over:
            self.unsent.append((kind, text))
        else:
            self._send(text, kind)
        self._desk.present()

    def runs_later(self, text: str) -> bool:
        """Whether a line of the person's own waits for the source now; else it is there, or
        will not come."""
        if self.source is not None or self.is_blocked:
            return False
        self.unsent.append((OWN, text))
        self._desk.present()
        return True

    def meta(self, text: str) -> None:
        """Run a local command of the engine; what is sent after it waits for its end."""
        if self.is_blocked or not (self.source is None or hasattr(self.source, "arun_meta")):
            self._without_sitting(text)
            return
        self.unsent.append((COMMAND, text))
        self._hand_over_soon()
        self._desk.present()

    def _without_sitting(self, text: str) -> None:
        """Say why a command cannot be carried out: it is none, or has nothing to work on."""
        from agent_cockpit.rules.meta_commands import find_command, parse, unknown_text

        if find_command(name := parse(text).name) is None:
            self._desk.tell(unknown_text(name), "warning")
            self._desk.give_back(text)
        else:
            self._desk.tell(f"{text.split()[0]} needs an open sitting", "warning")

    def interrupt(self) -> bool:
        """One rung: take back what waits for the source, else stop the person's own commands,
        else the goal; False when there is nothing to stop, or it was told to stop already."""
        if self.unsent:
            self.take_back()
            return True
        own = getattr(self.source, "person_commands", None)
        if own is not None and own.is_running:
            own.stop()
            return True
        source, running = self.source, self.bridge and self.bridge.status.is_running
        aside = ("is_compacting", "is_checking")
        if source is not None and any(getattr(source, name, False) for name in aside):
            self._start(self._guarded(source.cancel("interrupted by you")))
            return True
        if source is None or not (self.is_busy or running) or self._interrupted == self._taken:
            return False
        self._interrupted = self._taken
        self._start(self._guarded(source.cancel("interrupted by you")))
        return True

    def take_back(self) -> None:
        """Bring waiting prompts back; those in the engine's queue come as an event."""
        waiting, self.unsent = self.unsent, []
        for _, text in reversed(waiting):
            self._desk.give_back(text)
        if recall := getattr(self.source, "recall", None):
            recall()
        self._desk.present()

    def take_back_newest(self) -> bool:
        """Bring the newest waiting prompt back, to change or to drop it; the others wait on.

        False: none waits that can be taken back.
        """
        withdraw = getattr(self.source, "withdraw", None)
        queued = self.bridge.status.queued[-1:] if withdraw and self.bridge is not None else ()
        if self.unsent:
            self._desk.give_back(self.unsent.pop()[1])
        elif withdraw is not None and queued:
            withdraw(*queued[0])
        else:
            return False
        self._desk.present()
        return True

    @property
    def consent(self) -> str:
        """How edits are consented to, as the source says; empty where it has no say."""
        return str(getattr(self.source, "consent", ""))

    def cycle_consent(self) -> None:
        """Go on to the next way of consent, once there is a source; it announces it."""
        if self.source is None:
            self._consent_steps += 1
            self._desk.note("the mode changes when the engine is there")
        elif cycle := getattr(self.source, "cycle_consent", None):
            try:
                cycle()
            except PersonCanAct as problem:
                self._desk.note(str(problem))

    async def close(self) -> str:
        """Stop the goal and close the journal; a sentence about what did not go well."""
        source, self.source = self.source, None
        if source is None:
            return ""
        try:
            async with asyncio.timeout(CLOSING_S):
                if self.is_busy or (self.bridge and self.bridge.status.is_running):
                    await source.cancel("the cockpit was closed")
                if aclose := getattr(source, "aclose", None):
                    await aclose()
        except TimeoutError:
            return f"the goal did not stop within {CLOSING_S:.0f} s"
        except Exception as error:
            return f"closing failed: {words_of(error)}"
        return ""

    def _hand_over_soon(self) -> None:
        if self.source is not None and self.unsent and not self._is_handing_over:
            self._is_handing_over = True
            self._start(self._hand_over())

    async def _hand_over(self) -> None:
        """Send what waited, in its order: a goal after `/plan` is planned."""
        try:
            while self.unsent:
                kind, text = self.unsent.pop(0)
                if kind == COMMAND:
                    await self._meta(text)
                elif kind == OWN:
                    self.run_own(text)
                else:
                    self._send(text, kind)
        finally:
            self._is_handing_over = False
        self._desk.present()

    def _send(self, text: str, kind: str) -> None:
        if self.can_send:
            self._start(self._drive(text, kind))
        else:
            self._desk.give_back(text)
            self._desk.note("this sitting only shows; it takes no prompts")

    async def _drive(self, text: str, kind: str) -> None:
        assert self.bridge is not None
        before = self.bridge.prompts_seen
        self._sending.append(text)
        self._active += 1
        self._desk.present()
        try:
            await self._drive_until_clean(text, kind)
        except PersonCanAct as problem:
            await self._failed(text, before, str(problem), "warning")
        except Exception as problem:
            words = f"the goal stopped: {words_of(problem)}"
            await self._failed(text, before, words, "error")
        finally:
            self._active -= 1
            if text in self._sending:
                self._sending.remove(text)
            self._desk.present()

    async def _drive_until_clean(self, text: str, kind: str) -> None:
        source: Any = self.source
        plans: list[str] = []

        async def decide(plan: str) -> PlanDecision | None:
            plans.append(plan)
            return await self._decide(plans)

        try:
            await source.drive(text, kind=kind, decide=decide)
        except DirtyWorkspaceError as dirty:
            from agent_cockpit.cockpit.consent.question import about_dirty_tree

            if await self._desk.ask(about_dirty_tree(str(dirty), dirty.paths)) != "allow":
                self._desk.give_back(text)
                return
            source.tolerate_dirt()
            await source.drive(text, kind=kind, decide=decide)

    async def _failed(self, text: str, before: int, words: str, level: Level) -> None:
        assert self.bridge is not None
        await asyncio.sleep(_SETTLE_S)
        self.bridge.flush()
        self._desk.tell(words, level)
        if self.bridge.prompts_seen == before:
            self._desk.give_back(text)

    async def _decide(self, plans: list[str]) -> PlanDecision | None:
        """The person's decision about the newest of a goal's plans."""
        from agent_cockpit.engine.sitting.plan_flow import MAX_REVISIONS
        from agent_cockpit.engine.state import PlanDecision

        *earlier, plan = plans
        notes_left = MAX_REVISIONS - len(earlier)
        answer = await self._desk.ask_about_plan(plan, earlier=earlier, notes_left=notes_left)
        if answer is None:
            return None
        return PlanDecision(
            answer.decision == "approved", answer.text, accept_edits=answer.accept_edits
        )

    async def _meta(self, text: str) -> None:
        from agent_cockpit.rules.meta_commands import find_command, parse

        source: Any = self.source
        try:
            result = await source.arun_meta(text)
        except Exception as problem:
            self._desk.tell(f"{text.split()[0]}: {words_of(problem)}", "warning")
            return
        if result.kind == "prompt":
            self._send(result.text, "steering")
        elif find_command(parse(text).name) is None:
            self._desk.tell(result.text, "warning")
            self._desk.give_back(text)
        else:
            self._desk.show_meta(result)

    async def _guarded(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except Exception as problem:
            self._desk.tell(f"{words_of(problem)}", "error")
