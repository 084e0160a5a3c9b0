"""The panel above the composer in which a person decides about a call.

Laws: no key answers before the question was painted and typing has been quiet; one key
answers one question; the panel closes when the engine says that the question is settled,
never because a key was pressed.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from textual.message import Message

from agent_cockpit.cockpit.consent.choice import Choice, Given
from agent_cockpit.cockpit.consent.question import ALL_OF_IT, Option, Question
from agent_cockpit.cockpit.consent.quiet import QUIET_S
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.cockpit.panels.question_frame import QuestionFrame
from agent_cockpit.cockpit.panels.writing import Writing
from agent_cockpit.cockpit.widgets.lines_view import SCROLL_KEYS, SELECT_KEYS
from agent_cockpit.cockpit.widgets.options_row import OptionsRow

HUNK_KEYS = {"left_square_bracket": -1, "right_square_bracket": 1}
STEPS = {"left": -1, "right": 1}


class ApprovalModal(QuestionFrame, can_focus=True):
    """Shows one `Question` at a time; modal in what it accepts, not in what it covers."""

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
        super().__init__(quiet_s=quiet_s, read_only=read_only, id=id)

    @property
    def can_widen(self) -> bool:
        """Whether arrows make a yes reach less or more far."""
        return self.choice is not None and self.choice.has_widths

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

    def knows(self, key: str, *, composing: bool, pointing: bool) -> bool:
        """Whether the panel acts on this key. Enter belongs to the prompt while nothing is
        chosen here and something is written there; who points at blocks selects among them."""
        key = keymap_of(self).meant("approval", key)
        if key == "enter":
            return self._options.chosen is not None or not composing
        is_answer = self._options.of_letter(key) or self._options.at_number(key)
        has_hunks = self.question is not None and self.question.hunks > 1
        is_hunk_key = has_hunks and (key in HUNK_KEYS or key == "space")
        is_moving = key in SCROLL_KEYS or key in STEPS or (key in SELECT_KEYS and not pointing)
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
        elif key in SELECT_KEYS:
            self._body.choose_line(SELECT_KEYS[key])
        elif key == "escape" and self._body.choose_no_lines():
            pass
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
