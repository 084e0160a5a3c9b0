"""What becomes of the panel's messages: answers go to their call, a changed call is judged anew."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import events
from textual.message import Message

from agent_cockpit.cockpit.actions import Actions
from agent_cockpit.cockpit.keys.roles import Decides, KeepsKeys

if TYPE_CHECKING:
    from agent_cockpit.cockpit.consent.question import Question
    from agent_cockpit.cockpit.panels.approval_modal import ApprovalModal


class Consenting(Actions):
    """The first floor of the cockpit; only `CockpitApp` is made."""

    def on_descendant_focus(self, event: events.DescendantFocus) -> None:
        """Nothing is an answer while a search or a menu has the keyboard; once it has it no
        more, by whatever way it lost it, the question takes answers anew."""
        if not self.is_furnished:
            return
        is_held = isinstance(event.widget, KeepsKeys)
        if is_held == self.panel.quiet.is_held:
            return
        self.panel.quiet.is_held = is_held
        if is_held:
            self.panel.typed(Message().time)
        elif self.has_question:
            self.panel.reopen()

    def seen_again(self, _: object) -> None:
        """The terminal was another program's: what came to ask meanwhile is seen only now."""
        for screen in self.screen_stack:
            if isinstance(screen, Decides):
                screen.ask_again()
        if self.has_question:
            self.panel.reopen()

    def on_approval_modal_lit_changed(self, message: ApprovalModal.LitChanged) -> None:
        if self.panel.is_writing or self.read_only:
            return
        if self.is_main and not isinstance(self.focused, KeepsKeys):
            self.set_focus(self.panel if message.lit and self.panel.is_open else self.composer)
        self.present()

    def on_approval_modal_answered(self, message: ApprovalModal.Answered) -> None:
        chosen = self.around.asking.chosen(message.question_id, message.given)
        if chosen is not None:
            from agent_cockpit.cockpit.consent.choice import Given

            for call_id in chosen:
                self.driving.resolve(call_id, Given(answer="allow"), lambda _: self.present())
            return
        if self.around.asking.settle(message.question_id, message.given.answer):
            return

        def done(is_taken: bool) -> None:
            question = self.panel.question
            if not is_taken and question and question.question_id == message.question_id:
                self.panel.ask_again()

        self.driving.resolve(message.question_id, message.given, done)

    def on_approval_modal_edited(self, message: ApprovalModal.Edited) -> None:
        def judged(question: Question | None, problem: str) -> None:
            if question is None:
                self.panel.refuse_edit(problem)
            else:
                self.panel.show_edited(question, message.values)

        self.driving.reconsider(message.question_id, message.values, judged)

    def on_approval_modal_list_asked(self) -> None:
        self.around.asking.show_list()

    def on_approval_modal_grown(self) -> None:
        self.panel.fit()
        self.present()
