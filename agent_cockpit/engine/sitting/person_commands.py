"""Commands that a person types for themselves: run at once, shown, recorded, and kept from the
model unless the person hands their output over.

Laws: nobody is asked, for the person who would be asked has typed it; when the sitting closes,
none of them runs on; each begins in the folder in which the one before ended.
"""

from __future__ import annotations

import asyncio
import os
import shlex
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from uuid import uuid4

from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.events.sitting import ToolProgress
from agent_cockpit.text import clean, clean_line, reveal_line, shorten
from agent_cockpit.transcript.wording import PERSON_COMMAND
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.processes import ChildResult, argv, run_child
from agent_cockpit.workspace.sandbox.places import HOME_SECRETS
from agent_cockpit.workspace.sandbox.protocol import Limits
from agent_cockpit.workspace.workspace import Workspace

OUTPUT_BYTES = 64_000
PATIENCE_S = 86_400.0
"""A person stops what takes them too long; this only ends what they forgot."""
_AS_THE_PERSON = Limits(
    network="open", anywhere=True, changes_repository=True, secrets=tuple(HOME_SECRETS)
)
"""What they may do in their own terminal; only our own record stays out of reach."""


@dataclass(frozen=True, slots=True)
class CommandOutput:
    """How a person's command ended: its output, head and tail, and its end in words. `went_to`
    is the folder that the next one begins in, where that is another than before."""

    command: str
    text: str
    end: str
    went_to: str = ""

    @property
    def untold(self) -> str:
        """What the person is told at its end."""
        went = f"the next ! begins in {self.went_to} · " if self.went_to else ""
        return f"{went}the model was not told of it"


class PersonCommands:
    """Owns the commands that run now, several at a time; `publish` tells of them."""

    def __init__(self, workspace: Workspace, publish: Callable[[Event], object]) -> None:
        self._workspace = workspace
        self._root = self._folder = workspace.root.resolve()
        self._publish = publish
        self._running: dict[CancellationToken, asyncio.Event] = {}

    @property
    def is_running(self) -> bool:
        """Whether one runs that `stop` would stop."""
        return bool(self._running)

    def stop(self) -> None:
        """Stop all that run."""
        for token in self._running:
            token.cancel("stopped by you")

    async def close(self) -> None:
        """Stop all, and return when they are gone."""
        self.stop()
        for gone in tuple(self._running.values()):
            await gone.wait()

    async def run(self, command: str) -> CommandOutput:
        """Run one to its end; `ToolRefused` for a line that nothing can run."""
        call_id = uuid4().hex
        token, gone = CancellationToken(), asyncio.Event()
        self._running[token] = gone
        start = ToolStart(
            call_id=call_id,
            tool=PERSON_COMMAND,
            input={"command": command},
            allowed_by="you typed it",
        )
        self._publish(start)

        def heard(piece: str) -> None:
            self._publish(ToolProgress(call_id=call_id, delta=piece))

        try:
            argv(command)
            with tempfile.TemporaryDirectory(prefix="agent-cockpit-") as place:
                left_in = Path(place) / "folder"
                ended = await run_child(
                    self._from_there(command, left_in),
                    cwd=self._workspace.root,
                    timeout_s=PATIENCE_S,
                    cancellation=token,
                    output_budget=OUTPUT_BYTES,
                    heard=heard,
                    held=await asyncio.to_thread(self._workspace.sandbox.hold, _AS_THE_PERSON),
                )
                went_to = self._go_on_in(left_in)
        except BaseException as error:
            self._publish(_end(call_id, command, str(error), "did not run", None))
            raise
        finally:
            del self._running[token]
            gone.set()
        text = clean(ended.output).strip("\n")
        output = CommandOutput(command, text, _end_words(ended), went_to)
        self._publish(_end(call_id, command, output.text, output.end, ended))
        return output

    def _from_there(self, command: str, left_in: Path) -> str:
        """The command, which tells at its end in a file in which folder it is."""
        if not self._folder.is_dir():
            self._folder = self._root
        tells = shlex.quote(f"pwd -P >{shlex.quote(str(left_in))} 2>/dev/null")
        return f"cd {shlex.quote(str(self._folder))}; trap {tells} EXIT; {command}"

    def _go_on_in(self, left_in: Path) -> str:
        """Keep the folder that a command ended in; its name, where that is another one. Of what
        was killed or could not be read nothing is told, and nothing changes."""
        told = left_in.read_bytes() if left_in.exists() else b""
        folder = Path(os.fsdecode(told.removesuffix(b"\n"))) if told else self._folder
        if folder == self._folder:
            return ""
        self._folder = folder
        if folder == self._root:
            return "the workspace"
        inside = folder.is_relative_to(self._root)
        return clean_line(f"{folder.relative_to(self._root)}/" if inside else str(folder))


def _end_words(ended: ChildResult) -> str:
    if ended.exit_code is None:
        return "stopped by you" if ended.cancelled else "timed out"
    return f"exit {ended.exit_code}" if ended.exit_code >= 0 else f"signal {-ended.exit_code}"


def _end(call_id: str, command: str, text: str, end: str, ended: ChildResult | None) -> ToolEnd:
    return ToolEnd(
        call_id=call_id,
        tool=PERSON_COMMAND,
        success=ended is not None and ended.exit_code is not None,
        summary=f"`{shorten(reveal_line(command), 120)}` {end}",
        content=f"{text or '(no output)'}\n[{end}]",
        exit_code=ended.exit_code if ended else None,
        duration_ms=ended.duration_ms if ended else None,
        stopped=ended is not None and ended.exit_code is None,
    )
