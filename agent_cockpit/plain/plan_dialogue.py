"""A proposed plan in lines: read, compared, noted, changed, decided by number.

Law: what is approved is the text that stands above the numbers, letter for letter.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.plan_review import PlanAnswer, PlanReview
from agent_cockpit.plain.choosing import Numbered, choices, chosen, named
from agent_cockpit.plain.hearing import Hearing, Say
from agent_cockpit.plain.writing import changed_text
from agent_cockpit.text import shorten

Deed = Literal["approve", "accept", "revise", "note", "edit", "compare", "tell"]


class PlanDialogue:
    """Owns one plan under a person's hands; `answer` once."""

    def __init__(self, plan: str, earlier: Sequence[str], hearing: Hearing, say: Say) -> None:
        self._review = PlanReview(plan, earlier)
        self._hearing = hearing
        self._say = say

    async def answer(self, *, can_revise: bool, is_told: bool) -> PlanAnswer | None:
        """The decision; None leaves the plan. `is_told`: its text stands above already."""
        self._say(["", f"? {self._review.title}", *([] if is_told else self._lines())])
        await self._hearing.become_quiet()
        answers: list[Numbered] = []
        while True:
            before, answers = answers, self._answers(can_revise=can_revise)
            if answers != before:
                self._say(choices(answers))
            line = await self._hearing.next_line(f"answer 1-{len(answers)}:")
            found = chosen(line, answers) if line is not None else _LEAVE
            if found is None:
                self._say([f"- {named(line or '')} is no answer here"])
                continue
            match found.given.answer:
                case "leave":
                    return None
                case "approve" | "accept" as word:
                    return PlanAnswer("approved", self._review.text, accept_edits=word == "accept")
                case "revise":
                    if (answer := await self._revised()) is not None:
                        return answer
                case "note":
                    await self._note()
                case "edit":
                    await self._edit()
                    answers = []
                case "compare":
                    self._compare()
                    answers = []
                case _:
                    self._say(self._lines(is_numbered=True))
                    answers = []

    def _answers(self, *, can_revise: bool) -> list[Numbered]:
        review = self._review
        offered: list[tuple[Deed, str, bool]] = [
            ("approve", "approve: the plan becomes the goal's constraint", True),
            ("accept", "approve, and let edits run unasked in this sitting", True),
            ("revise", "another version, with a note", can_revise),
            ("note", "a note on one of its lines", can_revise),
            ("edit", "change its text yourself", True),
            ("compare", "tell what changed since the text before", review.can_compare),
            ("tell", "tell it again, with the numbers of its lines", True),
        ]
        found = [Numbered(words, Given(answer=deed)) for deed, words, applies in offered if applies]
        return [*found, _LEAVE]

    async def _revised(self) -> PlanAnswer | None:
        review = self._review
        more = f", nothing where your {review.notes_words} say all" if review.comments else ""
        note = await self._hearing.next_line(f"what should be different (one line{more}):")
        if (note and note.strip()) or (note is not None and review.comments):
            return PlanAnswer("revised", review.revision(note))
        self._say(["- nothing is to be different"])
        return None

    async def _note(self) -> None:
        """One note at its line; a line that has one gets another."""
        last = self._review.text.count("\n") + 1
        written = await self._hearing.next_line("its line and your note, such as 2 use a table:")
        match = _NOTE.fullmatch((written or "").strip())
        if match is None or not 1 <= int(match[1]) <= last:
            self._say([f"- a note begins with the number of a line, 1 to {last}"])
            return
        self._review.cursor = int(match[1]) - 1
        self._review.comment(match[2])
        line = shorten(self._review.text.split("\n")[self._review.cursor].strip(), 80)
        self._say([f"- noted on line {match[1]}, {line}; another version is asked for with it"])

    async def _edit(self) -> None:
        review = self._review
        text = await changed_text(review.text, "plan", self._hearing, self._say, is_long=True)
        if text is None or text == review.text:
            self._say(["- it is as it was"])
            return
        review.change(text)
        self._say(["", f"? {review.title}", *self._lines()])
        await self._hearing.become_quiet()

    def _compare(self) -> None:
        review = self._review
        review.show_plan()
        review.compare_next()
        shown, _ = review.lines()
        self._say([f"- compared with {review.compared_with}:"])
        self._say(f"    {line.text}".rstrip() for line in shown)
        review.show_plan()

    def _lines(self, *, is_numbered: bool = False) -> list[str]:
        """The plan, notes below their lines."""
        told: list[str] = []
        for place, line in enumerate(self._review.text.split("\n")):
            number = f"{place + 1:>2}  " if is_numbered else ""
            told.append(f"    {number}{line}".rstrip())
            notes = self._review.comments.get(place, "").splitlines()
            told += [f"        your note: {note}" for note in notes]
        return told


_LEAVE = Numbered("leave it; nothing is built", Given(answer="leave"))
_NOTE = re.compile(r"(\d{1,5})[:.)]?\s+(.+)")
