"""A sitting taken up again from its journal: locked, read, and brought to an end where it was
cut off.

Laws: what was running is marked as interrupted, what waited for a person is not decided, and
both are written down before anything new is.
"""

from __future__ import annotations

from collections.abc import Iterator

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.engine.record.past import INTERRUPTED, CutCall, Past
from agent_cockpit.engine.record.recollection import recollect
from agent_cockpit.engine.report import report_of
from agent_cockpit.errors import WorkspaceError
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, TurnEnd
from agent_cockpit.events.sitting import (
    ExecutionChanged,
    GoalRecorded,
    Notice,
    PlanDecided,
    PromptsRecalled,
    SittingMessage,
    SittingResumed,
    SittingStarted,
)
from agent_cockpit.text import clean_line, shorten
from agent_cockpit.transcript.wording import call_label, call_subject


def open_past(journal: JsonlEventJournal) -> Past:
    """Lock the journal for this process and read what it holds.

    Raises `SittingLocked` while another process writes it, `WorkspaceError` when it cannot be
    read or holds no sitting; then it is left as it was.
    """
    journal.lock(create=False)
    try:
        past = recollect(read_journal(journal.path))
        if not past.session_id:
            raise WorkspaceError(f"{journal.path} is no journal: it holds no sitting")
    except BaseException:
        journal.close(release=True)
        raise
    return past


def first_events(past: Past, started: SittingStarted, *, unattended: bool) -> Iterator[Event]:
    """What a sitting says before anything else: its header, or, taken up again, the ends that
    the journal lacks and that it goes on from here.

    A call that waited for a person stays undecided: its goal is over and says so, and the
    model asks again when it is told to go on.
    """
    if not past:
        yield started
        return
    task = past.tasks[-1] if past.is_goal_cut else None
    task_id = task.task_id if task is not None else None
    if past.mending is not None:
        yield SittingMessage(message=past.mending, task_id=task_id)
    if past.plan == "waiting":
        yield PlanDecided(task_id=task_id, decision="left")
    if past.plan in _PLAN_WORDS:
        yield Notice(level="warning", text=_PLAN_WORDS[past.plan])
    if past.is_turn_cut:
        yield TurnEnd(task_id=task_id)
    if past.phase not in ("idle", "failure"):
        mode = "plan" if past.is_planning else "exec"
        yield ExecutionChanged(phase="idle", mode=mode, boundaries=past.boundaries)
    if past.unsent:
        texts = list(past.unsent)
        yield PromptsRecalled(texts=texts, to="dropped" if unattended else "composer")
    if task is not None:
        for call in past.cut_calls:
            yield Notice(task_id=task_id, level="warning", text=_fate_words(call))
        report = report_of(task, session_id=past.session_id, calls=())
        yield GoalRecorded(task_id=task_id, report=report.model_dump(mode="json"))
        yield AgentEnd(task_id=task_id, outcome=task.outcome, status=INTERRUPTED)
    yield SittingResumed(
        provider=started.provider,
        model=started.model,
        workspace=started.workspace,
        sandbox=started.sandbox,
        branch=started.branch,
        snapshots=past.snapshots,
    )
    if past.workspace != started.workspace:
        was = clean_line(past.workspace) or "a folder that the journal does not name"
        text = f"this sitting was recorded in {was}; it goes on in {started.workspace}"
        yield Notice(level="warning", text=text)


def go_on_prompt(goal: str) -> str:
    """What a person sends to go on with an interrupted goal: its own words, so that it is the
    same kind of goal again, and that it was interrupted."""
    return f"{goal.removesuffix(_GO_ON)}{_GO_ON}"


_GO_ON = "\n\n(Go on with this: it was interrupted.)"


_PLAN_WORDS = {
    "waiting": "the plan waited for your decision; nothing is built",
    "decided": "the plan was decided about, and what follows from it had not begun",
}


def _fate_words(cut: CutCall) -> str:
    """What became of a call, for the person."""
    subject = call_subject(cut.call.name, cut.call.input)
    what = shorten(clean_line(f"{call_label(cut.call.name)} {subject}"), 120)
    match cut.fate:
        case "waiting":
            return f"`{what}` waited for your answer; it did not run and nothing was decided"
        case "running":
            return f"`{what}` was running; what it has done is not known"
        case "allowed":
            return f"`{what}` was about to run; whether it began is not known"
        case _:
            return f"`{what}` was not reached"
