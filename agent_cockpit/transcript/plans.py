"""Plans in the transcript: proposed, decided about, built step by step, and what leaked."""

from __future__ import annotations

from typing import Literal

from agent_cockpit.events import plans as p
from agent_cockpit.text import clean, clean_line
from agent_cockpit.transcript.block_list import BlockList
from agent_cockpit.transcript.blocks import AnswerBlock, NoticeBlock, OutcomeBlock, PlanBlock
from agent_cockpit.transcript.said import squash
from agent_cockpit.transcript.wording import leak_words, stray_words


class Plans:
    """Writes the blocks of plans. One plan waits or was decided last, one is built at a time."""

    def __init__(self, blocks: BlockList) -> None:
        self._blocks = blocks
        self._newest: int | None = None
        self._built: int | None = None
        self._strays: tuple[str, ...] = ()

    def copy(self, blocks: BlockList) -> Plans:
        """Another one for a copy of the blocks."""
        twin = Plans(blocks)
        twin._newest, twin._built, twin._strays = self._newest, self._built, self._strays
        return twin

    @property
    def waiting_key(self) -> int | None:
        """The block that outlives the end of its run: the person has to decide."""
        return self._newest

    def goal_started(self) -> Literal["goal", "revise", "build"]:
        """What the goal that begins now is to the newest plan; asked once a goal."""
        plan = self._block(self._newest)
        decision = plan.decision if plan is not None else ""
        self._built = self._newest if decision == "approved" else None
        self._newest, self._strays = None, ()
        match decision:
            case "approved":
                return "build"
            case "revised":
                return "revise"
            case _:
                return "goal"

    def forget(self) -> None:
        """Whoever had to decide is gone."""
        self._newest = self._built = None

    def proposed(self, event: p.PlanProposed) -> None:
        """A plan waits for the person."""
        text = clean(event.text).strip()
        self._newest = self._blocks.add(
            PlanBlock,
            text=text,
            version=event.version,
            is_shown_above=self._was_last_answer(text),
            is_open=True,
        )

    def decided(self, event: p.PlanDecided) -> None:
        """The person decided; a text that they changed is the plan from here on."""
        plan = self._block(self._newest)
        if plan is None:
            return
        text = clean(event.text).strip()
        is_edited = event.decision == "approved" and squash(text) not in ("", squash(plan.text))
        self._blocks.change(
            plan.key,
            decision=event.decision,
            text=text if is_edited else plan.text,
            note=clean_line(text) if event.decision == "revised" else "",
            is_edited=is_edited,
            is_shown_above=plan.is_shown_above and not is_edited,
            is_open=False,
        )
        if event.outcome is not None:
            reason = clean_line(event.reason)
            self._blocks.add(OutcomeBlock, outcome=event.outcome, text=reason)
            self._newest = None

    def progressed(self, event: p.PlanProgressed) -> None:
        """The build is a step further, or changed a file that the plan does not name."""
        steps = tuple(
            step.model_copy(update={"text": clean_line(step.text), "why": clean_line(step.why)})
            for step in event.steps
        )
        if (plan := self._block(self._built)) is not None:
            self._blocks.change(plan.key, steps=steps)
        new = [path for path in event.strays if path not in self._strays]
        self._strays = tuple(event.strays)
        if new:
            self._blocks.add(NoticeBlock, text=stray_words(new), level="warning")

    def leaked(self, event: p.PlanLeaked) -> None:
        """Planning changed something."""
        text = leak_words(event.commands, event.restored, event.failed, event.error)
        level = "error" if event.failed else "warning"
        self._blocks.add(NoticeBlock, text=text, level=level)

    def _block(self, key: int | None) -> PlanBlock | None:
        block = self._blocks[key] if key is not None else None
        return block if isinstance(block, PlanBlock) else None

    def _was_last_answer(self, text: str) -> bool:
        for key in reversed(range(max(0, len(self._blocks) - 8), len(self._blocks))):
            block = self._blocks[key]
            if isinstance(block, AnswerBlock):
                return squash(block.text) == squash(text)
        return False
