"""The places of a machine that matter to a sandbox: secrets, git's own files, scratch space."""

from __future__ import annotations

import os
import shutil
import stat
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from agent_cockpit.errors import ToolRefused
from agent_cockpit.rules.paths import is_sensitive
from agent_cockpit.workspace.sandbox.protocol import Limits

HOME_SECRETS = (
    *(".ssh", ".aws", ".gnupg", ".azure", ".kube", ".docker", ".netrc", ".npmrc", ".pypirc"),
    *(".git-credentials", ".config/git/credentials", ".config/gh", ".config/hub", ".config/glab"),
    *(".config/gcloud", ".config/op", ".config/doctl", ".password-store", ".vault-token"),
    *(".cargo/credentials", ".cargo/credentials.toml", ".gem/credentials", ".terraform.d"),
    *(".terraformrc", ".config/containers/auth.json", ".local/share/keyrings", ".pki", ".pgpass"),
    *(".my.cnf", ".mozilla", ".thunderbird", ".config/google-chrome", ".config/chromium"),
    *("Library/Keychains", "Library/Cookies", "Library/Application Support/Google/Chrome"),
    "Library/Application Support/Firefox",
)
"""Keys, tokens and cookies, where their programs keep them below the home folder."""

MACHINE_SECRETS = ("/etc/shadow", "/etc/gshadow", "/etc/ssl/private")
"""Readable for root alone, which is who runs us in many containers."""

MOST_HOME_ENTRIES = 2_000
"""A home folder with more is looked through no further for names of secrets."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ground:
    """Where commands are to be held: the workspace and what surrounds it.

    `hidden` are our own files; `writable` are places that the person's settings open to
    commands; `environ` is what children inherit from.
    """

    root: Path
    home: Path
    hidden: tuple[Path, ...] = ()
    writable: tuple[Path, ...] = ()
    secret_globs: tuple[str, ...] = ()
    environ: Mapping[str, str]

    def secrets(self, but: tuple[str, ...] = ()) -> tuple[Path, ...]:
        """What no command may see: existing places, links followed, outermost only.

        `but` are places below the home folder that stay visible. A place that holds the
        workspace, or all of the home folder, is none.
        """
        found = [self.home / name for name in HOME_SECRETS]
        found += [self.home / name for name in self._secret_names()]
        found += [Path(name) for name in MACHINE_SECRETS]
        kept = {real(self.home / name) for name in but}
        places = {real(path) for path in (*found, *self.hidden) if _is_readable(path)} - kept
        above = {self.root, real(self.home)}
        places = {place for place in places if not any(own.is_relative_to(place) for own in above)}
        return tuple(sorted(place for place in places if not places & set(place.parents)))

    def _secret_names(self) -> Iterator[str]:
        try:
            with os.scandir(self.home) as entries:
                for count, entry in enumerate(entries):
                    if count >= MOST_HOME_ENTRIES:
                        return
                    if is_sensitive(entry.name, self.secret_globs):
                        yield entry.name
        except OSError:
            return  # no home folder, or one that is closed to us: nothing of it to hide


@dataclass(frozen=True, slots=True)
class GitPlaces:
    """The repository around a workspace: `folders` hold it (more than one for a linked work
    tree); `guarded` are the existing files and folders of it that decide what git starts."""

    folders: tuple[Path, ...] = ()
    guarded: tuple[Path, ...] = ()
    settings: tuple[Path, ...] = ()
    """Those of `guarded` that git commands themselves may have to change."""


def git_places(root: Path) -> GitPlaces:
    """What of git belongs to `root`; reads a few small files and starts nothing."""
    dot = next((here / ".git" for here in (root, *root.parents) if _exists(here / ".git")), None)
    if dot is None:
        return GitPlaces()
    folder = dot if dot.is_dir() else _pointed_to(dot, "gitdir:")
    if folder is None:
        return GitPlaces()
    common = _pointed_to(folder / "commondir", "") or folder
    if not ((folder / "HEAD").is_file() and (common / "objects").is_dir()):
        return GitPlaces()  # a pointer may name any folder, and what it names may become writable
    folders = tuple(dict.fromkeys((real(folder), real(common))))
    settings = [each / name for each in folders for name in ("config", "config.worktree")]
    guarded = [*settings, *(each / "hooks" for each in folders), *([dot] if dot.is_file() else [])]
    return GitPlaces(
        folders,
        tuple(path for path in guarded if _exists(path)),
        tuple(path for path in settings if _exists(path)),
    )


class Scratch:
    """A private folder of this sitting, made when first used, gone with this object.

    One that was cleaned away meanwhile is made anew. Raises `ToolRefused` when it cannot be.
    """

    def __init__(self) -> None:
        self._place: Path | None = None

    @property
    def folder(self) -> Path:
        """Its place; only this user may enter it."""
        if self._place is None or not _is_ours(self._place):
            try:
                place = real(Path(tempfile.mkdtemp(prefix="agent-cockpit-")))
            except OSError as error:
                raise _no_scratch(error) from error
            weakref.finalize(self, shutil.rmtree, place, ignore_errors=True)
            self._place = place
        return self._place

    @property
    def temporary(self) -> Path:
        """What commands have for `/tmp`, from one command to the next."""
        return _made(self.folder / "tmp")

    @property
    def empty_folder(self) -> Path:
        """What is seen in place of a hidden folder."""
        return _made(self.folder / "empty")

    @property
    def empty_file(self) -> Path:
        """What is seen in place of a hidden file."""
        place = self.folder / "nothing"
        try:
            place.touch(mode=0o600)
        except OSError as error:
            raise _no_scratch(error) from error
        return place

    def variables(self, seen_at: str = "") -> dict[str, str]:
        """Variables that lead temporary files, and caches without which programs give up, to
        `temporary`; `seen_at` is its path as the command sees it, where that is another."""
        place = seen_at or str(self.temporary)
        caches = {name: f"{place}/caches/{folder}" for name, folder in _CACHES.items()}
        return {"TMPDIR": place, "TMP": place, "TEMP": place} | caches


def writable_places(ground: Ground, scratch: Scratch, limits: Limits) -> list[Path]:
    """Where a command may write that may not write anywhere."""
    places = [scratch.temporary, *map(real, ground.writable), *limits.also_writes]
    if limits.writes:
        places.append(ground.root)
    if limits.changes_repository:
        places += git_places(ground.root).folders
    return places


def nearest(path: Path) -> Path:
    """`path`, or the closest folder above it that exists: where it would be made."""
    return next(place for place in (path, *path.parents) if _exists(place))


def real(path: Path) -> Path:
    """`path`, absolute, with every link followed."""
    return Path(os.path.realpath(path))


_CACHES = {"GOCACHE": "go-build", "UV_CACHE_DIR": "uv", "npm_config_cache": "npm"}
"""The home folder's caches can be read, never written."""


def _made(place: Path) -> Path:
    try:
        place.mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        raise _no_scratch(error) from error
    return place


def _is_ours(place: Path) -> bool:
    """Whether it is still the folder that was made: not gone, nor another user's by now."""
    try:
        found = place.lstat()
    except OSError:
        return False
    return stat.S_ISDIR(found.st_mode) and found.st_uid == os.geteuid()


def _no_scratch(error: OSError) -> ToolRefused:
    why = error.strerror or str(error)
    return ToolRefused(f"nothing ran: the sandbox has no room for temporary files: {why}")


def _exists(path: Path) -> bool:
    return os.path.lexists(path)


def _is_readable(path: Path) -> bool:
    return os.access(path, os.R_OK) or os.access(path, os.X_OK)


def _pointed_to(file: Path, key: str) -> Path | None:
    """The folder that one of git's pointer files names."""
    try:
        text = file.read_text(encoding="utf-8", errors="surrogateescape")[:4096].strip()
    except OSError:
        return None
    name = text.removeprefix(key).strip()
    if not text.startswith(key) or not name or "\0" in name:
        return None
    place = file.parent / name
    return real(place) if place.is_dir() else None
