"""The record: written before it is seen, joined, private, healed, and never fatal."""

from __future__ import annotations

import json
import os
import stat
import subprocess
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from agent_cockpit.engine.record.bus import EventBus
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.journal_lock import is_locked
from agent_cockpit.engine.record.journal_reader import load_events
from agent_cockpit.errors import WorkspaceError
from agent_cockpit.events.harness import AgentStart, ModelUpdate, ToolEnd, ToolStart, TurnEnd
from agent_cockpit.events.messages import Message, ReasoningBlock
from agent_cockpit.events.sitting import (
    DamagedLines,
    Notice,
    SittingMessage,
    StreamedText,
    ToolProgress,
    UnknownEvent,
)
from tests.support.waiting import until


@pytest.fixture
def journal(tmp_path: Path) -> Iterator[JsonlEventJournal]:
    journal = JsonlEventJournal(tmp_path / "deep" / "er" / "j.jsonl")
    yield journal
    journal.close(release=True)


def test_events_come_back_in_order_and_the_file_is_private(journal: JsonlEventJournal) -> None:
    journal.append(AgentStart(event_id=1, goal="ünï"))
    journal.append(TurnEnd(event_id=2))
    journal.close()
    journal.append(TurnEnd(event_id=3))
    journal.close()
    journal.close()
    assert [event.event_id for event in load_events(journal.path)] == [1, 2, 3]
    assert stat.S_IMODE(journal.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(journal.path.parent.stat().st_mode) == 0o700


async def test_streamed_text_goes_in_joined_and_names_its_ids(journal: JsonlEventJournal) -> None:
    for number, word in enumerate(["Hel", "lo ", "you"], start=4):
        journal.append(ModelUpdate(event_id=number, delta=word))
    journal.append(ToolProgress(event_id=7, call_id="c", delta="out"))
    journal.append(TurnEnd(event_id=8))
    journal.close()
    answer, output, end = load_events(journal.path)
    assert isinstance(answer, StreamedText)
    assert (answer.text, answer.first_id, answer.last_id) == ("Hello you", 4, 6)
    assert isinstance(output, StreamedText)
    assert (output.kind, output.call_id, output.text) == ("output", "c", "out")
    assert end.event_id == 8


def test_a_flood_of_output_leaves_its_ends_and_how_much_is_missing(
    journal: JsonlEventJournal,
) -> None:
    began = datetime(2026, 3, 2, tzinfo=UTC)
    for second in range(20):
        piece = "".join(f"{second}.{n} sk-{'a1B2c3D4e5' * 4}\n" for n in range(1_000))
        at = began + timedelta(seconds=second)
        journal.append(ToolProgress(event_id=2 * second + 1, call_id="c", delta=piece, ts=at))
        journal.append(TurnEnd(event_id=2 * second + 2, ts=at))
    journal.close()
    kept = [event for event in load_events(journal.path) if isinstance(event, StreamedText)]
    assert len(kept) == 20
    assert journal.path.stat().st_size < 200_000
    assert all("characters left out" in event.text for event in kept[2:])
    assert kept[0].text.startswith("0.0 ")
    assert kept[-1].text.endswith("\n")
    assert "19.999 " in kept[-1].text
    assert "sk-a1" not in journal.path.read_text()


def test_ordinary_output_is_recorded_whole(journal: JsonlEventJournal) -> None:
    text = "a line of a build\n" * 3_000
    journal.append(ToolProgress(event_id=1, call_id="c", delta=text))
    journal.append(ToolEnd(event_id=2, call_id="c", tool="run_command", success=True))
    journal.append(ToolProgress(event_id=3, call_id="c", delta=text))
    journal.close()
    first, _, again = load_events(journal.path)
    assert isinstance(first, StreamedText)
    assert isinstance(again, StreamedText)
    assert first.text == again.text == text


async def test_a_kill_loses_at_most_a_second_of_open_text(journal: JsonlEventJournal) -> None:
    journal.append(ModelUpdate(event_id=1, delta="words that wait and wait"))
    await until(journal.path.exists)
    (written,) = load_events(journal.path)
    assert isinstance(written, StreamedText)
    assert written.text == "words that wait and "


async def test_a_secret_that_comes_in_pieces_is_not_written(journal: JsonlEventJournal) -> None:
    secret = "ghp_" + "x9Kq2LmZ7vTr4Wc8Yb1Nd6Hs3Jf5Gp0AeUiO"
    journal.append(ModelUpdate(event_id=1, delta=f"token: {secret[:12]}"))
    await until(journal.path.exists)
    journal.append(ModelUpdate(event_id=2, delta=f"{secret[12:]} and on"))
    journal.append(ToolEnd(event_id=3, tool="read_file", success=True, content=f"K={secret}"))
    journal.close()
    text = journal.path.read_text()
    assert secret not in text
    assert secret[:12] not in text
    assert "and on" in text


def test_ids_and_signed_reasoning_are_spared_by_redaction(journal: JsonlEventJournal) -> None:
    signature = "sk-" + "x9Kq2LmZ7vTr4Wc8Yb1Nd6Hs3Jf5Gp0AeUiOx9Kq2LmZ7v"
    block = ReasoningBlock(text="t", signature=signature)
    message = Message(role="assistant", blocks=(block,))
    journal.append(SittingMessage(event_id=1, message=message))
    journal.close()
    (event,) = load_events(journal.path)
    assert isinstance(event, SittingMessage)
    assert event.message == message


def test_a_torn_tail_is_bridged_and_healed_before_the_next_line(
    journal: JsonlEventJournal,
) -> None:
    journal.append(TurnEnd(event_id=1))
    journal.close()
    with journal.path.open("a") as file:
        file.write('{"type":"turn_st')
    first, damage = load_events(journal.path)
    assert first.event_id == 1
    assert isinstance(damage, DamagedLines)
    assert damage.torn_tail
    journal.append(TurnEnd(event_id=2))
    journal.close()
    _, damage, last = load_events(journal.path)
    assert isinstance(damage, DamagedLines)
    assert (damage.count, damage.first_line) == (1, 2)
    assert last.event_id == 2


def test_damage_in_the_middle_and_unknown_types_cost_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "j.jsonl"
    path.write_bytes(
        b'{"type":"turn_end","event_id":1}\n\xff\xfe\nnot json\n\n'
        b'{"type":"new_thing","event_id":2}\n{"type":"turn_end","event_id":3}\n'
    )
    first, damage, unknown, last = load_events(path)
    assert (first.event_id, last.event_id) == (1, 3)
    assert isinstance(damage, DamagedLines)
    assert damage.count == 2
    assert isinstance(unknown, UnknownEvent)


def test_a_journal_that_is_not_there_is_said_in_words(tmp_path: Path) -> None:
    with pytest.raises(WorkspaceError, match="cannot read the journal"):
        load_events(tmp_path / "missing.jsonl")


@pytest.mark.skipif(sys.platform != "linux", reason="/dev/full is a Linux device")
def test_a_full_disk_stops_the_record_and_nothing_else() -> None:
    journal = JsonlEventJournal("/dev/full")
    journal.append(TurnEnd(event_id=1))
    assert journal.failure is not None
    assert "No space left" in journal.failure
    journal.append(TurnEnd(event_id=2))
    journal.close()


def test_a_secret_that_is_a_word_of_the_format_costs_that_line_only(tmp_path: Path) -> None:
    journal = JsonlEventJournal(
        tmp_path / "j.jsonl", redactor=lambda text: text.replace("answer", "(redacted)")
    )
    journal.append(StreamedText(event_id=1, kind="answer", text="the answer"))
    journal.append(TurnEnd(event_id=2))
    journal.close()
    assert journal.failure is None
    damaged, end = load_events(journal.path)
    assert isinstance(damaged, DamagedLines)
    assert end.event_id == 2
    assert "answer" not in journal.path.read_text()


HOSTILE = [
    "a\nb\r\nc\x00d\x1b[0m\x85\u2028\u2029\x1c",
    "\ud800 half of a character",
    "x" * 5_000_000,
    '"type":"agent_start"\\',
    "",
]


def test_any_output_is_one_line_that_comes_back(journal: JsonlEventJournal) -> None:
    odd = {"n": float("nan"), "i": float("inf"), "deep": [[[{"\x00": None}]]], "\ud83d": 1}
    for number, text in enumerate(HOSTILE, start=1):
        journal.append(ToolEnd(event_id=number, tool="t", success=True, content=text, diff=text))
    journal.append(ToolStart(event_id=9, tool="t", input=odd))
    journal.close()
    lines = journal.path.read_bytes().split(b"\n")
    assert len(lines) == len(HOSTILE) + 2
    assert lines[-1] == b""

    def refuse(constant: str) -> None:
        raise ValueError(constant)

    for line in lines[:-1]:
        json.loads(line, parse_constant=refuse)
    *ends, start = load_events(journal.path)
    kept = [end.content for end in ends if isinstance(end, ToolEnd)]
    assert kept == [text.replace("\ud800", "\ufffd") for text in HOSTILE]
    assert isinstance(start, ToolStart)
    assert start.input["n"] is None
    assert journal.failure is None


FULL_FOR_A_WHILE = """
import asyncio, resource, sys
from agent_cockpit.engine.record.bus import EventBus
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.events.harness import AgentStart
from agent_cockpit.events.sitting import Notice

async def main():
    journal = JsonlEventJournal(sys.argv[1])
    if sys.argv[2] == "locked":
        journal.lock()
    bus = EventBus("s", journal)
    bus.publish(AgentStart(goal="one"))
    now = journal.path.stat().st_size
    resource.setrlimit(resource.RLIMIT_FSIZE, (now + 100, resource.RLIM_INFINITY))
    for goal in ("two", "three"):
        bus.publish(AgentStart(goal=goal))
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    resource.setrlimit(resource.RLIMIT_FSIZE, unlimited)
    bus.publish(AgentStart(goal="four"))
    journal.close(release=True)
    for event in bus.history:
        print(event.level if isinstance(event, Notice) else "", getattr(event, "text", event.type))

asyncio.run(main())
"""


@pytest.mark.skipif(sys.platform == "win32", reason="files have no size limit there")
@pytest.mark.parametrize("locked", ["locked", "open"])
def test_a_disk_that_was_full_for_a_while_loses_what_came_then_and_says_so(
    tmp_path: Path, locked: str
) -> None:
    path = tmp_path / "j.jsonl"
    command = [sys.executable, "-c", FULL_FOR_A_WHILE, str(path), locked]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    one, two, lost, three, four, again = done.stdout.splitlines()
    assert [one, two, three, four] == [" agent_start"] * 4
    assert "error This sitting is no longer recorded" in lost
    assert again == "warning This sitting is recorded again; 3 lines of it lost."
    kept = load_events(path)
    goals = [event.goal for event in kept if isinstance(event, AgentStart)]
    assert goals == ["one", "four"]
    torn = [event for event in kept if isinstance(event, DamagedLines)]
    assert len(torn) == (0 if locked == "locked" else 1), "a locked journal takes the part back"


@pytest.mark.skipif(sys.platform == "win32", reason="an open file cannot be deleted there")
async def test_a_journal_that_is_deleted_goes_on_in_a_new_file_and_says_so(tmp_path: Path) -> None:
    journal = JsonlEventJournal(tmp_path / "j.jsonl")
    journal.lock()
    bus = EventBus("s", journal)
    bus.publish(AgentStart(goal="one"))
    journal.path.unlink()
    await bus.sync()
    bus.publish(AgentStart(goal="two"))
    told = [event.text for event in bus.history if isinstance(event, Notice)]
    assert "deleted while it was written" in told[0]
    assert "recorded again" in told[1]
    assert is_locked(journal.path)
    journal.close(release=True)
    goals = [e.goal for e in load_events(journal.path) if isinstance(e, AgentStart)]
    assert goals == ["two"]


@pytest.mark.skipif(sys.platform == "win32", reason="advisory locks are of POSIX systems")
def test_two_processes_cannot_write_one_journal(journal: JsonlEventJournal) -> None:
    journal.lock()
    program = (
        "import sys; from agent_cockpit.engine.record.journal import JsonlEventJournal as J\n"
        "from agent_cockpit.errors import SittingLocked\n"
        "try: J(sys.argv[1]).lock()\n"
        "except SittingLocked as e: print(e); sys.exit(9)"
    )
    command = [sys.executable, "-c", program, str(journal.path)]
    other = subprocess.run(command, capture_output=True, text=True, check=False)
    assert other.returncode == 9
    mine = f" (process {os.getpid()})" if sys.platform == "linux" else ""
    assert f"another running cockpit{mine}" in other.stdout
    journal.close()
    assert subprocess.run(command, check=False, capture_output=True).returncode == 9
    journal.close(release=True)
    assert subprocess.run(command, check=False, capture_output=True).returncode == 0
