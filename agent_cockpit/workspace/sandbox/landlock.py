"""Holds commands with Landlock and seccomp, on kernels that have them and nothing else to install.

Weaker than bubblewrap: git's hooks and settings inside the workspace can be changed, unix
sockets outside be used, names of hidden files be seen, and a command without network has
none to its own machine either, so checks keep theirs.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from agent_cockpit.workspace.sandbox import landlock_child
from agent_cockpit.workspace.sandbox.places import Ground, Scratch, git_places, writable_places
from agent_cockpit.workspace.sandbox.protocol import Held, Limits, in_words
from agent_cockpit.workspace.sandbox.trial import fault_of_start


class Landlock:
    """Commands behind a small Python that gives up its rights and then becomes them."""

    name = "landlock"

    def __init__(self, ground: Ground) -> None:
        self._ground = ground
        self._scratch = Scratch()

    def hold(self, limits: Limits) -> Held:
        """Words for one run."""
        places = writable_places(self._ground, self._scratch, limits)
        if limits.anywhere:
            places = [Path("/")]
        wanted = {
            "write": [str(place) for place in places],
            "hide": [str(place) for place in self._ground.secrets(limits.secrets)],
            "network": limits.network != "none",
        }
        python = (sys.executable, "-I", "-S", landlock_child.__file__)
        return Held(before=(*python, json.dumps(wanted), "--"), env=self._scratch.variables())

    def describe(self, limits: Limits) -> str:
        """What `limits` comes to."""
        root, also = self._ground.root, self._ground.writable
        if limits.changes_repository:
            folders = git_places(root).folders
            also += tuple(place for place in folders if not place.is_relative_to(root))
        return in_words(limits, also=also, local="with network, as all checks under Landlock")

    def fault(self) -> str | None:
        """Why commands cannot be held here, found by starting one; None when they can."""
        if not landlock_child.can_hold():
            return (
                f"it needs Linux 6.2 with Landlock and seccomp (here: {landlock_child.version()})"
            )
        return fault_of_start([*self.hold(Limits()).before, "true"])
