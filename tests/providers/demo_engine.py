"""A small engine for the demo voice: real files, real commands, and a person who decides."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from agent_cockpit.events.messages import (
    Block,
    Message,
    TextBlock,
    ToolResultBlock,
    ToolUseBlock,
)
from agent_cockpit.providers.demo.voice import DemoProvider
from agent_cockpit.providers.protocol import Call, ModelRequest, Stop, Text, ToolSchema

Judge = Callable[[str, dict[str, Any]], str | None]
"""Gets tool and input; None allows, a text is the reason of a no."""

TOOLS = [
    "list_files",
    "search_repo",
    "read_file",
    "str_replace",
    "write_file",
    "run_tests",
    "run_command",
    "ask_user",
]


class DemoEngine:
    """One conversation with the demo voice in one folder."""

    def __init__(self, root: Path, judge: Judge = lambda tool, given: None) -> None:
        self.root = root
        self.judge = judge
        self.messages: list[Message] = [Message.of("system", "You work in a terminal cockpit.")]
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.steering = ""
        self.tools = list(TOOLS)

    async def ask(self, prompt: str, *, mode: str = "edit", constraints: str = "") -> str:
        """Run a goal to its answer (or question)."""
        opening = f"Goal kind: {mode}. Do it.\n{constraints}".strip()
        blocks = (TextBlock(text=opening), TextBlock(text=prompt))
        self.messages.append(Message(role="user", blocks=blocks))
        return await self._run(mode)

    async def reject(self, why: str, *, mode: str = "edit") -> str:
        """The verdict on the last answer comes back as an objection."""
        self.messages.append(Message.of("user", why))
        return await self._run(mode)

    async def reply(self, mode: str) -> Message:
        """One model call, appended."""
        request = ModelRequest(
            messages=tuple(self.messages),
            tools=tuple(ToolSchema(name, "", {}) for name in self.tools),
            mode=mode,
        )
        text, stops = "", 0
        calls: list[Call] = []
        async for piece in DemoProvider(pace_s=0).stream(request):
            if isinstance(piece, Text):
                text += piece.text
            elif isinstance(piece, Call):
                calls.append(piece)
            elif isinstance(piece, Stop):
                stops += 1
        assert stops == 1
        blocks: list[Block] = [TextBlock(text=text)] if text else []
        for piece in calls:
            blocks.append(
                ToolUseBlock(
                    call_id=f"c-{piece.provider_id}",
                    name=piece.name,
                    input=json.loads(piece.arguments),
                    provider_id=piece.provider_id,
                )
            )
        self.messages.append(Message(role="assistant", blocks=tuple(blocks)))
        return self.messages[-1]

    async def _run(self, mode: str) -> str:
        for _ in range(20):
            message = await self.reply(mode)
            for call in message.calls:
                if call.name == "ask_user":
                    result = ToolResultBlock(call_id=call.call_id, content="asked")
                    self.messages.append(Message(role="user", blocks=(result,)))
                    return f"{message.text}\n\n{call.input['question']}"
            if not message.calls:
                return message.text
            results: list[Block] = [self._result(call) for call in message.calls]
            if self.steering:
                words = f"While you were working, the person wrote:\n{self.steering}"
                results.append(TextBlock(text=words))
                self.steering = ""
            self.messages.append(Message(role="user", blocks=tuple(results)))
        raise AssertionError("the demo does not come to an end")

    def _result(self, call: ToolUseBlock) -> ToolResultBlock:
        self.calls.append((call.name, call.input))
        reason = self.judge(call.name, call.input)
        if reason is not None:
            why = f": {reason}" if reason else "."
            content = f"Denied by the person{why} It was not run; do not ask for the same again."
            return ToolResultBlock(call_id=call.call_id, content=content, is_error=True)
        try:
            return ToolResultBlock(call_id=call.call_id, content=self._do(call.name, call.input))
        except (OSError, ValueError) as error:
            return ToolResultBlock(call_id=call.call_id, content=str(error), is_error=True)

    def _do(self, tool: str, given: dict[str, Any]) -> str:
        match tool:
            case "list_files":
                return "\n".join(self._files())
            case "search_repo":
                return self._search(str(given["query"]))
            case "read_file":
                return Path(self.root, given["path"]).read_text()
            case "str_replace":
                path = Path(self.root, given["path"])
                text = path.read_text()
                if text.count(given["old_string"]) != 1:
                    raise ValueError(f"old_string occurs {text.count(given['old_string'])} times")
                path.write_text(text.replace(given["old_string"], given["new_string"]))
                return "replaced"
            case "write_file":
                path = Path(self.root, given["path"])
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(given["content"])
                return "written"
            case "run_tests":
                return self._command([sys.executable, "-B", "-m", "unittest"])
            case _:
                return self._command(str(given["command"]).split())

    def _files(self) -> list[str]:
        found = (p for p in self.root.rglob("*") if p.is_file() and ".git" not in p.parts)
        return sorted(p.relative_to(self.root).as_posix() for p in found)

    def _search(self, query: str) -> str:
        hits = []
        for name in self._files():
            for number, line in enumerate((self.root / name).read_text().splitlines(), start=1):
                if re.search(query, line):
                    hits.append(f"{name}:{number}:{line}")
        return "\n".join(hits)

    def _command(self, command: list[str]) -> str:
        run = subprocess.run(command, cwd=self.root, capture_output=True, text=True, check=False)
        return f"exit {run.returncode}\n{run.stdout}{run.stderr}"
