"""One question from telling it to its answer, with all that a person may do to it on the way.

Law: what was changed by hand is judged anew and told whole again, before it can be allowed.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from agent_cockpit.cockpit.consent.answers import Judged
from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.question import Editable, Question
from agent_cockpit.plain.choosing import (
    Numbered,
    choices,
    chosen,
    hunks_chosen,
    lines_of,
    named,
    numbered,
    whole_of,
)
from agent_cockpit.plain.hearing import Hearing, Say
from agent_cockpit.plain.writing import written_anew
from agent_cockpit.text import clean_line

Reconsider = Callable[[str, dict[str, Any], Judged], None]
"""Has a call judged as it was changed: its id, its input, who hears the judgement."""


class Dialogue:
    """Owns what became of one question; `answer` once, from whoever has the person's ear."""

    def __init__(
        self, question: Question, hearing: Hearing, say: Say, reconsider: Reconsider
    ) -> None:
        self._question = question
        self._hearing = hearing
        self._say = say
        self._reconsider = reconsider
        self._edited: dict[str, Any] | None = None
        self._answers: tuple[Numbered, ...] = ()

    async def answer(self, *, waiting: int = 1) -> Given | None:
        """The answer; None when nobody is there to give one."""
        await self._tell(waiting)
        while True:
            line = await self._hearing.next_line(f"answer 1-{len(self._answers)}:")
            if line is None:
                return None
            found = chosen(line, self._answers)
            if found is None:
                self._say([f"- {named(line)} is no answer here"])
                continue
            given = await self._given(found)
            if given is not None:
                return replace(given, edited=self._edited if given.answer == "allow" else None)

    async def _given(self, found: Numbered) -> Given | None:
        """What the chosen number comes to; None: the question stands."""
        match found.kind:
            case "given":
                return found.given
            case "note":
                note = await self._hearing.next_line("because (one line):")
                return replace(found.given, note=note.strip()) if note is not None else None
            case "hunks":
                return await self._hunks(found.given)
            case "edit" if self._question.editable is not None:
                await self._edit(self._question.editable)
            case _:
                self._say([*whole_of(self._question), *choices(self._answers)])
        return None

    async def _tell(self, waiting: int = 1) -> None:
        self._say(lines_of(self._question, waiting=waiting))
        self._answers = numbered(self._question)
        await self._hearing.become_quiet()
        self._say(choices(self._answers))

    async def _hunks(self, given: Given) -> Given | None:
        """A yes to some of them, with why not to the others if that was said."""
        asks = "which hunks, such as 1,3 or 1-2, then why after a colon if you like:"
        written = await self._hearing.next_line(asks)
        numbers, _, why = (written or "").partition(":")
        kept = hunks_chosen(numbers, self._question.hunks)
        if kept:
            is_all = len(kept) == self._question.hunks
            return replace(given, kept=None if is_all else kept, note=why.strip())
        if written is not None:
            self._say([f"- {named(written)} names no hunks from 1 to {self._question.hunks}"])
        return None

    async def _edit(self, editable: Editable) -> None:
        """The call as the person wants it, where it could run so."""
        text = await written_anew(editable, self._hearing, self._say)
        if text is None or text == editable.text:
            self._say(["- it is as it was"])
            return
        values = {**editable.values, editable.field: text}
        judged: asyncio.Future[tuple[Question | None, str]]
        judged = asyncio.get_running_loop().create_future()

        def hear(question: Question | None, problem: str) -> None:
            if not judged.done():
                judged.set_result((question, problem))

        self._reconsider(self._question.question_id, values, hear)
        question, problem = await judged
        if question is None:
            self._say([f"! not so: {clean_line(problem)}"])
            return
        self._question, self._edited = question, values
        await self._tell()
