"""Events from and to JSON; the closed union refuses what it does not know."""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Any

from pydantic import TypeAdapter, ValidationError
from pydantic_core import PydanticSerializationError, from_json

from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import HARNESS_EVENT_TYPES, HarnessEvent
from agent_cockpit.events.sitting import SITTING_EVENT_TYPES, SittingEvent, UnknownEvent

SHEDDABLE = ("model_update", "sitting.tool_progress")
"""Types that a full subscriber may lose; their whole text is in the journal."""


@cache
def _harness() -> TypeAdapter[HarnessEvent]:
    return TypeAdapter(HarnessEvent)


@cache
def _sitting() -> TypeAdapter[SittingEvent]:
    return TypeAdapter(SittingEvent)


_SITTING_NAMES = frozenset(str(kind.model_fields["type"].default) for kind in SITTING_EVENT_TYPES)
_HARNESS_NAMES = frozenset(str(kind.model_fields["type"].default) for kind in HARNESS_EVENT_TYPES)


def event_type(event: Event) -> str:
    """The event's discriminator, such as `tool_start`."""
    return str(getattr(event, "type", ""))


def parse_event(data: dict[str, Any] | str | bytes) -> HarnessEvent:
    """One of the 19 harness events; anything else raises `pydantic.ValidationError`."""
    if isinstance(data, dict):
        return _harness().validate_python(data)
    return _harness().validate_json(data)


def parse_any(data: dict[str, Any] | str | bytes) -> Event:
    """An event of either union; an unknown type comes back whole as `UnknownEvent`.

    Raises `ValueError` when the data is no JSON object or a known type's fields are wrong.
    """
    values = data if isinstance(data, dict) else from_json(data)
    if not isinstance(values, dict) or not isinstance(values.get("type"), str):
        raise ValueError("an event is a JSON object with a `type`")
    name = values["type"]
    if name in _HARNESS_NAMES:
        return _harness().validate_python(values)
    if name in _SITTING_NAMES:
        return _sitting().validate_python(values)
    stamps = {
        key: values[key] for key in ("event_id", "session_id", "task_id", "ts") if key in values
    }
    try:
        return UnknownEvent(raw=values, **stamps)
    except ValidationError:
        return UnknownEvent(raw=values)


def dump_event(event: Event) -> str:
    """One line of compact JSON, without a newline at its end."""
    if isinstance(event, UnknownEvent):
        return json.dumps(event.raw, ensure_ascii=False, separators=(",", ":"))
    try:
        return event.model_dump_json()
    except (PydanticSerializationError, UnicodeEncodeError):
        values = _without_surrogates(event.model_dump(mode="python"))
        return type(event).model_validate(values).model_dump_json()


def _without_surrogates(value: Any) -> Any:
    """The same values with `\ufffd` for halves of characters, which no file may hold."""
    if isinstance(value, str):
        return _SURROGATES.sub("\ufffd", value)
    if isinstance(value, dict):
        return {_without_surrogates(key): _without_surrogates(v) for key, v in value.items()}
    if isinstance(value, list | tuple):
        return [_without_surrogates(item) for item in value]
    return value


_SURROGATES = re.compile("[\ud800-\udfff]")
