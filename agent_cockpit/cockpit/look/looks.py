"""Which theme the cockpit is drawn in, and whether things move.

The last word wins: a setting, until a person chooses otherwise with `/theme`; a setting that
was changed since, from then on.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Protocol

from rich.console import Console
from textual.theme import Theme
from textual.types import AnimationLevel

from agent_cockpit.cockpit.look.theme import DARK, drawn_theme, theme_names
from agent_cockpit.cockpit.remembered import Remembered

if TYPE_CHECKING:
    from agent_cockpit.settings import HarnessConfig


class Drawing(Protocol):
    """What looks need of the app."""

    theme: str
    animation_level: AnimationLevel

    no_color: bool

    @property
    def is_headless(self) -> bool: ...

    @property
    def console(self) -> Console: ...

    def register_theme(self, theme: Theme) -> None: ...


class Looks:
    """Owns the choice of the theme. `begin` it before the first paint."""

    def __init__(self, app: Drawing, remembered: Remembered) -> None:
        self.chosen = DARK.name
        """The theme that is kept, whatever is shown for a moment."""
        self._app = app
        self._remembered = remembered

    @property
    def problem(self) -> str:
        """Why a choice will not outlive the process; empty when it will."""
        return self._remembered.problem

    @property
    def shows_few_colors(self) -> bool:
        """Whether the terminal has 16 colours or shall show none; a screen without a terminal
        has them all."""
        app = self._app
        return app.no_color or (not app.is_headless and app.console.color_system == "standard")

    def begin(self, environ: Mapping[str, str]) -> None:
        """Show what was chosen last; nothing moves where `NO_MOTION` is set."""
        if environ.get("NO_MOTION"):
            self._app.animation_level = "none"
        if not self.preview(self._remembered.text("theme")):
            self.preview(DARK.name)
        self.chosen = self._app.theme

    def preview(self, name: str) -> bool:
        """Show a theme without keeping it; False: there is none of that name."""
        theme = drawn_theme(name, is_bare=self.shows_few_colors)
        if theme is None:
            return False
        self._app.register_theme(theme)
        self._app.theme = theme.name
        return True

    def restore(self) -> None:
        """Back to what is kept."""
        self.preview(self.chosen)

    def keep(self, name: str) -> bool:
        """Show a theme from now on, in later sittings too; False: there is none of that name."""
        if not self.preview(name):
            return False
        self.chosen = name
        self._remembered.keep(theme=name)
        return True

    def settle(self, config: HarnessConfig | None) -> str:
        """Follow the settings, now that they are read; what is wrong with them, in words."""
        if config is None:
            return ""
        if config.reduced_motion:
            self._app.animation_level = "none"
        wanted = config.theme
        if "theme" not in config.model_fields_set or wanted == self._remembered.text("theme_set"):
            return ""
        if not self.keep(wanted):
            return f"there is no theme {wanted!r}; there are {', '.join(theme_names())}"
        self._remembered.keep(theme_set=wanted)
        return ""
