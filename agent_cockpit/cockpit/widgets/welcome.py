"""What the screen shows before anything has happened."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from agent_cockpit.text import clean


class Welcome(Static):
    """The name of the sitting and the first things to know, or what to set first."""

    DEFAULT_CSS = "Welcome { height: 1fr; padding: 1 2; content-align: left bottom; }"

    def __init__(self, heading: str, *, suggestion: str = "", id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._heading = heading or "agent-cockpit"
        self._suggestion = suggestion

    def become(self, heading: str, suggestion: str) -> None:
        """Say from now on what this is, and what to try."""
        self._heading, self._suggestion = heading, suggestion

    def on_mount(self) -> None:
        self.ready()

    def ready(self) -> None:
        """Say how to begin."""
        parts: list[tuple[str, str] | str] = [
            (self._heading, "bold"),
            "\n\n",
            (
                "Say what you want done. You see every change and every command before it "
                "happens, and done means that the checks have passed.",
                "$foreground-muted",
            ),
        ]
        if self._suggestion:
            parts += ["\n\ntry  ", (self._suggestion, "bold"), "   "]
            parts += [("↑", "bold $text-accent"), " writes it for you"]
        self.update(Content.assemble(*parts))

    def problem(self, text: str, *, demo: bool) -> None:
        """Say why there is nothing to talk to, and what can be done."""
        parts: list[tuple[str, str] | str] = [
            (self._heading, "bold"),
            "\n\n",
            ("! cannot begin yet", "bold $text-warning"),
            "\n",
            clean(text),
        ]
        if demo:
            parts += [
                "\n\n",
                ("enter", "bold $text-accent"),
                " opens the demo: a sample project and a scripted model, no key, no network",
            ]
        self.update(Content.assemble(*parts))
