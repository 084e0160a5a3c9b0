"""Recorded sittings on the command line: the list, and which one is to be taken up again."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from agent_cockpit.choices import Export, ListSittings
from agent_cockpit.errors import PersonCanAct, WorkspaceError
from agent_cockpit.places import journal_dir
from agent_cockpit.settings_files import load_settings, user_settings_file
from agent_cockpit.sittings import Course, Recorded, course_of, find, newest, says, sittings
from agent_cockpit.text import cell_width, clean_line
from agent_cockpit.workspace.at_home import at_home

ID_SHOWN = 12
_HEAD = ("ID", "WRITTEN", "GOALS", "OUTCOME", "PROMPT")


def chosen(resume: str | None, root: Path) -> Recorded:
    """The sitting that `--resume` names, or, without a name, the newest of this folder."""
    folder = journals_of(root)
    return newest(folder, root) if resume is None else find(folder, resume, root)


def workspace_of(sitting: Recorded) -> Path:
    """The folder that a sitting worked on; `WorkspaceError` when it is gone."""
    root = Path(sitting.workspace)
    if not sitting.workspace or not root.is_dir():
        raise WorkspaceError(
            f"the folder of that sitting, {clean_line(sitting.workspace) or 'unknown'}, is gone; "
            f"name the one to work on: agent-cockpit DIR --resume {sitting.path}"
        )
    return root


def list_sittings(choice: ListSittings, root: Path) -> int:
    """Print the sittings of this folder, or all of them, the newest first."""
    every = (
        each
        for each in sittings(journals_of(root))
        if (choice.all or each.problem or each.workspace == str(root))
        and (not choice.search or says(each, choice.search))
    )
    if choice.json:
        print(json.dumps([_facts(each) for each in every], indent=1))
        return 0
    some = False
    for line in _lines(every, with_folder=choice.all):
        some = True
        print(line)
    if not some:
        where = "" if choice.all else f" in {clean_line(str(root))}"
        what = f" with `{clean_line(choice.search)}` in a prompt or answer" if choice.search else ""
        print(f"no sittings{where}{what}", file=sys.stderr)
    return 0


def export_sitting(choice: Export, root: Path) -> int:
    """Write a sitting as a document, into a file or to standard output."""
    from agent_cockpit.engine.record.export import document, form_of, write_export

    sitting = chosen(choice.sitting, root)
    if sitting.problem:
        raise PersonCanAct(f"{clean_line(str(sitting.path))}: {sitting.problem}")
    if choice.file is None:
        print(document(sitting.path, choice.form or "md", sitting.session_id), end="")
        return 0
    path = Path.cwd() / at_home(str(choice.file))
    form = choice.form or form_of(path)
    print(write_export(sitting.path, path, form, sitting.session_id), file=sys.stderr)
    return 0


def journals_of(root: Path) -> Path:
    """Where the journals of those who work on this folder are kept."""
    loaded = load_settings(
        flags={"workspace_root": str(root)},
        environ=os.environ,
        user_file=user_settings_file(),
        cwd=root,
    )
    return journal_dir(loaded.config)


def _facts(sitting: Recorded) -> dict[str, Any]:
    course = Course() if sitting.problem else course_of(sitting)
    return {
        "id": sitting.session_id,
        "journal": str(sitting.path),
        "written": sitting.written.isoformat(),
        "workspace": sitting.workspace,
        "prompt": sitting.prompt,
        "name": course.name,
        "goals": course.goals,
        "outcome": course.outcome,
        "problem": sitting.problem,
    }


def _lines(every: Iterator[Recorded], *, with_folder: bool) -> Iterator[str]:
    """A head and a line each; cut to the terminal's width, whole where there is none."""
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else 0
    for number, sitting in enumerate(every):
        if number == 0:
            yield _line(*_HEAD, width=width)
        when = f"{sitting.written.astimezone():%Y-%m-%d %H:%M}"
        if sitting.problem:
            yield _line(
                "", when, "", "unreadable", f"{sitting.path}: {sitting.problem}", width=width
            )
            continue
        course = course_of(sitting)
        folder = f"{clean_line(sitting.workspace)}: " if with_folder else ""
        called = f"{clean_line(course.name)} · " if course.name else ""
        prompt = folder + called + clean_line(sitting.prompt)
        name = sitting.session_id[:ID_SHOWN]
        yield _line(name, when, str(course.goals), course.outcome, prompt, width=width)


def _line(name: str, when: str, goals: str, outcome: str, text: str, *, width: int) -> str:
    line = f"{clean_line(name):{ID_SHOWN}}  {when:16}  {goals:>5}  {clean_line(outcome):11}  {text}"
    return _cut(line, width) if width else line


def _cut(line: str, width: int) -> str:
    if cell_width(line) <= width:
        return line
    while cell_width(line) >= width:
        line = line[: min(len(line) - 1, width)]
    return f"{line}…"
