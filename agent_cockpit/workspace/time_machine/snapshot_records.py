"""Keeps what a snapshot is beside its tree, so that the next process can carry on."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from agent_cockpit.errors import SnapshotFailed
from agent_cockpit.text import clean_line
from agent_cockpit.workspace.time_machine.snapshot_store import Capture, Entry, Mark


@dataclass(frozen=True, slots=True, kw_only=True)
class Snapshot:
    """The workspace at one moment; `number` counts the snapshots of a store from 1."""

    id: str
    number: int
    capture: Capture
    label: str = ""

    @property
    def ref(self) -> str:
        """What names it for ever: an id may be given again once a store was taken away."""
        return f"{self.id}.{self.capture.tree}"


@dataclass(frozen=True, slots=True)
class FirstSight:
    """An otherwise unseen path as it was before anybody edited it.

    Snapshots up to `number` are taken to have found it so. Neither `entry` nor `mark`: it
    was not there; a `mark` alone: it was there, and its content is not kept.
    """

    number: int
    entry: Entry | None = None
    permissions: int | None = None
    mark: Mark | None = None


class SnapshotRecords:
    """Owns the records in `folder`; each is replaced whole or not at all."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder

    def last_number(self) -> int:
        """The highest number that a snapshot has, 0 without any."""
        numbers = (path.stem for path in self._folder.glob("*.json"))
        return max((int(number) for number in numbers if number.isdecimal()), default=0)

    def save(self, snapshot: Snapshot) -> None:
        """Keep a snapshot under its id."""
        plain = asdict(snapshot)
        for name in ("empty_folders", "passed_over"):
            plain["capture"][name] = sorted(plain["capture"][name])
        self._write(f"{snapshot.id}.json", plain)

    def load(self, snapshot_id: str) -> Snapshot:
        """The snapshot of an id; raises `SnapshotFailed` without one."""
        try:
            plain = self._read(f"{int(snapshot_id)}.json")
            capture = plain.pop("capture")
            marks = {path: _mark(mark) for path, mark in capture.pop("skipped").items()}
            for name in ("empty_folders", "passed_over"):
                capture[name] = frozenset(capture[name])
            return Snapshot(**plain, capture=Capture(**capture, skipped=marks))
        except (OSError, ValueError, KeyError, TypeError) as cause:
            raise SnapshotFailed(
                f"there is no readable snapshot `{clean_line(snapshot_id)}`"
            ) from cause

    def recall(self, ref: str) -> Snapshot:
        """The snapshot behind a `ref`; raises `SnapshotFailed` when it is there no more."""
        name = ref.partition(".")[0]
        if (self._folder / f"{name}.json").exists() and (snapshot := self.load(name)).ref == ref:
            return snapshot
        raise SnapshotFailed("its snapshots are not kept any more")

    def save_sights(self, sights: Mapping[str, FirstSight]) -> None:
        """Keep all first sights, by path."""
        self._write("remembered.json", {path: asdict(sight) for path, sight in sights.items()})

    def load_sights(self) -> dict[str, FirstSight]:
        """All first sights, by path; none in a new store."""
        try:
            return {
                path: FirstSight(
                    sight["number"],
                    sight["entry"] and Entry(**sight["entry"]),
                    sight["permissions"],
                    sight["mark"] and _mark(sight["mark"]),
                )
                for path, sight in self._read("remembered.json").items()
            }
        except (FileNotFoundError, NotADirectoryError):
            return {}
        except (OSError, ValueError, KeyError, TypeError, AttributeError) as cause:
            raise SnapshotFailed(f"the records in `{self._folder}` are damaged: {cause}") from cause

    def _read(self, name: str) -> dict[str, Any]:
        value: dict[str, Any] = json.loads((self._folder / name).read_text(encoding="utf-8"))
        return value

    def _write(self, name: str, value: object) -> None:
        place = self._folder / name
        half = place.with_suffix(".half")
        try:
            self._folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            half.write_text(json.dumps(value), encoding="utf-8")
            half.replace(place)
        except OSError as cause:
            raise SnapshotFailed(f"cannot write the store of snapshots: {cause}") from cause


def _mark(value: list[int]) -> Mark:
    size_bytes, changed_ns = value
    return size_bytes, changed_ns
