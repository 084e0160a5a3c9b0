"""What a terminal's window can be told beside the screen: its title, progress, a notification.

Laws: nothing here is written to a terminal that would print it or take it for something else;
no text in it can end its own sequence or begin another.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

from agent_cockpit.text import clean_line, shorten

Channel = Literal["", "bell", "osc9", "osc777", "osc99"]
Progress = Literal["none", "busy", "waiting", "failed"]

BELL = "\x07"
PUSH_TITLE, POP_TITLE = "\x1b[22;0t", "\x1b[23;0t"
"""Terminals keep titles on a stack; those that do not know it pass over this."""
MOST_CHARS = 120
_PLAIN_TERMS = ("", "dumb", "linux", "unknown", "vt100", "vt220", "cons25")
"""Terminals that would print a title, or have no window to give it to."""
_PROGRESS: dict[Progress, str] = {"none": "0", "busy": "3", "waiting": "4;100", "failed": "2;100"}


def has_window(environ: Mapping[str, str]) -> bool:
    """Whether the terminal takes a title."""
    return environ.get("TERM", "") not in _PLAIN_TERMS


def channel_of(setting: str, environ: Mapping[str, str]) -> Channel:
    """How a notification reaches the person: what the setting says, for `auto` by what the
    terminal is known to take, else the bell."""
    match setting:
        case "off":
            return ""
        case "bell" | "osc9" | "osc777" | "osc99":
            return setting
    name = _terminal(environ)
    if not has_window(environ):
        return "bell"
    if name == "kitty":
        return "osc99"
    if name in ("iterm", "wezterm", "ghostty", "warp"):
        return "osc9"
    return "osc777" if name in ("foot", "rxvt") else "bell"


def notification(channel: Channel, words: str, *, tmux: bool = False) -> str:
    """What is written to tell `words`; inside tmux past it, with a bell that marks the pane."""
    text = _safe(words)
    match channel:
        case "osc9":
            # Some take a number before a semicolon for another order than to tell something.
            sequence = f"\x1b]9;{text.replace(';', ',')}\x07"
        case "osc777":
            sequence = f"\x1b]777;notify;agent-cockpit;{text.replace(';', ',')}\x07"
        case "osc99":
            sequence = f"\x1b]99;;{text}\x1b\\"
        case "bell":
            return BELL
        case _:
            return ""
    return past_tmux(sequence) + BELL if tmux else sequence


def title(words: str) -> str:
    """What is written to name the window."""
    return f"\x1b]2;{_safe(words)}\x07"


def shows_progress(environ: Mapping[str, str]) -> bool:
    """Whether the terminal is known to show progress; others take it for a notification."""
    vte = environ.get("VTE_VERSION", "")
    return _terminal(environ) in ("ghostty", "wezterm", "windows", "conemu") or (
        vte.isdecimal() and int(vte) >= 8000
    )


def progress(state: Progress, *, tmux: bool = False) -> str:
    """What is written to show it in the task bar or the tab."""
    sequence = f"\x1b]9;4;{_PROGRESS[state]}\x07"
    return past_tmux(sequence) if tmux else sequence


def past_tmux(sequence: str) -> str:
    """The sequence for the terminal that tmux runs in (`allow-passthrough on`)."""
    inner = sequence.replace("\x1b", "\x1b\x1b")
    return f"\x1bPtmux;{inner}\x1b\\"


def _safe(words: str) -> str:
    return shorten(clean_line(words), MOST_CHARS)


def _terminal(environ: Mapping[str, str]) -> str:
    """The terminal by what it leaves in the environment; tmux hides its TERM_PROGRAM, and
    leaves the rest."""
    program = (environ.get("LC_TERMINAL") or environ.get("TERM_PROGRAM") or "").lower()
    term = environ.get("TERM", "")
    marks = (
        ("kitty", "KITTY_WINDOW_ID" in environ or "kitty" in term),
        ("ghostty", "GHOSTTY_RESOURCES_DIR" in environ or "ghostty" in (program, term)),
        ("wezterm", "WEZTERM_PANE" in environ or program == "wezterm"),
        ("iterm", "iterm" in program),
        ("warp", program == "warpterminal"),
        ("windows", "WT_SESSION" in environ),
        ("conemu", "ConEmuANSI" in environ),
        ("foot", term.startswith("foot")),
        ("rxvt", term.startswith("rxvt")),
    )
    return next((name for name, is_it in marks if is_it), "")
