"""What a sitting may tell in a storm: coherent goals, and any event of any type, with whatever
its fields may hold."""

from __future__ import annotations

import random
import types
import typing
from collections.abc import Callable, Iterator, Sequence
from datetime import datetime
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import BaseModel

from agent_cockpit.events.ahead import CallsAhead
from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult
from agent_cockpit.events.consent import ConsentScope
from agent_cockpit.events.harness import (
    HARNESS_EVENT_TYPES,
    ApprovalRequested,
    ApprovalResolved,
    ModelUpdate,
    ToolEnd,
    ToolStart,
)
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import (
    SITTING_EVENT_TYPES,
    CallProposed,
    CheckFinished,
    CheckStarted,
    ContextCompacted,
    ToolProgress,
)
from tests.cockpit.storm_texts import DIFFS, TEXTS
from tests.support.scripted_source import asks

LINES = "x\n" * 40
"""Enough to be folded."""
TOOLS = ("run_command", "read_file", "str_replace", "write_file", "run_tests", "no_such_tool")
KINDS: tuple[type[Event], ...] = (*HARNESS_EVENT_TYPES, *SITTING_EVENT_TYPES)


class News:
    """Owns which calls asked and which run; `asked` are all ids that a person may answer."""

    def __init__(
        self, dice: random.Random, now: Callable[[], datetime], texts: Sequence[str] = TEXTS
    ) -> None:
        self.asked: list[str] = []
        self.marks: list[str] = []
        """Words that stand somewhere in the transcript, each once."""
        self._dice = dice
        self._now = now
        self._texts = texts
        self._story: Iterator[Event] = iter(())

    def next(self) -> Event:
        """The next event, whenever its clock says: the story's, an answer to a question, or any
        at all."""
        return self._next().model_copy(update={"ts": self._now()})

    def _next(self) -> Event:
        doing = self._dice.random()
        if doing < 0.15:
            return self.question()
        if doing < 0.22:
            return CallsAhead(questions=[self.question(), self.question()])
        if doing < 0.35:
            allowed = self._dice.random() < 0.5
            return ApprovalResolved(approval_id=self._call_id(), allowed=allowed)
        if doing < 0.75:
            if (event := next(self._story, None)) is None:
                self._story = self._goal()
                event = next(self._story)
            return event
        return self.any_of(self._dice.choice(KINDS))

    def question(self) -> ApprovalRequested:
        """A call that asks, an edit or a command."""
        dice, text = self._dice, self._text()
        self.asked.append(f"call-{len(self.asked)}")
        if dice.random() < 0.4:
            values = {"path": "x", "content": text}
            return asks(
                self.asked[-1],
                tool="write_file",
                input=values,
                preview=dice.choice(DIFFS),
                hunks=2,
                tier=1,
            )
        scopes = [
            ConsentScope(scope="once", covers="this call, once"),
            ConsentScope(scope="turn", covers="exactly this command, in this goal"),
            ConsentScope(scope="grant", covers=f"every `{text.strip()[:8]}` in this sitting"),
        ]
        command = {"command": f"echo {text}"}
        return asks(self.asked[-1], input=command, reason=text, scopes=scopes[: dice.randrange(4)])

    def any_of(self, kind: type[Event]) -> Event:
        """An event of this type whose every field is one of the values that it may have."""
        fields = {
            name: self._value(name, field.annotation)
            for name, field in kind.model_fields.items()
            if name not in Event.model_fields and name != "type"
        }
        if kind is ApprovalRequested:
            self.asked.append(f"call-{len(self.asked)}")
            fields["approval_id"] = self.asked[-1]
        return kind.model_validate(fields)

    def _goal(self) -> Iterator[Event]:
        dice = self._dice
        mark = f"mark{len(self.marks)}z"
        for part in ("I look ", f"{mark} ", *self._some_texts(), "\n\nend"):
            kind = dice.choice(["answer", "answer", "thought"]) if part[:4] != "mark" else "answer"
            yield ModelUpdate.model_validate({"delta": part, "kind": kind})
        self.marks.append(mark)
        for _ in range(dice.randrange(1, 4)):
            call: dict[str, Any] = {"call_id": f"run-{dice.randrange(9**9)}"}
            call["tool"] = dice.choice(TOOLS)
            given = {"command": self._text(), "path": self._text()}
            yield CallProposed(**call, input=given)
            yield ToolStart(**call, input=given)
            for text in self._some_texts():
                yield ToolProgress(call_id=call["call_id"], delta=text)
            diff = dice.choice(["", *DIFFS])
            self.marks.append(f"deep{len(self.marks)}z")
            content = f"{self._text()}\n{LINES}{self.marks[-1]}\n{LINES}{self._text()}"
            yield ToolEnd(**call, success=dice.random() < 0.7, content=content, diff=diff)
        yield CheckStarted(name="tests", command="make test")
        yield CheckFinished(result=CheckResult(name="tests", status="pass", evidence=self._text()))
        yield ContextCompacted(message=Message.of("user", self._text()), stands_for=1)

    def _some_texts(self) -> list[str]:
        return [self._text() for _ in range(self._dice.randrange(5))]

    def _text(self) -> str:
        return self._dice.choice(self._texts)

    def _call_id(self) -> str:
        return self._dice.choice(self.asked) if self.asked else "none"

    def _value(self, name: str, shape: Any) -> Any:
        dice, origin, among = self._dice, get_origin(shape), get_args(shape)
        if shape is str:
            return self._call_id() if name in ("call_id", "approval_id") else self._text()
        if shape is int or shape is float:
            return dice.choice([0, 1, 7, 10**6])
        if shape is bool:
            return dice.random() < 0.5
        if shape is type(None) or shape is Any:
            return None
        if origin is Literal:
            return dice.choice(among)
        if origin in (Union, types.UnionType):
            return self._value(name, dice.choice(among))
        if origin is typing.Annotated:
            return self._value(name, among[0])
        if origin in (list, tuple):
            inner = among[0]
            if origin is tuple and among[-1] is not Ellipsis:
                return [self._value(name, each) for each in among]
            return [self._value(name, inner) for _ in range(dice.randrange(3))]
        if origin is dict:
            return {self._text(): self._value(name, among[1]) for _ in range(dice.randrange(3))}
        if isinstance(shape, type) and issubclass(shape, Event):
            return self.question() if shape is ApprovalRequested else self.any_of(shape)
        if isinstance(shape, type) and issubclass(shape, BaseModel):
            return {
                field: self._value(field, info.annotation)
                for field, info in shape.model_fields.items()
            }
        raise TypeError(f"no value for {name}: {shape}")
