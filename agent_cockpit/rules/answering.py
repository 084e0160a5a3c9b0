"""Whether a prompt answers the question that the last goal ended with, and as what it goes on.

Law: a pin or a classifier is not overruled; words that ask something new, or that let the
matter go, answer nothing.
"""

from __future__ import annotations

import re

from agent_cockpit.rules.modes import TaskKind

_ASK_LINES = """
what why how who whose whom where when which is are was were does do did has have had
explain show tell describe list summarise summarize compare
"""
_ASKS = frozenset(_ASK_LINES.split())
_LETS_GO = re.compile(
    r"never ?mind|nevermind|forget (it|that|about)|leave (it|that|things?)\b|drop it|skip it|"
    r"let it be|don't bother|stop\b|abort\b|cancel\b|enough\b|no thanks|nothing\b",
    re.IGNORECASE,
)
_READ_CHARACTERS = 400
"""An answer that has not shown by then what it is, is one."""


def kind_of_answer(
    prompt: str, *, told: TaskKind, by_words: bool, asked: TaskKind
) -> TaskKind | None:
    """The kind in which the asking goal goes on with this prompt, None for a new goal.

    `told` is what the prompt alone makes, `by_words` says that only its words decided that;
    `asked` is the asking goal's kind. An investigation begins anew: its answer is measured by
    the tree as it is now.
    """
    if asked == "investigate":
        return None
    if told == asked:
        return asked
    if not by_words or told != "investigate" or _is_about_something_else(prompt):
        return None
    return asked


def _is_about_something_else(prompt: str) -> bool:
    text = prompt[:_READ_CHARACTERS].strip()
    words = text.lower().replace("’", "'").split(maxsplit=1)
    first = words[0].strip(",.!?:;\"'") if words else ""
    return prompt.rstrip().endswith("?") or first in _ASKS or _LETS_GO.match(text) is not None
