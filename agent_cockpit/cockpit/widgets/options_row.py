"""The answers of a panel: a letter an answer, arrows and Enter, or a click."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal

from textual import events
from textual.content import Content
from textual.message import Message
from textual.style import Style
from textual.widgets import Static

from agent_cockpit.cockpit.consent.question import Option
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.text import cell_width

Words = Literal["full", "spelled", "brief"]
"""Brief words with how far a yes reaches spelled out at the end, or without."""


class OptionsRow(Static):
    """Shows options in as many rows as they need, dim until their keys count."""

    DEFAULT_CSS = "OptionsRow { height: auto; }"

    @dataclass
    class Clicked(Message):
        """An option was clicked at this time of the terminal's clock."""

        option: Option
        at: float

    def __init__(self, place: str, *, id: str | None = None) -> None:
        """`place` is where in the table of keys the letters of the options stand."""
        super().__init__(id=id, markup=False)
        self._place = place
        self.options: Sequence[Option] = ()
        self.chosen: Option | None = None
        self.labels: Mapping[str, str] = {}
        """What is pressed in place of a letter, where the person moved it."""
        self._lit = False

    def show(
        self,
        options: Sequence[Option],
        *,
        width: int,
        lit: bool,
        words: Words,
    ) -> int:
        """Show these options in `width` cells; the rows that it took."""
        brief, self.labels = words != "full", keymap_of(self).letters(self._place)
        spelled = "always" if words == "spelled" else ""
        self.options = sorted(options, key=lambda option: option.answer == spelled)
        self._lit = lit
        if self.chosen not in options:
            self.chosen = None
        cells = [
            (item, _words(self._labelled(item), brief, is_spelled=item.answer == spelled))
            for item in self.options
        ]
        rows, gap = _laid_out(cells, width, brief)
        join = Content(" " * gap).join
        self.update(Content("\n").join(join(self._cell(*cell) for cell in row) for row in rows))
        return _height(rows, width)

    def move(self, step: int) -> None:
        """Choose the next option to the right (1) or to the left (-1)."""
        if not self.options:
            return
        here = -1 if step > 0 else len(self.options)
        if self.chosen is not None:
            here = list(self.options).index(self.chosen)
        self.chosen = self.options[(here + step) % len(self.options)]

    def of_letter(self, letter: str) -> Option | None:
        """The option with this letter."""
        return next((option for option in self.options if option.letter == letter), None)

    def at_number(self, key: str) -> Option | None:
        """The option at the place that this digit names, from 1."""
        place = int(key) if key.isascii() and key.isdecimal() else 0
        return self.options[place - 1] if 1 <= place <= len(self.options) else None

    def on_click(self, event: events.Click) -> None:
        option = self.of_letter(event.style.meta.get("option", ""))
        if option is not None:
            event.stop()
            self.post_message(self.Clicked(option, event.time))

    def _labelled(self, option: Option) -> Option:
        return replace(option, letter=self.labels.get(option.letter, option.letter))

    def _cell(self, option: Option, words: str) -> Content:
        letter, _, rest = words.partition(" ")
        content = Content.assemble(
            (letter, "bold $text-accent" if self._lit else "$foreground-muted"),
            (f" {rest}", "" if self._lit else "$foreground-muted"),
        )
        if option == self.chosen:
            content = content.stylize("reverse")
        return content.stylize(Style.from_meta({"option": option.letter}))


def rows_needed(options: Sequence[Option], width: int) -> int:
    """How many rows these options take in full words."""
    cells = [(item, _words(item, False)) for item in options]
    return _height(_laid_out(cells, width, False)[0], width)


def _laid_out(
    cells: Sequence[tuple[Option, str]], width: int, brief: bool
) -> tuple[list[list[tuple[Option, str]]], int]:
    """In as few rows as possible, and as far apart as these have room for: rows and gap."""
    gaps = (2,) if brief else (4, 3, 2)
    return min(((flow(cells, width, gap=gap), gap) for gap in gaps), key=lambda laid: len(laid[0]))


def flow(
    cells: Sequence[tuple[Option, str]], width: int, *, gap: int
) -> list[list[tuple[Option, str]]]:
    """The cells in order, in rows of at most `width`; a longer cell has a row of its own."""
    rows: list[list[tuple[Option, str]]] = []
    used = 0
    for option, words in cells:
        needs = cell_width(words)
        if rows and used + gap + needs <= width:
            rows[-1].append((option, words))
            used += gap + needs
        else:
            rows.append([(option, words)])
            used = needs
    return rows


def _height(rows: Sequence[Sequence[tuple[Option, str]]], width: int) -> int:
    """With the further rows of a cell that is wider than a row."""
    wider = (cell_width(words) for row in rows for _, words in row)
    return len(rows) + sum((cells - 1) // width for cells in wider if cells > width)


def _words(option: Option, brief: bool, *, is_spelled: bool = False) -> str:
    if brief and is_spelled:
        return f"{option.letter} {option.words}"
    return f"{option.letter} {option.brief}" if brief else f"[{option.letter}] {option.words}"
