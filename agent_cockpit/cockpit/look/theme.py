"""The themes, and the colours by name that everything is drawn with.

Laws: every theme is drawn through one rule, which moves its colours only as far as reading
asks for. Colour never carries a meaning alone, so that a palette may lose its colours
(16-colour terminals, NO_COLOR) and every screen still says the same.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple

from textual.color import Color
from textual.theme import BUILTIN_THEMES, Theme

from agent_cockpit.cockpit.look.contrast import contrast, readable

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
)
_TEXT_CONTRAST = 7.0
"""Plain text stands out from what is muted, which has `READABLE`."""
_MARK_CONTRAST = 6.0
"""Of plain text on the words of a line that changed."""
_QUIET_CONTRAST = 1.25
"""Of a changed line's ground and the page: seen at once, and all inks are readable on it."""


def theme_names() -> list[str]:
    """All themes there are: ours, then Textual's."""
    return [DARK.name, LIGHT.name, *BUILTIN_THEMES]


@lru_cache(maxsize=64)
def drawn_theme(name: str, *, is_bare: bool = False) -> DrawnTheme | None:
    """The theme of this name as the cockpit draws it, to be registered; None: there is none.

    `is_bare` draws it in the terminal's own colours: for terminals with no more than 16, and
    for those that shall show none.
    """
    ours = {DARK.name: DARK, LIGHT.name: LIGHT}
    base = ours.get(name) or BUILTIN_THEMES.get(name)
    if base is None:
        return None
    if is_bare and not base.ansi:
        base = replace(BUILTIN_THEMES["ansi-dark" if base.dark else "ansi-light"], name=name)
    return _drawn(base)


class Palette(NamedTuple):
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


class DrawnTheme(Theme):
    """A theme with the palette that was made of it."""

    def __init__(self, palette: Palette, **colors: Any) -> None:
        super().__init__(**colors)
        self.palette = palette


def palette_of(theme: Theme) -> Palette:
    """The palette that goes with any theme; one that uses the terminal's colours keeps them."""
    return theme.palette if isinstance(theme, DrawnTheme) else _drawn(theme).palette


def _drawn(theme: Theme) -> DrawnTheme:
    if theme.ansi:
        palette = _terminal_palette(is_dark=theme.dark)
        return _with(theme, palette, _terminal_variables(palette))
    seeds = _seeds(theme)
    background, plain = seeds["background"], seeds["foreground"]

    def mixed(color: Color, share: float) -> Color:
        return background.blend(color, share, 1.0)

    surface, panel = seeds["surface"], seeds["panel"]
    boost = mixed(plain, 0.05)

    def ground(name: str, share: float, is_good: Callable[[Color], bool]) -> Color:
        """The background with as much of a colour as it bears, at most `share`."""
        tints = (mixed(seeds[name], share * step / 20) for step in range(20, 0, -1))
        return next(filter(is_good, tints), background)

    def is_quiet(tint: Color) -> bool:
        return contrast(tint, background) <= _QUIET_CONTRAST

    added, removed = (ground(name, 0.20, is_quiet) for name in ("success", "error"))
    page = (background, surface, added, removed)
    grounds = (*page, panel, boost)
    text = readable(plain, grounds, _TEXT_CONTRAST)

    def bears_text(mark: Color) -> bool:
        return contrast(text, mark) >= _MARK_CONTRAST

    def ink(color: Color, *, on: Sequence[Color] = grounds) -> str:
        return readable(color, on).hex

    accent = ink(seeds["accent"])
    palette = Palette(
        is_dark=theme.dark,
        background=background.hex,
        text=text.hex,
        muted=ink(mixed(text, 0.64 if theme.dark else 0.70), on=page),
        faint=ink(mixed(text, 0.40 if theme.dark else 0.50), on=(background,)),
        accent=accent,
        person=ink(seeds["secondary"]),
        success=ink(seeds["success"]),
        warning=ink(seeds["warning"]),
        error=ink(seeds["error"]),
        code=surface.hex,
        added=added.hex,
        added_mark=ground("success", 0.40, bears_text).hex,
        removed=removed.hex,
        removed_mark=ground("error", 0.40, bears_text).hex,
    )
    selection = mixed(seeds["primary"], 0.35 if theme.dark else 0.25)
    lines = {name: mixed(text, share).hex for name, share in _LINES.items()}
    grounded = {
        "surface": surface.hex,
        "panel": panel.hex,
        "boost": boost.hex,
        "selection": selection.hex,
        "selection-text": readable(text, [selection], _TEXT_CONTRAST).hex,
    }
    return _with(theme, palette, _variables(palette, {**lines, **grounded}))


def _seeds(theme: Theme) -> dict[str, Color]:
    """The colours that a theme gives; for those that it leaves out, what Textual would take."""
    dark = theme.dark
    background = Color.parse(theme.background or ("#121212" if dark else "#efefef"))
    surface = Color.parse(theme.surface or ("#1e1e1e" if dark else "#f5f5f5"))
    primary = Color.parse(theme.primary)
    secondary = Color.parse(theme.secondary) if theme.secondary else primary
    given = {
        "foreground": (theme.foreground, background.inverse),
        "panel": (theme.panel, surface.blend(primary, 0.1, 1.0)),
        "accent": (theme.accent, primary),
        "success": (theme.success, secondary),
        "warning": (theme.warning, primary),
        "error": (theme.error, secondary),
    }
    named = {name: Color.parse(color) if color else other for name, (color, other) in given.items()}
    first = {"background": background, "primary": primary, "secondary": secondary}
    opaque = {name: background + color for name, color in (named | {"surface": surface}).items()}
    return first | opaque


_LINES = {"border": 0.20, "border-blurred": 0.12, "scrollbar": 0.17, "scrollbar-hover": 0.28}
"""Rules and bars are the text's colour, so thinly."""


def _variables(palette: Palette, others: dict[str, str]) -> dict[str, str]:
    """All names that a style sheet of ours or of Textual may use."""
    inks = {name: getattr(palette, name) for name in _INKS}
    background, text, muted = palette.background, palette.text, palette.muted
    selection, selected = others["selection"], others["selection-text"]
    bars = ("scrollbar-background", "scrollbar-corner-color")
    return {
        **others,
        **inks,
        **{f"text-{name}": ink for name, ink in inks.items()},
        **{f"{bar}{state}": background for bar in bars for state in ("", "-hover", "-active")},
        "scrollbar-active": palette.accent,
        "foreground": text,
        "text": text,
        "primary": palette.accent,
        "text-primary": palette.accent,
        "secondary": palette.person,
        "text-secondary": palette.person,
        "foreground-muted": muted,
        "foreground-disabled": muted,
        "text-muted": muted,
        "text-disabled": muted,
        "block-cursor-background": palette.accent,
        "block-cursor-foreground": background,
        "block-cursor-blurred-background": selection,
        "block-cursor-blurred-foreground": selected,
        "block-hover-background": others["boost"],
        "input-cursor-background": text,
        "input-cursor-foreground": background,
        "input-selection-background": selection,
        "input-selection-foreground": selected,
        "screen-selection-background": selection,
        "screen-selection-foreground": selected,
        "link-color": palette.accent,
        "link-color-hover": text,
        "link-background-hover": others["boost"],
        "footer-background": background,
        "success-muted": palette.added,
        "error-muted": palette.removed,
    }


def _with(theme: Theme, palette: Palette, variables: dict[str, str]) -> DrawnTheme:
    values = {name: getattr(theme, name) for name in Theme.__dataclass_fields__}
    values["variables"] = {**theme.variables, **variables}
    return DrawnTheme(palette, **values)


def _terminal_palette(*, is_dark: bool) -> Palette:
    """The terminal's own colours, of those the ones that can be read on black or on white."""
    return Palette(
        is_dark=is_dark,
        background="",
        text="",
        muted="",
        faint="",
        accent="cyan" if is_dark else "blue",
        person="magenta",
        success="green",
        warning="yellow" if is_dark else "bright_red",
        error="red",
        code="",
        added="",
        added_mark="",
        removed="",
        removed_mark="",
    )


def _terminal_variables(palette: Palette) -> dict[str, str]:
    inks = {name: f"ansi_{getattr(palette, name)}" for name in _INKS}
    return {
        **inks,
        **{f"text-{name}": ink for name, ink in inks.items()},
        "border": "ansi_default",
        "scrollbar": "ansi_bright_black",
        "scrollbar-hover": "ansi_bright_black",
        "scrollbar-active": inks["accent"],
        "scrollbar-background": "ansi_default",
        "success-muted": "transparent",
        "error-muted": "transparent",
    }


_INKS = ("accent", "success", "warning", "error")
