"""What a running goal's next model call is sent, and what its answer told about the window."""

from __future__ import annotations

from typing import Literal

from agent_cockpit.engine.goals.bench import Workbench
from agent_cockpit.engine.goals.goal import Goal
from agent_cockpit.engine.goals.question import ASK_USER
from agent_cockpit.engine.model.compaction import Cause, Compaction
from agent_cockpit.engine.model.model_call import Completion
from agent_cockpit.errors import ProviderError
from agent_cockpit.events.harness import ModelUsage
from agent_cockpit.events.sitting import ContextEstimated, Notice, RetryWaiting
from agent_cockpit.providers.protocol import ModelRequest, ToolSchema
from agent_cockpit.rules.model.context import Fitted, fit, size_of
from agent_cockpit.rules.prices import cost_of

_NOTHING_TO_LEAVE_OUT = (
    "nothing more of it can be left out: ask for less at once, or set context_window to what "
    "the model takes"
)


class Context:
    """Builds the requests of one goal; made for it, used by its runner alone."""

    def __init__(self, goal: Goal, bench: Workbench) -> None:
        self._goal = goal
        self._bench = bench
        self._conversation = goal.conversation
        self._told_of_cuts = self._told_of_missing = False
        self._shortened_at: int | None = None

    async def request(self, time_left_s: float | None) -> ModelRequest | None:
        """The next model call, within the window; None when nothing more can be left out.

        A conversation that fills its window, or that a person asked to compact, is compacted
        first; raises `RunCancelled` when the goal is stopped meanwhile.
        """
        self._mend()
        tools = self._tools()
        self._conversation.window.framed_by(tools)
        asked, self._conversation.asked_to_compact = self._conversation.asked_to_compact, None
        if asked is not None:
            why_not = await self._compact("asked", time_left_s, keep=asked)
            if why_not is not None:
                self._tell(f"The context was not compacted: {why_not}.")
        elif self._is_full():
            await self._compact("threshold", time_left_s)
        return self._request(tools)

    async def smaller(
        self, refused: ModelRequest, error: ProviderError, time_left_s: float | None
    ) -> ModelRequest:
        """A shorter request after a server found one too long, once for each model call.

        When there is none, or it was too long as well, the error is raised with advice.
        """
        request = None
        if self._shortened_at != self._goal.state.iterations:
            self._shortened_at = self._goal.state.iterations
            self._conversation.window.overflown(refused.messages)
            await self._compact("overflow", time_left_s)
            request = self._request(refused.tools)
        if request is None or size_of(request.messages) >= size_of(refused.messages):
            raise ProviderError(f"{error}; {_NOTHING_TO_LEAVE_OUT}", kind="overflow") from error
        retry = RetryWaiting(
            task_id=self._goal.state.task_id, attempt=1, attempts=2, error=str(error)
        )
        self._goal.publish(retry)
        return request

    def used(self, request: ModelRequest, completion: Completion) -> None:
        """Record what the server counted, where it did."""
        usage, state = completion.usage, self._goal.state
        if usage is None:
            return
        self._conversation.window.counted(request.messages, usage.prompt_tokens)
        state.prompt_tokens += usage.prompt_tokens
        state.completion_tokens += usage.completion_tokens
        state.cached_tokens += usage.cached_tokens
        cost = cost_of(
            usage.prompt_tokens, usage.completion_tokens, usage.cached_tokens, self._goal.config
        )
        state.cost += cost
        self._goal.publish(
            ModelUsage(
                task_id=state.task_id,
                turn=state.iterations,
                prompt_tokens=usage.prompt_tokens,
                completion_tokens=usage.completion_tokens,
                cached_tokens=usage.cached_tokens,
                cost=cost,
            )
        )
        self._tell_use(usage.prompt_tokens + usage.completion_tokens, real=True)

    def _mend(self) -> None:
        if repairs := self._conversation.repair():
            self._tell(
                f"The conversation was mended: {repairs.synthesized} missing results made up, "
                f"{repairs.dropped} stray ones dropped.",
                warning=True,
            )

    def _tools(self) -> tuple[ToolSchema, ...]:
        schema = self._bench.toolbox.input_schema
        offered = self._goal.admitted_tools()
        own = tuple(ToolSchema(tool.name, tool.description, schema(tool)) for tool in offered)
        return (*own, ASK_USER)

    def _is_full(self) -> bool:
        """Whether it is time to compact; after one only when a tenth of the conversation is
        new."""
        window, percent = self._conversation.window, self._goal.config.compact_at_percent
        shown = self._conversation.shown()
        if not percent or size_of(shown) * 10 < window.tried_at * 11:
            return False
        return window.used(shown) * 100 >= percent * self._size

    async def _compact(
        self, cause: Cause, time_left_s: float | None, *, keep: str = ""
    ) -> str | None:
        return await Compaction(
            conversation=self._conversation,
            config=self._goal.config,
            window=self._size,
            publish=self._goal.publish,
            state=self._goal.state,
            provider=self._bench.provider,
            cause=cause,
            keep=keep,
            cancellation=self._goal.cancellation,
            time_left_s=time_left_s,
        ).run()

    def _request(self, tools: tuple[ToolSchema, ...]) -> ModelRequest | None:
        state, window = self._goal.state, self._conversation.window
        budget = window.room(self._size)
        shown = self._conversation.shown()
        fitted = fit(shown, budget, gauge=window.gauge, goal_at=self._conversation.goal_at)
        if fitted.tokens > budget:
            return None
        self._tell_what_is_left_out(fitted)
        if not state.prompt_tokens:
            self._tell_use(window.used(fitted.messages))
        mode = "plan" if state.is_plan else "build" if state.is_build else state.task_kind
        return ModelRequest(
            messages=fitted.messages, tools=tools, mode=mode, effort=self._goal.config.effort
        )

    def _tell_what_is_left_out(self, fitted: Fitted) -> None:
        """Say once a goal that texts are cut, and once that messages are missing."""
        if fitted.dropped_messages and not self._told_of_missing:
            self._told_of_missing = self._told_of_cuts = True
            what = f"{fitted.dropped_messages} old messages are not shown to it"
        elif fitted.shortened and not self._told_of_cuts:
            self._told_of_cuts = True
            what = f"it sees only the beginning and the end of {fitted.shortened} long texts"
        else:
            return
        self._tell(f"The model's window is full: {what}.")

    @property
    def _size(self) -> int:
        return self._conversation.window.size(self._goal.config, self._bench.provider)

    def _tell_use(self, tokens: int, *, real: bool = False) -> None:
        self._goal.publish(
            ContextEstimated(
                task_id=self._goal.state.task_id, tokens=tokens, window=self._size, real=real
            )
        )

    def _tell(self, text: str, *, warning: bool = False) -> None:
        task_id = self._goal.state.task_id
        level: Literal["info", "warning"] = "warning" if warning else "info"
        self._goal.publish(Notice(task_id=task_id, level=level, text=text))
