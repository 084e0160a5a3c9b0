"""Local commands: what begins with `/` and never reaches the model.

The engine knows its own; the cockpit's are here, so that `/help` and a wrong name are
answered also while no engine is there.
"""

from __future__ import annotations

import difflib

COCKPIT_COMMANDS: tuple[tuple[str, str], ...] = (
    ("/help", "this page"),
    ("/quit", "leave; also /exit, ctrl+d on an empty prompt"),
    ("/state", "mode, goals and turns of this sitting"),
    ("/mode KIND", "pin edit, investigate, test_only or plan; auto unpins"),
    ("/plan", "look and propose only, until you approve or /exec"),
    ("/exec", "leave plan mode"),
    ("/diff [goal|head]", "what this sitting changed; this goal; against HEAD"),
    ("/permissions", "standing approvals, and how to revoke one"),
)


def is_command(text: str) -> bool:
    """Whether a prompt is a local command: it begins with `/` exactly."""
    return text.startswith("/")


def name_of(text: str) -> str:
    """The command word of `/word argument`, in small letters, with its slash."""
    words = text.split(maxsplit=1)
    return words[0].lower() if words else "/"


def unknown(name: str) -> str:
    """What to say about a command that does not exist."""
    names = [usage.split()[0] for usage, _ in COCKPIT_COMMANDS]
    close = difflib.get_close_matches(name, names, n=3, cutoff=0.5)
    hint = f"; did you mean {' or '.join(close)}?" if close else ""
    return f"there is no command {name}{hint} (/help lists all)"


def is_known(name: str) -> bool:
    """Whether a command of this name stands in the table."""
    return name in ("/", "/exit") or any(usage.split()[0] == name for usage, _ in COCKPIT_COMMANDS)
