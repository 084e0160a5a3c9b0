"""What a person has chosen so far about one question: how wide, which hunks, which text.

Law: `given` says no more than the panel showed at that moment.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from agent_cockpit.cockpit.consent.question import Line, Option, Question


@dataclass(frozen=True, slots=True, kw_only=True)
class Given:
    """An answer. `answer` is `allow` or `deny`; `scope` how far a yes reaches; `edited` the
    call's input as it was changed; `kept` the hunks that were taken, None for all."""

    answer: str
    scope: str = "once"
    note: str = ""
    edited: dict[str, Any] | None = None
    kept: tuple[int, ...] | None = None


class Choice:
    """Owns what may still change before the answer; only the panel calls it."""

    def __init__(self, question: Question) -> None:
        self.asked = question
        """The question as it came."""
        self.question = question
        """The question as it is shown: with an edited call, another one."""
        self.shows_whole = False
        self.edited: dict[str, Any] | None = None
        self.hunk = 0
        self._width = len(question.widths) - 1
        self._dropped = set(range(question.hunks)) if question.starts_empty else set()

    @property
    def is_partial(self) -> bool:
        """Whether hunks were dropped."""
        return bool(self._dropped)

    @property
    def options(self) -> tuple[Option, ...]:
        """The answers, in the words of what they would do now."""
        return tuple(self._worded(option) for option in self._offered())

    @property
    def has_widths(self) -> bool:
        """Whether the wide answer can be made wider or narrower."""
        return len(self.question.widths) > 1 and not self.is_partial

    def widen(self, step: int) -> None:
        """Make the wide answer wider (1) or narrower (-1)."""
        self._width = min(max(0, self._width + step), len(self.question.widths) - 1)

    def go_to_hunk(self, step: int) -> None:
        """Make the next (1) or the former (-1) hunk the present one."""
        self.hunk = (self.hunk + step) % max(1, self.question.hunks)

    def toggle_hunk(self) -> None:
        """Drop the present hunk, or take it again."""
        self._dropped ^= {self.hunk}

    def show_edited(self, question: Question, edited: dict[str, Any]) -> None:
        """The call was changed by hand, and this is what it asks now."""
        self.question, self.edited = question, edited
        self.shows_whole = False
        self._width, self.hunk, self._dropped = len(question.widths) - 1, 0, set()

    def lines(self) -> list[Line]:
        """The body as it is shown now, hunks marked."""
        lines = self.question.whole if self.shows_whole else self.question.body
        if not self.question.hunks:
            return list(lines)
        above = (-1, *(line.hunk for line in lines))
        return [
            self._marked(line, is_head=line.hunk != before)
            for line, before in zip(lines, above, strict=False)
        ]

    def line_of_hunk(self) -> int | None:
        """Where the present hunk begins in `lines`; None where it is not shown."""
        lines = self.question.whole if self.shows_whole else self.question.body
        places = (n for n, line in enumerate(lines) if line.hunk == self.hunk)
        return next(places, None)

    def given(self, answer: str, note: str = "") -> Given:
        """The answer that this choice comes to; to take no hunk is a no."""
        kept = tuple(n for n in range(self.question.hunks) if n not in self._dropped)
        if self.question.starts_empty:
            return Given(answer=answer if kept else "deny", kept=kept)
        if answer == "deny" or (self.is_partial and not kept):
            return Given(answer="deny", note=note)
        scope = "once"
        if answer == "always" and self.question.widths and not self.is_partial:
            scope = self.question.widths[self._width].scope
        return Given(
            answer="allow",
            scope=scope,
            note=note,
            edited=self.edited,
            kept=kept if self.is_partial else None,
        )

    def _offered(self) -> list[Option]:
        hidden = {"always"} if self.is_partial or not self.question.widths else set()
        if self.is_partial:
            hidden.add("edit")
        return [option for option in self.question.options if option.answer not in hidden]

    def _worded(self, option: Option) -> Option:
        match option.answer:
            case "allow" if self.question.starts_empty:
                kept = self.question.hunks - len(self._dropped)
                return replace(option, words=f"{kept} of {self.question.hunks} calls, once each")
            case "allow" if self.is_partial:
                kept = self.question.hunks - len(self._dropped)
                words = f"{kept} of {self.question.hunks} hunks"
                return replace(option, words=words, brief=f"{kept}/{self.question.hunks}")
            case "always":
                width = self.question.widths[self._width]
                such = f"{width.seen} such call{'s' * (width.seen != 1)}"
                so_far = f" · {such} so far" if width.seen else ""
                arrows = "  ←→ scope" if self.has_widths else ""
                return replace(option, words=f"{width.covers}{so_far}{arrows}")
            case "whole" if self.shows_whole:
                return replace(option, words="less (also esc)", brief="less")
            case "reason" if self.is_partial:
                return replace(option, words="these, because…")
            case _:
                return option

    def _marked(self, line: Line, *, is_head: bool) -> Line:
        if line.hunk < 0:
            return line
        is_dropped = line.hunk in self._dropped
        if is_head:
            here = "▸" if line.hunk == self.hunk else " "
            mark = "[ ]" if is_dropped else "[x]"
            tone = "warning" if line.hunk == self.hunk else line.tone
            return Line(f"{here}{mark} {line.text}", tone, line.hunk, hang=5, lead=5)
        return replace(line, tone="muted") if is_dropped else line
