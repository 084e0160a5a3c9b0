"""The cockpit as a person uses it: what is asked, answered and read in a real terminal."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from tests.e2e.installed import COMMAND
from tests.support.terminal import Terminal
from tests.support.waiting import WITHIN_S

READY = "ask, or describe a change"
"""What the empty prompt says while no goal runs."""
CONSENT = "asks first"
"""What the status line says once the sitting is open."""
FIX = "Fix the failing test"


class Cockpit(Terminal):
    """The installed command in a terminal of 120 x 40, if nothing else is said."""

    def __init__(
        self,
        words: Sequence[str | Path],
        environ: dict[str, str],
        *,
        folder: Path | None = None,
        rows: int = 40,
        columns: int = 120,
    ) -> None:
        super().__init__(
            [COMMAND, *words], environ=environ, folder=folder, rows=rows, columns=columns
        )

    def opened(self) -> Cockpit:
        """Wait until the sitting is open."""
        self.wait_for(lambda rows: CONSENT in rows[-1])
        return self

    def prompt(self, text: str) -> None:
        """Send a prompt when the cockpit is ready for one."""
        self.wait_for(lambda rows: READY in composer(rows))
        self.send(text)
        self.wait_for(lambda rows: text in composer(rows))
        self.press("enter")
        self.wait_for(lambda rows: text not in composer(rows))

    def asked(self, text: str) -> list[str]:
        """Wait until a call with this text asks and keys count; the rows of its panel."""
        return panel(self.rows_when(lambda rows: text in "\n".join(panel(rows)) and is_lit(rows)))

    def proposed(self, text: str) -> None:
        """Wait until a plan with this text can be decided about."""
        self.wait_for(lambda rows: text in "\n".join(panel(rows)) and is_lit(rows, "[a] approve"))

    def answer(self, key: str, text: str) -> None:
        """Answer the call that asks with this text, and see the panel close or go on."""
        self.asked(text)
        self.press(key)
        self.wait_for(lambda rows: not (is_lit(rows) and text in "\n".join(panel(rows))))

    def says(self, *texts: str, within_s: float = WITHIN_S) -> list[str]:
        """Wait until all of these stand on the screen at once; the rows of that picture."""
        return self.rows_when(
            lambda rows: all(any(text in row for row in rows) for text in texts),
            within_s=within_s,
        )

    def page(self, *texts: str) -> list[str]:
        """Wait until a page covers the prompt and says all of these; the rows of it."""
        return self.rows_when(
            lambda rows: (
                "esc close" in rows[-1]
                and not composer(rows)
                and all(any(text in row for row in rows) for text in texts)
            )
        )

    def at_rest(self, outcome: str) -> list[str]:
        """Wait until no goal runs, and the last one ended like this; the rows of that picture."""
        return self.rows_when(lambda rows: outcome in rows[-1] and READY in composer(rows))

    def leave(self) -> None:
        """Ctrl+C twice, once no goal runs; the terminal is as it was."""
        self.wait_for(lambda rows: READY in composer(rows))
        self.quit()

    def quit(self) -> None:
        """Ctrl+C until it is over: on a busy machine the first may be too long ago to count."""
        self.press("ctrl+c")
        self.wait_for("again to quit")
        self.press("ctrl+c")
        for _ in range(round(WITHIN_S)):
            if self.ends_within(1.0) or self.is_put_back:
                break
            self.press("ctrl+c")
        self.close()


def panel(rows: list[str]) -> list[str]:
    """The rows of the approval panel, whole; none while it is closed or being drawn."""
    tops = [n for n, row in enumerate(rows) if row.lstrip().startswith("╭─")]
    if not tops:
        return []
    ends = [n for n, row in enumerate(rows) if row.lstrip().startswith("╰─") and n > tops[-1]]
    return rows[tops[-1] : ends[0] + 1] if ends else []


def is_lit(rows: list[str], *options: str) -> bool:
    """Whether a key would be an answer, where one of these options is offered."""
    asks = "\n".join(panel(rows))
    offered = any(option in asks for option in options or ("[y] once", "y once"))
    return offered and "keys count" not in asks and "answered" not in asks


def composer(rows: list[str]) -> str:
    """What is written in the prompt."""
    rules = [n for n, row in enumerate(rows) if row.startswith("────")]
    if not rules:
        return ""
    written = rows[rules[-1] + 1 : -1]
    starts = written[0].find("›") + 2 if written else 0
    return "\n".join(row[starts:].rstrip() for row in written).strip()
