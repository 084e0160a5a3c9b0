"""The proposed plan: read it, change its text, approve it, ask for another, or leave it."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content

from agent_cockpit.cockpit.question import Line, Option
from agent_cockpit.cockpit.quiet import Quiet
from agent_cockpit.cockpit.screens.full_screen import DecidingScreen
from agent_cockpit.cockpit.widgets.approval_modal import SMALL_ROWS
from agent_cockpit.cockpit.widgets.field import Field, NoteField
from agent_cockpit.cockpit.widgets.lines_view import SCROLL_KEYS, LinesView
from agent_cockpit.cockpit.widgets.options_row import OptionsRow, rows_needed
from agent_cockpit.text import clean

_OPTIONS = (
    Option("a", "approve", "approve", "approve"),
    Option("r", "revise…", "revise", "revise"),
    Option("e", "edit", "edit", "edit"),
    Option("esc", "leave", "leave", "leave"),
)


@dataclass(frozen=True, slots=True)
class PlanAnswer:
    """What the person decided: the text to build, or a note for the next version."""

    decision: Literal["approved", "revised"]
    text: str


class PlanEditor(Field):
    """The plan's text while it is changed by hand; Esc ends that and keeps the change."""

    BINDINGS = [("escape", "done", "done"), ("ctrl+c", "done", "done")]  # noqa: RUF012

    def action_done(self) -> None:
        """Go back to the plan."""
        screen = self.screen
        assert isinstance(screen, PlanModal)
        screen.end_editing()


class PlanModal(DecidingScreen[PlanAnswer | None]):
    """Dismissed with the person's answer; None when they leave the plan."""

    AUTO_FOCUS = ""
    DEFAULT_CSS = """
    PlanModal {
        & #plan { height: 1fr; border: round $accent; padding: 0 1;
            border-title-style: bold; border-subtitle-color: $text-muted; }
        & #plan-body { height: 1fr; }
        & PlanEditor { height: 1fr; max-height: 100%; }
        & #plan-note { margin: 1 0 0 0; background: $boost; max-height: 4; }
        & OptionsRow { margin: 1 0 0 0; }
        &.-small #plan { border: none; padding: 0; }
        &.-small OptionsRow, &.-small #plan-note { margin: 0; }
    }
    """

    def __init__(
        self,
        plan: str,
        *,
        version: int = 1,
        previous: str | None = None,
        quiet: Quiet | None = None,
    ) -> None:
        super().__init__(quiet)
        self._proposed = clean(plan).strip()
        self._text = self._proposed
        self._version = version
        self._previous = None if previous is None else clean(previous).strip()
        self._body = LinesView(id="plan-body")
        self._body.can_focus = False
        self._editor = PlanEditor(self._proposed, id="plan-editor")
        self._note = NoteField(id="plan-note")
        self._options = OptionsRow(id="plan-options")

    def compose(self) -> ComposeResult:
        with Vertical(id="plan"):
            yield self._body
            yield self._editor
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

    def lit(self) -> None:
        """Draw title, plan and keys for what the person does now."""
        rows, columns = self.app.size.height, self.app.size.width
        is_small = rows < SMALL_ROWS
        self.set_class(is_small, "-small")
        width = max(1, columns - 4)
        brief = is_small or rows_needed(_OPTIONS, width) > 2
        self._options.show(_OPTIONS, width=width, lit=self.is_lit, brief=brief)
        self._options.display = not (self._editor.display or self._note.display)
        self._body.show(self._lines(), width)
        frame = self.query_one("#plan")
        frame.border_title = Content(self._title())
        frame.border_subtitle = Content(self._hint())

    async def on_key(self, event: events.Key) -> None:
        if self._editor.display or self._note.display:
            return
        key = event.key
        option = self._options.chosen if key == "enter" else self._options.of_letter(key)
        if option is not None:
            self._take(option)
        elif key in ("left", "right"):
            self._options.move(1 if key == "right" else -1)
            self.lit()
        elif key in SCROLL_KEYS:
            getattr(self._body, SCROLL_KEYS[key])(animate=False)
        elif key in ("escape", "ctrl+c"):
            self.dismiss(None)
        else:
            return
        event.stop()

    def on_options_row_clicked(self, message: OptionsRow.Clicked) -> None:
        message.stop()
        if self.counts(message.at):
            self._take(message.option)

    def on_note_field_given(self, message: NoteField.Given) -> None:
        message.stop()
        self.dismiss(PlanAnswer("revised", message.text))

    def on_note_field_left(self, message: NoteField.Left) -> None:
        message.stop()
        self._note.display = False
        self.set_focus(None)
        self.lit()

    def end_editing(self) -> None:
        """Take the text as it was changed and show it as the plan."""
        self._text = self._editor.text.strip() or self._proposed
        self._editor.display = False
        self._body.display = True
        self.set_focus(None)
        self.lit()

    def _take(self, option: Option) -> None:
        match option.answer:
            case "approve":
                self.dismiss(PlanAnswer("approved", self._text))
            case "revise":
                self._note.display = True
                self._note.focus()
            case "edit":
                self._editor.put(self._text, at_start=True)
                self._body.display = False
                self._editor.display = True
                self._editor.focus()
            case _:
                self.dismiss(None)
                return
        self.lit()

    def _title(self) -> str:
        words = f"plan · version {self._version}"
        if self._text != self._proposed:
            return f"{words} · changed by you"
        if self._previous is None:
            return words
        added, removed = _changes(self._previous, self._proposed)
        return f"{words} · +{added} −{removed} since {self._version - 1}"

    def _hint(self) -> str:
        if self._editor.display:
            return "esc done"
        if self._note.display:
            return "what should change? · enter ask for another version · esc back"
        return "" if self.is_lit else "◔ keys count when typing rests"

    def _lines(self) -> list[Line]:
        lines = self._text.split("\n")
        if self._previous is None:
            return [Line(line) for line in lines]
        before = set(self._previous.split("\n"))
        is_new = [bool(line.strip()) and line not in before for line in lines]
        return [
            Line(f"+ {line}", "added") if new else Line(f"  {line}")
            for line, new in zip(lines, is_new, strict=True)
        ]


def _changes(before: str, after: str) -> tuple[int, int]:
    lines = list(difflib.unified_diff(before.split("\n"), after.split("\n"), lineterm="", n=0))[2:]
    return (
        sum(line.startswith("+") for line in lines),
        sum(line.startswith("-") for line in lines),
    )
