"""Makes room in the window: asks the model for a summary, does without when it cannot.

Laws: the conversation and its record stay whole; nothing changes unless it gets smaller; a
cancel leaves everything as it was.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Literal

from agent_cockpit.engine.model.conversation import Conversation
from agent_cockpit.engine.model.instructions import summary_preamble
from agent_cockpit.engine.model.model_call import complete
from agent_cockpit.engine.state import TaskState
from agent_cockpit.engine.stopping import OutOfTime, RunCancelled, unless_stopped
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ModelUsage
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import ContextCompacted, Notice
from agent_cockpit.providers.protocol import ModelRequest, Provider
from agent_cockpit.rules.model.compaction import (
    Cut,
    cut,
    digest,
    is_worth_it,
    opening_texts,
    script,
    summary_message,
)
from agent_cockpit.rules.model.context import size_of
from agent_cockpit.rules.prices import cost_of
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.text import head_and_tail, shorten
from agent_cockpit.workspace.cancellation import CancellationToken

SUMMARY_SECONDS = 90.0
"""How long a model may take for a summary; then the rules write one."""

_MOST_SUMMARY_CHARACTERS = 12_000
_SUMMARY_PART = 6
"""A summary is at most a sixth of what it stands for."""
_OPENING_PART = 4
"""A running goal's opening is kept whole up to a quarter of the window."""
_SCRIPT_PART = 0.6
"""Of the window, for what the model is given to summarise."""
_FAILURE_CHARACTERS = 2_000

Cause = Literal["threshold", "asked", "overflow"]


@dataclass(frozen=True, kw_only=True)
class Compaction:
    """One attempt: of what, for which reason, with whom to ask for a summary.

    Without a `provider` the rules write it. `state` is the running goal, or the last one.
    """

    conversation: Conversation
    config: HarnessConfig
    window: int
    publish: Callable[[Event], Event]
    state: TaskState | None = None
    provider: Provider | None = None
    cause: Cause = "threshold"
    keep: str = ""
    cancellation: CancellationToken = field(default_factory=CancellationToken)
    time_left_s: float | None = None

    async def run(self) -> str | None:
        """Compact; None when it is done and announced, else why it was not.

        Raises `RunCancelled` when it was cancelled on the way.
        """
        prepared = self._prepared()
        if isinstance(prepared, str):
            return prepared
        parts, plain = prepared
        written = await self._written(parts) if self.provider is not None else None
        if self.conversation.shown()[1 : len(parts.old) + 1] != parts.old:
            return "it was compacted meanwhile"
        self._apply(parts, written or plain, by="model" if written else "rules")
        return None

    def run_plainly(self) -> str | None:
        """As `run`, with no model and no waiting."""
        prepared = self._prepared()
        if isinstance(prepared, str):
            return prepared
        self._apply(*prepared, by="rules")
        return None

    def _prepared(self) -> tuple[Cut, Message] | str:
        """Where to cut and a message by the rules, or why that is of no use."""
        room = self.conversation.window.gauge.characters(self.window)
        parts = cut(self.conversation.shown()[1:], room)
        if parts is None:
            return self._useless("there is nothing that could be left out")
        plain = self._message(parts, digest(parts.old, self._summary_limit(parts)))
        if not self._helps(plain, parts):
            return self._useless("it would hardly get smaller")
        return parts, plain

    def _apply(self, parts: Cut, message: Message, *, by: Literal["model", "rules"]) -> None:
        window = self.conversation.window
        before = window.used(self.conversation.shown())
        stands_for = self.conversation.compact(message, len(parts.old))
        window.tried_at = size_of(self.conversation.shown())
        self.publish(
            ContextCompacted(
                task_id=self._task_id,
                message=message,
                stands_for=stands_for,
                kept=len(self.conversation.history()) - 1 - stands_for,
                summarised=len(parts.old),
                cause=self.cause,
                by=by,
                keep=self.keep,
                tokens_before=before,
                tokens_after=window.used(self.conversation.shown()),
                window=self.window,
            )
        )

    def _useless(self, why: str) -> str:
        self.conversation.window.tried_at = size_of(self.conversation.shown())
        return why

    def _helps(self, message: Message, parts: Cut) -> bool:
        before = size_of((*parts.old, *parts.kept))
        return is_worth_it(before, size_of((message, *parts.kept)))

    def _message(self, parts: Cut, summary: str) -> Message:
        goal_at = self.conversation.goal_at
        opening = self.conversation.goal_opening
        goal: Sequence[str] = ()
        if opening is not None and (goal_at is None or goal_at - 1 < len(parts.old)):
            limit = self.conversation.window.gauge.characters(self.window) // _OPENING_PART
            said = (*opening_texts(opening), *self.conversation.steering(parts.kept))
            goal = [head_and_tail(text, limit) for text in said]
        pins = pins_of(self.state, is_running=opening is not None)
        if self.keep:
            pins.append(f"The person asked to keep in mind: {self.keep}")
        return summary_message(summary, parts, pins=pins, goal=goal)

    async def _written(self, parts: Cut) -> Message | None:
        """The model's own summary as the message, None when it gives none that helps."""
        assert self.provider is not None
        self.publish(Notice(task_id=self._task_id, text=f"Summarising older messages{self._why}."))
        left_s = SUMMARY_SECONDS if self.time_left_s is None else self.time_left_s
        limit_s = min(SUMMARY_SECONDS, left_s)
        try:
            completion = await unless_stopped(
                complete(
                    self.provider,
                    self._request(parts),
                    config=self.config.model_copy(update={"transport_max_retries": 0}),
                    publish=lambda event: event,
                    task_id=self._task_id or "",
                ),
                self.cancellation,
                time_left_s=limit_s,
            )
        except RunCancelled:
            raise
        except OutOfTime:
            self._tell_of_none(f"it took longer than {limit_s:.0f} s")
            return None
        except Exception as error:  # whatever it was, the work goes on without a summary
            self._tell_of_none(str(error) or type(error).__name__)
            return None
        if completion.usage is not None:
            self._spent(
                completion.usage.prompt_tokens,
                completion.usage.completion_tokens,
                completion.usage.cached_tokens,
            )
        summary = completion.message.text.strip()
        if not summary:
            return None
        message = self._message(parts, head_and_tail(summary, self._summary_limit(parts)))
        return message if self._helps(message, parts) else None

    def _tell_of_none(self, why: str) -> None:
        text = f"The model gave no summary ({shorten(why, 200)}); one is made without it."
        self.publish(Notice(task_id=self._task_id, level="warning", text=text))

    def _request(self, parts: Cut) -> ModelRequest:
        room = self.conversation.window.gauge.characters(int(self.window * _SCRIPT_PART))
        told = ["The record:", script(parts.old, room), "End of the record. Summarise it."]
        if self.keep:
            told.append(f"The person wants this kept above all: {self.keep}")
        told.append(f"At most {self._summary_limit(parts)} characters.")
        return ModelRequest(
            messages=(
                Message.of("system", summary_preamble()),
                Message.of("user", "\n\n".join(told)),
            ),
            mode="summary",
            effort="low" if self.config.effort else None,
        )

    def _summary_limit(self, parts: Cut) -> int:
        return min(_MOST_SUMMARY_CHARACTERS, size_of(parts.old) // _SUMMARY_PART)

    def _spent(self, prompt: int, completion: int, cached: int) -> None:
        cost = cost_of(prompt, completion, cached, self.config)
        if self.state is not None and self.conversation.goal_opening is not None:
            self.state.prompt_tokens += prompt
            self.state.completion_tokens += completion
            self.state.cached_tokens += cached
            self.state.cost += cost
        self.publish(
            ModelUsage(
                task_id=self._task_id,
                prompt_tokens=prompt,
                completion_tokens=completion,
                cached_tokens=cached,
                cost=cost,
            )
        )

    @property
    def _why(self) -> str:
        if self.cause != "threshold":
            return ""
        used = self.conversation.window.used(self.conversation.shown())
        return f": the model's window is {round(100 * used / self.window)} % full"

    @property
    def _task_id(self) -> str | None:
        return self.state.task_id if self.state is not None else None


def pins_of(state: TaskState | None, *, is_running: bool) -> list[str]:
    """What of a goal must outlive a compaction: what was asked, a plan, what was changed, the
    open question, the last failure. A running goal's own words are kept beside these."""
    if state is None:
        return []
    pins = []
    if not is_running:
        pins.append(f"The last goal was: {shorten(state.goal, _FAILURE_CHARACTERS)}")
        pins.extend(state.constraints)
    if state.files_modified:
        pins.append(f"It changed: {', '.join(sorted(state.files_modified)[:50])}")
    if state.open_questions:
        pins.append(f"Open question to the person: {state.open_questions[-1]}")
    failure = state.latest_error or ""
    last = state.verifier_results[-1] if state.verifier_results else None
    if last is not None and not last.passed:
        failure = "\n".join(part for part in (last.summary, last.detail) if part)
    if failure:
        pins.append(f"The last failure: {head_and_tail(failure, _FAILURE_CHARACTERS)}")
    return pins
