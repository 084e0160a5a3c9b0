"""Search: the same results by ripgrep and by our own child, and always stoppable."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from agent_cockpit.errors import ToolRefused
from agent_cockpit.workspace.cancellation import CancellationToken
from agent_cockpit.workspace.finding.search import SearchResult, find_ripgrep, search
from agent_cockpit.workspace.workspace import Workspace


@pytest.fixture(
    params=[
        "python",
        pytest.param(
            "ripgrep", marks=pytest.mark.skipif(find_ripgrep() is None, reason="no ripgrep here")
        ),
    ]
)
def program(request: pytest.FixtureRequest) -> str | None:
    return find_ripgrep() if request.param == "ripgrep" else None


async def found(
    workspace: Workspace, query: str, program: str | None, *, deadline_s: float = 8
) -> SearchResult:
    return await search(
        workspace,
        query,
        cancellation=CancellationToken(),
        ripgrep=program,
        deadline_s=deadline_s,
    )


def lines(result: SearchResult) -> list[str]:
    return [f"{hit.path}:{hit.line}:{hit.text}" for hit in result.hits]


async def test_matches_come_with_path_and_line(tmp_path: Path, program: str | None) -> None:
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "a.py").write_text("def add():\n    pass\ndef sub():\n")
    (tmp_path / "b.txt").write_bytes(b"undef\r\nnothing\r\n")
    (tmp_path / "odd:1:name.txt").write_text("def\n")
    result = await found(Workspace(tmp_path), r"def\b", program)
    assert sorted(lines(result)) == [
        "b.txt:1:undef",
        "odd:1:name.txt:1:def",
        "src/a.py:1:def add():",
        "src/a.py:3:def sub():",
    ]
    assert result.complete
    assert not result.literal


async def test_nothing_found_is_a_result(tmp_path: Path, program: str | None) -> None:
    (tmp_path / "a").write_text("x")
    result = await found(Workspace(tmp_path), "zzz", program)
    assert result.hits == ()
    assert result.complete


async def test_what_is_no_regex_is_searched_as_it_stands(
    tmp_path: Path, program: str | None
) -> None:
    (tmp_path / "a.c").write_text("foo(bar\n(a\n")
    result = await found(Workspace(tmp_path), "foo(", program)
    assert lines(result) == ["a.c:1:foo(bar"]
    assert result.literal


async def test_a_query_that_looks_like_an_option_is_a_query(
    tmp_path: Path, program: str | None
) -> None:
    (tmp_path / "a").write_text("--files\n")
    assert lines(await found(Workspace(tmp_path), "--files", program)) == ["a:1:--files"]


async def test_secrets_ignored_binary_and_own_files_stay_out(
    tmp_path: Path, program: str | None
) -> None:
    (tmp_path / ".gitignore").write_text("build\n")
    for name in (".env", "key.pem", "secrets/a", "build/b", "events/1", ".git/config", "ok"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("needle\n")
    (tmp_path / "binary").write_bytes(b"\0needle\n")
    (tmp_path / "sneaky").symlink_to(".env")
    workspace = Workspace(tmp_path, hidden=(tmp_path / "events",))
    result = await found(workspace, "needle", program)
    assert lines(result) == ["ok:1:needle"]


async def test_long_lines_are_cut(tmp_path: Path, program: str | None) -> None:
    (tmp_path / "min.js").write_text("needle" + "x" * 100_000 + "\n")
    (hit,) = (await found(Workspace(tmp_path), "needle", program)).hits
    assert hit.text.startswith("needlexxx")
    assert len(hit.text) < 600


async def test_more_than_is_kept_is_said(tmp_path: Path, program: str | None) -> None:
    (tmp_path / "a").write_text("needle in a line of some length\n" * 80_000)
    result = await found(Workspace(tmp_path), "needle", program)
    assert not result.complete
    assert 10_000 < len(result.hits) < 80_000
    assert [hit.line for hit in result.hits] == list(range(1, len(result.hits) + 1))


@pytest.mark.parametrize("query", ["", "a\nb", "a\0", "x" * 10_001])
async def test_what_cannot_be_searched_is_refused(tmp_path: Path, query: str) -> None:
    with pytest.raises(ToolRefused):
        await found(Workspace(tmp_path), query, None)


async def test_a_regex_that_never_ends_is_stopped_and_stops_nobody(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("found aab\n")
    (tmp_path / "b").write_text("a" * 60 + "!\n")
    ticks = 0
    task = asyncio.create_task(found(Workspace(tmp_path), r"(a+)+b", None, deadline_s=3))
    while not task.done():
        await asyncio.sleep(0.01)
        ticks += 1
    result = task.result()
    assert result.timed_out
    assert lines(result) == ["a:1:found aab"]
    assert ticks > 10  # of 300 on an idle machine; a loop that is held up makes none


async def test_a_cancel_ends_a_search(tmp_path: Path) -> None:
    (tmp_path / "b").write_text("a" * 60 + "!\n")
    token = CancellationToken()
    task = asyncio.create_task(
        search(Workspace(tmp_path), r"(a+)+b", cancellation=token, ripgrep=None)
    )
    await asyncio.sleep(0)
    token.cancel()
    assert (await task).cancelled


async def test_look_around_works(tmp_path: Path, program: str | None) -> None:
    (tmp_path / "a").write_text("foobar\nfoobaz\n")
    result = await found(Workspace(tmp_path), r"foo(?!bar)", program)
    assert lines(result) == ["a:2:foobaz"] or result.literal


@pytest.mark.parametrize(
    ("prints", "expected"),
    [("./a\\0001:hit\\n", ["a:1:hit"]), ("", [])],
)
async def test_files_that_could_not_be_read_do_not_fail_the_search(
    tmp_path: Path, prints: str, expected: list[str]
) -> None:
    program = tmp_path / "rg-that-met-an-unreadable-file"
    program.write_text(f"#!/bin/sh\nprintf '{prints}'\nexit 2\n")
    program.chmod(0o755)
    result = await found(Workspace(tmp_path), "hit", str(program))
    assert lines(result) == expected
    assert not result.literal


async def test_a_search_program_that_fails_is_told(tmp_path: Path) -> None:
    program = tmp_path / "rg-that-fails"
    program.write_text("#!/bin/sh\necho 'rg: something broke' >&2\nexit 2\n")
    program.chmod(0o755)
    with pytest.raises(ToolRefused, match="something broke"):
        await found(Workspace(tmp_path), "hit", str(program))


async def test_a_walk_that_takes_too_long_ends_at_the_deadline(tmp_path: Path) -> None:
    (tmp_path / "a").write_text("x")
    result = await found(Workspace(tmp_path), "x", None, deadline_s=-1)
    assert result.hits == ()
    assert not result.complete
