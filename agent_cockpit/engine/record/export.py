"""`/export`: the sitting as a Markdown file, for its person alone.

Law: a file that is there and is no earlier export of this sitting is left as it is.
"""

from __future__ import annotations

import os
from pathlib import Path

from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.blocks import PromptBlock
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.markdown import markdown
from agent_cockpit.workspace.at_home import at_home

NOT_RECORDED = "this sitting is not recorded, so there is nothing to export"


def export(journal: Path | None, wanted: str, *, root: Path, name: str, session_id: str) -> str:
    """Write what the journal holds, and say where; `wanted` is seen from `root`, empty: beside
    the journal. Never raises for what the person can mend: it says so. Blocks."""
    if journal is None or not journal.exists():
        return NOT_RECORDED
    path = root / at_home(wanted) if wanted else journal.with_suffix(".md")
    mark = f"<!-- agent-cockpit sitting {session_id} -->"
    shown = clean_line(str(path))
    try:
        is_there = path.exists()
        if is_there and not _is_ours(path, mark):
            return f"not exported: {shown} is there already; name another file"
        blocks = Transcript.of(read_journal(journal)).blocks
        first = next((block.text for block in blocks if isinstance(block, PromptBlock)), "")
        title = name or shorten(clean_line(first), 80) or "A sitting"
        _write(path, f"{mark}\n{markdown(blocks, title=title)}")
    except OSError as error:
        return f"not exported: {shown}: {error.strerror or error}"
    again = ", over an earlier export of this sitting" if is_there else ""
    return f"exported to {shown}{again}"


def _is_ours(path: Path, mark: str) -> bool:
    with path.open("rb") as file:
        return file.readline(200).strip() == mark.encode()


def _write(path: Path, text: str) -> None:
    """For nobody but its owner, and whole or not at all."""
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    number = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        with os.fdopen(number, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
        beside.replace(path)
    except BaseException:
        beside.unlink(missing_ok=True)
        raise
