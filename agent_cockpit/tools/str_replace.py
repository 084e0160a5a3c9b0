"""`str_replace`: one exact text of a file for another."""

from __future__ import annotations

from pydantic import BaseModel, Field

from agent_cockpit.tools.edit_call import EditCall
from agent_cockpit.tools.protocol import RunDeps
from agent_cockpit.tools.schema import ToolInput
from agent_cockpit.workspace.editing.edits import PlannedEdit, plan_replace
from agent_cockpit.workspace.workspace import shown


class StrReplaceInput(ToolInput):
    """Where, what, and what instead."""

    path: str = Field(description="Relative to the workspace.")
    old_string: str = Field(description="Exactly as in the file; it must occur once.")
    new_string: str = Field(description="May be empty, which deletes the text.")
    replace_all: bool = Field(default=False, description="Replace every occurrence.")


class StrReplace(EditCall):
    """All or nothing: what is not found exactly changes nothing."""

    name = "str_replace"
    doing = "changes"
    did = "changed"
    description = (
        "Replace a text in a file by another. old_string must be copied exactly, with enough "
        "lines around it to occur once."
    )
    input_model: type[BaseModel] = StrReplaceInput

    def plan(self, args: StrReplaceInput, deps: RunDeps) -> PlannedEdit:
        """The replacement in the file as it is now."""
        return plan_replace(
            deps.workspace,
            args.path,
            args.old_string,
            args.new_string,
            replace_all=args.replace_all,
            boundaries=deps.boundaries,
        )

    def done(self, edit: PlannedEdit) -> str:
        """How many places were replaced."""
        places = "1 place" if edit.places == 1 else f"{edit.places} places"
        return f"replaced {places} in {shown(edit.relative)}"
