"""Runs the git program so that no setting of anybody can change what it does.

Law: the user's repository is only ever read. No command here writes an index, a ref, an
object or a setting of theirs, and none starts a hook, filter, pager or helper of theirs.
"""

from __future__ import annotations

import os
import subprocess
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.errors import GitFailed
from agent_cockpit.text import clean_line, shorten

DEADLINE_S = 120.0
"""A cold cache and 100,000 files take tens of seconds; longer than this is a hang."""

_SAFE_SETTINGS = {
    "core.fsmonitor": "false",
    "core.hooksPath": os.devnull,
    "core.trustctime": "true",
    "core.splitIndex": "false",
    "core.untrackedCache": "false",
    "core.quotePath": "false",
    "color.ui": "false",
    "gc.auto": "0",
    "submodule.recurse": "false",
    # A folder of another owner (a container's mount) is as safe to read as our own, since
    # everything that its settings could start is switched off here.
    "safe.directory": "*",
}

_SAFE_ENVIRONMENT = {
    "GIT_CONFIG_GLOBAL": os.devnull,
    "GIT_CONFIG_NOSYSTEM": "1",
    "GIT_ATTR_NOSYSTEM": "1",
    "GIT_OPTIONAL_LOCKS": "0",
    "GIT_TERMINAL_PROMPT": "0",
    "GIT_NO_LAZY_FETCH": "1",
    "GIT_ALLOW_PROTOCOL": "none",
    "GIT_PAGER": "cat",
    "GIT_LITERAL_PATHSPECS": "1",
    "LC_ALL": "C",
}


class Git:
    """One git program; `environment` is what it inherits, without anything named `GIT_…`."""

    def __init__(self, program: str, *, environment: Mapping[str, str] | None = None) -> None:
        inherited = os.environ if environment is None else environment
        self.program = program
        self.inherited = {
            name: value for name, value in inherited.items() if not name.startswith("GIT_")
        }

    def works(self) -> bool:
        """Whether the program is there and answers."""
        try:
            return self.run("--version", cwd=Path("/")).startswith(b"git version")
        except GitFailed:
            return False

    def run(
        self,
        *arguments: str,
        cwd: Path,
        stdin: bytes = b"",
        variables: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
        good_exits: Sequence[int] = (0,),
        deadline_s: float = DEADLINE_S,
    ) -> bytes:
        """The standard output; raises `GitFailed` for any exit not in `good_exits`."""
        configured = _SAFE_SETTINGS | dict(settings or {})
        environment = self.inherited | _SAFE_ENVIRONMENT | _as_variables(configured)
        try:
            done = subprocess.run(
                [self.program, "--no-pager", *arguments],
                cwd=cwd,
                env=environment | dict(variables or {}),
                input=stdin,
                capture_output=True,
                timeout=deadline_s,
                start_new_session=True,
                check=False,
            )
        except subprocess.TimeoutExpired as late:
            raise GitFailed(f"`git {arguments[0]}` did not end within {deadline_s:g} s") from late
        except OSError as cause:
            raise GitFailed(f"cannot start `{clean_line(self.program)}`: {cause}") from cause
        if done.returncode not in good_exits:
            said = shorten(clean_line(done.stderr.decode(errors="replace")), 400)
            raise GitFailed(f"`git {arguments[0]}` exited with {done.returncode}: {said}")
        return done.stdout

    def names(
        self,
        *arguments: str,
        cwd: Path,
        variables: Mapping[str, str] | None = None,
        settings: Mapping[str, str] | None = None,
    ) -> list[str]:
        """The standard output as names that end in NUL, undecodable bytes kept."""
        return split_names(self.run(*arguments, cwd=cwd, variables=variables, settings=settings))

    def user_setting(self, name: str, cwd: Path) -> str:
        """A path that the user configured for themselves; empty when they did not."""
        own_files = {"GIT_CONFIG_GLOBAL", "GIT_CONFIG_NOSYSTEM"}
        environment = {
            key: value
            for key, value in (self.inherited | _SAFE_ENVIRONMENT).items()
            if key not in own_files
        }
        try:
            done = subprocess.run(
                [self.program, "config", "--type=path", "--get", name],
                cwd=cwd,
                env=environment,
                stdin=subprocess.DEVNULL,
                capture_output=True,
                timeout=DEADLINE_S,
                check=False,
            )
        except (OSError, subprocess.TimeoutExpired) as cause:
            raise GitFailed(f"cannot read the git setting `{name}`: {cause}") from cause
        return os.fsdecode(done.stdout.rstrip(b"\n")) if done.returncode == 0 else ""


@dataclass(frozen=True, slots=True)
class Repository:
    """The user's repository around a folder, to be read only.

    `prefix` is the folder relative to `top`, with a slash at its end, or empty.
    """

    top: Path
    git_dir: Path
    common_dir: Path
    prefix: str


def find_repository(git: Git, folder: Path) -> Repository | None:
    """The repository that `folder` is a part of, None without one.

    None too where the repository ignores the whole folder: then it is not a part of it (a
    home folder under version control ignores nearly all that lies below).
    """
    asked = ("--show-toplevel", "--absolute-git-dir", "--git-common-dir")
    try:
        answer = git.run("rev-parse", *asked, cwd=folder).removesuffix(b"\n").split(b"\n")
        top, git_dir, common_dir = (Path(os.fsdecode(line)) for line in answer)
    except (GitFailed, ValueError):
        return None
    top = top.resolve()
    if not folder.is_relative_to(top):
        return None
    relative = folder.relative_to(top).as_posix()
    if relative != "." and _is_foreign(git, top, relative):
        return None
    return Repository(
        top=top,
        git_dir=git_dir,
        common_dir=(folder / common_dir).resolve(),
        prefix="" if relative == "." else f"{relative}/",
    )


def dirty_paths(root: Path, git: Git | None = None) -> tuple[str, ...]:
    """Tracked files below `root` with uncommitted changes, relative to it.

    Nothing outside a repository or without a git program. A repository that git cannot
    read raises `GitFailed`.
    """
    git, root = git or Git("git"), root.resolve()
    repository = find_repository(git, root)
    if repository is None:
        return ()
    lines = git.names(
        "status",
        "--porcelain",
        "-z",
        "--untracked-files=no",
        "--ignore-submodules=dirty",
        "--no-renames",
        "--",
        ".",
        cwd=root,
        settings=without_filters(git, root),
    )
    found = (line[3:] for line in lines)
    return tuple(
        name.removeprefix(repository.prefix) for name in found if name.startswith(repository.prefix)
    )


def without_filters(git: Git, root: Path) -> dict[str, str]:
    """Settings that switch off every content filter that the repository around `root` names.

    Comparing a changed file would start them; the text that they would make is not worth
    running a program that a downloaded folder chose.
    """
    output = git.run(
        "config", "-z", "--name-only", "--get-regexp", r"^filter\.", cwd=root, good_exits=(0, 1)
    )
    drivers = {name.rpartition(".")[0] for name in split_names(output)}
    return {
        f"{driver}.{key}": value
        for driver in drivers
        for key, value in (("clean", ""), ("smudge", ""), ("process", ""), ("required", "false"))
    }


def split_names(output: bytes) -> list[str]:
    """Names that end in NUL as text, undecodable bytes kept as surrogates."""
    return [os.fsdecode(name) for name in output.split(b"\0") if name]


def join_names(names: Sequence[str]) -> bytes:
    """The opposite of `split_names`."""
    return b"".join(os.fsencode(name) + b"\0" for name in names)


def ignored(
    git: Git,
    names: Collection[str],
    *,
    cwd: Path,
    variables: Mapping[str, str] | None = None,
    settings: Mapping[str, str] | None = None,
) -> set[str]:
    """Those of `names`, relative to `cwd`, that are not tracked and that ignore rules name."""
    if not names:
        return set()
    output = git.run(
        "check-ignore",
        "-z",
        "--stdin",
        cwd=cwd,
        # This command knows no literal pathspecs; behind `./` no character is special to it.
        stdin=join_names([f"./{name}" for name in names]),
        variables={**(variables or {}), "GIT_LITERAL_PATHSPECS": "0"},
        settings=settings,
        good_exits=(0, 1),
    )
    return {name.removeprefix("./") for name in split_names(output)}


def _is_foreign(git: Git, top: Path, relative: str) -> bool:
    return bool(ignored(git, [relative], cwd=top)) and not git.run(
        "ls-files", "--", relative, cwd=top
    )


def _as_variables(settings: Mapping[str, str]) -> dict[str, str]:
    """Settings as git's environment variables, which allow any character in a name."""
    variables = {"GIT_CONFIG_COUNT": str(len(settings))}
    for number, (name, value) in enumerate(settings.items()):
        variables[f"GIT_CONFIG_KEY_{number}"] = name
        variables[f"GIT_CONFIG_VALUE_{number}"] = value
    return variables
