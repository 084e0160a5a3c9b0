"""Standing approvals: what `[a]` stores, and which later calls it covers.

Law: a grant covers a line only if it, or a grant beside it, covers every part of the line
that needs one; tier 4, a blank prefix and what a person must ratify each time are never
covered, not even by a grant made by hand.
"""

from __future__ import annotations

from collections.abc import Iterable

from pydantic import BaseModel, ConfigDict

from agent_cockpit.rules.facts import UNGRANTABLE_TOOLS, CallFacts, CommandPart

CEILING = 4
"""The tier from which on every call is asked, whatever was granted."""


class ApprovalGrant(BaseModel):
    """A standing "always" for one tool, one program prefix, up to one tier.

    It lives as long as the sitting; nothing writes it to a settings file.
    """

    model_config = ConfigDict(frozen=True)

    tool: str
    prefix: str
    tier: int

    def matches(self, tool: str, program: str, tier: int) -> bool:
        """Whether a call of `tool` with the prefix `program` is covered at `tier`."""
        return (
            tier < CEILING
            and tool not in UNGRANTABLE_TOOLS
            and self.tool == tool
            and self.tier >= tier
            and bool(self.prefix.strip())
            and self.prefix == program
        )


def find_grant(grants: Iterable[ApprovalGrant], facts: CallFacts) -> ApprovalGrant | None:
    """The grant that covers the call; of a line that takes several, the first part's."""
    if not facts.grantable or facts.tier >= CEILING:
        return None
    held = tuple(grants)
    needed = needs_cover(facts)
    if not needed:
        return _first(held, facts.tool, facts.prefix, facts.tier)
    found = [_first(held, facts.tool, part.prefix, part.tier) for part in needed]
    return None if None in found else found[0]


def grant_for(facts: CallFacts) -> ApprovalGrant | None:
    """What `[a]` would store for the call; None where `[a]` does not apply."""
    grantable = (
        facts.grantable
        and facts.refusal is None
        and facts.tier < CEILING
        and facts.tool not in UNGRANTABLE_TOOLS
        and bool(facts.prefix.strip())
    )
    if not grantable:
        return None
    return ApprovalGrant(tool=facts.tool, prefix=facts.prefix, tier=facts.tier)


def needs_cover(facts: CallFacts) -> tuple[CommandPart, ...]:
    """The parts of a command that a grant or an allow rule must name, each one of them."""
    return tuple(
        part for part in facts.parts if part.tier >= 3 or (part.mutates and part.tier >= facts.tier)
    )


def _first(
    grants: tuple[ApprovalGrant, ...], tool: str, prefix: str, tier: int
) -> ApprovalGrant | None:
    return next((grant for grant in grants if grant.matches(tool, prefix, tier)), None)
