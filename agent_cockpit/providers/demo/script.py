"""What the scripted demo model does with a prompt: the table of intents, and the choice."""

from __future__ import annotations

import re

from agent_cockpit.providers.demo.findings import unread
from agent_cockpit.providers.demo.fixing import ADD_TEST, FIX
from agent_cockpit.providers.demo.plan import propose
from agent_cockpit.providers.demo.reply import Reply
from agent_cockpit.providers.demo.scene import Scene
from agent_cockpit.providers.demo.steps import Table, always, look, must_look, read
from agent_cockpit.providers.demo.talk import (
    ABOUT,
    CHANGES,
    HELLO,
    HELP,
    LONG,
    QUESTION,
    SLOW,
    TESTS,
    THANKS,
    UNKNOWN,
    WHERE,
)
from agent_cockpit.text import clean_line, shorten

PLAN: Table = (
    (must_look, look),
    (unread, read),
    (always, propose),
)
CHATS = (HELLO, HELP, THANKS, LONG, CHANGES)

FIX_WORDS = re.compile(r"\b(fix|repair|mend|solve|failing|fails?|broken|bug|green)\b", re.I)

ASKS = r"^(where|why|what|which|how|explain|describe|show|summari[sz]e|is there|find)\b"
FAULT_WORDS = "bug|wrong|fault|fail|error|broken|problem|issue|divi"

INTENTS: tuple[tuple[re.Pattern[str], Table], ...] = tuple(
    (re.compile(pattern, re.IGNORECASE), table)
    for pattern, table in (
        (r"^(hi|hello|hey|hallo|good (morning|day|evening))\b.{0,12}$", HELLO),
        (r"^(thanks|thank you|thx|great|nice|cool)\b.{0,20}$", THANKS),
        (r"what can you|what do you do|who are you|what are you|^help\b|^\?+$", HELP),
        (r"\bslow\b|\bsleep\b|long.?running|takes? long", SLOW),
        (r"tell me more|at length|in (more )?detail|long(er)? (answer|text|story)|essay", LONG),
        (r"what (did|have) you|what.s changed|what changed", CHANGES),
        (r"\b(add|write) (a |another |one |some |more )?(unit )?tests?\b", ADD_TEST),
        (r"^(please )?(run|rerun|execute) (all )?(the )?(unit )?tests?\b", TESTS),
        (rf"{ASKS}.*\b({FAULT_WORDS})", WHERE),
        (rf"{ASKS}.*\b(this|project|code|file|readme|program|repo)", ABOUT),
        (ASKS, QUESTION),
        (r"^(yes|ok(ay)?|go( ahead| on)?|do it|try again|again|continue|proceed)\b", FIX),
        (FIX_WORDS.pattern, FIX),
    )
)


def next_reply(scene: Scene) -> Reply:
    """The reply to the conversation as it stands."""
    for applies, reply in _table_for(scene):
        if applies(scene):
            return _heard(scene, reply(scene))
    raise AssertionError("the last row of every table applies always")


def _table_for(scene: Scene) -> Table:
    headline = _headline(scene.asked)
    for pattern, table in INTENTS:
        if pattern.search(headline):
            return PLAN if scene.mode == "plan" and table not in CHATS else table
    if scene.mode == "plan":
        return PLAN
    return FIX if scene.mode == "build" or FIX_WORDS.search(scene.asked) else UNKNOWN


def _headline(asked: str) -> str:
    lines = [line.strip() for line in asked.splitlines() if line.strip()]
    return re.sub(r"^goal:\s*", "", lines[0], flags=re.IGNORECASE) if lines else ""


def _heard(scene: Scene, reply: Reply) -> Reply:
    if not scene.just_said:
        return reply
    said = shorten(clean_line(scene.just_said), 160)
    return reply.after(f"You added: “{said}”. I keep it in mind.")
