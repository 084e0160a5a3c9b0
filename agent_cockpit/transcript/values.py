"""A sitting as plain values, for programs: what the screen shows, block by block."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict
from datetime import datetime
from typing import Any

from agent_cockpit.transcript.blocks import Block


def values(blocks: Iterable[Block]) -> list[dict[str, Any]]:
    """Each block with its `kind` (prompt, answer, thought, call, verdict, …) and its fields;
    times in ISO 8601."""
    return [_value(block) for block in blocks]


def _value(block: Block) -> dict[str, Any]:
    kind = type(block).__name__.removesuffix("Block").lower()
    fields = asdict(block)
    del fields["key"], fields["is_open"]
    return {"kind": kind, **{name: _plain(value) for name, value in fields.items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return value.isoformat()
    if isinstance(value, dict):
        return {str(name): _plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [_plain(inner) for inner in value]
    if value is None or isinstance(value, str | bool | int | float):
        return value
    return getattr(value, "model_dump", lambda: str(value))()
