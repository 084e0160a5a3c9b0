"""`search_repo`: which lines match a regular expression."""

from __future__ import annotations

from pydantic import BaseModel, Field

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.text import reveal_line, shorten
from agent_cockpit.tools.facts import ALL_PHASES, reading
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.finding.search import DEADLINE_S, SearchResult, find_ripgrep, search
from agent_cockpit.workspace.workspace import shown

MOST_CHARACTERS = 50_000


class SearchRepoInput(ToolInput):
    """What to look for."""

    query: str = Field(description="A regular expression, matched against each line.")


class SearchRepo:
    """Searches in text files that git does not ignore."""

    name = "search_repo"
    description = (
        "Search the workspace's text files for lines that match a regular expression. "
        "Gives `path:line:text`."
    )
    input_model: type[BaseModel] = SearchRepoInput
    tier = 0
    phases = ALL_PHASES

    async def facts(self, args: SearchRepoInput, deps: RunDeps) -> CallFacts:
        """It looks into every file that may be shown."""
        return reading(self.name, f"searches for `{shown(args.query)}`")

    async def run(self, args: SearchRepoInput, deps: RunDeps) -> ToolResult:
        """Matching lines with their places, at most 50,000 characters of them."""
        found = await search(
            deps.workspace,
            args.query,
            cancellation=deps.cancellation,
            ripgrep=find_ripgrep(),
        )
        lines, cut = _lines(found)
        notes = _notes(found, cut)
        query = shorten(shown(args.query), 80)
        count = f"{len(found.hits)}" if found.complete else f"at least {len(found.hits)}"
        return ToolResult(
            tool_name=self.name,
            success=not found.cancelled,
            content="\n".join([*(lines or ["no match"]), *notes]),
            files_seen=tuple(dict.fromkeys(hit.path for hit in found.hits)),
            summary=f"{count} match(es) for {query!r}" + (" (truncated)" if cut else ""),
            error="the search was stopped" if found.cancelled else None,
            cancelled=found.cancelled,
        )


def _lines(found: SearchResult) -> tuple[list[str], bool]:
    lines: list[str] = []
    room = MOST_CHARACTERS
    for hit in found.hits:
        line = f"{reveal_line(hit.path)}:{hit.line}:{hit.text}"
        room -= len(line) + 1
        if room < 0:
            return lines, True
        lines.append(line)
    return lines, False


def _notes(found: SearchResult, cut: bool) -> list[str]:
    notes: list[str] = []
    if cut:
        notes.append(f"[… the first {MOST_CHARACTERS} characters; narrow the query for the rest …]")
    if found.literal:
        notes.append("[the query is no valid regular expression; it was searched as plain text]")
    if found.timed_out:
        notes.append(f"[stopped after {DEADLINE_S:.0f} s; there may be more]")
    return notes
