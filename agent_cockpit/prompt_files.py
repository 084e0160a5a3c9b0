"""What a person wrote in one project, kept from sitting to sitting: prompts and drafts.

Laws: a line is written whole, behind a torn one on a line of its own, and what cannot be read
is left out. A draft belongs to the sitting that wrote it, until that sitting is gone; then it
belongs to the one that takes it first. Nobody else may read any of it.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from uuid import uuid4

from agent_cockpit.places import state_dir
from agent_cockpit.rules.secrets import redact

MOST_PROMPTS = 1000
LARGEST_BYTES = 1_000_000
"""A history file beyond this is written anew with its newest prompts."""
LONGEST_CHARS = 20_000
"""A longer prompt is a pasted document: it is kept for the sitting only."""
LONGEST_DRAFT_CHARS = 2_000_000


@dataclass(frozen=True, slots=True)
class Draft:
    """What was written and not sent; `pastes` are the long texts behind its chips."""

    text: str
    pastes: Mapping[str, str] = field(default_factory=dict)

    @property
    def whole(self) -> str:
        """The text as it would be sent."""
        if not self.pastes:
            return self.text
        chips = re.compile("|".join(map(re.escape, self.pastes)))
        return chips.sub(lambda found: self.pastes[found[0]], self.text)


class PromptFiles:
    """The prompts and drafts of the project at `root`; everything blocks, and raises `OSError`
    where the state directory cannot be used."""

    def __init__(self, root: Path, *, state: Path | None = None) -> None:
        name = hashlib.sha256(str(root.resolve()).encode(errors="surrogateescape")).hexdigest()
        self._folder = (state or state_dir()) / "prompts" / name[:16]
        self._history = self._folder / "history.jsonl"
        self._draft = self._fresh()
        self._lock: int | None = None

    def earlier(self) -> list[str]:
        """The prompts of this project's sittings, oldest first."""
        if not self._history.exists():
            return []
        with self._alone():
            prompts = _read(self._history)[-MOST_PROMPTS:]
            if self._history.stat().st_size > LARGEST_BYTES:
                while sum(map(len, prompts)) > LARGEST_BYTES // 4:
                    del prompts[: (len(prompts) + 1) // 2]
                _replace(self._history, "".join(map(_line, prompts)))
        return prompts

    def remember(self, prompt: str) -> None:
        """Add a prompt that was sent, with known secret shapes blotted out."""
        with self._alone():
            self._add(prompt)

    def keep(self, draft: Draft) -> None:
        """Write down what is written and not sent yet; an empty one is taken away."""
        if not draft.text.strip():
            self._draft.unlink(missing_ok=True)
            return
        if self._lock is None:
            with self._alone():
                self._own()
        _write_draft(self._draft, draft)

    def put_by(self, draft: Draft) -> None:
        """Keep a draft that this sitting does not go on with: in the history, or where it is
        too long for that, as the draft of a sitting that is gone."""
        with self._alone():
            if not self._add(draft.whole):
                _write_draft(self._fresh(), draft)

    def take_drafts(self) -> list[Draft]:
        """The drafts of sittings that are gone, oldest first. The newest is kept as this
        sitting's own now, the others stand in the history; one that is too long for it waits
        for a sitting of its own."""
        if not self._folder.is_dir():
            return []
        taken: list[Draft] = []
        with self._alone():
            left = self._left()
            if left:
                *older, (path, newest) = left
                taken += [draft for place, draft in older if self._moved(place, draft)]
                taken.append(newest)
                self._own()
                path.replace(self._draft)
            for lock in self._folder.glob("draft-*.lock"):
                if not lock.with_suffix(".json").exists() and not _is_owned(lock):
                    lock.unlink()
        return taken

    def close(self) -> None:
        """Let go of this sitting's draft: the next sitting may take it."""
        if self._lock is None:
            return
        try:
            with self._alone():
                if not self._draft.exists():
                    self._draft.with_suffix(".lock").unlink(missing_ok=True)
        finally:
            os.close(self._lock)
            self._lock = None

    def _left(self) -> list[tuple[Path, Draft]]:
        """The drafts that nobody owns, oldest first; what cannot be read is taken away."""
        paths = (path for path in self._folder.glob("draft-*.json") if path != self._draft)
        free = [path for path in paths if not _is_owned(path.with_suffix(".lock"))]
        found: list[tuple[Path, Draft]] = []
        for path in sorted(free, key=lambda path: path.stat().st_mtime_ns):
            draft = _draft_in(path)
            if draft is None:
                path.unlink()
            else:
                found.append((path, draft))
        return found

    def _moved(self, path: Path, draft: Draft) -> bool:
        """Whether a draft stands in the history now, and nowhere else."""
        if not self._add(draft.whole):
            return False
        path.unlink()
        return True

    def _add(self, prompt: str) -> bool:
        """Write a prompt behind the others; False when it is too long. Only while alone."""
        if len(prompt) > LONGEST_CHARS:
            return False
        descriptor = os.open(self._history, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o600)
        with os.fdopen(descriptor, "r+b") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - 1))
            torn = b"" if file.read(1) in (b"", b"\n") else b"\n"
            file.write(torn + _line(redact(prompt)).encode())
        return True

    def _fresh(self) -> Path:
        return self._folder / f"draft-{uuid4().hex[:12]}.json"

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Nobody else changes the history or takes drafts meanwhile; waits for its turn."""
        self._folder.mkdir(parents=True, exist_ok=True, mode=0o700)
        descriptor = os.open(self._folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
        try:
            _flock(descriptor, wait=True)
            yield
        finally:
            os.close(descriptor)

    def _own(self) -> None:
        """Hold the lock that says that this draft's sitting lives; the system takes it back.
        Only while alone: nobody may find a lock that is not held yet."""
        lock = self._draft.with_suffix(".lock")
        if self._lock is None:
            self._lock = os.open(lock, os.O_RDWR | os.O_CREAT, 0o600)
            _flock(self._lock, wait=False)


def _is_owned(lock: Path) -> bool:
    """Whether the sitting that made this lock lives."""
    if not lock.exists():
        return False
    descriptor = os.open(lock, os.O_RDWR)
    try:
        return not _flock(descriptor, wait=False)
    finally:
        os.close(descriptor)


def _flock(descriptor: int, *, wait: bool) -> bool:
    """Whether the lock is ours now; where the system knows no such locks it always is."""
    try:
        import fcntl
    except ImportError:  # Windows has no fcntl
        return True
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | (0 if wait else fcntl.LOCK_NB))
    except BlockingIOError:
        return False
    except OSError:  # such as a network folder without locks: better unlocked than unusable
        return True
    return True


def _line(prompt: str) -> str:
    return json.dumps({"prompt": prompt}) + "\n"


def _read(path: Path) -> list[str]:
    entries = map(_value, path.read_bytes().splitlines())
    prompts = (entry.get("prompt") for entry in entries if isinstance(entry, dict))
    return [prompt for prompt in prompts if isinstance(prompt, str) and prompt]


def _draft_in(path: Path) -> Draft | None:
    value = _value(path.read_bytes())
    if not isinstance(value, dict) or not isinstance(value.get("text"), str):
        return None
    pastes = value.get("pastes")
    held: Iterable[tuple[str, object]] = pastes.items() if isinstance(pastes, dict) else ()
    return Draft(value["text"], {name: text for name, text in held if isinstance(text, str)})


def _write_draft(path: Path, draft: Draft) -> None:
    if len(draft.text) + sum(map(len, draft.pastes.values())) <= LONGEST_DRAFT_CHARS:
        _replace(path, json.dumps({"text": draft.text, "pastes": dict(draft.pastes)}))


def _value(data: bytes) -> object:
    try:
        return json.loads(data)
    except ValueError:
        return None  # torn or damaged: there is nothing to read in it


def _replace(path: Path, text: str) -> None:
    """Write the whole file anew; a kill leaves the former one."""
    fresh = path.with_suffix(f".{uuid4().hex[:8]}")
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as file:
        file.write(text)
    fresh.replace(path)
