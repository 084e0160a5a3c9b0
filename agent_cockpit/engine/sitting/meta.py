"""Local commands, carried out here and never sent to the model (document 003, engine 7.5)."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path

from agent_cockpit.engine.baseline import Baseline, SnapshotPort
from agent_cockpit.engine.record.export import export
from agent_cockpit.engine.sitting.asides import COMPACTED, Asides
from agent_cockpit.engine.sitting.standing import StandingDesk
from agent_cockpit.engine.sitting.whereabouts import whereabouts
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.errors import PersonCanAct, WorkspaceError
from agent_cockpit.rules.consent.boundary_command import SetBoundary, parse_boundary
from agent_cockpit.rules.meta_commands import (
    COMMANDS,
    MetaCall,
    find_command,
    help_text,
    parse,
    unknown_text,
)
from agent_cockpit.rules.model import project_instructions, skills
from agent_cockpit.rules.modes import MODES, parse_mode
from agent_cockpit.text import clean_line

_WITHOUT_SCREEN = tuple(command for command in COMMANDS if command.owner != "cockpit")
"""The screen lists all of them, and its keys, on a page of its own."""


class MetaDesk:
    """Answers `/commands` from the sitting's own state; a fault of the person's input is an
    answer, never an exception."""

    def __init__(self, sitting: Asides) -> None:
        self._sitting = sitting
        self._commands: dict[str, Callable[[str], MetaResult]] = {
            "help": lambda _: MetaResult("message", help_text(_WITHOUT_SCREEN)),
            "quit": lambda _: MetaResult("quit", "ending the sitting"),
            "state": self._state,
            "mode": self._mode,
            "plan": self._plan,
            "exec": self._exec,
            "permissions": StandingDesk(sitting).answer,
            "boundary": self._boundary,
            "status": lambda _: MetaResult("message", whereabouts(sitting)),
            "rename": lambda name: MetaResult("message", sitting.rename(name)),
            "undo": lambda more: _without(more, "undo", sitting.undo),
            "redo": lambda more: _without(more, "redo", sitting.redo),
            "clear": lambda _: sitting.begin_page(),
            "compact": lambda keep: _compaction(self._sitting.compact_plainly(keep)),
        }

    def run(self, text: str) -> MetaResult:
        """Carry out one command; blocks while a diff is made or files are looked for."""
        answer = self._answer(parse(text))
        return answer if isinstance(answer, MetaResult) else answer()

    async def arun(self, text: str) -> MetaResult:
        """As `run`, with its waiting in a thread and summaries written by the model."""
        call = parse(text)
        if call.name == "compact":
            return _compaction(await self._sitting.compact(call.argument.strip()))
        if call.name == "verify":
            return await self._sitting.verify(call.argument.strip())
        if call.name in ("undo", "redo") and not call.argument.strip():
            return await (self._sitting.aundo() if call.name == "undo" else self._sitting.aredo())
        answer = self._answer(call)
        return answer if isinstance(answer, MetaResult) else await asyncio.to_thread(answer)

    def _answer(self, call: MetaCall) -> MetaResult | Callable[[], MetaResult]:
        """The answer, or what makes it where that takes its time."""
        if call.name == "diff":
            return self._diff_source(call.argument)
        if call.name == "export":
            return partial(self._export, call.argument.strip())
        if call.name in ("instructions", "skills"):
            return partial(self._discovered, call.name)
        if call.name == "verify":
            return partial(self._sitting.verify_blocking, call.argument.strip())
        known = find_command(call.name)
        if known is not None and known.owner != "engine":
            where = (
                "is for the screen; there is none" if known.owner == "cockpit" else "cannot be had"
            )
            return MetaResult("message", f"/{known.name} {where} here")
        command = self._commands.get(call.name)
        return command(call.argument.strip()) if command else partial(self._skill, call)

    def _export(self, wanted: str) -> MetaResult:
        sitting = self._sitting
        try:
            text = export(
                sitting.journal_path,
                wanted,
                root=Path(sitting.state.workspace_root),
                session_id=sitting.state.session_id,
            )
        except PersonCanAct as problem:
            return MetaResult("message", str(problem), failed=True)
        return MetaResult("message", text)

    def _discovered(self, what: str) -> MetaResult:
        found = self._sitting.discover()
        if what == "skills":
            return MetaResult("message", skills.listing(found.skills, found.broken))
        return MetaResult("message", project_instructions.listing(found.instructions))

    def _skill(self, call: MetaCall) -> MetaResult:
        """The prompt that calls a skill: it becomes the skill's text on its way to the model."""
        is_call = call.name == "skill" or call.name.startswith("skill:")
        word, arguments = call.name.removeprefix("skill:"), call.argument
        if call.name == "skill":
            word, _, arguments = call.argument.partition(" ")
        skill = skills.called(word, self._sitting.discover().skills)
        if skill is None:
            none = f"there is no skill {clean_line(word)!r} to call; /skills lists them"
            none = none if word else "write /skill NAME [ARGUMENTS]; /skills lists them"
            return MetaResult("message", none if is_call else unknown_text(call.name))
        return MetaResult("prompt", f"{skills.SKILL_CALL}{skill.name} {arguments}".strip())

    def _state(self, _: str) -> MetaResult:
        state = self._sitting.state
        mode = state.mode or "auto"
        counts = f"goals: {len(state.tasks)} · turns: {len(state.history)}"
        return MetaResult("state", f"mode: {mode} · {counts}")

    def _mode(self, word: str) -> MetaResult:
        try:
            mode = parse_mode(word)
        except ValueError as error:
            which = f"which mode? (use {' | '.join(MODES)} | auto)"
            return MetaResult("message", str(error) if word else which)
        self._sitting.set_mode(mode)
        if mode is None:
            return MetaResult("mode_set", "mode set to auto: each prompt decides")
        later = " for the goals after this one" if self._sitting.execution.is_active else ""
        return MetaResult("mode_set", f"mode set to {mode}{later}")

    def _plan(self, _: str) -> MetaResult:
        self._sitting.enter_plan()
        return MetaResult("mode_set", "mode set to plan")

    def _exec(self, _: str) -> MetaResult:
        was_planning = self._sitting.mode == "plan" or self._sitting.execution.mode == "plan"
        self._sitting.leave_plan()
        text = "plan mode left" if was_planning else "not in plan mode"
        return MetaResult("mode_set" if was_planning else "message", text)

    def _boundary(self, argument: str) -> MetaResult:
        sitting = self._sitting
        try:
            wanted = parse_boundary(argument)
        except ValueError as error:
            return MetaResult("message", str(error))
        root = sitting.state.workspace_root
        if isinstance(wanted, SetBoundary):
            path, start, end = wanted.path, wanted.start, wanted.end
            fault = sitting.boundary_changed(
                lambda execution: execution.set_boundary(path, start, end, cwd=root)
            )
            lines = f"{start + 1}-{end + 1}"
            done = f"edits of {path} only in lines {lines}; commands cannot be bounded"
            return MetaResult("message", fault or done)
        gone = wanted.path
        if gone is None:
            sitting.boundary_changed(lambda execution: execution.clear_boundaries())
            return MetaResult("message", "all edit boundaries cleared")
        sitting.boundary_changed(lambda execution: execution.clear_boundary(gone, cwd=root))
        return MetaResult("message", f"edits of {gone} are no longer bounded")

    def _diff_source(self, argument: str) -> Callable[[], MetaResult] | MetaResult:
        """What makes the diff: of the sitting, of the newest goal, or against HEAD."""
        baselines = self._sitting.baselines()
        match argument.strip():
            case "head":
                return partial(_diff, self._sitting.harness.snapshots.diff_head)
            case "" | "sitting" if self._sitting.past:
                snapshots = self._sitting.harness.snapshots
                return partial(_diff_since_the_start, snapshots, baselines)
            case "" | "sitting":
                return partial(_diff, baselines[0].diff_now if baselines else _no_changes)
            case "goal":
                source = baselines[-1].diff_now if baselines else _no_changes
                return partial(_diff, source, is_resumed=bool(self._sitting.past))
            case other:
                text = f"/diff {other}: there is /diff (this sitting), /diff goal and /diff head"
                return MetaResult("message", clean_line(text))


_SINCE = "# since the sitting was taken up again; /diff head compares with the last commit"
_NONE_SINCE = (
    "nothing changed since the sitting was taken up again; what its earlier goals "
    "changed is in the transcript, and /diff head compares with the last commit"
)


def _no_changes() -> str:
    return ""


def _diff_since_the_start(snapshots: SnapshotPort, baselines: Sequence[Baseline]) -> MetaResult:
    """Of a sitting that was taken up again: since its first goal where its snapshots are still
    there, else since it was taken up again. Blocks."""
    first = snapshots.first_of_all()
    if first is not None:
        return _diff(partial(snapshots.diff, first))
    return _diff(baselines[0].diff_now if baselines else _no_changes, is_resumed=True)


def _diff(source: Callable[[], str], *, is_resumed: bool = False) -> MetaResult:
    """The diff, or why there is none; `is_resumed`: it says no more than what happened since
    the sitting was taken up again. Blocks."""
    try:
        diff = source()
    except WorkspaceError as error:
        return MetaResult("message", f"no diff can be made: {clean_line(str(error))}")
    if not is_resumed:
        return MetaResult("diff", diff)
    return MetaResult("diff", f"{_SINCE}\n{diff}") if diff else MetaResult("message", _NONE_SINCE)


def _without(argument: str, name: str, command: Callable[[], MetaResult]) -> MetaResult:
    """A command that takes nothing; what else was typed may mean something that it is not."""
    return MetaResult("message", f"/{name} takes nothing") if argument else command()


def _compaction(came_to: str) -> MetaResult:
    """What a compaction came to; one that was done has its own line in the transcript."""
    return MetaResult("told" if came_to == COMPACTED else "message", came_to)
