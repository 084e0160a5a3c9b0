"""The working tree against the user's last commit, without a trace in their repository."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from agent_cockpit.errors import SnapshotFailed
from agent_cockpit.workspace.git import (
    Git,
    Repository,
    find_repository,
    join_names,
    split_names,
    without_filters,
)
from agent_cockpit.workspace.own_places import OwnPlaces

SHOWN_FILE_BYTES = 5_000_000
"""A larger untracked file is left out: nobody reads it as a diff."""


def diff_head(git: Git, root: Path, scratch: Path, own: OwnPlaces) -> str:
    """The unified diff against HEAD, untracked files included but for `own` ones, limited to
    `root`.

    Works on a copy of the index below `scratch`, a private folder. Empty without a
    repository or a commit.
    """
    repository = find_repository(git, root)
    if repository is None:
        return ""
    known = git.run("rev-parse", "-q", "--verify", "HEAD^{commit}", cwd=root, good_exits=(0, 1))
    if not known:
        return ""
    variables = _private_copies(git, root, repository, scratch)
    settings = without_filters(git, root)
    excludes = git.user_setting("core.excludesFile", root)
    if excludes:
        settings["core.excludesFile"] = excludes
    listing = ("ls-files", "-z", "-o", "--exclude-standard", "--", ".")
    output = git.run(*listing, cwd=root, variables=variables, settings=settings)
    names = (name for name in split_names(output) if not own.has(name))
    untracked = [name for name in names if _is_shown(root / name)]
    git.run(
        "update-index",
        "-z",
        "--add",
        "--remove",
        "--stdin",
        cwd=root,
        stdin=join_names(untracked),
        variables=variables,
        settings=settings,
    )
    git.run(
        "update-index",
        "-q",
        "--refresh",
        "--ignore-submodules",
        cwd=root,
        variables=variables,
        settings=settings,
        good_exits=(0, 1),
    )
    return git.run(
        "diff-index",
        "-p",
        "--relative",
        "--no-color",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--ignore-submodules=dirty",
        "--src-prefix=a/",
        "--dst-prefix=b/",
        "HEAD",
        "--",
        ".",
        cwd=root,
        variables=variables,
        settings=settings,
    ).decode("utf-8", "replace")


def _private_copies(git: Git, root: Path, repository: Repository, scratch: Path) -> dict[str, str]:
    """Variables that send every write to `scratch`, with the user's index copied there.

    The copy keeps its time of change: git trusts an entry by comparing with it.
    """
    index, objects = scratch / "index", scratch / "objects"
    answer = git.run("rev-parse", "--git-path", "index", cwd=root).removesuffix(b"\n")
    theirs = root / os.fsdecode(answer)
    try:
        objects.mkdir(mode=0o700, parents=True, exist_ok=True)
        for leftover in (index, Path(f"{index}.lock")):
            leftover.unlink(missing_ok=True)
        if theirs.exists():
            shutil.copy2(theirs, index)
    except OSError as cause:
        raise SnapshotFailed(f"cannot compare with the last commit: {cause}") from cause
    return {
        "GIT_INDEX_FILE": str(index),
        "GIT_OBJECT_DIRECTORY": str(objects),
        "GIT_ALTERNATE_OBJECT_DIRECTORIES": _quoted(str(repository.common_dir / "objects")),
    }


def _is_shown(path: Path) -> bool:
    try:
        return not path.is_dir() and path.lstat().st_size <= SHOWN_FILE_BYTES
    except OSError:
        return False


def _quoted(path: str) -> str:
    escaped = path.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
