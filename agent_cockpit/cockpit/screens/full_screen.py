"""What full screens share: a body that is read by keys, keys that answer when typing rests."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import replace
from typing import ClassVar, TypeVar

from textual import events
from textual.binding import Binding, BindingType
from textual.widget import Widget
from textual.widgets import Static

from agent_cockpit.cockpit.consent.lighting import Lighting
from agent_cockpit.cockpit.consent.quiet import Quiet
from agent_cockpit.cockpit.keys.keymap import joined
from agent_cockpit.cockpit.keys.roles import Decides
from agent_cockpit.cockpit.keys.textual_keys import bindings, keymap_of
from agent_cockpit.cockpit.look.choosing_lines import ChoosesLines
from agent_cockpit.cockpit.look.selecting import Selecting
from agent_cockpit.cockpit.widgets.lines_view import SCROLL_KEYS
from agent_cockpit.text import cell_width
from agent_cockpit.transcript.wording import count

Result = TypeVar("Result")


class PageScreen(Selecting[None]):
    """A page that is read until it is closed; `body` is what scrolls, `text` is in it, and
    below them `keys` names what the person can press."""

    AUTO_FOCUS = ""
    way_back = "page_close"
    DEFAULT_CSS = """
    PageScreen .page-keys { height: 1; padding: 0 1; color: $foreground-muted; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        *bindings("page"),
        Binding("ctrl+c", "close_or_copy", show=False),
    ]

    def __init__(self) -> None:
        super().__init__()
        self.keys = Static(classes="page-keys", markup=False)

    @property
    @abstractmethod
    def body(self) -> Widget:
        """What scrolls."""

    @property
    @abstractmethod
    def text(self) -> ChoosesLines:
        """What is read."""

    def hint(self, room: int) -> str:
        """The keys that do something on this page, in at most `room` cells."""
        label = keymap_of(self).label
        scroll = joined([label("read_up"), label("read_down")])
        select = joined([label("read_select_up"), label("read_select_down")])
        return fitting([f"{scroll} scroll", f"{select} select"], self.close_hint, room)

    @property
    def close_hint(self) -> str:
        """The key that leaves."""
        return f"{keymap_of(self).label('page_close')} close"

    def on_resize(self) -> None:
        self.show_hint()

    def on_chooses_lines_changed(self) -> None:
        self.show_hint()

    def show_hint(self) -> None:
        """Name the keys that do something now."""
        label, chosen, room = keymap_of(self).label, self.text.chosen_lines, self.size.width - 2
        if chosen:
            hints = [count(chosen, "line"), f"{label('copy_or_quit')} copy"]
            self.keys.update(fitting(hints, f"{label('page_close')} back", room))
        else:
            self.keys.update(self.hint(room))

    def on_key(self, event: events.Key) -> None:
        """What leaves the page first selects no more what was chosen line by line; Textual
        would do that on its own way to the page's keys."""
        is_leaving = event.key in keymap_of(self).line("page_close").keys
        if is_leaving and self.text.choose_no_lines():
            event.stop()
            event.prevent_default()

    def action_select_line(self, step: int) -> None:
        """Select a line more (1: on the way down), or one less."""
        self.text.choose_line(step)

    def action_read(self, way: str) -> None:
        """Read further: up, down, pageup, pagedown, home or end."""
        getattr(self.body, SCROLL_KEYS[way])(animate=False)

    def action_close(self) -> None:
        """Go back."""
        self.dismiss(None)

    async def action_close_or_copy(self) -> None:
        """Copy what is selected; with nothing selected go back."""
        if self.get_selected_text():
            await self.app.run_action("app.copy_or_quit")
        else:
            self.action_close()


def fitting(hints: Sequence[str], last: str, room: int) -> str:
    """The hints and the last one in one row, as many of the first as there is room for."""
    shown = list(hints)
    while shown and cell_width(" · ".join([*shown, last])) > room:
        shown.pop()
    return " · ".join([*shown, last])


class DecidingScreen(Decides, Selecting[Result]):
    """A screen that opens by itself and takes a decision: it waits until typing rests.

    The app asks `counts` before it hands a key over; a key that does not count is the
    composer's.
    """

    def __init__(self, quiet: Quiet | None = None) -> None:
        """With `quiet` the times of another place, of which only the typing matters here."""
        super().__init__()
        self.quiet = replace(quiet, painted_at=None) if quiet else Quiet()
        self._light = Lighting(self, self.quiet, self.quiet.counts, self.lit)

    def on_mount(self) -> None:
        self.ask_again()

    def ask_again(self) -> None:
        self._light.ask()
        self.call_after_refresh(self._light.painted)

    @property
    def is_lit(self) -> bool:
        """Whether keys count now."""
        return self._light.is_lit

    def counts(self, at: float) -> bool:
        return self.quiet.counts(at)

    def typed(self, at: float) -> None:
        self._light.typed(at)

    def lit(self) -> None:
        """Draw the keys anew: they begin or cease to count."""
