"""Which kind of goal a prompt becomes: explicit pin, then classifier, then words."""

from __future__ import annotations

import asyncio
import inspect
import threading
from collections.abc import Sequence

from agent_cockpit.engine.ports import ModeClassifier
from agent_cockpit.engine.state import Turn
from agent_cockpit.rules.modes import Mode, TaskKind, default_mode

HISTORY_LINES = 8
"""How much of the conversation a classifier is shown."""


class ModeRouter:
    """Remembers the newest verdict, so that one goal pays for one classification at most.

    A classifier that fails, takes too long, or answers anything but a task kind leaves the
    decision to the words: routing can lose quality, never block.
    """

    def __init__(self, classifier: ModeClassifier | None, *, timeout_s: float) -> None:
        self._classifier = classifier
        self._timeout_s = timeout_s
        self._memo: tuple[str, TaskKind, str] | None = None
        self.source = "heuristic"
        """How the newest verdict was reached: override, classifier or heuristic."""

    def forget(self) -> None:
        """The goal is recorded: the same words are asked about anew next time."""
        self._memo = None

    async def resolve(self, prompt: str, pin: Mode | None, history: Sequence[Turn]) -> Mode:
        """The mode for `prompt`; may wait for the classifier."""
        known = self._known(prompt, pin)
        if known is not None:
            return known
        verdict = None
        if self._classifier is not None:
            verdict = await _ask(self._classifier, prompt, _lines(history), self._timeout_s)
        return self._decide(prompt, verdict)

    def resolve_blocking(self, prompt: str, pin: Mode | None, history: Sequence[Turn]) -> Mode:
        """As `resolve`, for callers that cannot await; a classifier runs in a thread."""
        known = self._known(prompt, pin)
        if known is not None:
            return known
        verdicts: list[TaskKind | None] = [None]
        classifier = self._classifier
        if classifier is not None:

            def classify() -> None:
                lines = _lines(history)
                verdicts[0] = asyncio.run(_ask(classifier, prompt, lines, self._timeout_s))

            thread = threading.Thread(target=classify, daemon=True)
            thread.start()
            thread.join(self._timeout_s + 1)
        return self._decide(prompt, verdicts[0])

    def _known(self, prompt: str, pin: Mode | None) -> Mode | None:
        if pin is not None:
            self.source = "override"
            return pin
        if self._memo is not None and self._memo[0] == prompt:
            self.source = self._memo[2]
            return self._memo[1]
        return None

    def _decide(self, prompt: str, verdict: TaskKind | None) -> TaskKind:
        self.source = "heuristic" if verdict is None else "classifier"
        kind: TaskKind = default_mode(prompt) if verdict is None else verdict
        self._memo = (prompt, kind, self.source)
        return kind


def _lines(history: Sequence[Turn]) -> list[str]:
    return [f"{turn.role}: {turn.text}" for turn in history[-HISTORY_LINES:]]


async def _ask(
    classifier: ModeClassifier, prompt: str, lines: list[str], timeout_s: float
) -> TaskKind | None:
    """The classifier's verdict, None for anything else than a task kind in time."""
    try:
        async with asyncio.timeout(timeout_s):
            answer = classifier.classify(prompt, history=lines)
            verdict = await answer if inspect.isawaitable(answer) else answer
    except Exception:  # any fault of a router only costs quality: the words decide instead
        return None
    match verdict:
        case "edit" | "investigate" | "test_only":
            return verdict
        case _:
            return None
