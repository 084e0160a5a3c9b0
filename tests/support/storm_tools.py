"""Tools of a storm: each call says what it comes to, good or bad."""

from __future__ import annotations

import asyncio
import errno
import threading
import time
from dataclasses import replace
from typing import Any

from pydantic import BaseModel

from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.checks import PlannedCheck
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.facts import ALL_PHASES, every_call
from agent_cockpit.tools.protocol import DeclaredContract, RunDeps, ToolResult
from agent_cockpit.workspace.to_the_end import in_thread

CHECK = PlannedCheck(name="tests", command="true", kind="test", provenance="storm")

DOINGS = (
    *("ok",) * 8,
    "raise",
    "refuse",
    "facts raise",
    "facts refuse",
    "hang",
    "huge",
    "deaf",
    "thread",
    "slow",
    "chatty",
    "contract",
    "escalate",
    "shift",
    "forbidden",
    "stray",
)


async def a_few_moments(count: int) -> None:
    """Let others go on this many times."""
    for _ in range(count):
        await asyncio.sleep(0)


class Doing(BaseModel):
    """What a call of the storm is to come to."""

    do: str = "ok"


class StormTool:
    """A tool that does what its call says, the bad things too."""

    description = "Do."
    input_model: type[BaseModel] = Doing
    phases = ALL_PHASES

    def __init__(self, name: str, tier: int) -> None:
        self.name = name
        self.tier = tier
        self._thread_lock = threading.Lock()

    @property
    def is_free(self) -> bool:
        """Whether no thread holds its lock."""
        return not self._thread_lock.locked()

    async def facts(self, args: Any, deps: RunDeps) -> CallFacts:
        await a_few_moments(1)
        if args.do == "facts raise":
            raise ZeroDivisionError("facts")
        if args.do == "facts refuse":
            raise ToolRefused("there is no such thing")
        command = f"do {args.do}" if self.tier == 3 else None
        return CallFacts(
            tool=self.name,
            tier=self.tier,
            mutates=self.tier > 0,
            reads=("a.txt",) if self.tier == 0 else (),
            writes=("a.txt",) if self.tier == 1 else (),
            command=command,
            prefix="do" if command else self.name,
            grantable=self.tier < 4,
            scope_words=every_call(self.name) if self.tier < 4 else None,
            refusal="never" if args.do == "forbidden" else None,
        )

    async def run(self, args: Any, deps: RunDeps) -> ToolResult:
        done = ToolResult(tool_name=self.name, success=True, content="done", summary="done")
        match args.do:
            case "raise":
                raise OSError(errno.ENOSPC, "no space left")
            case "refuse":
                raise ToolRefused("not like this")
            case "hang":
                await deps.cancellation.wait()
                return replace(done, success=False, error="stopped", cancelled=True)
            case "huge":
                return replace(done, content="x" * 500_000)
            case "stray":
                raise asyncio.CancelledError("stray")
            case "deaf":
                await self._deaf()
            case "thread":
                await in_thread(self._in_thread)
            case "slow":
                await a_few_moments(8)
            case "chatty":
                for number in range(30):
                    deps.heard(f"line {number}\n")
                    await a_few_moments(1)
            case "contract":
                contract = DeclaredContract(checks=(CHECK,), change_kinds=("code",))
                return replace(done, contract=contract)
            case "escalate":
                return replace(done, escalate=True)
            case "shift":
                changed = ("a.txt",)
                return replace(done, files_changed=changed, line_shifts=((0, -3), (1, 9)))
        return replace(done, files_read=("a.txt",), files_changed=("a.txt",) * (self.tier == 1))

    def _in_thread(self, abandoned: Any) -> None:
        with self._thread_lock:
            time.sleep(0.002)

    async def _deaf(self) -> None:
        for _ in range(5):
            try:
                await a_few_moments(2)
            except asyncio.CancelledError:
                continue
