"""Events in, blocks out: the one place that decides what a sitting reads like.

Laws: the same events give the same blocks, live or replayed. A journal's joined text gives
the same blocks as the pieces it was joined from. A block never moves.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult
from agent_cockpit.text import clean, clean_line
from agent_cockpit.transcript.block_list import BlockList, Change
from agent_cockpit.transcript.blocks import (
    Block,
    Check,
    NoticeBlock,
    OutcomeBlock,
    PromptBlock,
    VerdictBlock,
)
from agent_cockpit.transcript.calls import Calls
from agent_cockpit.transcript.changes import moved_words
from agent_cockpit.transcript.figures import Figures
from agent_cockpit.transcript.plans import Plans
from agent_cockpit.transcript.said import Said
from agent_cockpit.transcript.wording import (
    compaction_words,
    count,
    end_words,
    verdict_words,
)


@dataclass(slots=True)
class _Goal:
    """What a verdict says about the goal as a whole."""

    files: set[str] = field(default_factory=set)
    turns: int = 0
    tokens: int = 0
    cost: float = 0.0
    has_asked: bool = False
    cancel_reason: str = ""

    @property
    def figures(self) -> Figures:
        return Figures(len(self.files), self.turns, self.tokens, self.cost)


_NEWER = "something that only a newer version can show: "
ASK_USER = "ask_user"
"""No call to look at: its question comes as a decision and has a block of its own."""


class Transcript:
    """Owns the blocks of one sitting. One caller applies events, anyone may read."""

    def __init__(self) -> None:
        self._blocks = BlockList()
        self._said = Said(self._blocks)
        self._calls = Calls(self._blocks)
        self._goal = _Goal()
        self._plans = Plans(self._blocks)
        self._before: datetime | None = None
        self._handlers = self._table()

    @classmethod
    def of(cls, events: Iterable[Event]) -> Transcript:
        """The transcript that these events make."""
        transcript = cls()
        for event in events:
            transcript.apply(event)
        return transcript

    def copy(self) -> Transcript:
        """Another one that goes on from here by itself."""
        twin = Transcript()
        twin._blocks = self._blocks.copy()
        twin._said = self._said.copy(twin._blocks)
        twin._calls = self._calls.copy(twin._blocks)
        twin._plans = self._plans.copy(twin._blocks)
        twin._goal = replace(self._goal, files=set(self._goal.files))
        twin._before = self._before
        twin._handlers = twin._table()
        return twin

    def __len__(self) -> int:
        return len(self._blocks)

    @property
    def blocks(self) -> tuple[Block, ...]:
        """All blocks, in order; `blocks[key].key == key`. Costs their number; see `block`."""
        return tuple(self._blocks)

    def block(self, key: int) -> Block:
        """One block as it is now; `IndexError` beyond the last."""
        return self._blocks[key]

    def open_keys(self) -> tuple[int, ...]:
        """Keys of the blocks that may still change by themselves."""
        return self._blocks.open_keys()

    def apply(self, event: Event) -> Change:
        """Take in the next event; one that says nothing new changes nothing."""
        self._before, self._blocks.now = self._blocks.now, event.ts
        handler = self._handlers.get(type(event))
        if handler is not None:
            handler(event)
        return self._blocks.take_change()

    def _table(self) -> dict[type[Event], Callable[[Any], object]]:
        return {
            h.AgentStart: self._goal_started,
            h.AgentEnd: self._goal_ended,
            h.TurnStart: self._turn_started,
            h.TurnEnd: lambda _: self._blocks.end_texts(),
            h.DeclarationRequired: self._declaration_required,
            h.ModelDecisionEvent: self._decided,
            h.ModelUpdate: lambda e: self._said.write(e.kind, e.delta, self._before),
            h.ToolStart: self._calls.start,
            h.ToolEnd: lambda e: self._goal.files.update(self._calls.end(e)),
            h.ApprovalRequested: self._calls.ask,
            h.ApprovalResolved: self._calls.decide,
            h.DecisionError: self._reply_unusable,
            h.ModelUsage: self._used,
            h.VerificationStart: lambda _: self._verdict(),
            h.VerificationEnd: self._verified,
            h.CancellationObserved: self._cancelled,
            h.TaskEscalated: lambda _: self._notice("from here on the goal may change files"),
            s.SittingResumed: self._resumed,
            s.SittingMessage: self._message,
            s.PromptDelivered: self._prompts_delivered,
            s.PromptsRecalled: self._prompts_recalled,
            s.ToolProgress: lambda e: self._calls.output(e.call_id, e.delta),
            s.CheckStarted: self._check_started,
            s.CheckFinished: lambda e: self._check(_check(e.result)),
            s.RetryWaiting: self._retry_waiting,
            s.CallProposed: lambda e: self._calls.propose(e.call_id, e.tool, e.input),
            s.PlanProposed: self._plans.proposed,
            s.PlanDecided: self._plans.decided,
            s.PlanProgressed: self._plans.progressed,
            s.PlanLeaked: self._plans.leaked,
            s.ChangesMoved: lambda e: self._notice(moved_words(e), "warning" if e.left else "info"),
            s.Notice: self._noticed,
            s.ContextCompacted: self._compacted,
            s.StreamedText: self._streamed,
            s.UnknownEvent: self._unknown,
            s.DamagedLines: self._damaged,
        }

    # goals and turns

    def _goal_started(self, event: h.AgentStart) -> None:
        self._end_everything()
        self._said.new_turn()
        self._goal = _Goal()
        self._blocks.add(
            PromptBlock,
            text=clean(event.goal).strip(),
            at=event.ts,
            origin=self._plans.goal_started(),
            task_kind=clean_line(event.task_kind),
            task_id=event.task_id,
        )

    def _turn_started(self, event: h.TurnStart) -> None:
        self._said.new_turn()
        self._goal.turns += 1

    def _goal_ended(self, event: h.AgentEnd) -> None:
        self._end_everything()
        figures = self._goal.figures
        self._goal.turns = self._goal.tokens = 0
        self._goal.cost = 0.0
        is_plain_success = event.outcome == "success" and not event.error
        if is_plain_success or (event.outcome == "blocked" and self._goal.has_asked):
            return
        self._blocks.add(
            OutcomeBlock,
            outcome=clean_line(event.outcome or "incomplete"),
            text=end_words(event.status, event.error, self._goal.cancel_reason),
            figures=figures,
        )

    def _end_everything(self, *, of_person: bool = False) -> None:
        self._blocks.end_texts()
        self._calls.interrupt(of_person=of_person)
        for key in self._blocks.open_keys():
            if key != self._plans.waiting_key and not self._calls.is_own(key):
                self._blocks.close(key)

    def _cancelled(self, event: h.CancellationObserved) -> None:
        self._goal.cancel_reason = event.reason

    def _used(self, event: h.ModelUsage) -> None:
        self._goal.tokens += event.prompt_tokens + event.completion_tokens
        self._goal.cost += event.cost

    # what the model says

    def _streamed(self, event: s.StreamedText) -> None:
        if event.kind == "output":
            self._calls.output(event.call_id, event.text)
        else:
            self._said.write(event.kind, event.text, self._before)

    def _message(self, event: s.SittingMessage) -> None:
        """Messages to the model are not shown: prompts come by `agent_start` and
        `prompt_delivered`, results by `tool_end`, the rest is between engine and model."""
        if event.message.role != "assistant":
            return
        self._said.message(event.message)
        for call in event.message.calls:
            if call.name != ASK_USER:
                self._calls.propose(call.call_id, call.name, call.input)

    def _decided(self, event: h.ModelDecisionEvent) -> None:
        self._said.thought(event.thought)
        if event.action_type == "ask_user":
            self._goal.has_asked = True
            self._said.question(event.action)
        elif event.action_type == "final_answer":
            self._said.answer(event.action)

    def _reply_unusable(self, event: h.DecisionError) -> None:
        self._said.void()
        what = f"the model's reply could not be used: {clean_line(event.error)}"
        if event.recovered:
            self._notice(f"{what} · asked again")
        else:
            self._notice(what, "warning")

    def _retry_waiting(self, event: s.RetryWaiting) -> None:
        """What the failed attempt wrote is void; one notice counts the attempts."""
        attempt = self._blocks.last_open(NoticeBlock)
        when = f"in {event.wait_s:.0f} s" if event.wait_s >= 1 else "at once"
        text = (
            f"{clean_line(event.error) or 'the model server failed'} · again {when}, "
            f"attempt {event.attempt + 1} of {event.attempts}"
        )
        if attempt is not None:
            self._blocks.change(attempt.key, text=text)
            return
        self._said.void()
        self._calls.interrupt_proposed()
        self._blocks.add(NoticeBlock, text=text, level="warning", is_open=True)

    # verification

    def _verdict(self) -> int:
        verdict = self._blocks.last_open(VerdictBlock)
        return verdict.key if verdict else self._blocks.add(VerdictBlock, is_open=True)

    def _check_started(self, event: s.CheckStarted) -> None:
        self._calls.conclude_allowed()
        self._check(Check(name=clean_line(event.name), command=clean_line(event.command)))

    def _check(self, check: Check) -> None:
        key = self._verdict()
        verdict = self._blocks[key]
        assert isinstance(verdict, VerdictBlock)
        checks = {known.name: known for known in verdict.checks} | {check.name: check}
        self._blocks.change(key, checks=tuple(checks.values()))

    def _verified(self, event: h.VerificationEnd) -> None:
        for result in event.checks:
            self._check(_check(result))
        self._blocks.change(
            self._verdict(),
            passed=event.passed,
            summary=verdict_words(event.summary),
            is_open=False,
            figures=self._goal.figures,
        )

    # prompts, plans, notices

    def _prompts_delivered(self, event: s.PromptDelivered) -> None:
        for text in event.texts:
            self._blocks.add(PromptBlock, text=clean(text).strip(), at=event.ts, origin="steering")

    def _prompts_recalled(self, event: s.PromptsRecalled) -> None:
        if event.to == "dropped":
            for text in event.texts:
                self._notice(f"not sent: {clean_line(text)}", "warning")

    def _declaration_required(self, event: h.DeclarationRequired) -> None:
        self._notice(
            "edits wait until the model says how they will be checked "
            f"({event.nudge} of {event.max_nudges})"
        )

    def _resumed(self, event: s.SittingResumed) -> None:
        self._plans.forget()
        self._end_everything(of_person=True)
        model = clean_line(event.model)
        self._notice(f"taken up again{f' · {model}' if model else ''}")

    def _unknown(self, event: s.UnknownEvent) -> None:
        name, newest = clean_line(str(event.raw.get("type", ""))), len(self._blocks) - 1
        told = self._blocks[newest] if newest >= 0 else None
        if not isinstance(told, NoticeBlock) or not told.text.startswith(_NEWER):
            self._notice(_NEWER + name)
        elif name not in told.text.removeprefix(_NEWER).split(", "):
            self._blocks.change(newest, text=f"{told.text}, {name}")

    def _damaged(self, event: s.DamagedLines) -> None:
        where = "at the end" if event.torn_tail else f"from line {event.first_line}"
        self._notice(f"the journal has {count(event.count, 'unreadable line')} {where}", "warning")

    def _compacted(self, e: s.ContextCompacted) -> None:
        if e.cause == "page":
            self._notice("a new page: the model knows nothing of what was said; the journal does")
            return
        self._notice(compaction_words(e.tokens_before, e.tokens_after, e.summarised, e.by))

    def _noticed(self, event: s.Notice) -> None:
        """A sentence that may come while something is said."""
        text = clean(event.text).strip()
        self._blocks.add_beside(NoticeBlock, text=text, level=event.level)

    def _notice(self, text: str, level: str = "info") -> None:
        self._blocks.add(NoticeBlock, text=clean(text).strip(), level=level)


def _check(result: CheckResult) -> Check:
    return Check(
        name=clean_line(result.name),
        command=clean_line(result.command),
        state=result.status,
        is_required=result.kind == "required",
        evidence=_evidence(result),
        exit_code=result.exit_code,
        duration_ms=result.duration_ms,
    )


def _evidence(result: CheckResult) -> str:
    """What a check shows, without the exit code that stands beside its command."""
    evidence = clean(result.evidence or result.skip_reason or "")
    first, _, rest = evidence.partition("\n")
    return rest if first == f"exit {result.exit_code}" else evidence
