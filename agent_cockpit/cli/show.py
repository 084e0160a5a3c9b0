"""Which front end a sitting gets: the screen, or plain lines.

Law: nothing is loaded to decide it; it is decided before any setting is read.
"""

from __future__ import annotations

import gc
import io
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from agent_cockpit.cli.endings import asked_first
from agent_cockpit.errors import PersonCanAct

if TYPE_CHECKING:
    from agent_cockpit.cockpit.app import CockpitApp
    from agent_cockpit.cockpit.prompt.prompt_keeper import Memory
    from agent_cockpit.engine.ports import SittingSource
    from agent_cockpit.events.base import Event

_SWITCH_S = 0.001
"""A thread that reads a key or writes its echo waits no longer for one that is at work."""
_COLLECT_AFTER = (5_000, 20, 20)
"""Objects made, then collections of the generation below: small ones take about 1 ms, and a
whole one is not needed for hours."""
_OFF = ("", "0", "false", "no", "off")


def show(
    open_source: Callable[[], SittingSource],
    *,
    plain: bool,
    title: str,
    suggestion: str = "",
    **settings: Any,
) -> int:
    """Give a sitting its front end until the person leaves; the exit code."""
    if plain or wants_lines():
        kept = {name: settings[name] for name in ("open_new", "memory") if name in settings}
        return _show_lines(open_source, title=title, suggestion=suggestion, **kept)
    return show_screen(open_source, title=title, suggestion=suggestion, **settings)


def show_replay(
    open_source: Callable[[], SittingSource],
    *,
    title: str,
    read_ending: Callable[[], Sequence[Event]],
) -> int:
    """Put the cockpit on a recorded sitting until the person leaves."""
    return show_screen(open_source, title=title, replays=True, read_ending=read_ending)


def show_screen(
    open_source: Callable[[], SittingSource], *, replays: bool = False, **settings: Any
) -> int:
    """Put the cockpit on a source until the person leaves, then say what is worth keeping."""
    if not (_is_terminal(sys.stdin) and _is_terminal(sys.stderr)):
        raise PersonCanAct(
            "the cockpit needs a terminal; without one use `agent-cockpit run GOAL`, "
            "`agent-cockpit --plain` or `agent-cockpit replay JOURNAL --print`"
        )
    gc.disable()  # until all is loaded, of which nothing ever becomes garbage
    sys.setswitchinterval(_SWITCH_S)
    from agent_cockpit.cockpit.app import CockpitApp
    from agent_cockpit.cockpit.remembered import Remembered
    from agent_cockpit.farewell import how_to_go_on
    from agent_cockpit.places import keys_file, state_dir

    remembered = Remembered(state_dir() / "cockpit.json")
    make: type[CockpitApp] = CockpitApp
    if replays:
        from agent_cockpit.cockpit.replay_app import ReplayApp as make
    app = make(
        open_source,
        remembered=remembered,
        keys_file=keys_file,
        when_loaded=collect_garbage_shortly,
        **settings,
    )
    _draw_in_utf8(sys.__stderr__)
    try:
        with asked_first(app.end_soon):
            app.run()
    finally:
        terminal = None if app.has_lost_terminal else sys.__stderr__
        if app.outside is not None and terminal is not None:
            with suppress(OSError, ValueError):  # the terminal is gone, and its window with it
                terminal.write(app.outside.leave())
                terminal.flush()
    if problem := getattr(app, "problem", ""):
        raise PersonCanAct(problem)
    if app.farewell and not app.has_lost_terminal:
        print(app.farewell)
    if app.fault is not None:
        if again := how_to_go_on(app.driving.source):
            print(again)
        raise app.fault
    return app.return_code or 0


def _draw_in_utf8(stream: object) -> None:
    """Whatever the locale says: a sign that is written as its escape takes more cells than the
    screen has for it, and all behind it stands elsewhere."""
    if isinstance(stream, io.TextIOWrapper):
        stream.reconfigure(encoding="utf-8", errors="backslashreplace")


def collect_garbage_shortly() -> None:
    """Look for garbage from now on, without looking through all that is loaded each time: a
    person's key waited 50 ms for that, and more the longer the sitting. Once is enough: a sitting
    that another one follows is garbage then."""
    if gc.isenabled():
        return
    gc.freeze()
    gc.set_threshold(*_COLLECT_AFTER)
    gc.enable()


def _show_lines(
    open_source: Callable[[], SittingSource],
    *,
    memory: Callable[[], Memory] | None = None,
    **settings: Any,
) -> int:
    from agent_cockpit.plain.front import PlainFront
    from agent_cockpit.plain.reading import Lines

    front = PlainFront(
        open_source(),
        lines=Lines(edits=True),
        out=sys.stdout,
        memory=memory() if memory is not None else None,
        **settings,
    )
    return front.run()


def wants_lines() -> bool:
    """Whether a screen is not wanted, or of no use here, which is said then."""
    if os.environ.get("AGENT_COCKPIT_PLAIN", "").strip().lower() not in _OFF:
        return True
    why = _why_no_screen()
    if why:
        print(f"agent-cockpit: {why}, so lines in place of the screen", file=sys.stderr)
    return bool(why)


def _why_no_screen() -> str:
    """What about this terminal says that a screen would be of no use to who sits there."""
    if not _is_terminal(sys.stdin):
        return ""
    if why := _why_no_cursor():
        return why
    return "" if _is_terminal(sys.stdout) else "the output goes into a file or a pipe"


def _why_no_cursor() -> str:
    """What says that the terminal may not know how to move a cursor; Windows says nothing."""
    term = os.environ.get("TERM", "")
    if term in ("dumb", "unknown"):
        return f"TERM is {term}"
    return "TERM is not set" if not term and sys.platform != "win32" else ""


def _is_terminal(stream: Any) -> bool:
    return stream is not None and stream.isatty()
