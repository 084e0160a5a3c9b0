"""The panel above the composer in which a person decides about a call.

Laws: no key answers before the question was painted and typing has been quiet; one key
answers one question; the panel closes when the engine says that the question is settled,
never because a key was pressed.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from agent_cockpit.cockpit.question import Line, Option, Question
from agent_cockpit.cockpit.quiet import QUIET_S, Quiet
from agent_cockpit.cockpit.widgets.field import NoteField
from agent_cockpit.cockpit.widgets.lines_view import LinesView
from agent_cockpit.cockpit.widgets.options_row import OptionsRow, rows_needed
from agent_cockpit.text import cell_width

SCROLL_KEYS = {
    "up": "scroll_up",
    "down": "scroll_down",
    "pageup": "scroll_page_up",
    "pagedown": "scroll_page_down",
    "home": "scroll_home",
    "end": "scroll_end",
}
SMALL_ROWS = 12
"""Below this height the panel gives its border away and uses short words."""

NOTE_ROWS = 3
"""A reason of two lines and the row above it; it scrolls beyond."""


class ApprovalModal(Vertical, can_focus=True):
    """Shows one `Question` at a time; modal in what it accepts, not in what it covers."""

    DEFAULT_CSS = """
    ApprovalModal {
        height: auto; border: round $warning; padding: 0 1;
        border-title-style: bold; border-title-color: $text-warning;
        border-subtitle-color: $text-muted;
        &.-small { border: none; padding: 0; }
        & #panel-note { margin: 1 0 0 0; background: $boost; max-height: 2; }
        & OptionsRow { margin: 1 0 0 0; }
        &.-small OptionsRow, &.-small #panel-note { margin: 0; }
    }
    """

    @dataclass
    class Answered(Message):
        """A person answered `allow`, `always` or `deny`; `note` is their reason for a no."""

        question_id: str
        answer: str
        note: str = ""

    @dataclass
    class LitChanged(Message):
        """Keys begin or cease to count."""

        lit: bool

    def __init__(
        self, *, quiet_s: float = QUIET_S, read_only: bool = False, id: str | None = None
    ) -> None:
        super().__init__(id=id)
        self.question: Question | None = None
        self.quiet = Quiet(quiet_s)
        self.is_lit = False
        self._read_only = read_only
        self._waiting = 1
        self._answered = False
        self._shows_whole = False
        self._body = LinesView(id="panel-body")
        self._body.can_focus = False
        self._note = NoteField(id="panel-note")
        self._options = OptionsRow(id="panel-options")

    def compose(self) -> ComposeResult:
        yield self._body
        yield self._note
        yield self._options

    def on_mount(self) -> None:
        self.display = False
        self._note.display = False

    @property
    def is_open(self) -> bool:
        """Whether a question is shown."""
        return self.question is not None

    @property
    def is_writing(self) -> bool:
        """Whether the person writes a reason."""
        return self.is_open and self._note.display

    def ask(self, question: Question, *, waiting: int = 1) -> None:
        """Show a question, the first of `waiting`; the same one again only updates the count."""
        if self.question == question:
            if waiting != self._waiting:
                self._waiting = waiting
                self.fit()
            return
        self._waiting = waiting
        self.question = question
        self._shows_whole = False
        self._options.chosen = None
        self._note.put("")
        self._note.display = False
        self._body.scroll_home(animate=False)
        self.display = True
        self.reopen()

    def reopen(self) -> None:
        """Take answers (again): the question is new, came into sight, or was not settled."""
        self._answered = False
        self.quiet.ask()
        self._set_lit(False)
        self.fit()
        self.call_after_refresh(self._painted)

    def close(self) -> None:
        """The question is settled."""
        self.question = None
        self.display = False
        self._note.display = False
        self._set_lit(False)

    def counts(self, at: float) -> bool:
        """Whether a key pressed at this time would be an answer."""
        is_asking = self.is_open and not self._answered and not self._read_only
        return is_asking and self.quiet.counts(at)

    def typed(self, at: float) -> None:
        """A key went to the prompt; the quiet begins anew."""
        self.quiet.typed(at)
        self._relight()

    def knows(self, key: str, *, composing: bool) -> bool:
        """Whether the panel acts on this key. Enter belongs to the prompt while nothing is
        chosen here and something is written there."""
        if key == "enter":
            return self._options.chosen is not None or not composing
        is_letter = self._options.of_letter(key) is not None
        return is_letter or key in SCROLL_KEYS or key in ("left", "right", "escape", "ctrl+c")

    def press(self, key: str) -> None:
        """Act on a key that counts and that the panel knows."""
        if key in ("left", "right"):
            self._options.move(1 if key == "right" else -1)
            self.fit()
        elif key in ("escape", "ctrl+c"):
            self._answer("deny")
        elif key in SCROLL_KEYS:
            getattr(self._body, SCROLL_KEYS[key])(animate=False)
        elif option := self._options.chosen if key == "enter" else self._options.of_letter(key):
            self._take(option)

    def fit(self) -> None:
        """Lay out anew for what is shown and for the present size of the screen."""
        if self.question is None or not self.is_mounted:
            return
        rows, columns = self.app.size.height, self.app.size.width
        is_small = rows < SMALL_ROWS
        self.set_class(is_small, "-small")
        width = max(1, columns - (0 if is_small else 4))
        highest = rows - 1 if is_small else max(rows * 2 // 3, SMALL_ROWS - 2)
        options = () if self._read_only else self.question.options
        brief = is_small or rows_needed(options, width) > highest // 3
        taken = self._options.show(options, width=width, lit=self.is_lit, brief=brief)
        if not is_small:
            taken += 3
        if self.is_writing:
            taken += NOTE_ROWS
        room = max(1, highest - taken)
        waiting = f"1 of {self._waiting} waiting" if self._waiting > 1 else ""
        asks = "  ".join(part for part in (self.question.title, self.question.weight) if part)
        title = " · ".join(part for part in (asks, waiting) if part)
        fits = not is_small and cell_width(title) <= width - 2
        lines = self._lines(with_title=not fits, spell_scope=brief)
        self._body.show(lines, width)
        if self._body.rows > room:
            self._body.show(lines, width - 1)
        self._body.styles.height = min(room, self._body.rows)
        self.border_title = Content(title if fits else waiting)
        self.border_subtitle = Content(self._hint())

    def on_resize(self) -> None:
        self.fit()

    def on_options_row_clicked(self, message: OptionsRow.Clicked) -> None:
        message.stop()
        if self.counts(message.at):
            self._take(message.option)

    def on_note_field_given(self, message: NoteField.Given) -> None:
        message.stop()
        self._stop_writing()
        self._answer("deny", message.text)

    def on_note_field_left(self, message: NoteField.Left) -> None:
        message.stop()
        self._stop_writing()

    def _take(self, option: Option) -> None:
        if option.answer == "whole":
            self._shows_whole = not self._shows_whole
            self._body.scroll_home(animate=False)
        elif option.answer == "reason":
            self._note.display = True
            self._note.focus()
        else:
            self._answer(option.answer)
        self.fit()

    def _answer(self, answer: str, note: str = "") -> None:
        if self.question is None or self._answered:
            return
        self._answered = True
        self._set_lit(False)
        self.fit()
        self.post_message(self.Answered(self.question.question_id, answer, note))

    def _stop_writing(self) -> None:
        self._note.display = False
        self.focus()
        self.fit()

    def _painted(self) -> None:
        if self.is_open and self.quiet.painted_at is None:
            self.quiet.painted_at = Message().time
            self._relight()

    def _relight(self) -> None:
        """Light the keys when they count; until then look again when they may."""
        now, opens_at = Message().time, self.quiet.opens_at()
        self._set_lit(self.counts(now))
        if self.is_open and not self._answered and opens_at is not None and opens_at > now:
            self.set_timer(opens_at - now + 0.01, self._relight)

    def _set_lit(self, lit: bool) -> None:
        if lit == self.is_lit:
            return
        self.is_lit = lit
        self.set_class(lit, "-lit")
        self.fit()
        self.post_message(self.LitChanged(lit))

    def _lines(self, *, with_title: bool, spell_scope: bool) -> list[Line]:
        assert self.question is not None
        lines = list(self.question.whole if self._shows_whole else self.question.body)
        if with_title:
            lines.insert(0, Line(self.question.title, "warning"))
            lines.append(Line(self.question.weight, "warning"))
        if spell_scope and self.question.covers:
            lines.append(Line(f"always: {self.question.covers}", "muted"))
        return lines

    def _hint(self) -> str:
        if self._read_only:
            return "as it was asked"
        if self.is_writing:
            return "enter no, with this reason · esc back"
        if self._answered:
            return "answered"
        return "" if self.is_lit else "◔ keys count when typing rests"
