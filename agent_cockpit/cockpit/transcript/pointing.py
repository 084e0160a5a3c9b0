"""Pointing at blocks of the transcript and selecting in it: the cursor's keys, how it is drawn,
what a selection reads like."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from rich.style import Style
from textual.binding import BindingType
from textual.geometry import Offset
from textual.message import Message
from textual.selection import SelectEnd, Selection
from textual.strip import Strip

from agent_cockpit.cockpit.keys.roles import Points
from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.transcript.block_cursor import BlockCursor
from agent_cockpit.cockpit.transcript.overlay import with_lead, with_marks
from agent_cockpit.cockpit.transcript.showing import Showing

if TYPE_CHECKING:
    from agent_cockpit.cockpit.transcript.layout import Layout
    from agent_cockpit.cockpit.transcript.line_choice import LineChoice

_BAR = "▍"


class Pointing(Showing, Points):
    """The ground floor of the transcript view; only that is made."""

    BINDINGS: ClassVar[list[BindingType]] = [*bindings("blocks")]

    @dataclass
    class MenuAsked(Message):
        """What can be done with the blocks that are pointed at?"""

    @dataclass
    class Left(Message):
        """The person is done with pointing."""

    def __init__(
        self,
        *,
        remembered: Remembered | None,
        name: str | None,
        id: str | None,
        classes: str | None,
    ) -> None:
        super().__init__(remembered=remembered, name=name, id=id, classes=classes)
        self.cursor = BlockCursor()
        self._lines: LineChoice | None = None
        """The lines that are chosen, where any are."""
        self.keeps_cursor = False
        """Whether the cursor stays while the keyboard is elsewhere: in its menu."""

    @abstractmethod
    def bring(self, key: int, line: int) -> None:
        """Have a line of a block in sight."""

    @property
    def is_pointing(self) -> bool:
        """Whether a block is pointed at."""
        return self.cursor.key is not None

    @property
    def pointed(self) -> range:
        """The blocks that are pointed at, selected, or of which lines are chosen."""
        lines = self._line_choice
        return lines.keys if lines is not None else self.cursor.keys

    @property
    def chosen_lines(self) -> int:
        """How many lines are chosen."""
        lines, layout = self._line_choice, self.placed
        return lines.count(layout) if lines is not None and layout is not None else 0

    @property
    def _line_choice(self) -> LineChoice | None:
        """The choice of lines while it is what is selected: the mouse may select anew, and what
        was copied is selected no more."""
        lines, selected = self._lines, self.text_selection
        return (
            lines
            if lines is not None and selected is not None and selected == lines.shown
            else None
        )

    def blocks_came_before(self, count: int) -> None:
        """So many blocks stand above all that there were: what is pointed at or chosen stays so."""
        self.cursor.blocks_came_before(count)
        if self._lines is not None:
            self._lines.blocks_came_before(count)

    def point(self, step: int, *, extend: bool = False) -> None:
        """Point at the next block (1) or the one before (-1), or select it as well."""
        self._choose_no_lines()
        layout = self.placed
        if layout is None or not layout.count:
            return
        layout.take_new()
        top, was_pointing = self.scroll_offset.y, self.is_pointing
        lines = range(top, min(top + self.size.height, layout.total))
        self.cursor.move(step, layout, lines, extend=extend)
        if not was_pointing:
            self._keep_in_sight(layout)
        elif (key := self.cursor.key) is not None:
            self.bring(key, layout.drawn.space_above(key))

    def _keep_in_sight(self, layout: Layout) -> None:
        """Have some of the block that is pointed at in sight; where it is so nothing moves."""
        if (key := self.cursor.key) is not None:
            begins, height = layout.lines_of(key).start, layout.measure(key)
            first = max(layout.drawn.space_above(key), self.scroll_offset.y - begins)
            self.bring(key, min(first, height - 1))

    def choose_line(self, step: int) -> None:
        """Choose the next line (1) or the one before (-1) as well, over the borders of blocks."""
        from agent_cockpit.cockpit.transcript.line_choice import LineChoice

        layout, key = self.placed, self.cursor.key
        if layout is None or key is None:
            return
        lines = self._lines = self._line_choice or LineChoice()
        self.cursor.selects_no_more()
        top = self.scroll_offset.y
        seen = range(top, top + self.size.height)
        if (place := lines.grow(step, key, layout, seen=seen)) is None:
            return
        self.cursor.point_at(place[0])
        self._select(lines, layout)
        self.bring(*place)

    def keep_lines(self) -> None:
        """The lines have other places now: those that were chosen stay so."""
        if (lines := self._line_choice) is not None and (layout := self.placed) is not None:
            self._select(lines, layout)

    def _select(self, lines: LineChoice, layout: Layout) -> None:
        before, chosen = lines.shown, lines.selection(layout)
        if chosen != before:
            self.screen.selections = {self: chosen} if chosen is not None else {}

    def _choose_no_lines(self) -> None:
        if self._line_choice is not None:
            self.screen.clear_selection()
        self._lines = None

    def on_resize(self) -> None:
        """The view has another size: what is pointed at stays in sight."""
        if (layout := self.placed) is not None:
            self._keep_in_sight(layout)

    def point_at(self, key: int) -> None:
        """Point at this block."""
        self.cursor.point_at(key)
        self.refresh()

    def stop_pointing(self) -> None:
        """Point at nothing; at the end of the transcript the view follows what is new again."""
        if self.cursor.key is None:
            return
        self._choose_no_lines()
        self.cursor.leave()
        self.keeps_cursor = False
        if (layout := self.placed) is not None:
            layout.read_from(self.scroll_offset.y, self.size.height)
            self.settle()

    def on_blur(self) -> None:
        """The keyboard goes elsewhere."""
        if not self.keeps_cursor:
            self.stop_pointing()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Enter and selecting mean something here while a block is pointed at."""
        if action in ("menu", "select", "select_line"):
            return self.cursor.key is not None
        return super().check_action(action, parameters)

    def action_up(self) -> None:
        """The block before; without a cursor a line up."""
        if self.cursor.key is None:
            self.action_scroll_up()
        else:
            self.point(-1)

    def action_down(self) -> None:
        """The block after; without a cursor a line down."""
        if self.cursor.key is None:
            self.action_scroll_down()
        else:
            self.point(1)

    def action_select(self, step: int) -> None:
        """Select one block more, or one less."""
        self.point(step, extend=True)

    def action_select_line(self, step: int) -> None:
        """Select one line more, or one less."""
        self.choose_line(step)

    def action_menu(self) -> None:
        """Ask what can be done."""
        self.post_message(self.MenuAsked())

    def action_leave_blocks(self) -> None:
        """Back to where one came from."""
        self.stop_pointing()
        self.post_message(self.Left())

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The selected text without the gutter, and with wrapped lines made whole.

        A whole transcript reads as plain lines.
        """
        from agent_cockpit.cockpit.transcript.copied import selected_lines
        from agent_cockpit.transcript.plain import plain_lines

        layout = self.placed
        if layout is None:
            return None
        source = layout.drawn.source
        if selection.start is None and selection.end is None:
            lines = [line for key in range(len(source)) for line in plain_lines(source.block(key))]
            return "\n".join(lines), "\n"
        return selected_lines(layout, selection, self.size.width), "\n"

    def text_select_all(self) -> None:
        """A double click selects the block under the mouse, not the whole sitting."""
        y = self.scroll_offset.y + self.app.mouse_position.y - self.region.y
        layout = self.placed
        if layout is None or not 0 <= y < layout.total:
            return
        lines = layout.lines_of(layout.block_at(y))
        end = Offset(len(layout.line(lines[-1]).text), lines[-1])
        self.screen.selections = {self: Selection.from_offsets(Offset(0, lines[0]), end)}

    def draw_selection_on(self) -> None:
        """The page moved under a mouse that selects: the selection reaches to what is there now.

        Textual moves the end only with the mouse, and counts in lines that do not move.
        """
        state = self.screen._select_state
        if state is None or state.end is None or state.end.content_widget is not self:
            return
        pointer = self.app.mouse_position
        place = pointer - self.content_region.offset + self.scroll_offset
        end = SelectEnd(state.end.container, self, place)
        self.screen._select_state = state.update_end(Offset(*pointer), end)

    def with_cursor(self, strip: Strip, key: int, line: int) -> Strip:
        """A line of a block with a bar before it when it is pointed at, and marked when its
        block is selected."""
        layout = self.placed
        if layout is None or key not in self.cursor.keys:
            return strip
        page = layout.drawn.page
        if line < layout.drawn.space_above(key):
            return strip
        if self.cursor.selects:
            chosen = self.screen.get_component_rich_style("screen--selection")
            strip = with_marks(strip, [(page.margin, -1)], chosen)
        if page.margin or layout.drawn.shows_times:
            return with_lead(strip, _BAR, page.ink.live)
        return with_marks(strip, [(0, 1)], page.ink.live + Style(reverse=True))
