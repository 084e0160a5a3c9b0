"""How well a few typed letters fit a text: the letters in order, better at word beginnings and
side by side.

Law: letter case never matters, and an empty query fits everything equally.
"""

from __future__ import annotations

from dataclasses import dataclass

_BESIDE, _BEGINNING, _START = 8, 10, 6
_BREAKS = frozenset("/\\_-. :,")


@dataclass(frozen=True, slots=True)
class Fit:
    """`score`: higher is better; `places`: where the letters were found, from 0, in order."""

    score: int = 0
    places: tuple[int, ...] = ()


def fit(query: str, text: str) -> Fit | None:
    """How the query's letters, without its spaces, fit the text; None when they do not."""
    wanted = "".join(query.lower().split())
    lower = text.lower()
    if len(lower) != len(text):  # a letter whose small form is two: places must stay places
        lower = "".join(char.lower()[0] for char in text)
    if not wanted:
        return Fit()
    whole = _whole_word(wanted, lower)
    if whole is not None:
        places = tuple(range(whole, whole + len(wanted)))
    else:
        found = _last_run(wanted, lower)
        if found is None:
            return None
        places = found
    return Fit(_score(places, text) - len(text) // 8, places)


def best(query: str, texts: list[str], *, most: int) -> list[tuple[int, Fit]]:
    """The `most` best texts as (place in the list, fit), best first; equals keep their order."""
    fits = ((place, fit(query, text)) for place, text in enumerate(texts))
    found = [(place, good) for place, good in fits if good is not None]
    return sorted(found, key=lambda each: -each[1].score)[:most]


def _whole_word(wanted: str, text: str) -> int | None:
    """Where the letters stand side by side, at a word's beginning if they do so at one."""
    first = at = text.find(wanted)
    while at >= 0:
        if _begins_word(text, at):
            return at
        at = text.find(wanted, at + 1)
    return first if first >= 0 else None


def _last_run(wanted: str, text: str) -> tuple[int, ...] | None:
    """The letters in order: found forwards, then drawn together from the end."""
    at = -1
    for char in wanted:
        at = text.find(char, at + 1)
        if at < 0:
            return None
    places = []
    at += 1
    for char in reversed(wanted):
        at = text.rfind(char, 0, at)
        places.append(at)
    return tuple(reversed(places))


def _score(places: tuple[int, ...], text: str) -> int:
    score = 0
    before = -2
    for place in places:
        if place == before + 1:
            score += _BESIDE
        elif _begins_word(text, place):
            score += _BEGINNING
        if place == 0:
            score += _START
        before = place
    return score - (places[-1] - places[0] + 1 - len(places))


def _begins_word(text: str, place: int) -> bool:
    if place == 0 or text[place - 1] in _BREAKS:
        return True
    return text[place].isupper() and text[place - 1].islower()
