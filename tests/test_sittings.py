"""The list of sittings: quick, honest about what it cannot read, exact about which is meant."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from agent_cockpit.cli import main
from agent_cockpit.cli.others import LISTED, others_of
from agent_cockpit.engine.record.journal import JsonlEventJournal
from agent_cockpit.errors import PersonCanAct
from agent_cockpit.events.base import Event
from agent_cockpit.events.harness import AgentEnd, AgentStart, ModelDecisionEvent, ToolEnd
from agent_cockpit.events.messages import Message
from agent_cockpit.events.sitting import SittingMessage, SittingRenamed, SittingStarted
from agent_cockpit.sittings import (
    HEAD_BYTES,
    TAIL_BYTES,
    Course,
    Recorded,
    course_of,
    find,
    newest,
    says,
)
from agent_cockpit.sittings import sittings as listed

IDS = ("aaaa1111", "aaab2222", "cccc3333")

CUT = AgentEnd(outcome="incomplete", status="interrupted")
WELL = Course(1, "success")


def goal(prompt: str, outcome: str | None = "success") -> list[Event]:
    start: list[Event] = [AgentStart(goal=prompt)]
    return start if outcome is None else [*start, AgentEnd(outcome=outcome, status="completed")]


class Shelf:
    """A folder of journals, each written a minute after the one before."""

    def __init__(self, home: Path) -> None:
        self.folder = home / "state" / "agent-cockpit" / "journals"
        self.folder.mkdir(parents=True)
        self.here = home / "here"
        self.there = home / "there"
        self.here.mkdir()
        self.there.mkdir()
        self._minutes = 0

    def put(self, session_id: str, *events: Event, at: Path | None = None) -> Path:
        path = self.folder / f"2026-{session_id[:12]}.jsonl"
        path.unlink(missing_ok=True)
        journal = JsonlEventJournal(path)
        started = SittingStarted(workspace=str(at or self.here), preamble="you work", model="m")
        for number, event in enumerate((started, *events), start=1):
            stamps = {"session_id": session_id, "event_id": number}
            journal.append(event.model_copy(update=stamps))
        journal.close()
        return self.touch(path)

    def raw(self, name: str, content: bytes) -> Path:
        path = self.folder / name
        path.write_bytes(content)
        return self.touch(path)

    def touch(self, path: Path) -> Path:
        self._minutes += 1
        os.utime(path, (self._minutes * 60, self._minutes * 60))
        return path


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Shelf:
    for name in ("CONFIG", "STATE", "DATA", "CACHE"):
        monkeypatch.setenv(f"XDG_{name}_HOME", str(tmp_path / name.lower()))
    shelf = Shelf(tmp_path)
    monkeypatch.chdir(shelf.here)
    return shelf


def test_the_newest_comes_first_and_those_without_a_prompt_not_at_all(shelf: Shelf) -> None:
    shelf.put(IDS[0], *goal("one"))
    shelf.put(IDS[1])
    shelf.put(IDS[2], *goal("three"), *goal("four"))
    assert [each.prompt for each in listed(shelf.folder)] == ["three", "one"]
    assert list(listed(shelf.folder / "none")) == []


@pytest.mark.parametrize(
    ("events", "course"),
    [
        (goal("one"), WELL),
        ([*goal("one"), *goal("two", "blocked")], Course(2, "blocked")),
        ([*goal("one"), *goal("two", None)], Course(2, "interrupted")),
        ([*goal("one", None), CUT], Course(1, "interrupted")),
        ([*goal("one"), *[ToolEnd(tool="t", success=True, content="x" * 999)] * 500], WELL),
        (goal('"type":"agent_start"'), WELL),
    ],
)
def test_how_a_sitting_went(shelf: Shelf, events: list[Event], course: Course) -> None:
    shelf.put(IDS[0], *events)
    (only,) = listed(shelf.folder)
    assert course_of(only) == course


@pytest.mark.skipif(sys.platform == "win32", reason="advisory locks are of POSIX systems")
def test_a_goal_without_an_end_runs_while_its_journal_is_locked(shelf: Shelf) -> None:
    journal = JsonlEventJournal(shelf.put(IDS[0], *goal("one", None)))
    journal.lock()
    (only,) = listed(shelf.folder)
    assert course_of(only).outcome == "running"
    journal.close(release=True)
    assert course_of(only).outcome == "interrupted"


def test_a_goals_mark_is_found_however_far_from_the_end(shelf: Shelf) -> None:
    for size in (TAIL_BYTES - 200, TAIL_BYTES, TAIL_BYTES * 9, TAIL_BYTES * 70):
        output = ToolEnd(tool="t", success=True, content="y" * size)
        shelf.put(IDS[0], *goal("one"), *goal("two", None), output)
        (only,) = listed(shelf.folder)
        assert course_of(only) == Course(2, "interrupted")


def test_what_cannot_be_read_is_listed_as_such(shelf: Shelf) -> None:
    shelf.raw("a.jsonl", b"\x00" * 5000)
    shelf.raw("b.jsonl", b"{broken\n[1, 2]\nnull\n")
    shelf.raw("c.jsonl", b"[" * 100_000)
    shelf.raw("empty.jsonl", b"")
    shelf.raw("not-one.txt", b"words")
    (shelf.folder / "folder.jsonl").mkdir()
    (shelf.folder / "gone.jsonl").symlink_to(shelf.folder / "nowhere")
    shelf.put(IDS[0], *goal("one"))
    found = [(each.path.name, each.problem) for each in listed(shelf.folder)]
    assert found == [
        ("2026-aaaa1111.jsonl", ""),
        *((f"{name}.jsonl", "holds no sitting") for name in "cba"),
    ]


@pytest.mark.skipif(not hasattr(os, "geteuid") or os.geteuid() == 0, reason="root reads all")
def test_a_journal_that_may_not_be_read_says_so(shelf: Shelf) -> None:
    shelf.put(IDS[0], *goal("one")).chmod(0)
    (only,) = listed(shelf.folder)
    assert "denied" in only.problem


def test_a_torn_or_damaged_journal_is_known_by_what_is_left(shelf: Shelf) -> None:
    path = shelf.put(IDS[0], *goal("one"), *goal("two"))
    whole = path.read_bytes()
    for size in range(len(whole.splitlines()[0]) + 1, len(whole)):
        path.write_bytes(whole[:size])
        for each in listed(shelf.folder):
            assert each.session_id == IDS[0]
            assert course_of(each).outcome in ("success", "interrupted")


def test_prompts_and_answers_are_searched_and_nothing_else(shelf: Shelf) -> None:
    shelf.put(
        IDS[0],
        *goal("Fix the PARSER of Straße"),
        ModelDecisionEvent(action_type="final_answer", action='He said "größer"'),
        ToolEnd(tool="t", success=True, content="only in a tool's output"),
    )
    (only,) = listed(shelf.folder)
    for text in ("parser", "STRASSE", '"GRÖSSER"', "he said"):
        assert says(only, text), text
    for text in ("you work", "only in a tool", "agent_start"):
        assert not says(only, text), text


def test_which_one_is_meant(shelf: Shelf) -> None:
    shelf.put(IDS[0], *goal("one"), at=shelf.there)
    shelf.put(IDS[1], *goal("two"))
    shelf.put(IDS[2], *goal("three"), at=shelf.there)

    def meant(word: str) -> str:
        return find(shelf.folder, word, shelf.here).prompt

    assert meant("cccc") == meant("CCCC3333") == meant("2026-cccc") == "three"
    assert meant("aaaa") == "one"
    assert meant("2026") == "two", "this folder's own come first"
    assert meant(str(shelf.folder / "2026-aaaa1111.jsonl")) == "one"
    assert newest(shelf.folder, shelf.there).prompt == "three"
    assert newest(shelf.folder, shelf.here).prompt == "two"


@pytest.mark.parametrize(
    ("word", "told"),
    [
        ("zzzz", "no sitting has the id `zzzz`"),
        ("aa", "is too short"),
        ("", "is too short"),
        ("2026-", "may be any of cccc3333, aaab2222; write more of it"),
        ("nowhere/j.jsonl", "does not exist"),
        ("nowhere.jsonl", "does not exist"),
        ("../here", "is a folder"),
    ],
)
def test_what_means_none_or_several_is_told(shelf: Shelf, word: str, told: str) -> None:
    shelf.put(IDS[1], *goal("two"))
    shelf.put(IDS[2], *goal("three"))
    with pytest.raises(PersonCanAct, match=told.replace("(", "\\(")):
        find(shelf.folder, word, shelf.here)


def test_a_sitting_without_a_prompt_is_found_by_its_id_and_listed_nowhere(shelf: Shelf) -> None:
    path = shelf.put("aaaa1111")
    assert find(shelf.folder, "aaaa1111", shelf.here).path == path
    assert list(listed(shelf.folder)) == []


def test_the_other_sittings_of_a_folder_are_listed_and_found(shelf: Shelf) -> None:
    opened: list[Recorded] = []

    def open_past(past: Recorded) -> Any:
        opened.append(past)

    others = others_of(shelf.here, open_past)
    assert others.listed() == "nothing was asked in this folder before"
    for number in range(LISTED + 1):
        path = shelf.put(f"{number:04}aaaa", *goal(f"mend it {number}"))
    shelf.put("bbbb1111", *goal("elsewhere"), at=shelf.there)
    head, first, *_, last = others.listed().splitlines()
    assert "/resume ID" in head
    assert first.startswith(f"  {LISTED:04}aaaa  19")
    assert first.endswith(f"success · mend it {LISTED}")
    assert last == "  older ones: agent-cockpit sessions"
    past = others.find(f"{LISTED:04}")
    past.open_source()
    assert [each.path for each in opened] == [path]
    with pytest.raises(PersonCanAct, match=f"that sitting is of {shelf.there}"):
        others.find("bbbb1111")


def test_the_copy_of_a_journal_is_told_apart_by_its_place(shelf: Shelf) -> None:
    first = shelf.put("aaaa1111", *goal("mend it"))
    copy = shelf.raw("copy.jsonl", first.read_bytes())
    with pytest.raises(PersonCanAct) as told:
        find(shelf.folder, "aaaa1111", shelf.here)
    assert str(told.value) == f"`aaaa1111` is copied; name the journal: {copy}, {first}"
    assert find(shelf.folder, str(copy), shelf.here).path == copy


def test_a_folder_without_sittings_has_no_newest(shelf: Shelf) -> None:
    shelf.put(IDS[0], *goal("one"))
    shelf.put(IDS[1])
    with pytest.raises(PersonCanAct, match="no sitting was recorded in"):
        newest(shelf.folder, shelf.there)


def test_a_thousand_sittings_are_not_read_to_find_the_newest(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(300):
        shelf.put(f"{number:08d}", *goal(f"goal {number}"))
    opened: list[Path] = []
    really_open = Path.open

    def open_and_tell(path: Path, *how: Any, **options: Any) -> Any:
        opened.append(path)
        return really_open(path, *how, **options)

    monkeypatch.setattr(Path, "open", open_and_tell)
    assert newest(shelf.folder, shelf.here).prompt == "goal 299"
    assert len(opened) == 1
    some = listed(shelf.folder)
    assert [next(some).prompt for _ in range(3)] == ["goal 299", "goal 298", "goal 297"]
    assert len(opened) == 4


def test_a_journal_of_any_size_is_known_by_its_head(shelf: Shelf) -> None:
    big = ToolEnd(tool="t", success=True, content="x" * HEAD_BYTES)
    shelf.put(IDS[0], *goal("one"), big, big)
    (only,) = listed(shelf.folder)
    assert only.prompt == "one"


# ── on the command line ──────────────────────────────────────────────────────────────────────────


def printed(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[list[str], str]:
    assert main(["sessions", *words]) == 0
    said = capsys.readouterr()
    return said.out.splitlines(), said.err


def test_the_list_shows_this_folder_or_all(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf.put(IDS[0], *goal("fix\x1b[31m it\nnow"), *goal("more", "blocked"))
    shelf.put(IDS[1], *goal("elsewhere"), at=shelf.there)
    head, *lines = printed(capsys)[0]
    assert head.split() == ["ID", "WRITTEN", "GOALS", "OUTCOME", "PROMPT"]
    (line,) = lines
    assert line.startswith("aaaa1111")
    assert line.endswith("    2  blocked      fix it now")
    assert len(printed(capsys, "--all")[0]) == 3
    assert printed(capsys, "--workspace", str(shelf.there))[0][1].endswith("elsewhere")
    assert printed(capsys, "--search", "MORE")[0] == [head, line]


def test_an_empty_list_is_said_beside_stdout(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    assert printed(capsys) == ([], f"no sittings in {shelf.here}\n")
    assert printed(capsys, "--all") == ([], "no sittings\n")
    nothing = "no sittings with `x` in a prompt or answer\n"
    assert printed(capsys, "--all", "--search", "x") == ([], nothing)
    assert json.loads("\n".join(printed(capsys, "--json")[0])) == []


def test_json_holds_all_facts(shelf: Shelf, capsys: pytest.CaptureFixture[str]) -> None:
    path = shelf.put(IDS[0], *goal("fix it"))
    shelf.raw("a.jsonl", b"nothing")
    broken, whole = json.loads("\n".join(printed(capsys, "--json")[0]))
    assert broken["problem"] == "holds no sitting"
    expected: dict[str, Any] = {
        "id": IDS[0],
        "journal": str(path),
        "workspace": str(shelf.here),
        "prompt": "fix it",
        "goals": 1,
        "outcome": "success",
        "problem": "",
    }
    assert expected.items() <= whole.items()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--continue"], "no sitting was recorded in"),
        (["run", "x", "-c"], "no sitting was recorded in"),
        (["--resume", "zzzz"], "no sitting has the id"),
        (["--resume", "~who-is-that/j.jsonl"], "the journal ~who-is-that/j.jsonl does not exist"),
        (["--resume", "j.jsonl"], "the journal j.jsonl does not exist"),
        (["-c", "-r", "x"], "give one of them"),
        (["-c", "--log", "j"], "leave --log out"),
        (["run", "x", "-r", "y", "--log", "j"], "leave --log out"),
    ],
)
def test_what_cannot_go_on_is_one_sentence(
    shelf: Shelf, words: list[str], told: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err


def test_a_sitting_whose_folder_is_gone_needs_another(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    gone = shelf.there / "gone"
    path = shelf.put(IDS[0], *goal("one"), at=gone)
    assert main(["run", "x", "--resume", "aaaa", "--provider", "demo"]) == 2
    assert f"{gone}, is gone; name the one to work on" in capsys.readouterr().err
    words = ["run", "hello", "--resume", "aaaa", "--workspace", ".", "--provider", "demo"]
    assert main(words) == 0
    assert "this sitting was recorded in" in capsys.readouterr().err
    assert b'"sitting.resumed"' in path.read_bytes()


def test_a_sitting_is_listed_and_meant_by_its_newest_name(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    names = (SittingRenamed(name="draft"), SittingRenamed(name="Parser"))
    path = shelf.put("aaaa1111", *goal("write it"), *names)
    shelf.put("cccc3333", *goal("another"))
    assert main(["sessions"]) == 0
    assert "Parser · write it" in capsys.readouterr().out
    assert find(shelf.folder, "parser", shelf.here).path == path
    with pytest.raises(PersonCanAct):
        find(shelf.folder, "draft", shelf.here)


ASKED = (SittingMessage(message=Message.of("user", "mend it")), *goal("mend it"))


@pytest.mark.parametrize(
    ("form", "begins", "holds"),
    [
        ("md", "<!-- agent-cockpit sitting cccc3333 -->", "> mend it"),
        ("html", "<!-- agent-cockpit sitting cccc3333 -->", "<p>mend it</p>"),
        ("json", '{ "agent_cockpit_sitting": "cccc3333",', '"text": "mend it"'),
    ],
)
def test_a_sitting_is_written_as_a_document(
    shelf: Shelf, capsys: pytest.CaptureFixture[str], form: str, begins: str, holds: str
) -> None:
    shelf.put(IDS[2], *ASKED)
    assert main(["export", IDS[2], "--as", form]) == 0
    told = capsys.readouterr().out
    assert told.startswith(begins)
    assert holds in told
    assert main(["export", "-o", f"kept.{form}"]) == 0
    assert (shelf.here / f"kept.{form}").read_text() == told
    assert main(["export", "-o", f"kept.{form}"]) == 0
    assert "earlier export of this sitting" in capsys.readouterr().err
    if form == "json":
        assert json.loads(told)["title"] == "mend it"


def test_an_export_writes_over_nothing_that_is_not_its_own(
    shelf: Shelf, capsys: pytest.CaptureFixture[str]
) -> None:
    shelf.put(IDS[0], *ASKED)
    shelf.put(IDS[2], *ASKED)
    assert main(["export", IDS[0], "-o", "a.html"]) == 0
    before = (shelf.here / "a.html").read_text()
    assert main(["export", IDS[2], "-o", "a.html"]) == 2
    assert "there already" in capsys.readouterr().err
    assert (shelf.here / "a.html").read_text() == before
    assert main(["export", "nobody"]) == 2
    assert main(["export", IDS[0], "-o", "no/such/folder/a.md"]) == 2
