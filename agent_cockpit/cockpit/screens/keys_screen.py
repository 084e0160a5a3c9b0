"""The keys in force with their names, the moved ones marked, and what is wrong in keys.toml."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from agent_cockpit.cockpit.consent.question import Line
from agent_cockpit.cockpit.keys.key_table import PLACES
from agent_cockpit.cockpit.keys.keymap import Keymap
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.cockpit.screens.full_screen import PageScreen
from agent_cockpit.cockpit.widgets.lines_view import LinesView
from agent_cockpit.text import cell_width, reveal_line

MOVED, STAYS = "moved", "stays"


class KeysScreen(PageScreen):
    """Shows the table until it is closed."""

    DEFAULT_CSS = """
    KeysScreen {
        & LinesView { height: 1fr; padding: 0 1; }
        & #keys-title { height: 1; padding: 0 1; text-style: bold; background: $panel; }
        & #keys-hint { height: 1; padding: 0 1; color: $foreground-muted; }
    }
    """

    def __init__(self, keymap: Keymap, problems: Sequence[str], path: str) -> None:
        super().__init__()
        self._view = LinesView(tuple(key_lines(keymap, problems, path)))
        self._view.can_focus = False

    def compose(self) -> ComposeResult:
        yield Static("keys", id="keys-title", markup=False)
        yield self._view
        close = keymap_of(self).label("page_close")
        yield Static(f"{close} close", id="keys-hint", markup=False)

    @property
    def body(self) -> LinesView:
        return self._view


def key_lines(keymap: Keymap, problems: Sequence[str], path: str) -> Iterator[Line]:
    """What is wrong, how a key is moved, and every line of the table by its place."""
    for problem in problems:
        yield Line(f"! {reveal_line(problem)}", "warning")
    if path:
        yield Line(f"to move some, write lines like these in {reveal_line(path)}", "muted")
        yield Line("and start the cockpit anew:", "muted")
    yield Line('fold = "f5"      help = ["f2", "ctrl+y"]      suspend = []', "muted")
    for place, heading in PLACES.items():
        yield Line("")
        yield Line(heading, "place")
        for line in keymap.lines:
            if line.where != place or line.of:
                continue
            mark = MOVED if line.id in keymap.moved else STAYS if line.stays else ""
            text = f"  {_padded(line.label, 16)} {_padded(line.id, 18)} {_padded(mark, 6)}"
            yield Line(f"{text}{line.words}", "strong" if mark == MOVED else "plain")


def _padded(text: str, cells: int) -> str:
    return text + " " * (cells - cell_width(text))
