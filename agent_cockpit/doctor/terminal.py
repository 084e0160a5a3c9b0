"""What a terminal can do, from what it says of itself and from asking it."""

from __future__ import annotations

import os
import re
import select
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping

from agent_cockpit.doctor.findings import Finding
from agent_cockpit.terminal_signals import channel_of
from agent_cockpit.text import clean_line, shorten

ANSWER_S = 0.5
"""A terminal answers within this, also over a slow line; those that do not know the question
still answer the second one that is put with it."""
SMALLEST = (40, 15)

Ask = Callable[[bytes, bytes], bytes | None]
"""Writes a question and reads up to the ending; None without a terminal."""
Tmux = Callable[[str], str]
"""The value of one of tmux's options; empty when it cannot be had."""


def look_at_terminal(
    environ: Mapping[str, str], size: tuple[int, int] | None, ask: Ask, tmux: Tmux
) -> Iterator[Finding]:
    """Size, colours, keys, clipboard, notifications; `size` is None where there is no terminal."""
    yield _terminal(environ, size)
    yield _colours(environ)
    yield _keys(environ, ask, tmux)
    yield _clipboard(environ, tmux)
    yield _notifications(environ, tmux)


def _terminal(environ: Mapping[str, str], size: tuple[int, int] | None) -> Finding:
    name = clean_line(environ.get("TERM", "")) or "no TERM"
    inside = " in tmux" if environ.get("TMUX") else " in screen" if environ.get("STY") else ""
    if size is None:
        words = f"none here ({name}{inside})"
        return Finding("terminal", "note", words, "the cockpit needs one; `run` does not")
    words = f"{size[0]} x {size[1]}, {name}{inside}"
    if environ.get("TERM", "dumb") in ("", "dumb", "unknown"):
        return Finding("terminal", "fault", words, "set TERM to what your terminal is")
    if size[0] < SMALLEST[0] or size[1] < SMALLEST[1]:
        return Finding("terminal", "note", words, "make it at least 40 x 15, better 80 x 24")
    return Finding("terminal", "ok", words)


def _colours(environ: Mapping[str, str]) -> Finding:
    term = environ.get("TERM", "")
    if environ.get("NO_COLOR"):
        return Finding("colours", "ok", "off, as NO_COLOR asks")
    if environ.get("COLORTERM", "") in ("truecolor", "24bit") or "direct" in term:
        return Finding("colours", "ok", "16 million")
    few = "256" if "256" in term else "16"
    advice = "set COLORTERM=truecolor if your terminal can do more"
    return Finding("colours", "note", f"{few}, as TERM says", advice)


def _keys(environ: Mapping[str, str], ask: Ask, tmux: Tmux) -> Finding:
    advice = "shift+enter may send here; ctrl+j always writes a new line"
    answer = ask(b"\x1b[?u\x1b[c", b"c")
    if answer is None:
        return Finding("keys", "note", "not asked: no terminal", advice)
    if re.search(rb"\x1b\[\?\d+u", answer):
        return Finding("keys", "ok", "all can be told apart (kitty protocol)")
    if environ.get("TMUX") and tmux("extended-keys") not in ("on", "always"):
        advice = f"`tmux set -g extended-keys on`; until then {advice}"
    return Finding("keys", "note", "some cannot be told apart (no kitty protocol)", advice)


def _clipboard(environ: Mapping[str, str], tmux: Tmux) -> Finding:
    if environ.get("TMUX"):
        setting = tmux("set-clipboard")
        if setting in ("on", "external"):
            return Finding("clipboard", "ok", "by tmux, and on to its terminal as that allows it")
        words = f"tmux keeps it to itself (set-clipboard {setting or 'not known'})"
        return Finding("clipboard", "note", words, "`tmux set -g set-clipboard on`")
    if environ.get("STY"):
        return Finding("clipboard", "note", "screen passes nothing on", "use tmux instead")
    if environ.get("TERM_PROGRAM") == "Apple_Terminal":
        advice = "select with fn or option held, or use another terminal"
        return Finding("clipboard", "note", "Terminal.app knows no OSC 52", advice)
    return Finding("clipboard", "ok", "by OSC 52, as far as the terminal allows it")


def _notifications(environ: Mapping[str, str], tmux: Tmux) -> Finding:
    channel = channel_of("auto", environ)
    words = "by the bell" if channel == "bell" else f"by OSC {channel.removeprefix('osc')}"
    if environ.get("TMUX"):
        if tmux("focus-events") != "on":
            told = "none: tmux does not say whether you look"
            return Finding("notifications", "note", told, "`tmux set -g focus-events on`")
        if channel != "bell" and tmux("allow-passthrough") not in ("on", "all"):
            advice = "`tmux set -g allow-passthrough on`"
            return Finding("notifications", "note", "by the bell, which tmux lets pass", advice)
    return Finding("notifications", "ok", f"{words}, while the terminal is not in front")


def ask_terminal(question: bytes, ending: bytes) -> bytes | None:
    """Put a question to this process's terminal; nothing of it is shown or left behind."""
    if sys.platform == "win32" or not (sys.stdin and sys.stdin.isatty() and sys.stdout.isatty()):
        return None
    import termios
    import tty

    keyboard, screen = sys.stdin.fileno(), sys.stdout.fileno()
    before = termios.tcgetattr(keyboard)
    answer, deadline_s = b"", time.monotonic() + ANSWER_S
    try:
        tty.setcbreak(keyboard, termios.TCSANOW)
        os.write(screen, question)
        while not answer.endswith(ending) and (left_s := deadline_s - time.monotonic()) > 0:
            if not select.select([keyboard], [], [], left_s)[0]:
                break
            answer += os.read(keyboard, 256)
    finally:
        termios.tcsetattr(keyboard, termios.TCSAFLUSH, before)
    return answer


def tmux_option(name: str) -> str:
    """What the running tmux has set for `name`; empty when it does not say."""
    program = shutil.which("tmux")
    if program is None:
        return ""
    try:
        done = subprocess.run(
            [program, "show-options", "-gv", name],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=2,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return ""
    return shorten(clean_line(done.stdout.decode(errors="replace")).strip(), 40)
