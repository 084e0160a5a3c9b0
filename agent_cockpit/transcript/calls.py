"""The calls of a sitting, found again by their ids, from proposal to result.

Law: a call has one block, whichever event is the first to name it, and a decision about a
call that is settled changes nothing.
"""

from __future__ import annotations

from typing import Any

from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved, ToolEnd, ToolStart
from agent_cockpit.text import clean, clean_line, head_and_tail
from agent_cockpit.transcript.block_list import BlockList
from agent_cockpit.transcript.blocks import CallBlock, CallState
from agent_cockpit.transcript.diffs import diff_counts, diff_paths
from agent_cockpit.transcript.wording import PERSON_COMMAND, decided_words

LIVE_OUTPUT_CHARS = 8_000
"""How much of a running call's output is kept; its result brings the whole."""
RESULT_CHARS = 200_000
"""Beyond this a result keeps its head and tail: nobody scrolls through more."""

_UNDECIDED: tuple[CallState, ...] = ("proposed", "waiting")


class Calls:
    """Finds each call's block by its id."""

    def __init__(self, blocks: BlockList) -> None:
        self._blocks = blocks
        self._keys: dict[str, int] = {}
        self._scopes: dict[str, str | None] = {}
        self._decided_early: dict[str, str] = {}

    def copy(self, blocks: BlockList) -> Calls:
        """Another one for a copy of the blocks."""
        twin = Calls(blocks)
        twin._keys, twin._scopes = dict(self._keys), dict(self._scopes)
        twin._decided_early = dict(self._decided_early)
        return twin

    def propose(self, call_id: str, tool: str, tool_input: dict[str, Any]) -> int:
        """The call's key; its block is made when this is the first that is heard of it."""
        if call_id in self._keys:
            return self._keys[call_id]
        is_own = tool == PERSON_COMMAND
        key = (self._blocks.add_beside if is_own else self._blocks.add)(
            CallBlock,
            call_id=call_id,
            tool=clean_line(tool),
            input=tool_input,
            decided=self._decided_early.pop(call_id, ""),
            is_open=True,
        )
        self._keys[call_id] = key
        return key

    def start(self, event: ToolStart) -> None:
        """The call runs, with the input that was allowed."""
        if event.tool != PERSON_COMMAND:
            self._blocks.end_texts()
        if event.call_id == "" and not self._is_open(""):
            self._keys.pop("", None)
        key = self.propose(event.call_id, event.tool, event.input)
        why = clean_line(event.allowed_by) or self._call(key).why
        self._blocks.change(key, state="running", input=event.input, is_open=True, why=why)

    def end(self, event: ToolEnd) -> tuple[str, ...]:
        """The call has its result; the paths that it changed."""
        key = self.propose(event.call_id, event.tool, {})
        state: CallState
        if event.stopped:
            state = "interrupted"
        elif event.refused:
            state = "denied" if self._call(key).state == "denied" else "refused"
        else:
            state = "done" if event.success and event.exit_code in (None, 0) else "failed"
        diff = clean(event.diff)
        added, removed = diff_counts(diff)
        self._blocks.change(
            key,
            state=state,
            output=clean(head_and_tail(event.content, RESULT_CHARS)),
            summary=clean_line(event.summary),
            diff=diff,
            added=added,
            removed=removed,
            exit_code=event.exit_code,
            duration_ms=event.duration_ms,
            is_open=False,
        )
        return diff_paths(diff)

    def output(self, call_id: str, piece: str) -> None:
        """The running call printed something; pieces for others are late and are dropped."""
        if piece and self._is_open(call_id):
            self._blocks.write(self._keys[call_id], piece, keep=LIVE_OUTPUT_CHARS)

    def ask(self, event: ApprovalRequested) -> None:
        """A person must decide about the call."""
        key = self.propose(event.approval_id, event.tool, event.input)
        if self._call(key).state in _UNDECIDED:
            self._scopes[event.approval_id] = event.grant_scope
            self._blocks.change(
                key, state="waiting", reason=clean_line(event.reason), input=event.input
            )

    def decide(self, event: ApprovalResolved) -> None:
        """Somebody or a rule decided; nothing runs yet."""
        words = decided_words(
            allowed=event.allowed,
            via=event.via,
            scope=event.scope,
            note=event.note,
            covers=self._scopes.pop(event.approval_id, None),
            was_edited=event.edited is not None,
            kept=event.kept,
        )
        key = self._keys.get(event.approval_id)
        if key is None:
            self._decided_early[event.approval_id] = words
            return
        call = self._call(key)
        if call.state not in _UNDECIDED:
            return
        self._blocks.change(
            key,
            state="proposed" if event.allowed else "denied",
            decided=words,
            decided_at=event.ts,
            why=_why(words, event),
            input=call.input if event.edited is None else event.edited,
            is_open=event.allowed,
        )

    def interrupt(self, *, of_person: bool = False) -> None:
        """The goal is over: what has no result will have none. A command of the person's is no
        part of it, unless their process is over too."""
        for key in self._blocks.open_keys():
            if isinstance(self._blocks[key], CallBlock) and (of_person or not self.is_own(key)):
                self._blocks.change(key, state="interrupted", is_open=False)

    def is_own(self, key: int) -> bool:
        """Whether the block is of a command that the person typed."""
        block = self._blocks[key]
        return isinstance(block, CallBlock) and block.tool == PERSON_COMMAND

    def interrupt_proposed(self) -> None:
        """The model call that proposed them is void."""
        for key in self._blocks.open_keys():
            block = self._blocks[key]
            if isinstance(block, CallBlock) and block.state == "proposed" and not block.decided:
                self._blocks.change(key, state="interrupted", is_open=False)

    def conclude_allowed(self) -> None:
        """The checks run: what was allowed and never started was leave to run them."""
        for key in self._blocks.open_keys():
            block = self._blocks[key]
            if isinstance(block, CallBlock) and block.state == "proposed" and block.decided:
                self._blocks.change(key, state="done", is_open=False)

    def _call(self, key: int) -> CallBlock:
        block = self._blocks[key]
        assert isinstance(block, CallBlock)
        return block

    def _is_open(self, call_id: str) -> bool:
        return call_id in self._keys and self._blocks[self._keys[call_id]].is_open


def _why(words: str, event: ApprovalResolved) -> str:
    """The decision with the note behind it, where its words leave that out."""
    note = clean_line(event.note)
    return words if not note or note in words else f"{words} · {note}"
