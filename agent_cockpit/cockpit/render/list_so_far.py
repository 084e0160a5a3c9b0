"""A list that is still being written: its items are drawn once, when another one follows.

Law: it reads as the whole list would; what is not sure of that is drawn from its start.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from markdown_it.token import Token
from rich.text import Text
from textual.strip import Strip

from agent_cockpit.cockpit.render.markdown import ListItems, list_items
from agent_cockpit.cockpit.render.page import Page

_LISTS = ("bullet_list_open", "ordered_list_open")


class ListSoFar:
    """Owns the strips of the items that another one follows; `text` is what they were made of.

    What comes is read behind `opening`; `place` makes the strips of the first lines of all.
    """

    def __init__(
        self, page: Page, tokens: Sequence[Token], place: Callable[[list[Text]], list[Strip]]
    ) -> None:
        """`tokens` are the list's, from its first item on."""
        self.text = self.opening = ""
        self.strips: list[Strip] = []
        """Of all items, with those of the last one as it is now."""
        self._page = page
        self._place = place
        self._opening = tokens[0]
        found = list_items(tokens, page, is_tight=True)
        self._is_tight, self._indent = found.is_tight, found.indent
        self._next = found.start
        self._done: list[Strip] = []

    def goes_on(self, rest: str, tokens: Sequence[Token]) -> bool:
        """Take in `rest`, the text from behind `text` on, and its tokens; False: the list has
        ended, or what was drawn of it would be drawn otherwise now."""
        first, of = tokens[0] if tokens else None, self._opening
        if first is None or (first.type, first.markup) != (of.type, of.markup):
            return False
        if sum(token.level == 0 and token.nesting >= 0 for token in tokens) > 1:
            return False
        found = list_items(tokens, self._page, is_tight=self._is_tight, first=self._next)
        is_apart = found.is_tight != self._is_tight and (self._is_tight or not self._done)
        if is_apart or found.indent != self._indent:
            return False
        strips, last = self._done, len(found.lines) - 1
        for number, item in enumerate(found.lines):
            if number == last > 0 and self._is_sure(found):
                self._done, self._next = strips, self._next + last
                self.text += "".join(f"{line}\n" for line in rest.split("\n")[: found.last_line])
            strips = strips + self._drawn(item, is_first=not strips)
        self.strips = strips
        return True

    def whole(self) -> list[Strip]:
        """The strips, now that it has ended."""
        return self.strips

    def _is_sure(self, found: ListItems) -> bool:
        """Whether what comes cannot change how far apart the items stand, but for the last."""
        *earlier, last = found.have_words
        return last and (bool(self._done) or any(earlier))

    def _drawn(self, item: list[Text], *, is_first: bool) -> list[Strip]:
        if is_first:
            return self._place(item)
        lines = item if self._is_tight else [Text(), *item]
        return [self._page.line(line) for line in lines]


def is_list(tokens: Sequence[Token]) -> bool:
    """Whether the tokens are one list and nothing else, with more than one item."""
    if not tokens or tokens[0].type not in _LISTS:
        return False
    items = sum(token.type == "list_item_open" and token.level == 1 for token in tokens)
    return items > 1 and sum(token.level == 0 and token.nesting >= 0 for token in tokens) == 1
