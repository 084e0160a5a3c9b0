"""What the screen shows before anything has happened."""

from __future__ import annotations

from textual.content import Content
from textual.widgets import Static

from agent_cockpit.cockpit.keys.textual_keys import keymap_of
from agent_cockpit.text import cell_width, clean

Parts = list[tuple[str, str] | str]
LEAST_ROWS, LEAST_COLUMNS = 20, 60
"""On a smaller screen the keys to begin with are left out."""
_KEY, _WORDS = "bold $text-accent", "$foreground-muted"


class Welcome(Static):
    """The name of the sitting and the first things to know, or what to set first."""

    DEFAULT_CSS = """
    Welcome {
        height: 1fr; content-align: left bottom;
        &.-below { height: auto; }
    }
    """

    def __init__(self, heading: str, *, suggestion: str = "", id: str | None = None) -> None:
        super().__init__(id=id, markup=False)
        self._heading = heading or "agent-cockpit"
        self._suggestion = suggestion
        self.replays = False
        """Whether a recording is shown, in which nothing can be said."""
        self._problem = ""
        self._offers_demo = False
        self._told_keys: object = None
        self._told: Parts = []

    def become(self, heading: str, suggestion: str) -> None:
        """Say from now on what this is, and what to try."""
        self._heading, self._suggestion = heading, suggestion

    def stand(self, *, below: bool) -> None:
        """Stand below what there is to read, or alone; with the keys that are in force."""
        self.set_class(below, "-below")
        if self._told_keys is not keymap_of(self):
            self._tell()

    def on_mount(self) -> None:
        self._tell()

    def on_resize(self) -> None:
        self._tell()

    def ready(self) -> None:
        """Say how to begin."""
        self._problem = ""
        self._tell()

    def problem(self, text: str, *, demo: bool) -> None:
        """Say why there is nothing to talk to, and what can be done."""
        self._problem, self._offers_demo = clean(text), demo
        self._tell()

    def _tell(self) -> None:
        self._told_keys = keymap_of(self)
        parts: Parts = [(self._heading, "bold")]
        if self._heading != "agent-cockpit":
            parts.append(("  agent-cockpit", _WORDS))
        parts += ["\n\n", *(self._why_not() if self._problem else self._how_to_begin())]
        if parts != self._told:
            self._told = parts
            self.update(Content.assemble(*parts))

    def _why_not(self) -> Parts:
        parts: Parts = [("! cannot begin yet", "bold $text-warning"), "\n", self._problem]
        if self._offers_demo:
            parts += ["\n\n", ("enter", _KEY)]
            parts += [" opens the demo: a sample project, a scripted model, no network"]
        return parts

    def _how_to_begin(self) -> Parts:
        if self.replays:
            label = keymap_of(self).label
            return [
                ("A recorded sitting: nothing here runs, writes or sends.\n", _WORDS),
                (label("replay_play"), _KEY),
                (" plays it   ", _WORDS),
                (f"{label('replay_step_left')} {label('replay_step_right')}", _KEY),
                (" step through it   ", _WORDS),
                (label("help"), _KEY),
                (" all keys", _WORDS),
            ]
        parts: Parts = [
            (
                "Say what you want done.\nYou see every change and every command before it "
                "happens, and done means that the checks have passed.",
                _WORDS,
            )
        ]
        size = self.app.size
        if size.height >= LEAST_ROWS and size.width >= LEAST_COLUMNS:
            parts.append("\n")
            label = keymap_of(self).label
            for key, words in (
                ("@", "names a file or a folder"),
                ("/", "chooses a command: /plan, /diff, /theme"),
                ("!", "runs a command of your own"),
                (label("cycle"), "lets edits run unasked, or only plans"),
                ("?", "shows all keys"),
            ):
                if key:
                    parts += ["\n", (key, _KEY), " " * max(1, 7 - cell_width(key)), (words, _WORDS)]
        if self._suggestion:
            parts += ["\n\ntry  ", (self._suggestion, "bold"), "   "]
            parts += [("↑", _KEY), " writes it for you"]
        return parts
