"""The keys in force with their names, the moved ones marked, and what is wrong in keys.toml."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.app import ComposeResult
from textual.widgets import Static

from agent_cockpit.cockpit.consent.question import Line, Tone
from agent_cockpit.cockpit.keys.key_table import PLACES
from agent_cockpit.cockpit.keys.keymap import Keymap
from agent_cockpit.cockpit.screens.full_screen import PageScreen
from agent_cockpit.cockpit.widgets.lines_view import LinesView
from agent_cockpit.text import cell_width, reveal_line

MOVED, STAYS = "moved", "stays"
WIDE_CELLS = 76
"""From this width on all about a key stands on one row."""
_MARGIN_CELLS = 3
"""At both sides, and the scroll bar."""
_EXAMPLES = ('fold = "f5"', 'help = ["f2", "f4"]', "suspend = []")


class KeysScreen(PageScreen):
    """Shows the table until it is closed."""

    DEFAULT_CSS = """
    KeysScreen {
        & LinesView { height: 1fr; padding: 0 1; }
        & #keys-title { height: 1; padding: 0 1; text-style: bold; background: $panel; }
    }
    """

    def __init__(self, keymap: Keymap, problems: Sequence[str], path: str) -> None:
        super().__init__()
        self._told = keymap, problems, path
        self._view = LinesView()
        self._view.can_focus = False

    def compose(self) -> ComposeResult:
        yield Static("keys", id="keys-title", markup=False)
        yield self._view
        yield self.keys

    @property
    def text(self) -> LinesView:
        return self._view

    @property
    def body(self) -> LinesView:
        return self._view

    def on_resize(self) -> None:
        """Lay out anew: a narrow screen has what a key does under its name."""
        super().on_resize()
        width = max(1, self.size.width - _MARGIN_CELLS)
        self._view.show(tuple(key_lines(*self._told, width)), width)


def key_lines(keymap: Keymap, problems: Sequence[str], path: str, width: int) -> Iterator[Line]:
    """What is wrong, how a key is moved, and every line of the table by its place."""
    for problem in problems:
        yield Line(f"! {reveal_line(problem)}", "warning", hang=2)
    if path:
        where = f"to move some, write lines like these in {reveal_line(path)}"
        yield Line(f"{where} and start the cockpit anew:", "muted")
        yield from (Line(f"  {line}", "muted") for line in _EXAMPLES)
    for place, heading in PLACES.items():
        yield Line("")
        yield Line(heading, "place")
        for line in keymap.lines:
            if line.where != place or line.of:
                continue
            mark = MOVED if line.id in keymap.moved else STAYS if line.stays else ""
            named = f"  {_padded(line.label, 10)} {_padded(line.id, 18)} "
            words = f"{line.words} · {mark}" if mark else line.words
            tone: Tone = "strong" if mark == MOVED else "plain"
            if width >= WIDE_CELLS:
                yield Line(f"{named}{words}", tone, hang=cell_width(named))
            else:
                yield Line(named.rstrip(), tone, hang=13)
                yield Line(f"    {words}", "muted", hang=4)


def _padded(text: str, cells: int) -> str:
    return text + " " * (cells - cell_width(text))
