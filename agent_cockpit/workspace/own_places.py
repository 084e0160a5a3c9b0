"""Files and folders of our own that lie in a workspace as wide as a home folder."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path


class OwnPlaces:
    """What no snapshot looks at; `root` itself is no such place, whatever lies there."""

    def __init__(self, root: Path, places: Iterable[Path] = ()) -> None:
        inside = (place for place in places if place != root and place.is_relative_to(root))
        self._names = tuple(sorted({place.relative_to(root).as_posix() for place in inside}))

    def has(self, name: str) -> bool:
        """Whether a name, seen from the root, is one of them or below one."""
        return any(name == own or name.startswith(f"{own}/") for own in self._names)

    def rules(self, prefix: str) -> bytes:
        """Lines for an ignore file in a folder from which `prefix` leads to the root."""
        escaped = (re.sub(r"([\\*?\[\]!# ])", r"\\\1", f"{prefix}{name}") for name in self._names)
        lines = (f"/{name}\n" for name in escaped if "\n" not in name)
        return "".join(lines).encode(errors="surrogateescape")
