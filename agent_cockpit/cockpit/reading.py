"""What a person does with the transcript beside scrolling it: search it, point at its blocks,
copy, fold, open and quote them.

Loaded when it is first wanted.
"""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol

from textual.app import SuspendNotSupported
from textual.screen import Screen
from textual.widget import Widget

from agent_cockpit.cockpit.consent.answers import words_of
from agent_cockpit.cockpit.deeds import deeds_for, title_of
from agent_cockpit.cockpit.editor import Terminal, open_file, read_outside
from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.render.blocks import kind_of
from agent_cockpit.cockpit.transcript.search_bar import SearchBar
from agent_cockpit.cockpit.transcript.transcript import TranscriptView
from agent_cockpit.cockpit.widgets.block_menu import BlockMenu
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.transcript.blocks import Block
from agent_cockpit.transcript.copying import (
    as_code,
    as_markdown,
    as_text,
    hunks_of,
    place_of,
    quoted,
    why_allowed,
)
from agent_cockpit.transcript.links import links_in


class Desk(Terminal, Protocol):
    """What reading needs of the app."""

    composer: Composer
    read_only: bool

    @property
    def transcript_view(self) -> TranscriptView: ...
    @property
    def screen_stack(self) -> list[Screen[Any]]: ...
    @property
    def workspace(self) -> str: ...
    def set_focus(self, widget: Widget | None) -> None: ...
    def present(self) -> None: ...
    def note(self, text: str) -> None: ...
    def copy(self, text: str, *, keep: bool = False) -> None: ...
    def start(self, work: Coroutine[Any, Any, None]) -> object: ...


class Reading:
    """Owns the search bar and the menu of blocks of one app."""

    def __init__(self, app: Desk) -> None:
        self._app = app
        self._bar: SearchBar | None = None
        self._menu: BlockMenu | None = None
        self._words = ""
        """What was selected when a deed was chosen."""
        self._deeds: dict[str, Callable[[list[Block]], object]] = {
            "text": lambda blocks: app.copy(self._words),
            "markdown": lambda blocks: app.copy("\n\n".join(map(as_markdown, blocks))),
            "code": lambda blocks: app.copy(as_code(blocks[0])[1]),
            "fold": lambda blocks: app.transcript_view.toggle_fold(blocks[0].key),
            "links": lambda blocks: app.copy(
                "\n".join(dict.fromkeys(link.address for link in links_in(as_text(blocks[0]))))
            ),
            "hunks": lambda blocks: app.transcript_view.toggle_hunks(
                blocks[0].key, *range(hunks_of(blocks[0]))
            ),
            "kind": lambda blocks: self._fold_kind(blocks[0]),
            "quote": self._quote,
            "open": lambda blocks: app.start(self._open(blocks[0])),
            "view": lambda blocks: app.start(self._view(blocks)),
        }

    # searching

    async def find(self) -> None:
        """Open the search, or write what it looks for anew."""
        app = self._app
        if self._bar is None:
            self._bar = SearchBar(app.transcript_view.search, self.leave, id="search")
            await app.screen_stack[0].mount(self._bar, before="#prompt")
        self._bar.open(app.transcript_view.search)
        app.present()

    def leave(self) -> None:
        """The keyboard goes back to the question that waits, or to the prompt."""
        app = self._app
        app.set_focus(app.transcript_view if app.read_only else app.composer)
        app.present()

    # pointing at blocks

    def point(self, step: int) -> None:
        """Point at the next block, or at the one before (-1); where none shows anything the
        keyboard stays where it is."""
        view = self._app.transcript_view
        view.point(step)
        if view.is_pointing:
            self._app.set_focus(view)
        self._app.present()

    def selected_text(self) -> str:
        """The blocks that are selected, as text."""
        return "\n\n".join(map(as_text, self._blocks()))

    async def open_menu(self) -> None:
        """Offer what can be done with the blocks that are pointed at."""
        app, view = self._app, self._app.transcript_view
        blocks, layout = self._blocks(), view.placed
        if not blocks or layout is None:
            return
        if self._menu is None:
            self._menu = BlockMenu(self._chosen, id="block-menu")
            await app.screen_stack[0].mount(self._menu, before="#prompt")
        key = blocks[0].key
        kind = kind_of(blocks[0])
        options = deeds_for(
            blocks,
            kind=kind,
            kind_fold=view.fold_of_kind(kind),
            is_open=layout.drawn.is_open(key),
            is_closed=layout.drawn.is_closed(key),
            may_fold=layout.drawn.may_fold(key),
            lines=view.chosen_lines,
            reads_only=app.read_only,
        )
        view.keeps_cursor = True
        self._menu.open(title_of(blocks, lines=view.chosen_lines), options)
        app.present()

    def _chosen(self, deed: str) -> None:
        """Do it; what only tells something leaves the menu open."""
        assert self._menu is not None
        app, view, blocks = self._app, self._app.transcript_view, self._blocks()
        self._words = self._words_of(blocks)
        if deed == "why" and blocks:
            self._menu.tell("\n".join(why_allowed(blocks[0])))
            return
        self._menu.display = False
        if deed in ("", "fold", "links", "hunks", "kind", "text", "markdown", "code"):
            app.set_focus(view)
            view.keeps_cursor = False
        else:
            view.stop_pointing()
            self.leave()
        if deed and blocks:
            self._deeds[deed](blocks)
        app.present()

    def _blocks(self) -> list[Block]:
        view = self._app.transcript_view
        if (layout := view.placed) is None:
            return []
        blocks = (layout.drawn.source.block(key) for key in view.pointed)
        return [block for block in blocks if layout.drawn.lines(block.key)]

    # deeds

    def _fold_kind(self, block: Block) -> None:
        view, kind = self._app.transcript_view, kind_of(block)
        if view.fold_of_kind(kind) != "auto":
            view.fold_kind(kind, "auto")
        elif (layout := view.placed) is not None:
            view.fold_kind(kind, "open" if layout.drawn.is_closed(block.key) else "closed")

    def _quote(self, blocks: list[Block]) -> None:
        composer = self._app.composer
        before = f"{composer.text.rstrip()}\n" if composer.text.strip() else ""
        composer.put(f"{before}{quoted(self._words)}\n")

    async def _open(self, block: Block) -> None:
        if (place := place_of(block)) is not None:
            path = Path(self._app.workspace) / place.path
            await self._outside(open_file(self._app, path, place.line))

    async def _view(self, blocks: list[Block]) -> None:
        await self._outside(read_outside(self._app, self._joined(blocks) + "\n", "transcript.md"))

    async def _outside(self, work: Coroutine[Any, Any, None]) -> None:
        try:
            await work
        except (OSError, SuspendNotSupported, PersonCanAct) as problem:
            self._app.note(words_of(problem))

    def _words_of(self, blocks: list[Block]) -> str:
        """The lines that are selected, or all of the blocks."""
        view = self._app.transcript_view
        chosen = view.screen.get_selected_text() if view.chosen_lines else None
        return chosen or self._joined(blocks)

    def _joined(self, blocks: list[Block]) -> str:
        return "\n\n".join(map(as_text, blocks))
