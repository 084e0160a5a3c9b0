"""Diffs of one file: true to both texts, and quick for large ones."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from agent_cockpit.rules.diff_lines import header_path
from agent_cockpit.workspace.editing.text_diff import binary_diff, unified_diff

texts = st.lists(st.sampled_from(["a", "b", "c", "\n", "\n", "\r\n", "\x0c"])).map("".join)


def applied(diff: str, before: str) -> str:
    """What `before` becomes by the hunks of `diff`, which must fit exactly."""
    old = before.split("\n")
    old = [line + "\n" for line in old[:-1]] + ([old[-1]] if old[-1] else [])
    out: list[str] = []
    done = 0
    lines = diff.split("\n")[2:-1]
    for index, line in enumerate(lines):
        if match := re.match(r"@@ -(\d+)(?:,(\d+))? \+\d+(?:,\d+)? @@$", line):
            start = int(match[1]) - (match[2] != "0")
            out += old[done:start]
            done = start
        elif line[0] in " -+":
            ends = index + 1 < len(lines) and lines[index + 1].startswith("\\")
            text = line[1:] + ("" if ends else "\n")
            if line[0] != "+":
                assert old[done] == text
                done += 1
            if line[0] != "-":
                out.append(text)
        else:
            assert line == "\\ No newline at end of file"
    return "".join(out + old[done:])


@given(texts, texts)
def test_a_diff_makes_the_one_text_from_the_other(before: str, after: str) -> None:
    diff = unified_diff("f", before, after)
    assert (diff == "") == (before == after)
    if diff:
        assert applied(diff, before) == after


def test_large_rewrites_are_one_block_and_still_true() -> None:
    before = "same\n" * 5 + "".join(f"old {n}\n" for n in range(3000)) + "end\n" * 5
    after = "same\n" * 5 + "".join(f"new {n}\n" for n in range(3000)) + "end\n" * 5
    diff = unified_diff("f", before, after)
    assert applied(diff, before) == after
    assert diff.count("\n@@ ") == 1


def test_a_small_change_of_a_large_file_is_small() -> None:
    before = "".join(f"line {n}\n" for n in range(200_000))
    diff = unified_diff("f", before, before.replace("line 150000\n", "changed\n"))
    assert diff.count("\n") == 11


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("a\nb", "a\nb\n"),
        ("a\n", "a"),
        (None, "x\n"),
        ("x\ny\n", None),
        ("a\r\nb\r\n", "a\r\nc\r\n"),
    ],
)
def test_git_takes_our_diffs(tmp_path: Path, before: str | None, after: str | None) -> None:
    name = "odd name.txt"
    if before is not None:
        (tmp_path / name).write_bytes(before.encode())
    diff = unified_diff(name, before, after)
    # git reads a name with spaces up to a tab
    patch = re.sub(r"^((?:---|\+\+\+) .*)$", "\\1\t", diff, flags=re.M)
    subprocess.run(["git", "apply", "-"], input=patch.encode(), cwd=tmp_path, check=True)
    there = (tmp_path / name).read_bytes().decode() if (tmp_path / name).exists() else None
    assert there == after


@pytest.mark.parametrize(
    "name", ["plain", "käse", "tab\there", 'quo"te', "line\nbreak", "a\\b", "\x01"]
)
def test_hostile_names_stay_on_their_line_and_can_be_read_back(name: str) -> None:
    header = unified_diff(name, "a", "b").split("\n")
    assert header[2].startswith("@@")
    assert header_path(header[1][4:]) == name


def test_empty_files_are_still_shown() -> None:
    assert unified_diff("f", None, "") == "--- /dev/null\n+++ b/f\n"
    assert unified_diff("f", "", None) == "--- a/f\n+++ /dev/null\n"
    assert binary_diff("f", created=True) == "Binary files /dev/null and b/f differ\n"


def test_a_change_before_equal_lines_keeps_its_context() -> None:
    diff = unified_diff("f", "a\nb\nb\nb\nb\n", "b\nb\nb\nb\nb\n")
    assert diff.split("\n")[2:] == ["@@ -1,4 +1,4 @@", "-a", "+b", " b", " b", " b", ""]
