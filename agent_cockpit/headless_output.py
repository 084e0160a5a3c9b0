"""What a headless run writes, and how: JSON lines for programs, plain lines for people."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import TextIO

from agent_cockpit.engine.record.bus import Subscription
from agent_cockpit.events.base import Event
from agent_cockpit.events.codec import dump_event
from agent_cockpit.events.harness import AgentEnd
from agent_cockpit.events.sitting import Notice
from agent_cockpit.text import clean_line
from agent_cockpit.transcript.blocks import (
    AnswerBlock,
    Block,
    CallBlock,
    OutcomeBlock,
    PromptBlock,
    ThoughtBlock,
)
from agent_cockpit.transcript.fold import Transcript
from agent_cockpit.transcript.plain import plain_lines


class Pipe:
    """A stream whose reader may go away: then, or when it cannot be written, it goes quiet."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._is_open = True
        self.failure = ""
        """Why writing failed, unless the reader simply left."""

    def write(self, text: str) -> None:
        """Write and flush; blocks as long as the reader does."""
        if not self._is_open:
            return
        try:
            self._stream.write(text)
            self._stream.flush()
        except BrokenPipeError:
            self._is_open = False
        except (OSError, ValueError) as error:
            self._is_open, self.failure = False, str(error)


async def copy(events: Subscription, pipe: Pipe, words: Callable[[Event], str]) -> None:
    """Write all events as they come, off the loop: a slow reader must not hold the goal up."""
    async for event in events:
        text = "".join(map(words, (event, *events.take_unread())))
        if text:
            await asyncio.to_thread(pipe.write, text)


def json_line(event: Event) -> str:
    """The event as one line of ASCII."""
    return ascii_json(dump_event(event)) + "\n"


def ascii_json(line: str) -> str:
    """The same JSON in ASCII: valid under any locale, and nothing in it acts on a terminal."""
    return _NOT_ASCII.sub(lambda match: json.dumps(match[0])[1:-1], line)


_NOT_ASCII = re.compile("[^\x00-\x7e]")


class Warnings:
    """Only what a person must know beside the events: that nothing is recorded, say."""

    is_brief = True

    def __call__(self, event: Event) -> str:
        if not isinstance(event, Notice) or event.level == "info":
            return ""
        return f"agent-cockpit: {clean_line(event.text)}\n"


class Progress:
    """Events as lines about what has happened, each block once, when it is over.

    An answer, and what is said about it, is held back until the model goes on: the last
    answer is for stdout.
    """

    is_brief = False

    def __init__(self) -> None:
        self._transcript = Transcript()
        self._told = 0
        self._held: list[Block] = []

    def __call__(self, event: Event) -> str:
        self._transcript.apply(event)
        over: list[Block] = []
        while self._told < len(self._transcript):
            block = self._transcript.block(self._told)
            if block.is_open:
                break
            self._told += 1
            if isinstance(block, AnswerBlock | ThoughtBlock | CallBlock):
                over, self._held = [*over, *self._held], []
            if isinstance(block, AnswerBlock) or self._held:
                self._held.append(block)
            else:
                over.append(block)
        if isinstance(event, AgentEnd):
            over += [block for block in self._held if not isinstance(block, AnswerBlock)]
            self._held = []
        told = (block for block in over if not _is_told_elsewhere(block))
        return "".join(f"{line}\n" for block in told for line in plain_lines(block))


def _is_told_elsewhere(block: Block) -> bool:
    """The goal stands on the command line; why it is no success is the run's last line."""
    if isinstance(block, OutcomeBlock):
        return block.outcome != "success"
    return isinstance(block, PromptBlock)
