"""Command lines that are plain enough to be understood without the parser.

The parser takes a quarter of the time to the first picture. Law: what is understood here is
understood the same there; everything else, each mistake too, is left to it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

from agent_cockpit.choices import (
    SUB_COMMANDS,
    CockpitMode,
    OpenCockpit,
    OpenDemo,
    OutputName,
    ProviderName,
    RunGoal,
    RunMode,
    SandboxName,
    SittingChoice,
)

Options = Mapping[str, tuple[str, tuple[str, ...] | None]]
"""By its word, the field of an option, and the values that it may have: none for a flag, empty
for any."""

_SITTING: Options = {
    "--provider": ("provider", get_args(ProviderName)),
    "--base-url": ("base_url", ()),
    "--model": ("model", ()),
    "--sandbox": ("sandbox", get_args(SandboxName)),
    "--log": ("log", ()),
    "--allow-dirty": ("allow_dirty", None),
    "--auto": ("auto", None),
    "--resume": ("resume", ()),
    "-r": ("resume", ()),
    "--continue": ("go_on", None),
    "-c": ("go_on", None),
}
_DEMO: Options = {"--log": ("log", ()), "--plain": ("plain", None)}
_COCKPIT: Options = {
    **_SITTING,
    "--mode": ("mode", get_args(CockpitMode)),
    "--plain": ("plain", None),
}
_RUN: Options = {
    **_SITTING,
    "--workspace": ("workspace", ()),
    "--mode": ("mode", get_args(RunMode)),
    "--output": ("output", get_args(OutputName)),
}


def understood(words: Sequence[str]) -> OpenCockpit | OpenDemo | RunGoal | None:
    """What the words ask for; None where the parser must look at them."""
    name = words[0] if words and words[0] in SUB_COMMANDS else ""
    match name:
        case "":
            read = _read(words, _COCKPIT)
        case "demo":
            read = _read(words[1:], _DEMO)
        case "run":
            read = _read(words[1:], _RUN)
        case _:
            return None
    if read is None:
        return None
    given, others = read
    if name == "demo":
        return None if others else OpenDemo(**given)
    if sum(("go_on" in given, "resume" in given, "log" in given)) > 1 or len(others) > 1:
        return None
    if name == "" and others:
        given["workspace"] = others[0]
    sitting = SittingChoice(
        **{field: given.pop(field) for field in SittingChoice._fields if field in given}
    )
    if name == "":
        return OpenCockpit(sitting, **given)
    return RunGoal(others[0], sitting, **given) if others and others[0].strip() else None


def _read(words: Sequence[str], options: Options) -> tuple[dict[str, Any], list[str]] | None:
    """The fields that are given, and what is no option; None where it is not plain."""
    given: dict[str, Any] = {}
    others: list[str] = []
    left = iter(words)
    for word in left:
        if word not in options:
            if not word or word.startswith("-"):
                return None
            others.append(word)
            continue
        field, allowed = options[word]
        value: Any = True if allowed is None else next(left, "")
        if field in given or value == "" or (allowed and value not in allowed):
            return None
        if value is not True and value.startswith("-"):
            return None
        given[field] = Path(value) if field == "log" else value
    return given, others
