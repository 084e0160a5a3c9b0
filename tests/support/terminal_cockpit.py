"""A program for tests in a real terminal: the cockpit on a scripted source that lets a call
ask as soon as a few letters are written. It tells a file what it sees.

Run as `python -m tests.support.terminal_cockpit FILE`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from agent_cockpit.cockpit.app import CockpitApp
from tests.support.scripted_source import ScriptedSource, asks

LETTERS_FIRST = 5
HOSTILE_COMMAND = "echo \x1b]52;c;aGk=\x07 \x9b2J \u202etxt"


def main(told: Path) -> None:
    """Run until the terminal goes away or the person quits."""
    source = ScriptedSource()
    app = CockpitApp(lambda: source)
    asked = False
    told_last = ""

    def look() -> None:
        nonlocal asked, told_last
        if not asked and len(app.composer.text) >= LETTERS_FIRST:
            asked = True
            source.say(asks(input={"command": HOSTILE_COMMAND}))
        seen = {
            "opened": app.driving.source is not None,
            "text": app.composer.text,
            "characters": len(app.composer.whole_text),
            "calls": source.calls,
            "is_open": app.panel.is_open,
            "is_lit": app.panel.is_lit,
        }
        words = json.dumps(seen)
        if words != told_last:
            told_last = words
            fresh = told.with_suffix(".new")
            fresh.write_text(words, encoding="utf-8")
            fresh.replace(told)

    app.call_later(lambda: app.set_interval(0.02, look))
    app.run()
    if app.fault is not None:
        raise app.fault


if __name__ == "__main__":
    main(Path(sys.argv[1]))
