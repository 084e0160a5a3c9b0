"""The keys that help with writing a prompt; part of the table of keys."""

from __future__ import annotations

from agent_cockpit.cockpit.keys.key import Key, Situation


def _writing(now: Situation) -> bool:
    """Nothing but the prompt has the keyboard."""
    elsewhere = now.asking or now.read_only or now.choosing or now.reading
    return not elsewhere


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
        id="put_aside",
        keys=(),
        label="esc esc",
        words="with nothing to interrupt: put what is written aside; ↑ brings it back",
        where="composer",
        of="interrupt",
        listed=False,
    ),
    Key(
        id="shell_run",
        keys=(),
        label="enter",
        words="after ! at the start: run the line yourself, the model is not told (!! never is)",
        brief="run it yourself",
        where="composer",
        of="send",
        shown=lambda now: now.is_command and _writing(now),
    ),
    Key(
        id="attach",
        keys=("alt+a",),
        label="alt+a",
        words="put the output of your newest ! command into the prompt",
        brief="attach output",
        where="composer",
        action="app.attach",
        works=lambda now: now.has_output,
        shown=lambda now: now.has_output and _writing(now),
    ),
    Key(
        id="vim_normal",
        keys=(),
        label="esc",
        words="with `vim_keys = true`: to normal mode; there it interrupts, and i writes on",
        brief="normal mode",
        where="composer",
        of="interrupt",
        listed=False,
        shown=lambda now: now.inserts and now.running and _writing(now) and not now.is_command,
    ),
    Key(
        id="vim_redo",
        keys=(),
        label="ctrl+r",
        words="with `vim_keys = true`, in normal mode: redo what u undid",
        where="composer",
        of="search_history",
        listed=False,
    ),
    Key(
        id="list_take",
        keys=("tab", "enter"),
        label="tab",
        words="put the chosen one in (also enter, which sends when there is nothing to complete)",
        brief="take",
        where="list",
        listed=False,
        stays=True,
        shown=lambda now: now.choosing,
    ),
    Key(
        id="list_walk",
        keys=("up", "down"),
        label="↑↓",
        words="choose another one",
        where="list",
        listed=False,
        stays=True,
    ),
    Key(
        id="list_close",
        keys=("escape",),
        label="esc",
        words="close the list",
        brief="close",
        where="list",
        listed=False,
        stays=True,
        shown=lambda now: now.choosing,
    ),
)
