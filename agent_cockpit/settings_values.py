"""One setting's value: from the text of a variable or from TOML, or why it is not allowed."""

from __future__ import annotations

import difflib
import json
import math
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin

from pydantic import ValidationError

from agent_cockpit.settings import HarnessConfig
from agent_cockpit.text import clean_line, shorten

NO_VALUE = ("none", "null")
"""How a text says None, where a setting may be None (TOML has no word for it)."""


class NotAllowed(Exception):
    """The value is wrong; the text shows it (unless it is a key) and what is allowed."""


def known_names() -> frozenset[str]:
    """The names of all settings."""
    return frozenset(HarnessConfig.model_fields)


def close_names(name: str) -> list[str]:
    """The settings that `name` may have been meant for, likeliest first."""
    names = sorted(HarnessConfig.model_fields)
    return difflib.get_close_matches(name.replace("-", "_").lower(), names, n=2, cutoff=0.75)


def typed_value(name: str, value: Any) -> Any:
    """A TOML value or a flag as the setting's own type; raises `NotAllowed`."""
    if isinstance(value, str) and value.strip().lower() in NO_VALUE and _may_be_none(name):
        return None
    return _validated(name, tuple(value) if isinstance(value, list) else value, strict=True)


def value_of_text(name: str, text: str) -> Any:
    """The text of an environment variable as the setting's type; raises `NotAllowed`.

    Lists are written as JSON; numbers and texts as they are.
    """
    stripped = text.strip()
    if stripped.lower() in NO_VALUE and _may_be_none(name):
        return None
    if _is_list(name):
        try:
            value = json.loads(stripped)
        except (ValueError, RecursionError):
            value = stripped
        return _validated(name, tuple(value) if isinstance(value, list) else value, strict=True)
    return _validated(name, stripped, strict=False)


def allowed(name: str) -> str:
    """What a setting takes, in words: `one of "ask", "accept_edits"`, `a number above 0`."""
    field = HarnessConfig.model_fields[name]
    kinds = [kind for kind in _kinds(name) if kind is not NoneType]
    options = [
        option
        for kind in kinds
        if get_origin(kind) is Literal
        for option in get_args(kind)
        if option
    ]
    if options:
        words = f"one of {', '.join(json.dumps(option) for option in options)}"
    elif bool in kinds:
        words = "true or false"
    elif _is_list(name):
        words = 'a list of texts, such as [".env", "*.pem"]'
    elif int in kinds or float in kinds:
        words = "a whole number" if int in kinds else "a number"
        for bound in field.metadata:
            if (least := getattr(bound, "ge", None)) is not None:
                words += f", at least {least}"
            if (below := getattr(bound, "gt", None)) is not None:
                words += f" above {below}"
    else:
        is_place = any(hasattr(bound, "pattern") for bound in field.metadata)
        words = "a whole path in quotes, from / or ~ on" if is_place else "a text in quotes"
    return f'{words}, or "none"' if _may_be_none(name) else words


def _validated(name: str, value: Any, *, strict: bool) -> Any:
    try:
        checked = getattr(HarnessConfig.model_validate({name: value}, strict=strict), name)
    except ValidationError:
        raise _not_allowed(name, value) from None
    if isinstance(checked, float) and not math.isfinite(checked):
        raise _not_allowed(name, value)
    return checked


def _not_allowed(name: str, value: Any) -> NotAllowed:
    if name == "api_key":
        return NotAllowed(f"`api_key` must be {allowed(name)}")
    try:
        written = json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError):
        written = str(value)
    return NotAllowed(
        f"`{name} = {shorten(clean_line(written), 60)}` is not allowed; it takes {allowed(name)}"
    )


def _kinds(name: str) -> tuple[Any, ...]:
    annotation = HarnessConfig.model_fields[name].annotation
    if get_origin(annotation) in (Union, UnionType):
        return get_args(annotation)
    return (annotation,)


def _may_be_none(name: str) -> bool:
    return NoneType in _kinds(name)


def _is_list(name: str) -> bool:
    return any(get_origin(kind) is tuple for kind in _kinds(name))
