"""Questions at a terminal of lines: told whole, then numbered, then answered; one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial

from agent_cockpit.cockpit.consent.about_call import about_call
from agent_cockpit.cockpit.consent.asked import AskedCall
from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.plan_review import PlanAnswer
from agent_cockpit.cockpit.consent.question import Question
from agent_cockpit.plain.dialogue import Dialogue, Reconsider
from agent_cockpit.plain.hearing import Hearing, Say
from agent_cockpit.plain.plan_dialogue import PlanDialogue

Answer = Callable[[str, Given, Callable[[bool], None]], None]
"""Takes a call's answer, and tells whether the engine took it."""
_UNANSWERED = Given(answer="deny", note="nobody answered: the input has ended")


class Asking:
    """Owns the question that is open: a call's, or one of the sitting's own.

    A call that waits no more takes its own question with it, and no other.
    """

    def __init__(self, hearing: Hearing, say: Say, reconsider: Reconsider) -> None:
        self._hearing = hearing
        self._say = say
        self._reconsider = reconsider
        self._turn = asyncio.Lock()
        self._calls: tuple[AskedCall, ...] = ()
        self._asked: set[str] = set()
        self._open_call = ""
        self._open: asyncio.Task[Given | None] | None = None
        self._task: asyncio.Task[None] | None = None

    def sync(self, calls: Sequence[AskedCall], answer: Answer) -> None:
        """Take over the calls that wait now; one that waits no more is asked no longer."""
        self._calls = tuple(calls)
        waiting = {call.approval_id for call in calls}
        self._asked &= waiting
        if self._open is not None and self._open_call not in waiting:
            self._open.cancel()
        is_asking = self._task is not None and not self._task.done()
        if not is_asking and self._next() is not None:
            self._task = asyncio.ensure_future(self._ask_calls(answer))

    def leave(self) -> None:
        """The person leaves: nothing is asked any more."""
        self._hearing.end()
        for task in (self._task, self._open):
            if task is not None:
                task.cancel()

    async def ask(self, question: Question, *, waiting: int = 1) -> Given | None:
        """The answer; None when nobody is there to give one."""
        async with self._turn:
            return await self._dialogue(question).answer(waiting=waiting)

    async def ask_about_plan(
        self, plan: str, *, earlier: Sequence[str], notes_left: int | None, is_told: bool
    ) -> PlanAnswer | None:
        """The decision about a plan; None leaves it. `is_told`: its text stands above."""
        async with self._turn:
            dialogue = PlanDialogue(plan, earlier, self._hearing, self._say)
            return await dialogue.answer(can_revise=notes_left != 0, is_told=is_told)

    async def _ask_calls(self, answer: Answer) -> None:
        while (call := self._next()) is not None:
            async with self._turn:
                if not self._waits(call):
                    continue
                waiting = sum(each.approval_id not in self._asked for each in self._calls)
                dialogue = self._dialogue(about_call(call))
                self._open_call = call.approval_id
                self._open = asyncio.ensure_future(dialogue.answer(waiting=waiting))
                await asyncio.wait({self._open})
                asked, self._open = self._open, None
            if asked.cancelled() or not self._waits(call):
                self._say(["- it is not asked any more"])
                continue
            self._asked.add(call.approval_id)
            given = asked.result() or _UNANSWERED
            answer(call.approval_id, given, partial(self._answered, call, given, answer))

    def _answered(self, call: AskedCall, given: Given, answer: Answer, is_taken: bool) -> None:
        """A yes that was not taken decided nothing: the call asks again."""
        if not is_taken and given.answer != "deny":
            self._asked.discard(call.approval_id)
            self.sync(self._calls, answer)

    def _dialogue(self, question: Question) -> Dialogue:
        return Dialogue(question, self._hearing, self._say, self._reconsider)

    def _waits(self, call: AskedCall) -> bool:
        return any(each.approval_id == call.approval_id for each in self._calls)

    def _next(self) -> AskedCall | None:
        return next((call for call in self._calls if call.approval_id not in self._asked), None)
