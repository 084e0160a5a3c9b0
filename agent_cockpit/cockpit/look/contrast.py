"""How well one colour can be read on another, and the nearest colour that can.

The measure is that of the Web Content Accessibility Guidelines 2: from 1 to 21, and 4.5 is
what text needs.
"""

from __future__ import annotations

from collections.abc import Sequence

from textual.color import BLACK, WHITE, Color

READABLE = 4.5
_STEPS = 40


def contrast(one: Color, other: Color) -> float:
    """The contrast ratio of two opaque colours, whichever of them is the text."""
    darker, lighter = sorted((_luminance(one), _luminance(other)))
    return (lighter + 0.05) / (darker + 0.05)


def readable(color: Color, grounds: Sequence[Color], least: float = READABLE) -> Color:
    """`color`, moved towards white or black only as far as all these grounds ask for.

    Where no colour reaches `least` on all of them: the pole that comes nearest.
    """
    if _worst(color, grounds) >= least:
        return color
    pole = max((WHITE, BLACK), key=lambda each: _worst(each, grounds))
    for step in range(1, _STEPS):
        moved = color.blend(pole, step / _STEPS, 1.0)
        if _worst(moved, grounds) >= least:
            return moved
    return pole


def _worst(color: Color, grounds: Sequence[Color]) -> float:
    return min(contrast(color, ground) for ground in grounds)


def _luminance(color: Color) -> float:
    red, green, blue = map(_linear, color.rgb)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(value: int) -> float:
    share = value / 255
    return share / 12.92 if share <= 0.04045 else ((share + 0.055) / 1.055) ** 2.4
