"""The proposed plan: read it, write notes on its lines, change its text, see what changed since
an earlier version; approve it, ask for another, or leave it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from textual import events
from textual.app import ComposeResult, SuspendNotSupported
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from agent_cockpit.cockpit.consent.plan_review import PlanAnswer, PlanReview
from agent_cockpit.cockpit.consent.question import Line, Option
from agent_cockpit.cockpit.consent.quiet import Quiet
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.cockpit.panels.panel_words import is_unreadable
from agent_cockpit.cockpit.panels.question_frame import SMALL_ROWS
from agent_cockpit.cockpit.screens.full_screen import DecidingScreen
from agent_cockpit.cockpit.screens.plan_body import PlanBody
from agent_cockpit.cockpit.screens.plan_editor import PlanEditor
from agent_cockpit.cockpit.widgets.line_rows import wrapped
from agent_cockpit.cockpit.widgets.lines_view import SELECT_KEYS
from agent_cockpit.cockpit.widgets.note_field import NoteField
from agent_cockpit.cockpit.widgets.options_row import OptionsRow, Words, rows_needed
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.text import cell_width

_APPROVE = Option("a", "approve", "approve", "approve")
_ACCEPT = Option("A", "approve, accept its edits", "accept", "+edits")
_REVISE = Option("r", "revise…", "revise", "revise")
_COMMENT = Option("c", "comment on a line", "comment", "note")
_EDIT = Option("e", "edit", "edit", "edit")
_COMPARE = Option("d", "what changed", "compare", "diff")
_LEAVE = Option("esc", "leave", "leave", "leave")
FRAME_ROWS = 2
NOTE_ROWS = 4
"""A longer note is scrolled, for the plan is read meanwhile."""
NOTES_LEFT_TOLD = 3
"""The person is told how many notes are left when there are this few."""


class PlanModal(DecidingScreen[PlanAnswer | None]):
    """Dismissed with the person's answer; None when they leave the plan.

    `notes_left` is how many notes the engine still takes before it gives the plan up.
    """

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    PlanModal {
        & #plan { height: auto; border: round $accent; padding: 0 1;
            border-title-style: bold; border-subtitle-color: $text-muted; }
        & #plan-told { color: $text-warning; }
        & #plan-note { margin: 1 0 0 0; background: $boost; }
        & OptionsRow { margin: 1 0 0 0; }
        &.-small #plan { border: none; padding: 0; }
        &.-small OptionsRow, &.-small #plan-note { margin: 0; }
    }
    """

    def __init__(
        self,
        plan: str,
        *,
        earlier: Sequence[str] = (),
        notes_left: int | None = None,
        quiet: Quiet | None = None,
    ) -> None:
        super().__init__(quiet)
        self.review = PlanReview(plan, earlier)
        self._notes_left = notes_left
        self._writing: Literal["", "revise", "comment"] = ""
        self._warned: str = ""
        self._problem = ""
        self._owners: list[int] = []
        self._body = PlanBody(id="plan-body")
        self._body.can_focus = False
        self._editor = PlanEditor(self.end_editing, id="plan-editor")
        self._note = NoteField(id="plan-note")
        self._options = OptionsRow("plan", id="plan-options")
        self._told = Static(id="plan-told", markup=False)
        """What the border has no room for."""

    def compose(self) -> ComposeResult:
        with Vertical(id="plan"):
            yield self._body
            yield self._editor
            yield self._told
            yield self._note
            yield self._options

    def on_mount(self) -> None:
        super().on_mount()
        self._editor.display = False
        self._note.display = False
        self.set_focus(None)
        self.lit()

    def on_resize(self) -> None:
        self.lit()

    def fit(self) -> None:
        self.lit()

    def lit(self) -> None:
        """Draw title, plan and keys for what the person does now."""
        rows, columns = self.app.size.height - self.waiting_rows, self.app.size.width
        is_small = rows < SMALL_ROWS
        self.set_class(is_small, "-small")
        width = max(1, columns if is_small else columns - 4)
        options = self._choices()
        brief = is_small or rows_needed(options, width) > 2
        words: Words = "brief" if brief else "full"
        taken = self._options.show(options, width=width, lit=self.is_lit, words=words)
        self._options.display = not (self._editor.display or self._writing)
        lines, self._owners = self.review.lines()
        hint = self._hint()
        reads = self.is_lit and not (self._writing or self._editor.display)
        is_inside = reads and (is_small or cell_width(hint) > width - 2)
        told = wrapped(hint, width) if hint and is_inside else []
        self._told.update("\n".join(told))
        self._told.display = bool(told)
        room = max(1, (rows if is_small else rows - FRAME_ROWS) - len(told))
        self._fit(lines, width, room=room, below=taken)
        frame = self.query_one("#plan")
        frame.border_title = Content(self.review.title)
        frame.border_subtitle = Content("" if told else hint)

    def _fit(self, lines: Sequence[Line], width: int, *, room: int, below: int) -> None:
        """As tall as what is read or written, and what stands `below` it right under it; at most
        `room` rows in all."""
        gap = 0 if self.has_class("-small") else 1
        if self._writing:
            below = min(NOTE_ROWS, max(1, room // 3))
            self._note.styles.max_height = below
        highest = max(1, room if self._editor.display else room - below - gap)
        self._body.show(lines, width)
        if self._body.rows > highest:
            self._body.show(lines, max(1, width - 1))
        self._body.styles.height = self._editor.styles.min_height = min(self._body.rows, highest)
        self._editor.styles.max_height = highest

    async def on_key(self, event: events.Key) -> None:
        if self._editor.display or self._writing:
            self._typed_early(event)
            return
        key = keymap_of(self).meant("plan", event.key)
        warned, self._warned, self._problem = self._warned, "", ""
        option = self._options.chosen if key == "enter" else self._options.of_letter(key)
        if option is not None:
            self._take(option, warned)
        elif key in ("left", "right"):
            self._options.move(1 if key == "right" else -1)
        elif numbered := self._options.at_number(key):
            self._options.chosen = numbered
        elif key in _MOVES:
            self._move(key)
        elif key == "ctrl+g":
            self.run_worker(self._edit_outside(), exclusive=True)
        elif key in SELECT_KEYS:
            self._choose_line(SELECT_KEYS[key])
        elif key == "escape" and self._body.choose_no_lines():
            pass
        elif key == "escape" and self.review.compared_with:
            self.review.show_plan()
        elif key == "escape" or (key == "ctrl+c" and not self.get_selected_text()):
            self._take(_LEAVE, warned)
        else:
            return
        event.stop()
        self.lit()

    def on_options_row_clicked(self, message: OptionsRow.Clicked) -> None:
        message.stop()
        if self.counts(message.at) and not (self._editor.display or self._writing):
            warned, self._warned, self._problem = self._warned, "", ""
            self._take(message.option, warned)
            self.lit()

    def on_click(self, event: events.Click) -> None:
        """A click on a line puts the cursor there; a second one comments on it."""
        place = event.style.meta.get("offset")
        if event.widget is not self._body or place is None or self._writing:
            return
        owner = self._owners[place[1]] if place[1] < len(self._owners) else -1
        if owner < 0 or self.review.compared_with:
            return
        self.review.cursor = owner
        if event.chain == 2 and self.counts(event.time):
            self._take(_COMMENT, "")
        self.lit()

    def on_plan_body_resized(self, message: PlanBody.Resized) -> None:
        message.stop()
        if not self.review.compared_with:
            self._keep_cursor_in_sight()

    def on_note_field_given(self, message: NoteField.Given) -> None:
        message.stop()
        writing = self._writing
        self._end_writing()
        if writing == "revise":
            self.dismiss(PlanAnswer("revised", self.review.revision(message.text)))
            return
        self.review.comment(message.text)
        self.lit()
        self._keep_cursor_in_sight()

    def on_note_field_left(self, message: NoteField.Left) -> None:
        message.stop()
        self._end_writing()
        self.lit()

    def end_editing(self) -> None:
        """Take the text as it was changed and show it as the plan."""
        self.review.change(self._editor.text)
        self._editor.display = False
        self._body.display = True
        self.set_focus(None)
        self.lit()

    def _choices(self) -> tuple[Option, ...]:
        if is_unreadable(self.app.size):
            return (_LEAVE,)
        compare = (_COMPARE,) if self.review.can_compare else ()
        return (_APPROVE, _ACCEPT, _REVISE, _COMMENT, _EDIT, *compare, _LEAVE)

    def _take(self, option: Option, warned: str) -> None:
        review, revise = self.review, keymap_of(self).label("plan_revise")
        match option.answer:
            case "approve" | "accept":
                if review.comments and warned != option.answer:
                    self._warn(option, f"drops {review.notes_words} · {revise} sends them")
                else:
                    accept = option.answer == "accept"
                    self.dismiss(PlanAnswer("approved", review.text, accept_edits=accept))
            case "revise":
                self._write("revise", "")
            case "comment":
                review.show_plan()
                self._write("comment", review.comments.get(review.cursor, ""))
            case "edit":
                review.show_plan()
                self._editor.put(review.text, at_start=True)
                self._body.display = False
                self._editor.display = True
                self._editor.focus()
            case "compare":
                review.compare_next()
                self._body.scroll_home(animate=False)
            case _:
                is_changed = bool(review.comments) or review.is_edited
                if is_changed and warned != option.answer:
                    self._warn(option, "leaves the plan and drops what you wrote")
                else:
                    self.dismiss(None)

    def _warn(self, option: Option, what: str) -> None:
        self._warned = option.answer
        letter = keymap_of(self).letters("plan").get(option.letter, option.letter)
        self._problem = f"{letter} again {what}"

    def _write(self, what: Literal["revise", "comment"], text: str) -> None:
        self._writing = what
        self._note.put(text)
        self._note.display = True
        self._note.focus()

    def _typed_early(self, event: events.Key) -> None:
        """A key that was on its way here when the field opened: the field takes all of these,
        so one that comes here was not in it."""
        if event.is_printable or event.key in ("enter", "backspace"):
            event.stop()
            field = self._note if self._writing else self._editor
            field.post_message(events.Key(event.key, event.character))

    def _end_writing(self) -> None:
        self._writing = ""
        self._note.put("")
        self._note.display = False
        self.set_focus(None)

    def _choose_line(self, step: int) -> None:
        """Select a line more, at first the marked one, or in what changed one in sight."""
        marked = None if self.review.compared_with else self._owners.index(self.review.cursor)
        self._body.choose_line(step, marked)

    def _move(self, key: str) -> None:
        self._body.choose_no_lines()
        if self.review.compared_with:
            getattr(self._body, f"scroll_{_SCROLLS[key]}")(animate=False)
            return
        page = max(1, self._body.size.height - 1)
        self.review.move(_MOVES[key] if key in ("up", "down") else _MOVES[key] * page)
        if key in ("home", "end"):
            self.review.move(_MOVES[key] * len(self._owners))
        self.lit()
        self._keep_cursor_in_sight()

    def _keep_cursor_in_sight(self) -> None:
        """Scroll as little as shows the cursor's line, and its notes where they fit."""
        mine = [row for row, owner in enumerate(self._owners) if owner == self.review.cursor]
        if not mine:
            return
        self._body.bring(mine[0], mine[-1])

    async def _edit_outside(self) -> None:
        from agent_cockpit.cockpit.editor import edit_outside

        try:
            self.review.change(await edit_outside(self.app, self.review.text))
            self.review.show_plan()
        except (OSError, SuspendNotSupported, PersonCanAct) as problem:
            self._problem = str(problem) or "the editor could not be opened"
        self.lit()

    def _hint(self) -> str:
        if self._editor.display:
            return "esc done"
        if self._writing == "comment":
            return f"your note on line {self.review.cursor + 1} · enter keep · esc back"
        if self._writing:
            sent = f"with {self.review.notes_words} · " if self.review.comments else ""
            return f"what should change? · {sent}enter ask for another version · esc back"
        if not self.is_lit:
            return "◔ keys count when typing rests"
        if self._problem:
            return self._problem
        if self._notes_left is not None and self._notes_left <= NOTES_LEFT_TOLD:
            left = self._notes_left - 1
            if left < 1:
                return "the last version: another note ends the goal"
            return f"{left} more version{'s' * (left != 1)} can be asked for"
        return ""


_MOVES = {"up": -1, "down": 1, "pageup": -1, "pagedown": 1, "home": -1, "end": 1}
_SCROLLS = {
    "up": "up",
    "down": "down",
    "pageup": "page_up",
    "pagedown": "page_down",
    "home": "home",
    "end": "end",
}
