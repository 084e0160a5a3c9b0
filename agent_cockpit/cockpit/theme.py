"""The two themes of the house, and the colours by name that renderers draw with.

Law: colour never carries a meaning alone, so a palette may lose its colours (16-colour
terminals, NO_COLOR) and every screen still says the same.
"""

from __future__ import annotations

from dataclasses import dataclass

from textual.color import Color
from textual.theme import Theme

DARK = Theme(
    name="cockpit-dark",
    dark=True,
    foreground="#d8dbe2",
    background="#15171c",
    surface="#1d2129",
    panel="#242831",
    primary="#7fa7f5",
    secondary="#b79cf0",
    accent="#7fa7f5",
    success="#84c98b",
    warning="#e8b75c",
    error="#f08080",
    variables={
        "border": "#3a404c",
        "border-blurred": "#2b303a",
        "scrollbar": "#333945",
        "scrollbar-hover": "#4a5160",
        "scrollbar-active": "#7fa7f5",
        "scrollbar-background": "#15171c",
        "scrollbar-background-hover": "#15171c",
        "scrollbar-background-active": "#15171c",
        "scrollbar-corner-color": "#15171c",
        "screen-selection-background": "#2f4a7a",
        "screen-selection-foreground": "#ffffff",
        "input-selection-background": "#2f4a7a",
        "footer-background": "#15171c",
    },
)
LIGHT = Theme(
    name="cockpit-light",
    dark=False,
    foreground="#23262d",
    background="#fbfaf7",
    surface="#f3f2ee",
    panel="#e9e7e1",
    primary="#2b5cc4",
    secondary="#7440b8",
    accent="#2b5cc4",
    success="#26733a",
    warning="#8f5a00",
    error="#b3261e",
    variables={
        "border": "#c9c6bd",
        "border-blurred": "#dbd8d0",
        "scrollbar": "#cfccc4",
        "scrollbar-hover": "#b3b0a8",
        "scrollbar-active": "#2b5cc4",
        "scrollbar-background": "#fbfaf7",
        "scrollbar-background-hover": "#fbfaf7",
        "scrollbar-background-active": "#fbfaf7",
        "scrollbar-corner-color": "#fbfaf7",
        "screen-selection-background": "#bcd0f7",
        "screen-selection-foreground": "#10131a",
        "input-selection-background": "#bcd0f7",
        "footer-background": "#fbfaf7",
    },
)
THEMES = (DARK, LIGHT)
"""Register all of them: `for theme in THEMES: app.register_theme(theme)`."""


@dataclass(frozen=True, slots=True)
class Palette:
    """Colours by what they mean, as `#rrggbb`; empty where the terminal's own is used.

    Three weights: `text` in full, `muted` for machinery, `accent` for what is live.
    `faint` is for rules and line numbers, never for words that matter.
    """

    is_dark: bool
    background: str
    text: str
    muted: str
    faint: str
    accent: str
    person: str
    success: str
    warning: str
    error: str
    code: str
    """Background of code."""
    added: str
    added_mark: str
    removed: str
    removed_mark: str


def palette_of(theme: Theme) -> Palette:
    """The palette that goes with any theme; one that uses the terminal's colours keeps them."""
    if theme.ansi or not (theme.background or "#").startswith("#"):
        return _terminal_palette(is_dark=theme.dark)
    background = Color.parse(theme.background or ("#121212" if theme.dark else "#ffffff"))
    text = Color.parse(theme.foreground or background.inverse.hex)
    success = Color.parse(theme.success or ("#84c98b" if theme.dark else "#26733a"))
    error = Color.parse(theme.error or ("#f08080" if theme.dark else "#b3261e"))
    accent = theme.accent or theme.primary
    tint, mark = (0.16, 0.40) if theme.dark else (0.12, 0.32)

    def mixed(color: Color, share: float) -> str:
        return background.blend(color, share, 1.0).hex

    return Palette(
        is_dark=theme.dark,
        background=background.hex,
        text=text.hex,
        muted=mixed(text, 0.62 if theme.dark else 0.68),
        faint=mixed(text, 0.40 if theme.dark else 0.50),
        accent=Color.parse(accent).hex,
        person=Color.parse(theme.secondary or accent).hex,
        success=success.hex,
        warning=Color.parse(theme.warning or "#e8b75c").hex,
        error=error.hex,
        code=Color.parse(theme.surface).hex if theme.surface else mixed(text, 0.05),
        added=mixed(success, tint),
        added_mark=mixed(success, mark),
        removed=mixed(error, tint),
        removed_mark=mixed(error, mark),
    )


def _terminal_palette(*, is_dark: bool) -> Palette:
    return Palette(
        is_dark=is_dark,
        background="",
        text="",
        muted="bright_black",
        faint="bright_black",
        accent="blue",
        person="magenta",
        success="green",
        warning="yellow",
        error="red",
        code="",
        added="",
        added_mark="",
        removed="",
        removed_mark="",
    )
