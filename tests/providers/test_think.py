"""Thought that a model writes into its answer."""

from __future__ import annotations

import pytest

from agent_cockpit.providers.protocol import Piece, Text, Thought
from agent_cockpit.providers.think import ThinkSplitter
from tests.providers.test_openai_answer import joined


@pytest.mark.parametrize(
    ("said", "pieces"),
    [
        ("plain", [Text("plain")]),
        ("<think>a</think>b", [Thought("a"), Text("b")]),
        ("\n<think>\na\n</think>\n\nb", [Thought("a\n"), Text("b")]),
        ("<think></think>b", [Text("b")]),
        ("<think>never closed </thi", [Thought("never closed </thi")]),
        ("<thin", [Text("<thin")]),
        ("<thing>", [Text("<thing>")]),
        ("say <think>x</think>", [Text("say <think>x</think>")]),
        ("<think>a</think>b<think>c</think>", [Thought("a"), Text("b<think>c</think>")]),
        ("<think>a < b </ c</think>d", [Thought("a < b </ c"), Text("d")]),
        ("  \n ", [Text("  \n ")]),
        ("", []),
    ],
)
def test_thought_inside_the_answer_is_told_apart_however_it_is_cut(
    said: str, pieces: list[Piece]
) -> None:
    for size in range(1, len(said) + 1):
        splitter = ThinkSplitter()
        found: list[Piece] = []
        for at in range(0, len(said), size):
            found += splitter.feed(said[at : at + size])
        assert joined(found + splitter.end()) == pieces
