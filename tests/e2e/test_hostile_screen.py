"""What the installed cockpit writes to a real terminal when everything it shows is hostile:
escapes and brackets in every text of every event, and characters whose width is disputed."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wcwidth import wcwidth

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.events import harness as h
from agent_cockpit.events import sitting as s
from agent_cockpit.events.base import Event
from agent_cockpit.events.checks import CheckResult
from agent_cockpit.events.messages import Message
from tests.e2e.cockpit import Cockpit
from tests.e2e.installed import run
from tests.transcript.stories import stamped

pytestmark = [pytest.mark.e2e, pytest.mark.timeout(60)]

HOSTILE = (
    "\x1b]52;c;UFdORUQ=\x07a\x1b[777mb\x9b777mc\x1b]0;PWNED\x07d\x1b[?1337he\x1bPPWNED\x1b\\f\x1bcg"
    "\u202eh\x05i\x0ej\x1b]8;;http://PWNED\x07k\x7f\x00l\x1b[6n\x1b[c[red]m[/]"
)
SAFE = "abcdefghijkl[red]m[/]"
ACTED_ON = (
    *("\x1b]52", "\x1b]0;PWNED", "\x1b[777m", "\x1b[?1337h", "\x1bP", "\x1bc", "\x1b]8;;http://PW"),
    *("\x9b", "\u202e", "\x05", "\x0e", "\x7f", "\x1b[6n"),
)
"""What a terminal would have done; none of it may be written."""
WIDE = (
    *("漢字", "한글", "👨\u200d👩\u200d👧", "❤\ufe0f", "⚠\ufe0f⚠", "👍🏽", "1\ufe0f\u20e3", "🇩🇪🇫🇷"),
    *("e\u0301e\u0301", "﷽", "กำ", "🏳\ufe0f\u200d🌈", "שלום", "a\u200bb", "±…", "🪿"),
)


def journal_of(path: Path, events: Iterable[Event]) -> Path:
    journal = JsonlEventJournal(path)
    for event in stamped(events):
        journal.append(event)
    journal.close()
    return path


def cells(row: str) -> int:
    """The columns of a row, for a terminal that knows each character by itself."""
    return sum(wcwidth(char) for char in row)


def filled(kind: type[Event]) -> Event:
    """An event whose every text is hostile."""
    values: dict[str, Any] = {
        "message": Message.of("user", HOSTILE),
        "result": CheckResult(name=HOSTILE, status="fail", evidence=HOSTILE, command=HOSTILE),
        "mode": None if kind is s.ModePinned else HOSTILE,
    }
    texts: dict[Any, Any] = {
        str: HOSTILE,
        str | None: HOSTILE,
        list[str]: [HOSTILE] * 2,
        dict[str, Any]: {HOSTILE: HOSTILE},
        bool: False,
    }
    fields = {
        name: values.get(name, texts.get(field.annotation, field.default))
        for name, field in kind.model_fields.items()
        if name not in Event.model_fields
        and (name in values or field.annotation in texts)
        and name != "type"
    }
    calls = {name: "c1" for name in ("call_id", "approval_id") if name in fields}
    return kind.model_validate(fields | calls)


def hostile_sitting() -> list[Event]:
    left_out = (s.UnknownEvent, s.StreamedText, s.SittingResumed, s.ContextCompacted)
    kinds = (*s.SITTING_EVENT_TYPES, *h.HARNESS_EVENT_TYPES)
    return [
        *(filled(kind) for kind in kinds if kind not in left_out),
        h.ToolStart(call_id="c2", tool=HOSTILE, input={"command": HOSTILE}),
        *(s.ToolProgress(call_id="c2", delta=letter) for letter in HOSTILE * 2),
        *(h.ModelUpdate(delta=letter) for letter in HOSTILE),
    ]


def test_nothing_that_is_shown_acts_on_the_terminal(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    journal = journal_of(tmp_path / "hostile.jsonl", hostile_sitting())
    with Cockpit(["replay", journal], environ, rows=60) as cockpit:
        cockpit.says(f"◆ {SAFE}", f"{SAFE}{SAFE}")
        cockpit.press("ctrl+o")
        cockpit.says(f"why  {SAFE}")
        cockpit.press("pageup", "pageup", "ctrl+q")
        cockpit.close()
        written = cockpit.raw.decode("utf-8")
    printed = run(["replay", journal, "--print"], tmp_path, environ)
    assert SAFE in printed.out
    for text in (written, printed.out + printed.err):
        assert [sign for sign in ACTED_ON if sign in text] == []


def test_what_stands_behind_disputed_characters_keeps_its_column(
    tmp_path: Path, environ: dict[str, str]
) -> None:
    table = "| a | b |\n|--|--|\n" + "".join(f"| {wide} | end |\n" for wide in WIDE)
    events: list[Event] = [s.SittingMessage(message=Message.of("user", "go " + "".join(WIDE)))]
    for number, wide in enumerate(WIDE):
        about: dict[str, Any] = {"call_id": f"c{number}", "tool": "read_file"}
        events.append(h.ToolStart(**about, input={"path": f"{wide}.py"}))
        events.append(h.ToolEnd(**about, success=True, content="x", duration_ms=4))
    events += [h.ModelUpdate(delta=table), h.TurnEnd()]
    journal = journal_of(tmp_path / "wide.jsonl", events)
    environ |= {"PYTHONIOENCODING": "latin-1"}  # what a locale of another time comes to

    def ends_so(row: str) -> bool:
        return row.rstrip().endswith(" end")

    with Cockpit(["replay", journal], environ, rows=50, columns=70) as cockpit:
        rows = cockpit.rows_when(lambda rows: sum(map(ends_so, rows)) == len(WIDE))
        cockpit.press("ctrl+q")
        cockpit.close()
    ends = [cells(row[: row.index(" end ")]) for row in rows if ends_so(row)]
    times = [cells(row[: row.index(" ms")]) for row in rows if " ms" in row]
    assert (len(ends), len(times)) == (len(WIDE), len(WIDE))
    assert len(set(ends)) == len(set(times)) == 1
    assert all(cells(row) == 70 for row in rows)
