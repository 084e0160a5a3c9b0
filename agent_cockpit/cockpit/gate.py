"""Who gets a key: the question that waits, or the prompt.

Law: a key answers only where `counts` says so at the time it was pressed; every other key
goes where the person was writing. A paste is never an answer, and neither is a key that came
in one go with one that may open something else: that is still being opened.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events
from textual.screen import Screen

from agent_cockpit.cockpit.keys.roles import Decides, KeepsKeys, Points

if TYPE_CHECKING:
    from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal
    from agent_cockpit.cockpit.prompt.composer import Composer


ONE_GO_S = 0.05
"""Keys that are nearer to each other than this were written by no hand, or in one go."""


class KeyGate:
    """Stands before the screens; `focus` moves the keyboard."""

    def __init__(
        self, panel: ApprovalModal, composer: Composer, focus: Callable[[Composer], object]
    ) -> None:
        self._panel = panel
        self._composer = composer
        self._focus = focus
        self._others_at = float("-inf")
        """When a key was pressed last that is not the question's."""

    def takes(
        self, event: events.Key | events.Paste, screen: Screen[object], *, has_selection: bool
    ) -> bool:
        """Whether the event is dealt with; else it goes on to what has the focus."""
        if isinstance(screen, Decides):
            return self._typed_under(screen, event)
        if isinstance(screen.focused, KeepsKeys):
            self._panel.typed(event.time)
            return False
        if self._panel not in screen.children or self._panel.is_writing:
            return False
        if isinstance(event, events.Key) and self._panel.counts(event.time):
            if event.key == "ctrl+c" and has_selection:
                return False
            is_pointing = isinstance(screen.focused, Points) and screen.focused.is_pointing
            composing = is_pointing or bool(self._composer.text)
            in_one_go = min(ONE_GO_S, self._panel.quiet.quiet_s)
            if event.time - self._others_at < in_one_go:
                self._others_at = event.time
            elif self._panel.knows(event.key, composing=composing, pointing=is_pointing):
                self._panel.press(event.key)
                return True
            elif is_pointing and event.key == "enter":
                return False
            elif not (event.is_printable or event.key in ("enter", "backspace")):
                self._others_at = event.time
                return False
        self._panel.typed(event.time)
        is_text = isinstance(event, events.Paste) or event.is_printable
        if self._panel.is_open or is_text or screen.focused is None:
            self._focus(self._composer)
        return False

    def _typed_under(self, screen: Decides, event: events.Key | events.Paste) -> bool:
        """A key before a screen's keys count was meant for the prompt under it."""
        if isinstance(event, events.Paste) or screen.counts(event.time):
            return False
        screen.typed(event.time)
        self._panel.typed(event.time)
        self._composer.post_message(event)
        return True
