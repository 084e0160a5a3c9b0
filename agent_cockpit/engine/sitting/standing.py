"""`/permissions`: everything that stands in the place of a question, and taking it back.

Law: what is listed under a number is what that number revokes.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from agent_cockpit.engine.consent.ledger import Use
from agent_cockpit.engine.sitting.sitting import Sitting
from agent_cockpit.engine.state import MetaResult
from agent_cockpit.rules.consent.grants import ApprovalGrant
from agent_cockpit.rules.consent.scopes import every
from agent_cockpit.text import clean_line, reveal_line
from agent_cockpit.transcript.wording import call_label, count, duration

NO_GRANTS = "no standing approvals in this sitting"
ACCEPTED = " (tier 1), this sitting, by accepting edits"
MOST_RULES = 50
"""Of the configured ones are listed; `agent-cockpit policy test` names the one that decides."""


@dataclass(frozen=True, slots=True)
class _Standing:
    """One line of the list: what it allows, how it was used, how to take it back."""

    what: str
    reach: str
    revoke: Callable[[], None]

    def __str__(self) -> str:
        return f"{self.what}{self.reach}"


class StandingDesk:
    """Lists and revokes for one sitting; made for one command."""

    def __init__(self, sitting: Sitting) -> None:
        self._sitting = sitting

    def answer(self, argument: str) -> MetaResult:
        """`/permissions` and `/permissions revoke N|all`."""
        words = argument.split()
        standing = self._standing()
        if words and words[0] == "revoke":
            return self._revoke(standing, words[1:])
        head = "standing approvals (/permissions revoke N takes one back)"
        lines = [f"{number}  {each}" for number, each in enumerate(standing, start=1)]
        body = [head, *lines] if lines else [NO_GRANTS]
        body += [*self._bounds(), *self._rules(), *self._refusals()]
        return MetaResult("message", "\n".join(body))

    def _revoke(self, standing: list[_Standing], words: list[str]) -> MetaResult:
        total = len(standing)
        if words == ["all"]:
            for each in standing:
                each.revoke()
            return MetaResult("message", f"{count(total, 'standing approval')} revoked")
        if len(words) != 1 or not words[0].isdecimal() or not 1 <= int(words[0]) <= total:
            numbers = "1" if total == 1 else f"a number from 1 to {total},"
            takes = f"/permissions revoke takes {numbers} or all"
            return MetaResult("message", takes if total else NO_GRANTS)
        chosen = standing[int(words[0]) - 1]
        chosen.revoke()
        return MetaResult("message", f"revoked: {chosen.what}")

    def _standing(self) -> list[_Standing]:
        """Grants, then trust, accepted edits, and the folder's remembered checks."""
        sitting, use_of = self._sitting, self._sitting.ledger.use_of
        grants = sitting.state.grants
        found = [
            _Standing(
                _granted(grant),
                f" (tier {grant.tier}), this sitting{_used(use_of(grant))}",
                partial(grants.remove, grant),
            )
            for grant in grants
        ]
        for key, scope in sorted(sitting.execution.trust_levels.items()):
            reach = f", this {'goal' if scope == 'turn' else 'sitting'}{_used(use_of(key))}"
            found.append(_Standing(_trusted(key), reach, partial(sitting.revoke_trust, key)))
        if sitting.harness.asks_edits and sitting.consent == "accept_edits":
            found.append(_Standing("every edit in the workspace", ACCEPTED, sitting.ask_edits))
        trust = sitting.harness.check_trust
        found += [
            _Standing(
                f"the check `{reveal_line(command)}`",
                ", this folder",
                partial(trust.revoke, command),
            )
            for command in trust.listed()
        ]
        return found

    def _bounds(self) -> list[str]:
        return [
            f"edits of {reveal_line(path)} only in lines {bound.start + 1}-{bound.end + 1}"
            for path, bound in sorted(self._sitting.execution.boundaries.items())
        ]

    def _rules(self) -> list[str]:
        """What is configured, which comes before all that stands above."""
        configured = self._sitting.harness.base_policy.rules.rules
        rules = [f"- {reveal_line(rule.told)}" for rule in configured]
        more = len(rules) - MOST_RULES
        cut = [f"  and {count(more, 'more rule')}"] if more > 0 else []
        return ["configured rules:", *rules[:MOST_RULES], *cut] if rules else []

    def _refusals(self) -> list[str]:
        refused = self._sitting.refused
        return (
            ["refused lately:", *(f"- {reveal_line(_refused(line))}" for line in refused)]
            if refused
            else []
        )


def _granted(grant: ApprovalGrant) -> str:
    """A grant in the words of the card on which it was given."""
    if grant.prefix == grant.tool:
        return clean_line(every(grant.tool))
    return f"every `{reveal_line(grant.prefix)} …`"


def _used(use: Use) -> str:
    """`, used 3 times, given 4 m 10 s ago`."""
    given = "" if use.age_s is None else f", given {duration(round(use.age_s * 1000))} ago"
    times = f"used {count(use.times, 'time')}" if use.times else "not used yet"
    return f", {times}{given}"


def _trusted(key: str) -> str:
    """A trust key as a person knows it: the exact command, or every call of a tool."""
    tool, colon, rest = key.partition(":")
    if not colon:
        return clean_line(every(tool))
    what = "" if tool == "run_command" else f"{call_label(tool)} "
    return f"exactly {what}`{reveal_line(rest)}`"


def _refused(line: str) -> str:
    """What the model reads about a refused call, as a person reads it in the transcript."""
    tool = _TOOL.match(line)
    return line if tool is None else f"{call_label(tool[0])}{line[tool.end() :]}"


_TOOL = re.compile(r"\w+")
