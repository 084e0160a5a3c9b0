"""Every error of the house, split by who can act on it.

CockpitError
├── PersonCanAct        the message says what to do; exit 2 at the command line
│   ├── SettingsError       a setting, flag or settings file is wrong
│   ├── WorkspaceError      no such folder, a file, unreadable
│   │   ├── DirtyWorkspaceError   uncommitted changes before the first goal
│   │   ├── GitFailed             a git command did not do its work
│   │   └── SnapshotFailed        the tree could not be recorded or compared
│   │       └── RestoreFailed     some paths could not be put back
│   ├── NoSuchSkill         a prompt calls a skill that there is not
│   └── SittingLocked       the journal belongs to another live sitting
├── ToolRefused         the model can act: becomes a tool result that it reads
│   ├── OutsideWorkspace    the path leaves the workspace
│   └── SensitivePath       the path may hold secrets
└── ProviderError       the network or the model server; says whether a retry may help

Any other exception is a bug of ours: it rises, and is reported as such (exit 70).
"""

from __future__ import annotations


class CockpitError(Exception):
    """Root of all errors that this package raises on purpose."""


class PersonCanAct(CockpitError):
    """Something that a person set, named or left behind; the text says what to do."""


class SettingsError(PersonCanAct):
    """A setting is wrong; the text names file, line or flag, and the allowed values."""


class WorkspaceError(PersonCanAct):
    """The workspace cannot be opened; the text names the folder and the reason."""


class DirtyWorkspaceError(WorkspaceError):
    """The tree has uncommitted changes before the sitting's first goal.

    `paths` are relative to the workspace, at most the first few.
    """

    def __init__(self, message: str, *, paths: tuple[str, ...] = ()) -> None:
        super().__init__(message)
        self.paths = paths


class GitFailed(WorkspaceError):
    """A git command could not start, exited badly or took too long; says which and why."""


class SnapshotFailed(WorkspaceError):
    """The tree could not be recorded, compared or read: nothing stale stands in for it."""


class RestoreFailed(SnapshotFailed):
    """Some paths could not be put back; `restored` were, `failed` are as they were."""

    def __init__(
        self, message: str, *, restored: tuple[str, ...] = (), failed: tuple[str, ...] = ()
    ) -> None:
        super().__init__(message)
        self.restored = restored
        self.failed = failed


class NoSuchSkill(PersonCanAct):
    """A prompt calls a skill that there is not, or not any more."""


class SittingLocked(PersonCanAct):
    """Another running process writes this journal."""


class ToolRefused(CockpitError):
    """A call cannot be done as asked; the text goes to the model as its result."""


class OutsideWorkspace(ToolRefused):
    """The path, with links followed, is not inside the workspace."""


class SensitivePath(ToolRefused):
    """The path matches the list of files that may hold secrets."""


class ProviderError(CockpitError):
    """The model server could not be reached or did not answer usefully.

    `retryable` says whether the same request may work later; `retry_after_s` is the
    server's own wish in seconds; `kind` is one of `network auth model rate overflow
    server answer` and decides the advice that the text gives.
    """

    def __init__(
        self,
        message: str,
        *,
        retryable: bool = False,
        retry_after_s: float | None = None,
        kind: str = "server",
    ) -> None:
        super().__init__(message)
        self.retryable = retryable
        self.retry_after_s = retry_after_s
        self.kind = kind
