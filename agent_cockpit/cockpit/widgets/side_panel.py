"""The side panel: what is planned, what waits, what runs, what has changed.

Loaded and mounted when it is first shown; while it is hidden nothing of it is drawn.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.transcript.status import Status
    from agent_cockpit.transcript.work import FileChange, Job

SIDE_CELLS = 38
_STEP_SIGNS = {"done": ("✔", "$text-success"), "working": ("▸", "$text-accent")}
Prompts = Sequence[tuple[str, str]]


class SidePanel(VerticalScroll, can_focus=False):
    """Sections of one line an entry; a click on a file or a job opens it."""

    CELLS: ClassVar[int] = SIDE_CELLS

    DEFAULT_CSS = f"""
    SidePanel {{
        dock: right; width: {SIDE_CELLS}; height: 100%; padding: 0 1;
        border-left: solid $border; scrollbar-size-vertical: 1;
    }}
    """

    @dataclass
    class FileChosen(Message):
        """A person wants to see what changed in this file."""

        path: str

    @dataclass
    class JobChosen(Message):
        """A person wants to see this running call."""

        call_id: str

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._body = Static(markup=False)
        self._shown: tuple[object, ...] = ()

    def compose(self) -> ComposeResult:
        yield self._body

    def show(self, status: Status, waiting: Prompts) -> None:
        """Show the present; draws only when something of it changed."""
        jobs = status.running_calls + ((status.checking,) if status.checking else ())
        shown = (status.plan_steps, status.plan_strays, tuple(waiting), jobs, status.changes)
        if shown == self._shown:
            return
        self._shown = shown
        sections = [
            _plan(status),
            _waiting(waiting),
            _running(jobs),
            _changed(status.changes),
        ]
        filled = [section for section in sections if section]
        empty = Content.styled("nothing planned, waiting, running or changed", "$foreground-muted")
        text = Content("\n\n").join(Content("\n").join(lines) for lines in filled)
        self._body.update(text if filled else empty)

    def on_click(self, event: events.Click) -> None:
        """Open what was clicked."""
        if path := event.style.meta.get("file"):
            self.post_message(self.FileChosen(path))
        elif call_id := event.style.meta.get("job"):
            self.post_message(self.JobChosen(call_id))


def _plan(status: Status) -> list[Content]:
    steps = status.plan_steps
    if not steps:
        return []
    done = sum(step.state == "done" for step in steps)
    lines = [_row(_heading("plan"), Content.styled(f"{done} of {len(steps)}", "$foreground-muted"))]
    for step in steps:
        sign, tone = _STEP_SIGNS.get(step.state, ("☐", "$foreground-muted"))
        words = "$foreground-muted" if step.state == "done" else ""
        lines.append(Content.assemble((f"{sign} ", tone), (f"{step.number}. {step.text}", words)))
    strays = [(f"! not in the plan: {path}", "$text-warning") for path in status.plan_strays]
    return [_cut(line) for line in (*lines, *map(Content.assemble, strays))]


def _waiting(prompts: Prompts) -> list[Content]:
    if not prompts:
        return []
    count = Content.styled(str(len(prompts)), "$foreground-muted")
    lines = [_row(_heading("waiting"), count)]
    for kind, text in prompts:
        later = Content.styled("after", "$foreground-muted" if kind == "follow_up" else "")
        line = Content.assemble(("↳ ", "$text-accent"), clean_line(text))
        lines.append(_row(line, later) if kind == "follow_up" else _cut(line))
    return lines


def _running(jobs: Sequence[Job]) -> list[Content]:
    if not jobs:
        return []
    lines = [_row(_heading("running"), Content.styled(str(len(jobs)), "$foreground-muted"))]
    for job in jobs:
        line = Content.assemble((f"● {job.label} ", "$text-accent"), job.subject)
        lines.append(_cut(line).stylize(Style.from_meta({"job": job.call_id})))
    return lines


def _changed(changes: Sequence[FileChange]) -> list[Content]:
    if not changes:
        return []
    added = sum(change.added for change in changes)
    removed = sum(change.removed for change in changes)
    total = _counts(added, removed) if len(changes) > 1 else Content("")
    lines = [_row(_heading("changed"), total)]
    for change in changes:
        line = _row(Content(change.path), _counts(change.added, change.removed), keep_end=True)
        lines.append(line.stylize(Style.from_meta({"file": change.path})))
    return lines


def _heading(words: str) -> Content:
    return Content.styled(words, "bold")


def _counts(added: int, removed: int) -> Content:
    return Content.assemble((f"+{added}", "$text-success"), " ", (f"−{removed}", "$text-error"))


_ROOM = SIDE_CELLS - 4
"""Cells of a line: without the border, the padding and the scroll bar."""


def _cut(line: Content) -> Content:
    return line.truncate(_ROOM, ellipsis=True)


def _row(left: Content, right: Content, *, keep_end: bool = False) -> Content:
    """Words at the left, figures at the right edge; a path is cut at its beginning."""
    room = _ROOM - right.cell_length - 1
    if keep_end and left.cell_length > room:
        left = Content("…") + left[len(left) - room + 1 :]
    return Content.assemble(left.truncate(room, ellipsis=True, pad=True), " ", right)
