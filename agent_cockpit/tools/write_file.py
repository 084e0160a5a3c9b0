"""`write_file`: a new file, or all of an old one."""

from __future__ import annotations

from pydantic import BaseModel, Field

from agent_cockpit.tools.edit_call import EditCall
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.editing.edits import PlannedEdit, plan_write
from agent_cockpit.workspace.workspace import shown


class WriteFileInput(ToolInput):
    """Where and what."""

    path: str = Field(description="Relative to the workspace; missing folders are made.")
    content: str = Field(description="The whole content.")
    overwrite: bool = Field(default=False, description="Replace a file that exists.")


class WriteFile(EditCall):
    """A file that exists is replaced only on request."""

    name = "write_file"
    doing = "writes"
    did = "wrote"
    description = (
        "Create a file with the given content. For a file that exists, prefer str_replace; "
        "overwrite replaces all of it."
    )
    input_model: type[BaseModel] = WriteFileInput

    def plan(self, args: WriteFileInput, deps: RunDeps) -> PlannedEdit:
        """The file as it would be written now."""
        return plan_write(
            deps.workspace,
            args.path,
            args.content,
            overwrite=args.overwrite,
            boundaries=deps.boundaries,
        )

    def done(self, edit: PlannedEdit) -> str:
        """How large the file is now."""
        size_bytes = len(edit.after or b"")
        did = "created" if edit.before is None else "replaced"
        return f"{did} {shown(edit.relative)} ({size_bytes} bytes)"
