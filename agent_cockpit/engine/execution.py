"""The one place that holds the sitting's turn machine value, and swaps it."""

from __future__ import annotations

from collections.abc import Callable

from agent_cockpit.events.base import Event
from agent_cockpit.events.sitting import ExecutionChanged
from agent_cockpit.rules.turn_execution import Outcome, TurnExecution
from agent_cockpit.rules.turn_phases import ExecutionMode


class ExecutionCell:
    """Holds the `TurnExecution` of a sitting (contracts 2). Only the event loop swaps it."""

    def __init__(
        self, publish: Callable[[Event], Event] | None = None, *, mode: ExecutionMode = "exec"
    ) -> None:
        self._value = TurnExecution.new(mode)
        self.publish = publish
        """Where changes are announced; None keeps them silent."""

    @property
    def value(self) -> TurnExecution:
        """The present value; frozen, so it may be kept."""
        return self._value

    def take(self, outcome: Outcome) -> Outcome:
        """Make the outcome's state the present one and announce it; gives the outcome back.

        A rejection carries the state that it came from, so taking it changes nothing.
        """
        before, self._value = self._value, outcome.state
        if self.publish is not None and (change := _shown(self._value)) != _shown(before):
            self.publish(ExecutionChanged.model_validate(change))
        return outcome


def _shown(execution: TurnExecution) -> dict[str, object]:
    steering, follow_up = execution.queues
    return {
        "phase": execution.phase,
        "mode": execution.mode,
        "steering": len(steering),
        "follow_up": len(follow_up),
        "error": execution.error,
    }
