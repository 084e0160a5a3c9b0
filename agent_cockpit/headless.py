"""The front end without a screen: a goal in; text, JSON or JSON lines out; an exit code.

Law: stdout carries exactly what was asked for, everything else goes to stderr, and a goal
that was stopped by a signal still reports.
"""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from agent_cockpit.choices import OutputName
from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import Report, TaskState, ToolCallRecord
from agent_cockpit.exit_codes import BLOCKED, FAILED, INCOMPLETE, INTERNAL, MODEL_ERROR, OK
from agent_cockpit.headless_output import Pipe, Progress, Warnings, ascii_json, copy, json_line
from agent_cockpit.rules.facts import UNGRANTABLE_TOOLS
from agent_cockpit.rules.modes import Mode
from agent_cockpit.text import clean, clean_line, shorten


async def run_goal(
    repl: ReplSession,
    goal: str,
    *,
    mode: Mode | None = None,
    output: OutputName = "text",
    out: TextIO,
    err: TextIO,
) -> int:
    """Run one goal to its end, write what `output` asks for, return the exit code.

    The first SIGINT, SIGTERM or SIGHUP cancels the goal, the second cuts it off, and a third
    does what the system does by default. Raises `PersonCanAct` when the goal cannot start.
    """
    if mode is not None:
        repl.set_mode(mode)
    stdout, stderr = Pipe(out), Pipe(err)
    words = Warnings() if output == "stream-json" else Progress()
    told = repl.events()
    telling = asyncio.create_task(copy(told, stderr, words))
    try:
        with _Stop.listening() as stop:
            session, state = await _run(repl, goal, stop, stdout if words.is_brief else None)
    finally:
        told.end()
        await telling
    if session is None:
        stderr.write("agent-cockpit: stopped before the goal began\n")
        return 128 + (stop.number or signal.SIGINT)
    report = session.report or Report(status="error", session_id=session.session_id)
    if output == "json":
        stdout.write(ascii_json(json.dumps(report.model_dump(), default=str)) + "\n")
    elif output == "text" and report.final_message:
        stdout.write(clean(report.final_message).rstrip("\n") + "\n")
    code = exit_code(report, unanswered=state.denied_for_want_of_person, stopped_by=stop.number)
    if report.outcome == "blocked" and state.open_questions and repl.journal_path is not None:
        stderr.write(f"answer it: agent-cockpit run ANSWER --resume {repl.journal_path}\n")
    if closing := _closing_words(report, state, code):
        stderr.write(f"agent-cockpit: {closing}\n")
    if stdout.failure and code == OK:
        stderr.write(f"agent-cockpit: cannot write the output: {stdout.failure}\n")
        return INTERNAL
    return code


async def _run(
    repl: ReplSession, goal: str, stop: _Stop, stream: Pipe | None
) -> tuple[Session | None, TaskState]:
    """Run and record the goal, its events to `stream`; no session if it was stopped before."""
    try:
        session = await repl.astart(goal)
    except asyncio.CancelledError:
        if not stop.took_the_cancellation():
            raise
        return None, TaskState(goal=goal)
    stop.session = session
    streaming = asyncio.create_task(copy(session.events(), stream, json_line)) if stream else None
    try:
        state = await session.run()
    except asyncio.CancelledError:
        if not stop.took_the_cancellation():
            raise
        state = session.state
    finally:
        if streaming is not None:
            await streaming
    repl.record(state)
    return session, state


def exit_code(report: Report, *, unanswered: int = 0, stopped_by: int | None = None) -> int:
    """The exit code of a report; `unanswered` calls were denied for want of a person."""
    if stopped_by is not None:
        return 128 + stopped_by
    if report.status == "model_error":
        return MODEL_ERROR
    if report.status == "error":
        return INTERNAL
    if report.outcome == "success":
        return OK
    if report.outcome == "blocked" or unanswered:
        return BLOCKED
    return FAILED if report.outcome == "failed" else INCOMPLETE


def _closing_words(report: Report, state: TaskState, code: int) -> str:
    """Why it is no success, in one line, with what the person can do; empty for a success."""
    if code == OK:
        return ""
    denied = [call for call in report.tool_calls if call.denial_reason is not None]
    if code == BLOCKED and state.denied_for_want_of_person and denied:
        call = denied[-1]
        what = clean_line(f"{call.name} {call.args.get('command') or call.args.get('path') or ''}")
        return f"nobody was there to allow `{shorten(what.strip(), 100)}`; {_way_out(call)}"
    ends = (each.summary for each in reversed(state.evidence) if each.kind in _ENDS)
    reason = report.error or ("" if report.outcome == "success" else next(ends, ""))
    word = report.outcome or report.status
    return shorten(clean_line(f"{word}: {reason}" if reason else word), 500)


_ENDS = ("blocker", "budget", "verification", "cancelled")
"""The kinds of evidence that end a goal."""


def _way_out(call: ToolCallRecord) -> str:
    """The flag that would allow a call ahead, if one can."""
    rule = "" if call.name in UNGRANTABLE_TOOLS else call.name
    if call.name == "run_command":
        from agent_cockpit.rules.shell.command_line import analyse

        judged = analyse(str(call.args.get("command", "")), root="/workspace")
        rule = f"run_command:{judged.prefix}" if judged.grantable and judged.prefix else ""
    if not rule:
        return "no flag can allow that ahead, only the cockpit can ask"
    return f"allow it ahead with --allow '{rule}', or use the cockpit"


class _Stop:
    """Signals as a person's wish to stop: first the goal, then this task."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.session: Session | None = None
        self._task = asyncio.current_task()
        self._listened: list[signal.Signals] = []
        self._cut_off = False
        self._cancelling: asyncio.Task[None] | None = None

    @classmethod
    @contextmanager
    def listening(cls) -> Iterator[_Stop]:
        """Listen while the block runs; where a loop cannot, Python's own ways hold."""
        stop, loop = cls(), asyncio.get_running_loop()
        try:
            for number in (signal.SIGINT, signal.SIGTERM, getattr(signal, "SIGHUP", None)):
                # One that was ignored from the start (nohup, `&` in a script) stays ignored.
                if number is None or signal.getsignal(number) == signal.SIG_IGN:
                    continue
                try:
                    loop.add_signal_handler(number, stop._heard, number)
                    stop._listened.append(number)
                except (NotImplementedError, RuntimeError, ValueError):
                    break
            yield stop
        finally:
            stop._listen_no_more()

    def took_the_cancellation(self) -> bool:
        """Whether a task cancellation came from here; then it counts as dealt with."""
        if self._cut_off and self._task is not None:
            self._task.uncancel()
        return self._cut_off

    def _heard(self, number: signal.Signals) -> None:
        if self.number is None:
            self.number = int(number)
            if self.session is not None:
                reason = f"stopped by {number.name}"
                self._cancelling = asyncio.ensure_future(self.session.cancel(reason))
                return
        else:
            self._listen_no_more()
        self._cut_off = True
        if self._task is not None:
            self._task.cancel()

    def _listen_no_more(self) -> None:
        loop = asyncio.get_running_loop()
        while self._listened:
            loop.remove_signal_handler(self._listened.pop())
