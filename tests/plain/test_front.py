"""Plain lines, from a pipe to paper: prompts, questions by number, commands."""

from __future__ import annotations

import base64
import sys
from pathlib import Path

import pytest

from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.engine.record.resume import open_past
from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import ProviderError
from agent_cockpit.plain.prompts import Prompts
from agent_cockpit.plain.reading import Lines
from agent_cockpit.prompt_files import PromptFiles
from tests.plain.paper import Paper, sit
from tests.support.goals import Folder, runs, writes
from tests.support.scripted_provider import calls, says

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="pipes on an event loop")


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    return Folder(tmp_path)


def test_a_goal_reads_from_prompt_to_verdict(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("It is good\nnow."), asks_edits=True)
    told = sit(repl, ["make a.txt good", ("answer 1-", "1")])
    assert folder.text() == "good\n"
    lines = told.splitlines()
    places = [
        next(n for n, line in enumerate(lines) if line.startswith(text))
        for text in (
            "> make a.txt good",
            "? write a.txt?  tier 1",
            "    +good",
            "  1  once",
            "* write a.txt  +1 -1",
            "It is good",
            "verified",
        )
    ]
    assert places == sorted(places)
    assert "\x1b" not in told


def test_the_diff_that_was_asked_about_is_told_once(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"), asks_edits=True)
    told = sit(repl, ["make a.txt good", ("answer 1-", "1")])
    assert told.count("+good") == 1


def test_all_of_a_long_edit_is_told_before_its_numbers(folder: Folder) -> None:
    text = "".join(f"line {number}\n" for number in range(600)) + "x" * 5_000 + "the end\n"
    repl = folder.sitting(writes(text), says("left"), asks_edits=True, max_repair_attempts=0)
    told = sit(repl, ["go", ("answer 1-", "n")])
    assert told.index("+line 599") < told.index("the end") < told.index("  1  once")


def test_each_width_of_a_yes_has_its_number_and_its_exact_scope(folder: Folder) -> None:
    repl = folder.sitting(
        runs("mkdir one"), runs("mkdir two"), writes(), says("done"), asks_edits=False
    )
    told = sit(repl, ["make folders, then fix it", ("  4  always: every `mkdir …`", "4")])
    assert "  2  always: exactly this command, in this goal" in told
    assert (folder.root / "two").is_dir()
    assert told.count("? run a command?") == 1


def test_a_no_carries_its_reason_to_the_model(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("left"), asks_edits=True, max_repair_attempts=0)
    told = sit(repl, ["fix it", ("5  no, because", "5"), ("because (one line)", "not on a Monday")])
    assert folder.text() == "bad\n"
    assert "denied by you: not on a Monday" in told


def test_what_was_typed_before_the_question_is_no_answer(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"), asks_edits=True)
    told = sit(repl, ["make a.txt good\n4", ("no answer: 4", None), ("answer 1-", "1")])
    assert folder.text() == "good\n"
    assert told.index("no answer: 4") < told.index("  1  once")


def test_what_is_no_number_is_asked_again(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"), asks_edits=True)
    sit(repl, ["fix", ("answer 1-", "9"), ("9 is no answer", "yes"), ("yes is no answer", "y")])
    assert folder.text() == "good\n"


def test_an_input_that_ends_answers_no(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("left"), asks_edits=True, max_repair_attempts=0)
    told = sit(repl, ["fix it"])
    assert folder.text() == "bad\n"
    assert "not allowed" in told


def test_all_of_a_call_can_be_told(folder: Folder) -> None:
    repl = folder.sitting(runs("mkdir one"), says("done"))
    told = sit(repl, ["go", ("8  tell all of it", "8"), ("part by part", "y")])
    assert "letter for letter" in told
    assert (folder.root / "one").is_dir()


def test_a_plan_is_decided_by_number(folder: Folder) -> None:
    repl = folder.sitting(
        says("1. Write good into a.txt"),
        says("1. Write good into a.txt\n2. Check it"),
        writes(),
        says("done"),
    )
    told = sit(
        repl,
        [
            "/plan",
            ("mode set to plan", "make a.txt good"),
            ("3  another version", "3"),
            ("different", "check it too"),
            ("? plan · version 2", None),
            ("answer 1-", "1"),
        ],
    )
    assert folder.text() == "good\n"
    assert "[x] 1. Write good into a.txt" in told


def test_a_plan_is_left_when_the_input_ends(folder: Folder) -> None:
    repl = folder.sitting(says("1. Write good into a.txt"))
    told = sit(repl, ["/plan", ("mode set to plan", "make a.txt good")])
    assert folder.text() == "bad\n"
    assert "left as it is" in told


def test_a_dirty_tree_is_a_question(folder: Folder) -> None:
    (folder.root / "notes.md").write_text("mine\n")
    repl = folder.sitting(writes(), says("done"))
    told = sit(repl, ["make a.txt good", ("answer 1-2", "1")])
    assert "uncommitted changes" in told
    assert folder.text() == "good\n"


def test_commands_are_answered_in_lines(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"))
    told = sit(
        repl,
        ["make it good", ("verified", "/diff"), ("+good", "/nonsense"), ("unknown", "/help")],
    )
    assert "/permissions" in told
    assert "> /help" in told


def test_what_was_done_is_taken_back_and_made_again_in_lines(folder: Folder) -> None:
    repl = folder.sitting(writes(), says("done"))
    told = sit(
        repl,
        [
            "make it good",
            ("verified", "/undo"),
            ("changed back: a.txt", "/undo"),
            ("no goal", "/redo"),
        ],
    )
    assert '- taken back: "make it good" · 1 file · /redo makes it again' in told
    assert '- made again: "make it good" · 1 file · /undo takes it back' in told
    assert told.count("taken back:") == 1
    assert folder.text() == "good\n"


def test_what_is_allowed_is_listed_and_taken_back_by_number(folder: Folder) -> None:
    repl = folder.sitting(runs("mkdir one"), says("done"), runs("mkdir two"), says("left"))
    told = sit(
        repl,
        [
            "go",
            ("  4  always: every `mkdir …`", "4"),
            ("done", "/permissions"),
            ("1  every `mkdir …`", "/permissions revoke 1"),
            ("revoked: every `mkdir …`", "again"),
            ("? run a command?", None),
            ("answer 1-", "n"),
        ],
    )
    assert told.count("? run a command?") == 2
    assert not (folder.root / "two").exists()


def test_without_a_clipboard_a_copy_goes_into_a_file(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_TTY", "/dev/pts/1")
    repl = folder.sitting(says("An answer."), recorded=True)
    told = sit(repl, ["/copy", ("nothing to copy yet", "hi"), ("An answer.", "/copy")])
    assert "there is no clipboard here" in told
    assert f"exported to {folder.journal.with_suffix('.md')}" in told
    assert "An answer." in folder.journal.with_suffix(".md").read_text()


def test_a_terminal_is_given_the_last_answer_to_copy(
    folder: Folder, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SSH_TTY", "/dev/pts/1")
    monkeypatch.setenv("TERM", "xterm-256color")
    repl = folder.sitting(says("An answer."))
    told = sit(repl, ["hi", ("An answer.", "/copy")], paper=Paper(is_terminal=True))
    assert "- copied 10 characters" in told
    assert f"\x1b]52;c;{base64.b64encode(b'An answer.').decode()}\x07" in told


def test_no_command_runs_that_came_through_a_pipe(folder: Folder) -> None:
    repl = folder.sitting(says("Yes."))
    told = sit(repl, ["!echo ran > a.txt", ("not run", " !a.txt matters"), "!"])
    assert "ran" not in folder.text()
    assert "\nYes.\n" in told
    assert told.count("a command of yours runs where you type it") == 2


def test_a_failure_is_told_and_the_next_prompt_is_taken(folder: Folder) -> None:
    repl = folder.sitting([ProviderError("the key was refused", kind="auth")], says("hello"))
    told = sit(repl, ["hi", ("the key was refused", "hi again")])
    assert "\nhello\n" in told


def test_a_line_that_ends_in_a_backslash_goes_on(folder: Folder) -> None:
    repl = folder.sitting(says("two lines"))
    sit(repl, ["one\\", "two"])
    (prompt,) = [turn.text for turn in repl.state.history if turn.role == "user"]
    assert prompt == "one\ntwo"


def test_prompts_of_a_script_are_taken_one_after_the_other(folder: Folder) -> None:
    repl = folder.sitting(says("first"), says("second"))
    told = sit(repl, ["what is a.txt?", "and notes.md?"])
    assert told.index("first") < told.index("> and notes.md?") < told.index("second")


def test_hidden_characters_of_a_call_are_written_out(folder: Folder) -> None:
    repl = folder.sitting(calls(("run_command", {"command": "mkdir \u202ea\x1b[2J"})), says("x"))
    told = sit(repl, ["go"])
    assert "<U+202E>" in told
    assert "\x1b" not in told


def test_a_new_sitting_knows_nothing_of_the_one_before(tmp_path: Path) -> None:
    first, second = Folder(tmp_path / "one"), Folder(tmp_path / "two")
    sitting = second.sitting(says("second"), recorded=True)
    told = sit(
        first.sitting(says("first"), recorded=True),
        ["hello", ("first", "/new"), ("goes on with", "hello again")],
        open_new=lambda: sitting,
    )
    assert told.index("first") < told.index("agent-cockpit --resume") < told.index("second")
    assert "first" not in str(second.provider.requests[0].messages)


def test_a_sitting_that_is_taken_up_again_shows_where_it_was(folder: Folder) -> None:
    told = sit(folder.sitting(says("An answer."), recorded=True), ["one", ("An answer.", "/quit")])
    assert "go on: agent-cockpit --resume" in told
    journal = JsonlEventJournal(folder.journal)
    repl = ReplSession(folder.harness(), journal=journal, past=open_past(journal))
    again = sit(repl, ["/quit"])
    assert again.index("> one") < again.index("An answer.") < again.index("taken up again")


def test_prompts_are_kept_for_the_next_sitting_and_commands_are_not(folder: Folder) -> None:
    memory = PromptFiles(folder.root, state=folder.state)
    sit(folder.sitting(says("An answer.")), ["/status", "what is a.txt?"], memory=memory)
    assert PromptFiles(folder.root, state=folder.state).earlier() == ["what is a.txt?"]


def test_a_prompt_that_was_not_sent_is_there_in_the_next_sitting_until_one_is(
    folder: Folder,
) -> None:
    (folder.root / "notes.md").write_text("mine\n")
    memory = PromptFiles(folder.root, state=folder.state)
    told = sit(folder.sitting(), ["make it good", ("answer 1-2", "2")], memory=memory)
    assert "not sent: make it good" in told
    lines = Lines()
    lines.is_terminal = True
    prompts = Prompts(lines, PromptFiles(folder.root, state=folder.state), print)
    prompts.recall()
    assert prompts.take_draft() == "make it good"
    prompts.close()
    again = Prompts(lines, PromptFiles(folder.root, state=folder.state), print)
    again.recall()
    again.take_draft()
    again.sent("something else")
    again.close()
    assert PromptFiles(folder.root, state=folder.state).take_drafts() == []


def test_a_memory_that_cannot_be_used_stops_nothing(folder: Folder) -> None:
    folder.state.mkdir()
    (folder.state / "prompts").write_text("in the way")
    memory = PromptFiles(folder.root, state=folder.state)
    told = sit(folder.sitting(says("An answer.")), ["hello"], memory=memory)
    assert told.count("the prompts of this project are not kept") == 1
    assert "An answer." in told


@pytest.mark.parametrize("at", ["agent-cockpit", "? write a.txt?", "answer 1-", "You said"])
def test_when_nobody_reads_any_more_the_goal_is_stopped_and_the_sitting_closed(
    folder: Folder, at: str
) -> None:
    repl = folder.sitting(writes(), says("You said no."), asks_edits=True, max_repair_attempts=0)
    with pytest.raises(BrokenPipeError):
        sit(repl, ["make a.txt good"], paper=Paper(torn_at=at))
    assert folder.text() == "bad\n"
    with pytest.raises(RuntimeError):
        repl.start("another")
