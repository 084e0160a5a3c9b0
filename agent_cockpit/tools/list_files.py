"""`list_files`: which files there are."""

from __future__ import annotations

from pydantic import BaseModel, Field

from agent_cockpit.rules.facts import CallFacts
from agent_cockpit.text import reveal_line
from agent_cockpit.tools.facts import ALL_PHASES, reading
from agent_cockpit.tools.protocol import RunDeps, ToolResult
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.finding.listing import list_files
from agent_cockpit.workspace.to_the_end import in_thread
from agent_cockpit.workspace.workspace import shown


class ListFilesInput(ToolInput):
    """A pattern."""

    glob: str = Field(default="**/*", description="For example `src/**/*.py` or a folder.")


class ListFiles:
    """Names only; ignored, secret and hidden files are left out."""

    name = "list_files"
    description = (
        "List files of the workspace that match a pattern; a folder stands for all below it. "
        "Files that git ignores and names with a leading dot show only if the pattern names them."
    )
    input_model: type[BaseModel] = ListFilesInput
    tier = 0
    phases = ALL_PHASES

    async def facts(self, args: ListFilesInput, deps: RunDeps) -> CallFacts:
        """It looks at names."""
        return reading(self.name, f"lists `{shown(args.glob)}`")

    async def run(self, args: ListFilesInput, deps: RunDeps) -> ToolResult:
        """The names, one a line, at most the first thousand."""
        listing = await in_thread(
            lambda abandoned: list_files(
                deps.workspace,
                args.glob,
                cancelled=lambda: abandoned() or deps.cancellation.cancelled,
            )
        )
        names = [reveal_line(path) for path in listing.paths]
        if listing.total > len(names):
            names.append(f"(+{listing.total - len(names)} more)")
        if not listing.complete:
            names.append("(stopped early; a narrower pattern shows more)")
        at_least = "" if listing.complete else "at least "
        return ToolResult(
            tool_name=self.name,
            success=True,
            content="\n".join(names) or f"no file matches `{shown(args.glob)}`",
            summary=f"{at_least}{listing.total} file(s) match {shown(args.glob)}",
        )
