"""Diffs made without git are diffs that git itself understands."""

from __future__ import annotations

import subprocess
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.workspace.editing.diffs import file_diff, line_counts, quoted

CONTENTS = st.lists(
    st.sampled_from([b"a", b"b", b"c\r", b"", b"\xff\xfe".hex().encode(), "größe".encode()]),
    max_size=12,
).flatmap(lambda lines: st.sampled_from([b"\n".join(lines), b"\n".join([*lines, b""])]))


def apply(folder: Path, diff: str) -> None:
    subprocess.run(
        ["git", "apply", "--whitespace=nowarn", "-"],
        cwd=folder,
        input=diff.encode(),
        env={"PATH": "/usr/bin:/bin", "GIT_CEILING_DIRECTORIES": str(folder.parent)},
        capture_output=True,
        check=True,
    )


@settings(max_examples=60)
@given(before=st.none() | CONTENTS, after=st.none() | CONTENTS)
def test_git_applies_what_is_made_here(before: bytes | None, after: bytes | None) -> None:
    diff = file_diff("dir/größe 1.txt", before, after)
    if before == after:
        assert diff == ""
        return
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        path = folder / "dir/größe 1.txt"
        path.parent.mkdir()
        if before is not None:
            path.write_bytes(before)
        apply(folder, diff)
        assert (path.read_bytes() if path.exists() else None) == after


def test_a_repeated_line_keeps_its_context() -> None:
    diff = file_diff("x", b"a\nb\nb\nb\nb\n", b"b\nb\nb\nb\nb\n")
    assert diff.endswith("@@ -1,4 +1,4 @@\n-a\n+b\n b\n b\n b\n")


def test_two_large_texts_without_a_common_line_are_one_replacement() -> None:
    before = "".join(f"old {number}\n" for number in range(30_000)).encode()
    after = "".join(f"new {number}\n" for number in range(30_000)).encode()
    assert "@@ -1,30000 +1,30000 @@\n" in file_diff("x", before, after)


@pytest.mark.parametrize(
    ("before", "after", "counts"),
    [
        (b"a\nb\n", b"a\nc\n", (1, 1)),
        (None, b"a\nb", (2, 0)),
        (b"a\nb", None, (0, 2)),
        (b"", None, (0, 0)),
        (b"\0", b"a\n", None),
    ],
)
def test_lines_are_counted(
    before: bytes | None, after: bytes | None, counts: tuple[int, int] | None
) -> None:
    assert line_counts(before, after) == counts


def test_a_change_of_mode_alone_is_shown() -> None:
    diff = file_diff("run", b"x", b"x", after_mode=0o100755)
    assert diff == "diff --git a/run b/run\nold mode 100644\nnew mode 100755\n"


def test_a_binary_file_is_noted() -> None:
    assert "Binary files a/b.bin and b/b.bin differ\n" in file_diff("b.bin", b"\0", b"a")


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("a/größe x", "a/größe x"),
        ("a/new\nline", '"a/new\\nline"'),
        ('a/"', '"a/\\""'),
        ("a/\x1b[2J", '"a/\\033[2J"'),
        ("a/ü\t", '"a/\\303\\274\\t"'),
    ],
)
def test_special_characters_in_a_name_cannot_break_the_header(name: str, shown: str) -> None:
    assert quoted(name) == shown
