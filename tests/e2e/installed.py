"""The command as it is installed: run to its end, or started and watched."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.support.waiting import WITHIN_S, wait_until

GONE_S = 20.0
"""Less than what the demo lets a command sleep: what ends by itself was not ended."""

COMMAND = Path(sys.executable).parent / "agent-cockpit"


def clean_environment(home: Path) -> dict[str, str]:
    """A person's environment with a home where nothing is yet."""
    home.mkdir(parents=True, exist_ok=True)
    return {
        "HOME": str(home),
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "AGENT_COCKPIT_RETRY_BACKOFF_SECONDS": "0",
    }


class Done:
    """What a run of the command left behind."""

    def __init__(self, code: int, out: bytes, err: bytes) -> None:
        self.code = code
        self.out = out.decode("utf-8", "surrogateescape")
        self.err = err.decode("utf-8", "surrogateescape")

    @property
    def report(self) -> dict[str, Any]:
        """The one document on stdout."""
        report: dict[str, Any] = json.loads(self.out)
        return report

    @property
    def last_words(self) -> str:
        """The last line of stderr."""
        return self.err.splitlines()[-1] if self.err else ""


class Started:
    """A headless run under way."""

    def __init__(self, words: Sequence[str | Path], folder: Path, environ: dict[str, str]) -> None:
        self._child = subprocess.Popen(
            [str(COMMAND), *map(str, words)],
            cwd=folder,
            env=environ,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )

    def signal(self, number: int) -> None:
        """Send the command, and only it, a signal."""
        self._child.send_signal(number)

    def end(self, *, within_s: float = WITHIN_S) -> Done:
        """Wait until it is over; kill it and fail when it does not end in time."""
        try:
            out, err = self._child.communicate(timeout=within_s)
        except subprocess.TimeoutExpired:
            self._child.kill()
            out, err = self._child.communicate()
            raise AssertionError(f"did not end within {within_s:g} s:\n{err.decode()}") from None
        return Done(self._child.returncode, out, err)


def run(words: Sequence[str | Path], folder: Path, environ: dict[str, str]) -> Done:
    """Run the command to its end."""
    return Started(words, folder, environ).end()


def events(journal: Path) -> list[dict[str, Any]]:
    """The lines of a journal."""
    return [json.loads(line) for line in journal.read_text().splitlines()]


def until_gone(pids: Iterable[int]) -> None:
    """Return once none of these processes is there; the system takes a moment to end a group."""
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in pids), within_s=GONE_S)


def processes_of(marker: str) -> list[int]:
    """The processes on this machine with this word in their command line."""
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            words = (process / "cmdline").read_bytes().split(b"\0")
            if any(marker.encode() in word for word in words) and process.name != str(os.getpid()):
                found.append(int(process.name))
    return found


def descendants(pid: int) -> dict[int, str]:
    """The processes that come from this one, with their command lines."""
    parents: dict[int, int] = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            stat = (process / "stat").read_text()
            parents[int(process.name)] = int(stat[stat.rindex(")") :].split()[2])
    found: dict[int, str] = {}
    for child, parent in sorted(parents.items()):
        if parent == pid or parent in found:
            with suppress(OSError):
                words = Path(f"/proc/{child}/cmdline").read_bytes()
                found[child] = words.replace(b"\0", b" ").decode(errors="replace").strip()
    return found
