"""Completion at the cursor: what is offered there, which one is chosen, what it puts in.

Laws: a list opens only for what was typed, never for a prompt that was brought back; a key
that has nothing to complete does what it does without a list.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

from agent_cockpit.cockpit.prompt.offers import Named, Offers
from agent_cockpit.cockpit.prompt.suggestion_list import Suggestion
from agent_cockpit.rules.completion import Wanted, accept_file, arguments_of, wanted_at
from agent_cockpit.rules.fuzzy import best, fit
from agent_cockpit.rules.path_index import MOST

if TYPE_CHECKING:
    from agent_cockpit.cockpit.prompt.composer import Composer
    from agent_cockpit.cockpit.prompt.file_names import FileNames

MOST_SUGGESTIONS = 20
CLOSING = ":,.;!?)"
"""Behind a name these stand close: lines of it, or the end of what is said."""


class Completing:
    """Owns the list at the cursor of `composer`; `show` draws it."""

    def __init__(self, composer: Composer, offers: Offers, show: Callable[[], object]) -> None:
        self.rows: list[Suggestion] = []
        self.selected = -1
        self.heading = ""
        self._composer = composer
        self._offers = offers
        self._show = show
        self._wanted: Wanted | None = None
        self._row = 0
        self._seen: tuple[object, ...] = ()
        self._closed_at: tuple[int, int] | None = None
        self._gave_blank: tuple[int, int, str] | None = None
        """Where the blank ends that the last completed file brought with it, and its line."""
        self._searching: Iterator[list[str]] | None = None
        self._found: list[str] | None = None
        self._whole: tuple[str, list[str]] | None = None
        """A query and all that fits it, where that is little enough to narrow down."""

    def refresh(self, *, again: bool = False) -> None:
        """Offer what belongs to the text and the cursor as they are now."""
        composer = self._composer
        row, column = composer.cursor_location
        line = composer.document[row]
        is_typed = not (composer.is_brought_back or composer.is_commanding)
        seen = (row, column, line, is_typed)
        if seen == self._seen and not again:
            return
        if again:
            self._whole = None
        self._seen, self._row = seen, row
        may_offer = composer.selection.is_empty and is_typed
        wanted = wanted_at(line, column, is_first=row == 0) if may_offer else None
        self._wanted, self._searching, self.heading = wanted, None, ""
        if wanted is None or (row, wanted.start) != self._closed_at:
            self._closed_at = None
        if wanted is None or self._closed_at is not None:
            self._offer([])
        elif wanted.kind == "file":
            self._offer_files(wanted)
        elif wanted.kind == "command":
            named = [(f"/{name}", words) for name, words in self._offers.commands()]
            self._offer(self._fitting(f"/{wanted.query}", named))
        else:
            self._offer_arguments(wanted)

    def takes(self, key: str) -> bool:
        """Whether the key was for the list."""
        if not self.rows:
            return False
        match key:
            case "down" | "up":
                self._move(1 if key == "down" else -1)
            case "tab":
                self.accept(max(0, self.selected))
            case "enter":
                if self.selected < 0 or self._is_complete(self.selected):
                    return False
                self.accept(self.selected)
            case "escape":
                self._closed_at = (self._row, self._wanted.start) if self._wanted else None
                self._searching = None
                self._offer([])
            case _:
                return False
        return True

    def accept(self, place: int) -> None:
        """Put a suggestion in the place of what was wanted."""
        wanted = self._wanted
        if wanted is not None and place < len(self.rows):
            chosen = self.rows[place]
            here = ((self._row, wanted.start), (self._row, wanted.end))
            self._composer.put_between(chosen.text, *here, back=chosen.back)
            is_file_and_blank = wanted.kind == "file" and chosen.text.endswith(" ")
            self._gave_blank = self._here() if is_file_and_blank else None
            self.refresh()

    def make_way_for(self, character: str) -> None:
        """Take the blank behind a completed file back, where this character stands close."""
        if character in CLOSING and self._gave_blank == self._here():
            row, column, _ = self._gave_blank
            self._composer.replace("", (row, column - 1), (row, column))
        self._gave_blank = None

    def _here(self) -> tuple[int, int, str]:
        row, column = self._composer.cursor_location
        return row, column, self._composer.document[row]

    def _move(self, step: int) -> None:
        if self.selected < 0:
            self.selected = 0 if step > 0 else len(self.rows) - 1
        else:
            self.selected = (self.selected + step) % len(self.rows)
        self._show()

    def _is_complete(self, place: int) -> bool:
        """Whether what is written says already what the suggestion would put there."""
        wanted = self._wanted
        if wanted is None:
            return True
        line = self._composer.document[self._row]
        if wanted.kind == "command":
            return any(name == wanted.query.lower() for name, _ in self._offers.commands())
        return line[wanted.start : wanted.end] == self.rows[place].text.rstrip()

    def _offer(self, rows: list[Suggestion]) -> None:
        """Show rows; the first one is chosen where something was written to choose by."""
        moved = self.rows[self.selected] if 0 < self.selected < len(self.rows) else None
        self.rows = rows
        chooses = bool(self._wanted and self._wanted.query)
        self.selected = rows.index(moved) if moved in rows else (0 if chooses and rows else -1)
        self._show()

    def _fitting(self, query: str, named: list[Named]) -> list[Suggestion]:
        """The names that fit best; behind a command that takes something the writing goes on."""
        found = best(query, [name for name, _ in named], most=MOST_SUGGESTIONS)
        return [
            Suggestion(
                named[place][0], self._goes_on(named[place][0]), named[place][1], good.places
            )
            for place, good in found
        ]

    def _goes_on(self, name: str) -> str:
        if not name.startswith("/"):
            return name
        takes = arguments_of(Wanted("argument", "", 0, 0, command=name[1:]))
        return f"{name} " if takes else name

    def _offer_arguments(self, wanted: Wanted) -> None:
        may_stand = arguments_of(wanted)
        named: list[Named] = [(word, "") for word in may_stand if not word.isupper()]
        for kind in may_stand:
            if kind.isupper():
                named += self._offers.things(kind, wanted.command)
        rows = self._fitting(wanted.query, named)
        if "PATH" in may_stand and wanted.query:
            self._offer_files(wanted, rows)
        else:
            self._offer(rows)

    def _offer_files(self, wanted: Wanted, before: list[Suggestion] | None = None) -> None:
        names = self._offers.files()
        if names is None or names.index is None:
            if names is not None:
                self.heading = "  looking the files up…"
            self._offer(before or [])
            return
        among = None
        if self._whole is not None and wanted.query.startswith(self._whole[0]):
            among = self._whole[1]
        searching = names.index.search(wanted.query, among=among)
        self._searching = searching
        self._take_files(names, wanted, before or [])

    def _take_files(self, names: FileNames, wanted: Wanted, before: list[Suggestion]) -> None:
        """Show what one more step of the search found; the next comes behind waiting keys."""
        searching, line = self._searching, self._composer.document[self._row]
        if searching is None or wanted is not self._wanted:
            return
        found = next(searching, None)
        if found is None:
            self._searching = None
            if self._found is not None and wanted.query and len(self._found) < MOST:
                self._whole = (wanted.query, self._found)
            return
        self._found = found
        there = filter(names.is_there, found[:MOST_SUGGESTIONS])
        rows = [row for path in there if (row := _file_row(wanted, path, line)) is not None]
        self._offer([*before, *rows])
        self._composer.call_later(self._take_files, names, wanted, before)


def _file_row(wanted: Wanted, path: str, line: str) -> Suggestion | None:
    good = fit(wanted.query, path)
    places = good.places if good else ()
    if wanted.kind == "argument":
        return None if path.endswith("/") else Suggestion(path, path, places=places)
    accepted = accept_file(wanted, path, line)
    if accepted is None:
        return None
    lines = wanted.lines.strip(":-")
    words = f"lines {lines}" if lines and not path.endswith("/") else ""
    return Suggestion(path, accepted.text, words, places, accepted.back)
