"""A recorded sitting as a document, for its person alone: Markdown, HTML or JSON.

Law: a file that is there and is no earlier export of this sitting is left as it is.
"""

from __future__ import annotations

import json
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, get_args

from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.sitting import SittingRenamed
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.blocks import Block, PromptBlock
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.markdown import markdown
from agent_cockpit.transcript.values import values
from agent_cockpit.workspace.at_home import at_home

Form = Literal["md", "html", "json"]
FORMS: tuple[Form, ...] = get_args(Form)
NOT_RECORDED = "this sitting is not recorded, so there is nothing to export"


def document(journal: Path, form: Form, session_id: str) -> str:
    """What the journal holds, in this form; its first line names the sitting. Blocks."""
    events = list(read_journal(journal))
    blocks = Transcript.of(events).blocks
    names = [event.name for event in events if isinstance(event, SittingRenamed)]
    first = next((block.text for block in blocks if isinstance(block, PromptBlock)), "")
    title = clean_line(names[-1] if names else "") or shorten(clean_line(first), 80) or "A sitting"
    return f"{_mark(form, session_id)}\n{_body(form, blocks, title)}"


def export(journal: Path | None, wanted: str, *, root: Path, session_id: str) -> str:
    """Write what the journal holds in the form that the file's ending names, and say where.

    `wanted` is seen from `root`; empty: Markdown beside the journal, and only a form: that one
    beside it. Blocks. Raises `PersonCanAct` as `write_export` does, and where nothing is recorded.
    """
    if journal is None or not journal.exists():
        raise PersonCanAct(NOT_RECORDED)
    is_form = not wanted or wanted in FORMS
    path = journal.with_suffix(f".{wanted or 'md'}") if is_form else root / at_home(wanted)
    return write_export(journal, path, form_of(path), session_id)


def write_export(journal: Path, path: Path, form: Form, session_id: str) -> str:
    """Write what the journal holds to `path`; what was done, in words. Blocks.

    Raises `PersonCanAct` when the file is no export of this sitting or cannot be written.
    """
    shown = clean_line(str(path))
    try:
        is_there = path.exists()
        if is_there and not _is_ours(path, _mark(form, session_id)):
            raise PersonCanAct(f"not exported: {shown} is there already; name another file")
        _write(path, document(journal, form, session_id))
    except OSError as error:
        raise PersonCanAct(f"not exported: {shown}: {error.strerror or error}") from error
    again = ", over an earlier export of this sitting" if is_there else ""
    return f"exported to {shown}{again}"


def form_of(path: Path) -> Form:
    """The form that a file's ending names; Markdown where it names none."""
    ending = {".htm": "html"}.get(path.suffix.lower(), path.suffix.lower().lstrip("."))
    return next((form for form in FORMS if form == ending), "md")


def _body(form: Form, blocks: Sequence[Block], title: str) -> str:
    match form:
        case "md":
            return markdown(blocks, title=title)
        case "html":
            from agent_cockpit.transcript.html import html

            return html(blocks, title=title)
        case "json":
            rest = {"title": title, "blocks": values(blocks)}
            return json.dumps(rest, indent=1, ensure_ascii=False).removeprefix("{\n") + "\n"


def _mark(form: Form, session_id: str) -> str:
    """The first line of an export: whose it is."""
    if form == "json":
        return f'{{ "agent_cockpit_sitting": {json.dumps(session_id)},'
    return f"<!-- agent-cockpit sitting {session_id} -->"


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
