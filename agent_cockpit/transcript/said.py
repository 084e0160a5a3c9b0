"""What the model says in one turn: pieces, whole messages and decisions told apart.

Law: a text is shown once, whichever of the three brings it, and the whole text wins over
pieces, of which some may have been shed.
"""

from __future__ import annotations

from datetime import datetime
from typing import Literal

from agent_cockpit.events.messages import Message, ReasoningBlock, TextBlock
from agent_cockpit.text import clean
from agent_cockpit.transcript.block_list import BlockList
from agent_cockpit.transcript.blocks import AnswerBlock, QuestionBlock, ThoughtBlock

Kind = Literal["answer", "thought"]


class Said:
    """Remembers which blocks hold this turn's texts; `new_turn` forgets them."""

    def __init__(self, blocks: BlockList) -> None:
        self._blocks = blocks
        self._keys: dict[Kind, list[int]] = {"answer": [], "thought": []}

    def copy(self, blocks: BlockList) -> Said:
        """Another one for a copy of the blocks."""
        twin = Said(blocks)
        twin._keys = {kind: list(keys) for kind, keys in self._keys.items()}
        return twin

    def new_turn(self) -> None:
        """What is said from now on belongs to another model call."""
        self._blocks.end_texts()
        self._keys = {"answer": [], "thought": []}

    def write(self, kind: Kind, piece: str, since: datetime | None) -> None:
        """Append to the open text of this kind, or begin one."""
        if not piece:
            return
        wanted = ThoughtBlock if kind == "thought" else AnswerBlock
        open_text = self._blocks.last_open(wanted)
        key = open_text.key if open_text else self._begin(kind, "", since, is_open=True)
        self._blocks.write(key, piece)

    def message(self, message: Message) -> None:
        """The model's whole message is the truth about its texts."""
        self._blocks.end_texts()
        thoughts = [block.text for block in message.blocks if isinstance(block, ReasoningBlock)]
        self._settle("thought", thoughts)
        answers = [block.text for block in message.blocks if isinstance(block, TextBlock)]
        self._settle("answer", answers)

    def thought(self, text: str) -> None:
        """What a decision says beside its call; shown when nothing else was."""
        self._blocks.end_texts()
        if not self._keys["answer"] and not self._keys["thought"]:
            self._settle("thought", [text])

    def answer(self, text: str) -> None:
        """The final answer of a decision."""
        self._blocks.end_texts()
        if squash(clean(text)) not in self._shown("answer"):
            self._settle("answer", [text])

    def question(self, text: str) -> None:
        """The model asks; an answer block that holds the same words becomes the question."""
        self._blocks.end_texts()
        question = clean(text).strip()
        for key in self._keys["answer"]:
            if squash(self._text(key)) == squash(question):
                self._keys["answer"].remove(key)
                self._blocks.turn_into(key, QuestionBlock, text=question)
                return
        self._blocks.add(QuestionBlock, text=question)

    def void(self) -> None:
        """A retry begins: what this attempt wrote does not count."""
        for key in self._keys["answer"] + self._keys["thought"]:
            self._blocks.change(key, is_void=True)
        self.new_turn()

    def _settle(self, kind: Kind, texts: list[str]) -> None:
        cleaned = [text for text in map(clean, texts) if text.strip()]
        if not cleaned or squash("".join(cleaned)) == self._shown(kind):
            return
        keys = list(self._keys[kind])
        if len(keys) == 1:
            cleaned = ["\n\n".join(cleaned)]
        for key, text in zip(keys, cleaned, strict=False):
            self._blocks.change(key, text=text)
        for text in cleaned[len(keys) :]:
            self._begin(kind, text, self._blocks.now, is_open=False)

    def _begin(self, kind: Kind, text: str, since: datetime | None, *, is_open: bool) -> int:
        if kind == "thought":
            key = self._blocks.add(ThoughtBlock, text=text, at=since, since=since, is_open=is_open)
        else:
            key = self._blocks.add(AnswerBlock, text=text, at=since, is_open=is_open)
        self._keys[kind].append(key)
        return key

    def _shown(self, kind: Kind) -> str:
        return squash("".join(self._text(key) for key in self._keys[kind]))

    def _text(self, key: int) -> str:
        return str(getattr(self._blocks[key], "text", ""))


def squash(text: str) -> str:
    """`text` without white space, for comparing what was joined in different ways."""
    return "".join(text.split())
