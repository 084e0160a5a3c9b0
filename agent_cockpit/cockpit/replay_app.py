"""The cockpit on a recorded sitting: the same screen, and keys that move about in it.

Law: nothing acts. There is no prompt; a question shows what was asked and closes on the answer
that was given; what can be done with a block only reads or copies it.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.binding import BindingType

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.consent.question import about_shown_plan
from agent_cockpit.cockpit.keys.roles import KeepsKeys
from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.opening import OpenSource
from agent_cockpit.cockpit.panels.call_body import CallBody
from agent_cockpit.cockpit.widgets.field import Field
from agent_cockpit.cockpit.widgets.lines_view import SCROLL_KEYS

if TYPE_CHECKING:
    from agent_cockpit.cockpit.bridge import Bridge
    from agent_cockpit.cockpit.player import Player
    from agent_cockpit.cockpit.widgets.jump_bar import JumpBar

_READ_ON = ("up", "down")
_ACTIONS = ("play", "pace", "jump", "step", "step_event", "step_goal", "step_question", "step_edge")


class ReplayApp(CockpitApp):
    """One recording, opened at its end; `problem` says why there is none, once that is known."""

    BINDINGS: ClassVar[list[BindingType]] = [
        replace(binding, priority=True) for binding in bindings("replay")
    ]

    def __init__(self, open_source: OpenSource, **settings: Any) -> None:
        super().__init__(open_source, read_only=True, **settings)
        self.problem = ""
        self.player: Player | None = None
        self._jump: JumpBar | None = None
        self.welcome.replays = True

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """The replay's keys are its own unless something else has the keyboard."""
        if action in _ACTIONS:
            has_keys = self.is_main and not isinstance(self.focused, Field | KeepsKeys)
            return self.player is not None and has_keys
        return super().check_action(action, parameters)

    async def on_event(self, event: events.Event) -> None:
        """Reading in a question that has more than it shows comes before reading above it."""
        can_read = self.is_main and self.has_question and self.panel.can_read_on
        if can_read and isinstance(event, events.Key) and event.key in _READ_ON:
            body = self.panel.query_one(CallBody)
            getattr(body, SCROLL_KEYS[event.key])(animate=False)
            return
        await super().on_event(event)

    def ready(self) -> None:
        from agent_cockpit.cockpit.player import Player

        super().ready()
        bridge, source = self.opening.bridge, self.driving.source
        recording = getattr(source, "recording", None)
        if bridge is None or recording is None:
            return
        self.player = Player(
            recording, bridge, start=self.start, changed=self._moved, zone=self.zone
        )
        self.player.go(len(recording))

    def not_ready(self, problem: str, *, demo: bool) -> None:
        self.problem = problem
        self.exit(return_code=2)

    def loaded(self, bridge: Bridge) -> None:
        """Another moment is shown; what is the same in it stays as the person left it."""
        self.transcript_view.attach(bridge.transcript, keep=True)

    def on_frame(self) -> None:
        super().on_frame()
        bridge = self.opening.bridge
        if bridge is not None:
            plan = bridge.status.plan
            self.around.asking.show(None if plan is None else about_shown_plan(plan))
            self.present()

    def _moved(self) -> None:
        assert self.player is not None
        self.playback = self.player.playback
        if (layout := self.transcript_view.placed) is not None:
            layout.drawn.is_still = not self.player.is_playing
        self.present()

    def action_play(self) -> None:
        """Play on, or pause."""
        if self.player is not None:
            self.player.toggle()

    def action_pace(self, step: int) -> None:
        """Play faster, or slower."""
        if self.player is not None:
            self.player.pace(step)
            self.note(f"{self.player.speed:g}×")

    def action_step(self, step: int) -> None:
        """One block or question on, or back."""
        if self.player is not None:
            self.player.step(self.player.recording.stops, step)

    def action_step_event(self, step: int) -> None:
        """One event on, or back."""
        if self.player is not None:
            self.player.step_event(step)

    def action_step_goal(self, step: int) -> None:
        """To the next goal, or the one before."""
        if self.player is not None and not self.player.step(self.player.recording.goals, step):
            self.note("no goal after this" if step > 0 else "no goal before this")

    def action_step_question(self, step: int) -> None:
        """To the next question or plan that waited, or the one before."""
        if self.player is not None and not self.player.step(self.player.recording.questions, step):
            self.note("nothing was asked after this" if step > 0 else "nothing was asked before")

    def action_step_edge(self, step: int) -> None:
        """To the end of the recording, or to its beginning."""
        if self.player is not None:
            self.player.go(len(self.player.recording) if step > 0 else 0)

    async def action_jump(self) -> None:
        """Ask where to go."""
        from agent_cockpit.cockpit.widgets.jump_bar import JumpBar

        if self._jump is None:
            self._jump = JumpBar(id="jump")
            await self.screen_stack[0].mount(self._jump, before="#status")
        self._jump.open()

    def on_jump_bar_given(self, message: JumpBar.Given) -> None:
        if self.player is not None and (not message.words or self.player.go_to(message.words)):
            self.on_jump_bar_left()
        elif self._jump is not None:
            self._jump.refuse(message.words)

    def on_jump_bar_left(self) -> None:
        if self._jump is not None:
            self._jump.display = False
        self.set_focus(self.transcript_view)
        self.present()
