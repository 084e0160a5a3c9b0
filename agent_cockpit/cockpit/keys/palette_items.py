"""What the palette offers: every action that works now and every slash command, as values.

Law: a panel's own answers are never among them, so nothing is consented to from a list.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.keys.keymap import Keymap
from agent_cockpit.rules.fuzzy import fit
from agent_cockpit.rules.meta_commands import MetaCommand

_FIRST, _LAST = "app.help", ("app.leave", "/quit")
_SAME = {"app.side_panel": "/panel", "app.times": "/times"}
"""Commands that do what an action does; both are offered on one line."""
NAME_BONUS = 20
_NEEDS_WORDS = re.compile(r"<|\b[A-Z]+\b")


@dataclass(frozen=True, slots=True)
class Item:
    """One line: `label` is how it is done without the palette, `words` what it does.

    `action` is run; where it is empty, `command` is sent, or written into the prompt when it
    `needs_words`.
    """

    label: str
    words: str
    action: str = ""
    command: str = ""
    needs_words: bool = False


def items(keymap: Keymap, now: Situation, commands: Sequence[MetaCommand]) -> list[Item]:
    """All that may be chosen now: the page that explains the others, what is done anywhere,
    commands, what helps with writing or moves a replay; what ends the sitting comes last."""
    anywhere = list(_actions(keymap, now, "anywhere"))
    told = {_SAME[item.action] for item in anywhere if item.action in _SAME}
    others = [each for each in commands if f"/{each.name}" not in told]
    here = _actions(keymap, now, "replay" if now.read_only else "composer")
    return sorted([*anywhere, *_commands(others), *here], key=_rank)


def _rank(item: Item) -> int:
    if item.action == _FIRST:
        return 0
    return 2 if item.action in _LAST or item.command in _LAST else 1


def matching(offered: Sequence[Item], query: str) -> list[Item]:
    """Those that the query's letters fit, best first; all of them without a query."""
    if not query.strip():
        return list(offered)
    scored = ((_score(item, query), item) for item in offered)
    found = [(score, item) for score, item in scored if score is not None]
    return [item for _, item in sorted(found, key=lambda each: -each[0])]


def _score(item: Item, query: str) -> int | None:
    """How well the query fits: what it is called counts more than what it does."""
    called = fit(query, item.command or item.label)
    does = fit(query, item.words)
    both = fit(query, f"{item.label} {item.words}")
    fits = ((called, NAME_BONUS), (does, 0), (both, -NAME_BONUS))
    return max((good.score + bonus for good, bonus in fits if good is not None), default=None)


def _actions(keymap: Keymap, now: Situation, place: str) -> Iterator[Item]:
    for line in keymap.lines:
        if line.where == place and line.action and line.listed and line.works(now):
            ways = (line.label, _SAME.get(line.action, ""))
            yield Item(" · ".join(filter(None, ways)), line.words, action=line.action)


def _commands(commands: Sequence[MetaCommand]) -> Iterator[Item]:
    for each in commands:
        required = re.sub(r"\[[^]]*\]", "", each.usage)
        yield Item(
            each.usage,
            each.words,
            command=f"/{each.name}",
            needs_words=bool(_NEEDS_WORDS.search(required)),
        )
