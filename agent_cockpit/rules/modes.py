"""Which kind of goal a prompt asks for, told from its first words.

The verdict is a default that is shown and can be overruled; test_only and plan are never
guessed.
"""

from __future__ import annotations

import re
from typing import Literal, get_args

from agent_cockpit.text import clean_line, shorten

TaskKind = Literal["edit", "investigate", "test_only"]
Mode = Literal["edit", "investigate", "test_only", "plan"]

MODES: tuple[Mode, ...] = get_args(Mode)


def default_mode(prompt: str) -> TaskKind:
    """`edit` when the first word that matters is an order to change something.

    Openers such as "please" or "I want to" do not matter, nor do list signs and `@paths`.
    Questions, orders to run or explain, and greetings are `investigate`.
    """
    words = [word for word in map(_bare, prompt.split(None, _WORDS_READ)[:_WORDS_READ]) if word]
    first = _after_openers(words)
    if first == len(words):
        return "investigate"
    changes = words[first] in _CHANGES or tuple(words[first : first + 2]) in _CHANGING_PAIRS
    return "edit" if changes else "investigate"


def parse_mode(text: str) -> Mode | None:
    """The mode that a person names, None for `auto` (let the words of each prompt decide).

    `ValueError` names what was asked for and which modes there are.
    """
    name = re.sub(r"[\s-]+", "_", text.strip().lower())
    if name == "auto":
        return None
    for mode in MODES:
        if name == mode:
            return mode
    asked = shorten(clean_line(text), 40)
    raise ValueError(f"unknown mode: {asked} (use {' | '.join(MODES)} | auto)")


_WORDS_READ = 60
"""A prompt that has not come to the point by then is no order."""

_OPENER_LINES = """
now|please|also|then|next|and|ok|okay|just|can|could|you|we
kindly|first|second|finally|so|well|actually|instead|maybe|perhaps|again
hi|hey|hello|thanks|thank you|great|good|perfect|nice|cool|right|alright|all right|yes|yeah|yep|sure
i want to|i want you to|i would like to|i would like you to|i'd like to|i'd like you to|i'd love to
i need to|i need you to|i will|i'll|want to|need to|we should|we must|you should|you must
would you|will you|let's|lets|let us|go ahead and|go ahead|help me to|help me|try to|try and
feel free to|make sure to|your task is to|your job is to|the task is to
"""
_OPENERS = frozenset(
    tuple(phrase.split())
    for line in _OPENER_LINES.strip().splitlines()
    for phrase in line.split("|")
)
_LONGEST_OPENER_WORDS = max(map(len, _OPENERS))

_CHANGE_LINES = """
fix add implement refactor update remove delete rename create write change make build wire migrate
adapt adjust allow annotate append apply bump clean cleanup combine complete configure convert
correct deduplicate deprecate disable downgrade drop edit eliminate enable enhance ensure expand
expose extend extract finish format generate handle hook improve inline insert integrate introduce
merge modernise modernize modify move optimise optimize patch polish port prevent put reduce
reformat reimplement reorder reorganise reorganize repair replace reset resolve restore restructure
revert rewrite scaffold set shorten simplify sort speed split strip swap switch tidy translate turn
tweak undo unify upgrade use wrap
"""
_CHANGES = frozenset(_CHANGE_LINES.split())

_CHANGING_PAIRS = frozenset({("do", "it"), ("do", "that"), ("do", "this"), ("do", "so")})
"""`do` alone asks as often as it orders ("do we test this?")."""

_EDGE_SIGNS = ",.!?:;\"'`()[]{}<>*_#~–—…“”‘’«»-+•"
_NO_WORD = re.compile(r"@\S*|[0-9]{1,3}[.):]*")


def _bare(word: str) -> str:
    """The word in small letters without signs around it; empty for what is no word."""
    if _NO_WORD.fullmatch(word):
        return ""
    return word.lower().replace("’", "'").strip(_EDGE_SIGNS)


def _after_openers(words: list[str]) -> int:
    """Index of the first word that belongs to no opener; `len(words)` where all do."""
    at = 0
    while at < len(words):
        phrases = (tuple(words[at : at + length]) for length in range(_LONGEST_OPENER_WORDS, 0, -1))
        opener = next((phrase for phrase in phrases if phrase in _OPENERS), None)
        if opener is None:
            return at
        at += len(opener)
    return at
