"""Facts of a call that somebody else than the model proposed, straight to a `Session`.

Law: such a call is judged by no less than its tool's own tier, and by what its tool finds
wherever that is worse.
"""

from __future__ import annotations

from typing import Any

from pydantic import ValidationError

from agent_cockpit.errors import PersonCanAct, ToolRefused
from agent_cockpit.rules.consent.grants import CEILING
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.text import shorten
from agent_cockpit.tools.protocol import RunDeps, Tool


async def facts_of(
    tool: Tool | None, name: str, tool_input: dict[str, Any], deps: RunDeps
) -> CallFacts:
    """The facts to ask about; an unknown tool counts as the worst."""
    if tool is None:
        return CallFacts(tool=name, tier=CEILING)
    command = tool_input.get("command")
    prefix = name if "command" not in tool_input else _first_word(command)
    words = f"every `{prefix} …` in this sitting" if prefix else None
    plain = CallFacts(tool=name, tier=tool.tier, prefix=prefix, scope_words=words)
    try:
        found = await tool.facts(tool.input_model.model_validate(tool_input), deps)
    except ValidationError:
        return plain
    except ToolRefused as refused:
        return CallFacts(tool=name, tier=CEILING, refusal=str(refused))
    except Exception as error:  # what cannot be judged is asked about as the worst
        return CallFacts(tool=name, tier=CEILING, reason=f"cannot be judged: {error}")
    is_worse = found.refusal is not None or found.tier > tool.tier or not found.grantable
    return found if is_worse else plain


async def facts_to_show(
    tool: Tool | None, name: str, tool_input: dict[str, Any], deps: RunDeps
) -> CallFacts:
    """The facts of a call as a person changed it, before they allow it.

    Raises `PersonCanAct` with what is wrong.
    """
    if tool is None:
        raise PersonCanAct(f"there is no tool named {shorten(name, 80)}")
    try:
        return await tool.facts(tool.input_model.model_validate(tool_input), deps)
    except ValidationError as error:
        raise PersonCanAct(what_is_wrong(name, error)) from error
    except Exception as error:  # whatever it was, the person reads it and changes the call
        raise PersonCanAct(str(error) or type(error).__name__) from error


def what_is_wrong(tool: str, error: ValidationError) -> str:
    """What to change; of very much that is wrong, the beginning."""
    faults = [
        shorten(f"{'.'.join(map(str, fault['loc'])) or 'input'}: {fault['msg']}", 200)
        for fault in error.errors(include_url=False)[:10]
    ]
    more = f"; {error.error_count() - 10} more" if error.error_count() > 10 else ""
    return f"The input of {tool} is wrong, so nothing ran. {'; '.join(faults)}{more}."


def _first_word(command: object) -> str:
    words = command.split() if isinstance(command, str) else []
    return words[0] if words else ""
