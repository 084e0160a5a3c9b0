"""Holds commands with the `sandbox-exec` of macOS.

Written to what is documented of its profile language; it has not been run on a Mac yet, so
it counts as working only where a trial start succeeds.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path

from agent_cockpit.workspace.sandbox.places import Ground, Scratch, git_places, writable_places
from agent_cockpit.workspace.sandbox.protocol import Held, Limits, in_words
from agent_cockpit.workspace.sandbox.trial import fault_of_start

PROGRAM = "/usr/bin/sandbox-exec"


class SandboxExec:
    """Commands under a profile; of its rules the last that fits decides."""

    name = "sandbox-exec"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._scratch = Scratch()

    def hold(self, limits: Limits) -> Held:
        """Words for one run."""
        before = (PROGRAM, "-p", self.profile(limits))
        return Held(before=before, env=self._scratch.variables())

    def describe(self, limits: Limits) -> str:
        """What `limits` comes to."""
        return in_words(limits, also=self._ground.writable, local="no network but this machine's")

    def profile(self, limits: Limits) -> str:
        """The rules of one run."""
        rules = ["(version 1)", "(allow default)"]
        if not limits.anywhere:
            places = writable_places(self._ground, self._scratch, limits)
            rules += ["(deny file-write*)", *_rule("allow file-write*", places)]
            rules.append('(allow file-write* (regex #"^/dev/(null|zero|tty|ptmx|ttys[0-9]+)$"))')
        git = git_places(self._ground.root)
        kept = git.settings if limits.changes_repository else ()
        guarded = [path for path in git.guarded if path not in kept]
        rules += _rule("deny file-write*", guarded)
        hidden = self._ground.secrets(limits.secrets)
        rules += _rule("deny file-read* file-write*", hidden)
        if limits.network != "open":
            rules.append("(deny network*)")
        if limits.network == "local":
            rules.append('(allow network* (local ip "localhost:*") (remote ip "localhost:*"))')
        rules.append("(deny signal)")
        rules.append("(allow signal (target same-sandbox))")
        return "\n".join(rules)

    def fault(self) -> str | None:
        """Why commands cannot be held here, found by starting one; None when they can."""
        return fault_of_start([*self.hold(Limits()).before, "/usr/bin/true"])


def _rule(verb: str, places: Iterable[Path]) -> list[str]:
    """One rule about all of `places`; a folder's holds for everything in it."""
    paths = " ".join(f"(subpath {json.dumps(str(place), ensure_ascii=False)})" for place in places)
    return [f"({verb} {paths})"] if paths else []
