"""Random sittings in which everything fails at any moment; what must hold after each of them.

`python -m tests.engine.fault_storm --runs 5000` runs seeds 0 to 4999 and says which of them
broke a law; `--seed N` runs one again.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import sys
import tempfile
import threading
import traceback
from collections.abc import Callable, Coroutine
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.engine.state import PlanDecision
from agent_cockpit.events.harness import ApprovalRequested
from agent_cockpit.events.messages import TextBlock
from tests.engine.storm_laws import Story, broken_laws
from tests.support.moments import Moments
from tests.support.storm_parts import (
    StormApprover,
    StormClassifier,
    StormHarness,
    branch,
)
from tests.support.waiting import WITHIN_S

LONGEST_S = 40.0
"""A run that is asked to stop and has not stopped by then is stuck."""
QUIET_S = 0.05
"""With nothing left to happen for this long, a question that nobody answers is given up."""


class DeciderBroke(Exception):
    """The front end's own fault, which is the front end's to see."""


def _make_full(path: Path) -> None:
    """Let every further write through the open file fail as on a full disk, where the system
    has a device for that."""
    for link in Path("/proc/self/fd").glob("*"):
        with suppress(OSError):
            if link.readlink() == path.resolve():
                full = os.open("/dev/full", os.O_WRONLY)
                os.dup2(full, int(link.name))
                os.close(full)


@dataclass(frozen=True)
class ActAt:
    """One thing that happens at one moment, in place of what chance would do."""

    name: str
    moment: int


class Storm:
    """One sitting of a seed: its parts, its people, and the acts at its moments."""

    def __init__(self, seed: int, home: Path, act: ActAt | None = None) -> None:
        chance = random.Random(seed)
        self.chance = branch(chance)
        self.person = branch(chance)
        (home / "project").mkdir(parents=True)
        self.harness = StormHarness(
            home / "project",
            home / "state",
            branch(chance),
            max_iterations=chance.choice([2, 4, 6]),
            max_refusals=3,
            max_consecutive_failures=3,
            max_repair_attempts=chance.choice([0, 1, 2]),
            max_declaration_nudges=1,
            transport_max_retries=chance.choice([0, 1, 2]),
            approval_timeout_seconds=chance.choice([None, None, 0.02]),
            max_wall_clock_seconds=chance.choice([None, None, None, 0.05]),
            classifier_timeout_seconds=0.02,
        )
        self.journal = self._journal(home, branch(chance)) if chance.random() < 0.5 else None
        self.repl = ReplSession(
            self.harness,
            auto=chance.random() < 0.4,
            journal=self.journal,
            classifier=StormClassifier(branch(chance)) if chance.random() < 0.3 else None,
        )
        self.harness.voice.is_active = lambda: self.repl.execution.is_active
        self.repl.with_approver(StormApprover(branch(chance)))
        self.story = Story()
        self.running: set[asyncio.Task[Any]] = set()
        self.driving: asyncio.Task[Any] | None = None
        self._said = 0
        moments: dict[int, list[Callable[[], object]]] = {}
        if act is not None:
            moments[act.moment] = [self._only_acts()[act.name]]
        else:
            for _ in range(chance.choice([0, 1, 2, 4, 8])):
                at = int(chance.triangular(1, 220, 20))
                moments.setdefault(at, []).append(chance.choice(self._acts()))
        self.moments = Moments(moments)

    # ── what happens at moments ──────────────────────────────────────────────────────────────

    def _acts(self) -> list[Callable[[], object]]:
        repl = self.repl
        return [
            lambda: self.beside(repl.cancel("esc")),
            lambda: self._from_thread(lambda: repl.cancel_handle().cancel("handle")),
            self._stop_hard,
            self._stop_hard_twice,
            repl.enter_plan,
            repl.leave_plan,
            repl.cycle_consent,
            lambda: repl.set_mode(self.chance.choice(["edit", "investigate", "plan", None])),
            lambda: self._say("steering"),
            lambda: self._say("steering"),
            lambda: self._say("follow_up"),
            self._push,
            lambda: self._from_thread(self._push),
            lambda: self.story.taken.extend(repl.recall()),
            lambda: self.beside(repl.resolve_approval("never issued", allow=True, remember=True)),
            self._answer_something_old,
            lambda: repl.boundary_changed(lambda e: e.set_boundary("a.txt", 2, 5)),
            lambda: repl.revoke_trust(),
            lambda: self.beside(repl.aclose()),
        ]

    def _only_acts(self) -> dict[str, Callable[[], object]]:
        return {
            "cancel": lambda: self.beside(self.repl.cancel("esc")),
            "hard": self._stop_hard,
            "hard twice": self._stop_hard_twice,
            "plan": self.repl.enter_plan,
            "close": lambda: self.beside(self.repl.aclose()),
        }

    def _stop_hard(self) -> None:
        if self.driving is not None and not self.driving.done():
            self.story.stopped_hard.add(self.driving)
            self.driving.cancel()

    def _stop_hard_twice(self) -> None:
        self._stop_hard()
        asyncio.get_running_loop().call_soon(self._stop_hard)

    def _say(self, kind: Any) -> None:
        text = self._new_text(kind)
        self.beside(self.repl.drive(text, kind=kind, decide=self.decide), drives=True)

    def _push(self) -> None:
        self.repl.input_queue().push(self._new_text("pushed"))

    def _new_text(self, kind: str) -> str:
        self._said += 1
        return f"{kind}-{self._said}"

    def _answer_something_old(self) -> None:
        ids = [e.approval_id for e in self.story.events if isinstance(e, ApprovalRequested)]
        if ids:
            self.beside(self.repl.resolve_approval(ids[0], allow=True))

    def _from_thread(self, act: Callable[[], object]) -> None:
        thread = threading.Thread(target=act)
        thread.start()
        thread.join(WITHIN_S)
        if thread.is_alive():
            self.story.faults.append("a call from another thread never returned")

    def beside(self, work: Coroutine[Any, Any, Any], *, drives: bool = False) -> asyncio.Task[Any]:
        """Run it as another front end would; it is waited for in the end."""
        task = asyncio.get_running_loop().create_task(work, name=getattr(work, "__qualname__", ""))
        self.running.add(task)
        if drives:
            self.story.drives.append(task)
        return task

    # ── the person ───────────────────────────────────────────────────────────────────────────

    async def answer_questions(self) -> None:
        """Read the sitting's events to their end, and decide, now and then."""
        async for event in self.story.listen(self.repl):
            if isinstance(event, ApprovalRequested):
                for _ in range(self.person.choice([1, 1, 1, 2])):
                    await self._answer(event)

    async def _answer(self, question: ApprovalRequested) -> None:
        chance = self.person
        match chance.choice(["yes"] * 4 + ["no", "no", "always", "trust", "edit", "silence"]):
            case "silence":
                return
            case "no":
                how: dict[str, Any] = {"allow": False, "reason": chance.choice(["", "because"])}
            case "always":
                how = {"allow": True, "remember": True}
            case "trust":
                how = {"allow": True, "scope": chance.choice(["turn", "session", "grant", "x"])}
            case "edit":
                how = {"allow": True, "edited": {"do": chance.choice(["ok", "raise", 7])}}
            case _:
                how = {"allow": True}
        await self.repl.resolve_approval(question.approval_id, **how)

    async def decide(self, plan: str) -> PlanDecision | None:
        """The plan's fate."""
        chance = self.person
        if chance.random() < 0.3:
            self._say(chance.choice(["steering", "follow_up"]))
        match chance.choice(["yes", "yes", "edited", "note", "leave", "raise", "slow"]):
            case "edited":
                return PlanDecision(True, "another plan")
            case "note":
                return PlanDecision(False, "no")
            case "leave":
                return None
            case "raise":
                raise DeciderBroke
            case "slow":
                for _ in range(20):
                    await asyncio.sleep(0)
        return PlanDecision(True, "")

    # ── the run ──────────────────────────────────────────────────────────────────────────────

    async def run(self) -> list[str]:
        """The sitting from its first prompt to its close; the laws that it broke."""
        self.moments.watch(asyncio.get_running_loop())
        self.story.begin(self.repl)
        person = asyncio.get_running_loop().create_task(self.answer_questions())
        for number in range(self.chance.choice([1, 2, 3])):
            self.driving = self.beside(self._goal(f"prompt-{number}"), drives=True)
            await self._until_all_is_quiet()
            self.story.check_rest(self.repl)
        await self._until_all_is_quiet()
        self.story.at_rest(self.repl, self.harness)
        await self.repl.aclose()
        await asyncio.wait({person}, timeout=LONGEST_S)
        await self._expect_nothing_left()
        journal = self.journal
        whole = journal is not None and not self.story.lost_lines
        recorded = load_events(journal.path) if journal is not None and whole else None
        return [*self.story.faults, *broken_laws(self.story, self.harness, recorded)]

    def _goal(self, text: str) -> Coroutine[Any, Any, Any]:
        repl = self.repl
        way = self.chance.choice(["drive"] * 6 + ["run", "run_text", "submit", "plan", "steps"])
        match way:
            case "run":
                return repl.run([TextBlock(text=text)])
            case "run_text":
                return repl.run_text(text)
            case "submit":
                return repl.submit(text)
            case "plan":
                return repl.submit_plan(text, self.decide)
            case "steps":
                return self._in_steps(text)
        return repl.drive(text, decide=self.decide)

    async def _in_steps(self, text: str) -> None:
        session = await self.repl.astart(text)
        self.repl.record(await session.run())

    async def _until_all_is_quiet(self) -> None:
        """Wait for everything that was begun; what then still waits for a person is cancelled."""
        if await self._waited(QUIET_S):
            return
        for _ in range(20):
            await self.repl.cancel("closing time")
            if await self._waited(LONGEST_S / 20):
                return
        for task in self.running:
            if not task.done():
                stack = "".join(str(frame) + "\n" for frame in task.get_stack())
                self.story.faults.append(f"stuck: {task.get_coro()}\n{stack}")
                task.cancel()

    async def _waited(self, for_s: float) -> bool:
        if not self.running:
            return True
        done, waiting = await asyncio.wait(self.running, timeout=for_s)
        self.running -= done
        for task in done:
            self.story.ended(task)
        return not waiting and not self.running

    async def _expect_nothing_left(self) -> None:
        mine = asyncio.current_task()
        await asyncio.sleep(0)
        left = [task for task in asyncio.all_tasks() if task is not mine]
        names = [getattr(task.get_coro(), "__qualname__", "") for task in left]
        self.story.faults += [f"a task is left: {name}" for name in names]

    def _journal(self, home: Path, chance: random.Random) -> JsonlEventJournal:
        path = home / "journal.jsonl"
        fails_at = chance.choice([0, 0, chance.randint(1, 80)])
        written = 0

        def fill_the_disk(text: str) -> str:
            nonlocal written
            written += 1
            if written == fails_at:
                _make_full(path)
            return text

        return JsonlEventJournal(path, redactor=fill_the_disk)


def run_seed(seed: int) -> list[str]:
    """Run one sitting; the laws that it broke."""
    return _run(seed, None)[0]


def act_at_every_await(seed: int, name: str, *, up_to: int = 400) -> dict[int, list[str]]:
    """Run a sitting again and again, with one act at its first await, its second, and so on to
    its last; the laws that each broke."""
    broken: dict[int, list[str]] = {}
    for moment in range(1, up_to):
        faults, moments = _run(seed, ActAt(name, moment))
        if faults:
            broken[moment] = faults
        if moments < moment:
            break
    return broken


def _run(seed: int, act: ActAt | None) -> tuple[list[str], int]:
    loop_faults: list[str] = []
    moments = 0

    async def main() -> list[str]:
        nonlocal moments
        asyncio.get_running_loop().set_exception_handler(
            lambda _, context: loop_faults.append(f"unseen: {context}")
        )
        with tempfile.TemporaryDirectory() as home:
            storm = Storm(seed, Path(home), act)
            faults = await storm.run()
            moments = storm.moments.count
            return faults

    try:
        return [*asyncio.run(main()), *loop_faults], moments
    except Exception:
        return [traceback.format_exc()], moments


def main() -> None:
    """Run seeds from the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--runs", type=int, default=1000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--seed", type=int)
    options = parser.parse_args()
    first = options.first if options.seed is None else options.seed
    seeds = range(first, first + (options.runs if options.seed is None else 1))
    broken = 0
    for seed in seeds:
        if faults := run_seed(seed):
            broken += 1
            print(f"seed {seed}:", *faults, sep="\n    ", flush=True)
    print(f"{len(seeds)} sittings, {broken} of them broke a law")
    sys.exit(bool(broken))


if __name__ == "__main__":
    main()
