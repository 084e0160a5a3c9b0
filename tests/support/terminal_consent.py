"""A program for tests in a real terminal: the cockpit, in which a call asks with hostile text in
every field. It tells a file what was answered, and what is out of sight.

Run as `python -m tests.support.terminal_consent FILE KIND`.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from agent_cockpit.cockpit.app import CockpitApp
from agent_cockpit.events.consent import AskedPart, ConsentScope
from agent_cockpit.events.harness import AgentStart
from tests.support.scripted_source import ScriptedSource, asks

HOSTILE = "\x1b]52;c;aGk=\x07\x1b[2J\x9b2J\u202egnp.elif\u2066\u200b\x1b]0;T\x07 שלום [/] \r"
LONG = "echo " + "a" * 10_000 + " && touch TAIL"
LINES = 5_000


def diff() -> str:
    """Of 5,000 lines in two hunks; each line is hostile."""
    half = LINES // 2
    body = "".join(f"-{n} {HOSTILE}\n+{n}\n" for n in range(half // 2))
    hunks = (f"@@ -{at},{half // 2} +{at},{half // 2} @@\n{body}" for at in (1, 9_000))
    return "--- a/x\n+++ b/x\n" + "".join(hunks)


def question(kind: str) -> Any:
    """A call that waits: `command` or `edit`."""
    scopes = [
        ConsentScope(scope="once", covers=f"once {HOSTILE}"),
        ConsentScope(scope="turn", covers=f"in this goal {HOSTILE}", seen=3),
        ConsentScope(scope="grant", covers=f"from now on {HOSTILE}", seen=7),
    ]
    if kind == "edit":
        given = {"path": f"x{HOSTILE}", "content": HOSTILE, "overwrite": True}
        return asks(
            tool="write_file",
            input=given,
            tier=1,
            reason=HOSTILE,
            preview=diff(),
            hunks=2,
            scopes=scopes,
            grant_scope=HOSTILE,
        )
    part = AskedPart(text=HOSTILE, tier=4, reason=HOSTILE, reads=[HOSTILE], writes=[HOSTILE])
    return asks(
        input={"command": f"{HOSTILE}{LONG}", HOSTILE: HOSTILE},
        reason=HOSTILE,
        preview=HOSTILE,
        parts=[part],
        scopes=scopes,
        grant_scope=HOSTILE,
    )


def main(told: Path, kind: str) -> None:
    """Run until the terminal goes away."""
    source = ScriptedSource()
    app = CockpitApp(lambda: source, quiet_s=0.05)
    asked = False
    told_last = ""

    def look() -> None:
        nonlocal asked, told_last
        if not asked and app.driving.source is not None:
            asked = True
            source.say(AgentStart(goal="g", task_kind="edit"), question(kind))
        seen = {
            "calls": source.calls,
            "is_lit": app.panel.is_lit,
            "is_writing": app.panel.is_writing,
            "is_whole": app.panel.is_whole,
            "text": app.composer.text,
        }
        words = json.dumps(seen)
        if words != told_last:
            told_last = words
            fresh = told.with_suffix(".new")
            fresh.write_text(words, encoding="utf-8")
            fresh.replace(told)

    app.call_later(lambda: app.set_interval(0.02, look))
    app.run()


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
