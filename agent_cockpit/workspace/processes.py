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

TERM_GRACE_S = 2.0
"""How long a group may take to end by itself before it is killed."""
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
) -> ChildResult:
    """Run `command` (a text: by a shell) in a session of its own, with no stdin.

    It ends when the child exits, after `timeout_s`, or when `cancellation` trips; then
    what is left of its group gets SIGTERM and, 2 s later, SIGKILL. So a process that it
    put in the background ends with it. Cancelling the awaiting task does the same before
    the cancellation goes on. `output_budget` is in bytes; `heard` gets pieces of output
    on the event loop; `env` adds to `child_environment()`. Raises `ToolRefused` for a
    command that no system can run.
    """
    words = argv(command)
    if cancellation.cancelled:
        return ChildResult(command=command, cancelled=True)
    stop = asyncio.Event()
    child = _Child(command, HeadAndTail(output_budget), LiveOutput(heard))
    task = asyncio.create_task(
        child.run(words, cwd, {**child_environment(), **(env or {})}, timeout_s, cancellation, stop)
    )
    try:
        return await asyncio.shield(task)
    except asyncio.CancelledError as cancelled:
        stop.set()
        raise cancelled from await _failure_of(task)


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

    def __init__(self, command: Command, kept: HeadAndTail, live: LiveOutput) -> None:
        self._command = command
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
                await _end_group(process)
            except BaseException:
                # The loop itself is being shut down: no time for a friendly SIGTERM.
                _signal_group(process.pid, signal.SIGKILL)
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


async def _end_group(process: asyncio.subprocess.Process) -> None:
    """SIGTERM, then SIGKILL, to all that is left of the group; the child is reaped after."""
    if _signal_group(process.pid, signal.SIGTERM):
        await _group_gone(process.pid, TERM_GRACE_S)
        _signal_group(process.pid, signal.SIGKILL)
    await process.wait()
    await _group_gone(process.pid, TERM_GRACE_S)


async def _group_gone(group: int, timeout_s: float) -> None:
    deadline_s = time.monotonic() + timeout_s
    pause_s = 0.005
    while _is_alive(group) and time.monotonic() < deadline_s:
        await asyncio.sleep(pause_s)
        pause_s = min(pause_s * 2, 0.1)


def _is_alive(group: int) -> bool:
    """Whether a process of the group still runs; dead ones that nobody reaped do not count."""
    if not _signal_group(group, 0):
        return False
    processes = Path("/proc")
    if not (processes / "self" / "stat").exists():
        return True
    return any(_runs_in(stat, group) for stat in processes.glob("[0-9]*/stat"))


def _runs_in(stat: Path, group: int) -> bool:
    try:
        state, _, group_of_it = stat.read_text(errors="replace").rpartition(")")[2].split()[:3]
    except (OSError, ValueError):
        return False  # it ended while we looked
    return group_of_it == str(group) and state not in "ZX"


def _signal_group(group: int, number: int) -> bool:
    """Send a signal; False when the group has no member (or, on macOS, only dead ones)."""
    try:
        os.killpg(group, number)
    except (ProcessLookupError, PermissionError):
        return False
    return True


async def _failure_of(task: asyncio.Task[ChildResult]) -> BaseException | None:
    """Wait for `task`, whatever else cancels the waiter, who raises afterwards."""
    while not task.done():
        try:
            await asyncio.wait({task})
        except asyncio.CancelledError:
            continue
    return None if task.cancelled() else task.exception()
