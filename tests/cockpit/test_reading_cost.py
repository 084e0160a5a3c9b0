"""A long transcript is read as cheaply as a short one: only what comes into sight is drawn."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

from textual.pilot import Pilot

from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from tests.cockpit.transcript_host import Counting, Host
from tests.support.waiting import until

SIZE = (80, 24)
BLOCKS = 5_000
MOST_LOOKS = 150
"""Some three looks for each block of a few screens; there are 5,000 of them."""


def notices(count: int, *, first: int = 0) -> list[Event]:
    wraps = "it wraps in a narrow window " * 4
    return [s.Notice(text=f"notice {number}: {wraps}") for number in range(first, first + count)]


def shown(host: Host) -> str:
    rows = (host.view.render_line(y).text.rstrip() for y in range(host.view.size.height))
    return "\n".join(rows)


async def resized(pilot: Pilot[None], host: Host) -> None:
    await pilot.resize_terminal(47, 24)


async def in_the_middle(pilot: Pilot[None], host: Host) -> None:
    host.view.jump_to(50)


async def one_more(pilot: Pilot[None], host: Host) -> None:
    host.view.jump_to_end()
    host.feed(*notices(1, first=9_999))


DOINGS: dict[str, tuple[Callable[[Pilot[None], Host], Awaitable[object]], str]] = {
    "a page up": (lambda pilot, _: pilot.press("pageup"), f"notice {BLOCKS - 15}:"),
    "to the beginning": (lambda pilot, _: pilot.press("home"), "notice 0:"),
    "into the middle": (in_the_middle, "notice 50:"),
    "another width": (resized, "notice 50: it wraps in a narrow window it\n"),
    "one more turn": (one_more, "notice 9999:"),
}
"""What a person does, and the words that are in sight after it."""


async def test_whatever_is_done_in_a_long_transcript_few_blocks_are_looked_at() -> None:
    host, looks = Host(notices(BLOCKS)), {}
    async with host.run_test(size=SIZE) as pilot:
        source = Counting(host.transcript)
        host.view.attach(source)
        await pilot.press("tab")
        await until(lambda: f"notice {BLOCKS - 1}:" in shown(host))
        for name, (act, words) in DOINGS.items():
            source.looked_at = 0
            await act(pilot, host)
            await until(partial(is_shown, host, words))
            looks[name] = source.looked_at
    assert 0 < min(looks.values()) <= max(looks.values()) < MOST_LOOKS, looks


def is_shown(host: Host, words: str) -> bool:
    return words in shown(host)
