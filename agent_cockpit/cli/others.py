"""The other sittings of a folder, for a front end that goes on with one of them."""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from agent_cockpit.cli.replay import read_ending
from agent_cockpit.cli.sittings import ID_SHOWN, chosen, journals_of
from agent_cockpit.cockpit.opening import Others, Past
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.sittings import Recorded, course_of, sittings
from agent_cockpit.text import clean_line, shorten

if TYPE_CHECKING:
    from agent_cockpit.engine.ports import SittingSource

LISTED = 12
PROMPT_SHOWN = 60


def others_of(root: Path, open_past: Callable[[Recorded], SittingSource]) -> Others:
    """Those of the folder `root`; `open_past` takes one up again."""

    def find(name: str) -> Past:
        found = chosen(name, root)
        if found.problem:
            raise PersonCanAct(f"{clean_line(str(found.path))}: {found.problem}")
        if found.workspace != str(root):
            raise PersonCanAct(
                f"that sitting is of {clean_line(found.workspace) or 'an unknown folder'}; "
                f"leave, and start agent-cockpit --resume {clean_line(name)}"
            )
        return Past(lambda: open_past(found), lambda: read_ending(found.path))

    return Others(find, lambda: _listed(root))


def _listed(root: Path) -> str:
    here = (each for each in sittings(journals_of(root)) if each.workspace == str(root))
    lines = [_line(each) for each in islice(here, LISTED)]
    if not lines:
        return "nothing was asked in this folder before"
    more = ["  older ones: agent-cockpit sessions"] if next(here, None) is not None else []
    head = "sittings of this folder (/resume ID goes on with one)"
    return "\n".join([head, *lines, *more])


def _line(sitting: Recorded) -> str:
    course = course_of(sitting)
    when = f"{sitting.written.astimezone():%Y-%m-%d %H:%M}"
    words = shorten(clean_line(course.name or sitting.prompt), PROMPT_SHOWN)
    return f"  {sitting.session_id[:ID_SHOWN]}  {when}  {clean_line(course.outcome)} · {words}"
