"""The cockpit: it shows what a source tells, and hands the person's keys to it.

Laws: before the first paint only what it shows is loaded; the source is opened in a thread
after it, other screens are loaded when they open. Events rule everything on the screen, a
key only calls a method. The prompt stays usable whatever fails.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from datetime import tzinfo
from typing import TYPE_CHECKING, Any, ClassVar

from textual import events
from textual.app import App, ComposeResult, SuspendNotSupported
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.message import Message
from textual.screen import Screen
from textual.timer import Timer
from textual.widgets import Static

from agent_cockpit.cockpit.asking import Asking
from agent_cockpit.cockpit.driving import Driving, Level, words_of
from agent_cockpit.cockpit.gate import KeyGate
from agent_cockpit.cockpit.keys import Situation, bindings
from agent_cockpit.cockpit.question import Question
from agent_cockpit.cockpit.quiet import QUIET_S
from agent_cockpit.cockpit.theme import THEMES
from agent_cockpit.cockpit.widgets.approval_modal import SMALL_ROWS, ApprovalModal
from agent_cockpit.cockpit.widgets.composer import Composer
from agent_cockpit.cockpit.widgets.status_line import StatusLine
from agent_cockpit.cockpit.widgets.transcript import TranscriptView
from agent_cockpit.cockpit.widgets.waiting_list import WaitingList
from agent_cockpit.cockpit.widgets.welcome import Welcome
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.text import clean, clean_line

if TYPE_CHECKING:
    from agent_cockpit.cockpit.bridge import Bridge, SourceOver
    from agent_cockpit.cockpit.screens.plan_modal import PlanAnswer
    from agent_cockpit.engine.ports import SittingSource
    from agent_cockpit.engine.state import MetaResult

OpenSource = Callable[[], "SittingSource"]
QUIT_ARMED_S = 1.5


class CockpitApp(App[None]):
    """One person, one source.

    `open_source` is called in a worker thread after the first paint; `offer_demo`, called in
    one too, makes the source that Enter opens when `open_source` says what a person must set
    first. `zone` is where the clock on the screen stands, None for the machine's. After the
    app is over, `farewell` is the line for the terminal.
    """

    CSS_PATH = "app.tcss"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [*bindings("anywhere")]

    def __init__(
        self,
        open_source: OpenSource,
        *,
        title: str = "",
        read_only: bool = False,
        offer_demo: Callable[[], OpenSource] | None = None,
        quiet_s: float = QUIET_S,
        zone: tzinfo | None = None,
    ) -> None:
        super().__init__()
        self.farewell = ""
        self.composer = Composer(id="composer")
        self.panel = ApprovalModal(quiet_s=quiet_s, read_only=read_only, id="panel")
        self.transcript_view = TranscriptView(id="transcript", zone=zone)
        self.status_line = StatusLine(id="status")
        self._welcome = Welcome(clean_line(title), id="welcome")
        self._waiting = WaitingList(id="waiting")
        mark = Static("›", id="prompt-mark", markup=False)
        self._prompt = Horizontal(mark, self.composer, id="prompt")
        self.driving = Driving(self, self._start)
        self._open_source = open_source
        self._read_only = read_only
        self._offer_demo = offer_demo
        self._demo_offered = False
        self._bridge: Bridge | None = None
        self._gate = KeyGate(self.panel, self.composer, self.set_focus)
        self._asking = Asking(self.panel, self._show)
        self._quit_timer: Timer | None = None
        self._is_leaving = False
        self._painted_at = float("inf")
        self._early: list[tuple[str, Level]] = []

    def compose(self) -> ComposeResult:
        yield self._welcome
        yield self.transcript_view
        yield self._waiting
        yield self.panel
        yield self._prompt
        yield self.status_line

    def on_mount(self) -> None:
        for theme in THEMES:
            self.register_theme(theme)
        self.theme = THEMES[0].name
        self.transcript_view.display = False
        if self._read_only:
            self._prompt.display = False
            self.transcript_view.focus()
        else:
            self.composer.focus()
        self.present()
        self.call_after_refresh(self._painted)

    def _painted(self) -> None:
        self._painted_at = Message().time
        self._start(self._open(self._open_source))

    def on_resize(self) -> None:
        self.panel.fit()
        self.present()

    # keys: who gets them

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.Paste) and not event.is_forwarded:
            self._disarm_quit(event)
            if event.time < self._painted_at and getattr(event, "key", "") == "ctrl+j":
                # What was typed before the screen was ours has gone through a terminal that
                # turns Enter into a line feed.
                event = events.Key("enter", "\r")
            selected = bool(self._selected_text())
            if not self._read_only and self._gate.takes(event, self.screen, has_selection=selected):
                return
        await super().on_event(event)

    def on_approval_modal_lit_changed(self, message: ApprovalModal.LitChanged) -> None:
        if self.panel.is_writing or self._read_only:
            return
        if self._is_main:
            self.set_focus(self.panel if message.lit and self.panel.is_open else self.composer)
        self.present()

    def on_approval_modal_answered(self, message: ApprovalModal.Answered) -> None:
        if self._asking.settle(message.question_id, message.answer):
            return

        def done() -> None:
            if self.panel.question and self.panel.question.question_id == message.question_id:
                self.panel.reopen()

        self.driving.resolve(message.question_id, message.answer, message.note, done)

    # prompts

    def on_composer_sent(self, message: Composer.Sent) -> None:
        text = message.text
        if text.startswith("/"):
            self._command(text)
        else:
            self.driving.send(text, message.kind)

    def on_composer_entered_empty(self) -> None:
        if self._demo_offered and self._offer_demo is not None:
            offer, self._demo_offered = self._offer_demo, False
            self._start(self._open(lambda: offer()()))
            self.present()

    def on_composer_quit_asked(self) -> None:
        self.action_leave()

    def on_composer_help_asked(self) -> None:
        self.action_help()

    def on_text_area_changed(self) -> None:
        self.present()

    def _command(self, text: str) -> None:
        from agent_cockpit.rules.meta_commands import find_command, parse, unknown_text

        name = parse(text).name
        if name == "quit":
            self._leave()
        elif name == "help":
            self.action_help()
        elif find_command(name) is None:
            self.tell(unknown_text(name), "warning")
            self.give_back(text)
        else:
            self.driving.meta(text)

    # the source

    async def _open(self, opener: OpenSource) -> None:
        self.driving.is_blocked = False
        try:
            if self._bridge is None:
                self._bridge = (await asyncio.to_thread(_load_bridge))(self.post_message)
                self.transcript_view.attach(self._bridge.transcript)
            source = await asyncio.to_thread(opener)
            stream = source.events()
        except PersonCanAct as problem:
            self._not_open(str(problem))
            return
        except Exception as problem:
            self._not_open(f"the engine could not be loaded: {words_of(problem)}")
            return
        self._start(self._bridge.run(stream))
        self.driving.opened(source, self._bridge)
        self._welcome.ready()
        early, self._early = self._early, []
        for text, level in early:
            self.tell(text, level)
        self.present()

    def _not_open(self, problem: str) -> None:
        self._demo_offered = self._offer_demo is not None
        self._welcome.problem(problem, demo=self._demo_offered)
        self.driving.is_blocked = True
        self.driving.take_back()
        self.present()

    def on_frame(self) -> None:
        if self._bridge is None:
            return
        news = self._bridge.take()
        self.transcript_view.mark_changed(news.change)
        self.driving.taken()
        for text in reversed(news.recalled):
            self.give_back(text)
        if self._asking.sync(self._bridge.status.approvals):
            self._call_for_attention()
        self.present()

    def on_source_over(self, message: SourceOver) -> None:
        if message.error is not None and not self._is_leaving:
            self.tell(f"the sitting's events broke off: {words_of(message.error)}", "error")

    # what driving asks of the app

    def tell(self, text: str, level: Level = "info") -> None:
        """Say something in the transcript; before there is one, as soon as there is."""
        if self._bridge is None:
            self._early.append((text, level))
            self.note(text)
        else:
            self._bridge.tell(clean(text), level)

    def note(self, text: str) -> None:
        """Say something short in the status line, for a moment."""
        self.status_line.flash(clean_line(text))

    def give_back(self, text: str) -> None:
        """Put a prompt back into the composer."""
        self.composer.give_back(text)

    def present(self) -> None:
        """Draw what is not the transcript from what is known now."""
        if not self.screen_stack:
            return
        status = self._bridge.status if self._bridge and self.driving.source else None
        blocks = len(self._bridge.transcript) if self._bridge else 0
        running = self.driving.is_busy or bool(status and status.is_running)
        waiting = self.driving.waiting()
        now = Situation(
            running=running,
            asking=self.panel.is_lit,
            has_text=bool(self.composer.text),
            has_queue=bool(waiting),
            has_blocks=blocks > 0,
            read_only=self._read_only,
            offers_demo=self._demo_offered,
            is_blocked=self.driving.is_blocked,
            quit_armed=self._quit_timer is not None,
        )
        crowded = self.panel.is_open and self.size.height < SMALL_ROWS
        self.screen_stack[0].set_class(crowded, "-crowded")
        self.transcript_view.display = blocks > 0 and not crowded
        self._welcome.display = blocks == 0 and not crowded
        self._waiting.show([] if crowded else waiting)
        self.status_line.display = not crowded
        self.composer.placeholder = _placeholder(now)
        self.status_line.show(status, now, consent=self.driving.consent)

    def show_meta(self, result: MetaResult) -> None:
        """Show what a local command came to."""
        if result.kind == "quit":
            self._leave()
        elif result.kind == "diff":
            from agent_cockpit.cockpit.screens.diff_modal import DiffModal

            self._show(DiffModal(result.text))
        else:
            self.tell(result.text)

    async def ask(self, question: Question) -> str:
        """Put a question of the sitting's own into the panel."""
        return await self._asking.ask(question)

    async def ask_about_plan(
        self, plan: str, *, version: int, previous: str | None
    ) -> PlanAnswer | None:
        """Show a plan on a screen of its own."""
        return await self._asking.ask_about_plan(plan, version=version, previous=previous)

    # actions

    def action_interrupt(self) -> None:
        """One rung a press: waiting prompts back, then the goal."""
        if not self._read_only:
            self.driving.interrupt()

    def action_copy_or_quit(self) -> None:
        """Copy what is selected; else interrupt; else arm quitting, and quit when armed."""
        if selected := self._selected_text():
            self._copy(selected)
        elif self._quit_timer is not None:
            self._leave()
        elif self._read_only or not self.driving.interrupt():
            self._arm_quit()

    def action_leave(self) -> None:
        """Quit; while a goal runs only when asked twice."""
        if self.driving.is_busy and self._quit_timer is None:
            self._arm_quit()
        else:
            self._leave()

    def action_cycle_consent(self) -> None:
        """The next way of consent."""
        try:
            self.driving.cycle_consent()
        except PersonCanAct as problem:
            self.note(str(problem))
        self.present()

    def action_take_back(self) -> None:
        """Waiting prompts back into the composer."""
        self.driving.take_back()

    async def action_edit_outside(self) -> None:
        """Write the prompt in the person's own editor."""
        from agent_cockpit.cockpit.editor import edit_outside

        try:
            self.composer.put(await edit_outside(self, self.composer.text))
        except (OSError, SuspendNotSupported, PersonCanAct) as problem:
            self.note(words_of(problem))

    def action_fold(self) -> None:
        """Fold or unfold all calls."""
        self.transcript_view.toggle_fold_all()

    def action_page(self, direction: int) -> None:
        """Scroll the transcript by a page."""
        if direction < 0:
            self.transcript_view.scroll_page_up(animate=False)
        else:
            self.transcript_view.scroll_page_down(animate=False)

    def action_redraw(self) -> None:
        """Draw everything anew."""
        self.screen.refresh(repaint=True, layout=True)

    def action_help(self) -> None:
        """Show keys and commands."""
        from agent_cockpit.cockpit.screens.help_screen import HelpScreen
        from agent_cockpit.rules.meta_commands import COMMANDS

        if not isinstance(self.screen, HelpScreen):
            self._show(HelpScreen([(each.usage, each.words) for each in COMMANDS]))

    def on_text_selected(self) -> None:
        if selected := self.screen.get_selected_text():
            self._copy(selected, keep=True)

    # helpers

    @property
    def _is_main(self) -> bool:
        return len(self.screen_stack) == 1

    def _call_for_attention(self) -> None:
        if not self.app_focus:
            self.bell()
        if not self._is_main:
            self.notify("a call waits for your answer", severity="warning", markup=False)

    def _start(self, work: Any) -> object:
        return self.run_worker(work, exit_on_error=True)

    def _show(self, screen: Screen[Any], done: Callable[[Any], object] | None = None) -> None:
        def closed(result: Any) -> None:
            if self.panel.is_open:
                self.panel.reopen()
            if done is not None:
                done(result)

        self.push_screen(screen, closed)

    def _selected_text(self) -> str:
        return self.screen.get_selected_text() or (
            self.composer.selected_text if self._is_main else ""
        )

    def _copy(self, text: str, *, keep: bool = False) -> None:
        self.copy_to_clipboard(text)
        if not keep:
            self.screen.clear_selection()
        self.note(f"copied {len(text)} characters")

    def _arm_quit(self) -> None:
        self._quit_timer = self.set_timer(QUIT_ARMED_S, self._end_quit)
        self.status_line.flash("ctrl+c again to quit", seconds=QUIT_ARMED_S)
        self.present()

    def _end_quit(self) -> None:
        if self._quit_timer is not None:
            self._quit_timer.stop()
            self._quit_timer = None
            self.present()

    def _disarm_quit(self, event: events.Key | events.Paste) -> None:
        quits = isinstance(event, events.Key) and event.key in ("ctrl+c", "ctrl+d", "ctrl+q")
        if not quits:
            self._end_quit()

    def _leave(self) -> None:
        if not self._is_leaving:
            self._is_leaving = True
            self._start(self._close())

    async def _close(self) -> None:
        self.status_line.flash("closing…", seconds=60)
        path = getattr(self.driving.source, "journal_path", None)
        problem = await self.driving.close()
        if path is not None:
            self.farewell = f"journal {path} · agent-cockpit replay {path}"
        if problem:
            self.farewell = " · ".join(part for part in (self.farewell, problem) if part)
        self.exit()


def _load_bridge() -> type[Bridge]:
    from agent_cockpit.cockpit.bridge import Bridge

    return Bridge


def _placeholder(now: Situation) -> str:
    if now.offers_demo:
        return "enter opens the demo"
    if now.running:
        return "steer the goal, or queue the next one"
    return "ask, or describe a change"
