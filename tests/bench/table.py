"""Two columns of figures beside each other: their medians, and the second over the first."""

from __future__ import annotations

import platform
import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

Rounds = Sequence[tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class Bars:
    """What a column is measured by."""

    columns: tuple[str, str] = ("floor", "cockpit")
    ratios: Mapping[str, float] = field(default_factory=dict)
    """The most that the second may need, over the first."""
    most: Mapping[str, float] = field(default_factory=dict)
    """The most that the second may be, in its own unit."""


def summary(rounds: Rounds, bars: Bars) -> dict[str, Any]:
    """All figures, their medians, and the second column's over the first's; a figure that one
    column has not stands at the other alone."""
    taken = {
        column: [asdict(pair[place]) for pair in rounds]
        for place, column in enumerate(bars.columns)
    }
    medians = {column: _medians(figures) for column, figures in taken.items()}
    base, other = (medians[column] for column in bars.columns)
    return {
        "python": platform.python_version(),
        "system": platform.platform(),
        "rounds": taken,
        "medians": medians,
        "ratios": {each: other[each] / base[each] for each in other if base.get(each)},
    }


def table(found: dict[str, Any], bars: Bars) -> str:
    """One measure a line; what passes a bar is marked."""
    base, other = (found["medians"][column] for column in bars.columns)
    names = "".join(f"{column:>13}" for column in bars.columns)
    lines = [
        f"medians of {len(found['rounds'][bars.columns[0]])} rounds · "
        f"Python {found['python']} · {found['system']}",
        f"{'':<20}{names}{'ratio':>8}{'bar':>7}{'most':>8}",
    ]
    for each, value in other.items():
        ratio = found["ratios"].get(each)
        bar, most = bars.ratios.get(each), bars.most.get(each)
        is_over = (bar is not None and (ratio or 0) > bar) or (most is not None and value > most)
        lines.append(
            f"{each:<20}{_cell(base.get(each), 13, 1)}{_cell(value, 13, 1)}"
            f"{_cell(ratio, 8, 2)}{_cell(bar, 7, 2)}{_cell(most, 8, 1)}{' !' if is_over else ''}"
        )
    return "\n".join(lines)


def _medians(figures: Sequence[dict[str, float | None]]) -> dict[str, float]:
    known = {each: [taken[each] for taken in figures] for each in figures[0]}
    return {
        each: statistics.median(value for value in values if value is not None)
        for each, values in known.items()
        if None not in values
    }


def _cell(value: float | None, width: int, digits: int) -> str:
    return f"{'-':>{width}}" if value is None else f"{value:>{width},.{digits}f}"
