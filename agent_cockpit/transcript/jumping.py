"""Where in a recording a person wants to go, from the few words that they write for it."""

from __future__ import annotations

import re
from datetime import datetime, timedelta, tzinfo

from agent_cockpit.transcript.recording import Recording

EXAMPLES = "09:41, +5m, 40% or 312"
"""What can be written: a clock's time, a span from here, a share, the number of an event."""
_CLOCK = re.compile(r"(?:(\d{4})-(\d\d)-(\d\d)[ T])?(\d{1,2}):(\d\d)(?::(\d\d))?")
_SPAN = re.compile(r"([+-])(\d{1,6}) ?(s|m|h)")
_SHARE = re.compile(r"(\d{1,3}) ?%")
_NUMBER = re.compile(r"(\d{1,3}(?:,\d{3})+|\d{1,12})")
_SECONDS = {"s": 1, "m": 60, "h": 3600}


def place_named(
    words: str, recording: Recording, here: int, zone: tzinfo | None = None
) -> int | None:
    """The place that the words name, within the recording; None when they name none.

    A clock's time is of the day of `here` in `zone` (None: the machine's), where no day is named.
    """
    words = words.strip()
    if match := _CLOCK.fullmatch(words):
        when = _when(match, recording.clock(here), zone)
        return None if when is None else recording.place_at(when)
    if match := _SPAN.fullmatch(words):
        now = recording.clock(here)
        span = timedelta(seconds=int(f"{match[1]}{match[2]}") * _SECONDS[match[3]])
        return None if now is None else recording.place_at(now + span)
    if match := _SHARE.fullmatch(words):
        return min(len(recording), round(len(recording) * int(match[1]) / 100))
    if match := _NUMBER.fullmatch(words):
        return min(len(recording), int(match[1].replace(",", "")))
    return None


def _when(match: re.Match[str], now: datetime | None, zone: tzinfo | None) -> datetime | None:
    """The moment; None for one that no calendar or clock has."""
    if now is None:
        return None
    year, month, day, hour, minute, second = match.groups()
    day_of = now.astimezone(zone)
    try:
        if year is not None:
            day_of = day_of.replace(year=int(year), month=int(month), day=int(day))
        return day_of.replace(
            hour=int(hour), minute=int(minute), second=int(second or 0), microsecond=0
        )
    except ValueError:
        return None
