"""A text field in which a long text is one sign, a chip that the cursor steps over, and a part
of the text can be marked beside the cursor."""

from __future__ import annotations

from typing import ClassVar, Literal

from rich.text import Text
from textual.widgets.text_area import EditResult, Location, Selection

from agent_cockpit.cockpit.prompt.pastes import Pastes, Span
from agent_cockpit.cockpit.widgets.field import Field
from agent_cockpit.text import clean


class ChipField(Field):
    """A field whose pastes become chips when they are long; `pastes` holds what is behind them.

    A chip is entered by no cursor, is deleted as one, and is written out by `write_out_chip`.
    """

    COMPONENT_CLASSES: ClassVar[set[str]] = {"chip"}
    DEFAULT_CSS = """
    ChipField > .chip { color: $text-accent; background: $boost; text-style: bold; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        self.pastes = Pastes()
        self._marked: tuple[Location, Location] | None = None
        super().__init__(id=id)

    @property
    def whole_text(self) -> str:
        """What is written, with the texts behind the chips."""
        return self.pastes.expand(self.text)

    @property
    def selected_text(self) -> str:
        """What is selected or marked, with the texts behind its chips."""
        if self._marked is not None:
            return self.pastes.expand(self.get_text_range(*self._marked))
        return self.pastes.expand(super().selected_text)

    def mark(self, start: Location, end: Location) -> None:
        """Show this range as selected, wherever the cursor is."""
        self._set_mark((start, end))

    def mark_no_more(self) -> None:
        """Show no range as selected."""
        self._set_mark(None)

    def _set_mark(self, marked: tuple[Location, Location] | None) -> None:
        if marked != self._marked:
            self._marked = marked
            self._line_cache.clear()
            self.refresh()

    def put_whole(self, text: str) -> None:
        """Show a text that was written here before, with its chips."""
        self.put(self.pastes.collapse(text))

    def insert_text(self, text: str) -> None:
        """Put foreign text at the cursor, safe; a long one as a chip."""
        text = clean(text)
        super().insert_text(self.pastes.hold(text) if self.pastes.must_hold(text) else text)

    def insert_chip(self, text: str, kind: Literal["paste", "output"]) -> None:
        """Put a text of ours at the cursor, as a chip."""
        super().insert_text(self.pastes.hold(text, kind))

    def chip_at_cursor(self) -> Span | None:
        """The chip that the cursor touches, at its end rather than at its start."""
        row, column = self.selection.end
        spans = self.pastes.spans(self.document[row])
        touched = [span for span in spans if column in (span.start, span.end)]
        return touched[0] if touched else None

    def write_out_chip(self) -> bool:
        """Put what the chip at the cursor stands for in its place; False where there is none."""
        span = self.chip_at_cursor()
        if span is None:
            return False
        row = self.selection.end[0]
        text = self.pastes.text_of(span.chip)
        self.history.checkpoint()
        result = self.replace(text, (row, span.start), (row, span.end))
        self.history.checkpoint()
        self.move_cursor(result.end_location)
        return True

    def get_line(self, line_index: int) -> Text:
        """One line, its chips set apart, and what is marked of it."""
        line = super().get_line(line_index)
        for span in self.pastes.spans(line.plain):
            line.stylize(self.get_component_rich_style("chip"), span.start, span.end)
        if self._marked is not None and self._marked[0][0] <= line_index <= self._marked[1][0]:
            (top, first), (bottom, last) = self._marked
            if not line.plain:
                line.plain = " "
            start, end = first if line_index == top else 0, last if line_index == bottom else None
            style = self.get_component_rich_style("text-area--selection")
            line.stylize(style, start, len(line) if end is None else max(end, not start))
        return line

    def validate_selection(self, selection: Selection) -> Selection:
        """No end of a selection lies inside a chip."""
        before = self.selection
        return Selection(
            self._beside_chips(selection.start, before.start),
            self._beside_chips(selection.end, before.end),
        )

    def _delete_via_keyboard(self, start: Location, end: Location) -> EditResult | None:
        whole = self._with_whole_chips(start, end)
        if whole != tuple(sorted((start, end))):
            self.history.checkpoint()
        return super()._delete_via_keyboard(*whole)

    def _replace_via_keyboard(
        self, insert: str, start: Location, end: Location
    ) -> EditResult | None:
        return super()._replace_via_keyboard(insert, *self._with_whole_chips(start, end))

    def _beside_chips(self, place: Location, before: Location) -> Location:
        """`place`, or the end of the chip around it towards which the cursor was moving."""
        row, column = place
        if row >= self.document.line_count:
            return place
        for span in self.pastes.spans(self.document[row]):
            if span.start < column < span.end:
                is_forward = before <= (row, span.start)
                is_backward = before >= (row, span.end)
                nearer_end = column - span.start > span.end - column
                forward = is_forward or (not is_backward and nearer_end)
                return (row, span.end if forward else span.start)
        return place

    def _with_whole_chips(self, start: Location, end: Location) -> tuple[Location, Location]:
        """The range, widened over chips that it cuts."""
        first, last = sorted((start, end))
        for span in self.pastes.spans(self.document[first[0]]):
            if span.start < first[1] < span.end:
                first = (first[0], span.start)
        if last[0] == self.document.line_count:  # of the last line, its line end as well
            last = self.document.end
        for span in self.pastes.spans(self.document[last[0]]):
            if span.start < last[1] < span.end:
                last = (last[0], span.end)
        return first, last
