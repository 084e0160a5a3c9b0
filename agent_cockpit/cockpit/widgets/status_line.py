"""One line by the composer: where the sitting stands, and the keys that work now."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.content import Content
from textual.timer import Timer
from textual.widgets import Static

from agent_cockpit.cockpit.keys.key import Situation
from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.cockpit.look.edges import row_cells
from agent_cockpit.text import cell_width, clean_line, money, shorten

if TYPE_CHECKING:
    from agent_cockpit.cockpit.player import Playback
    from agent_cockpit.transcript.status import Status

SPIN_S = 0.25
_SPINNER = "⠋⠙⠸⠴⠦⠇"
_STILL = "●"
_OUTCOMES = {
    "success": ("✔", "$text-success"),
    "failed": ("✘", "$text-error"),
    "blocked": ("!", "$text-warning"),
    "incomplete": ("◌", "$text-warning"),
}
_GATES = {"ask": "asks first", "accept_edits": "accepts edits", "plan": "plan"}
_KEYS_OUT = (0.5, 2.5, 4.5, 5.5)
"""How soon the keys are left out, by their place, the rest like the last of these."""
_SPACE = Content("   ")
_ALL_KEYS = "keys"
"""What the key that leads to the others is said to show."""
NARROW_COLUMNS = 60
"""Below this only where it stands and the help key are shown."""


class StatusLine(Static):
    """Mode · phase or outcome · what runs · model · context, and keys at the right edge.

    Nothing is repainted while nothing runs.
    """

    DEFAULT_CSS = "StatusLine { height: 1; }"

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._consent = ""
        self._vim_mode = ""
        self._playback: Playback | None = None
        self._status: Status | None = None
        self._now = Situation()
        self._note = ""
        self._note_timer: Timer | None = None
        self._spin_timer: Timer | None = None
        self._spin = 0
        self._is_drawn = False
        self._line = Content()

    def show(
        self,
        status: Status | None,
        now: Situation,
        *,
        consent: str = "",
        vim_mode: str = "",
        playback: Playback | None = None,
    ) -> None:
        """Show the present; `consent` is how edits are consented to, `vim_mode` is empty
        without vim's keys, `playback` says where a recording stands."""
        before = (self._status, self._now, self._consent, self._vim_mode, self._playback)
        if (status, now, consent, vim_mode, playback) == before and self._is_drawn:
            return
        self._status, self._now, self._consent, self._vim_mode = status, now, consent, vim_mode
        self._playback = playback
        is_running = (now.running or now.shell_runs) and self.app.animation_level != "none"
        if is_running and self._spin_timer is None:
            self._spin_timer = self.set_interval(SPIN_S, self._turn)
        elif not is_running and self._spin_timer is not None:
            self._spin_timer.stop()
            self._spin_timer = None
        self._draw()

    def flash(self, note: str, *, seconds: float = 2.0) -> None:
        """Say something short in place of the keys, for a moment."""
        self._note = note
        if self._note_timer is not None:
            self._note_timer.stop()
        self._note_timer = self.set_timer(seconds, self._end_flash)
        self._draw()

    def has_room(self, note: str) -> bool:
        """Whether a note can be read to its end here, beside where the sitting stands."""
        width = self.content_size.width or row_cells(self.app.size.width)
        least = [content for weight, content in self._segments() if not weight]
        beside = _SPACE.join(least).cell_length + 2
        beside = 0 if self.app.size.width < NARROW_COLUMNS else beside
        return cell_width(note) <= width - beside

    def on_resize(self) -> None:
        self._draw()

    def _end_flash(self) -> None:
        self._note = ""
        self._draw()

    def _turn(self) -> None:
        self._spin += 1
        self._draw()

    def _draw(self) -> None:
        width = self.content_size.width or row_cells(self.app.size.width)
        self._is_drawn = True
        if self._note and self.app.size.width < NARROW_COLUMNS:
            self._put(self._right([], width))
            return
        segments, keys = self._fitting(width)
        left = _SPACE.join(content for _, content in segments)
        right = self._right(keys, width - left.cell_length - 2)
        gap = max(1, width - left.cell_length - right.cell_length)
        self._put(Content.assemble(left, " " * gap, right))

    def _fitting(self, width: int) -> tuple[list[tuple[float, Content]], list[tuple[str, str]]]:
        """The segments and the keys that have room beside each other: what matters least goes
        first, be it the one or the other."""
        segments, keys = self._segments(), self._keys()
        while True:
            right = cell_width(self._note) if self._note else _keys_width(keys)
            if _SPACE.join(content for _, content in segments).cell_length + 2 + right <= width:
                return segments, keys
            least = max(segments, key=lambda segment: segment[0])
            place = len(keys) - 1 - (keys[-1:] == _leading(keys))
            weight = 0 if self._note else self._weight(place)
            if least[0] == 0 == weight:
                return segments, keys
            if weight > least[0]:
                keys.pop(place)
            else:
                segments.remove(least)

    def _weight(self, place: int) -> float:
        """How soon the key at this place is left out, as for segments. The one that leads to the
        others never is, and while a goal runs the one that stops it."""
        if place < 0 or (place == 0 and self._now.running and not self._now.asking):
            return 0
        return _KEYS_OUT[min(place, len(_KEYS_OUT) - 1)]

    def _keys(self) -> list[tuple[str, str]]:
        """The keys that work now, the most needed first, the one that leads to the others last."""
        keys = keymap_of(self).footer(self._now)
        return keys if self.app.size.width >= NARROW_COLUMNS else _leading(keys)

    def _put(self, line: Content) -> None:
        if not line.is_same(self._line):
            self._line = line
            self.update(line, layout=False)

    def _segments(self) -> list[tuple[float, Content]]:
        """(how soon it is left out, words), in the order of the line."""
        status = self._status
        if status is None:
            words = "no model yet" if self._now.is_blocked else self._reads_past() or "starting"
            return [(0, Content.styled(words, "$foreground-muted"))]
        gate = "plan" if status.gate == "plan" else self._consent
        kind = "plan" if gate == "plan" else status.task_kind.replace("_", " ")
        dot = Content.styled(" · ", "$foreground-muted")
        head = dot.join([Content(kind), self._state(status)]) if kind else self._state(status)
        parts: list[tuple[float, Content]] = [(0, head)]
        if self._vim_mode:
            parts.insert(0, (0, Content.styled(self._vim_mode, "$text-accent")))
        if self._playback is not None:
            is_narrow = self.app.size.width < NARROW_COLUMNS
            place = self._playback.brief if is_narrow else self._playback.words
            parts[0] = (1, head)
            parts.insert(0, (0, Content.styled(place, "$text-accent")))
        if gate and gate != "plan":
            told = Content.styled(_GATES.get(gate, clean_line(gate)), "$foreground-muted")
            parts.append((4 if gate == "ask" else 2, told))
        if status.model:
            parts.append((2.2, Content(shorten(clean_line(status.model), 28))))
        if status.sandbox == "none":
            parts.append((4, Content.styled("no sandbox", "$text-warning")))
        elif status.sandbox:
            parts.append((6, Content.styled("sandboxed", "$foreground-muted")))
        if status.context_percent is not None:
            tone = "$text-warning" if status.context_percent >= 80 else "$foreground-muted"
            parts.append((1, Content.styled(f"ctx {status.context_percent}%", tone)))
        if status.cost:
            parts.append((5, Content.styled(money(status.cost), "$foreground-muted")))
        if status.branch:
            parts.append((4.2, _tree(status)))
        return parts

    def _state(self, status: Status) -> Content:
        if status.is_running or self._now.shell_runs:
            is_waiting = bool(status.approvals)
            rests = self._playback is not None and not self._playback.is_playing
            still = self.app.animation_level == "none" or is_waiting or rests
            sign = _STILL if still else _SPINNER[self._spin % len(_SPINNER)]
            tone = "bold $text-warning" if is_waiting else "$text-accent"
            phase = status.phase or "working"
            words = status.activity if status.activity not in ("idle", phase) else phase
            return Content.assemble((f"{sign} {words}", tone))
        if status.plan is not None:
            return Content.styled("? the plan waits for you", "bold $text-warning")
        if self._now.has_question:
            return Content.styled(f"{_STILL} waits for you", "bold $text-warning")
        if status.outcome:
            sign, tone = _OUTCOMES.get(status.outcome, ("◌", "$foreground-muted"))
            return Content.styled(f"{sign} {status.outcome}", tone)
        return Content.styled(self._reads_past() or "ready", "$foreground-muted")

    def _reads_past(self) -> str:
        """How far the past is read, while it is; empty else."""
        share = self._now.past_read
        if share is None:
            return ""
        return f"reading the past · {share:.0%}" if share else "reading the past"

    def _right(self, keys: list[tuple[str, str]], room: int) -> Content:
        if self._note:
            return Content.styled(shorten(self._note, max(0, room)), "bold $text-warning")
        cells = [
            Content.assemble((label, "bold"), (f" {words}", "$foreground-muted"))
            for label, words in keys
        ]
        return Content.styled(" · ", "$foreground-muted").join(cells)


def _tree(status: Status) -> Content:
    """The branch, and what this sitting has changed on it."""
    words = Content.styled(f"⎇ {shorten(status.branch, 24)}", "$foreground-muted")
    if not status.changes:
        return words
    added = sum(change.added for change in status.changes)
    removed = sum(change.removed for change in status.changes)
    return Content.assemble(
        words, " ", (f"+{added}", "$text-success"), " ", (f"−{removed}", "$text-error")
    )


def _leading(keys: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """The key that leads to the others; where none does, the most telling one."""
    return keys[-1:] if keys and keys[-1][1] == _ALL_KEYS else keys[:1]


def _keys_width(keys: list[tuple[str, str]]) -> int:
    return sum(cell_width(f"{label} {words}") for label, words in keys) + 3 * (len(keys) - 1)
