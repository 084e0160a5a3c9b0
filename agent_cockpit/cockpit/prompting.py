"""What becomes of what a person writes: a prompt, a command of the cockpit or the engine, a
line for the shell."""

from __future__ import annotations

from typing import TYPE_CHECKING

from agent_cockpit.cockpit.consenting import Consenting
from agent_cockpit.cockpit.look.edges import BREAKPOINTS
from agent_cockpit.cockpit.look.looks import Looks
from agent_cockpit.cockpit.opening import Opening
from agent_cockpit.cockpit.prompt.clearing import Clearing
from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.prompt.prompt_keeper import PromptKeeper
from agent_cockpit.cockpit.prompt.shell import SHELL_SIGN, Shell
from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.cockpit.keys.key import Situation
    from agent_cockpit.cockpit.prompt.suggesting import Suggesting
    from agent_cockpit.engine.state import MetaResult


def placeholder(now: Situation) -> str:
    """What the empty prompt says."""
    if now.choosing:
        return "words of a prompt that you sent"
    if now.offers_demo:
        return "enter opens the demo"
    if now.begins and now.has_question:
        return "the goal begins once this is answered"
    if now.running:
        return "steer the goal, or queue the next one"
    if now.offers_to_go_on:
        return "enter goes on with what was interrupted, or write something else"
    return "ask, or describe a change"


class Prompting(Consenting):
    """A floor of the cockpit; only `CockpitApp` is made."""

    HORIZONTAL_BREAKPOINTS = BREAKPOINTS

    opening: Opening
    prompt_keeper: PromptKeeper
    shell: Shell
    looks: Looks
    clearing: Clearing

    def note(self, text: str) -> None:
        """Say something for a moment, or in the transcript where it would be cut."""
        line = clean_line(text)
        if self.opening.bridge is None or self.status_line.has_room(line):
            super().note(line)
        else:
            self.tell(line)

    def action_interrupt(self) -> None:
        """One rung a press: waiting prompts back, then the goal; with nothing to stop, twice
        puts what is written aside."""
        if self.read_only or self.driving.interrupt():
            return
        if not self.situation.running:
            self.clearing.press()

    def on_composer_sent(self, message: Composer.Sent) -> None:
        text = message.text
        self.prompt_keeper.sent(text)
        if text.startswith("/"):
            self.command(text)
        elif text.startswith(SHELL_SIGN):
            self.transcript_view.jump_to_end()
            self.shell.run(text)
        else:
            self.transcript_view.jump_to_end()
            self.driving.send(text, message.kind)

    def on_composer_put_aside(self, message: Composer.PutAside) -> None:
        self.prompt_keeper.put_aside(message.text, message.pastes)

    def on_composer_entered_empty(self) -> None:
        if self.opening.offers_demo:
            self.start(self.opening.open_demo())
            self.present()
        elif unfinished := self.driving.unfinished:
            self.driving.send(unfinished, "steering")

    def on_composer_quit_asked(self) -> None:
        self.action_leave()

    def on_composer_help_asked(self) -> None:
        self.action_help()

    def use_vim_keys(self, wanted: bool) -> None:
        """Write the prompt with vim's keys, or with them no more."""
        if not wanted:
            self.composer.vim = None
        elif self.composer.vim is None:
            from agent_cockpit.cockpit.prompt.vim_keys import VimKeys

            self.composer.vim = VimKeys(self.composer)

    async def on_composer_beyond(self, message: Composer.Beyond) -> None:
        """Do what vim's keys ask for outside of the prompt, or say how it is done here."""
        match message.key:
            case "/":
                await self.action_find()
            case ":":
                self.note("commands begin with : or / on an empty prompt")
            case _:
                self.note("there is no R here: r and c replace")

    def on_composer_mode_changed(self) -> None:
        self.present()

    def on_text_area_changed(self) -> None:
        self.prompt_keeper.changed()
        self.present()

    def _help_with_writing(self) -> Suggesting:
        from agent_cockpit.cockpit.prompt.suggesting import Suggesting

        return Suggesting(self, self.composer)

    def command(self, text: str) -> None:
        """Carry a slash command out, here or in the source."""
        from agent_cockpit.cockpit.own_commands import OwnCommands
        from agent_cockpit.rules.meta_commands import parse

        call = parse(text)
        if not OwnCommands(self).run(call.name, call.argument):
            self.transcript_view.jump_to_end()
            self.driving.meta(text)

    def show_meta(self, result: MetaResult) -> None:
        """Show what a local command came to."""
        if result.kind == "quit":
            self.quitting.leave()
        elif result.kind == "diff":
            from agent_cockpit.cockpit.screens.diff_modal import DiffModal

            self.show(DiffModal(result.text))
        elif result.kind != "told":
            self.tell(result.text, "warning" if result.failed else "info")

    def action_attach(self) -> None:
        """Put the output of the newest command of the person's into the prompt."""
        self.shell.attach()
