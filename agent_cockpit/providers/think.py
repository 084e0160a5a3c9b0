"""Reasoning that a model writes into its answer, between `<think>` and `</think>`."""

from __future__ import annotations

from agent_cockpit.providers.protocol import Piece, Text, Thought

_OPEN, _CLOSE = "<think>", "</think>"


class ThinkSplitter:
    """Tells thought from answer; owns what may still become a tag.

    Only a tag at the very start counts: later ones are the answer's own words.
    """

    def __init__(self) -> None:
        self._held = ""
        self._where = "start"
        self._after_tag = False

    def feed(self, text: str) -> list[Piece]:
        """The pieces that are certain now."""
        self._held = self._trimmed(self._held + text)
        pieces: list[Piece] = []
        if self._where == "start":
            self._begin()
        if self._where == "thought":
            pieces += self._think()
        if self._where == "answer" and self._held:
            pieces.append(Text(self._held))
            self._held = ""
        return pieces

    def end(self) -> list[Piece]:
        """What was held back; nothing more comes."""
        held, self._held = self._held, ""
        if not held:
            return []
        return [Thought(held)] if self._where == "thought" else [Text(held)]

    def _begin(self) -> None:
        start = self._held.lstrip()
        if start.startswith(_OPEN):
            self._enter("thought", start[len(_OPEN) :])
        elif not _OPEN.startswith(start):
            self._where = "answer"

    def _enter(self, where: str, rest: str) -> None:
        self._where, self._after_tag = where, True
        self._held = self._trimmed(rest)

    def _trimmed(self, text: str) -> str:
        """Line ends right after a tag belong to the tag."""
        if self._after_tag:
            text = text.lstrip("\n")
            self._after_tag = not text
        return text

    def _think(self) -> list[Piece]:
        before, tag, after = self._held.partition(_CLOSE)
        if tag:
            self._enter("answer", after)
            return [Thought(before)] if before else []
        keep = _overlap(self._held)
        thought = self._held[: len(self._held) - keep]
        self._held = self._held[len(self._held) - keep :]
        return [Thought(thought)] if thought else []


def _overlap(text: str) -> int:
    """How many characters at the end of `text` could be the start of the closing tag."""
    longest = min(len(text), len(_CLOSE) - 1)
    return next((n for n in range(longest, 0, -1) if text.endswith(_CLOSE[:n])), 0)
