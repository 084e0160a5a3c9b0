"""Which branch the folder is on, cheap enough to be asked after every command."""

from __future__ import annotations

from pathlib import Path

from agent_cockpit.errors import GitFailed
from agent_cockpit.text import clean_line
from agent_cockpit.workspace.git import Git, find_repository

_ON_BRANCH = b"ref: refs/heads/"
_KEPT_ELSEWHERE = b"ref: refs/heads/.invalid"
"""What HEAD holds where refs are kept in another form (reftable): only git can read them."""
_LONGEST_HEAD = 4_096
_SHORT_ID = 7


class Branch:
    """Asks git once where the repository is, and reads its HEAD from then on.

    Where none was found, git is asked again only once there is a `.git`. Blocks; never raises.
    """

    def __init__(self, root: Path, git: Git | None = None) -> None:
        self._root = root.resolve()
        self._git = git or Git("git")
        self._git_dir: Path | None = None

    def name(self) -> str:
        """The branch, cleaned for the screen; a short commit id when none is checked out, empty
        outside a repository."""
        head = self._read_head()
        if head is None:
            self._git_dir = self._find()
            head = self._read_head()
        if head is None:
            return ""
        if head.startswith(_KEPT_ELSEWHERE):
            return self._ask()
        if head.startswith(_ON_BRANCH):
            return clean_line(head.removeprefix(_ON_BRANCH).decode(errors="replace"))
        return clean_line(head[:_SHORT_ID].decode(errors="replace"))

    def _read_head(self) -> bytes | None:
        if self._git_dir is None:
            return None
        try:
            with (self._git_dir / "HEAD").open("rb") as head:
                return head.read(_LONGEST_HEAD).strip() or None
        except OSError:
            return None

    def _find(self) -> Path | None:
        if not any((folder / ".git").exists() for folder in (self._root, *self._root.parents)):
            return None
        repository = find_repository(self._git, self._root)
        return repository.git_dir if repository is not None else None

    def _ask(self) -> str:
        for question in (
            ("symbolic-ref", "--short", "-q", "HEAD"),
            ("rev-parse", "--short", "HEAD"),
        ):
            try:
                answer = self._git.run(*question, cwd=self._root)
            except GitFailed:
                continue
            return clean_line(answer.decode(errors="replace"))
        return ""
