"""The conversation of a sitting: whole messages, continuous across goals (turns B)."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import SittingMessage
from agent_cockpit.rules.pairing import Repairs, repair


class Conversation:
    """Owns the messages; what was appended is never rewritten, except to mend pairing.

    `publish` announces each message, which is how the journal gets it.
    """

    def __init__(
        self, preamble: str, publish: Callable[[Event], Event], messages: Iterable[Message] = ()
    ) -> None:
        self.preamble = Message.of("system", preamble)
        self._publish = publish
        self._messages: list[Message] = list(messages)

    def history(self) -> tuple[Message, ...]:
        """The preamble and everything said since, in order."""
        return (self.preamble, *self._messages)

    def append(self, message: Message, *, task_id: str | None = None) -> None:
        """Add one message and announce it."""
        self._messages.append(message)
        self._publish(SittingMessage(message=message, task_id=task_id))

    def repair(self) -> Repairs:
        """Mend pairing before a model call; the caller makes a repair visible."""
        mended, repairs = repair(self._messages)
        if repairs:
            self._messages = list(mended)
        return repairs
