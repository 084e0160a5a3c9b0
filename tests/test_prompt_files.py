"""Prompts and drafts on the disk: whole lines, private, and no sitting in another's way."""

from __future__ import annotations

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from agent_cockpit import prompt_files
from agent_cockpit.prompt_files import Draft, PromptFiles


def files(tmp_path: Path, project: str = "project") -> PromptFiles:
    """The files of one more sitting of a project."""
    return PromptFiles(tmp_path / project, state=tmp_path / "state")


def history_of(tmp_path: Path) -> Path:
    return next((tmp_path / "state").rglob("history.jsonl"))


def test_prompts_come_back_in_the_order_they_were_sent(tmp_path: Path) -> None:
    one, two = files(tmp_path), files(tmp_path)
    one.remember("first\nwith a second line")
    two.remember("second · 漢字 \ud83d")
    one.remember("third")
    assert files(tmp_path).earlier() == [
        "first\nwith a second line",
        "second · 漢字 \ud83d",
        "third",
    ]


def test_each_project_has_its_own(tmp_path: Path) -> None:
    files(tmp_path).remember("here")
    assert files(tmp_path, "elsewhere").earlier() == []


def test_looking_leaves_nothing_behind(tmp_path: Path) -> None:
    assert files(tmp_path).earlier() == []
    assert files(tmp_path).take_drafts() == []
    assert not (tmp_path / "state").exists()


def test_nobody_else_may_read_any_of_it(tmp_path: Path) -> None:
    mine = files(tmp_path)
    mine.remember("private")
    mine.keep(Draft("private too"))
    for path in (tmp_path / "state" / "prompts").rglob("*"):
        wanted = 0o700 if path.is_dir() else 0o600
        assert stat.S_IMODE(path.stat().st_mode) == wanted, path


def test_a_torn_line_costs_itself_alone(tmp_path: Path) -> None:
    files(tmp_path).remember("before")
    with history_of(tmp_path).open("a") as file:
        file.write('{"prompt": "tor')
    files(tmp_path).remember("after")
    with history_of(tmp_path).open("ab") as file:
        file.write(b'\xff\xfe\n[]\n{"prompt": 3}\n')
    assert files(tmp_path).earlier() == ["before", "after"]


def test_secrets_are_blotted_out(tmp_path: Path) -> None:
    token = "ghp_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6"
    files(tmp_path).remember(f"use {token}")
    assert token not in history_of(tmp_path).read_text()
    assert files(tmp_path).earlier()[0].startswith("use [redacted:")


def test_a_pasted_document_is_no_history(tmp_path: Path) -> None:
    mine = files(tmp_path)
    mine.remember("x" * (prompt_files.LONGEST_CHARS + 1))
    mine.remember("short")
    assert files(tmp_path).earlier() == ["short"]


def test_the_file_keeps_the_newest_within_its_bounds(tmp_path: Path) -> None:
    files(tmp_path).remember("the oldest")
    with history_of(tmp_path).open("a") as file:
        file.writelines(f'{{"prompt": "{n} {"x" * 1000}"}}\n' for n in range(1500))
    kept = files(tmp_path).earlier()
    assert kept[-1].startswith("1499 ")
    assert history_of(tmp_path).stat().st_size < prompt_files.LARGEST_BYTES // 2
    assert files(tmp_path).earlier() == kept


def test_two_processes_lose_nothing_of_each_other(tmp_path: Path) -> None:
    program = (
        "import sys; from pathlib import Path; from agent_cockpit.prompt_files import PromptFiles\n"
        "files = PromptFiles(Path(sys.argv[1]), state=Path(sys.argv[2]))\n"
        "for n in range(100): files.remember(f'{sys.argv[3]} {n}'); files.earlier()\n"
    )
    words = [sys.executable, "-c", program, str(tmp_path / "project"), str(tmp_path / "state")]
    writers = [subprocess.Popen([*words, name]) for name in ("a", "b")]
    assert [writer.wait(60) for writer in writers] == [0, 0]
    kept = files(tmp_path).earlier()
    for name in ("a", "b"):
        assert [each for each in kept if each[0] == name] == [f"{name} {n}" for n in range(100)]


def test_a_draft_goes_to_the_next_sitting_once_its_own_is_gone(tmp_path: Path) -> None:
    mine, other = files(tmp_path), files(tmp_path)
    mine.keep(Draft("half", {"[paste 1 · 20 lines]": "long"}))
    assert other.take_drafts() == []
    mine.close()
    assert other.take_drafts() == [Draft("half", {"[paste 1 · 20 lines]": "long"})]
    assert files(tmp_path).take_drafts() == []


def test_of_several_drafts_none_is_lost(tmp_path: Path) -> None:
    for text in ("oldest", "older [paste 1 · 20 lines]", "newest"):
        mine = files(tmp_path)
        mine.keep(Draft(text, {"[paste 1 · 20 lines]": "long"}))
        mine.close()
    taker = files(tmp_path)
    assert [draft.text for draft in taker.take_drafts()][-1] == "newest"
    taker.close()
    assert files(tmp_path).earlier() == ["oldest", "older long"]
    assert [draft.text for draft in files(tmp_path).take_drafts()] == ["newest"]


def test_a_draft_too_long_for_the_history_waits_for_a_sitting_of_its_own(tmp_path: Path) -> None:
    long = "x" * (prompt_files.LONGEST_CHARS + 1)
    for text in (long, "newest"):
        mine = files(tmp_path)
        mine.keep(Draft(text))
        mine.close()
    taker = files(tmp_path)
    assert taker.take_drafts() == [Draft("newest")]
    assert files(tmp_path).take_drafts() == [Draft(long)]


def test_a_draft_that_is_put_by_is_kept(tmp_path: Path) -> None:
    mine = files(tmp_path)
    mine.put_by(Draft("half"))
    assert mine.earlier() == ["half"]
    mine.put_by(Draft("y" * (prompt_files.LONGEST_CHARS + 1)))
    assert [len(draft.text) for draft in mine.take_drafts()] == [prompt_files.LONGEST_CHARS + 1]


def test_a_draft_is_on_the_disk_at_every_moment_of_its_taking(tmp_path: Path) -> None:
    mine = files(tmp_path)
    mine.keep(Draft("half"))
    mine.close()
    program = """if True:
        import os, signal, sys
        from pathlib import Path
        from agent_cockpit.prompt_files import PromptFiles

        def take_and_die_after(steps):
            def step(*_):
                nonlocal steps
                steps -= 1
                if steps < 0:
                    os.kill(os.getpid(), signal.SIGKILL)
            files = PromptFiles(Path(sys.argv[1]), state=Path(sys.argv[2]))
            sys.addaudithook(step)
            files.take_drafts()
            os._exit(0)

        for steps in range(100):
            if not (child := os.fork()):
                take_and_die_after(steps)
            if os.waitpid(child, 0)[1] == 0:
                break
        """
    words = [sys.executable, "-c", program, str(tmp_path / "project"), str(tmp_path / "state")]
    assert subprocess.run(words, check=False, timeout=60).returncode == 0
    assert files(tmp_path).take_drafts() == [Draft("half")]


def test_a_draft_that_its_sitting_takes_away_meanwhile_is_in_nobodys_way(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    busy, gone = files(tmp_path), files(tmp_path)
    busy.keep(Draft("mine"))
    gone.keep(Draft("left"))
    gone.close()
    is_owned = prompt_files._is_owned

    def then_it_is_sent(lock: Path) -> bool:
        found = is_owned(lock)
        busy.keep(Draft(""))
        return found

    monkeypatch.setattr(prompt_files, "_is_owned", then_it_is_sent)
    assert files(tmp_path).take_drafts() == [Draft("left")]


def test_a_killed_sitting_leaves_its_draft(tmp_path: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path\n"
        "from agent_cockpit.prompt_files import Draft, PromptFiles\n"
        "PromptFiles(Path(sys.argv[1]), state=Path(sys.argv[2])).keep(Draft('half'))\n"
        "os.kill(os.getpid(), 9)\n"
    )
    words = [sys.executable, "-c", program, str(tmp_path / "project"), str(tmp_path / "state")]
    assert subprocess.run(words, check=False, timeout=60).returncode == -9
    assert files(tmp_path).take_drafts() == [Draft("half")]


def test_what_was_sent_is_no_draft_any_more(tmp_path: Path) -> None:
    mine = files(tmp_path)
    mine.keep(Draft("half"))
    mine.keep(Draft(" \n"))
    mine.close()
    assert files(tmp_path).take_drafts() == []
    assert not list((tmp_path / "state").rglob("draft-*"))


def test_a_damaged_draft_is_left_out(tmp_path: Path) -> None:
    mine = files(tmp_path)
    mine.keep(Draft("half"))
    mine.close()
    next((tmp_path / "state").rglob("draft-*.json")).write_text('{"text": "ha')
    assert files(tmp_path).take_drafts() == []


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write everywhere")
def test_a_place_that_cannot_be_written_is_an_error_of_the_system(tmp_path: Path) -> None:
    (tmp_path / "state").mkdir(mode=0o500)
    with pytest.raises(PermissionError):
        files(tmp_path).remember("x")
