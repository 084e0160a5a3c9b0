"""Child processes that can always be stopped and whose output is never lost.

Law: when `run_child` is over, however it ends, the child and everything in its process
group are dead and its pipe is closed.
"""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_cockpit.errors import ToolRefused
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.child_output import HeadAndTail, LiveOutput
from agent_cockpit.workspace.environment import child_environment
from agent_cockpit.workspace.process_groups import end_group, group_gone, signal_group
from agent_cockpit.workspace.sandbox.protocol import Held
from agent_cockpit.workspace.to_the_end import to_the_end

PIPE_GRACE_S = 0.5
"""How long output of a left-over grandchild is waited for once the child has exited."""
CHUNK_BYTES = 65_536
LAST_BYTES = 1_048_576
"""The most that is read from the pipe after the group is dead; a process that left the
group could write for ever."""

Command = str | Sequence[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class ChildResult:
    """How a child ended. `output` is stdout and stderr as they came, head and tail.

    `exit_code` is None when it was stopped, 127 and 126 when it could not be started (not
    found; not allowed), negative when a signal ended it.
    """

    command: Command
    output: str = ""
    exit_code: int | None = None
    timed_out: bool = False
    cancelled: bool = False
    dropped_bytes: int = 0
    duration_ms: int = 0


async def run_child(
    command: Command,
    *,
    cwd: Path,
    timeout_s: float,
    cancellation: CancellationToken,
    output_budget: int,
    heard: Callable[[str], None],
    env: Mapping[str, str] | None = None,
    held: Held | None = None,
) -> ChildResult:
    """Run `command` (a text: by a shell) in a session of its own, with no stdin.

    It ends when the child exits, after `timeout_s`, or when `cancellation` trips; then
    what is left of its group gets SIGTERM and, 2 s later, SIGKILL. So a process that it
    put in the background ends with it. Cancelling the awaiting task does the same before
    the cancellation goes on. `output_budget` is in bytes; `heard` gets pieces of output
    on the event loop; `env` adds to `child_environment()`; `held` is how a sandbox wants it
    started. Raises `ToolRefused` for a
    command that no system can run.
    """
    words = argv(command)
    if cancellation.cancelled:
        return ChildResult(command=command, cancelled=True)
    stop = asyncio.Event()
    held = held or Held()
    environment = {**child_environment(), **held.env, **(env or {})}
    child = _Child(command, HeadAndTail(output_budget), LiveOutput(heard), held)
    running = child.run([*held.before, *words], cwd, environment, timeout_s, cancellation, stop)
    return await to_the_end(running, give_up=stop.set)


def argv(command: Command) -> list[str]:
    """The words to execute: bash, else sh, runs a text; words run as they are."""
    if sys.platform == "win32":
        raise ToolRefused("commands cannot be run on Windows yet")
    words = [command] if isinstance(command, str) else list(command)
    if not words or not words[0].strip():
        raise ToolRefused("the command is empty")
    if any("\0" in word for word in words):
        raise ToolRefused("the command holds a NUL character; nothing can run it")
    try:
        for word in words:
            os.fsencode(word)
    except UnicodeEncodeError:
        raise ToolRefused("the command holds characters that cannot be passed on") from None
    if not isinstance(command, str):
        return words
    bash = shutil.which("bash")
    return [bash, "--norc", "--noprofile", "-c", command] if bash else ["sh", "-c", command]


class _Child:
    """One run; owns the process, its group and the reading end of its pipe."""

    def __init__(self, command: Command, kept: HeadAndTail, live: LiveOutput, held: Held) -> None:
        self._command = command
        self._held = held
        self._kept = kept
        self._live = live
        self._closed = asyncio.Event()
        self._read_fd = -1

    async def run(
        self,
        words: list[str],
        cwd: Path,
        env: dict[str, str],
        timeout_s: float,
        cancellation: CancellationToken,
        stop: asyncio.Event,
    ) -> ChildResult:
        started_s = time.monotonic()
        loop = asyncio.get_running_loop()
        self._read_fd, write_fd = os.pipe()
        os.set_blocking(self._read_fd, False)
        try:
            try:
                process = await asyncio.create_subprocess_exec(
                    *words,
                    cwd=cwd,
                    env=env,
                    stdin=asyncio.subprocess.DEVNULL,
                    stdout=write_fd,
                    stderr=write_fd,
                    start_new_session=True,
                )
            except OSError as error:
                return self._not_started(words[0], cwd, error)
            finally:
                os.close(write_fd)
            loop.add_reader(self._read_fd, self._read)
            try:
                reason = await _first_of(
                    {
                        "exit": self._exited(process),
                        "cancelled": cancellation.wait(),
                        "stopped": stop.wait(),
                    },
                    timeout_s=timeout_s,
                )
                await end_group(process.pid, but_leader=self._held.has_monitor)
                await process.wait()
                await group_gone(process.pid)
            except BaseException:
                # The loop itself is being shut down: no time for a friendly SIGTERM.
                signal_group(process.pid, signal.SIGKILL)
                await process.wait()
                raise
            self._read_rest()
        finally:
            loop.remove_reader(self._read_fd)
            os.close(self._read_fd)
            self._live.finish()
        return ChildResult(
            command=self._command,
            output=self._kept.text(),
            exit_code=process.returncode if reason == "exit" else None,
            timed_out=reason == "timeout",
            cancelled=reason in ("cancelled", "stopped"),
            dropped_bytes=self._kept.dropped_bytes,
            duration_ms=int((time.monotonic() - started_s) * 1000),
        )

    async def _exited(self, process: asyncio.subprocess.Process) -> None:
        await process.wait()
        await _first_of({"closed": self._closed.wait()}, timeout_s=PIPE_GRACE_S)

    def _read(self) -> bool:
        """Take one chunk from the pipe; False when there is nothing (more) to read."""
        try:
            data = os.read(self._read_fd, CHUNK_BYTES)
        except BlockingIOError:
            return False
        if not data:
            self._closed.set()
            asyncio.get_running_loop().remove_reader(self._read_fd)
            return False
        self._kept.feed(data)
        self._live.feed(data)
        return True

    def _read_rest(self) -> None:
        for _ in range(LAST_BYTES // CHUNK_BYTES):
            if not self._read():
                return

    def _not_started(self, program: str, cwd: Path, error: OSError) -> ChildResult:
        if not cwd.is_dir():
            return ChildResult(
                command=self._command, output=f"no such folder: {cwd}", exit_code=126
            )
        missing = isinstance(error, FileNotFoundError)
        reason = "command not found" if missing else error.strerror or str(error)
        return ChildResult(
            command=self._command,
            output=f"{program}: {reason}",
            exit_code=127 if missing else 126,
        )


async def _first_of(waits: Mapping[str, Coroutine[Any, Any, object]], *, timeout_s: float) -> str:
    """The name of the wait that ended first, in their order; `timeout` when none did."""
    tasks = {name: asyncio.create_task(wait) for name, wait in waits.items()}
    try:
        await asyncio.wait(tasks.values(), timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
        for name, task in tasks.items():
            if task.done():
                task.result()
                return name
        return "timeout"
    finally:
        for task in tasks.values():
            task.cancel()
        await asyncio.gather(*tasks.values(), return_exceptions=True)
