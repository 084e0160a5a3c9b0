"""The frame of a question: what is asked, a field to write in, the answers; laid out for the size
of the screen."""

from __future__ import annotations

from abc import abstractmethod

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from agent_cockpit.cockpit.consent.choice import Choice
from agent_cockpit.cockpit.consent.lighting import Lighting
from agent_cockpit.cockpit.consent.question import Line, Question
from agent_cockpit.cockpit.consent.quiet import Quiet
from agent_cockpit.cockpit.look.edges import panel_cells
from agent_cockpit.cockpit.panels.call_body import CallBody
from agent_cockpit.cockpit.panels.panel_words import (
    end_of,
    hint_while_asking,
    hint_while_writing,
    lines_of,
    options_of,
    title_of,
    without_scope,
)
from agent_cockpit.cockpit.panels.writing import Writing
from agent_cockpit.cockpit.widgets.options_row import OptionsRow, Words, rows_needed

SMALL_ROWS = 12
"""Below this height the panel gives its border away and uses short words."""


class QuestionFrame(Vertical):
    """The ground floor of the panel; only that is made. `beside` is how many columns of the
    screen something beside it takes."""

    DEFAULT_CSS = """
    QuestionFrame {
        height: auto; border: round $warning;
        border-title-style: bold; border-title-color: $text-warning;
        border-subtitle-color: $text-muted;
        &.-small { border: none; }
        & OptionsRow { margin: 1 0 0 0; }
        &.-small OptionsRow, &.-small Writing { margin: 0; }
    }
    """

    def __init__(self, *, quiet_s: float, read_only: bool, id: str | None) -> None:
        super().__init__(id=id)
        self.choice: Choice | None = None
        self.quiet = Quiet(quiet_s)
        self._light = Lighting(self, self.quiet, self.counts, self._lit_changed)
        self._read_only = read_only
        self._waiting, self._listed, self._room, self.beside = 1, 0, 0, 0
        self._answered, self._problem = False, ""
        self._body = CallBody(id="panel-body")
        self._writing = Writing(id="panel-writing")
        self._options = OptionsRow("approval", id="panel-options")

    def compose(self) -> ComposeResult:
        yield from (self._body, self._writing, self._options)

    def on_mount(self) -> None:
        self.display = False
        self.watch(self._body, "scroll_y", self._measure, init=False)

    @abstractmethod
    def counts(self, at: float) -> bool:
        """Whether a key pressed at this time would be an answer."""

    @abstractmethod
    def _lit_changed(self) -> None:
        """Keys begin or cease to count."""

    @property
    def question(self) -> Question | None:
        """What is shown now."""
        return None if self.choice is None else self.choice.question

    @property
    def is_lit(self) -> bool:
        """Whether keys count now."""
        return self._light.is_lit

    @property
    def is_open(self) -> bool:
        """Whether a question is shown."""
        return self.choice is not None

    @property
    def is_writing(self) -> bool:
        """Whether the person writes a reason or another call."""
        return self.is_open and self._writing.is_open

    @property
    def is_whole(self) -> bool:
        """Whether the panel shows all that is known, on all of the screen."""
        return self.choice is not None and self.choice.shows_whole

    @property
    def can_read_on(self) -> bool:
        """Whether there is more of the body than is in sight."""
        return self.is_open and self._body.can_read_on

    def fit(self) -> None:
        """Lay out anew for what is shown and for the present size of the screen."""
        if self.choice is None or not self.is_mounted:
            return
        rows, is_small = self.app.size.height, self.app.size.height < SMALL_ROWS
        self.set_class(is_small, "-small")
        width = max(1, panel_cells(self.app.size.width, framed=not is_small) - self.beside)
        fills = is_small or self.is_whole or self._writing.is_editing
        highest = rows - 1 if fills else max(rows * 2 // 3, SMALL_ROWS - 2)
        options = () if self._read_only else options_of(self.choice, self._listed, self.app.size)
        crowded = rows_needed(options, width) > highest // 3
        words: Words = "spelled" if crowded or is_small else "full"
        lit = self.is_lit and not self._writing.is_open
        taken = self._options.show(options, width=width, lit=lit, words=words)
        if is_small and taken > rows // 2:
            options = without_scope(options)
            taken = self._options.show(options, width=width, lit=lit, words=words)
        self._options.display = bool(options) and not self._writing.is_editing
        taken += 0 if is_small else 3
        room = max(1, highest - taken - self._writing.rows(max(1, highest - taken)))
        title = title_of(self.choice.question, self._waiting, 0 if is_small else width - 2)
        lines = lines_of(self.choice, title=title)
        if self._writing.is_editing and self._problem:
            lines = [Line(self._problem, "warning")]
        self._body.fit(lines, width, room=room, end=end_of(self.choice, lines))
        self.border_title, self._room = Content(title), width - 2
        self._measure()

    def _measure(self) -> None:
        """What is out of sight now; a command's end is seen once it was painted."""
        self._body.look(is_painted=self.quiet.painted_at is not None)
        self.border_subtitle = Content(self._hint())

    def _hint(self) -> str:
        if self._read_only or self.choice is None:
            return "as it was asked"
        if self._writing.is_open:
            return hint_while_writing(self.choice, self._writing, self._room)
        if self._answered or not self.is_lit:
            return "answered" if self._answered else "◔ keys count when typing rests"
        return self._problem or hint_while_asking(self.choice, self._body.below, self._room)
