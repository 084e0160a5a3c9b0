"""Trees of the workspace kept in a private git directory, beside the user's repository.

Law: the store holds the disk's bytes. No attribute, line-ending setting or filter changes
what goes in, no object is borrowed from the user's repository, and a step that fails
leaves no tree behind.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Iterable, Iterator, Mapping
from hashlib import sha256
from pathlib import Path

from agent_cockpit.errors import GitFailed, SnapshotFailed
from agent_cockpit.workspace.git import Git, find_repository, ignored, join_names, split_names
from agent_cockpit.workspace.snapshot_store import (
    USUAL_PERMISSIONS,
    Cancelled,
    Capture,
    ChangedPath,
    Entry,
    Status,
    git_mode,
    stop_if,
)

ATTRIBUTES = "* -text !eol !ident !filter !working-tree-encoding !diff\n"
"""Beats every .gitattributes: contents go in unconverted, and no file hides from a diff."""

FILES_AT_ONCE = 5_000
"""Git's memory of what a pack already holds is searched from end to end for each file."""

PACKED_ABOVE = 100
"""This many new files go into one pack instead of a file each: four times faster."""

ATTEMPTS = 3
"""Files may vanish or shrink while git reads them; the last attempt starts from nothing."""

LIMIT_BYTES = 4_000_000_000
"""New content that one snapshot may copy. More means a folder that nobody meant as a
workspace, or data that belongs into an ignore file."""


class GitStore:
    """Owns the git directory in `folder`; one at a time may write there."""

    def __init__(self, git: Git, root: Path, folder: Path, max_file_bytes: int) -> None:
        self._git = git
        self._root = root
        self._folder = folder
        self._max_file_bytes = max_file_bytes
        self._git_dir = folder / "objects.git"
        self._index = folder / "index"
        self._top: Path | None = None
        self._prefix = ""

    def capture(self, remembered: Collection[str], cancelled: Cancelled) -> Capture:
        """Record the workspace as it is; retries when the tree changes under git's hands."""
        self._open()
        for attempt in range(1, ATTEMPTS + 1):
            stop_if(cancelled)
            try:
                self._clear_after_a_crash(rebuild=attempt == ATTEMPTS)
                return self._capture(remembered, cancelled)
            except (GitFailed, OSError) as failure:
                if attempt == ATTEMPTS:
                    raise SnapshotFailed(
                        f"cannot record the files of `{self._root}`: {failure}"
                    ) from failure
        raise AssertionError("unreachable: the last attempt returns or raises")

    def entries(self, tree: str) -> Mapping[str, Entry]:
        """All files of a tree."""
        found = {}
        for line in split_names(self._read("ls-tree", "-r", "-z", tree)):
            facts, _, path = line.partition("\t")
            mode, _, content = facts.split(" ")
            found[path] = Entry(int(mode, 8), content)
        return found

    def contents(self, ids: Collection[str]) -> Mapping[str, bytes]:
        """The bytes behind content ids, read in one go."""
        if not ids:
            return {}
        asked = "".join(f"{content}\n" for content in ids).encode()
        output = self._read("cat-file", "--batch", stdin=asked)
        found, position = {}, 0
        for content in ids:
            end = output.index(b"\n", position)
            header = output[position:end].split(b" ")
            if header[-1] == b"missing":
                raise SnapshotFailed(f"the snapshot's store has lost the content {content}")
            size = int(header[-1])
            found[content] = output[end + 1 : end + 1 + size]
            position = end + size + 2
        return found

    def put(self, path: str) -> Entry | None:
        """Keep the file that is at `path` now; None when there is none to keep."""
        self._open()
        target = self._root / path
        try:
            about = target.lstat()
            if stat.S_ISLNK(about.st_mode):
                content = os.fsencode(target.readlink())
            elif stat.S_ISREG(about.st_mode) and about.st_size <= self._max_file_bytes:
                content = target.read_bytes()
            else:
                return None
        except (FileNotFoundError, NotADirectoryError):
            return None
        except OSError as cause:
            raise SnapshotFailed(f"cannot keep a copy of `{path}`: {cause}") from cause
        stored = self._read("hash-object", "-w", "--stdin", stdin=content)
        return Entry(git_mode(about.st_mode), stored.decode().strip())

    def with_entries(self, tree: str, added: Mapping[str, Entry]) -> str:
        """A tree like `tree` that has `added` too, made in an index of its own."""
        index = self._folder / "merge-index"
        index.unlink(missing_ok=True)
        variables = {"GIT_INDEX_FILE": str(index)}
        lines = (
            f"{entry.mode:o} {entry.content}\t".encode() + os.fsencode(path) + b"\0"
            for path, entry in added.items()
        )
        try:
            self._run("read-tree", tree, variables=variables)
            self._run(
                "update-index",
                "-z",
                "--replace",
                "--index-info",
                stdin=b"".join(lines),
                variables=variables,
            )
            return self._run("write-tree", variables=variables).decode().strip()
        except GitFailed as failure:
            raise SnapshotFailed(f"cannot complete a snapshot: {failure}") from failure
        finally:
            index.unlink(missing_ok=True)

    def is_left_out(self, path: str) -> bool:
        """Whether the ignore rules pass over `path` and no snapshot has taken it yet."""
        self._open()
        name = self._prefix + path
        try:
            return not self._run("ls-files", "-z", "--", name) and ignored(
                self._git,
                name,
                cwd=self._worktree,
                variables=self._own_variables(),
                settings=self._ignore_settings(),
            )
        except GitFailed as failure:
            raise SnapshotFailed(f"cannot tell whether `{path}` is ignored: {failure}") from failure

    def changes(self, before: str, after: str) -> tuple[ChangedPath, ...]:
        """What differs between two trees, by path."""
        shape = ("-r", "-z", "--no-renames", "--no-ext-diff", "--no-textconv")
        fields = split_names(self._read("diff-tree", *shape, "--raw", "--numstat", before, after))
        letters: dict[str, Status] = {}
        position = 0
        while position < len(fields) and fields[position].startswith(":"):
            letters[fields[position + 1]] = _status(fields[position][-1])
            position += 2
        counts: dict[str, tuple[int | None, int | None]] = {}
        for line in fields[position:]:
            added, removed, path = line.split("\t", 2)
            counts[path] = (None, None) if added == "-" else (int(added), int(removed))
        return tuple(
            ChangedPath(path, letter, *counts.get(path, (0, 0))) for path, letter in letters.items()
        )

    def diff(self, before: str, after: str, without: Collection[str]) -> str:
        """The unified diff of two trees, except for the paths in `without`."""
        if before == after:
            return ""
        excluded = [f":(exclude,top,literal){path}" for path in sorted(without)]
        output = self._read(
            "diff-tree",
            "-r",
            "-p",
            "--no-renames",
            "--no-color",
            "--no-ext-diff",
            "--no-textconv",
            "--src-prefix=a/",
            "--dst-prefix=b/",
            before,
            after,
            "--",
            *([":(top)", *excluded] if excluded else ()),
            variables={"GIT_LITERAL_PATHSPECS": "0"},
        )
        return output.decode("utf-8", "replace")

    def _open(self) -> None:
        """Make the git directory, and settle once where the tree of files begins."""
        if self._top is not None:
            return
        repository = find_repository(self._git, self._root)
        top, self._prefix = (repository.top, repository.prefix) if repository else (self._root, "")
        place = os.fsencode(top) + b"\0" + os.fsencode(self._root)
        self._index = self._folder / f"index-{sha256(place).hexdigest()[:16]}"
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            if not (self._git_dir / "HEAD").exists():
                self._git.run(
                    "init",
                    "-q",
                    "--bare",
                    "--template=",
                    str(self._git_dir),
                    cwd=self._folder,
                    variables={"GIT_DEFAULT_HASH": "sha1"},
                )
                self._git_dir.chmod(0o700)
            info = self._git_dir / "info"
            info.mkdir(exist_ok=True)
            (info / "attributes").write_text(ATTRIBUTES)
        except (OSError, GitFailed) as cause:
            raise SnapshotFailed(f"cannot open the store of snapshots: {cause}") from cause
        self._top = top

    def _clear_after_a_crash(self, *, rebuild: bool) -> None:
        """A git that was killed leaves its lock; nobody else writes this index."""
        Path(f"{self._index}.lock").unlink(missing_ok=True)
        if rebuild:
            self._index.unlink(missing_ok=True)

    def _capture(self, remembered: Collection[str], cancelled: Cancelled) -> Capture:
        self._write_excludes()
        ignoring = self._ignore_settings()
        wanted = self._list(ignoring)
        wanted.update(self._prefix + path for path in remembered)
        stop_if(cancelled)
        to_store, gone, skipped = self._sort(wanted)
        self._forget(gone)
        self._store(to_store, cancelled)
        names = set(split_names(self._run("ls-files", "-z")))
        return Capture(
            tree=self._write_tree(),
            permissions=self._permissions(names),
            skipped=skipped | self._refused(to_store.keys() - names),
            empty_folders=frozenset(self._empty_folders(ignoring)),
        )

    def _list(self, ignoring: Mapping[str, str]) -> set[str]:
        """Names, from the top, of files that are new, changed or gone since the last capture."""
        listing = ("ls-files", "-z", "-m", "-o", "-d", "--exclude-standard", "--")
        names = split_names(self._run(*listing, self._prefix or ".", settings=ignoring))
        found = {name for name in names if not name.endswith("/")}
        found.update(
            self._prefix + name for name in self._tracked_but_ignored(self._root, ignoring)
        )
        nested = [name for name in names if name.endswith("/")]
        while nested:
            folder = nested.pop()
            for name in self._list_nested(folder, ignoring):
                (nested.append if name.endswith("/") else found.add)(folder + name)
        return found

    def _list_nested(self, folder: str, ignoring: Mapping[str, str]) -> list[str]:
        """Files of a repository inside the workspace that no capture has seen yet."""
        inside = self._worktree / folder
        variables = {
            "GIT_WORK_TREE": str(inside),
            "GIT_INDEX_FILE": str(self._folder / "no-index"),
        }
        listing = ("ls-files", "-z", "-o", "--exclude-standard")
        untracked = self._run(*listing, cwd=inside, variables=variables, settings=ignoring)
        return split_names(untracked) + self._tracked_but_ignored(inside, ignoring)

    def _tracked_but_ignored(self, folder: Path, ignoring: Mapping[str, str]) -> list[str]:
        """Names, from `folder`, that its own repository tracks against the ignore rules."""
        if find_repository(self._git, folder) is None:
            return []
        listing = ("ls-files", "-z", "-c", "-i", "--exclude-standard", "--", ".")
        return self._git.names(*listing, cwd=folder, settings=ignoring)

    def _sort(
        self, names: Iterable[str]
    ) -> tuple[dict[str, int], set[str], dict[str, tuple[int, int]]]:
        """Names as (sizes of those to store, those gone, workspace paths of those skipped)."""
        to_store: dict[str, int] = {}
        gone: set[str] = set()
        skipped: dict[str, tuple[int, int]] = {}
        links: dict[str, bool] = {}
        for name in names:
            path = self._worktree / name
            about = _facts(path)
            if about is None or _is_behind_link(self._worktree, name, links):
                gone.add(name)
            elif stat.S_ISLNK(about.st_mode):
                to_store[name] = about.st_size
            elif not stat.S_ISREG(about.st_mode):
                gone.add(name)
            elif about.st_size <= self._max_file_bytes and os.access(path, os.R_OK):
                to_store[name] = about.st_size
            else:
                gone.add(name)
                skipped[name.removeprefix(self._prefix)] = (about.st_size, about.st_mtime_ns)
        if sum(to_store.values()) > LIMIT_BYTES:
            raise SnapshotFailed(
                f"`{self._root}` holds more than {LIMIT_BYTES // 10**9} GB of new files;"
                " name those that need no undo in an ignore file"
            )
        return to_store, gone, skipped

    def _forget(self, names: Collection[str]) -> None:
        if names:
            nothing = b"0 " + b"0" * 40 + b"\t"
            lines = b"".join(nothing + os.fsencode(name) + b"\0" for name in sorted(names))
            self._run("update-index", "-z", "--index-info", stdin=lines)

    def _store(self, names: Mapping[str, int], cancelled: Cancelled) -> None:
        ordered = sorted(names)
        packed = {"core.bigFileThreshold": "1"} if len(ordered) > PACKED_ABOVE else {}
        for start in range(0, len(ordered), FILES_AT_ONCE):
            stop_if(cancelled)
            self._run(
                "update-index",
                "-z",
                "--add",
                "--remove",
                "--replace",
                "--stdin",
                stdin=join_names(ordered[start : start + FILES_AT_ONCE]),
                settings=packed,
            )

    def _permissions(self, names: Iterable[str]) -> dict[str, int]:
        """Unusual permissions of the files that the index holds."""
        unusual = {}
        for name in names:
            about = _facts(self._worktree / name)
            if about is None or not stat.S_ISREG(about.st_mode):
                continue
            permissions = stat.S_IMODE(about.st_mode)
            if permissions not in USUAL_PERMISSIONS:
                unusual[name.removeprefix(self._prefix)] = permissions
        return unusual

    def _refused(self, names: Iterable[str]) -> dict[str, tuple[int, int]]:
        """Marks of files that are there but that git would not take by this name."""
        facts = {name.removeprefix(self._prefix): _facts(self._worktree / name) for name in names}
        return {path: (it.st_size, it.st_mtime_ns) for path, it in facts.items() if it}

    def _empty_folders(self, ignoring: Mapping[str, str]) -> Iterator[str]:
        listing = ("ls-files", "-z", "-o", "--directory", "--exclude-standard", "--")
        names = self._run(*listing, self._prefix or ".", settings=ignoring)
        for name in split_names(names):
            if not name.endswith("/"):
                continue
            for folder, below, files in os.walk(self._worktree / name):
                if not below and not files:
                    yield Path(folder).relative_to(self._root).as_posix()

    def _write_tree(self) -> str:
        if not self._prefix:
            return self._run("write-tree").decode().strip()
        if not self._run("ls-files", "-z", "--", self._prefix):
            return self._run("mktree").decode().strip()
        return self._run("write-tree", f"--prefix={self._prefix}").decode().strip()

    def _write_excludes(self) -> None:
        """Take over the rules that the user keeps in their repository, outside the tree."""
        repository = find_repository(self._git, self._root)
        theirs = repository.common_dir / "info" / "exclude" if repository else None
        rules = theirs.read_bytes() if theirs and theirs.is_file() else b""
        (self._git_dir / "info" / "exclude").write_bytes(rules)

    def _ignore_settings(self) -> dict[str, str]:
        """The user's own ignore file; without one git looks in its default place itself."""
        named = self._git.user_setting("core.excludesFile", self._root)
        return {"core.excludesFile": named} if named else {}

    @property
    def _worktree(self) -> Path:
        if self._top is None:
            raise AssertionError("the store is opened before it is used")
        return self._top

    def _read(
        self,
        *arguments: str,
        stdin: bytes = b"",
        variables: Mapping[str, str] | None = None,
    ) -> bytes:
        """As `_run`, for a question about what is stored."""
        self._open()
        try:
            return self._run(*arguments, stdin=stdin, variables=variables)
        except GitFailed as failure:
            raise SnapshotFailed(f"cannot read the store of snapshots: {failure}") from failure

    def _run(
        self,
        *arguments: str,
        stdin: bytes = b"",
        cwd: Path | None = None,
        variables: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> bytes:
        configured = {"core.fileMode": "true", **(settings or {})}
        if os.name == "posix":
            configured |= {"core.protectNTFS": "false", "core.protectHFS": "false"}
        return self._git.run(
            *arguments,
            cwd=cwd or self._worktree,
            stdin=stdin,
            variables=self._own_variables() | dict(variables or {}),
            settings=configured,
        )

    def _own_variables(self) -> dict[str, str]:
        return {
            "GIT_DIR": str(self._git_dir),
            "GIT_WORK_TREE": str(self._worktree),
            "GIT_INDEX_FILE": str(self._index),
        }


def _facts(path: Path) -> os.stat_result | None:
    try:
        return path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None


def _status(letter: str) -> Status:
    return "A" if letter == "A" else "D" if letter == "D" else "M"


def _is_behind_link(top: Path, name: str, known: dict[str, bool]) -> bool:
    """Whether a parent folder of `name` is a symbolic link; `known` remembers the answers."""
    folder = name.rpartition("/")[0]
    if not folder:
        return False
    if folder not in known:
        known[folder] = (top / folder).is_symlink() or _is_behind_link(top, folder, known)
    return known[folder]
