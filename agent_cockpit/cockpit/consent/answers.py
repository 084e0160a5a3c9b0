"""How a person's answers reach the source: a decision about a call, a call as they changed it.

Law: the source decides what an answer means; one that it does not take is told.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine, Sequence
from typing import TYPE_CHECKING, Any, Literal, Protocol

from agent_cockpit.text import reveal_line

if TYPE_CHECKING:
    from agent_cockpit.cockpit.consent.choice import Given
    from agent_cockpit.cockpit.consent.plan_review import PlanAnswer
    from agent_cockpit.cockpit.consent.question import Question
    from agent_cockpit.engine.ports import SittingSource
    from agent_cockpit.engine.state import MetaResult

Judged = Callable[["Question | None", str], None]
Level = Literal["info", "warning", "error"]


class Desk(Protocol):
    """What driving needs of the app."""

    def tell(self, text: str, level: Level = "info") -> None: ...
    def give_back(self, text: str) -> None: ...
    def note(self, text: str) -> None: ...
    def present(self) -> None: ...
    def show_meta(self, result: MetaResult) -> None: ...
    async def ask(self, question: Question) -> str: ...
    async def ask_about_plan(
        self, plan: str, *, earlier: Sequence[str] = (), notes_left: int | None = None
    ) -> PlanAnswer | None: ...


class Answers:
    """The ground floor of `Driving`, which alone is made; it owns the source once it is open."""

    def __init__(self, desk: Desk, start: Callable[[Coroutine[Any, Any, None]], object]) -> None:
        self.source: SittingSource | None = None
        self._desk = desk
        self._start = start

    def resolve(self, approval_id: str, given: Given, done: Callable[[bool], None]) -> None:
        """Give an answer to a waiting call; `done` is told whether the source has taken it."""
        self._start(self._resolve(approval_id, given, done))

    def reconsider(self, approval_id: str, values: dict[str, Any], judged: Judged) -> None:
        """Have a call judged as a person changed it; `judged` gets the question that it puts,
        or what is wrong with it."""
        self._start(self._reconsider(approval_id, values, judged))

    async def _resolve(self, approval_id: str, given: Given, done: Callable[[bool], None]) -> None:
        source, is_taken = self.source, False
        if source is None:
            return
        try:
            await source.resolve_approval(
                approval_id,
                allow=given.answer != "deny",
                remember=given.scope == "grant",
                reason=given.note,
                scope=given.scope if given.scope in ("turn", "session") else None,
                edited=given.edited,
                kept=given.kept,
            )
            is_taken = True
        except Exception as problem:
            self._desk.tell(f"the answer was not taken: {words_of(problem)}", "error")
        finally:
            done(is_taken)

    async def _reconsider(self, approval_id: str, values: dict[str, Any], judged: Judged) -> None:
        reconsider = getattr(self.source, "reconsider", None)
        if reconsider is None:
            judged(None, "this sitting takes calls only as they are")
            return
        try:
            asked = await reconsider(approval_id, values)
        except Exception as problem:
            judged(None, reveal_line(words_of(problem)))
        else:
            from agent_cockpit.cockpit.consent.about_call import about_call

            judged(about_call(asked, is_edited=True), "")


def words_of(error: BaseException) -> str:
    """What an error says, or what it is when it says nothing."""
    return str(error) or type(error).__name__
