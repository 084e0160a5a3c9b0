"""The conversation as the model sees it: messages of blocks, verbatim and frozen."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field


class TextBlock(BaseModel):
    """Plain text of a person, the model or the engine."""

    model_config = ConfigDict(frozen=True)

    type: Literal["text"] = "text"
    text: str


class ReasoningBlock(BaseModel):
    """The model's own reasoning; `signature` and `raw` go back to it exactly as they came."""

    model_config = ConfigDict(frozen=True)

    type: Literal["reasoning"] = "reasoning"
    text: str = ""
    signature: str = ""
    raw: dict[str, Any] | None = None


class ToolUseBlock(BaseModel):
    """A call that the model asked for.

    `call_id` is ours and unique in the sitting; `provider_id` is the server's word for it,
    kept for the wire. `broken` holds argument text that was no JSON object (then `input`
    is empty), so that the model can be shown what it sent.
    """

    model_config = ConfigDict(frozen=True)

    type: Literal["tool_use"] = "tool_use"
    call_id: str
    name: str
    input: dict[str, Any] = Field(default_factory=dict)
    provider_id: str = ""
    broken: str | None = None


class ToolResultBlock(BaseModel):
    """The one answer to the call `call_id`, as the model reads it."""

    model_config = ConfigDict(frozen=True)

    type: Literal["tool_result"] = "tool_result"
    call_id: str
    content: str
    is_error: bool = False


Block = Annotated[
    TextBlock | ReasoningBlock | ToolUseBlock | ToolResultBlock, Field(discriminator="type")
]


class Message(BaseModel):
    """One message; tool results travel in a `user` message right after their calls."""

    model_config = ConfigDict(frozen=True)

    role: Literal["system", "user", "assistant"]
    blocks: tuple[Block, ...]

    @classmethod
    def of(cls, role: Literal["system", "user", "assistant"], text: str) -> Message:
        """A message of one text block."""
        return cls(role=role, blocks=(TextBlock(text=text),))

    @property
    def text(self) -> str:
        """All its text blocks, joined by blank lines."""
        return "\n\n".join(block.text for block in self.blocks if isinstance(block, TextBlock))

    @property
    def calls(self) -> tuple[ToolUseBlock, ...]:
        """The calls it asks for, in order."""
        return tuple(block for block in self.blocks if isinstance(block, ToolUseBlock))
