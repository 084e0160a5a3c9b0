"""The conversation of a sitting: whole messages, continuous across goals (turns B), and the
part of it that the model is shown."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from agent_cockpit.engine.model.instructions import STEERING_MARK, preamble
from agent_cockpit.engine.model.window import Window
from agent_cockpit.engine.record.past import Past
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message, TextBlock
from agent_cockpit.events.sitting import ContextCompacted, SittingMessage
from agent_cockpit.rules.model.pairing import Repairs, repair


class Conversation:
    """Owns the messages; what was appended is never rewritten, except to mend pairing.

    `publish` announces each message, which is how the journal gets it. A compaction changes
    only what is shown; `compacted` is the last one.
    """

    def __init__(
        self,
        preamble: str,
        publish: Callable[[Event], Event],
        messages: Iterable[Message] = (),
        *,
        compacted: ContextCompacted | None = None,
    ) -> None:
        self.preamble = Message.of("system", preamble)
        self.window = Window()
        self.asked_to_compact: str | None = None
        """What a person wants kept by a compaction before the next model call."""
        self._publish = publish
        self._messages: list[Message] = list(messages)
        self._summary = compacted.message if compacted is not None else None
        self._stands_for = 0
        if compacted is not None:
            self._stands_for = min(compacted.stands_for, len(self._messages))
        self._goal_at: int | None = None

    @classmethod
    def after(cls, past: Past, publish: Callable[[Event], Event]) -> Conversation:
        """The conversation of a sitting that begins, or that is taken up again."""
        return cls(past.preamble or preamble(), publish, past.messages, compacted=past.compacted)

    def history(self) -> tuple[Message, ...]:
        """The preamble and everything said since, in order."""
        return (self.preamble, *self._messages)

    def shown(self) -> tuple[Message, ...]:
        """The preamble, the summary of what is not shown any more, and the rest."""
        summary = () if self._summary is None else (self._summary,)
        return (self.preamble, *summary, *self._messages[self._stands_for :])

    @property
    def goal_at(self) -> int | None:
        """Where in `shown` the running goal's first message stands, if it does."""
        if self._goal_at is None or self._goal_at < self._stands_for:
            return None
        return self._goal_at - self._stands_for + (1 if self._summary is None else 2)

    @property
    def goal_opening(self) -> Message | None:
        """The running goal's first message, shown or not."""
        return None if self._goal_at is None else self._messages[self._goal_at]

    def steering(self, beside: Sequence[Message] = ()) -> tuple[str, ...]:
        """What joined the running goal on its way, but for what `beside` holds already."""
        said = () if self._goal_at is None else self._messages[self._goal_at + 1 :]
        return tuple(
            block.text
            for message in said
            if message not in beside
            for block in message.blocks
            if isinstance(block, TextBlock) and block.text.startswith(STEERING_MARK)
        )

    def append(self, message: Message, *, task_id: str | None = None) -> None:
        """Add one message and announce it."""
        self._messages.append(message)
        self._publish(SittingMessage(message=message, task_id=task_id))

    def begin_goal(self, opening: Message, *, task_id: str | None = None) -> None:
        """Add a goal's first message, which compactions keep until `end_goal`."""
        self._goal_at = len(self._messages)
        self.append(opening, task_id=task_id)

    def end_goal(self) -> None:
        """No goal runs any more."""
        self._goal_at = None

    def model_changed(self) -> None:
        """What was learned of the window held for another model."""
        self.window = Window()

    def repair(self) -> Repairs:
        """Mend pairing in what is shown, before a model call; the caller makes it visible."""
        shown = self._messages[self._stands_for :]
        mended, repairs = repair(shown)
        if repairs:
            self._messages[self._stands_for :] = mended
            if self._goal_at is not None and self._goal_at > self._stands_for:
                before, _ = repair(shown[: self._goal_at - self._stands_for])
                self._goal_at = self._stands_for + len(before)
        return repairs

    def compact(self, message: Message, count: int) -> int:
        """Show `message` in place of the `count` oldest messages that are shown after the
        preamble; how many messages of the conversation it stands for."""
        self._stands_for += count if self._summary is None else count - 1
        self._summary = message
        return self._stands_for
