"""Search in the workspace's files, by ripgrep or a child of ours.

Law: the pattern comes from a model, so it never runs in this process: it can be stopped.
"""

from __future__ import annotations

import shutil
import sys
import sysconfig
import tempfile
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.errors import ToolRefused
from agent_cockpit.text import head_and_tail
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.child_output import unheard
from agent_cockpit.workspace.finding.globs import parse_glob
from agent_cockpit.workspace.finding.listing import walk
from agent_cockpit.workspace.finding.search_child import LONGEST_LINE
from agent_cockpit.workspace.processes import ChildResult, run_child
from agent_cockpit.workspace.to_the_end import in_thread
from agent_cockpit.workspace.workspace import Workspace

DEADLINE_S = 30.0
OUTPUT_BYTES = 2_000_000
"""What is kept of a child's output; the head of it (40 %) is read when it is more."""
LONGEST_QUERY = 10_000


@dataclass(frozen=True, slots=True)
class Hit:
    """One line that matches; `path` is relative, `line` counts from 1."""

    path: str
    line: int
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchResult:
    """What was found, in the order of paths.

    `literal` says that the query was no regex and was searched as it stands; `complete`
    is False after a deadline, a cancel, or more output than is kept.
    """

    hits: tuple[Hit, ...]
    literal: bool = False
    complete: bool = True
    timed_out: bool = False
    cancelled: bool = False


def find_ripgrep() -> str | None:
    """ripgrep from our own installation, else from PATH, else None."""
    return shutil.which("rg", path=sysconfig.get_path("scripts")) or shutil.which("rg")


async def search(
    workspace: Workspace,
    query: str,
    *,
    cancellation: CancellationToken,
    ripgrep: str | None,
    deadline_s: float = DEADLINE_S,
) -> SearchResult:
    """Lines of visible, not ignored text files that the regex `query` matches.

    A query that is no regex is searched literally. Raises `ToolRefused` for one that
    cannot be searched at all.
    """
    if not query or "\0" in query or "\n" in query or len(query) > LONGEST_QUERY:
        raise ToolRefused("the query must be one line of text, not empty and not endless")
    stop_s = time.monotonic() + deadline_s
    run = _ripgrep if ripgrep else _python
    for literal in (False, True):
        left_s = max(stop_s - time.monotonic(), 0.0)
        child = await run(workspace, query, literal, cancellation, left_s, ripgrep or "")
        if not _failed(child):
            break
    if _failed(child):
        raise ToolRefused(f"the search failed: {head_and_tail(child.output, 1000)}")
    output = child.output
    if child.dropped_bytes:
        output = output.encode()[: int(OUTPUT_BYTES * 0.4)].decode("utf-8", "ignore")
        output = output[: output.rfind("\n") + 1]
    return SearchResult(
        hits=tuple(_hits(workspace, output.split("\n"))),
        literal=literal,
        complete=not (child.dropped_bytes or child.timed_out or child.cancelled),
        timed_out=child.timed_out,
        cancelled=child.cancelled,
    )


async def _ripgrep(
    workspace: Workspace,
    query: str,
    literal: bool,
    cancellation: CancellationToken,
    deadline_s: float,
    program: str,
) -> ChildResult:
    command = [
        *(program, "--no-config", "--no-messages", "--null", "--line-number", "--no-heading"),
        *("--with-filename", "--color=never", "--no-require-git", "--sort=path"),
        "--engine=auto",  # look-around works where this ripgrep has it
        *(f"--max-columns={LONGEST_LINE}", "--max-columns-preview"),
        *(["--fixed-strings"] if literal else []),
        # What the filter below drops is not even read.
        *(part for glob in workspace.sensitive_globs for part in ("--iglob", f"!{glob}")),
        *("--", query, "."),
    ]
    return await _run(command, workspace, cancellation, deadline_s)


async def _python(
    workspace: Workspace,
    query: str,
    literal: bool,
    cancellation: CancellationToken,
    deadline_s: float,
    _: str,
) -> ChildResult:
    stop_s = time.monotonic() + deadline_s
    with tempfile.TemporaryDirectory(prefix="agent-cockpit-") as folder:
        names = Path(folder) / "names"
        script = Path(__file__).with_name("search_child.py")
        kind = "literal" if literal else "regex"
        command = [sys.executable, "-I", str(script), kind, query, str(names)]
        written = await in_thread(
            lambda abandoned: _write_names(
                workspace,
                names,
                lambda: abandoned() or cancellation.cancelled or time.monotonic() > stop_s,
            )
        )
        if not written:
            cancelled = cancellation.cancelled
            return ChildResult(command=command, cancelled=cancelled, timed_out=not cancelled)
        left_s = max(stop_s - time.monotonic(), 0.0)
        return await _run(command, workspace, cancellation, left_s)


async def _run(
    command: list[str], workspace: Workspace, cancellation: CancellationToken, deadline_s: float
) -> ChildResult:
    return await run_child(
        command,
        cwd=workspace.root,
        timeout_s=deadline_s,
        cancellation=cancellation,
        output_budget=OUTPUT_BYTES,
        heard=unheard,
    )


def _write_names(workspace: Workspace, target: Path, stopped: Callable[[], bool]) -> bool:
    """The files to search, for the child; False when it was stopped before the end."""
    with target.open("wb") as file:
        for at, name in enumerate(walk(workspace, parse_glob("**/*"))):
            if stopped():
                return False
            file.write((b"\0" if at else b"") + name.encode("utf-8", "surrogateescape"))
    return True


def _failed(child: ChildResult) -> bool:
    """Whether nothing was searched. ripgrep also ends with 2 when single files could not be
    read; then it says nothing about them, and all that it prints are hits."""
    if child.exit_code in (0, 1, None):
        return False
    told = child.output.split("\n", 1)[0]
    return child.exit_code != 2 or (bool(told) and "\0" not in told)


def _hits(workspace: Workspace, lines: Iterable[str]) -> Iterable[Hit]:
    for line in lines:
        path, mark, rest = line.partition("\0")
        number, colon, text = rest.partition(":")
        path = path.removeprefix("./")
        if mark and colon and number.isdecimal() and workspace.is_visible(path):
            yield Hit(path, int(number), text.rstrip("\r"))
