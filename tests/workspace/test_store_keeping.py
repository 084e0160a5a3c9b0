"""Stores of snapshots that are taken away, and those that must stay."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from uuid import uuid4

import pytest

from agent_cockpit.workspace.time_machine.snapshots import Snapshots
from agent_cockpit.workspace.time_machine.store_keeping import KEPT_S, store_of, take_away_old
from agent_cockpit.workspace.time_machine.store_owner import COMING
from tests.support.repositories import write


@pytest.fixture
def stores(tmp_path: Path) -> Path:
    return tmp_path / "snapshots"


def used(stores: Path, name: str, *, project: str = "project") -> Snapshots:
    """A store with a snapshot, in use."""
    work = stores.parent / "work"
    work.mkdir(exist_ok=True)
    write(work, {"a.txt": "one\n"})
    snapshots = Snapshots(work, stores / project / name)
    snapshots.take()
    return snapshots


def in_time() -> float:
    return time.time() + KEPT_S + 60


def test_the_store_of_a_sitting_that_lives_stays_however_old_it_is(stores: Path) -> None:
    living = used(stores, "living")
    assert take_away_old(stores, now_s=in_time()) == ()
    assert [change.path for change in living.changed_paths(living.load("1"))] == []


def test_an_old_store_goes_once_its_sitting_is_gone(stores: Path) -> None:
    used(stores, "one"), used(stores, "two", project="elsewhere")
    living = used(stores, "living")
    gone = take_away_old(stores, now_s=in_time())
    assert sorted(store.name for store in gone) == ["one", "two"]
    assert [store.name for store in (stores / "project").iterdir()] == ["living"]
    assert [project.name for project in stores.iterdir()] == ["project"]
    assert living.take().number == 2


def test_a_store_that_was_used_lately_stays(stores: Path) -> None:
    used(stores, "one")
    assert take_away_old(stores, now_s=time.time() + KEPT_S / 2) == ()
    assert (stores / "project" / "one").is_dir()


@pytest.mark.skipif(sys.platform == "win32", reason="no such locks")
def test_a_process_that_was_killed_uses_its_store_no_more(stores: Path) -> None:
    program = (
        "import os, sys; from pathlib import Path\n"
        "from agent_cockpit.workspace.time_machine.snapshots import Snapshots\n"
        "snapshots = Snapshots(Path(sys.argv[1]), Path(sys.argv[2])); snapshots.take()\n"
        "print('taken', flush=True); sys.stdin.read()\n"
    )
    work, store = stores.parent / "work", stores / "project" / "one"
    work.mkdir()
    words = [sys.executable, "-c", program, str(work), str(store)]
    with subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"taken\n"
        assert take_away_old(stores, now_s=in_time()) == ()
        os.kill(other.pid, signal.SIGKILL)
    assert take_away_old(stores, now_s=in_time()) == (store,)


def test_what_was_half_taken_away_goes_the_next_time(stores: Path) -> None:
    used(stores, "one")
    (stores / "project" / "one").rename(stores / "project" / "one.leaving")
    take_away_old(stores, now_s=time.time())
    assert list(stores.iterdir()) == []


def test_what_is_no_store_is_left_alone(stores: Path, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs"
    write(theirs, {"deep/a.txt": "mine\n"})
    stores.mkdir()
    (stores / "project").mkdir()
    (stores / "project" / "link").symlink_to(theirs / "deep")
    (stores / "linked").symlink_to(theirs)
    (stores / "file").write_text("x")
    assert take_away_old(stores, now_s=in_time()) == ()
    assert (theirs / "deep" / "a.txt").read_text() == "mine\n"


def test_without_stores_there_is_nothing_to_do(stores: Path) -> None:
    assert take_away_old(stores, now_s=in_time()) == ()
    assert not stores.exists()


def test_the_store_of_a_sitting_that_was_just_taken_up_again_stays(stores: Path) -> None:
    used(stores, "own"), used(stores, "old")
    own = stores / "project" / "own"
    gone = take_away_old(stores, now_s=in_time(), spared=own)
    assert gone == (stores / "project" / "old",)
    assert own.is_dir()


def test_a_sitting_finds_its_own_store_again(stores: Path) -> None:
    sitting_id = uuid4().hex
    assert store_of(stores, sitting_id) == store_of(stores, sitting_id)
    assert store_of(stores, sitting_id).parent == stores


@pytest.mark.parametrize("sitting_id", ["", "..", "../../../x", "/etc", "one.leaving", "a" * 11])
def test_an_id_that_is_none_of_ours_leads_nowhere_else(stores: Path, sitting_id: str) -> None:
    place = store_of(stores, sitting_id)
    assert place.parent == stores
    assert place.name.isalnum()
    assert place != store_of(stores, sitting_id)


def test_a_copy_that_is_being_made_is_left_alone(tmp_path: Path) -> None:
    half = tmp_path / "project" / f"0123456789ab{COMING}"
    half.mkdir(parents=True)
    assert take_away_old(tmp_path, now_s=half.stat().st_mtime) == ()
    assert half.is_dir()
