"""The recorded sittings of a person: found, listed and searched without reading them whole.

Law: a journal is known by its first lines and its end, read when it is its turn; one that
cannot be read is listed as such and stops nothing.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, BinaryIO

from agent_cockpit.engine.record.journal_lock import is_locked
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.text import clean_line
from agent_cockpit.workspace.at_home import at_home

HEAD_BYTES = 256 * 1024
"""The first goal begins within this: before it there is little more than the preamble."""
TAIL_BYTES = 32 * 1024
"""Read from the end at first, and eight times as much each time that no goal's mark is in it."""
CHUNK_BYTES = 1024 * 1024
SHORTEST_ID = 4

_STARTED = b'"type":"agent_start"'
_ENDED = b'"type":"agent_end"'
"""As the journal writes them; inside a string the quotes would be escaped."""
_RENAMED = b'"type":"sitting.renamed"'
_SPOKEN = (_STARTED, b'"type":"model_decision"', b'"type":"sitting.prompt_queued"')


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """One journal, as far as its first lines tell. Texts are as they were recorded."""

    path: Path
    written: datetime
    """When the file was written last; the newest sitting is the one written last."""
    session_id: str = ""
    workspace: str = ""
    provider: str = ""
    prompt: str = ""
    """The first one; empty while nothing was asked."""
    problem: str = ""
    """Why it cannot be read."""


@dataclass(frozen=True, slots=True)
class Course:
    """How a sitting went: how many goals, how the newest ended (`running` and `interrupted` are
    those that did not), and what it is called."""

    goals: int = 0
    outcome: str = ""
    name: str = ""
    """What the person called it."""


def sittings(folder: Path) -> Iterator[Recorded]:
    """All journals in the folder, those written last first; each is opened when it is asked
    for. Without a folder there are none; sittings without a prompt count as none."""
    return (each for each in _journals(folder) if each.prompt or each.problem)


def _journals(folder: Path) -> Iterator[Recorded]:
    """As `sittings`, those without a prompt too."""
    try:
        with os.scandir(folder) as entries:
            found = [each for entry in entries if (each := _place_of(entry)) is not None]
    except FileNotFoundError:
        return
    except OSError as error:
        raise PersonCanAct(f"cannot list the journals in {folder}: {error.strerror}") from error
    for written_s, path in sorted(found, reverse=True):
        yield _read_head(path, datetime.fromtimestamp(written_s, UTC))


def course_of(sitting: Recorded) -> Course:
    """How it went; reads the file through for the number of goals."""
    try:
        with sitting.path.open("rb") as file:
            goals = _count(file, _STARTED)
            name = _name(file)
            last = _last_mark(file)
        if last is not None and last.get("type") == "agent_end":
            status, outcome = last.get("status"), str(last.get("outcome") or "incomplete")
            return Course(goals, "interrupted" if status == "interrupted" else outcome, name)
        return Course(goals, "running" if is_locked(sitting.path) else "interrupted", name)
    except OSError:
        return Course(outcome="unreadable")


def says(sitting: Recorded, text: str) -> bool:
    """Whether a prompt or an answer of the sitting holds the text; letter case is no matter."""
    wanted = text.casefold()
    try:
        with sitting.path.open("rb") as file:
            for line in file:
                if any(mark in line for mark in _SPOKEN):
                    values = _values(line)
                    spoken = (values.get(key) for key in ("goal", "thought", "action", "text"))
                    if any(wanted in said.casefold() for said in spoken if isinstance(said, str)):
                        return True
    except OSError:
        return False
    return False


def newest(folder: Path, workspace: Path) -> Recorded:
    """The sitting of this workspace that was written last; `PersonCanAct` when there is none."""
    for sitting in sittings(folder):
        if _is_of(sitting, workspace):
            return sitting
    raise PersonCanAct(
        f"no sitting was recorded in {workspace}; `agent-cockpit sessions --all` lists all"
    )


def find(folder: Path, wanted: str, workspace: Path) -> Recorded:
    """The sitting that a person means by a journal's path, or by the beginning of an id,
    else by its name: first among those of this workspace, then among all. One without a prompt
    is found too: whoever leaves a sitting is told its id.

    Raises `PersonCanAct` when none is meant, or more than one.
    """
    path = at_home(wanted)
    if path.suffix == ".jsonl" or len(path.parts) > 1:
        return _at(path)
    listed = list(_journals(folder))
    is_id = len(wanted) >= SHORTEST_ID
    every = [each for each in listed if is_id and _is_called(each, wanted.lower())]
    every = every or [each for each in listed if _is_named(each, wanted)]
    if not every and not is_id:
        raise PersonCanAct(f"`{clean_line(wanted)}` is too short for the id of a sitting")
    meant = [each for each in every if _is_of(each, workspace)] or every
    if len(meant) == 1:
        return meant[0]
    if meant and len({each.session_id for each in meant}) == 1:
        places = ", ".join(str(each.path) for each in meant[:5])
        raise PersonCanAct(f"`{clean_line(wanted)}` is copied; name the journal: {places}")
    if meant:
        ids = ", ".join(each.session_id[:12] for each in meant[:5])
        raise PersonCanAct(f"`{clean_line(wanted)}` may be any of {ids}; write more of it")
    raise PersonCanAct(
        f"no sitting has the id `{clean_line(wanted)}`; `agent-cockpit sessions --all` lists all"
    )


def _at(path: Path) -> Recorded:
    if not path.is_file():
        why = "is a folder" if path.is_dir() else "does not exist"
        raise PersonCanAct(f"the journal {path} {why}")
    path = path.absolute()
    return _read_head(path, datetime.fromtimestamp(path.stat().st_mtime, UTC))


def _place_of(entry: os.DirEntry[str]) -> tuple[float, Path] | None:
    """When a journal was written last, and where it is; None for what is none, or gone."""
    try:
        if entry.name.endswith(".jsonl") and entry.is_file():
            return entry.stat().st_mtime, Path(entry.path)
    except OSError:
        return None
    return None


def _is_called(sitting: Recorded, wanted: str) -> bool:
    return sitting.session_id.startswith(wanted) or sitting.path.stem.startswith(wanted)


def _is_named(sitting: Recorded, wanted: str) -> bool:
    if sitting.problem or not wanted:
        return False
    return course_of(sitting).name.casefold() == wanted.casefold()


def _is_of(sitting: Recorded, workspace: Path) -> bool:
    return sitting.workspace == str(workspace)


def _read_head(path: Path, written: datetime) -> Recorded:
    """What the first lines tell, read no further than to the first prompt."""
    header: dict[str, Any] = {}
    goal: dict[str, Any] = {}
    some: dict[str, Any] = {}
    left, is_blank = HEAD_BYTES, True
    try:
        with path.open("rb") as file:
            while left > 0 and not goal and (line := file.readline(left)):
                left -= len(line)
                is_blank = is_blank and not line.strip()
                values = _values(line)
                some = some or values
                if values.get("type") == "sitting.started":
                    header = header or values
                elif values.get("type") == "agent_start":
                    goal = values
    except OSError as error:
        return Recorded(path=path, written=written, problem=error.strerror or str(error))
    if not some:
        problem = "" if is_blank else "holds no sitting"
        return Recorded(path=path, written=written, problem=problem)
    return Recorded(
        path=path,
        written=written,
        session_id=str(header.get("session_id") or some.get("session_id") or ""),
        workspace=str(header.get("workspace") or ""),
        provider=str(header.get("provider") or ""),
        prompt=str(goal.get("goal") or ""),
    )


def _count(file: BinaryIO, mark: bytes) -> int:
    """How often the mark stands in the file, also across the borders of what is read at once."""
    count, rest = 0, b""
    while chunk := file.read(CHUNK_BYTES):
        read = rest + chunk
        count += read.count(mark)
        rest = read[-(len(mark) - 1) :]
    return count


def _name(file: BinaryIO) -> str:
    """The newest name in the file."""
    name = ""
    file.seek(0)
    for line in file:
        if _RENAMED in line:
            name = str(_values(line).get("name", ""))
    return name


def _last_mark(file: BinaryIO) -> dict[str, Any] | None:
    """The newest line that begins or ends a goal."""
    size = file.seek(0, os.SEEK_END)
    reach = TAIL_BYTES
    while True:
        file.seek(max(0, size - reach))
        for line in reversed(file.read(reach).splitlines()):
            if (_STARTED in line or _ENDED in line) and (values := _values(line)):
                return values
        if reach >= size:
            return None
        reach *= 8


def _values(line: bytes) -> dict[str, Any]:
    """The object in a line; empty for what is none."""
    try:
        values = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return values if isinstance(values, dict) else {}
