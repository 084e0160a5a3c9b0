"""The floor: the least Textual app with a place to type, what no cockpit on Textual can beat."""

from __future__ import annotations

from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.widgets import Static, TextArea


class FloorApp(App[None]):
    """A page, a prompt, a line below it."""

    CSS = """
    #page { height: 1fr; }
    #prompt { height: 1; }
    #mark { width: 3; }
    TextArea { border: none; padding: 0; height: 1; }
    """

    def compose(self) -> ComposeResult:
        yield Static("floor", id="page")
        with Horizontal(id="prompt"):
            yield Static(" › ", id="mark")
            yield TextArea()
        yield Static("ready to type")

    def on_mount(self) -> None:
        self.query_one(TextArea).focus()


if __name__ == "__main__":
    FloorApp().run()
