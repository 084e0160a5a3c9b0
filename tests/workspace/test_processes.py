"""Child processes: real ones, that hang, flood, hide behind grandchildren and get stopped."""

from __future__ import annotations

import asyncio
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from agent_cockpit.errors import ToolRefused
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.processes import ChildResult, run_child
from tests.support.waiting import until

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no process groups there")


def python(code: str) -> str:
    return f"{shlex.quote(sys.executable)} -I -c {shlex.quote(code)}"


def unheard(_: str) -> None:
    return None


async def run(
    command: str | Sequence[str],
    cwd: Path,
    *,
    timeout_s: float = 60,
    token: CancellationToken | None = None,
    budget: int = 16_000,
    heard: Callable[[str], None] | None = None,
    env: dict[str, str] | None = None,
) -> ChildResult:
    return await run_child(
        command,
        cwd=cwd,
        timeout_s=timeout_s,
        cancellation=token or CancellationToken(),
        output_budget=budget,
        heard=heard or unheard,
        env=env,
    )


def real(path: Path) -> Path:
    return path.resolve()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    stat = Path(f"/proc/{pid}/stat")
    return not stat.exists() or stat.read_text().rpartition(")")[2].split()[0] not in "ZX"


def open_fds() -> int:
    return len(list(Path("/proc/self/fd").iterdir()))


async def test_both_streams_are_kept_in_the_order_they_came(tmp_path: Path) -> None:
    result = await run("echo one; echo two >&2; echo three", tmp_path)
    assert result.output == "one\ntwo\nthree\n"
    assert (result.exit_code, result.timed_out, result.cancelled) == (0, False, False)
    assert result.dropped_bytes == 0


async def test_it_runs_in_the_given_folder_without_stdin(tmp_path: Path) -> None:
    result = await run("pwd -P; cat; echo end", tmp_path)
    assert result.output == f"{real(tmp_path)}\nend\n"


@pytest.mark.parametrize(
    ("command", "exit_code"),
    [
        ("exit 3", 3),
        ("no-such-program-here", 127),
        (["no-such-program-here"], 127),
        (["/"], 126),
        ("kill -9 $$", -9),
        (["printf", "a b"], 0),
    ],
)
async def test_the_exit_code_is_told(
    tmp_path: Path, command: str | list[str], exit_code: int
) -> None:
    assert (await run(command, tmp_path)).exit_code == exit_code


async def test_a_missing_folder_is_a_result(tmp_path: Path) -> None:
    result = await run("true", tmp_path / "gone")
    assert result.exit_code == 126
    assert "no such folder" in result.output


@pytest.mark.parametrize("command", ["", "  \n", [], "a\0b", ["x", "\0"], "\ud800"])
async def test_what_cannot_run_is_refused(tmp_path: Path, command: str | list[str]) -> None:
    with pytest.raises(ToolRefused):
        await run(command, tmp_path)


async def test_keys_of_model_servers_never_reach_a_child(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "secret-1")
    monkeypatch.setenv("AGENT_COCKPIT_API_KEY", "secret-2")
    monkeypatch.setenv("LC_TEST", "passed")
    result = await run("env", tmp_path, env={"ADDED": "yes"})
    assert "secret" not in result.output
    assert "LC_TEST=passed" in result.output
    assert "ADDED=yes" in result.output
    assert "PATH=" in result.output


async def test_a_timeout_keeps_the_output_so_far(tmp_path: Path) -> None:
    result = await run("echo begun; sleep 600", tmp_path, timeout_s=3)
    assert result.output == "begun\n"
    assert result.timed_out
    assert result.exit_code is None
    assert result.duration_ms >= 3000


async def test_a_timeout_ends_grandchildren_that_ignore_sigterm(tmp_path: Path) -> None:
    deaf = "sh -c 'trap \"\" TERM; echo $$; exec sleep 600'"
    result = await run(f"{deaf} & {deaf}; wait", tmp_path, timeout_s=4)
    assert result.timed_out
    pids = [int(line) for line in result.output.split()]
    assert len(pids) == 2
    assert not any(is_running(pid) for pid in pids)


async def test_a_cancel_stops_the_child_and_keeps_its_output(tmp_path: Path) -> None:
    token = CancellationToken()
    heard: list[str] = []

    def hear(piece: str) -> None:
        heard.append(piece)
        token.cancel()

    result = await run("echo $$; sleep 600", tmp_path, token=token, heard=hear)
    assert result.cancelled
    assert not result.timed_out
    assert not is_running(int(result.output))
    assert "".join(heard) == result.output


async def test_a_tripped_token_starts_nothing(tmp_path: Path) -> None:
    token = CancellationToken()
    token.cancel()
    result = await run("touch made", tmp_path, token=token)
    assert result.cancelled
    assert not (tmp_path / "made").exists()


async def test_a_cancelled_task_leaves_no_process_behind(tmp_path: Path) -> None:
    heard: list[str] = []
    fds = open_fds()
    task = asyncio.create_task(run("echo $$; sleep 600 & wait", tmp_path, heard=heard.append))
    await until(lambda: bool(heard))
    task.cancel()
    await asyncio.sleep(0)
    task.cancel()
    with pytest.raises(asyncio.CancelledError):
        await task
    assert not is_running(int("".join(heard)))
    assert open_fds() == fds


async def test_a_task_cancelled_at_once_leaves_no_process_behind(tmp_path: Path) -> None:
    for turns in range(6):
        task = asyncio.create_task(run(f"echo $$ > pid{turns}; sleep 600", tmp_path))
        for _ in range(turns):
            await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        pid = tmp_path / f"pid{turns}"
        if pid.exists() and pid.read_text().strip():
            assert not is_running(int(pid.read_text()))


def test_a_loop_that_shuts_down_takes_its_children_along(tmp_path: Path) -> None:
    heard: list[str] = []

    async def abandon() -> None:
        abandoned.append(
            asyncio.create_task(run("echo $$; sleep 600", tmp_path, heard=heard.append))
        )
        await until(lambda: bool(heard))

    abandoned: list[asyncio.Task[ChildResult]] = []
    asyncio.run(abandon())
    assert not is_running(int("".join(heard)))


async def test_a_grandchild_that_holds_the_pipe_does_not_hang_it(tmp_path: Path) -> None:
    result = await run("sleep 600 & echo $!", tmp_path)
    assert result.exit_code == 0
    assert not is_running(int(result.output))


async def test_a_grandchild_that_left_the_group_does_not_hang_it(tmp_path: Path) -> None:
    result = await run("setsid sleep 3 & echo started", tmp_path)
    assert result.exit_code == 0
    assert result.output == "started\n"


async def test_late_output_of_a_pipeline_is_kept(tmp_path: Path) -> None:
    result = await run("(sleep 0.1; echo late) & echo early", tmp_path)
    assert result.output == "early\nlate\n"


async def test_a_flood_is_kept_as_head_and_tail(tmp_path: Path) -> None:
    pieces: list[str] = []
    command = "echo first; yes 0123456789 | head -c 50000000; echo last"
    result = await run(command, tmp_path, budget=1000, heard=pieces.append)
    assert result.exit_code == 0
    assert result.output.startswith("first\n0123456789\n")
    assert result.output.endswith("12345last\n")
    assert len(result.output) < 1100
    assert result.dropped_bytes == 50_000_011 - 1000
    assert f"[… {result.dropped_bytes} of 50000011 bytes left out …]" in result.output
    assert len(pieces) < 400
    assert max(map(len, pieces)) <= 8192


async def test_the_loop_stays_free_during_a_flood(tmp_path: Path) -> None:
    ticks = 0
    task = asyncio.create_task(run("yes | head -c 20000000", tmp_path))
    while not task.done():
        await asyncio.sleep(0)
        ticks += 1
    assert ticks > 50


async def test_broken_text_is_readable(tmp_path: Path) -> None:
    result = await run(["printf", r"caf\303\251 \377\n"], tmp_path)
    assert result.output == "café \ufffd\n"


async def test_many_at_once_leak_nothing(tmp_path: Path) -> None:
    await run("true", tmp_path)
    fds = open_fds()
    results = await asyncio.gather(*(run(f"echo {n}", tmp_path) for n in range(12)))
    assert [result.output for result in results] == [f"{n}\n" for n in range(12)]
    assert open_fds() == fds
