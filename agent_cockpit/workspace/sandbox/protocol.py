"""What holds a command of the workspace: what it may write, reach and see while it runs.

Laws: whether a command may run is decided without looking here; a command is never held
more loosely than the person who allowed it was told; what cannot be held does not start.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal, Protocol

from agent_cockpit.text import reveal_line

Network = Literal["none", "local", "open"]
"""`local`: this machine's own addresses, for tests that start a server."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """What one run may do beyond reading.

    `writes`: the workspace may be written to. `also_writes` and `also_reads` are existing
    absolute places outside it, open with all that is in them; `anywhere`: all places may be
    written to. `changes_repository`: git's own settings may change. `secrets` are places below
    the home folder, otherwise hidden, that the programs of the call need to prove who they are.
    """

    writes: bool = True
    network: Network = "none"
    also_writes: tuple[Path, ...] = ()
    also_reads: tuple[Path, ...] = ()
    anywhere: bool = False
    changes_repository: bool = False
    secrets: tuple[str, ...] = ()


OF_A_CHECK = Limits(network="local")
"""The project's own tests and linters, whoever starts them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """How to start a command so that it is held: words before its own, variables added.

    `has_monitor`: the process started is not the command but one that watches over it and
    ends after it, so a friendly signal must not reach it.
    """

    before: tuple[str, ...] = ()
    env: Mapping[str, str] = field(default_factory=dict)
    has_monitor: bool = False


class Sandbox(Protocol):
    """One way of holding commands, made for one workspace; it works, as was tried. What was
    held by it needs it to stay: its private folder goes when it goes."""

    name: str
    """`bwrap`, `landlock`, `sandbox-exec` or `none`."""

    def hold(self, limits: Limits) -> Held:
        """How to start a command within `limits`; looks at the disk, and may be called in
        any thread. Raises `ToolRefused` where that is not possible now."""
        ...

    def describe(self, limits: Limits) -> str:
        """For the person who decides, in one line: what `limits` leaves to the command."""
        ...


class NoSandbox:
    """Commands run with the person's own rights; the words say so."""

    name = "none"

    def hold(self, limits: Limits) -> Held:
        """As it is."""
        return Held()

    def describe(self, limits: Limits) -> str:
        """What there is to say when nothing holds it."""
        words = "no sandbox: it can do whatever you can"
        return f"{words} · with network" if limits.network == "open" else words


def in_words(limits: Limits, *, also: tuple[Path, ...] = (), local: str) -> str:
    """`limits` as a working sandbox keeps them; `also` are further writable places, `local`
    says what a check gets for a network."""
    named = dict.fromkeys((*limits.also_writes, *also))
    outside = [path for path in named if not any(inner in named for inner in path.parents)]
    if limits.anywhere:
        writes = "writes anywhere"
    elif outside:
        inside = "in the workspace and " if limits.writes else ""
        shown = ", ".join(reveal_line(str(path)) for path in outside)
        writes = f"writes {inside}outside: {shown}"
    elif limits.writes:
        writes = "writes only in the workspace"
    else:
        writes = "writes nothing"
    network = {"none": "no network", "local": local, "open": "with network"}[limits.network]
    return f"sandboxed · {writes} · {network}"
