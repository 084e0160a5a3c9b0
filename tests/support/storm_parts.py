"""Parts of a sitting that fail in every way that they may, as seeded chance says."""

from __future__ import annotations

import asyncio
import errno
import random
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from agent_cockpit.engine.baseline import SnapshotPort
from agent_cockpit.engine.goals.verifier import Verifier
from agent_cockpit.engine.surroundings import Surroundings
from agent_cockpit.errors import DirtyWorkspaceError, SnapshotFailed
from agent_cockpit.events.checks import PlannedCheck, VerifierResult
from agent_cockpit.harness import Harness
from agent_cockpit.rules.checks.verification import Claim
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.tools.registry import Registry, all_tools
from tests.support.storm_tools import CHECK, StormTool, a_few_moments
from tests.support.storm_voice import StormProvider


def branch(chance: random.Random) -> random.Random:
    """Chance of its own, so that one part's draws do not depend on another part's pace."""
    return random.Random(chance.random())


class NoTree:
    """A snapshot that holds nothing."""

    ref = "1.none"


class StormSnapshots:
    """Snapshots that cost nothing and fail now and then."""

    kind = "git"

    def __init__(self, chance: random.Random) -> None:
        self._faults = {
            name: chance.choice([None] * 6 + [SnapshotFailed("no"), OSError(28, "disk full")])
            for name in ("take", "diff", "changed_paths", "remember")
        }
        self._slow_s = chance.choice([0, 0, 0.004, 0.1])

    def take(self, label: str = "", *, cancelled: Callable[[], bool]) -> NoTree:
        for _ in range(8):
            time.sleep(self._slow_s / 8)
            if cancelled():
                raise SnapshotFailed("it was cancelled")
        self._fail("take")
        return NoTree()

    def diff(self, before: Any, after: Any = None) -> str:
        self._fail("diff")
        return ""

    def changed_paths(self, before: Any, after: Any = None) -> tuple[Any, ...]:
        self._fail("changed_paths")
        return ()

    def diff_head(self) -> str:
        return ""

    def first_of_all(self) -> None:
        return None

    def remember(self, path: str) -> None:
        self._fail("remember")

    def restore(self, snapshot: Any, paths: Iterable[str]) -> tuple[str, ...]:
        self._fail("take")
        return tuple(paths)

    def touched(self) -> set[str]:
        return set()

    def changed_folders(self, before: Any, after: Any) -> tuple[Any, ...]:
        return ()

    def changed_ignored(self, before: Any, after: Any, was_then: Any) -> tuple[str, ...]:
        self._fail("changed_paths")
        return ()

    def recall(self, ref: str) -> NoTree:
        return NoTree()

    def move(
        self, now: Any, to: Any, paths: Iterable[str]
    ) -> tuple[tuple[str, ...], dict[str, str]]:
        self._fail("take")
        return tuple(paths), {}

    def _fail(self, name: str) -> None:
        if (fault := self._faults[name]) is not None:
            raise fault


class StormVerifier:
    """Verdicts by chance; it breaks and hangs too."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def verify(self, claim: Claim, *, cancellation: Any, **_: Any) -> VerifierResult:
        match self._chance.choice(["pass"] * 4 + ["fail"] * 2 + ["raise", "hang", "slow"]):
            case "fail":
                return VerifierResult(passed=False, summary="no", detail="it failed")
            case "raise":
                raise OSError("verifier")
            case "hang":
                await cancellation.wait()
                return VerifierResult(passed=False, summary="stopped")
            case "slow":
                await a_few_moments(6)
        return VerifierResult(passed=True, summary="yes")

    async def floor(self, changed: Sequence[str], *, alone: bool) -> PlannedCheck | None:
        if self._chance.random() < 0.1:
            raise OSError("floor")
        return None


class StormTrust:
    """Whether the folder's checks are trusted, with a memory that may be full."""

    def __init__(self, chance: random.Random) -> None:
        self._trusted = chance.random() < 0.5
        self._full = chance.random() < 0.2

    def is_trusted(self, commands: tuple[str, ...]) -> bool:
        return self._trusted

    def listed(self) -> tuple[str, ...]:
        return ()

    def revoke(self, command: str) -> None:
        return None

    def trust(self, commands: tuple[str, ...]) -> None:
        if self._full:
            raise OSError(errno.ENOSPC, "no space left")


class StormApprover:
    """A veto by chance."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
        match self._chance.choice(["allow"] * 20 + ["veto", "raise", "hang", "slow"]):
            case "veto":
                return "not today"
            case "raise":
                raise KeyError("approver")
            case "hang":
                await asyncio.Event().wait()
            case "slow":
                await a_few_moments(3)
        return None


class StormClassifier:
    """Routes by chance; it breaks and hangs too."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    async def classify(self, prompt: str, *, history: list[str]) -> str | None:
        match self._chance.choice(["edit", "investigate", "junk", "none", "raise", "hang"]):
            case "raise":
                raise KeyError("classifier")
            case "hang":
                await asyncio.Event().wait()
            case "none":
                return None
            case word:
                return word
        return None


class StormHarness(Harness):
    """A harness on a plain folder of which the parts are those of the storm."""

    def __init__(self, root: Path, state: Path, chance: random.Random, **settings: Any) -> None:
        real = chance.random() < 0.04
        self.voice = StormProvider(branch(chance), real_commands=real)
        super().__init__(
            config=HarnessConfig(workspace_root=str(root), retry_backoff_seconds=0, **settings),
            provider=self.voice,
            unattended=chance.random() < 0.15,
            asks_edits=chance.random() < 0.5,
            check_trust=StormTrust(branch(chance)),
            state=state,
        )
        self.runs_commands = real
        self.tools = [
            StormTool("read_file", 0),
            StormTool("write_file", 1),
            *((next(t for t in all_tools() if t.name == "run_command"),) if real else ()),
            *(() if real else (StormTool("run_command", 3),)),
            StormTool("outward", 4),
            StormTool("switch_to_editing", 3),
        ]
        self._chance = branch(chance)
        self._verifying = branch(chance)
        self._storm_snapshots = StormSnapshots(branch(chance))

    @property
    def snapshots(self) -> SnapshotPort:  # type: ignore[override]
        return self._storm_snapshots

    def look_around(self, prompt: str, **_: Any) -> Surroundings:
        match self._chance.choice(["fine"] * 12 + ["dirty", "slow", "raise"]):
            case "dirty":
                raise DirtyWorkspaceError("uncommitted", paths=("a.txt",))
            case "raise":
                raise OSError("look")
            case "slow":
                time.sleep(0.003)
        checks = (CHECK,) if self._chance.random() < 0.7 else ()
        return Surroundings(branch="main", checks=checks, had_tests=True)

    def toolbox(self) -> Registry:
        return Registry(self.tools)

    def verifier(self) -> Verifier:
        return StormVerifier(self._verifying)  # type: ignore[return-value]
