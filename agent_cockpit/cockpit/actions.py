"""What the keys do that work anywhere: stop, copy, quit, page, fold, help."""

from __future__ import annotations

import asyncio
from abc import abstractmethod
from collections.abc import Callable, Coroutine
from contextlib import suppress
from functools import cached_property
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Any

from textual.app import SuspendNotSupported
from textual.screen import Screen

from agent_cockpit.cockpit.consent.answers import Level, words_of
from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.keys.keymap import Keymap
from agent_cockpit.cockpit.keys.roles import KeepsKeys
from agent_cockpit.cockpit.look.styled_once import StyledOnce
from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.quitting import Quitting
from agent_cockpit.cockpit.widgets.status_line import StatusLine
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.cockpit.keys.palette_items import Item
    from agent_cockpit.cockpit.keys.user_keys import UserKeys
    from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal
    from agent_cockpit.cockpit.reading import Reading
    from agent_cockpit.cockpit.surroundings import Surroundings
    from agent_cockpit.cockpit.transcript.transcript import TranscriptView
    from agent_cockpit.cockpit.widgets.side_panel import SidePanel


class Actions(StyledOnce):
    """The ground floor of the cockpit; only `CockpitApp` is made."""

    driving: Driving
    quitting: Quitting
    composer: Composer
    status_line: StatusLine
    read_only: bool
    situation: Situation
    """What decides which keys work, as it was drawn last."""
    keymap: Keymap
    key_problems: tuple[str, ...] = ()
    """What of the person's keys could not be taken."""
    keys_path = ""
    """Where the person's keys are read from; empty in an app that reads none."""

    is_furnished = False
    """Whether the screen has what its first picture lacks; until then there is no question."""

    @abstractmethod
    def make_surroundings(self) -> Surroundings:
        """Make what the first picture lacks."""

    @cached_property
    def around(self) -> Surroundings:
        """What the first picture lacks, loaded when it is first wanted."""
        return self.make_surroundings()

    @property
    def panel(self) -> ApprovalModal:
        """Where calls ask."""
        return self.around.panel

    @property
    def has_question(self) -> bool:
        """Whether something waits for the person's answer."""
        return self.is_furnished and self.panel.is_open

    @property
    def transcript_view(self) -> TranscriptView:
        """What happened so far."""
        return self.around.transcript_view

    _reading: Reading | None = None

    @property
    def reading(self) -> Reading:
        """What a person does with the transcript, loaded when it is first wanted."""
        if self._reading is None:
            from agent_cockpit.cockpit.reading import Reading

            self._reading = Reading(self)
        return self._reading

    def action_copy_or_quit(self) -> None:
        """Copy what is selected; else interrupt; else arm quitting, and quit when armed."""
        if selected := self.selected_text():
            self.copy(selected)
        elif self.quitting.is_armed:
            self.quitting.leave()
        elif self.read_only or not self.driving.interrupt():
            self.quitting.arm()

    def action_leave(self) -> None:
        """Quit; while a goal runs only when asked twice."""
        if self.driving.is_busy and not self.quitting.is_armed:
            self.quitting.arm()
        else:
            self.quitting.leave()

    def action_cycle_consent(self) -> None:
        """The next way of consent."""
        self.driving.cycle_consent()
        self.present()

    async def action_edit_outside(self) -> None:
        """Write the prompt in the person's own editor."""
        from agent_cockpit.cockpit.editor import edit_outside

        before = self.composer.text
        try:
            text = await edit_outside(self, self.composer.whole_text)
            if self.composer.text != before:
                self.composer.put_aside()
            self.composer.put_whole(text)
        except (OSError, SuspendNotSupported, PersonCanAct) as problem:
            self.note(words_of(problem))

    async def action_find(self) -> None:
        """Search the transcript."""
        if self.is_main and self.transcript_view.display:
            await self.reading.find()

    def action_times(self) -> None:
        """Show when each block of the transcript began, or show it no more."""
        self.transcript_view.toggle_times()

    def action_diff_view(self) -> None:
        """Show diffs by the width, side by side, or unified."""
        from agent_cockpit.cockpit.widgets.lines_view import LinesView

        words = {"auto": "by the width", "beside": "side by side", "unified": "unified"}
        self.note(f"diffs {words[self.transcript_view.cycle_diff_view()]}")
        self.panel.fit()
        for view in self.screen.query(LinesView):
            view.diff_view_changed()

    def action_point(self, step: int) -> None:
        """Point at the next block of the transcript, or at the one before (-1)."""
        if self.is_main and self.transcript_view.display:
            self.reading.point(step)

    async def on_pointing_menu_asked(self) -> None:
        await self.reading.open_menu()

    def on_pointing_left(self) -> None:
        self.reading.leave()

    def action_fold(self) -> None:
        """Unfold all, fold all, or let each be as it is by itself."""
        words = {"open": "all unfolded", "closed": "all folded", "auto": "folded as usual"}
        self.note(words[self.transcript_view.toggle_fold_all()])

    def action_page(self, direction: int) -> None:
        """Scroll the transcript by a page."""
        if direction < 0:
            self.transcript_view.scroll_page_up(animate=False)
        else:
            self.transcript_view.scroll_page_down(animate=False)

    def action_redraw(self) -> None:
        """Draw everything anew."""
        self.screen.refresh(repaint=True, layout=True)

    def action_side_panel(self) -> None:
        """Show the side panel, or hide it."""
        if words := self.around.side.toggle():
            self.note(words)
        self.present()

    def on_side_panel_file_chosen(self, message: SidePanel.FileChosen) -> None:
        """Show what edits did to a file."""
        from agent_cockpit.cockpit.screens.diff_modal import DiffModal
        from agent_cockpit.transcript.work import edits_of

        if self.driving.bridge is not None:
            self.show(DiffModal(edits_of(self.driving.bridge.transcript.blocks, message.path)))

    def on_side_panel_job_chosen(self, message: SidePanel.JobChosen) -> None:
        """Show a running call in the transcript."""
        if self.driving.bridge is not None:
            transcript = self.driving.bridge.transcript
            for key in transcript.open_keys():
                if getattr(transcript.block(key), "call_id", None) == message.call_id:
                    self.transcript_view.jump_to(key)

    async def load_keys(self, keys_file: Callable[[], Path]) -> None:
        """Put the keys in force that the person moved, and say which could not be taken."""
        self.keys_path, found = await asyncio.to_thread(_keys_of, keys_file)
        if found is None:
            return
        self.keymap, self.key_problems = found.keymap, found.problems
        self.set_keymap(
            {key_id: ",".join(keys or NO_KEY) for key_id, keys in self.keymap.moved.items()}
        )
        for problem in found.problems:
            self.tell(problem, "warning")
        self.panel.fit()
        self.present()

    def action_palette(self) -> None:
        """Show all that can be done now."""
        from agent_cockpit.cockpit.keys.palette_items import items
        from agent_cockpit.cockpit.screens.palette import Palette
        from agent_cockpit.rules.meta_commands import COMMANDS

        if self.is_main:
            commands = () if self.read_only else COMMANDS
            offered = items(self.keymap, self.situation, commands)
            self.show(Palette(offered), self._chosen)

    def _chosen(self, item: Item | None) -> None:
        if item is None:
            return
        if item.action:
            self.call_next(self.run_action, item.action, self.composer)
        elif item.needs_words:
            self.composer.put_aside()
            self.composer.put(f"{item.command} ")
        else:
            self.command(item.command)

    @abstractmethod
    def command(self, text: str) -> None:
        """Carry a slash command out."""

    def action_help(self, commands_first: bool = False) -> None:
        """Show keys and commands."""
        from agent_cockpit.cockpit.screens.help_screen import HelpScreen
        from agent_cockpit.rules.meta_commands import COMMANDS

        if not isinstance(self.screen, HelpScreen):
            commands = [(each.usage, each.words) for each in COMMANDS]
            self.show(HelpScreen(commands, commands_first=commands_first))

    def show_keys(self) -> None:
        """Show each key with the name that keys.toml knows it by, and what was wrong there."""
        from agent_cockpit.cockpit.screens.keys_screen import KeysScreen

        self.show(KeysScreen(self.keymap, self.key_problems, self.keys_path))

    def on_text_selected(self) -> None:
        if selected := self.screen.get_selected_text():
            self.copy(selected, keep=True)

    @abstractmethod
    def tell(self, text: str, level: Level = "info") -> None:
        """Say something in the transcript."""

    def note(self, text: str) -> None:
        """Say something short in the status line, for a moment."""
        self.status_line.flash(clean_line(text))

    @abstractmethod
    def start(self, work: Coroutine[Any, Any, None]) -> object:
        """Let work run beside the screen; a fault in it ends the app."""

    @abstractmethod
    def present(self) -> None:
        """Draw what is not the transcript from what is known now."""

    @property
    def reading_place(self) -> str:
        """Which part of the transcript's own has the keyboard; empty: none."""
        if isinstance(self.focused, KeepsKeys):
            return self.focused.place
        is_pointing = self.is_furnished and self.focused is self.transcript_view
        return "blocks" if is_pointing and self.transcript_view.is_pointing else ""

    @property
    def workspace(self) -> str:
        """The folder that the sitting works in; empty while it is not known."""
        return self.driving.bridge.status.workspace if self.driving.bridge is not None else ""

    @property
    def is_main(self) -> bool:
        """Whether no full screen lies over the conversation."""
        return len(self.screen_stack) == 1

    def show(self, screen: Screen[Any], done: Callable[[Any], object] | None = None) -> None:
        """Open a full screen; a call that asks takes answers anew when it is closed."""

        def closed(result: Any) -> None:
            if self.has_question:
                self.panel.reopen()
            if done is not None:
                done(result)

        self.push_screen(screen, closed)
        screen.call_after_refresh(self.present)

    def selected_text(self) -> str:
        """What the mouse or the cursor selected."""
        selected = self.screen.get_selected_text()
        if selected or not self.is_main:
            return selected or ""
        if self.is_furnished and self.transcript_view.cursor.selects:
            return self.reading.selected_text()
        return self.composer.selected_text

    def copy(self, text: str, *, keep: bool = False) -> None:
        """Put a text into the clipboard, and say so; what was selected is selected no more,
        unless `keep`."""
        from agent_cockpit.cockpit.clipboard import (
            clipboard_programs,
            copied_words,
            copy_by_program,
        )

        self.copy_to_clipboard(text)
        for command in clipboard_programs(environ):
            self.run_worker(copy_by_program(text, command))
        if not keep:
            self.screen.clear_selection()
            self.transcript_view.cursor.selects_no_more()
            self.transcript_view.refresh()
        self.note(copied_words(text))


NO_KEY = ("<none>",)
"""What Textual binds where a key was taken away."""


def _keys_of(keys_file: Callable[[], Path]) -> tuple[str, UserKeys | None]:
    """Where the person's keys are, and what they are; None where they moved none. Runs in a
    thread."""
    path = keys_file()
    with suppress(PermissionError):  # reading it says why it cannot be read
        if not path.exists():
            return str(path), None
    from agent_cockpit.cockpit.keys.user_keys import read_keys

    return str(path), read_keys(path)
