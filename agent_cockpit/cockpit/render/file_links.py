"""Names of the workspace's files as links that a terminal can open.

Law: an address is that of the very name that it lies on; only a file that is there, in the
workspace and not by way of a link out of it, has one.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Iterator
from pathlib import Path

from agent_cockpit.transcript.links import Link, paths_in


class FileLinks:
    """Owns what is known of the names that were looked at."""

    def __init__(self, root: str) -> None:
        self.root = root
        self._inside = root.rstrip(os.sep) + os.sep
        self._really_inside = os.path.realpath(root).rstrip(os.sep) + os.sep
        self._addresses: dict[str, str] = {}
        self._absent: set[str] = set()

    def links_in(self, text: str) -> Iterator[Link]:
        """The names of files in one line of a text, with their lines."""
        for named in paths_in(text):
            if address := self._address(named.path):
                yield Link(named.start, named.end, address)

    def look_again(self) -> None:
        """A file may have come, gone, or become a link that leads out of the workspace."""
        self._absent.clear()
        self._addresses.clear()

    def _address(self, name: str) -> str:
        """Where the file of this name is; empty where there is none."""
        if name in self._absent:
            return ""
        if (known := self._addresses.get(name)) is not None:
            return known
        if address := self._found(name):
            self._addresses[name] = address
        else:
            self._absent.add(name)
        return address

    def _found(self, name: str) -> str:
        """Nothing outside is looked at: a name may be one that a machine far away answers for."""
        path = Path(os.path.normpath(Path(self.root, name)))
        if not str(path).startswith(self._inside) or not _is_file(path):
            return ""
        if not os.path.realpath(path).startswith(self._really_inside):
            return ""
        address = path.as_uri()
        return address.replace("file:///", f"file://{socket.gethostname()}/", 1)


def _is_file(path: Path) -> bool:
    try:
        return path.is_file()
    except OSError:  # no name that a file could have
        return False
