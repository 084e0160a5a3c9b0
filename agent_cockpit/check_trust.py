"""Which of a folder's own checks a person allowed, remembered from sitting to sitting.

Law: what cannot be read remembers nothing, so its checks are asked about again.
"""

from __future__ import annotations

import json
from pathlib import Path
from uuid import uuid4

from agent_cockpit.places import state_dir


class FolderCheckTrust:
    """Remembers, a folder, which of its own check commands a person allowed (contracts 4)."""

    def __init__(self, root: Path, *, state: Path | None = None) -> None:
        self._path = (state or state_dir()) / "trusted-checks.json"
        self._root = str(root.resolve())

    def is_trusted(self, commands: tuple[str, ...]) -> bool:
        """Whether every one of them was allowed in this folder."""
        return set(commands) <= set(self._load().get(self._root, []))

    def trust(self, commands: tuple[str, ...]) -> None:
        """Remember them, beside those of other folders."""
        self._keep({*self.listed(), *commands})

    def listed(self) -> tuple[str, ...]:
        """What is remembered for this folder, sorted."""
        return tuple(sorted(self._load().get(self._root, ())))

    def revoke(self, command: str) -> None:
        """Forget one of this folder's; it is asked about before it runs again."""
        self._keep(set(self.listed()) - {command})

    def _keep(self, commands: set[str]) -> None:
        known = self._load() | {self._root: sorted(commands)}
        self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        draft = self._path.with_suffix(f".{uuid4().hex[:8]}")
        draft.write_text(json.dumps(known, indent=1), encoding="utf-8")
        draft.replace(self._path)

    def _load(self) -> dict[str, list[str]]:
        try:
            known = json.loads(self._path.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return {
            root: [command for command in commands if isinstance(command, str)]
            for root, commands in (known.items() if isinstance(known, dict) else ())
            if isinstance(commands, list)
        }
