"""The cockpit on a person's own repository, with a model server on 127.0.0.1."""

from __future__ import annotations

import sys

import pytest

if sys.platform == "win32":
    pytest.skip("needs a pseudo-terminal", allow_module_level=True)

import re
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from tests.e2e.cockpit import READY, Cockpit, composer, is_lit, panel
from tests.support.chat_server import (
    ChatServer,
    ScriptItem,
    calls,
    failure,
    fixing_script,
    hang,
    held,
    says,
    silent,
    slowly,
)
from tests.support.repositories import git, private_parts, write

pytestmark = pytest.mark.e2e

HOSTILE = "\x1b]52;c;aGk=\x07\x1b[2J\x9b31m\u202e"
GOAL = "Fix the failing test"
DIRTY = "[y] yes, for this sitting"


@contextmanager
def opened(project: Path, environ: dict[str, str], base_url: str, *flags: str) -> Iterator[Cockpit]:
    named = ["--provider", "openai", "--base-url", base_url, "--model", "test-model"]
    log = ["--log", str(project.parent / "journal.jsonl")]
    with Cockpit([project, *named, *log, *flags], environ) as cockpit:
        yield cockpit.opened()


@contextmanager
def served(
    project: Path, environ: dict[str, str], script: Sequence[ScriptItem], *flags: str
) -> Iterator[Cockpit]:
    with (
        ChatServer(script, repeat_last=True) as server,
        opened(project, environ, server.base_url, *flags) as cockpit,
    ):
        yield cockpit


def foreign(raw: bytes, project: Path) -> list[bytes]:
    """What in the output no screen of ours would write: clipboard, other titles than ours, links
    out of the project, C1 and bidi signs."""
    link = rb"8;(?:;|id=\d+;file://[\w.-]*%b/[\w./%%~-]+)(?=\x1b\\)" % str(project).encode()
    orders = rb"\x1b\](?!22;default|2;|%b)[^\x07\x1b]*" % link
    return re.findall(orders + rb"|\xc2[\x80-\x9f]|\xe2\x80\xae", raw)


def test_a_repository_is_mended_its_index_stays_and_its_check_asks_once(
    project: Path, environ: dict[str, str]
) -> None:
    before = private_parts(project)
    with served(project, environ, fixing_script()) as cockpit:
        cockpit.prompt(GOAL)
        cockpit.answer("y", "change calc.py?")
        cockpit.answer("y", "-m unittest")
        cockpit.at_rest("success")
        cockpit.leave()
    assert git(project, "status", "--porcelain") == " M calc.py\n"
    assert private_parts(project) == before


def test_hostile_names_and_words_reach_the_terminal_only_as_signs(
    project: Path, environ: dict[str, str]
) -> None:
    write(project, {f"a{HOSTILE}.txt": f"text {HOSTILE}\n"})
    git(project, "add", "-A")
    git(project, "commit", "-qm", "odd")
    script = [
        calls(("list_files", {"glob": "**/*"}), text=f"I look {HOSTILE}."),
        calls(("run_command", {"command": f"touch 'b{HOSTILE}'"})),
        calls(("write_file", {"path": f"c{HOSTILE}.txt", "content": HOSTILE * 3})),
        says(f"Done {HOSTILE}, see calc.py."),
    ]
    with served(project, environ, script, "--mode", "edit") as cockpit:
        cockpit.prompt(GOAL)
        assert "hidden characters" in "\n".join(cockpit.asked("touch 'b"))
        cockpit.answer("y", "touch 'b")
        cockpit.answer("y", "c␛")
        cockpit.wait_for(lambda rows: "unittest" in "\n".join(panel(rows)))
        cockpit.answer("n", "unittest")
        cockpit.wait_for(READY)
        cockpit.press("ctrl+o")
        cockpit.prompt("/diff")
        cockpit.page("2 files")
        cockpit.press("escape")
        cockpit.leave()
        assert foreign(cockpit.raw, project) == []


@pytest.mark.parametrize(
    ("answer", "told"),
    [
        (failure(401, "no such key"), "OPENAI_API_KEY"),
        (failure(404, "no such model"), "does not know the model"),
        (failure(500, "oops"), "in trouble (500)"),
    ],
    ids=["401", "404", "500"],
)
def test_a_goal_that_the_server_refuses_leaves_the_prompt_usable(
    project: Path, environ: dict[str, str], answer: ScriptItem, told: str
) -> None:
    retried = [answer] * (3 if "500" in told else 1)
    with served(project, environ, [*retried, says("Here I am.")]) as cockpit:
        cockpit.prompt("Hello")
        cockpit.says(told)
        cockpit.prompt("Hello again")
        cockpit.says("Here I am.")
        cockpit.at_rest("success")
        cockpit.leave()


def test_a_server_that_is_down_leaves_the_prompt_usable(
    project: Path, environ: dict[str, str]
) -> None:
    with opened(project, environ, "http://127.0.0.1:9/v1") as cockpit:
        for prompt in ("Hello", "Anybody there?"):
            cockpit.prompt(prompt)
            cockpit.says(f"▌ {prompt}")
            cockpit.at_rest("incomplete")
        cockpit.says("127.0.0.1:9")
        cockpit.leave()


@pytest.mark.parametrize(
    ("answer", "told"),
    [(silent(), "Hello"), (hang(says("One and two and three."), after_parts=4), "One and two")],
    ids=["silent", "halfway"],
)
def test_escape_stops_a_server_that_says_nothing_more_and_the_next_prompt_goes_on(
    project: Path, environ: dict[str, str], answer: ScriptItem, told: str
) -> None:
    with (
        ChatServer([answer, says("Here.")]) as server,
        opened(project, environ, server.base_url) as cockpit,
    ):
        cockpit.prompt("Hello")
        server.wait_for_requests(1)
        cockpit.says(told)
        cockpit.press("escape")
        cockpit.at_rest("incomplete")
        server.wait_for_disconnects(1)
        cockpit.prompt("Hello")
        cockpit.says("Here.")
        cockpit.leave()


def test_a_dirty_tree_is_asked_about_before_the_first_goal(
    project: Path, environ: dict[str, str]
) -> None:
    write(project, {"calc.py": (project / "calc.py").read_text() + "# mine\n"})
    with served(project, environ, fixing_script()) as cockpit:
        cockpit.prompt(GOAL)
        cockpit.wait_for(lambda rows: is_lit(rows, DIRTY))
        cockpit.press("escape")
        cockpit.wait_for(lambda rows: composer(rows) == GOAL)
        cockpit.press("enter")
        cockpit.wait_for(lambda rows: is_lit(rows, DIRTY))
        cockpit.press("y")
        cockpit.answer("y", "change calc.py?")
        cockpit.answer("y", "unittest")
        cockpit.at_rest("success")
        cockpit.leave()
    assert "# mine" in (project / "calc.py").read_text()


def test_what_is_sent_while_a_goal_runs_joins_it_or_follows_it(
    project: Path, environ: dict[str, str]
) -> None:
    go_on = threading.Event()
    script = [
        held(calls(("list_files", {"glob": "*"}), text="I look around."), go_on, after_parts=4),
        says("First is done."),
        says("Second is done."),
    ]
    with ChatServer(script) as server:
        with opened(project, environ, server.base_url) as cockpit:
            cockpit.prompt("What is here?")
            cockpit.says("I look")
            cockpit.send("what of the tests\r")
            cockpit.says("joins after this step")
            cockpit.send("and then this\t")
            cockpit.says("comes after this goal")
            go_on.set()
            cockpit.says("First is done.", "Second is done.")
            cockpit.leave()
        assert "what of the tests" in server.requests[1].body.decode()
        assert "and then this" not in server.requests[1].body.decode()
        assert "and then this" in server.requests[2].last_text


def test_a_terminal_that_changes_its_size_all_the_time_shows_the_end(
    project: Path, environ: dict[str, str]
) -> None:
    script = [slowly(says("word " * 150 + "the-very-end"), 0.01)]
    with served(project, environ, script) as cockpit:
        cockpit.prompt("Tell me")
        cockpit.wait_for("word")
        for rows, columns in ((12, 30), (5, 20), (60, 200), (1, 1), (40, 120)) * 2:
            cockpit.resize(rows, columns)
            cockpit.wait_for_output()
        cockpit.says("the-very-end")
        cockpit.at_rest("success")
        cockpit.leave()
