"""The sheet that blocks are drawn on: its width, its inks, its gutter, its lines.

Law: a line is never wider than the page and holds no line break; what goes onto a page has
been cleaned before.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from datetime import datetime, tzinfo
from functools import cached_property
from typing import Any

from rich.cells import get_character_cell_size
from rich.console import Console
from rich.segment import Segment
from rich.style import Style
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.look.diff_view import DiffView
from agent_cockpit.cockpit.look.theme import Palette
from agent_cockpit.cockpit.render.file_links import FileLinks
from agent_cockpit.cockpit.render.ink import Ink
from agent_cockpit.cockpit.render.wrapping import crop, untabbed, wrap, wrap_phrases
from agent_cockpit.transcript.wording import duration, in_zone

NARROW_CELLS = 60
"""Below this the left margin goes and the gutter keeps the mark alone."""
HUNK = "hunk"
"""In the meta of the head of a diff's hunk: its number in the diff, from 0."""
_JOIN = "join"
_SPINNER = "⠋⠙⠸⠴"
_MIN_LEFT_CELLS = 24
"""A line's subject is cut down to this before its figures move under it."""


@dataclass(frozen=True)
class Page:
    """What a block must know to draw itself; equal pages give equal lines.

    `beat` counts quarter seconds while something on the page is live, else it is 0; `live_s`
    are the whole seconds that it has been so; `zone` None is the machine's own.
    """

    width: int
    palette: Palette
    console: Console = field(compare=False)
    zone: tzinfo | None = None
    beat: int = 0
    live_s: int = 0
    diff_view: DiffView = "auto"
    has_links: bool = True
    """Whether the terminal knows links that can be followed."""
    files: FileLinks | None = None
    """The files whose names are such links; None for no names."""

    @cached_property
    def ink(self) -> Ink:
        """The styles of this page."""
        return Ink(self.palette)

    @cached_property
    def text_cells(self) -> int:
        """Cells for text that starts at the gutter."""
        return self.room()

    @property
    def margin(self) -> int:
        """Empty cells at the left edge and at the right."""
        return 1 if self.width >= NARROW_CELLS else 0

    @property
    def gutter(self) -> int:
        """The column where text starts; the mark stands two cells before it."""
        return self.margin + 2

    @property
    def body_indent(self) -> int:
        """Columns from the text to the body of a call."""
        return 4 if self.width >= NARROW_CELLS else 2

    @property
    def spinner(self) -> str:
        """One cell that turns with the beat."""
        return _SPINNER[self.beat % len(_SPINNER)]

    @property
    def ticking(self) -> str:
        """How long the live block has been so; empty in its first second."""
        return duration(self.live_s * 1000, whole=True) if self.live_s else ""

    def at_beat(self, beat: int, live_s: int = 0) -> Page:
        """The same page a little later."""
        if (beat, live_s) == (self.beat, self.live_s):
            return self
        return replace(self, beat=beat, live_s=live_s)

    def room(self, indent: int = 0) -> int:
        """Cells for text that starts `indent` columns after the gutter; at least one."""
        return max(1, self.width - self.gutter - indent - self.margin)

    def clock(self, at: datetime) -> str:
        """`09:41`, in the person's time."""
        return in_zone(at, self.zone).strftime("%H:%M")

    def strip(self, text: Text) -> Strip:
        """One line as it is, cut at the page's width."""
        text = untabbed(text)
        segments = [segment for segment in text.render(self.console, end="") if segment.text]
        if not self.has_links:
            segments = [
                Segment(words, style and style.update_link(None)) for words, style, _ in segments
            ]
        strip = Strip(segments if text.plain.isascii() else _on_whole_clusters(segments))
        return strip.crop(0, self.width) if strip.cell_length > self.width else strip

    def line(
        self,
        text: Text,
        *,
        mark: str = "",
        ink: Style | None = None,
        indent: int = 0,
    ) -> Strip:
        """One line behind the gutter, with its mark in the gutter."""
        lead = " " * (self.gutter - 2 + indent)
        sign = (f"{mark:<2}", ink or self.ink.muted) if mark else "  "
        line = Text.assemble(lead, sign, text)
        if self.files and self.has_links:
            self._link_files(line, self.files)
        if text.end != "\n":
            line.stylize(Style.from_meta({_JOIN: text.end}), 0, len(lead) + 2)
        return self.strip(line)

    def _link_files(self, line: Text, files: FileLinks) -> None:
        """Let names of files be followed, but where a web address goes on."""
        web = [span for span in line.spans if isinstance(span.style, Style) and span.style.link]
        for link in files.links_in(line.plain):
            if not any(span.start < link.end and link.start < span.end for span in web):
                line.stylize(Style(link=link.address), link.start, link.end)

    def paragraph(
        self,
        text: Text,
        *,
        mark: str = "",
        rest: str = "",
        ink: Style | None = None,
        indent: int = 0,
    ) -> list[Strip]:
        """Wrapped text; `mark` before its first line, `rest` before the others."""
        lines = wrap(text, self.room(indent), self.console)
        return [
            self.line(line, mark=mark if number == 0 else rest, ink=ink, indent=indent)
            for number, line in enumerate(lines)
        ]

    def row(
        self,
        left: Text,
        right: Text,
        *,
        mark: str = "",
        ink: Style | None = None,
        indent: int = 0,
        is_whole: bool = False,
    ) -> list[Strip]:
        """A subject with figures at the right edge, on one line while both can be read.

        Else the subject is cut (or wrapped, when `is_whole`), or the figures move under it.
        """
        left, room = untabbed(left), self.room(indent)
        taken = right.cell_len + 2 if right.cell_len else 0
        if left.cell_len + taken <= room:
            gap = room - left.cell_len - right.cell_len if right.cell_len else 0
            both = Text.assemble(left, " " * gap, right)
            return [self.line(both, mark=mark, ink=ink, indent=indent)]
        if not is_whole and room - taken >= _MIN_LEFT_CELLS:
            cut = crop(left, room - taken)
            return self.row(cut, right, mark=mark, ink=ink, indent=indent)
        lines = wrap_phrases(left, room, self.console) if is_whole else [crop(left, room)]
        strips = [
            self.line(line, mark=mark if number == 0 else "", ink=ink, indent=indent)
            for number, line in enumerate(lines)
        ]
        for line in wrap(right, room, self.console) if right.cell_len else []:
            line.rstrip()
            below = Text.assemble(" " * max(0, room - line.cell_len), line)
            strips.append(self.line(below, indent=indent))
        return strips


def _on_whole_clusters(segments: list[Segment]) -> list[Segment]:
    """The same line with inks that change between characters only: a mark or a joined emoji
    has the ink of the one that it belongs to."""
    whole: list[Segment] = []
    for text, ink, _ in segments:
        own = 0
        while whole and own < len(text) and _belongs_to(whole[-1].text, text[own]):
            whole[-1] = Segment(whole[-1].text + text[own], whole[-1].style)
            own += 1
        if text[own:]:
            whole.append(Segment(text[own:], ink))
    return whole


def _belongs_to(before: str, char: str) -> bool:
    return before.endswith("\u200d") or get_character_cell_size(char) == 0


def join_of(strip: Strip) -> str:
    """What stands between a line and the next when both are copied."""
    join = meta_of(strip, _JOIN)
    return "\n" if join is None else str(join)


def hunk_of(strip: Strip) -> int | None:
    """The hunk of a diff that this line is the head of."""
    hunk = meta_of(strip, HUNK)
    return None if hunk is None else int(hunk)


def meta_of(strip: Strip, name: str) -> Any:
    """What a line carries under this name, beside its words; None for nothing."""
    for segment in strip:
        if segment.style is not None and name in segment.style.meta:
            return segment.style.meta[name]
    return None
