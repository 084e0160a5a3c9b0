"""`read_file`: a text file, or some of its lines."""

from __future__ import annotations

import asyncio
import re
from typing import Annotated

from pydantic import BaseModel, Field, model_validator

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.tools.facts import ALL_PHASES, never, reading, wall
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.encodings import decode
from agent_cockpit.workspace.files import read_file_bytes
from agent_cockpit.workspace.workspace import shown

MOST_LINES = 2000
MOST_CHARACTERS = 60_000
"""More would crowd everything else out of the model's window; it can read on."""

_WITH_LINES = re.compile(r"(.+):(\d{1,9})(?:-(\d{1,9}))?")


class ReadFileInput(ToolInput):
    """A path, and which lines of it."""

    path: str = Field(description="Relative to the workspace; `calc.py:10-20` names lines.")
    line_range: Annotated[list[int], Field(min_length=2, max_length=2)] | None = Field(
        default=None, description="[first, last], counted from 1, both included."
    )

    @model_validator(mode="after")
    def _is_a_range(self) -> ReadFileInput:
        if self.line_range and not 1 <= self.line_range[0] <= self.line_range[1]:
            raise ValueError("line_range is [first, last] with 1 <= first <= last")
        return self


class ReadFile:
    """Gives text with `\\n` line ends, so that what is copied from it is found again."""

    name = "read_file"
    description = (
        "Read a text file, or the lines of line_range. Long files come in pieces; the last line "
        "says how to read on."
    )
    input_model: type[BaseModel] = ReadFileInput
    tier = 0
    phases = ALL_PHASES

    async def facts(self, args: ReadFileInput, deps: RunDeps) -> CallFacts:
        """It reads one file."""
        path, _ = await asyncio.to_thread(_asked, args, deps)
        place = wall(path, deps, write=False)
        if isinstance(place, ToolRefused):
            return never(self.name, self.tier, place, mutates=False)
        return reading(self.name, f"reads `{shown(place.relative)}`", place.relative)

    async def run(self, args: ReadFileInput, deps: RunDeps) -> ToolResult:
        """Its text, whole or the lines asked for, and how to read on."""
        return await asyncio.to_thread(self._read, args, deps)

    def _read(self, args: ReadFileInput, deps: RunDeps) -> ToolResult:
        path, line_range = _asked(args, deps)
        located = deps.workspace.locate_to_read(path)
        file = read_file_bytes(located)
        if file is None:
            raise ToolRefused(f"there is no file `{shown(path)}`; list_files shows what there is")
        content = decode(file.data)
        if content is None:
            raise ToolRefused(f"`{shown(path)}` is binary ({len(file.data)} bytes), not text")
        text = content.text.replace("\r\n", "\n")
        excerpt, words = _excerpt(text, line_range, path)
        return ToolResult(
            tool_name=self.name,
            success=True,
            content=excerpt or "(the file is empty)",
            summary=f"read {shown(located.relative)}{words}",
            files_read=(located.relative,),
        )


def _asked(args: ReadFileInput, deps: RunDeps) -> tuple[str, tuple[int, int] | None]:
    """Path and lines; `name:10-20` is a path with lines unless a file has that very name."""
    if args.line_range:
        return args.path, (args.line_range[0], args.line_range[1])
    match = _WITH_LINES.fullmatch(args.path)
    if match is None:
        return args.path, None
    place = wall(args.path, deps, write=False)
    if not isinstance(place, ToolRefused) and place.path.exists():
        return args.path, None
    first = int(match[2])
    last = int(match[3] or first)
    return (match[1], (first, last)) if 1 <= first <= last else (args.path, None)


def _excerpt(text: str, line_range: tuple[int, int] | None, path: str) -> tuple[str, str]:
    """What is shown, and the words of the summary that say which lines these are."""
    lines = text.split("\n")
    total = len(lines) - (lines[-1] == "")
    first, last = line_range or (1, max(1, total))
    if first > max(1, total):
        raise ToolRefused(f"`{shown(path)}` has only {total} lines")
    last = min(last, max(1, total))
    shown_lines: list[str] = []
    room = MOST_CHARACTERS
    for line in lines[first - 1 : min(last, first - 1 + MOST_LINES)]:
        if len(line) + 1 > room and shown_lines:
            break
        shown_lines.append(line)
        room -= len(line) + 1
    end = first + len(shown_lines) - 1
    excerpt = "\n".join(shown_lines)
    if len(excerpt) > MOST_CHARACTERS:
        cut = len(excerpt) - MOST_CHARACTERS
        excerpt = f"{excerpt[:MOST_CHARACTERS]}\n[… {cut} more characters of line {first} …]"
    elif end == total and text.endswith("\n"):
        excerpt += "\n"
    whole = first == 1 and end >= total
    if end < last:
        excerpt += (
            f"\n[lines {first}-{end} of {total}; read on with line_range [{end + 1}, {last}]]"
        )
    return excerpt, "" if whole else f" lines {first}-{end} of {total}"
