"""What a prompt refers to with `@path`, as the model is shown it."""

from __future__ import annotations

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.grounding import SHOWN_CHARACTERS, Reference
from agent_cockpit.text import clean, clean_line, head_and_tail
from agent_cockpit.transcript.wording import count
from agent_cockpit.workspace.encodings import decode
from agent_cockpit.workspace.files import read_file_bytes
from agent_cockpit.workspace.finding.listing import list_files
from agent_cockpit.workspace.workspace import Workspace

FILES_NAMED = 200
"""Of a folder that a prompt refers to."""


def read_reference(workspace: Workspace, reference: Reference) -> str:
    """What a referenced file holds, or which files a folder does, cut with a mark; or why
    that is not shown."""
    try:
        place = workspace.locate(reference.path)
        if place.path.is_dir():
            return _listing(workspace, place.relative)
        found = read_file_bytes(place)
    except ToolRefused as refused:
        return f"(not shown: {refused})"
    if found is None:
        return "(there is no such file)"
    decoded = decode(found.data)
    if decoded is None:
        return "(not shown: it is not text)"
    text = clean(decoded.text)
    if reference.first_line is not None:
        lines = text.splitlines()
        text = "\n".join(lines[reference.first_line - 1 : reference.last_line])
    return head_and_tail(text, SHOWN_CHARACTERS)


def _listing(workspace: Workspace, folder: str) -> str:
    """The files in a folder of the workspace; one whose name is a pattern is listed so."""
    listing = list_files(workspace, "**/*" if folder == "." else folder, most=FILES_NAMED)
    names = "\n".join(map(clean_line, listing.paths))
    extent = count(listing.total, "file")
    return head_and_tail(f"(a folder with {extent})\n{names}", SHOWN_CHARACTERS)
