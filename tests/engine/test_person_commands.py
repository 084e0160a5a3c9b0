"""Commands that the person types for themselves: real children, told truthfully, stopped."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent_cockpit.engine.sitting.session_state import ReplSession
from agent_cockpit.errors import ToolRefused
from agent_cockpit.events.harness import ToolEnd, ToolStart
from agent_cockpit.events.sitting import ToolProgress
from agent_cockpit.harness import Harness
from agent_cockpit.settings import HarnessConfig
from agent_cockpit.transcript.blocks import CallBlock
from agent_cockpit.transcript.fold import Transcript
from tests.support.scripted_provider import ScriptedProvider
from tests.support.waiting import until


def sitting(root: Path) -> ReplSession:
    config = HarnessConfig(workspace_root=str(root), sandbox="none")
    return ReplSession(Harness(config=config, provider=ScriptedProvider([])))


async def told(repl: ReplSession, *commands: str) -> list[object]:
    """The events of these commands, one after the other."""
    stream = repl.events()
    for command in commands:
        await repl.run_for_person(command)
    await repl.aclose()
    return [event async for event in stream]


async def test_it_runs_without_a_question_and_the_record_says_who_ran_it(tmp_path: Path) -> None:
    repl = sitting(tmp_path)
    events = await told(repl, "echo hi > made; cat made; exit 3")
    start = next(event for event in events if isinstance(event, ToolStart))
    end = next(event for event in events if isinstance(event, ToolEnd))
    assert start.allowed_by == "you typed it"
    assert (end.call_id, end.exit_code, end.content) == (start.call_id, 3, "hi\n[exit 3]")
    assert any(isinstance(event, ToolProgress) and event.delta == "hi\n" for event in events)
    assert (tmp_path / "made").exists()
    assert [message.role for message in repl.history()[1:]] == []


async def test_each_begins_in_the_folder_in_which_the_one_before_ended(tmp_path: Path) -> None:
    (tmp_path / "sub" / "it's here").mkdir(parents=True)
    repl = sitting(tmp_path)
    lines = [
        ("cd 'sub/it'\"'\"'s here' && false", 1, "sub/it's here/"),
        ("pwd; (cd /; exit 7)", 7, ""),
        ("if", 2, ""),
        ("cd /usr; exit 3", 3, "/usr"),
        ("cd - 2>/dev/null; cd $OLDPWD/../usr; kill $$", -15, ""),
        (f"cd {tmp_path}", 0, "the workspace"),
        ("mkdir gone; cd gone", 0, "gone/"),
        ("rmdir ../gone", 0, ""),
        ("pwd", 0, ""),
    ]
    outputs = [await repl.run_for_person(command) for command, *_ in lines]
    ends = [f"exit {code}" if code >= 0 else f"signal {-code}" for _, code, _ in lines]
    assert [output.end for output in outputs] == ends
    assert [output.went_to for output in outputs] == [went_to for *_, went_to in lines]
    assert outputs[1].text == str(tmp_path / "sub" / "it's here")
    assert [output.text for output in outputs[-2:]] == ["", str(tmp_path)]
    await repl.aclose()


async def test_its_output_is_bounded_and_safe(tmp_path: Path) -> None:
    repl = sitting(tmp_path)
    output = await repl.run_for_person("printf '\\033]52;c;aGk=\\007'; yes | head -c 1000000")
    assert len(output.text) < 70_000
    assert "bytes left out" in output.text
    assert "\x1b" not in output.text
    await repl.aclose()


async def test_it_is_stopped_by_the_person_and_by_the_end_of_the_sitting(tmp_path: Path) -> None:
    repl = sitting(tmp_path)
    stream = repl.events()
    running = asyncio.create_task(repl.run_for_person("echo $$; sleep 60"))
    async for event in stream:
        if isinstance(event, ToolProgress):
            break
    assert repl.person_commands.is_running
    repl.person_commands.stop()
    assert (await running).end == "stopped by you"
    again = asyncio.create_task(repl.run_for_person("sleep 60"))
    await until(lambda: repl.person_commands.is_running)
    await repl.aclose()
    assert (await again).end == "stopped by you"
    with pytest.raises(RuntimeError):
        await repl.run_for_person("true")


async def test_what_nothing_can_run_is_refused_and_has_an_end(tmp_path: Path) -> None:
    repl = sitting(tmp_path)
    stream = repl.events()
    with pytest.raises(ToolRefused):
        await repl.run_for_person("echo a\0b")
    await repl.aclose()
    ends = [event async for event in stream if isinstance(event, ToolEnd)]
    assert [end.success for end in ends] == [False]


async def test_it_reads_as_a_call_of_the_persons(tmp_path: Path) -> None:
    events = await told(sitting(tmp_path), "true", "false")
    blocks = Transcript.of(events).blocks  # type: ignore[arg-type]
    calls = [block for block in blocks if isinstance(block, CallBlock)]
    assert [(call.state, call.why) for call in calls] == [
        ("done", "you typed it"),
        ("failed", "you typed it"),
    ]
