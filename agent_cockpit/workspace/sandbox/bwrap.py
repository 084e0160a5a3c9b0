"""Holds commands with bubblewrap: own mounts, processes and network, no capabilities.

The tree is there to be read; `/run`, `/tmp`, `/dev` and `/proc` are its own, since through a
socket there (a terminal multiplexer's, a container engine's) a command could have itself run
outside; secrets are covered by empty files and folders. What may write anywhere is in the
person's own place, with this machine's processes and temporary files: only secrets are covered.
"""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path

from agent_cockpit.workspace.sandbox.places import (
    GitPlaces,
    Ground,
    Scratch,
    git_places,
    real,
)
from agent_cockpit.workspace.sandbox.protocol import Held, Limits, in_words
from agent_cockpit.workspace.sandbox.trial import fault_of_start

OWN_TREES = (Path("/tmp"), Path("/run"))
"""Replaced by private ones; what is needed of them is put back by name."""

_NEEDED_OF_RUN = (
    *("/run/current-system", "/run/booted-system", "/run/wrappers", "/run/opengl-driver"),
    *("/run/systemd/resolve", "/run/resolvconf", "/run/NetworkManager", "/run/nscd"),
)
"""Programs of some systems, and where `/etc/resolv.conf` points to."""

_DEVICES = ("/dev/dri", "/dev/kfd", "/dev/kvm")
"""Of those that tests compute with; without them they would come to another verdict."""


class Bwrap:
    """Commands in namespaces of their own; `program` is the bubblewrap to use."""

    name = "bwrap"

    def __init__(self, program: str, ground: Ground) -> None:
        self._program = program
        self._ground = ground
        self._scratch = Scratch()

    def hold(self, limits: Limits) -> Held:
        """Words for one run; what exists now is what is bound."""
        if limits.anywhere:
            return self._hold_loosely(limits)
        git = git_places(self._ground.root)
        network = ("--share-net",) if limits.network == "open" else ()
        is_all = limits.writes and self._ground.root == Path("/")
        words = (
            *(self._program, "--unshare-all", *network, "--die-with-parent", "--cap-drop", "ALL"),
            *("--bind" if is_all else "--ro-bind", "/", "/", "--dev", "/dev"),
            *(word for path in self._devices() for word in ("--dev-bind-try", path, path)),
            *("--proc", "/proc", "--tmpfs", "/run", "--bind", str(self._scratch.temporary), "/tmp"),
            *_bound("--ro-bind-try", map(Path, _NEEDED_OF_RUN)),
            *_bound("--ro-bind", self._put_back(limits, git)),
            *self._writable(limits, git),
            *_bound("--ro-bind", self._guarded(limits, git)),
            *self._covered(limits),
            *("--chdir", str(self._ground.root), "--"),
        )
        return Held(before=words, env=self._scratch.variables(seen_at="/tmp"), has_monitor=True)

    def _hold_loosely(self, limits: Limits) -> Held:
        network = () if limits.network == "open" else ("--unshare-net",)
        words = (
            *(self._program, *network, "--die-with-parent"),
            *("--bind", "/", "/", "--dev-bind", "/dev", "/dev"),
            *_bound("--ro-bind", self._guarded(limits, git_places(self._ground.root))),
            *self._covered(limits),
            *("--chdir", str(self._ground.root), "--"),
        )
        return Held(before=words, has_monitor=True)

    def describe(self, limits: Limits) -> str:
        """What `limits` comes to."""
        also = self._ground.writable
        if limits.changes_repository:
            also += _outside(self._ground.root, git_places(self._ground.root).folders)
        return in_words(limits, also=also, local="no network but its own")

    def fault(self) -> str | None:
        """Why commands cannot be held here, found by starting one; None when they can."""
        is_writable = os.access(self._ground.root, os.W_OK)
        trial = "test -w ." if is_writable else "true"
        fault = fault_of_start([*self.hold(Limits()).before, "/bin/sh", "-c", trial])
        # As root it gives up the right to write into what belongs to somebody else.
        return "the workspace could not be written to in it" if fault == "" else fault

    def _put_back(self, limits: Limits, git: GitPlaces) -> tuple[Path, ...]:
        """What is needed of the trees that are replaced: programs, the home folder, the
        repository, and what the call names."""
        ground = self._ground
        programs = [Path(place) for place in ground.environ.get("PATH", "").split(os.pathsep)]
        wanted = [path.parent if path.name == "bin" else path for path in programs]
        wanted += [Path(sys.prefix), Path(ground.environ.get("VIRTUAL_ENV", ""))]
        wanted += [ground.home, *git.folders]
        wanted += limits.also_reads
        kept = {real(path) for path in wanted if path.is_absolute() and path.exists()}
        kept -= {Path("/"), *OWN_TREES}
        return tuple(sorted(path for path in kept if _is_replaced(path)))

    def _writable(self, limits: Limits, git: GitPlaces) -> tuple[str, ...]:
        root = self._ground.root
        places = [*map(real, self._ground.writable), *limits.also_writes]
        if limits.changes_repository:
            places += _outside(root, git.folders)
        # The whole tree, bound over itself, would cover what was put in its place; of a
        # replaced tree only what is there already can be meant.
        bound = {place: "--bind-try" for place in places if place not in (Path("/"), *OWN_TREES)}
        if root != Path("/"):
            bound[root] = "--bind" if limits.writes else "--ro-bind"
        # In this order an outer place never covers an inner one.
        return tuple(word for place in sorted(bound) for word in _bound(bound[place], (place,)))

    def _guarded(self, limits: Limits, git: GitPlaces) -> tuple[Path, ...]:
        """Files that would have git start something, outside, the next time it runs."""
        if not limits.changes_repository:
            return git.guarded
        return tuple(path for path in git.guarded if path not in git.settings)

    def _covered(self, limits: Limits) -> tuple[str, ...]:
        words: list[str] = []
        for place in self._ground.secrets(limits.secrets):
            cover = self._scratch.empty_folder if place.is_dir() else self._scratch.empty_file
            words += ("--ro-bind", str(cover), str(place))
        return tuple(words)

    def _devices(self) -> tuple[str, ...]:
        return (*_DEVICES, *map(str, Path("/dev").glob("nvidia*")))


def find_bwrap(ground: Ground) -> str | None:
    """The program, by its absolute path; never one that lies in the workspace."""
    places = [place for place in ground.environ.get("PATH", "").split(os.pathsep) if place]
    safe = [
        place
        for place in ("/usr/bin", "/bin", *places)
        if Path(place).is_absolute() and not real(Path(place)).is_relative_to(ground.root)
    ]
    return shutil.which("bwrap", path=os.pathsep.join(safe))


def _is_replaced(path: Path) -> bool:
    return any(path.is_relative_to(tree) for tree in OWN_TREES)


def _outside(root: Path, places: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(place for place in places if not place.is_relative_to(root))


def _bound(how: str, places: Iterable[Path]) -> tuple[str, ...]:
    return tuple(word for place in places for word in (how, str(place), str(place)))
