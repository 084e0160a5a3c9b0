"""What lasts from goal to goal: conversation, turn machine, grants, modes, record.

Laws: this object alone swaps the turn machine's value, on the event loop; an event may
announce, only a method decides.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any, Self, cast
from uuid import uuid4

from agent_cockpit.engine.baseline import Baseline
from agent_cockpit.engine.consent.ledger import Ledger
from agent_cockpit.engine.consent.recalled_calls import recalled_calls
from agent_cockpit.engine.execution import ExecutionCell
from agent_cockpit.engine.goals.openings import Openings
from agent_cockpit.engine.goals.session import Session
from agent_cockpit.engine.model.conversation import Conversation
from agent_cockpit.engine.ports import AllowAll, Approver, Harness, ModeClassifier
from agent_cockpit.engine.record.bus import EventBus, Subscription
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.past import Past
from agent_cockpit.engine.record.resume import first_events
from agent_cockpit.engine.sitting.branch_watch import BranchWatch
from agent_cockpit.engine.sitting.input_queue import InputQueue, queued_texts
from agent_cockpit.engine.sitting.routing import ModeRouter
from agent_cockpit.engine.state import SessionState
from agent_cockpit.events.base import Event
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import (
    ModePinned,
    Notice,
    PromptQueued,
    PromptsRecalled,
    SittingStarted,
)
from agent_cockpit.providers.protocol import Provider
from agent_cockpit.rules.consent.permission import ACCEPT_EDITS, ASK_EDITS, ConsentPolicy
from agent_cockpit.rules.modes import Mode
from agent_cockpit.rules.turn_execution import PromptKind, TurnExecution
from agent_cockpit.workspace.cancellation import CancellationToken


class Sitting:
    """The parts of a `ReplSession` that outlive a goal, and the control plane over them.

    Only `ReplSession` is made; this is its ground floor.
    """

    def __init__(
        self,
        harness: Harness,
        *,
        session_id: str | None = None,
        auto: bool = False,
        journal: JsonlEventJournal | None = None,
        classifier: ModeClassifier | None = None,
        allow_dirty: bool = False,
        past: Past | None = None,
    ) -> None:
        self.harness = harness
        self.auto = auto
        self.journal = journal
        self.past = past or Past()
        """What the journal told when the sitting was taken up again; empty for a new one."""
        self.state = SessionState(
            session_id=self.past.session_id or session_id or uuid4().hex,
            workspace_root=harness.workspace_root,
            config=harness.config,
            history=list(self.past.history),
            tasks=list(self.past.tasks),
            mode="plan" if self.past.is_planning else self.past.pin,
        )
        self.consent = harness.config.consent if harness.asks_edits else "accept_edits"
        self._branch = BranchWatch(harness.branch)
        self._bus = EventBus(self.state.session_id, journal, keeps_history=False)
        self._bus.continue_after(self.past.last_id)
        self._execution = ExecutionCell(self._publish, self.past.execution)
        self._provider = harness.open_provider()
        self._effort = harness.config.effort
        self._approver: Approver = AllowAll()
        self._router = ModeRouter(
            classifier or harness.open_classifier(),
            timeout_s=harness.config.classifier_timeout_seconds,
        )
        self.conversation = Conversation.after(self.past, self._publish)
        must_be_clean = not (allow_dirty or self.past.tasks)
        self._openings = Openings(harness, self.conversation.shown, must_be_clean=must_be_clean)
        self._session: Session | None = None
        self._token = CancellationToken()
        self._token_is_taken = False
        self._former_pin: tuple[Mode | None] | None = None
        self._baselines: list[Baseline] = []
        self._found: list[Baseline] = []
        """The trees of goals that go on with the work of another, whose baseline is theirs."""
        self._changes = self.past.changes
        self._recorded: set[str] = set()
        self.refused = list(self.past.refused)
        self.ledger = Ledger(
            seen=recalled_calls(
                self.past.events,
                root=harness.workspace_root,
                sensitive_globs=harness.config.sensitive_path_globs,
            )
        )
        """What was asked about or let through, and what consent was given."""
        self._announced_start = False
        self._closed = False
        self._handed_over: tuple[str, ...] = ()
        """Queued texts that open the goal which is being prepared; sent once it begins."""
        self._queue = InputQueue(
            lambda: self.execution.is_active,
            lambda text: self._admit(text, "steering"),
            lambda: queued_texts(self.execution.queues[0]),
            lambda: queued_texts(self._execution.take(self.execution.dequeue_steering()).value),
        )

    # ── reading ──────────────────────────────────────────────────────────────────────────────

    @property
    def execution(self) -> TurnExecution:
        """The turn machine's present value."""
        return self._execution.value

    @property
    def mode(self) -> Mode | None:
        """The pinned mode, `plan` included, or None when each prompt decides."""
        return self.state.mode

    @property
    def last_mode_source(self) -> str:
        """How the newest mode was reached: override, classifier or heuristic."""
        return self._router.source

    @property
    def journal_path(self) -> Path | None:
        """Where the sitting is recorded."""
        return self.journal.path if self.journal is not None else None

    @property
    def model(self) -> str:
        """The model in use."""
        return self._provider.model

    def events(self) -> Subscription:
        """All events of the sitting from now on, both unions, in one order."""
        subscription = self._bus.subscribe()
        self._announce_start()
        return subscription

    def history(self) -> tuple[Message, ...]:
        """The conversation: the preamble and every message since."""
        return self.conversation.history()

    def baselines(self) -> tuple[Baseline, ...]:
        """The trees that the goals began with, oldest first."""
        return tuple(self._baselines)

    # ── modes and commands ───────────────────────────────────────────────────────────────────

    def resolve_mode(self, prompt: str) -> Mode:
        """The mode for `prompt`: pin, classifier, words."""
        return self._router.resolve_blocking(prompt, self.mode, self.state.history)

    async def aresolve_mode(self, prompt: str) -> Mode:
        """As `resolve_mode`, awaited."""
        return await self._router.resolve(prompt, self.mode, self.state.history)

    def boundary_changed(self, change: Callable[[TurnExecution], Any]) -> str | None:
        """Set or clear an edit boundary; the text of what is wrong, or None."""
        outcome = self._execution.take(change(self.execution))
        return str(outcome.value) if outcome.tag == "rejected" else None

    def revoke_trust(self, name: str | None = None) -> None:
        """Take back trust in one key, or all."""
        self._execution.take(self.execution.revoke_trust(name))

    def ask_edits(self) -> None:
        """Edits are asked about again; announced."""
        self.consent = "ask"
        self._publish(Notice(text="mode: ask"))

    # ── control ──────────────────────────────────────────────────────────────────────────────

    async def cancel(self, reason: str = "cancelled") -> None:
        """Stop the running goal, also while it is being prepared; else nothing."""
        if self.execution.is_active:
            self._token.cancel(reason)
            if self._session is not None:
                await self._session.cancel(reason)

    def cancel_handle(self) -> CancellationToken:
        """The token of the running or next goal; retired when that goal ends."""
        return self._token

    def recall(self) -> list[str]:
        """Take back all that is queued, oldest first."""
        return self._give_back()

    def input_queue(self) -> InputQueue:
        """A handle to queue texts for the running goal, from any thread."""
        return self._queue

    def tolerate_dirt(self) -> None:
        """Accept uncommitted changes for the rest of the sitting."""
        self._openings.must_be_clean = False

    def with_approver(self, approver: Approver) -> Self:
        """Consult one more veto before every call; gives the sitting back."""
        self._approver = approver
        return self

    def set_model(self, provider: Provider, model: str = "") -> Message:
        """Use another voice from the next goal on; returns the announcement, not appended."""
        self._provider = provider
        self.conversation.model_changed()
        name = model or provider.model
        return Message.of("user", f"[From here on the model is {name}; earlier names are stale.]")

    def set_effort(self, effort: str | None) -> None:
        """How hard the model thinks from the next goal on; nothing is announced."""
        if effort not in (None, "low", "medium", "high"):
            raise ValueError(f"effort is low, medium, high or None, not {effort!r}")
        self._effort = cast(Any, effort)

    def add_root(self, root: Path | str) -> None:
        """Look for instructions and skills in one more folder from the next goal on."""
        self._openings.add_root(Path(root))

    def announce(self, message: Message) -> None:
        """Append a message to the conversation, as a goal would."""
        self.conversation.append(message)

    async def aclose(self) -> None:
        """Stop what runs and wait for its end, end the streams, close the record.

        Nothing can be started afterwards. The task that runs a goal must not await this.
        """
        self._closed = True
        if self._session is not None:
            self._session.takes_queue = False
        while self.execution.is_active:
            await self.cancel("the sitting was closed")
            await self._execution.rest()
        for baseline in (*self._baselines, *self._found):
            await baseline.give_up()
        if waiting := self._queue.take_all():
            self._recalled(list(waiting))
        await self._bus.sync()
        self._bus.close()
        if self.journal is not None:
            self.journal.close(release=True)
        await self._provider.aclose()

    # ── inside ───────────────────────────────────────────────────────────────────────────────

    def publish(self, event: Event) -> Event:
        """Announce something of the sitting; for the engine's own parts."""
        return self._publish(event)

    def _publish(self, event: Event) -> Event:
        self._announce_start()
        stamped = self._bus.publish(event)
        if (news := self._branch(stamped)) is not None:
            self._bus.publish(news)
        return stamped

    def _announce_start(self) -> None:
        if not self._announced_start:
            self._announced_start = True
            started = SittingStarted(
                preamble=self.conversation.preamble.text,
                provider=self._provider.name,
                model=self._provider.model,
                workspace=self.state.workspace_root,
                sandbox=self.harness.sandbox_name,
                branch=self._branch.first(),
            )
            for event in first_events(self.past, started, unattended=self.harness.unattended):
                self._bus.publish(event)
            if self.mode != self.past.pin:
                self._bus.publish(ModePinned(mode=self.mode))
            for text in self.harness.notices:
                self._bus.publish(Notice(level="warning", text=text))

    def _admit(self, text: str, kind: PromptKind) -> bool:
        """Whether the prompt starts a run now; else it is queued, and that is announced."""
        if not self.execution.is_active:
            self._refuse_when_closed()
        self._announce_start()
        if self._execution.take(self.execution.admit_prompt(kind, text)).tag == "queued":
            self._publish(PromptQueued(kind=kind, text=text))
            return False
        self._retire_abandoned_token()
        return True

    def _goal_began(self, session: Session) -> None:
        """From now on answers and cancels mean this goal, and what was pushed joins it."""
        self._session = session
        if self._handed_over:
            sent, self._handed_over = self._handed_over, ()
            self._publish(PromptsRecalled(texts=list(sent), to="next"))
        self._openings.began()
        self._queue.flush()

    def _goal_ended(self) -> None:
        """Retire the goal's cancel token: a late cancel must not hit the next goal."""
        self._token, self._token_is_taken = CancellationToken(), False

    def _retire_abandoned_token(self) -> None:
        """A goal that was opened, cancelled and never run must not stop the next one; a cancel
        of the token that nobody took yet is meant for the next one."""
        if self._token.cancelled and self._token_is_taken:
            self._goal_ended()

    def _give_back(self, *unsent: str) -> list[str]:
        """Take `unsent` and all that is queued back to where it was written; the texts."""
        steering, follow_up = self._execution.take(self.execution.recall_queues()).value
        texts = [*unsent, *queued_texts((*steering, *follow_up))]
        if texts:
            self._recalled(texts)
        return texts

    def _not_sent(self, *prompt: str) -> None:
        """The goal that was being prepared does not begin: give back the queued texts that
        were to open it, or the `prompt` that was not queued, and all that waits behind."""
        handed_over, self._handed_over = self._handed_over, ()
        self._give_back(*(handed_over or prompt))

    def _recalled(self, texts: list[str]) -> None:
        to: Any = "dropped" if self.harness.unattended else "composer"
        self._publish(PromptsRecalled(texts=texts, to=to))

    def _refuse_when_closed(self) -> None:
        if self._closed:
            raise RuntimeError("this sitting is closed; open another")

    def policy(self) -> ConsentPolicy:
        """How calls are asked about, as of now."""
        asked = ASK_EDITS if self.consent == "ask" else ACCEPT_EDITS
        return replace(self.harness.base_policy, asked_tiers=asked)
