"""What kind the next goals are, and how calls are asked about: pins, plan mode, consent."""

from __future__ import annotations

from agent_cockpit.engine.sitting.sitting import Sitting
from agent_cockpit.events.sitting import ModePinned, Notice
from agent_cockpit.rules.modes import Mode, parse_mode


class ModeDesk(Sitting):
    """Changes the sitting's modes as a person says; a pin outlives the process, in the
    journal, consent does not."""

    def set_mode(self, mode: Mode | None) -> None:
        """Pin the mode of later goals, None to let each prompt decide.

        Any other pin than plan also leaves the plan gate: the person said so. Another word
        than the four modes is a `ValueError`.
        """
        mode = None if mode is None else parse_mode(mode)
        self._former_pin = None
        self._pin(mode)
        if mode != "plan":
            self._execution.take(self.execution.enter_exec())

    def enter_plan(self) -> None:
        """Plan mode now: the gate closes for what runs, and the next goal is a plan."""
        if self.mode != "plan":
            self._former_pin = (self.mode,)
            self._pin("plan")
        if self._session is not None:
            self._session.deny_pending("plan mode was entered")
        self._execution.take(self.execution.enter_plan())

    def leave_plan(self) -> None:
        """Leave plan mode; a pin that plan mode displaced comes back."""
        if self.mode == "plan":
            self._pin(self._former_pin[0] if self._former_pin else None)
        self._former_pin = None
        self._execution.take(self.execution.enter_exec())

    def cycle_consent(self) -> str:
        """The next of ask, accept edits, plan; its name."""
        if self.mode == "plan" or self.execution.mode == "plan":
            self.leave_plan()
            self.consent = "ask"
            name = "ask"
        elif self.consent == "ask":
            self.consent = "accept_edits"
            name = "accept edits"
        else:
            self.enter_plan()
            name = "plan"
        self._publish(Notice(text=f"mode: {name}"))
        return name

    def _pin(self, mode: Mode | None) -> None:
        """Make `mode` the kind of later goals, None: each prompt decides.

        Before the sitting's first event it is only kept: the start announces it.
        """
        changes = self.state.mode != mode
        self.state.mode = mode
        if changes and self._announced_start:
            self._publish(ModePinned(mode=mode))
