"""The front end of plain lines: reads prompts, tells what happens, asks by numbers.

Laws: lines are only added, nothing moves the cursor; the engine's loop stands still while a
prompt is typed, so that typing is the system's own; an answer counts only when it was typed
after its question was told whole.
"""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Coroutine, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from typing import TYPE_CHECKING, Any, TextIO

from agent_cockpit.cockpit.consent.answers import Level
from agent_cockpit.cockpit.consent.plan_review import PlanAnswer
from agent_cockpit.cockpit.consent.question import Question
from agent_cockpit.cockpit.consent.quiet import QUIET_S
from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.farewell import how_to_go_on, how_to_resume
from agent_cockpit.plain.asking import Asking
from agent_cockpit.plain.feed import Feed
from agent_cockpit.plain.greeting import greeting
from agent_cockpit.plain.hearing import Hearing
from agent_cockpit.plain.own_lines import SHELL_SIGN, OwnLines
from agent_cockpit.plain.page import Page, Verbatim
from agent_cockpit.plain.prompts import Prompts
from agent_cockpit.plain.reading import Lines
from agent_cockpit.rules.meta_commands import is_meta
from agent_cockpit.text import clean

if TYPE_CHECKING:
    from agent_cockpit.cockpit.prompt.prompt_keeper import Memory
    from agent_cockpit.engine.ports import SittingSource
    from agent_cockpit.engine.state import MetaResult
    from agent_cockpit.events.base import Event

_SIGNS: dict[Level, str] = {"info": "-", "warning": "!", "error": "!!"}
_GATES = {"accept_edits": "accepts edits", "plan": "plan"}
"""Ways of consent that the prompt line names; asking first goes without saying."""
_END_PAUSE_S = 0.2
"""Ctrl+D means nothing while a goal runs, and a terminal that is gone gives it for ever."""
_CLOSING_S = 1.0
"""The last events come within this, or not at all."""


class PlainFront:
    """One person, one sitting; `run` from the main thread, once. `quiet_s` is how long a
    question stands before an answer to it counts."""

    def __init__(
        self,
        source: SittingSource,
        *,
        lines: Lines,
        out: TextIO,
        title: str = "",
        suggestion: str = "",
        open_new: Callable[[], SittingSource] | None = None,
        memory: Memory | None = None,
        quiet_s: float = QUIET_S,
    ) -> None:
        self._source: Any = source
        self.lines = lines
        self.page = Page(out)
        self._title = title
        self._suggestion = suggestion
        self._open_new = open_new
        self._prompts = Prompts(lines, memory, lambda text: self.tell(text, "warning"))
        self._quiet_s = quiet_s
        self._changed = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._following: asyncio.Task[None] | None = None
        self._is_leaving = False
        self._said_end = False
        """Whether the end of input came behind the end of a goal, before the next prompt."""
        self._gone: Exception | None = None
        """Why nothing can be said any more."""
        self.driving = Driving(self, self.start)
        self._own_lines = OwnLines(self)
        self.feed = Feed()
        self._hearing, self._asking = self._ears()
        """With the feed, new for each sitting."""

    def run(self) -> int:
        """Take prompts until the person leaves; the exit code. Raises `BrokenPipeError` when
        whoever read the lines has left, once the sitting is closed."""
        with asyncio.Runner() as runner:
            try:
                self._prompts.recall()
                runner.run(self._open())
                self._take_prompts(runner)
            finally:
                runner.run(self._close())
                self._prompts.close()
        if isinstance(self._gone, BrokenPipeError):
            raise self._gone
        if self._gone is not None:
            raise PersonCanAct(f"the lines cannot be written: {self._gone}")
        return 0

    # prompts, while the loop stands still

    def _take_prompts(self, runner: asyncio.Runner) -> None:
        has_warned = False
        while not self._is_leaving:
            draft = self._prompts.take_draft()
            try:
                text = self._prompt(draft)
            except KeyboardInterrupt:
                if has_warned or not self.lines.is_terminal:
                    break
                has_warned = True
                self._say(["", "- ctrl+c again quits"])
                continue
            has_warned = False
            if text is None:
                self._say([""])
                break
            if not text.strip():
                text = self.driving.unfinished
            if not self.lines.is_terminal and text.strip():
                self._say(["", *(f"> {line}" for line in clean(text).split("\n"))])
            if text.strip() == "/new" and self._open_new is not None:
                runner.run(self._change(self._open_new))
            elif text.strip():
                runner.run(self._hearing_stop(self._take(text)))
            self._is_leaving = self._is_leaving or self._said_end

    def _prompt(self, draft: str) -> str | None:
        """What the person writes, under the name of how calls are asked about."""
        gate = "plan" if self.feed.status.gate == "plan" else self.driving.consent
        head = f"{_GATES[gate]}> " if gate in _GATES else "> "
        return self._prompts.next(head, draft=draft)

    async def _take(self, text: str) -> None:
        """Do what a line asks for, to its end."""
        prompts, self._said_end = self.feed.prompts_seen, False
        self._hand_over(text)
        listening = asyncio.create_task(self._listen(prompts)) if self.lines.is_terminal else None
        try:
            while (self._tasks or not self.driving.is_at_rest) and not self._is_leaving:
                self._changed.clear()
                await self._changed.wait()
        finally:
            if listening is not None:
                listening.cancel()
                with suppress(asyncio.CancelledError):
                    await listening
            self._told()

    def _hand_over(self, text: str) -> None:
        if not is_meta(text):
            self._prompts.sent(text)
        if self._own_lines.take(text):
            return
        if is_meta(text):
            self.driving.meta(text)
        else:
            self.driving.send(text, "steering")

    async def _listen(self, prompts: int) -> None:
        """What is typed while a goal runs, behind so many prompts: an answer where one is due,
        else words for it."""
        while True:
            line = await self.lines.next()
            if self._hearing.heard(line):
                continue
            if line is None:
                self._said_end = self.feed.has_told_end(since=prompts)
                await asyncio.sleep(_END_PAUSE_S)
            elif line.strip():
                self._said_end = False
                self._hand_over(line)
                is_prompt = not line.startswith(("/", SHELL_SIGN))
                self._say(["- it joins the running goal"] if is_prompt else [])

    # the source

    async def _open(self) -> None:
        past: tuple[Event, ...] = getattr(self._source, "take_past", tuple)()
        stream = self._source.events()
        self.feed.recall(past)
        self.driving.opened(self._source, self.feed)
        self.feed.take(stream.take_unread())
        self._following = asyncio.ensure_future(self._follow(stream))
        self._greet()

    async def _change(self, open_new: Callable[[], SittingSource]) -> None:
        """Leave this sitting for a new one; what cannot be opened ends the front end."""
        again = how_to_resume(self.driving.source)
        await self._close_sitting()
        self._source = open_new()
        self.feed = Feed()
        self._hearing, self._asking = self._ears()
        if again:
            self.tell(f"the sitting before goes on with {again}")
        self._suggestion = ""
        await self._open()

    def _greet(self) -> None:
        self._say(greeting(self.feed, title=self._title, suggestion=self._suggestion))
        self._told()
        if self.driving.unfinished:
            self._say(["- it was interrupted: enter alone goes on with it"])

    async def _follow(self, stream: Any) -> None:
        async for event in stream:
            recalled = self.feed.take((event, *stream.take_unread()))
            self._told()
            for text in reversed(recalled):
                self.give_back(text)
            self._asking.sync(self.feed.status.approvals, self._answer)
            self._changed.set()

    def _answer(self, approval_id: str, given: Any, done: Callable[[bool], None]) -> None:
        self.feed.telling.seen.add(approval_id)
        self.driving.resolve(approval_id, given, done)

    async def _close(self) -> None:
        self._is_leaving = True
        again = how_to_go_on(self.driving.source)
        problem = await self._close_sitting()
        self._say([*map(Verbatim, again.splitlines()), *filter(None, (problem,))])

    async def _close_sitting(self) -> str:
        """What did not go well; everything that ran in the sitting is over."""
        self._asking.leave()
        problem = await self.driving.close()
        tasks = {*self._tasks, *filter(None, (self._following,))}
        if tasks:
            await asyncio.wait(tasks, timeout=_CLOSING_S)
        for task in tasks:
            task.cancel()
        return problem

    # stopping

    async def _hearing_stop(self, work: Coroutine[Any, Any, None]) -> None:
        with _heard(self._interrupt):
            await work

    def _interrupt(self) -> None:
        """Ctrl+C while something runs: stop it, and at the second time leave. In an editor it
        is the editor's."""
        if self.lines.is_lent:
            return
        if self.driving.interrupt():
            self._say(["", "- stopping; ctrl+c again quits"])
        else:
            self._is_leaving = True
            self._changed.set()

    # what driving and its own lines ask of their desk

    def tell(self, text: str, level: Level = "info") -> None:
        """Say something of the front end's own."""
        first, *more = clean(text).strip().split("\n")
        self._say([f"{_SIGNS[level]} {first}", *(f"  {line}" for line in more)])

    def note(self, text: str) -> None:
        """The same: nothing here fades."""
        self.tell(text)

    def give_back(self, text: str) -> None:
        """Put a prompt that was not sent into the next line, or say what it was."""
        self._prompts.give_back(text)
        self.tell(f"not sent: {text}", "warning")

    def present(self) -> None:
        """Something changed that the loop may wait for."""
        self._changed.set()

    def show_meta(self, result: MetaResult) -> None:
        """Tell what a local command came to."""
        if result.kind == "quit":
            self._is_leaving = True
        elif result.kind == "diff" and result.text:
            self._say(map(Verbatim, clean(result.text).rstrip("\n").split("\n")))
        elif result.kind == "diff":
            self.tell("no changes")
        elif result.kind != "told":
            self.tell(result.text, "warning" if result.failed else "info")

    async def ask(self, question: Question) -> str:
        """Put a question of the sitting's own; no without an answer."""
        given = await self._asking.ask(question)
        return given.answer if given is not None else "deny"

    async def ask_about_plan(
        self, plan: str, *, earlier: Sequence[str] = (), notes_left: int | None = None
    ) -> PlanAnswer | None:
        """Tell a plan and take the decision; None leaves it."""
        is_told = self.feed.telling.has_told(plan)
        return await self._asking.ask_about_plan(
            plan, earlier=earlier, notes_left=notes_left, is_told=is_told
        )

    # helpers

    def _ears(self) -> tuple[Hearing, Asking]:
        hearing = Hearing(self.lines, self._say, quiet_s=self._quiet_s)
        return hearing, Asking(hearing, self._say, self.driving.reconsider)

    def start(self, work: Coroutine[Any, Any, None]) -> object:
        """Do something beside the prompts; the next one is read when it is done."""
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._changed.set()

    def _told(self) -> None:
        telling = self.feed.telling
        self._say([*telling.news(), *telling.steps(self.feed.status.plan_steps)])

    def _say(self, lines: Iterable[str]) -> None:
        self.put(lambda: self.page.say(lines))

    def put(self, onto_the_page: Callable[[], None]) -> None:
        """Write to the page; when that cannot be done any more, leave."""
        if self._gone is not None:
            return
        try:
            onto_the_page()
        except (OSError, ValueError) as problem:  # nobody reads any more, so nobody can answer
            self._gone, self._is_leaving = problem, True
            self._asking.leave()
            self._changed.set()


@contextmanager
def _heard(interrupted: Callable[[], None]) -> Iterator[None]:
    """Ctrl+C calls this while the block runs; elsewhere it is Python's own."""
    loop = asyncio.get_running_loop()
    try:
        loop.add_signal_handler(signal.SIGINT, interrupted)
    except (NotImplementedError, ValueError, RuntimeError):
        yield
        return
    try:
        yield
    finally:
        loop.remove_signal_handler(signal.SIGINT)
