"""What the cockpit remembers of how a person likes it: one small file, read at the start.

Law: it is a convenience. What cannot be read or written costs a sentence, never the sitting.
"""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

MAX_BYTES = 100_000


class Remembered:
    """Owns the file, of one JSON object; without a path nothing outlives the process."""

    def __init__(self, path: Path | None = None) -> None:
        self.problem = ""
        """Why the file could not be read or written, in words for the person."""
        self._path = path
        self._values: dict[str, Any] = self._read()

    def text(self, name: str) -> str:
        """The text that was remembered under this name; empty when none was."""
        value = self._values.get(name)
        return value if isinstance(value, str) else ""

    def flag(self, name: str) -> bool | None:
        """The yes or no that was remembered under this name."""
        value = self._values.get(name)
        return value if isinstance(value, bool) else None

    def keep(self, **values: str | bool | None) -> None:
        """Remember these beside the others, what another cockpit wrote meanwhile included.

        None takes back what was remembered under its name.
        """
        if all(self._values.get(name) == value for name, value in values.items()):
            return
        self._values = {**self._read(), **values}
        self._write()

    def _read(self) -> dict[str, Any]:
        if self._path is None:
            return getattr(self, "_values", {})
        try:
            with self._path.open("rb") as file:
                read = json.loads(file.read(MAX_BYTES))
        except FileNotFoundError:
            return {}
        except (OSError, ValueError, RecursionError) as error:
            self.problem = f"cannot read {self._path}: {error}"
            return {}
        return read if isinstance(read, dict) else {}

    def _write(self) -> None:
        if self._path is None:
            return
        draft = self._path.with_name(f"{self._path.name}.{os.getpid()}")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
            draft.write_text(json.dumps(self._values, indent=2) + "\n", encoding="utf-8")
            draft.replace(self._path)
        except OSError as error:
            self.problem = f"cannot remember it in {self._path}: {error}"
