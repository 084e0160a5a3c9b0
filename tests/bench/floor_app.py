"""The floor: the least Textual app with a place to type, what no cockpit on Textual can beat.

With `log` as an argument its page is a `RichLog` that writes answers line by line, made in
the process itself: no network, no engine, no Markdown.
"""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncIterator

from textual import events
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import RichLog, Static, TextArea

from tests.bench.answer import ASKED, answer_tokens


class Prompt(TextArea):
    """Enter sends."""

    async def _on_key(self, event: events.Key) -> None:
        if event.key == "enter":
            event.stop()
            event.prevent_default()
            asked, self.text = ASKED.search(self.text), ""
            if asked and isinstance(self.app, FloorApp):
                self.app.answer(int(asked[1]), int(asked[2]), asked[3])


class FloorApp(App[None]):
    """A page, a prompt, a line below it."""

    CSS = """
    #page { height: 1fr; }
    #prompt { height: 1; }
    #mark { width: 3; }
    TextArea { border: none; padding: 0; height: 1; }
    """

    def compose(self) -> ComposeResult:
        yield RichLog(id="page") if "log" in sys.argv else Static("floor", id="page")
        with Horizontal(id="prompt"):
            yield Static(" › ", id="mark")
            yield Prompt()
        yield Static("ready to type")

    def on_mount(self) -> None:
        self.query_one(TextArea).focus()

    def answer(self, number: int, rate: int, ident: str) -> None:
        """Show an answer."""
        self.run_worker(self._write(_pieces(number, rate, ident)))

    async def _write(self, pieces: AsyncIterator[str]) -> None:
        log, line = self.query_one(RichLog), ""
        async for piece in pieces:
            *whole, line = (line + piece).split("\n")
            for each in whole:
                log.write(each)


async def _pieces(number: int, rate: int, ident: str) -> AsyncIterator[str]:
    loop = asyncio.get_running_loop()
    began_at = loop.time()
    for place, token in enumerate(answer_tokens(number, ident)):
        if rate:
            await asyncio.sleep(max(0.0, began_at + place / rate - loop.time()))
        elif place % 64 == 63:
            await asyncio.sleep(0)
        yield token


if __name__ == "__main__":
    FloorApp().run()
