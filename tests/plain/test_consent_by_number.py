"""Calls that a person changes, takes in part, or that go away, in plain lines."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.cockpit.consent.choice import Given
from agent_cockpit.cockpit.consent.question import about_dirty_tree
from agent_cockpit.engine.record.journal_reader import read_journal
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.harness import ApprovalRequested, ApprovalResolved
from agent_cockpit.plain.asking import Asking
from agent_cockpit.plain.choosing import hunks_chosen
from agent_cockpit.plain.hearing import Hearing
from agent_cockpit.plain.reading import Lines
from agent_cockpit.transcript.approval_view import view_of
from tests.plain.paper import Paper, sit
from tests.support.goals import Folder, runs, writes
from tests.support.scripted_provider import says
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes on an event loop")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_command_is_edited_in_a_line_and_asked_about_again(folder: Folder) -> None:
    repl = folder.sitting(runs("mkdir one"), says("done"))
    told = sit(
        repl,
        [
            "go",
            ("7  edit its command  (e)", "e"),
            ("the new command in one line", "mkdir two"),
            ("as you changed it", None),
            ("$ mkdir two", None),
            ("1  once", "y"),
        ],
    )
    assert (folder.root / "two").is_dir()
    assert not (folder.root / "one").exists()
    assert told.count("? run a command?") == 2
    said = str(folder.provider.requests[-1].messages)
    assert "changed this call before it ran" in said


def test_an_edited_call_is_recorded_as_edited_by_hand(folder: Folder) -> None:
    repl = folder.sitting(runs("mkdir one"), says("done"), recorded=True)
    sit(repl, ["go", ("answer 1-", "e"), ("one line", "mkdir two"), ("  1  once", "y")])
    (resolved,) = [
        event for event in read_journal(folder.journal) if isinstance(event, ApprovalResolved)
    ]
    assert resolved.edited == {"command": "mkdir two"}


def test_where_the_input_ended_a_no_says_so(folder: Folder) -> None:
    repl = folder.sitting(runs("mkdir one"), says("left"), max_repair_attempts=0)
    told = sit(repl, ["go", ("answer 1-", None)])
    assert not (folder.root / "one").exists()
    assert "nobody answered: the input has ended" in told
    assert "nobody answered" in str(folder.provider.requests[1].messages)


def test_what_was_typed_before_an_edited_call_was_told_again_is_no_answer(folder: Folder) -> None:
    repl = folder.sitting(runs("mkdir one"), says("left"), max_repair_attempts=0)
    told = sit(
        repl, ["go", ("answer 1-", "e"), ("one line", "mkdir two\ny"), ("no answer: y", "n")]
    )
    assert not (folder.root / "two").exists()
    assert "denied by you" in told


def test_a_call_whose_answer_was_not_taken_asks_again(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    repl = folder.sitting(runs("mkdir one"), says("done"))
    taken = repl.resolve_approval
    problems = [PersonCanAct("not so")]

    async def resolve(approval_id: str, **given: Any) -> None:
        if problems:
            raise problems.pop()
        await taken(approval_id, **given)

    monkeypatch.setattr(repl, "resolve_approval", resolve)
    told = sit(repl, ["go", ("  1  once", "y"), ("not taken: not so", None), ("  1  once", "y")])
    assert (folder.root / "one").is_dir()
    assert told.count("? run a command?") == 2


def test_the_content_of_a_file_is_edited_line_by_line(folder: Folder) -> None:
    repl = folder.sitting(writes("bad still\n"), says("done"), asks_edits=True)
    told = sit(
        repl,
        [
            "make it good",
            ("edit its text", "e"),
            ("line by line", "good"),
            ("line 2:", "and more"),
            ("line 3:", "."),
            ("as you changed it", None),
            ("1  once", "1"),
        ],
    )
    assert folder.text() == "good\nand more\n"
    assert "    +and more" in told


@pytest.mark.parametrize("nothing", ["", "mkdir one"])
def test_a_call_that_was_not_changed_is_asked_about_as_it_was(folder: Folder, nothing: str) -> None:
    repl = folder.sitting(runs("mkdir one"), says("done"))
    told = sit(repl, ["go", ("answer 1-", "e"), ("one line", nothing), ("it is as it was", "y")])
    assert (folder.root / "one").is_dir()
    assert "as you changed it" not in told


def test_a_changed_call_that_could_not_run_says_why_and_the_question_stands(
    folder: Folder,
) -> None:
    repl = folder.sitting(runs("mkdir one"), says("done"))
    told = sit(
        repl,
        ["go", ("answer 1-", "e"), ("one line", "touch .git/there"), ("! not so: ", "y")],
    )
    assert (folder.root / "one").is_dir()
    assert "as you changed it" not in told


def _two_hunks(folder: Folder) -> Any:
    lines = [f"line {number}\n" for number in range(20)]
    (folder.root / "long.txt").write_text("".join(lines))
    lines[1], lines[18] = "first\n", "last\n"
    return writes("".join(lines), "long.txt")


def test_hunks_of_an_edit_are_allowed_by_number(folder: Folder) -> None:
    edit = _two_hunks(folder)
    repl = folder.sitting(edit, says("done"), asks_edits=True, allow_dirty=True)
    repl.set_mode("edit")
    told = sit(
        repl,
        [
            "go",
            ("hunk 1 of 2:", None),
            ("some of its 2 hunks", "7"),
            ("which hunks", "3"),
            ("3 names no hunks from 1 to 2", "7"),
            ("which hunks", "2: the first is wrong"),
        ],
    )
    text = folder.text("long.txt")
    assert "last\n" in text
    assert "first\n" not in text
    assert told.index("hunk 1 of 2:") < told.index("+first") < told.index("hunk 2 of 2:")
    assert "the first is wrong" in str(folder.provider.requests[-1].messages)


@pytest.mark.parametrize(
    ("written", "kept"),
    [
        ("1,3", (0, 2)),
        ("1-2", (0, 1)),
        (" 3 , 1 - 2 ", (0, 1, 2)),
        ("2-1", ()),
        ("0", ()),
        ("1,5", ()),
        ("all", ()),
        ("", ()),
    ],
)
def test_hunks_are_named_by_numbers_and_spans(written: str, kept: tuple[int, ...]) -> None:
    assert hunks_chosen(written, 4) == kept


class Typed(Lines):
    """A terminal at which nobody has typed ahead."""

    def __init__(self) -> None:
        super().__init__(-1)
        self.is_terminal = True

    def drain(self) -> str:
        return ""


class Desk:
    """A person at questions, without a sitting behind them."""

    def __init__(self, *, quiet_s: float = 0) -> None:
        self.paper = Paper()
        self.hearing = Hearing(Typed(), self._say, quiet_s=quiet_s)
        self.asking = Asking(self.hearing, self._say, lambda *_: None)
        self.answered: list[tuple[str, Given]] = []

    def waits(self, *commands: str) -> None:
        """These calls wait now, and no other."""
        calls = [
            view_of(
                ApprovalRequested(approval_id=each, tool="run_command", input={"command": each})
            )
            for each in commands
        ]
        self.asking.sync(calls, lambda call, given, _: self.answered.append((call, given)))

    async def told(self, text: str) -> None:
        await until(lambda: text in self.paper.getvalue())

    def _say(self, lines: Any) -> None:
        self.paper.write("".join(f"{line}\n" for line in lines))


async def test_a_call_that_is_withdrawn_before_its_numbers_stand_waits_for_no_line() -> None:
    desk = Desk(quiet_s=60)
    desk.waits("mkdir one")
    await desk.told("$ mkdir one")
    desk.waits()
    await desk.told("it is not asked any more")
    assert not desk.hearing.heard("a prompt")
    assert desk.answered == []


async def test_a_withdrawn_call_takes_no_other_question_with_it() -> None:
    desk = Desk()
    question = about_dirty_tree("", ("a.txt",))
    asked: asyncio.Task[Given | None] = asyncio.create_task(desk.asking.ask(question))
    await desk.told("answer 1-2:")
    desk.waits("mkdir one")
    desk.waits()
    desk.waits("mkdir two")
    assert desk.hearing.heard("1")
    given = await asked
    assert given is not None
    assert given.answer == "allow"
    await desk.told("answer 1-5:")
    assert "mkdir one" not in desk.paper.getvalue()
    assert desk.hearing.heard("y")
    await until(lambda: desk.answered)
    assert [call for call, _ in desk.answered] == ["mkdir two"]


async def test_a_call_that_is_withdrawn_at_its_numbers_gives_the_line_to_the_next() -> None:
    desk = Desk()
    desk.waits("mkdir one", "mkdir two")
    await desk.told("answer 1-5:")
    desk.waits("mkdir two")
    await desk.told("$ mkdir two")
    await until(lambda: desk.paper.getvalue().count("answer 1-5:") == 2)
    assert desk.hearing.heard("y")
    await until(lambda: desk.answered)
    assert [call for call, _ in desk.answered] == ["mkdir two"]
