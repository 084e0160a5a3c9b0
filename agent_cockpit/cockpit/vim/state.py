"""What vim's keys are about: a text with its cursor, one edit of it, and what vim remembers.

Law: values only. A place is an offset into the text, whose lines end with `\\n`.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

Mode = Literal["insert", "normal", "visual", "visual line"]
Order = Literal["up", "down"]

MOST_TIMES = 999
"""A greater count is this one: a slip on the digits must not cost a second."""
MOST_MOMENTS = 100
"""So many changes can be undone."""


class Span(NamedTuple):
    """The characters from `start` up to `end`; as whole `lines` without the last line's end."""

    start: int
    end: int
    lines: bool = False


@dataclass(frozen=True, slots=True)
class Written:
    """A text with its cursor; `wholes` are (start, end) of what is only cut as one."""

    text: str
    cursor: int
    wholes: tuple[tuple[int, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Edit:
    """Put `text` in the place of what lies between two offsets."""

    start: int
    end: int
    text: str = ""

    def applied(self, text: str) -> str:
        """What a text becomes by it."""
        return text[: self.start] + self.text + text[self.end :]


class Moment(NamedTuple):
    """A text before a change, and where the cursor stood."""

    text: str
    cursor: int


class Wrote(NamedTuple):
    """What was typed in insert mode: characters taken away before the cursor, then a text."""

    back: int
    text: str


@dataclass(frozen=True, slots=True)
class Change:
    """A command that changed the text, for `.`: its keys without counts, how often it was to be
    done (None: no count), and what was typed after it."""

    keys: tuple[str, ...]
    times: int | None = None
    wrote: Wrote | None = None


@dataclass(frozen=True, slots=True)
class Writing:
    """Insert mode as a command began it: the text before the cursor and behind it, and how
    often what is typed is wanted, with `between` before each further time."""

    before: str
    behind: str
    times: int = 1
    between: str = ""

    def wrote(self, text: str) -> Wrote:
        """What was typed when the text has become this."""
        room = len(text) - len(self.behind)
        if room < 0 or not text.endswith(self.behind):
            return Wrote(0, "")
        kept = 0
        while kept < min(len(self.before), room) and self.before[kept] == text[kept]:
            kept += 1
        return Wrote(len(self.before) - kept, text[kept:room])


@dataclass(frozen=True, slots=True)
class Vim:
    """The mode, what of a command was pressed so far, and what is remembered for later ones."""

    mode: Mode = "insert"
    count: str = ""
    operator: str = ""
    times: int | None = None
    """How often the operator was to be done: what was counted before it."""
    begun: str = ""
    """The first key of a motion or command that takes another: `g`, `f`, `r`, `i`."""
    keys: tuple[str, ...] = ()
    """The command so far, without counts."""
    anchor: int = 0
    """In visual mode, the end of what is selected where the cursor is not."""
    column: int | None = None
    """In visual mode, the column that `j` and `k` want, over shorter lines too."""
    register: str = ""
    holds_lines: bool = False
    sought: tuple[str, str] = ("", "")
    """The last of `f F t T` and its character, for `;` and `,`."""
    change: Change | None = None
    writing: Writing | None = None
    past: tuple[Moment, ...] = ()
    future: tuple[Moment, ...] = ()
    seen: str = ""
    """The text as the last command left it; another one was changed by something else."""

    @property
    def is_pending(self) -> bool:
        """Whether a command was begun."""
        return bool(self.count or self.operator or self.begun)

    @property
    def is_visual(self) -> bool:
        """Whether something is selected."""
        return self.mode in ("visual", "visual line")

    @property
    def counted(self) -> int | None:
        """The count that was typed last; None where there was none."""
        return min(MOST_TIMES, int(self.count[:9])) if self.count else None

    @property
    def counted_all(self) -> int | None:
        """Both counts together, before the operator and behind it; None without any."""
        if self.counted is None:
            return self.times
        return min(MOST_TIMES, self.counted * (self.times or 1))

    def at_rest(self, mode: Mode | None = None) -> Vim:
        """With nothing begun."""
        return replace(
            self,
            mode=mode or self.mode,
            count="",
            operator="",
            times=None,
            begun="",
            keys=(),
            column=None,
        )

    def knows(self, before: Moment) -> Vim:
        """With a moment to go back to."""
        return replace(self, past=(*self.past, before)[-MOST_MOMENTS:], future=())


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """What follows from a key: first the edit, then the cursor, then the order, `times` times.

    Not `taken`: the key does what it does without vim's keys.
    """

    vim: Vim
    edit: Edit | None = None
    cursor: int | None = None
    order: Order | None = None
    times: int = 1
    taken: bool = True

    def applied(self, written: Written) -> Written:
        """What is written after the edit, with the cursor."""
        cursor = written.cursor if self.cursor is None else self.cursor
        if self.edit is None:
            return replace(written, cursor=cursor)
        start, end = self.edit.start, self.edit.end
        moved = start + len(self.edit.text) - end
        wholes = [whole for whole in written.wholes if whole[1] <= start]
        wholes += [(first + moved, last + moved) for first, last in written.wholes if first >= end]
        return Written(self.edit.applied(written.text), cursor, tuple(wholes))


def difference(old: str, new: str) -> Edit | None:
    """The smallest edit that makes one text of another; None where they are the same."""
    if old == new:
        return None
    most = min(len(old), len(new))
    start = next((at for at in range(most) if old[at] != new[at]), most)
    same = 0
    while same < most - start and old[len(old) - 1 - same] == new[len(new) - 1 - same]:
        same += 1
    return Edit(start, len(old) - same, new[start : len(new) - same])
