"""What stands on the screen from its second picture on: the transcript, the panel that asks, and
what is around them, each where there is room.

Law: nobody loads this before the first paint.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import tzinfo
from typing import TYPE_CHECKING, Any

from textual.app import App

from agent_cockpit.cockpit.asking import Asking, Show
from agent_cockpit.cockpit.consent.quiet import QUIET_S
from agent_cockpit.cockpit.gate import KeyGate
from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.cockpit.look.selecting import Selecting
from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal
from agent_cockpit.cockpit.panels.question_frame import SMALL_ROWS
from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.side import Side
from agent_cockpit.cockpit.transcript.transcript import TranscriptView
from agent_cockpit.cockpit.widgets.plan_line import PlanLine
from agent_cockpit.cockpit.widgets.waiting_list import WaitingList
from agent_cockpit.cockpit.widgets.welcome import Welcome

if TYPE_CHECKING:
    from agent_cockpit.transcript.fold import Transcript
    from agent_cockpit.transcript.status import Status


QUESTION_WAITS = "? a question waits"
MOST_WARNINGS = 5
"""Of more the welcome would push some out of sight."""


class Surroundings:
    """Owns all of it but the welcome; `mount` it once, `present` it when something changed."""

    def __init__(
        self,
        app: App[Any],
        *,
        welcome: Welcome,
        composer: Composer,
        remembered: Remembered,
        show: Show,
        read_only: bool,
        quiet_s: float | None,
        zone: tzinfo | None,
    ) -> None:
        self.transcript_view = TranscriptView(id="transcript", zone=zone, remembered=remembered)
        self.transcript_view.display = False
        self.panel = ApprovalModal(
            quiet_s=QUIET_S if quiet_s is None else quiet_s, read_only=read_only, id="panel"
        )
        self.waiting = WaitingList(id="waiting")
        self.plan_line = PlanLine(id="plan-line")
        self.side = Side(app, remembered)
        self.asking = Asking(self.panel, show)
        self.gate = KeyGate(self.panel, composer, app.set_focus)
        self._welcome = welcome
        self._app = app

    async def mount(self) -> None:
        """Put it up around the welcome, unseen as long as it says nothing."""
        screen = self._app.screen_stack[0]
        screen.mount(self.transcript_view, before=self._welcome)
        await screen.mount(self.plan_line, self.waiting, self.panel, after=self._welcome)

    def situated(self, now: Situation, transcript: Transcript | None) -> Situation:
        """The situation, with what was said and is asked here."""
        panel = self.panel
        return now._replace(
            has_blocks=transcript is not None and len(transcript) > 0,
            has_begun=transcript is not None and _has_begun(transcript),
            asking=panel.is_lit,
            has_question=panel.is_open,
            can_widen=panel.can_widen,
            can_read_on=panel.can_read_on,
            selects=self.transcript_view.cursor.selects,
        )

    def present(
        self, status: Status | None, waiting: Sequence[tuple[str, str]], now: Situation
    ) -> bool:
        """Show the present; False: a question needs the rows that are there, nothing else is
        shown beside it and the prompt."""
        panel = self.panel
        is_small = self._app.size.height < SMALL_ROWS
        crowded = panel.is_open and (is_small or panel.is_whole)
        self._app.screen_stack[0].set_class(crowded, "-crowded")
        self._tell_pages(panel.is_open and not now.read_only)
        self._welcome.stand(below=now.has_blocks)
        self._welcome.display = not now.has_begun and not crowded
        self.transcript_view.display = now.has_blocks and not crowded
        beside = self.side.present(status, waiting)
        if panel.beside != beside:
            panel.beside = beside
            panel.fit()
        self.waiting.show([] if crowded or beside else waiting)
        self.plan_line.show(status, crowded=crowded or is_small or beside > 0)
        return not crowded

    def _tell_pages(self, waits: bool) -> None:
        """Let each page over the conversation say whether a question waits, and the way to it."""
        for screen in self._app.screen_stack[1:]:
            if isinstance(screen, Selecting):
                key = screen.way_back and keymap_of(screen).label(screen.way_back)
                screen.tell_waiting(
                    " · ".join(filter(None, (QUESTION_WAITS, key))) if waits else ""
                )


def _has_begun(transcript: Transcript) -> bool:
    """Whether there is more to read than warnings of the start: these stand above the welcome."""
    from agent_cockpit.transcript.blocks import NoticeBlock

    if len(transcript) > MOST_WARNINGS:
        return True
    blocks = [transcript.block(key) for key in range(len(transcript))]
    return any(not isinstance(block, NoticeBlock) or block.level != "warning" for block in blocks)
