"""The keys with which a person reads the transcript; part of the table of keys."""

from __future__ import annotations

from agent_cockpit.cockpit.key import Key

READING_KEYS: tuple[Key, ...] = (
    Key(
        id="find",
        keys=("ctrl+f",),
        label="ctrl+f",
        words="search the transcript, folded blocks too",
        brief="find",
        where="anywhere",
        action="app.find",
    ),
    Key(
        id="find_next",
        keys=("enter", "down"),
        label="enter",
        words="next place (also ↓; after it n); from then on esc stays there",
        brief="next",
        shown=lambda now: now.searching,
        where="search",
        action="find_walk(1)",
    ),
    Key(
        id="find_before",
        keys=("shift+enter", "up"),
        label="⇧enter",
        words="place before (also ↑; after enter N)",
        brief="before",
        shown=lambda now: now.searching,
        where="search",
        action="find_walk(-1)",
    ),
    Key(
        id="find_kind",
        keys=("alt+r",),
        label="alt+r",
        words="a regular expression, or again words; a capital makes letter case matter",
        where="search",
        action="find_kind",
    ),
    Key(
        id="find_leave",
        keys=("escape",),
        label="esc",
        words="leave: back to where you read, or stay where you walked to",
        brief="back",
        where="search",
        action="find_leave",
    ),
)
