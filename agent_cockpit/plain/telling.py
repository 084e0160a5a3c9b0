"""What a sitting says, as lines that are only ever added.

Laws: a line that was told is never taken back or told again; an answer comes line by line as
it is written, everything else once, when it is over.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from agent_cockpit.events.plans import PlanStepState
from agent_cockpit.plain.page import Verbatim
from agent_cockpit.text import clean
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    NoticeBlock,
    OutcomeBlock,
    PlanBlock,
    PromptBlock,
    QuestionBlock,
    ThoughtBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.plain import call_title, plain_lines, step_words
from agent_cockpit.transcript.wording import duration

_LONG_TOOLS = ("run_command", "run_tests", "run_linter")
"""Calls that a person would wait for without knowing what runs."""
_PARAGRAPHS = (AnswerBlock, QuestionBlock, PlanBlock, VerdictBlock, OutcomeBlock)
"""Blocks with an empty line above them."""
_FENCE = re.compile(r"`{3,}(?=[^`]*$)|~{3,}")


class Telling:
    """Tells one transcript from its beginning, but for the prompts: who wrote them, or passed
    them on, has told them."""

    def __init__(self, transcript: Transcript) -> None:
        self.seen: set[str] = set()
        """Ids of calls whose diff the person was shown with the question."""
        self._transcript = transcript
        self._place = 0
        self._answer_lines = 0
        self._fence = ""
        """What opened the code block that the answer is in."""
        self._announced = False
        self._notice = ""
        self._steps_done: set[int] = set()

    def skip_to(self, key: int) -> None:
        """Tell nothing of the blocks before this one."""
        self._place = max(self._place, key)

    def has_told(self, answer: str) -> bool:
        """Whether this text was the newest answer, and stands on the paper whole."""
        blocks = (self._transcript.block(key) for key in reversed(range(self._place)))
        newest = next((block for block in blocks if isinstance(block, AnswerBlock)), None)
        return newest is not None and newest.text.strip() == clean(answer).strip()

    def news(self) -> list[str]:
        """The lines that came since the last call."""
        lines: list[str] = []
        while self._place < len(self._transcript):
            block = self._transcript.block(self._place)
            lines += self._so_far(block) if block.is_open else self._rest(block)
            if block.is_open:
                break
            self._place += 1
            self._answer_lines, self._announced, self._notice = 0, False, ""
            self._fence = ""
        return lines

    def steps(self, steps: Sequence[PlanStepState]) -> list[str]:
        """Of the plan that is built, the steps that are done since the last call."""
        done = {step.number: step for step in steps if step.state == "done"}
        lines = [step_words(done[number]) for number in done.keys() - self._steps_done]
        self._steps_done = set(done)
        return sorted(lines)

    def _so_far(self, block: Block) -> Iterator[str]:
        """Of a block that still grows, the lines that are whole."""
        if isinstance(block, AnswerBlock) and not block.is_void:
            yield from self._answer(block.text.lstrip("\n").split("\n")[:-1])
        elif isinstance(block, NoticeBlock):
            yield from self._attempt(block)
        elif isinstance(block, CallBlock) and block.tool in _LONG_TOOLS and not self._announced:
            self._announced = block.state == "running"
            if self._announced:
                yield f"* running: {call_title(block)}"

    def _rest(self, block: Block) -> Iterator[str]:
        match block:
            case AnswerBlock(is_void=False):
                yield from self._answer(plain_lines(block))
            case ThoughtBlock(is_void=False):
                if block.text.strip():
                    yield f"~ thought for {duration(round((block.duration_s or 0) * 1000))}"
            case NoticeBlock():
                yield from self._attempt(block)
            case PromptBlock():
                yield from self._prompt(block)
            case CallBlock() if block.call_id in self.seen and block.state == "done":
                yield plain_lines(block)[0]
            case _:
                if isinstance(block, _PARAGRAPHS):
                    yield ""
                yield from plain_lines(block)

    def _answer(self, lines: list[str]) -> Iterator[str]:
        if lines and not self._answer_lines:
            yield ""
        yield from map(self._in_its_lines, lines[self._answer_lines :])
        self._answer_lines = max(self._answer_lines, len(lines))

    def _in_its_lines(self, line: str) -> str:
        """A line of an answer; one of a code block keeps its breaks."""
        text, fence = line.strip(), self._fence
        if fence:
            is_end = text.startswith(fence) and not text.strip(fence[0])
            self._fence = "" if is_end else fence
        elif match := _FENCE.match(text):
            self._fence = match[0]
        return Verbatim(line) if fence or self._fence else line

    def _attempt(self, notice: NoticeBlock) -> Iterator[str]:
        """A notice may count attempts, each in other words."""
        if notice.text != self._notice:
            yield from plain_lines(notice)
            self._notice = notice.text

    def _prompt(self, block: PromptBlock) -> Iterator[str]:
        if block.origin == "steering":
            yield "- the model has read what you sent:"
            yield from plain_lines(block)
