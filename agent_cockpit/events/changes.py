"""What a goal changed in the tree, and what a person took back of it or had made again."""

from __future__ import annotations

from typing import Literal

from pydantic import BaseModel, ConfigDict, Field

from agent_cockpit.events.base import Event


class PathChange(BaseModel):
    """One file and what became of it, named from the workspace; the counts are None for a binary
    file and for one whose content is not kept."""

    model_config = ConfigDict(frozen=True)

    path: str
    status: Literal["A", "M", "D"] = "M"
    added: int | None = 0
    removed: int | None = 0


class LeftPath(BaseModel):
    """One file that was left as it is, and why."""

    model_config = ConfigDict(frozen=True)

    path: str
    why: str = ""


class TreeKept(Event):
    """The tree as the goal found it is kept, in the snapshot `before`."""

    type: Literal["sitting.tree_kept"] = "sitting.tree_kept"
    before: str = ""


class ChangesKept(Event):
    """The goal is over, and its changes are between two snapshots, from which they can be taken
    back. `left` are files that differ too, and not by the goal's doing alone; `unseen` says what
    else it did, or may have done, that no snapshot holds. Where nothing can be taken back,
    `problem` says why."""

    type: Literal["sitting.changes_kept"] = "sitting.changes_kept"
    goal: str = ""
    before: str = ""
    after: str = ""
    files: list[PathChange] = Field(default_factory=list)
    left: list[LeftPath] = Field(default_factory=list)
    unseen: list[str] = Field(default_factory=list)
    problem: str = ""


class ChangesMoved(Event):
    """A person took the changes of the goal `task_id` back (`to` "before"), or had them made
    again (`to` "after").

    `files` says what that did to each file, `left` which stayed as they are, `unseen` what else
    stays; what the files held until then is in the snapshot `kept`. `since_start` is how the
    files differ now from where the sitting began, without those that do not.
    """

    type: Literal["sitting.changes_moved"] = "sitting.changes_moved"
    to: Literal["before", "after"] = "before"
    goal: str = ""
    files: list[PathChange] = Field(default_factory=list)
    left: list[LeftPath] = Field(default_factory=list)
    unseen: list[str] = Field(default_factory=list)
    kept: str = ""
    since_start: list[PathChange] = Field(default_factory=list)
