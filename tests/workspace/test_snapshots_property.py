"""Whatever happens to a tree, putting its changed paths back gives the tree back."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path

from hypothesis import given, settings
from hypothesis import strategies as st

from agent_cockpit.workspace.time_machine.put_back import CHANGED_SINCE
from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from tests.support.repositories import make_repository, write

NAMES = ("a", "b.txt", "d/x", "d/y z", "d/e/deep", "é", "s.log")

STEPS = st.one_of(
    st.tuples(st.just("write"), st.sampled_from(NAMES), st.sampled_from(["", "1\n", "2", "\0"])),
    st.tuples(st.just("remove"), st.sampled_from(["a", "b.txt", "d", "d/e", "d/x"]), st.just("")),
    st.tuples(st.just("link"), st.sampled_from(NAMES), st.sampled_from(["a", "nowhere", ".."])),
    st.tuples(st.just("mode"), st.sampled_from(NAMES), st.sampled_from(["755", "600", "644"])),
    st.tuples(st.just("folder"), st.sampled_from(["a", "n/m", "d/x"]), st.just("")),
)


def do(root: Path, step: tuple[str, str, str]) -> None:
    """One step, or nothing where what stands there forbids it."""
    action, name, value = step
    path = root / name
    if any(parent.is_symlink() for parent in path.relative_to(root).parents if parent.name):
        return
    try:
        if action == "write" and not path.is_symlink():
            write(root, {name: value})
        elif action == "remove" and path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif action == "remove":
            path.unlink()
        elif action == "link":
            path.unlink(missing_ok=True)
            path.symlink_to(value)
        elif action == "mode" and not path.is_symlink() and path.is_file():
            path.chmod(int(value, 8))
        elif action == "folder":
            path.mkdir(parents=True)
    except (FileNotFoundError, FileExistsError, NotADirectoryError, IsADirectoryError):
        return


def files(root: Path) -> dict[str, tuple[str, bytes, int]]:
    found = {}
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if name == ".git" or name.startswith(".git/") or (path.is_dir() and not path.is_symlink()):
            continue
        if path.is_symlink():
            found[name] = ("link", str(path.readlink()).encode(), 0)
        else:
            found[name] = ("file", path.read_bytes(), path.stat().st_mode & 0o777)
    return found


@settings(max_examples=15)
@given(
    before=st.lists(STEPS, max_size=8),
    after=st.lists(STEPS, min_size=1, max_size=8),
    with_git=st.booleans(),
    in_repository=st.booleans(),
)
def test_putting_back_all_changes_gives_the_tree_back(
    before: list[tuple[str, str, str]],
    after: list[tuple[str, str, str]],
    with_git: bool,
    in_repository: bool,
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "work"
        root.mkdir()
        if in_repository:
            make_repository(root, {".gitignore": "*.log\n"})
        for step in before:
            do(root, step)
        snapshots = Snapshots(root, Path(name) / "store", git="git" if with_git else None)
        start = snapshots.take()
        was = files(root)
        for step in after:
            for named in NAMES if not with_git else ("s.log",):
                snapshots.remember(named)
            do(root, step)
        changed = [change.path for change in snapshots.changed_paths(start)]
        snapshots.restore(start, changed)
        assert files(root) == was
        assert snapshots.changed_paths(start) == ()
        assert snapshots.diff(start) == ""


@settings(max_examples=15)
@given(
    before=st.lists(STEPS, max_size=6),
    agent=st.lists(STEPS, min_size=1, max_size=6),
    person=st.lists(STEPS, max_size=4),
    with_git=st.booleans(),
)
def test_moving_changes_back_and_forth_leaves_what_others_made_of_the_files(
    before: list[tuple[str, str, str]],
    agent: list[tuple[str, str, str]],
    person: list[tuple[str, str, str]],
    with_git: bool,
) -> None:
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "work"
        root.mkdir()
        snapshots = Snapshots(root, Path(name) / "store", git="git" if with_git else None)
        for named in NAMES:
            snapshots.remember(named)
        for step in before:
            do(root, step)
        start, was = snapshots.take(), files(root)
        for step in agent:
            do(root, step)
        end, made = snapshots.take(), files(root)
        changed = {change.path for change in snapshots.changed_paths(start, end)}
        for step in person:
            do(root, step)
        found = files(root)
        moved, left = snapshots.move(end, start, changed)
        back = files(root)
        assert set(moved) | set(left) <= changed
        assert {path: back.get(path) for path in moved} == {path: was.get(path) for path in moved}
        stays = {*found, *back} - {*moved}
        assert {path: back.get(path) for path in stays} == {path: found.get(path) for path in stays}
        assert all(
            found.get(path) != made.get(path) for path in left if left[path] == CHANGED_SINCE
        )
        if found == made:
            assert (back, left) == (was, {})
            assert snapshots.move(start, end, changed)[1] == {}
            assert files(root) == made
