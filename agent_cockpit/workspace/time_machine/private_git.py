"""A git directory of our own over the workspace's files, with an index of its own.

Law: nothing here reads settings, attributes or filters of the user's, except for the
rules that say which files to ignore.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from pathlib import Path

from agent_cockpit.errors import GitFailed, SnapshotFailed
from agent_cockpit.workspace.git import Git, find_repository, ignored
from agent_cockpit.workspace.own_places import OwnPlaces
from agent_cockpit.workspace.time_machine.stat_memory import StatMemory

ATTRIBUTES = "* -text !eol !ident !filter !working-tree-encoding !diff\n"
"""Beats every .gitattributes: contents go in unconverted, and no file hides from a diff."""


LEFT_BY_TOOLS = b"__pycache__/\n.pytest_cache/\n.mypy_cache/\n.ruff_cache/\n.hypothesis/\n"
"""Caches that running a project's tests writes; the user's own rules come after and win."""


class PrivateGit:
    """Owns the git directory in `folder`; one at a time may write there.

    Names in it begin at `top`, where the user's ignore files begin: the top of the
    repository around `root`, or `root` itself. `prefix` leads from there to `root`.
    """

    def __init__(
        self,
        git: Git,
        root: Path,
        folder: Path,
        now_ns: Callable[[], int] = time.time_ns,
        *,
        own: OwnPlaces | None = None,
    ) -> None:
        self.git = git
        self.root = root
        self.folder = folder
        self.top = root
        self.prefix = ""
        self.memory = StatMemory(now_ns)
        self._own = own or OwnPlaces(root)
        self._git_dir = folder / "objects.git"
        self._index = folder / "index"
        self._is_open = False

    def open(self) -> None:
        """Make the git directory, and settle once where names begin."""
        if self._is_open:
            return
        repository = find_repository(self.git, self.root)
        if repository:
            self.top, self.prefix = repository.top, repository.prefix
        place = os.fsencode(self.top) + b"\0" + os.fsencode(self.root)
        self._index = self.folder / f"index-{sha256(place).hexdigest()[:16]}"
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not (self._git_dir / "HEAD").exists():
                self.git.run(
                    "init",
                    "-q",
                    "--bare",
                    "--template=",
                    str(self._git_dir),
                    cwd=self.folder,
                    variables={"GIT_DEFAULT_HASH": "sha1"},
                )
            (self._git_dir / "info").mkdir(exist_ok=True)
            (self._git_dir / "info" / "attributes").write_text(ATTRIBUTES)
        except (OSError, GitFailed) as cause:
            raise SnapshotFailed(f"cannot open the store of snapshots: {cause}") from cause
        self._is_open = True

    def run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        cwd: Path | None = None,
        variables: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> bytes:
        """The output of a git command on the private directory; raises `GitFailed`."""
        return self.git.run(
            *arguments,
            cwd=cwd or self.top,
            stdin=stdin,
            variables=self._variables() | dict(variables or {}),
            settings=self._settings() | dict(settings or {}),
        )

    def ask(
        self, *arguments: str, stdin: bytes = b"", variables: Mapping[str, str] | None = None
    ) -> bytes:
        """As `run`, for what is stored already; opens the store and raises `SnapshotFailed`."""
        self.open()
        try:
            return self.run(*arguments, stdin=stdin, variables=variables)
        except GitFailed as failure:
            raise SnapshotFailed(f"cannot use the store of snapshots: {failure}") from failure

    def left_out(self, paths: Collection[str]) -> set[str]:
        """Those of the workspace's `paths` that the ignore rules pass over and no capture took."""
        self.open()
        try:
            found = ignored(
                self.git,
                [self.prefix + path for path in paths],
                cwd=self.top,
                variables=self._variables(),
                settings=self._settings() | self.ignore_settings(),
            )
        except GitFailed as failure:
            raise SnapshotFailed(f"cannot tell which files are ignored: {failure}") from failure
        return {name.removeprefix(self.prefix) for name in found}

    def ignore_settings(self) -> dict[str, str]:
        """The user's own ignore file; without one git looks in its default place itself."""
        named = self.git.user_setting("core.excludesFile", self.root)
        return {"core.excludesFile": named} if named else {}

    def take_over_excludes(self) -> None:
        """Copy the rules that the user keeps in their repository, outside the tree.

        What interpreters and checkers leave behind by themselves is nobody's change.
        """
        repository = find_repository(self.git, self.root)
        theirs = repository.common_dir / "info" / "exclude" if repository else None
        rules = theirs.read_bytes() if theirs and theirs.is_file() else b""
        own = self._own.rules(self.prefix)
        (self._git_dir / "info" / "exclude").write_bytes(LEFT_BY_TOOLS + rules + b"\n" + own)

    def is_own(self, name: str) -> bool:
        """Whether a name is of a place of ours; a rule of the user's may show it to git."""
        return name.startswith(self.prefix) and self._own.has(name.removeprefix(self.prefix))

    def clear_after_a_crash(self, *, rebuild: bool) -> None:
        """Remove the lock of a git that was killed, and with `rebuild` the index too."""
        Path(f"{self._index}.lock").unlink(missing_ok=True)
        if rebuild:
            self._index.unlink(missing_ok=True)

    def _variables(self) -> dict[str, str]:
        return {
            "GIT_DIR": str(self._git_dir),
            "GIT_WORK_TREE": str(self.top),
            "GIT_INDEX_FILE": str(self._index),
        }

    def _settings(self) -> dict[str, str]:
        settings = {"core.fileMode": "true"}
        if os.name == "posix":
            settings |= {"core.protectNTFS": "false", "core.protectHFS": "false"}
        return settings
