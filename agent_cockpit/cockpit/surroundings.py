"""What stands around the transcript: each of it is shown where there is room, and says once
what is so now."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual.app import App
from textual.widget import Widget

from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.side import Side
from agent_cockpit.cockpit.widgets.approval_modal import SMALL_ROWS, ApprovalModal
from agent_cockpit.cockpit.widgets.plan_line import PlanLine
from agent_cockpit.cockpit.widgets.waiting_list import WaitingList
from agent_cockpit.cockpit.widgets.welcome import Welcome

if TYPE_CHECKING:
    from agent_cockpit.transcript.fold import Transcript
    from agent_cockpit.transcript.status import Status


MOST_WARNINGS = 5
"""Of more the welcome would push some out of sight."""


class Surroundings:
    """Owns the widgets between transcript and prompt, and the side panel."""

    def __init__(
        self,
        app: App[Any],
        panel: ApprovalModal,
        remembered: Remembered,
        *,
        title: str,
        suggestion: str,
    ) -> None:
        self.welcome = Welcome(title, suggestion=suggestion, id="welcome")
        self.waiting = WaitingList(id="waiting")
        self.plan_line = PlanLine(id="plan-line")
        self.side = Side(app, remembered)
        self._app = app
        self._panel = panel

    @property
    def above_the_prompt(self) -> tuple[Widget, ...]:
        """What stands there from time to time; none of it at the start."""
        return self.plan_line, self.waiting

    def present(
        self, status: Status | None, waiting: Sequence[tuple[str, str]], now: Situation
    ) -> bool:
        """Show the present; False: a question needs the rows that are there, nothing else is
        shown beside it and the prompt."""
        is_small = self._app.size.height < SMALL_ROWS
        crowded = self._panel.is_open and (is_small or self._panel.is_whole)
        self._app.screen_stack[0].set_class(crowded, "-crowded")
        self.welcome.stand(below=now.has_blocks)
        self.welcome.display = not now.has_begun and not crowded
        beside = self.side.present(status, waiting)
        if self._panel.beside != beside:
            self._panel.beside = beside
            self._panel.fit()
        self.waiting.show([] if crowded or beside else waiting)
        self.plan_line.show(status, crowded=crowded or is_small or beside > 0)
        return not crowded


def has_begun(transcript: Transcript) -> bool:
    """Whether there is more to read than warnings of the start: these stand above the welcome."""
    from agent_cockpit.transcript.blocks import NoticeBlock

    if len(transcript) > MOST_WARNINGS:
        return True
    blocks = [transcript.block(key) for key in range(len(transcript))]
    return any(not isinstance(block, NoticeBlock) or block.level != "warning" for block in blocks)


def placeholder(now: Situation) -> str:
    """What the empty prompt says."""
    if now.choosing:
        return "words of a prompt that you sent"
    if now.offers_demo:
        return "enter opens the demo"
    if now.running:
        return "steer the goal, or queue the next one"
    if now.offers_to_go_on:
        return "enter goes on with what was interrupted, or write something else"
    return "ask, or describe a change"
