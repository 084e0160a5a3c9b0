"""The inks that blocks are drawn in: styles by weight and meaning, made from a theme's colours."""

from __future__ import annotations

from rich.style import Style

from agent_cockpit.cockpit.look.theme import Palette


class Ink:
    """Styles by weight and meaning; three weights, and four colours that mean something."""

    def __init__(self, palette: Palette) -> None:
        self.text = Style(color=palette.text or None)
        self.strong = self.text + Style(bold=True)
        self.muted = Style(color=palette.muted or None, dim=not palette.muted)
        self.faint = Style(color=palette.faint or None, dim=not palette.faint)
        self.live = Style(color=palette.accent)
        self.person = Style(color=palette.person)
        self.success = Style(color=palette.success)
        self.warning = Style(color=palette.warning)
        self.error = Style(color=palette.error)
        self.hit = _reversed(palette.muted, palette)
        self.hit_here = _reversed(palette.warning, palette) + Style(bold=True, underline=True)
        self.code = self.text + Style(bgcolor=palette.code or None)
        self.added = self.text + Style(bgcolor=palette.added or None)
        self.removed = self.text + Style(bgcolor=palette.removed or None)
        self.added_mark = self.text + _mark(palette.added_mark)
        self.removed_mark = self.text + _mark(palette.removed_mark)


def _mark(ground: str) -> Style:
    """What marks the words that changed: a ground of their own, else a line under them."""
    return Style(bgcolor=ground) if ground else Style(underline=True)


def _reversed(color: str, palette: Palette) -> Style:
    """The background's colour on this one, whatever the ground was."""
    if not palette.background:
        return Style(reverse=True)
    return Style(color=palette.background, bgcolor=color)
