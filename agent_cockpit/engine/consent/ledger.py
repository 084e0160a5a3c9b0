"""What a sitting's standing consent was given for, when, and how often it has been used.

Law: it only remembers; what is allowed is decided by the grants and the trust themselves.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

from agent_cockpit.rules.consent.grants import ApprovalGrant, find_grant
from agent_cockpit.rules.consent.scopes import SeenCall


@dataclass(frozen=True, slots=True)
class Use:
    """How often consent answered for a person, and how long ago they gave it; None: unknown."""

    times: int
    age_s: float | None


@dataclass(frozen=True, slots=True)
class _Given:
    at_s: float
    calls_before: int


class Ledger:
    """Owned by the sitting, written by the consent of each of its goals. `clock` is in
    seconds and never goes back."""

    def __init__(
        self, clock: Callable[[], float] = time.monotonic, *, seen: Iterable[SeenCall] = ()
    ) -> None:
        self.seen: list[SeenCall] = [*seen]
        """Calls that were asked about or let through, oldest first."""
        self._clock = clock
        self._given: dict[ApprovalGrant | str, _Given] = {}

    def gave(self, what: ApprovalGrant | str) -> None:
        """A person gave a grant, or trust in this key; the call it was given at is seen."""
        self._given[what] = _Given(self._clock(), len(self.seen))

    def use_of(self, what: ApprovalGrant | str) -> Use:
        """How a grant, or trust in a key, was used since it was given last."""
        given = self._given.get(what)
        since = self.seen if given is None else self.seen[given.calls_before :]
        times = sum(_covers(what, call) for call in since)
        return Use(times, None if given is None else max(0.0, self._clock() - given.at_s))


def _covers(what: ApprovalGrant | str, call: SeenCall) -> bool:
    if isinstance(what, str):
        return call.trust_key == what
    return find_grant((what,), call.facts) is not None
