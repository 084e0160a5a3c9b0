"""What waits for the person's answer: calls of the engine, questions of the sitting, plans."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from agent_cockpit.cockpit.consent.about_call import about_call, about_calls
from agent_cockpit.cockpit.consent.asked import AskedCall
from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.question import Question
from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal

if TYPE_CHECKING:
    from agent_cockpit.cockpit.consent.plan_review import PlanAnswer

Show = Callable[[Screen[Any], Callable[[Any], object]], object]


class Asking:
    """Owns the questions; the panel shows the first one, `show` opens a screen."""

    def __init__(self, panel: ApprovalModal, show: Show) -> None:
        self._panel = panel
        self._show = show
        self._calls: list[Question] = []
        self._views: tuple[AskedCall, ...] = ()
        """The call that is asked about, and those that come behind it."""
        self._list: Question | None = None
        self._own: list[tuple[Question, asyncio.Future[str]]] = []
        self._shown: Question | None = None
        """What is only shown."""
        self._asked = 0
        self._no_calls: set[str] = set()
        """The ids of all questions that were put here and are no call's. The engine must never
        hear one: it takes an unknown id for the one call that waits."""

    def sync(self, calls: Sequence[AskedCall], ahead: Sequence[AskedCall] = ()) -> None:
        """Take over the calls that wait now, and those that will ask behind them."""
        views = (*calls, *ahead) if calls else ()
        if [each.approval_id for each in views] != [each.approval_id for each in self._views]:
            self._list = None
        self._views = views
        known = {question.question_id: question for question in self._calls}
        self._calls = [known.get(call.approval_id) or about_call(call) for call in calls]
        self._present()

    def show(self, question: Question | None) -> None:
        """Show what was asked in a recording, behind its calls; None: nothing was."""
        if question != self._shown:
            self._shown = question
            self._present()

    async def ask(self, question: Question) -> str:
        """Put a question of the sitting's own behind the calls; its answer."""
        answer: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._asked += 1
        entry = (replace(question, question_id=f"{question.question_id} {self._asked}"), answer)
        self._own.append(entry)
        self._no_calls.add(entry[0].question_id)
        self._present()
        try:
            return await answer
        finally:
            self._own.remove(entry)
            self._present()

    def settle(self, question_id: str, answer: str) -> bool:
        """Give an answer to a question of the sitting's own; False when it is a call's. A second
        answer, and one to a list that is no more, settles nothing."""
        for question, future in self._own:
            if question.question_id == question_id and not future.done():
                future.set_result(answer)
        return question_id in self._no_calls

    def show_list(self) -> None:
        """Show all calls at once, to choose among."""
        if len(self._views) > 1:
            self._list = about_calls(self._views)
            self._no_calls.add(self._list.question_id)
            self._present()

    def chosen(self, question_id: str, given: Given) -> tuple[str, ...] | None:
        """The calls that may run by an answer to the list, the last one first; None when the
        answer is to something else."""
        if self._list is None or self._list.question_id != question_id:
            return None
        self._list = None
        kept = () if given.answer == "deny" else given.kept or ()
        found = tuple(self._views[place].approval_id for place in sorted(kept, reverse=True))
        self._present()
        return found

    async def ask_about_plan(
        self, plan: str, *, earlier: Sequence[str] = (), notes_left: int | None = None
    ) -> PlanAnswer | None:
        """Show a plan; closed without an answer when the asking is cancelled."""
        from agent_cockpit.cockpit.screens.plan_modal import PlanModal

        answer: asyncio.Future[PlanAnswer | None] = asyncio.get_running_loop().create_future()
        screen = PlanModal(plan, earlier=earlier, notes_left=notes_left, quiet=self._panel.quiet)

        def decided(given: PlanAnswer | None) -> None:
            if not answer.done():
                answer.set_result(given)

        self._show(screen, decided)
        try:
            return await answer
        except asyncio.CancelledError:
            if screen.is_current:
                screen.dismiss(None)
            raise

    def _present(self) -> None:
        shown = [self._shown] if self._shown is not None else []
        waiting = self._calls + [question for question, _ in self._own] + shown
        if not waiting:
            self._panel.close()
            return
        listed = len(self._views)
        count = len(self._own) + len(shown) + max(listed, len(self._calls))
        self._panel.ask(self._list or waiting[0], waiting=count, listed=listed)
