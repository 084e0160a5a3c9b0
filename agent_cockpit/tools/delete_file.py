"""`delete_file`: one regular file, gone."""

from __future__ import annotations

from pydantic import BaseModel, Field

from agent_cockpit.tools.edit_call import EditCall
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.editing.edits import PlannedEdit, plan_delete
from agent_cockpit.workspace.workspace import shown


class DeleteFileInput(ToolInput):
    """Which one."""

    path: str = Field(description="Relative to the workspace.")


class DeleteFile(EditCall):
    """No folders, no links."""

    name = "delete_file"
    doing = "deletes"
    did = "deleted"
    description = "Delete one regular file of the workspace."
    input_model: type[BaseModel] = DeleteFileInput

    def plan(self, args: DeleteFileInput, deps: RunDeps) -> PlannedEdit:
        """The deletion of the file as it is now."""
        return plan_delete(deps.workspace, args.path, boundaries=deps.boundaries)

    def done(self, edit: PlannedEdit) -> str:
        """Which file is gone."""
        return f"deleted {shown(edit.relative)}"
