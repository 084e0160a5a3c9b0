"""The panel above the composer in which a person decides about a call.

Laws: no key answers before the question was painted and typing has been quiet; one key
answers one question; the panel closes when the engine says that the question is settled,
never because a key was pressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.message import Message

from agent_cockpit.cockpit.consent.choice import Choice, Given
from agent_cockpit.cockpit.consent.lighting import Lighting
from agent_cockpit.cockpit.consent.question import ALL_OF_IT, Line, Option, Question
from agent_cockpit.cockpit.consent.quiet import QUIET_S, Quiet
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.cockpit.widgets.call_body import CallBody
from agent_cockpit.cockpit.widgets.lines_view import SCROLL_KEYS
from agent_cockpit.cockpit.widgets.options_row import OptionsRow, Words, rows_needed
from agent_cockpit.cockpit.widgets.panel_words import (
    end_of,
    hint_while_asking,
    hint_while_writing,
    lines_of,
    options_of,
    title_of,
    without_scope,
)
from agent_cockpit.cockpit.widgets.writing import Writing

SMALL_ROWS = 12
"""Below this height the panel gives its border away and uses short words."""

HUNK_KEYS = {"left_square_bracket": -1, "right_square_bracket": 1}
STEPS = {"left": -1, "right": 1}


class ApprovalModal(Vertical, can_focus=True):
    """Shows one `Question` at a time; modal in what it accepts, not in what it covers.
    `beside` is how many columns of the screen something beside it takes."""

    DEFAULT_CSS = """
    ApprovalModal {
        height: auto; border: round $warning; padding: 0 1;
        border-title-style: bold; border-title-color: $text-warning;
        border-subtitle-color: $text-muted;
        &.-small { border: none; padding: 0; }
        & OptionsRow { margin: 1 0 0 0; }
        &.-small OptionsRow, &.-small Writing { margin: 0; }
    }
    """

    @dataclass
    class Answered(Message):
        """A person answered."""

        question_id: str
        given: Given

    @dataclass
    class Edited(Message):
        """A person changed the call to these arguments; nothing is decided by it."""

        question_id: str
        values: dict[str, Any]

    @dataclass
    class Grown(Message):
        """The panel takes the whole screen, or gives it back."""

    @dataclass
    class ListAsked(Message):
        """The person wants to see all calls that wait, to choose among."""

    @dataclass
    class LitChanged(Message):
        """Keys begin or cease to count."""

        lit: bool

    def __init__(
        self, *, quiet_s: float = QUIET_S, read_only: bool = False, id: str | None = None
    ) -> None:
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
    def can_widen(self) -> bool:
        """Whether arrows make a yes reach less or more far."""
        return self.choice is not None and self.choice.has_widths

    @property
    def can_read_on(self) -> bool:
        """Whether there is more of the body than is in sight."""
        return self.is_open and self._body.can_read_on

    def ask(self, question: Question, *, waiting: int = 1, listed: int = 0) -> None:
        """Show a question, the first of `waiting`; the same one again only updates the count."""
        if self.choice is not None and self.choice.asked == question:
            if (waiting, listed) != (self._waiting, self._listed):
                self._waiting, self._listed = waiting, listed
                self.fit()
            return
        self._waiting, self._listed = waiting, listed
        self.choice, self._problem, self._options.chosen = Choice(question), "", None
        self._writing.close(forget=True)
        self._body.begin()
        self.display = True
        self.ask_again()

    def ask_again(self) -> None:
        """Take an answer: the question is new, or the answer to it was not taken."""
        self._answered = False
        self.reopen()

    def reopen(self) -> None:
        """It came into sight; keys count once it was read, and none once it is answered."""
        self._light.ask()
        self.fit()
        self.call_after_refresh(self._painted)

    def close(self) -> None:
        """The question is settled."""
        self.choice = None
        self.display = False
        self._writing.close()
        self._light.set(False)

    def show_edited(self, question: Question, values: dict[str, Any]) -> None:
        """The call as the person changed it, judged anew; it waits for an answer of its own."""
        if self.choice is None or self.choice.asked.question_id != question.question_id:
            return
        self.choice.show_edited(question, values)
        self._stop_writing()
        self._body.begin()
        self.reopen()

    def refuse_edit(self, problem: str) -> None:
        """The changed call could not run; the person goes on changing it."""
        if self._writing.is_editing:
            self._problem = problem
            self.fit()

    def counts(self, at: float) -> bool:
        """Whether a key pressed at this time would be an answer."""
        is_asking = self.is_open and not self._answered and not self._read_only
        return is_asking and self.quiet.counts(at)

    def typed(self, at: float) -> None:
        """A key went to the prompt; the quiet begins anew, and no answer is chosen any more."""
        self._options.chosen = None
        self._light.typed(at)

    def knows(self, key: str, *, composing: bool) -> bool:
        """Whether the panel acts on this key. Enter belongs to the prompt while nothing is
        chosen here and something is written there."""
        key = keymap_of(self).meant("approval", key)
        if key == "enter":
            return self._options.chosen is not None or not composing
        is_answer = self._options.of_letter(key) or self._options.at_number(key)
        has_hunks = self.question is not None and self.question.hunks > 1
        is_hunk_key = has_hunks and (key in HUNK_KEYS or key == "space")
        is_moving = key in SCROLL_KEYS or key in STEPS
        return bool(is_answer or is_hunk_key or is_moving) or key in ("escape", "ctrl+c")

    def press(self, key: str) -> None:
        """Act on a key that counts and that the panel knows."""
        assert self.choice is not None
        self._problem = ""
        key = keymap_of(self).meant("approval", key)
        if key in STEPS:
            move = self.choice.widen if self.choice.has_widths else self._options.move
            move(STEPS[key])
            self.fit()
        elif numbered := self._options.at_number(key):
            self._options.chosen = numbered
            self.fit()
        elif key == "escape" and self.is_whole:
            self._take(ALL_OF_IT)
        elif key in ("escape", "ctrl+c"):
            self._answer("deny")
        elif key in SCROLL_KEYS:
            getattr(self._body, SCROLL_KEYS[key])(animate=False)
        elif key in HUNK_KEYS:
            self._go_to_hunk(HUNK_KEYS[key])
        elif key == "space":
            self.choice.toggle_hunk()
            self.fit()
        elif option := self._options.chosen if key == "enter" else self._options.of_letter(key):
            self._take(option)

    def fit(self) -> None:
        """Lay out anew for what is shown and for the present size of the screen."""
        if self.choice is None or not self.is_mounted:
            return
        rows, is_small = self.app.size.height, self.app.size.height < SMALL_ROWS
        self.set_class(is_small, "-small")
        width = max(1, self.app.size.width - self.beside - (0 if is_small else 4))
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

    def on_options_row_clicked(self, message: OptionsRow.Clicked) -> None:
        message.stop()
        if self.counts(message.at):
            self._take(message.option)

    def on_writing_reasoned(self, message: Writing.Reasoned) -> None:
        message.stop()
        self._stop_writing()
        if self.choice is not None:
            self._answer("allow" if self.choice.is_partial else "deny", message.text)

    def on_writing_changed(self, message: Writing.Changed) -> None:
        message.stop()
        if self.choice is not None and (editable := self.choice.question.editable):
            values = {**editable.values, editable.field: message.text}
            self.post_message(self.Edited(self.choice.asked.question_id, values))

    def on_writing_left(self) -> None:
        self._stop_writing()

    def _measure(self) -> None:
        """What is out of sight now; a command's end is seen once it was painted."""
        self._body.look(is_painted=self.quiet.painted_at is not None)
        self.border_subtitle = Content(self._hint())

    def _take(self, option: Option) -> None:
        assert self.choice is not None
        if option.answer == "whole":
            self.choice.shows_whole = not self.choice.shows_whole
            self._body.scroll_home(animate=False)
            self.post_message(self.Grown())
        elif option.answer == "list":
            self.post_message(self.ListAsked())
        elif option.answer == "reason":
            self._writing.reason()
        elif option.answer == "edit" and (editable := self.choice.question.editable):
            self._problem = ""
            self._writing.edit(editable)
        elif option.answer != "deny" and self.choice.question.ends_late and not self._body.saw_end:
            self._body.show_end()
            self._problem = "this is its end · press again"
        else:
            self._answer(option.answer)
        self.fit()

    def _answer(self, answer: str, note: str = "") -> None:
        if self.choice is None or self._answered:
            return
        self._answered = True
        self._light.set(False)
        self.fit()
        asked, given = self.choice.asked, self.choice.given(answer, note)
        self.post_message(self.Answered(asked.question_id, given))

    def _go_to_hunk(self, step: int) -> None:
        assert self.choice is not None
        self.choice.go_to_hunk(step)
        if self.choice.line_of_hunk() is None and not self.is_whole:
            self._take(ALL_OF_IT)
        self.fit()
        self._body.show_line(self.choice.line_of_hunk() or 0)

    def _stop_writing(self) -> None:
        self._writing.close()
        self._problem = ""
        self.focus()
        self.fit()

    def _painted(self) -> None:
        if self.is_open and not self._answered and self.quiet.painted_at is None:
            self._light.painted()

    def _lit_changed(self) -> None:
        self.set_class(self.is_lit, "-lit")
        self.fit()
        self.post_message(self.LitChanged(self.is_lit))

    def _hint(self) -> str:
        if self._read_only or self.choice is None:
            return "as it was asked"
        if self._writing.is_open:
            return hint_while_writing(self.choice, self._writing, self._room)
        if self._answered or not self.is_lit:
            return "answered" if self._answered else "◔ keys count when typing rests"
        return self._problem or hint_while_asking(self.choice, self._body.below, self._room)
