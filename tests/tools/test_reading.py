"""read_file, list_files, search_repo: what the model and the person get to see."""

from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import ValidationError

from agent_cockpit.errors import ToolRefused
from agent_cockpit.tools.list_files import ListFiles, ListFilesInput
from agent_cockpit.tools.read_file import MOST_CHARACTERS, ReadFile, ReadFileInput
from agent_cockpit.tools.search_repo import SearchRepo, SearchRepoInput
from agent_cockpit.workspace.cancellation import CancellationToken
from tests.tools.conftest import MakeDeps


async def read(make_deps: MakeDeps, path: str, line_range: list[int] | None = None) -> str:
    result = await ReadFile().run(ReadFileInput(path=path, line_range=line_range), make_deps())
    assert result.success
    return result.content


@pytest.mark.parametrize(
    ("data", "content"),
    [
        (b"a\nb\n", "a\nb\n"),
        (b"a\r\nb", "a\nb"),
        (b"\xef\xbb\xbfa\n", "a\n"),
        (b"caf\xe9", "café"),
        (b"", "(the file is empty)"),
        (b"\n", "\n"),
        ("\ufeffwide".encode("utf-16-le"), "wide"),
    ],
)
async def test_text_is_read_with_plain_line_ends(
    tmp_path: Path, make_deps: MakeDeps, data: bytes, content: str
) -> None:
    (tmp_path / "f").write_bytes(data)
    assert await read(make_deps, "f") == content


async def test_lines_are_counted_from_one_and_both_ends_belong(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    (tmp_path / "f").write_text("1\n2\n3\n4\n")
    assert await read(make_deps, "f", [2, 3]) == "2\n3"
    assert await read(make_deps, "f", [3, 99]) == "3\n4\n"
    assert await read(make_deps, "f:2-3") == "2\n3"
    assert await read(make_deps, "f:4") == "4\n"
    with pytest.raises(ToolRefused, match="only 4 lines"):
        await read(make_deps, "f", [5, 6])


async def test_a_file_with_a_colon_in_its_name_is_read(tmp_path: Path, make_deps: MakeDeps) -> None:
    (tmp_path / "f:2").write_text("odd")
    assert await read(make_deps, "f:2") == "odd"


@pytest.mark.parametrize("line_range", [[0, 1], [2, 1], [1], [1, 2, 3], [-1, 2]])
def test_a_range_that_is_none_is_a_wrong_input(line_range: list[int]) -> None:
    with pytest.raises(ValidationError):
        ReadFileInput(path="f", line_range=line_range)


async def test_a_long_file_comes_in_pieces_that_fit_together(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    lines = [f"line {n} " + "x" * (n % 90) for n in range(1, 5001)]
    (tmp_path / "long").write_text("\n".join(lines))
    got: list[str] = []
    while len(got) < 5000:
        piece = await read(make_deps, "long", [len(got) + 1, 5000])
        assert len(piece) < MOST_CHARACTERS + 200
        body = piece.split("\n")
        if body[-1].startswith("[lines"):
            assert f"line_range [{len(got) + len(body)}, 5000]" in body.pop()
        got += body
    assert got == lines


async def test_one_endless_line_is_cut_and_says_so(tmp_path: Path, make_deps: MakeDeps) -> None:
    (tmp_path / "min.js").write_text("x" * 200_000 + "\nnext\n")
    content = await read(make_deps, "min.js")
    assert f"[… {200_000 - MOST_CHARACTERS} more characters of line 1 …]" in content
    assert "read on with line_range [2, 2]" in content


@pytest.mark.parametrize(
    ("name", "words"), [("b", "binary"), ("gone", "no file"), ("d", "is a folder")]
)
async def test_what_is_no_text_says_so(
    tmp_path: Path, make_deps: MakeDeps, name: str, words: str
) -> None:
    (tmp_path / "b").write_bytes(b"\0\1")
    (tmp_path / "d").mkdir()
    with pytest.raises(ToolRefused, match=words):
        await read(make_deps, name)


async def test_facts_name_the_file_and_walls_are_refusals(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    facts = await ReadFile().facts(ReadFileInput(path="./a/../f:3"), make_deps())
    assert (facts.tier, facts.mutates, facts.reads, facts.refusal) == (0, False, ("f",), None)
    for path in ("../x", ".env", "\0", ".env:3"):
        facts = await ReadFile().facts(ReadFileInput(path=path), make_deps())
        assert facts.refusal
        assert not facts.mutates


async def test_a_listing_shows_names_and_counts_the_rest(
    tmp_path: Path, make_deps: MakeDeps
) -> None:
    for n in range(1005):
        (tmp_path / f"{n:04}").touch()
    result = await ListFiles().run(ListFilesInput(), make_deps())
    assert result.content.startswith("0000\n0001\n")
    assert result.content.endswith("\n0999\n(+5 more)")
    assert result.summary == "1005 file(s) match **/*"


async def test_hostile_names_are_shown_and_not_obeyed(tmp_path: Path, make_deps: MakeDeps) -> None:
    (tmp_path / "a\x1b[2J\nb").touch()
    (tmp_path / "\udcff").touch()
    result = await ListFiles().run(ListFilesInput(), make_deps())
    assert result.content.split("\n") == ["a␛[2J␊b", "<U+DCFF>"]
    result.content.encode()


async def test_an_empty_listing_says_so(make_deps: MakeDeps) -> None:
    result = await ListFiles().run(ListFilesInput(glob="*.nope"), make_deps())
    assert result.success
    assert result.content == "no file matches `*.nope`"


async def test_a_search_gives_places(tmp_path: Path, make_deps: MakeDeps) -> None:
    (tmp_path / "a.py").write_text("x = 1\ny = 2\n")
    result = await SearchRepo().run(SearchRepoInput(query=r"\w = 2"), make_deps())
    assert result.content == "a.py:2:y = 2"
    assert result.summary == r"1 match(es) for '\\w = 2'"
    result = await SearchRepo().run(SearchRepoInput(query="none"), make_deps())
    assert (result.success, result.content) == (True, "no match")


async def test_a_search_says_what_it_left_out(tmp_path: Path, make_deps: MakeDeps) -> None:
    (tmp_path / "a").write_text("needle (\n" * 10_000)
    result = await SearchRepo().run(SearchRepoInput(query="needle ("), make_deps())
    assert len(result.content) < 50_300
    assert "[… the first 50000 characters" in result.content
    assert "no valid regular expression" in result.content
    assert result.summary == "10000 match(es) for 'needle (' (truncated)"


async def test_a_stopped_search_is_no_success(tmp_path: Path, make_deps: MakeDeps) -> None:
    token = CancellationToken()
    token.cancel()
    result = await SearchRepo().run(SearchRepoInput(query="x"), make_deps(cancellation=token))
    assert result.cancelled
    assert not result.success
