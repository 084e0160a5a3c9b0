"""The cockpit: it shows what a source tells, and hands the person's keys to it.

Laws: before the first paint only what it shows is loaded; the source is opened in a thread
after it, other screens are loaded when they open. Events rule everything on the screen, a
key only calls a method. The prompt stays usable whatever fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from datetime import tzinfo
from os import environ
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.driver import Driver
from textual.errors import NoWidget
from textual.message import Message
from textual.widgets import Static

from agent_cockpit.cockpit.consent.answers import Level, words_of
from agent_cockpit.cockpit.driving import Driving
from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.keys.keymap import Keymap
from agent_cockpit.cockpit.keys.textual_keys import bindings
from agent_cockpit.cockpit.look.looks import Looks
from agent_cockpit.cockpit.look.patient import patient_driver
from agent_cockpit.cockpit.look.steady import steady_driver
from agent_cockpit.cockpit.opening import Offer, Opening, OpenSource, Others, ReadEnding
from agent_cockpit.cockpit.prompt.clearing import Clearing
from agent_cockpit.cockpit.prompt.composer import Composer
from agent_cockpit.cockpit.prompt.paste_input import guard_input
from agent_cockpit.cockpit.prompt.prompt_keeper import Memory, PromptKeeper
from agent_cockpit.cockpit.prompt.shell import Shell
from agent_cockpit.cockpit.prompting import Prompting, placeholder
from agent_cockpit.cockpit.quitting import Quitting
from agent_cockpit.cockpit.remembered import Remembered
from agent_cockpit.cockpit.situating import situation_of
from agent_cockpit.cockpit.widgets.status_line import StatusLine
from agent_cockpit.cockpit.widgets.welcome import Welcome
from agent_cockpit.text import clean_line

if TYPE_CHECKING:
    from agent_cockpit.cockpit.bridge import Bridge, SourceOver
    from agent_cockpit.cockpit.consent.plan_review import PlanAnswer
    from agent_cockpit.cockpit.consent.question import Question
    from agent_cockpit.cockpit.outside import Outside
    from agent_cockpit.cockpit.player import Playback
    from agent_cockpit.cockpit.surroundings import Surroundings


class CockpitApp(Prompting):
    """One person, one source.

    `open_source` is called in a worker thread after the first paint; `offer_demo`, called in
    one too, makes the source that Enter opens when `open_source` says what a person must set
    first; `read_ending` gives the end of a long past, to be seen while the source is opened.
    `memory`, called in one too, opens what earlier sittings of the project left in the prompt.
    `suggestion` is a prompt that ↑ writes at the start. `zone` is where the clock on
    the screen stands, None for the machine's. `remembered` is what outlives the process, None
    for nothing. `keys_file`, called in a thread after the first paint, says where the person
    keeps their keys. `when_loaded` is called when all is loaded that a goal needs and a past is
    read, or it is known why not. After the app is over, `farewell` is the text for the terminal.
    """

    playback: Playback | None = None
    """Where a recording stands that is shown."""

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("anywhere")]

    def __init__(
        self,
        open_source: OpenSource,
        *,
        title: str = "",
        suggestion: str = "",
        read_only: bool = False,
        offer_demo: Callable[[], Offer] | None = None,
        open_new: OpenSource | None = None,
        read_ending: ReadEnding | None = None,
        others: Callable[[], Others] | None = None,
        memory: Callable[[], Memory] | None = None,
        quiet_s: float | None = None,
        zone: tzinfo | None = None,
        remembered: Remembered | None = None,
        keys_file: Callable[[], Path] | None = None,
        when_loaded: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(ansi_color=True if "NO_COLOR" in environ else None)
        self.remembered = remembered or Remembered()
        self.looks = Looks(self, self.remembered)
        self.farewell = ""
        self.keymap = Keymap()
        self.situation = Situation()
        self._keys_file = keys_file
        self._when_loaded = when_loaded
        self.outside: Outside | None = None
        self.composer = Composer(id="composer")
        self.status_line = StatusLine(id="status")
        self.composer.prompts.add(suggestion)
        self.composer.help_with = self._help_with_writing
        self.welcome = Welcome(clean_line(title), suggestion=suggestion, id="welcome")
        mark = Static("›", id="prompt-mark", markup=False)
        self._prompt = Horizontal(mark, self.composer, id="prompt")
        self.driving = Driving(self, self.start)
        self.composer.take_back = self.driving.take_back_newest
        self.read_only = read_only
        self.opening = Opening(self, open_source, offer_demo, open_new, read_ending, others)
        self.quitting = Quitting(self)
        self.clearing = Clearing(self)
        self.prompt_keeper = PromptKeeper(self, memory)
        self.shell = Shell(self)
        self.driving.run_own = self.shell.run
        self.zone = zone
        self._quiet_s = quiet_s
        self._painted_at = float("inf")

    def get_driver_class(self) -> type[Driver]:
        driver = super().get_driver_class()
        guard_input(driver)
        return steady_driver(patient_driver(driver))

    def choose_theme(self) -> None:
        self.looks.begin(environ)

    def compose(self) -> ComposeResult:
        yield self.welcome
        yield self._prompt
        yield self.status_line

    def on_mount(self) -> None:
        if self.read_only:
            self._prompt.display = False
        else:
            self.composer.focus()
        self.present()
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        if not self.is_running:
            return  # left before there was a picture
        self._painted_at = Message().time
        self.app_resume_signal.subscribe(self, self.seen_again)
        self.start(self._furnish())

    def load_surroundings(self) -> None:
        """Load what the first picture lacks; runs in a thread."""
        import agent_cockpit.cockpit.surroundings  # noqa: F401

    def make_surroundings(self) -> Surroundings:
        from agent_cockpit.cockpit.surroundings import Surroundings

        return Surroundings(
            self,
            welcome=self.welcome,
            composer=self.composer,
            remembered=self.remembered,
            show=self.show,
            read_only=self.read_only,
            quiet_s=self._quiet_s,
            zone=self.zone,
        )

    async def _furnish(self) -> None:
        """Behind the first paint: put up what it lacks, then open the source."""
        await asyncio.to_thread(self.load_surroundings)
        if not self.is_running:
            return
        await self.around.mount()
        self.is_furnished = True
        if self.read_only:
            self.transcript_view.focus()
        self.present()
        self.start(self.opening.open())
        self.start(self.prompt_keeper.open())
        if self._keys_file is not None:
            self.start(self.load_keys(self._keys_file))

    def on_resize(self) -> None:
        self.call_next(self._resized)

    def _resized(self) -> None:
        if self.is_furnished:
            self.panel.fit()
        self.present()

    # keys: who gets them

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self.quitting.key_pressed(getattr(event, "key", ""))
            if event.time < self._painted_at and getattr(event, "key", "") == "ctrl+j":
                # What was typed before the screen was ours has gone through a terminal that
                # turns Enter into a line feed.
                event = events.Key("enter", "\r")
            if self.is_furnished and not self.read_only:
                selected = bool(self.selected_text())
                if self.around.gate.takes(event, self.screen, has_selection=selected):
                    return
        if isinstance(event, events.MouseEvent) and self._is_beside(event):
            return
        await super().on_event(event)

    def _is_beside(self, event: events.MouseEvent) -> bool:
        """Whether nothing is drawn there yet, as in a window that grows; Textual would take the
        keyboard from everybody."""
        if isinstance(event, events.MouseMove) or self.mouse_captured is not None:
            return False
        try:
            self.get_widget_at(event.x, event.y)
        except NoWidget:
            return True
        return False

    # the source

    def on_frame(self) -> None:
        bridge = self.opening.bridge
        if bridge is None or not self.transcript_view.is_attached:
            return  # as it is while the cockpit is left
        news = bridge.take()
        if news.is_new_page:
            self.loaded(bridge)
        self.transcript_view.work_in(self.workspace)
        self.transcript_view.awaits_past = bridge.past_read is not None
        if news.before is not None:
            self.transcript_view.put_before(bridge.transcript, news.before)
            self._when_loaded()
        self.transcript_view.mark_changed(news.change)
        self.driving.taken()
        for text in reversed(news.recalled):
            self.give_back(text)
        self.around.asking.sync(bridge.status.approvals, bridge.status.ahead)
        self.present()

    def on_source_over(self, message: SourceOver) -> None:
        if message.error is not None and not self.quitting.is_leaving:
            self.tell(f"the sitting's events broke off: {words_of(message.error)}", "error")

    # what opening and driving ask of the app

    def start(self, work: Coroutine[Any, Any, None]) -> object:
        """Let work run beside the screen; a fault in it ends the app."""
        return self.run_worker(work, exit_on_error=True)

    def loaded(self, bridge: Bridge) -> None:
        """There is a transcript to show."""
        self.transcript_view.attach(bridge.transcript)

    async def painted(self) -> None:
        """Return once what was told by now is on the screen."""
        is_painted = asyncio.Event()
        self.call_after_refresh(is_painted.set)
        await is_painted.wait()

    def ready(self) -> None:
        """The source is open."""
        for prompt in self.driving.earlier_prompts():
            self.composer.prompts.add(prompt)
        self.welcome.ready()
        config = self.driving.config
        self.use_vim_keys(config is not None and config.vim_keys)
        if problem := self.looks.settle(config):
            self.tell(problem, "warning")
        if self.outside is None and self.is_running:
            from agent_cockpit.cockpit.outside import outside_of

            self.outside = outside_of(self)
        if self.opening.bridge is None or self.opening.bridge.past_read is None:
            self._when_loaded()
        self.composer.offer_again()
        self.present()

    def took(self, offer: Offer) -> None:
        """What was offered in place of the person's own source is opened."""
        self.composer.prompts.add(offer.suggestion)
        self.welcome.become(clean_line(offer.title), offer.suggestion)

    def not_ready(self, problem: str, *, demo: bool) -> None:
        """The source could not be opened."""
        self.welcome.problem(problem, demo=demo)
        self._when_loaded()
        self.present()

    def tell(self, text: str, level: Level = "info") -> None:
        """Say something in the transcript; before there is one, as soon as there is."""
        if not self.opening.tell(text, level):
            self.note(text)

    def give_back(self, text: str) -> None:
        """Put a prompt back into the composer."""
        self.composer.give_back(text)

    def present(self) -> None:
        """Draw what is not the transcript from what is known now."""
        if not self.screen_stack:
            return
        bridge = self.opening.bridge
        status = bridge.status if bridge and self.driving.source else None
        waiting = self.driving.waiting()
        vim_mode = self.composer.vim.mode if self.composer.vim is not None else ""
        self.situation = now = situation_of(self, status)
        if self.is_furnished:
            self.situation = now = self.around.situated(now, bridge.transcript if bridge else None)
            self.status_line.display = self.around.present(status, waiting, now)
        self.composer.placeholder = placeholder(now)
        if self.composer.suggesting is not None:
            self.composer.suggesting.show()
        self.status_line.show(
            status, now, consent=self.driving.consent, vim_mode=vim_mode, playback=self.playback
        )
        if self.outside is not None and status is not None and self.driving.config is not None:
            self.outside.follow(status, self.driving.config, asks=now.has_question)

    async def ask(self, question: Question) -> str:
        """Put a question of the sitting's own into the panel."""
        return await self.around.asking.ask(question)

    async def ask_about_plan(
        self, plan: str, *, earlier: Sequence[str] = (), notes_left: int | None = None
    ) -> PlanAnswer | None:
        """Show a plan on a screen of its own."""
        return await self.around.asking.ask_about_plan(plan, earlier=earlier, notes_left=notes_left)
