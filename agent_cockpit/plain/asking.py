"""Questions at a terminal of lines: told whole, then numbered, then answered.

Law: no line that was typed before the numbers were told is an answer; it is thrown away, and
that is said.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace

from agent_cockpit.cockpit.consent.about_call import about_call
from agent_cockpit.cockpit.consent.asked import AskedCall
from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.plan_review import PlanAnswer, PlanReview
from agent_cockpit.cockpit.consent.question import Question
from agent_cockpit.plain.choosing import Numbered, choices, chosen, lines_of, numbered
from agent_cockpit.plain.reading import Lines
from agent_cockpit.text import clean_line, shorten

Say = Callable[[Iterable[str]], None]
Answer = Callable[[str, Given], None]
APPROVE, ACCEPT, REVISE, LEAVE = "approve", "accept", "revise", "leave"


class Asking:
    """Owns the question that is open; one at a time, calls before anything of the sitting's."""

    def __init__(self, lines: Lines, say: Say, *, quiet_s: float) -> None:
        self._lines = lines
        self._say = say
        self._quiet_s = quiet_s
        self._turn = asyncio.Lock()
        self._line: asyncio.Future[str | None] | None = None
        self._early: list[str] = []
        self._is_quiet = False
        self._calls: tuple[AskedCall, ...] = ()
        self._asked: set[str] = set()
        self._open_call = ""
        self._task: asyncio.Task[None] | None = None

    @property
    def is_open(self) -> bool:
        """Whether a question stands, so that a line is no prompt."""
        return self._is_quiet or self._line is not None

    def heard(self, line: str | None) -> bool:
        """Whether a line that was read belongs to a question; None: the person said no more."""
        if self._line is not None and not self._line.done():
            self._line.set_result(line)
            return True
        if self._is_quiet:
            self._early.append(line or "")
            return True
        return False

    def sync(self, calls: Sequence[AskedCall], answer: Answer) -> None:
        """Take over the calls that wait now; one that waits no more is asked no longer."""
        self._calls = tuple(calls)
        waiting = {call.approval_id for call in calls}
        self._asked &= waiting
        if self._open_call and self._open_call not in waiting:
            self._close_line()
        is_asking = self._task is not None and not self._task.done()
        if not is_asking and self._next() is not None:
            self._task = asyncio.ensure_future(self._ask_calls(answer))

    def leave(self) -> None:
        """The person leaves: nothing is asked any more."""
        self._close_line()
        if self._task is not None:
            self._task.cancel()

    async def ask(self, question: Question, *, waiting: int = 1) -> Given | None:
        """The answer; None when the question went away, or nobody is there to answer."""
        async with self._turn:
            self._say(lines_of(question, waiting=waiting))
            answers = numbered(question)
            await self._become_quiet()
            self._say(choices(answers))
            while True:
                line = await self._next_line(f"answer 1-{len(answers)}:")
                if line is None:
                    return None
                found = chosen(line, answers)
                if found is None:
                    self._say([f"- {shorten(clean_line(line), 60) or 'nothing'} is no answer here"])
                elif found.kind == "whole":
                    self._say(f"    {each.text}".rstrip() for each in question.whole)
                    self._say(choices(answers))
                elif found.kind == "note":
                    note = await self._next_line("because (one line):")
                    return None if note is None else replace(found.given, note=note.strip())
                else:
                    return found.given

    async def ask_about_plan(
        self, plan: str, *, earlier: Sequence[str], notes_left: int | None, is_told: bool
    ) -> PlanAnswer | None:
        """The decision about a plan; None leaves it. `is_told`: its text stands above."""
        review = PlanReview(plan, earlier)
        answers = [
            Numbered("approve: the plan becomes the goal's constraint", Given(answer=APPROVE)),
            Numbered("approve, and let edits run unasked in this sitting", Given(answer=ACCEPT)),
        ]
        if notes_left is None or notes_left > 0:
            answers.append(Numbered("another version, with a note", Given(answer=REVISE), "note"))
        answers.append(Numbered("leave it; nothing is built", Given(answer=LEAVE)))
        async with self._turn:
            text = [] if is_told else [f"    {line}" for line in review.text.split("\n")]
            self._say(["", f"? {review.title}", *text])
            await self._become_quiet()
            self._say(choices(answers))
            while True:
                line = await self._next_line(f"answer 1-{len(answers)}:")
                found = chosen(line, answers) if line is not None else answers[-1]
                if found is None:
                    self._say([f"- {shorten(clean_line(line or ''), 60)} is no answer here"])
                elif found.kind == "note":
                    note = await self._next_line("what should be different (one line):")
                    if note:
                        return PlanAnswer("revised", review.revision(note))
                elif found.given.answer == LEAVE:
                    return None
                else:
                    accepts = found.given.answer == ACCEPT
                    return PlanAnswer("approved", review.text, accept_edits=accepts)

    async def _ask_calls(self, answer: Answer) -> None:
        while (call := self._next()) is not None:
            self._open_call = call.approval_id
            question = about_call(call)
            waiting = sum(each.approval_id not in self._asked for each in self._calls)
            given = await self.ask(question, waiting=waiting)
            self._open_call = ""
            if any(each.approval_id == call.approval_id for each in self._calls):
                self._asked.add(call.approval_id)
                answer(call.approval_id, given or Given(answer="deny"))
            else:
                self._say(["- it is not asked any more"])

    def _next(self) -> AskedCall | None:
        return next((call for call in self._calls if call.approval_id not in self._asked), None)

    async def _become_quiet(self) -> None:
        """Let the question be read, and throw away what was typed before."""
        self._is_quiet = True
        try:
            await asyncio.sleep(self._quiet_s)
            early = " ".join(filter(None, [*self._early, self._lines.drain()]))
        finally:
            self._is_quiet, self._early = False, []
        if early:
            self._say([f"- typed before the question, and no answer: {shorten(early, 200)}"])

    async def _next_line(self, words: str) -> str | None:
        """At a terminal whoever listens hands the line over; a pipe is read only now."""
        self._say([words])
        line: asyncio.Future[str | None] = asyncio.get_running_loop().create_future()
        self._line = line
        reading = None if self._lines.is_terminal else asyncio.ensure_future(self._read())
        try:
            return await line
        finally:
            self._line = None
            if reading is not None:
                reading.cancel()

    async def _read(self) -> None:
        self.heard(await self._lines.next())

    def _close_line(self) -> None:
        if self._line is not None and not self._line.done():
            self._line.set_result(None)
