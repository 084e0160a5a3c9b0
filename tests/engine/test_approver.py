"""The approver: one more veto, before every call that nothing else refused."""

from __future__ import annotations

import asyncio
from typing import Any

from tests.support.goals import Folder, ends, questions, run_with, runs, settled, told, writes, yes
from tests.support.scripted_provider import calls, says
from tests.support.waiting import until


class Guard:
    """Denies what contains a word, and keeps what it was shown."""

    def __init__(self, word: str = "") -> None:
        self.word = word
        self.seen: list[tuple[str, dict[str, Any]]] = []

    async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
        self.seen.append((tool, tool_input))
        return f"{self.word} is off limits" if self.word and self.word in str(tool_input) else None


async def test_it_is_consulted_for_reads_edits_and_commands(folder: Folder) -> None:
    guard = Guard()
    batch = calls(
        ("read_file", {"path": "notes.md"}),
        ("search_repo", {"query": "one"}),
        ("run_command", {"command": "touch a"}),
    )
    repl = folder.sitting(batch, writes(), says("a.txt is good")).with_approver(guard)
    repl.set_mode("edit")
    session = repl.start("go")
    state = await run_with(session, yes(session))
    assert [tool for tool, _ in guard.seen] == [
        "read_file",
        "search_repo",
        "run_command",
        "write_file",
    ]
    assert state.outcome == "success"
    assert len(questions(session)) == 1


async def test_its_veto_is_a_denial_that_the_model_reads(folder: Folder) -> None:
    batch = calls(("read_file", {"path": "notes.md"}), ("read_file", {"path": "a.txt"}))
    repl = folder.sitting(batch, says("ok")).with_approver(Guard("notes"))
    session = repl.start("what is it?")
    await session.run()
    first, second = folder.provider.requests[1].messages[-1].blocks
    assert "notes is off limits" in first.content  # type: ignore[union-attr]
    assert second.content == "bad\n"  # type: ignore[union-attr]
    assert session.report is not None
    denied = [call.denial_reason for call in session.report.tool_calls if call.denial_reason]
    assert denied == ["notes is off limits"]
    assert sorted(end.refused for end in ends(session)) == [False, True]


async def test_a_vetoed_call_is_not_asked_about_even_with_a_grant(folder: Folder) -> None:
    script = (runs("touch a"), runs("touch secret"), says("ok"))
    repl = folder.sitting(*script, max_repair_attempts=1).with_approver(Guard("secret"))
    repl.set_mode("edit")
    session = repl.start("go")
    await run_with(session, yes(session, remember=True))
    assert len(questions(session)) == len(settled(session)) == 1
    assert not (folder.root / "secret").exists()
    assert "secret is off limits" in told(folder.provider.requests[2])


async def test_what_is_refused_anyway_is_not_shown_to_it(folder: Folder) -> None:
    guard = Guard()
    batch = calls(
        ("read_file", {"path": "../outside"}),
        ("write_file", {"path": ".git/config", "content": "x"}),
        ("no_such_tool", {}),
    )
    repl = folder.sitting(batch, says("ok")).with_approver(guard)
    await repl.start("what is it?").run()
    assert guard.seen == []


async def test_a_cancel_does_not_wait_for_it(folder: Folder) -> None:
    class Asleep:
        async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
            began.set()
            await asyncio.Event().wait()
            return None

    began = asyncio.Event()
    repl = folder.sitting(writes()).with_approver(Asleep())
    repl.set_mode("edit")
    task = asyncio.create_task(repl.submit("go"))
    await until(began.is_set)
    await repl.cancel("esc")
    state = await task
    assert (state.status, state.outcome) == ("cancelled", "incomplete")
    assert folder.text() == "bad\n"


async def test_nothing_runs_when_it_breaks(folder: Folder) -> None:
    class Broken:
        async def decide(self, tool: str, tool_input: dict[str, Any]) -> str | None:
            raise LookupError("no policy file")

    repl = folder.sitting(writes(), says("hello")).with_approver(Broken())
    repl.set_mode("edit")
    state = await repl.submit("go")
    assert (state.status, state.outcome) == ("error", "incomplete")
    assert "no policy file" in (state.error or "")
    assert folder.text() == "bad\n"
    repl.with_approver(Guard())
    repl.set_mode("investigate")
    assert (await repl.submit("and now?")).outcome == "success"
