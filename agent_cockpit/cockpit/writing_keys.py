"""The keys that help with writing a prompt; part of the table of keys."""

from __future__ import annotations

from agent_cockpit.cockpit.key import Key

WRITING_KEYS: tuple[Key, ...] = (
    Key(
        id="search_history",
        keys=("ctrl+r",),
        label="ctrl+r",
        words="search the prompts that you sent in this project",
        where="composer",
        action="search_history",
    ),
    Key(
        id="write_out",
        keys=("alt+p",),
        label="alt+p",
        words="on a long paste: write it out in the prompt; undo makes it one sign again",
        where="composer",
        action="write_out",
    ),
    Key(
        id="list_take",
        keys=("tab", "enter"),
        label="tab",
        words="put the chosen one in (also enter, which sends when there is nothing to complete)",
        brief="take",
        where="list",
        stays=True,
        shown=lambda now: now.choosing,
    ),
    Key(
        id="list_walk",
        keys=("up", "down"),
        label="↑↓",
        words="choose another one",
        where="list",
        stays=True,
    ),
    Key(
        id="list_close",
        keys=("escape",),
        label="esc",
        words="close the list",
        brief="close",
        where="list",
        stays=True,
        shown=lambda now: now.choosing,
    ),
)
