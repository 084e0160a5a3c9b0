"""What must hold at every moment of a storm, read off the running cockpit."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from textual.errors import NoWidget
from textual.pilot import Pilot
from textual.widget import Widget
from wcwidth import wcswidth

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.cockpit.app import __file__ as app_file
from agent_cockpit.cockpit.keys.key_table import KEYS
from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal
from tests.cockpit.screen import type_in, until
from tests.support.scripted_source import ScriptedSource, WatchedSource

JOINED_BLANK = "\u200d "
"""Where a text ends with a joiner, a blank follows; wcwidth takes that for joined, no terminal
does."""


class Broken(AssertionError):
    """A law does not hold."""


class Watched(CockpitApp):
    """Keeps which questions a person has seen before them, with keys that count."""

    CSS_PATH = str(Path(app_file).with_name("app.tcss"))

    def __init__(self, source: ScriptedSource, **parts: Any) -> None:
        super().__init__(lambda: source, **parts)
        self.shown: set[str] = set()

    def on_approval_modal_lit_changed(self, message: ApprovalModal.LitChanged) -> None:
        question = self.panel.question
        if message.lit and question is not None:
            self.shown.add(question.question_id)
            if self.around.asking._list is not None:
                self.shown |= {each.approval_id for each in self.around.asking._views}


def check_picture(app: CockpitApp) -> None:
    """Each row is as wide as the screen, and nothing in it acts on a terminal."""
    width, height = app.size
    strips = list(app.screen._compositor.render_strips())
    if app.screen.size != app.size or app.screen._compositor.size != app.size:
        return  # a resize is under way; the next act looks again
    if len(strips) != height:
        raise Broken(f"{len(strips)} rows on a screen of {height}")
    for number, strip in enumerate(strips):
        if strip.cell_length != width:
            raise Broken(f"row {number} takes {strip.cell_length} of {width}: {strip.text!r}")
        if (cells := wcswidth(strip.text.replace(JOINED_BLANK, " "))) != width:
            raise Broken(f"a terminal takes {cells} of {width} for row {number}: {strip.text!r}")
        odd = [char for char in strip.text if ord(char) < 32 or 0x7F <= ord(char) < 0xA0]
        if odd:
            raise Broken(f"row {number} writes {odd}: {strip.text!r}")


def check_borders(app: CockpitApp) -> None:
    """What has a border has one left and right in each row, in the columns of its corners."""
    if app.screen.size != app.size or app.screen._compositor.size != app.size:
        return  # a resize is under way; the next act looks again
    rows = [strip.text for strip in app.screen._compositor.render_strips()]
    for widget in app.screen.walk_children(Widget):
        region = app.screen._compositor.visible_widgets.get(widget, (None,))[0]
        if region is None or widget.styles.border_left[0] != "round":
            continue
        for row in range(max(0, region.y + 1), min(len(rows), region.bottom - 1)):
            for column in (region.x, region.right - 1):
                found = _char_at(rows[row], column)
                if found != "│" and _is_on_top(app, widget, column, row):
                    raise Broken(f"{found!r} in the border of {widget}, row {row}: {rows[row]!r}")


def _is_on_top(app: CockpitApp, widget: Widget, column: int, row: int) -> bool:
    try:
        return app.screen.get_widget_at(column, row)[0] is widget
    except NoWidget:
        return False


def _char_at(row: str, column: int) -> str:
    """What a terminal shows in this column."""
    for end in range(1, len(row) + 1):
        if wcswidth(row[:end]) > column:
            return row[end - 1]
    return ""


def check_places(app: CockpitApp) -> None:
    """What is in sight of the transcript stands where the sums of heights say."""
    view = app.transcript_view
    layout = view.placed
    if layout is None or view.is_behind or not view.size or not view.display:
        return
    view.settle()
    total = sum(len(layout.lines_of(key)) for key in range(layout.count))
    if total != layout.total:
        raise Broken(f"heights sum up to {total}, and the total is {layout.total}")
    top = view.scroll_offset.y
    for key in {layout.block_at(line) for line in range(top, min(top + view.size.height, total))}:
        drawn, known = len(layout.drawn.lines(key)), len(layout.lines_of(key))
        if drawn != known:
            raise Broken(f"block {key} has {drawn} lines and takes {known}")
    if view.virtual_size.height != layout.total:
        raise Broken(f"{view.virtual_size.height} lines to scroll, {layout.total} to see")
    if total > view.size.height and top > total - view.size.height:
        raise Broken(f"reads from {top} of {total} in {view.size.height} rows")


def check_footer(app: CockpitApp) -> None:
    """No key is named that does not work."""
    now = app.situation
    named = [line.id for line in KEYS if line.shown is not None and line.shown(now)]
    dead = [line.id for line in KEYS if line.id in named and not line.works(now)]
    if dead:
        raise Broken(f"the footer names {dead}, which do not work: {now}")


def answers_of(source: WatchedSource) -> list[str]:
    """The ids of all calls that were answered, in order."""
    return [call[1] for call in source.calls if call[0] == "resolve"]


def check_answers(asked: list[str], shown: set[str], new: list[str]) -> None:
    """No answer comes from nowhere, and none for a question that nobody could see."""
    if not set(new) <= set(asked):
        raise Broken(f"answers to nothing that asked: {set(new) - set(asked)}")
    if not set(new) <= shown:
        raise Broken(f"answers to {new}, and shown was {shown}")


async def check_reach(pilot: Pilot[None], app: CockpitApp, word: str) -> None:
    """The search finds a word that stands in the transcript, however it is folded."""
    await pilot.press("ctrl+f")
    await type_in(pilot, word)
    search = app.transcript_view.search
    try:
        await until(pilot, lambda: search.is_complete and search.total > 0, within_s=20)
    except AssertionError as problem:
        raise Broken(f"the search does not find {word!r}: {problem}") from None
    await pilot.press("enter", "escape")
    await pilot.pause()


def whole_text(app: CockpitApp) -> str:
    """All that the transcript would show with every block unfolded."""
    layout = app.transcript_view.placed
    if layout is None:
        return ""
    blocks = (layout.drawn._draw(key, "open") for key in range(layout.count))
    return "\n".join(strip.text for lines in blocks for strip in lines)
