"""Where the paths of a command lead: inside or outside, into `.git/`, to a possible secret.

Law: a relative path is judged from every folder that the line may be in by then.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass

from agent_cockpit.rules.paths import (
    is_git_internal,
    is_inside,
    is_sensitive,
    may_match_sensitive,
    normalise,
    relative,
)
from agent_cockpit.rules.shell.judgement import Judgement, in_a_reason
from agent_cockpit.rules.shell.words import Word

MOST_FOLDERS = 8
"""Folders that a line may be in at once; more are not followed."""


@dataclass(frozen=True, slots=True)
class Settled:
    """A judgement with its paths taken in; `refusal` where they are out of bounds."""

    judged: Judgement
    reads: tuple[str, ...]
    writes: tuple[str, ...]
    refusal: str | None = None


class Places:
    """The folders that one line may be in; lives for one `analyse`."""

    def __init__(self, root: str, globs: tuple[str, ...], swept: Collection[str]) -> None:
        self.root = root
        self.globs = globs
        self.swept = swept if globs else ()
        self.folders = [root]
        self.lost = False
        self.sweeps: set[str] = set()
        """How the line looks through folders, as far as it was settled."""

    def enter(self, words: tuple[Word, ...]) -> None:
        """Take in a `cd`: from here on the line may be there as well."""
        target = words[0].text if words else "~"
        for folder in list(self.folders):
            there = normalise(self.root, folder, target)
            if len(self.folders) >= MOST_FOLDERS:
                self.lost = True
            elif there not in self.folders:
                self.folders.append(there)

    def is_sensitive(self, path: str) -> bool:
        return any(is_sensitive(each, self.globs) for each in self._meanings(path))

    def secret_words(self, path: str) -> str:
        return f"`{in_a_reason(path)}` may hold secrets"

    def settle(self, judged: Judgement) -> Settled:
        """Take in where the paths of `judged` lead; the first serious thing is its reason."""
        self.sweeps |= {judged.sweeps} - {""}
        refusal = self._refusal(judged)
        outside_write = next((w for w in judged.writes if self._leaves(w)), None)
        outside = next((w for w in (*judged.reads, *judged.others) if self._leaves(w)), None)
        if outside_write is not None:
            judged = judged.raised(
                f"writes outside the workspace: `{in_a_reason(outside_write.text)}`", 4
            )
        elif outside is not None:
            judged = judged.raised(f"reaches outside the workspace: `{in_a_reason(outside.text)}`")
        elif self.lost and (judged.reads or judged.writes or judged.others):
            judged = judged.raised("works in a folder that is not known here")
        else:
            judged = self._doubts(judged)
        return Settled(
            judged,
            self._places_of(judged.reads),
            self._places_of(judged.writes),
            refusal,
        )

    def _refusal(self, judged: Judgement) -> str | None:
        for word in judged.writes:
            if is_git_internal(_bare(word.text)) or any(
                is_git_internal(each) for each in self._meanings(word.text)
            ):
                return f"writes into a repository's own store: `{in_a_reason(word.text)}`"
        touched = judged.writes if judged.names_only else (*judged.reads, *judged.writes)
        for word in touched:
            if word.literal and self.is_sensitive(word.text):
                return self.secret_words(word.text)
        return None

    def _doubts(self, judged: Judgement) -> Judgement:
        if judged.sweeps in self.swept:
            return judged.raised("looks through folders, which may hold files with secrets")
        for word in (*judged.reads, *judged.writes, *judged.others):
            text = _bare(word.text)
            if judged.names_only and word in judged.reads:
                continue
            if self.is_sensitive(text) and word.literal:
                return judged.raised(f"may touch `{in_a_reason(text)}`, which may hold secrets")
            if word.pattern and may_match_sensitive(text, self.globs):
                return judged.raised(f"`{in_a_reason(text)}` may match files that hold secrets")
            if judged.mutates and is_git_internal(text):
                return judged.raised(f"touches a repository's own store: `{in_a_reason(text)}`")
        return judged

    def _leaves(self, word: Word) -> bool:
        text = _bare(word.text)
        if not word.literal or text in _DEVICES or re.match(r"[a-z][a-z+]*://", text):
            return False
        if text.startswith("~") or re.match(r"[A-Za-z]:[\\/]", text) or text.startswith("\\\\"):
            return True
        return not all(is_inside(self.root, each) for each in self._meanings(text))

    def _places_of(self, words: tuple[Word, ...]) -> tuple[str, ...]:
        known = (word.text for word in words if word.literal)
        return tuple(dict.fromkeys(place for text in known for place in self._meanings(text)))

    def _meanings(self, path: str) -> list[str]:
        """What `path` may name, relative to the root where it lies inside."""
        return [relative(self.root, normalise(self.root, folder, path)) for folder in self.folders]


def _bare(text: str) -> str:
    """The path in `--option=path`, or the word itself."""
    match = re.match(r"--?[\w-]+=(.*)", text, re.S)
    return match[1] if match else text


_DEVICES = ("-", "/dev/null", "/dev/stdin", "/dev/stdout", "/dev/stderr", "/dev/zero")
