"""`/undo` takes back the files that the last goal changed, those alone, and `/redo` brings them
back."""

from __future__ import annotations

import asyncio
import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.events.changes import ChangesKept, ChangesMoved
from agent_cockpit.events.harness import AgentEnd, ApprovalRequested
from agent_cockpit.events.messages import TextBlock
from agent_cockpit.events.sitting import CheckStarted, PromptsRecalled
from agent_cockpit.rules.undoing import SLACK_NS
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from tests.support.goals import Folder, next_of, of, runs, writes
from tests.support.scripted_provider import Reply, calls, says
from tests.support.waiting import until

GOOD = "echo good > a.txt"
"""What makes the project's check pass, in every goal."""


def shape(root: Path) -> dict[str, tuple[str, bytes]]:
    """Every file, link and folder, with its kind, permissions and content."""
    found = {}
    for path in sorted(root.rglob("*")):
        if ".git" in path.relative_to(root).parts:
            continue
        name = str(path.relative_to(root))
        if path.is_symlink():
            found[name] = ("link", os.fsencode(path.readlink()))
        elif path.is_dir():
            found[name] = ("folder", b"")
        else:
            found[name] = (f"{path.stat().st_mode & 0o777:o}", path.read_bytes())
    return found


async def sitting_after(folder: Folder, *replies: Reply) -> ReplSession:
    """A sitting in which one goal is over, and in which everything was allowed that asked."""
    repl = folder.sitting(*replies, allow_dirty=True, recorded=True)
    await done(repl)
    return repl


async def done(repl: ReplSession, goal: str = "go") -> None:
    """Run one goal to its success, with a person who says yes."""
    repl.set_mode("edit")
    stream = repl.events()
    running = asyncio.create_task(repl.submit(goal))
    async for event in stream:
        if isinstance(event, ApprovalRequested):
            await repl.resolve_approval(event.approval_id, allow=True)
        if isinstance(event, AgentEnd):
            break
    assert (await running).outcome == "success"


def one_command(script: str) -> tuple[Reply, Reply]:
    """A goal whose command does this, and after it what the project's check wants."""
    return runs(f"{script}; {GOOD}"), says("Done.")


async def test_an_edit_is_taken_back_and_made_again(folder: Folder) -> None:
    before = shape(folder.root)
    repl = await sitting_after(folder, writes(), says("It is good."))
    after = shape(folder.root)
    stream = repl.events()
    taken = await repl.arun_meta("/undo")
    assert (taken.kind, shape(folder.root)) == ("told", before)
    assert taken.text == (
        'taken back: "go" · 1 file · /redo makes it again\nchanged back: a.txt +1 −1'
    )
    assert (await repl.arun_meta("/diff")).text == ""
    made = await repl.arun_meta("/redo")
    assert (made.kind, shape(folder.root)) == ("told", after)
    assert "+good" in (await repl.arun_meta("/diff")).text
    await repl.arun_meta(f"/export {folder.state / 'told.md'}")
    exported = (folder.state / "told.md").read_text()
    assert 'taken back: "go" · 1 file' in exported
    assert 'made again: "go" · 1 file' in exported
    back, again = of(stream.take_unread(), ChangesMoved)
    assert (back.to, again.to) == ("before", "after")
    assert ([c.path for c in back.since_start], [c.path for c in again.since_start]) == (
        [],
        ["a.txt"],
    )
    assert (await repl.arun_meta("/redo")).text == "there is nothing to make again"
    assert (repl.undo().kind, shape(folder.root)) == ("told", before)
    assert (repl.run_meta("/redo").kind, shape(folder.root)) == ("told", after)


COMMANDS = {
    "new": (
        "mkdir -p new/deep; echo x > new/deep/x.txt; echo x > 'a [b] ü.txt'; echo y > '-- x'; "
        "mkdir -p one/two one/three; mkdir sub/inside"
    ),
    "gone": "rm notes.md; rm -r sub; rmdir empty",
    "emptied and filled": "rm sub/inner.txt; : > notes.md; echo x > empty/x.txt",
    "content and permissions": (
        "printf '\\0\\1\\377' > data.bin; printf 'one\\r\\ntwo' > notes.md; "
        "chmod 755 data.bin; chmod 600 sub/inner.txt"
    ),
    "links": "ln -sf sub/inner.txt link; rm notes.md; ln -s a.txt notes.md",
    "a folder in place of a file, and others of a file": (
        "rm notes.md; mkdir notes.md; echo x > notes.md/x.txt; "
        "rm link; echo x > link; rm -r sub; echo x > sub; rmdir empty; echo x > empty"
    ),
    "an empty folder in place of a file": "rm notes.md; mkdir notes.md",
    "renamed": "mv notes.md other.md; mv sub moved; mv empty other",
}


@pytest.mark.parametrize("name", COMMANDS)
async def test_what_a_command_did_is_taken_back_and_made_again(folder: Folder, name: str) -> None:
    (folder.root / "empty").mkdir()
    (folder.root / "sub").mkdir()
    (folder.root / "sub" / "inner.txt").write_text("inner\n")
    (folder.root / "data.bin").write_bytes(b"\0\xff\r\n")
    (folder.root / "link").symlink_to("notes.md")
    before = shape(folder.root)
    repl = await sitting_after(folder, *one_command(COMMANDS[name]))
    after = shape(folder.root)
    assert (await repl.aundo()).kind == "told"
    assert shape(folder.root) == before
    assert (await repl.aredo()).kind == "told"
    assert shape(folder.root) == after


async def test_index_refs_and_other_files_stay_as_they_are(folder: Folder) -> None:
    def git(*words: str) -> str:
        done = subprocess.run(["git", *words], cwd=folder.root, capture_output=True, check=True)
        return done.stdout.decode()

    (folder.root / "staged.txt").write_text("staged\n")
    git("add", "staged.txt")
    (folder.root / ".gitignore").write_text("ignored/\n")
    (folder.root / "ignored").mkdir()
    (folder.root / "ignored" / "results.txt").write_text("weeks of work\n")
    repl = await sitting_after(
        folder, *one_command("echo x > new.txt; git add new.txt; git commit -qm 'x' new.txt")
    )
    told = git("show-ref"), git("ls-files", "-s")
    (folder.root / "mine.txt").write_text("mine\n")
    await repl.aundo()
    assert (git("show-ref"), git("ls-files", "-s")) == told
    assert not (folder.root / "new.txt").exists()
    assert folder.text("mine.txt") == "mine\n"
    assert folder.text("staged.txt") == "staged\n"
    assert folder.text("ignored/results.txt") == "weeks of work\n"


async def test_a_file_that_somebody_changed_since_stays_and_is_named(folder: Folder) -> None:
    repl = await sitting_after(folder, *one_command("echo x > new.txt; echo y > other.txt"))
    (folder.root / "new.txt").write_text("mine now\n")
    stream = repl.events()
    told = await repl.arun_meta("/undo")
    (moved,) = of(stream.take_unread(), ChangesMoved)
    assert [c.path for c in moved.files] == ["a.txt", "other.txt"]
    assert [(c.path, c.why) for c in moved.left] == [("new.txt", "changed since")]
    assert "left as it is: new.txt (changed since)" in told.text
    assert folder.text("new.txt") == "mine now\n"
    assert (folder.text(), (folder.root / "other.txt").exists()) == ("bad\n", False)
    await repl.aredo()
    assert (folder.text("new.txt"), folder.text("other.txt")) == ("mine now\n", "y\n")


async def test_what_the_person_made_of_an_undone_file_is_not_overwritten_by_redo(
    folder: Folder,
) -> None:
    repl = await sitting_after(folder, writes(), says("It is good."))
    await repl.aundo()
    (folder.root / "a.txt").write_text("my own way\n")
    told = await repl.aredo()
    assert (told.kind, folder.text()) == ("message", "my own way\n")
    assert told.text == 'nothing of "go" was made again: a.txt (changed since)'


async def test_goal_by_goal_back_to_the_beginning_and_forth_again(folder: Folder) -> None:
    repl = await sitting_after(
        folder,
        writes(),
        says("One."),
        calls(("write_file", {"path": "b.txt", "content": "b\n"})),
        says("Two."),
        says("Only talk."),
        writes("good, twice\n"),
        says("Three."),
    )
    shapes = [shape(folder.root)]
    for goal in ("two", "three"):
        await done(repl, goal)
        shapes.append(shape(folder.root))
    repl.set_mode("investigate")
    await repl.submit("what is it?")
    assert [await undone(repl) for _ in range(4)] == ["three", "two", "go", ""]
    assert folder.text() == "bad\n"
    for expected in shapes:
        assert (await repl.aredo()).kind == "told"
        assert shape(folder.root) == expected


async def undone(repl: ReplSession) -> str:
    """The goal that an undo took back; empty where it took back none."""
    stream = repl.events()
    await repl.aundo()
    return "".join(event.goal for event in of(stream.take_unread(), ChangesMoved))


async def test_what_the_person_wrote_while_the_goal_ran_stays(folder: Folder) -> None:
    """Beside the goal, before its edit of the same file, and after it."""
    held, held_again = asyncio.Event(), asyncio.Event()
    repl = folder.sitting(
        writes(),
        once(held, writes("agent\n", "early.txt")),
        writes("agent\n", "late.txt"),
        once(held_again, says("Done.")),
        allow_dirty=True,
    )
    (folder.root / "early.txt").write_text("before\n")
    stream = repl.events()
    running = asyncio.create_task(done(repl))
    await until(lambda: len(folder.provider.requests) == 2)
    await pause()
    (folder.root / "early.txt").write_text("mine\n")
    (folder.root / "mine.txt").write_text("mine\n")
    await pause()
    held.set()
    await until(lambda: len(folder.provider.requests) == 4)
    await pause()
    (folder.root / "late.txt").write_text("agent and mine\n")
    held_again.set()
    await running
    (kept,) = of(stream.take_unread(), ChangesKept)
    assert [change.path for change in kept.files] == ["a.txt"]
    assert [left.path for left in kept.left] == ["early.txt", "late.txt", "mine.txt"]
    told = await repl.aundo()
    assert "left as it is: early.txt (changed by somebody else too" in told.text
    assert folder.text() == "bad\n"
    assert folder.text("late.txt") == "agent and mine\n"
    assert folder.text("mine.txt") == "mine\n"


async def test_what_the_person_had_changed_before_a_command_did_stays(folder: Folder) -> None:
    held = asyncio.Event()
    repl = folder.sitting(
        writes(), once(held, runs("echo more >> notes.md")), says("Done."), allow_dirty=True
    )
    running = asyncio.create_task(done(repl))
    await until(lambda: len(folder.provider.requests) == 2)
    await pause()
    (folder.root / "notes.md").write_text("mine\n")
    await pause()
    held.set()
    await running
    told = await repl.aundo()
    assert "left as it is: notes.md (changed by somebody else too" in told.text
    assert (folder.text(), folder.text("notes.md")) == ("bad\n", "mine\nmore\n")


def once(held: asyncio.Event, reply: Reply) -> Reply:
    """A reply that comes when the event is set."""
    return [held, *reply]  # type: ignore[misc]


async def pause() -> None:
    """Until a change is told from one that a call made."""
    since_ns = time.time_ns()
    await until(lambda: time.time_ns() > since_ns + 2 * SLACK_NS)


async def test_nothing_moves_while_a_goal_runs(folder: Folder) -> None:
    held = asyncio.Event()
    talks = once(held, says("Talk."))
    repl = folder.sitting(writes(), says("Good."), talks, allow_dirty=True)
    await done(repl)
    repl.set_mode("investigate")
    running = asyncio.create_task(repl.submit("what is it?"))
    await until(lambda: len(folder.provider.requests) == 3)
    answers = [await repl.arun_meta("/undo"), repl.undo(), await repl.aredo()]
    assert [answer.text for answer in answers] == [
        "not now: /undo works while no goal and no check runs",
        "not now: /undo works while no goal and no check runs",
        "not now: /redo works while no goal and no check runs",
    ]
    assert folder.text() == "good\n"
    held.set()
    await running


async def test_a_handle_that_stops_the_next_goal_still_does_after_an_undo(folder: Folder) -> None:
    repl = await sitting_after(folder, writes(), says("Good."), says("Never said."))
    handle = repl.cancel_handle()
    await repl.aundo()
    handle.cancel("not this one")
    assert (await repl.submit("next")).status == "cancelled"


async def test_what_is_sent_while_files_move_is_given_back_and_a_cancel_means_them(
    folder: Folder,
) -> None:
    repl = await sitting_after(folder, writes(), says("Good."), writes(), says("Good again."))
    stream = repl.events()
    undoing = asyncio.create_task(repl.aundo())
    await asyncio.sleep(0)  # it has begun, and its thread cannot be heard of before this test waits
    assert repl.execution.is_active
    assert await repl.drive("sent too early") is None
    await repl.cancel()
    assert (await undoing).kind == "told"
    assert [event.texts for event in of(stream.take_unread(), PromptsRecalled)] == [
        ["sent too early"]
    ]
    await done(repl)
    assert folder.text() == "good\n"


async def test_nothing_moves_while_checks_run(folder: Folder) -> None:
    (folder.root / "gate").write_text("")
    check = "test ! -e gate || until [ -e open ]; do sleep 0.01; done; grep -q good a.txt"
    repl = folder.sitting(
        writes(), says("Good."), allow_dirty=True, test_command=f"sh -c '{check}'"
    )
    (folder.root / "open").write_text("")
    await done(repl)
    (folder.root / "open").unlink()
    stream = repl.events()
    checking = asyncio.create_task(repl.arun_meta("/verify"))
    await next_of(stream, CheckStarted)
    told = await repl.aundo()
    (folder.root / "open").write_text("")
    await checking
    assert (told.text, folder.text()) == (
        "not now: /undo works while no goal and no check runs",
        "good\n",
    )


async def test_what_a_stopped_goal_did_until_then_is_taken_back(folder: Folder) -> None:
    repl = folder.sitting(writes("half\n"), [asyncio.Event()], allow_dirty=True)
    repl.set_mode("edit")
    running = asyncio.create_task(repl.submit("go"))
    await until(lambda: len(folder.provider.requests) == 2)
    await repl.cancel()
    assert (await running).status == "cancelled"
    assert [await undone(repl), folder.text()] == ["go", "bad\n"]


async def test_where_the_tree_cannot_be_kept_nothing_is_moved(folder: Folder) -> None:
    repl = await sitting_after(folder, writes(), says("It is good."))
    store = next((folder.state / "snapshots").glob("*/*/git-snapshots"))
    newest = max(int(path.stem) for path in store.glob("*.json") if path.stem.isdecimal())
    blocked = store / f"{newest + 1}.half"
    blocked.mkdir()
    told = await repl.aundo()
    assert told.text.startswith('nothing of "go" was taken back: cannot write the store')
    assert folder.text() == "good\n"
    blocked.rmdir()
    assert [await undone(repl), folder.text()] == ["go", "bad\n"]


async def test_the_model_is_told_in_the_next_goal(folder: Folder) -> None:
    repl = await sitting_after(folder, writes(), says("It is good."), says("I see."))
    await repl.aundo()
    repl.set_mode("investigate")
    await repl.submit("what is in a.txt?")
    texts = [
        block.text
        for message in folder.provider.requests[-1].messages
        for block in message.blocks
        if isinstance(block, TextBlock)
    ]
    (told,) = [text for text in texts if "took back" in text]
    assert "go\n- changed: a.txt" in told
    assert texts.index(told) < texts.index("what is in a.txt?")


async def test_a_new_change_leaves_nothing_to_make_again(folder: Folder) -> None:
    repl = await sitting_after(folder, writes(), says("One."), writes("good too\n"), says("Two."))
    await repl.aundo()
    await done(repl, "another way")
    assert (await repl.aredo()).text == "there is nothing to make again"
    assert [await undone(repl), await undone(repl)] == ["another way", ""]
    assert folder.text() == "bad\n"


async def test_a_goal_whose_files_all_changed_since_gives_way_to_the_one_before(
    folder: Folder,
) -> None:
    repl = await sitting_after(
        folder,
        writes(),
        says("One."),
        calls(("write_file", {"path": "b.txt", "content": "b\n"})),
        says("Two."),
    )
    await done(repl, "two")
    (folder.root / "b.txt").write_text("mine\n")
    told = await repl.aundo()
    assert told.text == (
        'nothing of "two" was taken back: b.txt (changed since); '
        "/undo again means the goal before it"
    )
    assert folder.text() == "good\n"
    assert [await undone(repl), await undone(repl)] == ["go", ""]
    assert (folder.text(), folder.text("b.txt")) == ("bad\n", "mine\n")


async def test_an_ignored_file_that_an_edit_names_comes_back(folder: Folder) -> None:
    (folder.root / ".gitignore").write_text("ignored.txt\n")
    (folder.root / "ignored.txt").write_text("before\n")
    repl = await sitting_after(folder, writes("x\n", "ignored.txt"), writes(), says("Done."))
    await repl.aundo()
    assert (folder.text("ignored.txt"), folder.text()) == ("before\n", "bad\n")


async def test_ignored_files_that_a_command_changed_are_named(folder: Folder) -> None:
    (folder.root / ".gitignore").write_text("build/\n*.log\ndeps/\n")
    for name in ("build/deep/old.o", "run.log", "gone.log", "deps/lib.py"):
        (folder.root / name).parent.mkdir(parents=True, exist_ok=True)
        (folder.root / name).write_text("before\n")
    await pause()
    script = (
        "import os; open('build/deep/old.o', 'w').write('x'); "
        "open('run.log', 'a').write('y\\n'); os.remove('gone.log')"
    )
    script = f'{shlex.quote(sys.executable)} -c "{script}"'
    repl = await sitting_after(folder, *one_command(script))
    told = await repl.aundo()
    assert told.text.splitlines()[1:] == [
        "changed back: a.txt +1 −1",
        "not taken back: build/, gone.log, run.log (ignored)",
    ]
    assert folder.text("run.log") == "before\ny\n"
    assert "not taken back: build/" in repl.history()[-1].text


async def test_without_a_git_program_what_edits_named_is_taken_back(folder: Folder) -> None:
    command = f"""{shlex.quote(sys.executable)} -c "open('made.txt', 'w')" """
    harness = folder.harness(writes(), runs(command), says("Done."), test_command="true")
    harness.snapshots = Snapshots(folder.root, folder.state / "copies", git=None)
    repl = ReplSession(harness, allow_dirty=True)
    await done(repl)
    told = await repl.aundo()
    assert (folder.text(), (folder.root / "made.txt").exists()) == ("bad\n", True)
    assert "not taken back: what its commands changed is not known without git" in told.text
    assert ((await repl.aredo()).kind, folder.text()) == ("told", "good\n")
    await repl.aclose()


async def test_a_file_too_large_to_be_kept_stays_and_is_named(folder: Folder) -> None:
    script = "head -c 6000000 /dev/zero > huge.bin"
    repl = await sitting_after(folder, *one_command(script))
    told = await repl.aundo()
    assert "left as it is: huge.bin (its content was too large" in told.text
    assert (folder.root / "huge.bin").stat().st_size == 6_000_000
    assert folder.text() == "bad\n"


async def test_a_goal_that_changed_nothing_keeps_nothing(folder: Folder) -> None:
    repl = folder.sitting(says("It is what it is."), allow_dirty=True)
    stream = repl.events()
    repl.set_mode("investigate")
    await repl.submit("what is it?")
    assert of(stream.take_unread(), ChangesKept) == []
    told = await repl.aundo()
    assert told.text == "there is no goal whose file changes could be taken back"


async def test_an_answered_question_is_taken_back_prompt_by_prompt(folder: Folder) -> None:
    ask = calls(("ask_user", {"question": "Which one?"}))
    repl = folder.sitting(writes("half\n"), ask, writes(), says("It is good."), allow_dirty=True)
    repl.set_mode("edit")
    await repl.submit("begin")
    await done(repl, "the first one")
    assert [await undone(repl), folder.text()] == ["the first one", "half\n"]
    assert [await undone(repl), folder.text()] == ["begin", "bad\n"]


async def test_undo_and_redo_take_no_words(folder: Folder) -> None:
    repl = await sitting_after(folder, writes(), says("It is good."))
    assert (await repl.arun_meta("/undo a.txt")).text == "/undo takes nothing"
    assert repl.run_meta("/redo 2").text == "/redo takes nothing"
    assert folder.text() == "good\n"
