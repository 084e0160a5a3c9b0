"""The facts of a call: what it would read, write, run and reach. Values only.

A tool states them (`Tool.facts`), `rules.consent.permission` judges them, the approval panel shows
them, and the record keeps them.
"""

from __future__ import annotations

from dataclasses import dataclass

UNGRANTABLE_TOOLS = frozenset({"alter_verification", "switch_to_editing"})
"""A person ratifies each of these, every time (session document)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CommandPart:
    """One simple command of a shell line.

    `reads` and `writes` are paths as written, resolved against the workspace where that is
    possible without touching a disk; `network` says whether it reaches out by nature.
    `mutates` False means that it only reads; `prefix` is the program with its sub-command,
    which rules and grants name the part by ("" : it has no such name). `words` are the
    program and its arguments, quotes taken out; `opaque`: it may start what they do not say.
    """

    text: str
    program: str
    tier: int
    reason: str
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    network: bool = False
    mutates: bool = True
    prefix: str = ""
    words: tuple[str, ...] = ()
    opaque: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CallFacts:
    """All that permission may ask about one call.

    `tier` is 0-4 (design section 1); `mutates` False means that it may run in plan mode and
    beside other reads; `prefix` is what a grant would be keyed on ("" : nothing to grant);
    `scope_words` says what `[a]` would cover, None where it does not apply; `refusal` is a
    hard no with its reason, which no approval lifts; `hunks` is how many hunks of the preview
    may be taken alone, 0 where it is all or nothing; `confinement` says what the sandbox would
    leave to it, or that there is none. Nothing is decided by that. `later` are commands that
    the engine will run on the call's account, without another question.
    """

    tool: str
    tier: int
    reason: str = ""
    mutates: bool = True
    reads: tuple[str, ...] = ()
    writes: tuple[str, ...] = ()
    command: str | None = None
    parts: tuple[CommandPart, ...] = ()
    network: bool = False
    grantable: bool = True
    prefix: str = ""
    scope_words: str | None = None
    refusal: str | None = None
    preview: str = ""
    fingerprint: str = ""
    hunks: int = 0
    confinement: str = ""
    later: tuple[CallFacts, ...] = ()
