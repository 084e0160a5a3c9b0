"""The one place that holds the sitting's turn machine value, and swaps it."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from agent_cockpit.events.base import Event
from agent_cockpit.events.sitting import ExecutionChanged
from agent_cockpit.rules.turn_execution import Outcome, TurnExecution

_ANOTHER_RUNS = "another goal is running; wait for its end or cancel it"


class ExecutionCell:
    """Holds the `TurnExecution` of a sitting (contracts 2). Only the event loop swaps it."""

    def __init__(
        self,
        publish: Callable[[Event], Event] | None = None,
        value: TurnExecution | None = None,
    ) -> None:
        self._value = value or TurnExecution.new()
        self.publish = publish
        """Where changes are announced; None keeps them silent."""
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def value(self) -> TurnExecution:
        """The present value; frozen, so it may be kept."""
        return self._value

    def take(self, outcome: Outcome) -> Outcome:
        """Make the outcome's state the present one and announce it; gives the outcome back.

        A rejection carries the state that it came from, so taking it changes nothing.
        """
        before, self._value = self._value, outcome.state
        if not self._value.is_active:
            waiting, self._waiting = self._waiting, []
            for future in waiting:
                if not future.done():
                    future.set_result(None)
        if self.publish is not None and (change := _shown(self._value)) != _shown(before):
            self.publish(ExecutionChanged.model_validate(change))
        return outcome

    def begin_turn(self) -> None:
        """Take the turn for one run; `RuntimeError` while another goal has it."""
        if self.take(self._value.begin_turn()).tag == "rejected":
            raise RuntimeError(_ANOTHER_RUNS)

    def must_rest(self) -> None:
        """`RuntimeError` while a goal has the turn."""
        if self._value.is_active:
            raise RuntimeError(_ANOTHER_RUNS)

    async def rest(self) -> None:
        """Return once no run is active; at once when none is."""
        if self._value.is_active:
            future: asyncio.Future[None] = asyncio.get_running_loop().create_future()
            self._waiting.append(future)
            await future


def _shown(execution: TurnExecution) -> dict[str, object]:
    steering, follow_up = execution.queues
    return {
        "phase": execution.phase,
        "mode": execution.mode,
        "steering": len(steering),
        "follow_up": len(follow_up),
        "error": execution.error,
        "boundaries": {
            path: (lines.start, lines.end) for path, lines in execution.boundaries.items()
        },
    }
